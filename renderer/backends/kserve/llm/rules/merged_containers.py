"""What becomes wrong of containers when configurations are laid below a service."""

from collections.abc import Iterator

from renderer.backends.fields import elements, text
from renderer.backends.kserve.llm.merged import merged
from renderer.backends.kserve.llm.rules.sources import MERGE
from renderer.backends.kserve.llm.service import POD_PLACES, PREFILL, LlmView
from renderer.values.diagnostics import Finding, Path, Severity, rule, rules_with_source
from renderer.values.tree import Node

_SINCE = "0.3.0"
_SERVER = "main"
#: Containers that get their image from a preset or from KServe itself.
_COMPLETED = (_SERVER, "storage-initializer")
_ROLES: tuple[Path, ...] = ((), (PREFILL,))


@rule("KSV575", Severity.WARNING, "LLMInferenceService", since=_SINCE)
def server_is_called_main(view: LlmView) -> Iterator[Finding]:
    """The container of the server is called `main`.

    A container of another name changes nothing of the preset's: both run, and the one that serves
    has none of the amounts that were meant for it.

    Fails:
        template:
          containers: [{name: main, $remove: true}, {name: vllm, image: 'example/vllm:v1'}]
    Passes: {template: {containers: [{name: main, image: 'example/vllm:v1'}]}}
    """
    for role in _ROLES:
        for pod in ("template", "worker"):
            given = elements(view.tree, *role, pod, "containers")
            if given and _SERVER not in {text(item, "name") for item in given}:
                path: Path = (*role, pod, "containers", 0, "name")
                message = f"{text(given[0], 'name')!r} runs beside the preset's container 'main'"
                yield Finding(path, message, "call the server main, or add a container main")


@rule("KSV576", Severity.WARNING, "LLMInferenceService", since=_SINCE)
def command_is_the_preset_s(view: LlmView) -> Iterator[Finding]:
    """The server's `command` is left to the preset.

    It brings the names that the model is served by, certificates, parallelism and the port. A
    command of your own loses all of them; arguments go into `args`.

    Fails: {template: {containers: [{name: main, command: [vllm, serve]}]}}
    Passes: {template: {containers: [{name: main, args: [--max-model-len=8192]}]}}
    """
    found = merged(view)
    for role in _ROLES:
        for pod in ("template", "worker"):
            below = _container(found.bases, (*role, pod), _SERVER)
            if below is None or below.get("command") is None:
                continue
            for index, item in enumerate(elements(view.tree, *role, pod, "containers")):
                if text(item, "name") == _SERVER and item.get("command"):
                    path: Path = (*role, pod, "containers", index, "command")
                    message = "this takes the place of the preset's command"
                    fix = "write args, or the variable VLLM_ADDITIONAL_ARGS"
                    yield Finding(path, message, fix, at_key=True)


def _container(tree: Node, pod: Path, name: str) -> Node | None:
    return next(
        (item for item in elements(tree, *pod, "containers") if text(item, "name") == name), None
    )


@rule("KSV584", Severity.ERROR, "LLMInferenceService", since=_SINCE, stops_platform=True)
def merged_containers_have_images(view: LlmView) -> Iterator[Finding]:
    """Every container of the spec that runs has an image.

    Those that presets have bring it: `main`, `tokenizer` and `llm-d-routing-sidecar`; KServe gives
    one to `storage-initializer`. The API server refuses a Deployment with a container without.

    Fails: {template: {containers: [{name: main}, {name: logs}]}}
    Passes: {template: {containers: [{name: main}, {name: logs, image: 'example/logs:v1'}]}}
    """
    found = merged(view)
    if not found.effective.is_whole or not found.cluster.knows_presets:
        return
    for place in POD_PLACES:
        for key in ("containers", "initContainers"):
            for item in elements(found.spec, *place, key):
                name = text(item, "name")
                if name not in ("", *_COMPLETED) and not text(item, "image"):
                    path = _named_item(view.tree, (*place, key), name)
                    message = f"the container {name!r} has no image, and no preset brings one"
                    yield Finding(path, message, "add image, or call it as the preset does")


def _named_item(tree: Node, place: Path, name: str) -> Path:
    """A container of the service, or the configurations where one of them has it."""
    for index, item in enumerate(elements(tree, *place)):
        if text(item, "name") == name:
            return (*place, index, "name")
    return ("baseRefs",)


RULES = rules_with_source(
    (server_is_called_main, command_is_the_preset_s, merged_containers_have_images), MERGE
)

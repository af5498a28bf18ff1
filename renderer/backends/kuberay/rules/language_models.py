"""Applications of `ray.serve.llm`: their arguments, as the version of Ray has them."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from renderer.backends.fields import elements, text, whole_number
from renderer.backends.kuberay.serve_config.applications import GPU, Application
from renderer.backends.kuberay.serve_config.view import ServeView
from renderer.text.wording import listed, suggest
from renderer.values.diagnostics import Finding, Path, Severity, rule, rules_with_source
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

if TYPE_CHECKING:  # most services serve no language models
    from renderer.engines.shapes import Mismatch

_FIELD, _KIND = "serveConfigV2", "RayService"
_SOURCE = "ray-project/ray: python/ray/llm/_internal/serve, read and asked by version"
_MODULE = "ray.serve.llm"
_PLACES = ("llm_config", "prefill_config", "decode_config")
_BUNDLES = ("placement_group_config", "bundles")
_MOST_SHOWN = 8


class LanguageModels(NamedTuple):
    """An application that Ray builds of arguments, by one of its functions for language models."""

    application: Application
    builder: str
    args: Node

    @property
    def path(self) -> Path:
        return (*self.application.path, "args")

    @property
    def configs(self) -> Iterator[tuple[Path, Node]]:
        """The configurations of its models, with their paths below the arguments."""
        for number, item in enumerate(elements(self.args, "llm_configs")):
            yield ("llm_configs", number), item
        for key in _PLACES:
            if found := self.args.get(key):
                yield (key,), found


def language_models(serve: ServeView) -> Iterator[LanguageModels]:
    """The applications of a serve config that serve language models."""
    for application in serve.applications:
        module, _, builder = text(application.node, "import_path").partition(":")
        args = application.node.get("args")
        if module == _MODULE and builder and args is not None:
            yield LanguageModels(application, builder, args)


@rule("ENG301", Severity.ERROR, _KIND, reads=(_FIELD,), since="0.3.0")
def model_keys_are_known(serve: ServeView) -> Iterator[Finding]:
    """Arguments of `ray.serve.llm` have only keys that this version of Ray knows.

    Ray refuses others when it deploys the application, which stays at DEPLOY_FAILED.

    Fails:
        serveConfigV2:
          applications:
            - import_path: ray.serve.llm:build_openai_app
              args: {llm_configs: [{model_loading_config: {model_id: chat}, engine_args: {}}]}
    Passes:
        serveConfigV2:
          applications:
            - import_path: ray.serve.llm:build_openai_app
              args: {llm_configs: [{model_loading_config: {model_id: chat}, engine_kwargs: {}}]}
    """
    yield from _findings(serve, "unknown", "forbidden")


@rule("ENG302", Severity.ERROR, _KIND, reads=(_FIELD,), since="0.3.0")
def model_values_fit(serve: ServeView) -> Iterator[Finding]:
    """Values of arguments of `ray.serve.llm` are what this version of Ray takes.

    `accelerator_type` is one of those that Ray knows. Ray refuses others when it deploys the
    application.

    Fails:
        serveConfigV2:
          applications:
            - import_path: ray.serve.llm:build_openai_app
              args:
                llm_configs: [{model_loading_config: {model_id: chat}, accelerator_type: H1000}]
    Passes:
        serveConfigV2:
          applications:
            - import_path: ray.serve.llm:build_openai_app
              args:
                llm_configs: [{model_loading_config: {model_id: chat}, accelerator_type: H100}]
    """
    yield from _findings(serve, "type", "choice", "bound", "prefix")


@rule("ENG303", Severity.ERROR, _KIND, reads=(_FIELD,), since="0.3.0")
def models_are_given(serve: ServeView) -> Iterator[Finding]:
    """Arguments of `ray.serve.llm` have what each model needs, and one model at least.

    Ray refuses others when it deploys the application.

    Fails:
        serveConfigV2:
          applications:
            - import_path: ray.serve.llm:build_openai_app
              args: {llm_configs: []}
    Passes:
        serveConfigV2:
          applications:
            - import_path: ray.serve.llm:build_openai_app
              args: {llm_configs: [{model_loading_config: {model_id: chat}}]}
    """
    yield from _findings(serve, "missing", "empty")


@rule("ENG304", Severity.ERROR, _KIND, reads=(_FIELD,), since="0.3.0")
def engine_arguments_are_known(serve: ServeView) -> Iterator[Finding]:
    """`engine_kwargs` are arguments of the vLLM that this version of Ray brings.

    Ray refuses others when it deploys the application.

    Fails:
        serveConfigV2:
          applications:
            - import_path: ray.serve.llm:build_openai_app
              args:
                llm_configs:
                  - {model_loading_config: {model_id: chat}, engine_kwargs: {max_modle_len: 4096}}
    Passes:
        serveConfigV2:
          applications:
            - import_path: ray.serve.llm:build_openai_app
              args:
                llm_configs:
                  - {model_loading_config: {model_id: chat}, engine_kwargs: {max_model_len: 4096}}
    """
    yield from _findings(serve, "argument")


@rule("ENG305", Severity.ERROR, _KIND, reads=(_FIELD,), since="0.3.0")
def models_go_together(serve: ServeView) -> Iterator[Finding]:
    """Models of an application have names of their own, and settings that go together.

    Prefill and decode are of one model. Ray refuses others when it deploys the application.

    Fails:
        serveConfigV2:
          applications:
            - import_path: ray.serve.llm:build_openai_app
              args:
                llm_configs:
                  - {model_loading_config: {model_id: chat}}
                  - {model_loading_config: {model_id: chat}}
    Passes:
        serveConfigV2:
          applications:
            - import_path: ray.serve.llm:build_openai_app
              args:
                llm_configs:
                  - {model_loading_config: {model_id: chat}}
                  - {model_loading_config: {model_id: code}}
    """
    yield from _findings(serve, "repeated", "differs", "excludes")


@rule("ENG306", Severity.WARNING, _KIND, reads=(_FIELD, "rayClusterConfig"), since="0.3.0")
def models_find_accelerators(serve: ServeView) -> Iterator[Finding]:
    """The cluster offers as many GPUs as all models ask for at the least.

    A replica takes tensor × pipeline parallelism, or what its bundles say; there are as many
    replicas as `deployment_config` says. Those that find no room wait, and the application stays
    at DEPLOYING. Each bundle is on one node, so the largest node has as many GPUs as any of them.

    Fails:
        rayClusterConfig:
          workerGroupSpecs:
            - groupName: small
              replicas: 1
              template:
                spec: {containers: [{name: ray-worker, resources: {limits: {nvidia.com/gpu: 2}}}]}
        serveConfigV2:
          applications:
            - import_path: ray.serve.llm:build_openai_app
              args:
                llm_configs:
                  - model_loading_config: {model_id: chat}
                    engine_kwargs: {tensor_parallel_size: 4}
    Passes with:
        rayClusterConfig: {workerGroupSpecs: [{groupName: small, replicas: 2}]}
    """
    nodes = [node for node in serve.nodes if node.number > 0]
    if not nodes or any(node.gpus is None for node in nodes):
        return
    total = sum(node.number * (node.gpus or 0) for node in nodes)
    largest = max(node.gpus or 0 for node in nodes)
    for found in language_models(serve):
        for path, number in _large_bundles(found, largest):
            message = f"the bundle asks for {number} GPUs, and no node has more than {largest:g}"
            fix = "divide it into bundles that fit, or give a group of workers larger limits"
            yield serve.finding((*found.path, *path), message, fix)
        wanted = [(path, _wanted(config)) for path, config in found.configs]
        needed = sum(number for _, number in wanted)
        if wanted and needed > total:
            path = max(wanted, key=lambda pair: pair[1])[0]
            message = f"the models ask for {needed} GPUs, and all nodes together offer {total:g}"
            fix = "raise replicas of a group of workers, or lower tensor_parallel_size"
            yield serve.finding((*found.path, *path), message, fix)


def _large_bundles(found: LanguageModels, largest: float) -> Iterator[tuple[Path, int]]:
    """Bundles with more GPUs than any node has, which stay without a place."""
    for path, config in found.configs:
        for index, bundle in enumerate(elements(config, *_BUNDLES)):
            number = whole_number(bundle, GPU) or 0
            if number > largest:
                yield (*path, *_BUNDLES, index), number


def _wanted(config: Node) -> int:
    """The GPUs that a model asks for at the least; 0 if it runs without."""
    if any(config.get(key) for key in ("use_cpu", "accelerator_config")):
        return 0
    sizes = (
        whole_number(config, "engine_kwargs", f"{name}_parallel_size") or 1
        for name in ("tensor", "pipeline")
    )
    each = next(sizes) * next(sizes)
    bundles = elements(config, *_BUNDLES)
    if bundles:
        each = sum(whole_number(item, GPU) or 0 for item in bundles)
    replicas = whole_number(config, "deployment_config", "num_replicas")
    least = whole_number(config, "deployment_config", "autoscaling_config", "min_replicas")
    return each * (replicas if replicas is not None else 1 if least is None else least)


def _findings(serve: ServeView, *kinds: str) -> Iterator[Finding]:
    """What Ray's own models refuse, if the version is known that they are of."""
    found = list(language_models(serve))
    if not found or serve.ray_version is None:
        return
    from renderer.engines.llm_config import RAY, config_problems, has_models, ray_facts
    from renderer.engines.tables import is_known

    version = ".".join(map(str, serve.ray_version))
    facts = ray_facts(version)
    for item in found if is_known(RAY, version) else ():
        if has_models(facts, item.builder):
            for problem in config_problems(facts, item.args.plain(), item.builder):
                if problem.kind in kinds:
                    message, fix = _words(problem, version)
                    path = (*item.path, *problem.path)
                    at_key = problem.kind in ("unknown", "argument", "forbidden")
                    yield serve.finding(path, message, fix, at_key=at_key)


def _words(problem: "Mismatch", version: str) -> tuple[str, str]:
    """What is wrong, and what to write."""
    path = problem.path
    name = str(path[-1]) if path else "args"
    shown = repr(problem.value)[:80]
    expected = listed(sorted(map(str, problem.expected))[:_MOST_SHOWN], "or")
    near = f"did you mean {problem.near}?" if problem.near else ""
    said = {
        "unknown": (f"Ray {version} knows no {name} here", near or "delete it"),
        "forbidden": (f"Ray sets {name} itself", f"use {problem.near}" if near else "delete it"),
        "argument": (f"the vLLM of Ray {version} has no argument {name}", near or "delete it"),
        "missing": (f"{expected or name} is missing", f"add {expected or name}"),
        "empty": ("there is no model", "add one with a model_loading_config"),
        "repeated": (f"two models are called {shown}", "choose another model_id"),
        "differs": (f"{shown} is not that of prefill", f"write {expected}"),
        "excludes": (f"{name} does not go with {expected}", "delete one of them"),
        "prefix": (f"{shown} does not begin as Ray wants it", f"begin it with {expected}"),
    }
    wrong = f"{name} is {shown}, not {expected}" if expected else f"{name} is {shown}"
    fix = f"write {expected}" if expected else "correct it"
    if problem.kind == "choice" and len(problem.expected) > _MOST_SHOWN:
        choices = sorted(map(str, problem.expected))
        wrong = f"Ray {version} knows no {name} {shown}"
        fix = suggest(str(problem.value), choices, f"write {expected}, or another that it knows")
    return said.get(problem.kind, (wrong, fix))


RULES = rules_with_source(
    (
        model_keys_are_known,
        model_values_fit,
        models_are_given,
        engine_arguments_are_known,
        models_go_together,
        models_find_accelerators,
    ),
    _SOURCE,
)

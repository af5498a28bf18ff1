"""LoRA adapters: names, limits, and what they need."""

from collections.abc import Iterator

from renderer.engines.answers import adapters, served_names
from renderer.engines.releases import is_shipped_image
from renderer.engines.runs import EngineRun
from renderer.engines.vocabulary import ENGINE, VLLM_SOURCE
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

_MODULES, _SWITCH = "lora-modules", "enable-lora"


@rule("ENG170", Severity.ERROR, ENGINE, since="0.3.0")
def adapters_are_enabled(run: EngineRun) -> Iterator[Finding]:
    """An engine that gets LoRA adapters has `--enable-lora`.

    It ends at start otherwise: it cannot load what `--lora-modules` names.

    Fails: containers: [{name: engine, args: [--lora-modules, sql=acme/sql]}]
    Passes with:
        containers: [{name: engine, args: [--enable-lora, --lora-modules, sql=acme/sql]}]
    """
    option = run.options.get(_MODULES)
    if option and not run.options.is_on(_SWITCH) and not run.may_have_more:
        message = "--lora-modules is given without --enable-lora"
        yield run.at(option.words[0], message, "add --enable-lora")


@rule("ENG171", Severity.ERROR, ENGINE, since="0.3.0")
def adapters_are_mounted(run: EngineRun) -> Iterator[Finding]:
    """A folder that `--lora-modules` names is on a volume of the container.

    Images that the makers of an engine publish have no adapters, and the engine ends at start if
    a folder is not there. What is no absolute path is fetched. Other images may have any folder.

    Fails:
        containers:
          - {name: engine, args: [--enable-lora, --lora-modules, sql=/adapters/sql]}
    Passes:
        containers:
          - name: engine
            args: [--enable-lora, --lora-modules, sql=/adapters/sql]
            volumeMounts: [{name: adapters, mountPath: /adapters}]
        volumes: [{name: adapters, persistentVolumeClaim: {claimName: adapters}}]
    """
    if not is_shipped_image(run.line.engine, run.container):
        return
    for item in adapters(run):
        if item.path.startswith("/") and not _is_mounted(run, item.path):
            message = f"no volume is mounted at {item.path}, and the image has no adapters"
            yield run.at(item.word, message, "mount a volume there, or write a folder of one")


@rule("ENG172", Severity.ERROR, ENGINE, since="0.3.0")
def adapters_have_own_names(run: EngineRun) -> Iterator[Finding]:
    """The names of LoRA adapters are their own: not those of the model, and no two are equal.

    Clients ask for an adapter by its name as they do for the model: one of the two is never asked.

    Fails:
        containers:
          - name: engine
            args: [--served-model-name=chat, --enable-lora, --lora-modules, chat=acme/sql]
    Passes:
        containers:
          - name: engine
            args: [--served-model-name=chat, --enable-lora, --lora-modules, sql=acme/sql]
    """
    seen = dict.fromkeys(served_names(run), "the model")
    for item in adapters(run):
        if item.name and item.name in seen:
            message = f"the adapter {item.name!r} has the name of {seen[item.name]}"
            yield run.at(item.word, message, "give it a name of its own")
        seen.setdefault(item.name, "another adapter")


@rule("ENG173", Severity.ERROR, ENGINE, since="0.3.0")
def more_adapters_wait_than_run(run: EngineRun) -> Iterator[Finding]:
    """`--max-cpu-loras` is at least as large as `--max-loras`.

    The first is how many LoRA adapters the engine keeps in the memory of its machine, the second
    how many of them requests may use at the same time. vLLM does not start if that is more.

    Fails:
        containers:
          - {name: engine, args: [--enable-lora, --max-loras=4, --max-cpu-loras=2]}
    Passes:
        containers:
          - {name: engine, args: [--enable-lora, --max-loras=4, --max-cpu-loras=8]}
    """
    kept, most = run.options.get("max-cpu-loras"), run.options.number("max-loras", 1)
    if kept and kept.number is not None and most and kept.number < most:
        used = "--max-loras" if run.options.get("max-loras") else "--max-loras, which is not given,"
        message = f"--max-cpu-loras keeps {kept.number} adapters, and {used} lets {most} be used"
        yield run.at(kept.place, f"{message} at once", f"write {most} or more")


@rule("ENG174", Severity.WARNING, ENGINE, since="0.3.0")
def adapters_are_given(run: EngineRun) -> Iterator[Finding]:
    """Limits of LoRA come with `--enable-lora`, or they have no effect.

    Fails: containers: [{name: engine, args: [--max-lora-rank=64]}]
    Passes with: containers: [{name: engine, args: [--enable-lora, --max-lora-rank=64]}]
    """
    if run.options.is_on(_SWITCH) or run.may_have_more:
        return
    for name in ("max-loras", "max-lora-rank", "max-cpu-loras"):
        if option := run.options.get(name):
            message = f"--{name} has no effect without --enable-lora"
            yield run.at(option.words[0], message, "add --enable-lora, or delete it")


def _is_mounted(run: EngineRun, path: str) -> bool:
    """Whether a volume of the container has a path, or the platform brings it."""
    mounts = run.container.get("volumeMounts")
    places = [item.text_at("mountPath") for item in (mounts.elements if mounts else ())]
    above = (place.rstrip("/") for place in (*places, *run.given.mounts) if place)
    return any(path == place or path.startswith(f"{place}/") for place in above)


RULES = rules_with_source(
    (
        adapters_are_enabled,
        adapters_are_mounted,
        adapters_have_own_names,
        more_adapters_wait_than_run,
        adapters_are_given,
    ),
    VLLM_SOURCE,
)

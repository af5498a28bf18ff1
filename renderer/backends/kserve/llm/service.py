"""An LLMInferenceService or LLMInferenceServiceConfig: what its rules are given, what it names."""

from collections.abc import Iterator, Sequence

from renderer.backends.fields import elements, text
from renderer.backends.kserve import LLM_PRESETS
from renderer.backends.kserve.settings import KServeSettings
from renderer.values.model import Environment, Reference, Spec, Summary
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

LLM_SERVICE, LLM_CONFIG = "LLMInferenceService", "LLMInferenceServiceConfig"
PREFILL, SCHEDULER = "prefill", ("router", "scheduler")
#: The pods that a spec describes: of the server, of its other nodes, and of the scheduler.
POD_PLACES = (
    ("template",),
    ("worker",),
    (PREFILL, "template"),
    (PREFILL, "worker"),
    (*SCHEDULER, "template"),
)


class LlmView(NamedTuple):
    """What the rules of an LLM service or of a configuration are given."""

    spec: Spec
    environment: Environment
    settings: KServeSettings
    users: tuple[Summary, ...] = ()

    @property
    def tree(self) -> Node:
        return self.spec.tree


def view(spec: Spec, environment: Environment, users: Sequence[Summary]) -> LlmView:
    return LlmView(spec, environment, KServeSettings.of(environment), tuple(users))


def base_names(tree: Node) -> Iterator[tuple[int, str]]:
    """The configurations that a service builds on, each with its place in the list."""
    for index, item in enumerate(elements(tree, "baseRefs")):
        if name := text(item, "name"):
            yield index, name


def references(spec: Spec, environment: Environment) -> Iterator[Reference]:
    """The configurations that a service builds on.

    One of the repository that is called as a preset takes its place in the service's namespace.
    """
    for index, name in base_names(spec.tree):
        yield Reference(LLM_CONFIG, name, ("baseRefs", index, "name"))
    own = [name for kind, name in environment.by_name if kind == LLM_CONFIG]
    if any(name.startswith(LLM_PRESETS) for name in own):
        from renderer.backends.kserve.llm.effective import preset_suffixes

        for suffix in preset_suffixes(spec.tree):
            if f"{LLM_PRESETS}{suffix}" in own:
                yield Reference(LLM_CONFIG, f"{LLM_PRESETS}{suffix}", ("model",))

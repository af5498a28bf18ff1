"""What LLM services need of a cluster, which nothing here makes."""

from collections.abc import Callable, Iterator

from renderer.backends.kserve.llm.service import LLM_SERVICE, PREFILL, SCHEDULER
from renderer.text.wording import few_listed
from renderer.values.model import Environment
from renderer.values.tree import Node


def _has(*places: tuple[str, ...]) -> Callable[[Node], bool]:
    """Whether a service has something at one of some places, or its prefill has."""
    every = [path for place in places for path in (place, (PREFILL, *place))]
    return lambda tree: any(tree.get(*path) is not None for path in every)


_NEEDED: tuple[tuple[str, Callable[[Node], bool]], ...] = (
    ("the presets of KServe (its chart kserve-runtime-configs)", lambda _: True),
    ("LeaderWorkerSets, before KServe's controller starts", _has(("worker",))),
    ("the Workload Variant Autoscaler", _has(("scaling", "wva"))),
    ("KEDA", _has(("scaling", "wva", "keda"))),
    ("a Prometheus adapter for autoscalers", _has(("scaling", "wva", "hpa"))),
    ("a gateway that takes InferencePools", _has(SCHEDULER)),
)


def needs(environment: Environment) -> Iterator[str]:
    """A line for each, with the services that need it."""
    services = [spec for spec in environment.specs if spec.kind.name == LLM_SERVICE]
    for name, is_needed in _NEEDED:
        if users := [spec.stem for spec in services if is_needed(spec.tree)]:
            yield f"{name} ({few_listed(users, 'LLM service')})"

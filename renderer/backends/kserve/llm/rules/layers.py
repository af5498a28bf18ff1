"""What a service says together with the configurations of the repository that it builds on."""

from collections.abc import Iterator

from renderer.backends.kserve.llm.service import LLM_CONFIG, LlmView, base_names
from renderer.kubernetes.pods import Field
from renderer.values.tree import Node

ROUTE_RULES = ("router", "route", "http", "spec", "rules")


def root(view: LlmView) -> Field:
    """The whole spec."""
    return Field((), view.tree)


def layers(view: LlmView) -> list[Node]:
    """The service, then its base configurations that are in the repository, the last one first."""
    found = [view.environment.spec_named(LLM_CONFIG, name) for _, name in base_names(view.tree)]
    return [view.tree, *(spec.tree for spec in reversed(found) if spec)]


def layered(view: LlmView, *path: str) -> Node | None:
    """What holds at a path, without what KServe ships: the service's word comes first."""
    return next((node for tree in layers(view) if (node := tree.get(*path))), None)


def is_elsewhere(view: LlmView, *path: str) -> bool:
    """Whether a path is set by the service or a base configuration, or may be by an unknown one.

    What stands in a configuration itself always may be completed by others.
    """
    names = [name for _, name in base_names(view.tree)]
    is_config = view.spec.kind.name == LLM_CONFIG
    is_open = is_config or any(not view.environment.spec_named(LLM_CONFIG, name) for name in names)
    return is_open or layered(view, *path) is not None


def route_rules(view: LlmView) -> Iterator[Field]:
    """The rules of a route that is said in full."""
    yield from root(view).each(*ROUTE_RULES)

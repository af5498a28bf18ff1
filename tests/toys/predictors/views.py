"""Predictors and checkpoints in their own terms."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from renderer.values.model import Environment, Spec, Summary
    from renderer.values.tree import Node


class Component(NamedTuple):
    name: str
    replicas: int


class Predictor(NamedTuple):
    environment: Environment
    checkpoint: str
    components: tuple[Component, ...]


class Checkpoint(NamedTuple):
    exclusive: bool
    users: tuple[Summary, ...]


def text(node: Node, key: str) -> str:
    found = node.get(key)
    return str(found.value) if found else ""


def components(tree: Node) -> tuple[Component, ...]:
    listing = tree.get("components")
    return tuple(
        Component(text(item, "name"), int(text(item, "replicas") or 1))
        for item in (listing.elements if listing else ())
    )


def predictor(spec: Spec, environment: Environment, users: Sequence[Summary]) -> Predictor:
    return Predictor(environment, text(spec.tree, "checkpoint"), components(spec.tree))


def checkpoint(spec: Spec, environment: Environment, users: Sequence[Summary]) -> Checkpoint:
    return Checkpoint(text(spec.tree, "exclusive") == "True", tuple(users))

"""Where the API server would not make what is rendered: what it refuses, loses or changes."""

from collections.abc import Iterator

from renderer.backends.fields import elements, plain, text
from renderer.backends.kuberay.compute_templates import DEFAULT_UNIT
from renderer.backends.kuberay.messages.groups import written_head, written_workers
from renderer.backends.kuberay.messages.values import whole
from renderer.backends.kuberay.settings import KubeRaySettings
from renderer.backends.kuberay.versioned_fields import has_memory_units
from renderer.backends.kuberay.vocabulary import (
    CLUSTER,
    TEMPLATE,
    resource_words,
    speaks_messages,
)
from renderer.values.requests import Remark, SentSpec
from renderer.values.tree import Node


def obstacles(sent: SentSpec) -> Iterator[Remark]:
    """What no message can say, and what the API server refuses."""
    spec = sent.spec
    if spec.kind.name == TEMPLATE:
        yield from _unknown_unit(sent)
        return
    if not speaks_messages(spec.tree, spec.kind.name) and resource_words(spec.tree, spec.kind.name):
        yield from _only_of_resources(sent)
        return
    if not text(spec.tree, "user"):
        said = "the API server refuses what nobody owns; add user, which becomes a label"
        yield Remark(("user",), spec.tree.locate(("user",)), said)
    head = written_head(spec.tree)
    if head and not plain(head.node, "rayStartParams"):
        said = "the API server refuses a head without any; write one, such as num-cpus"
        yield Remark((*head.path, "rayStartParams"), head.node.locate(("rayStartParams",)), said)


def notes(sent: SentSpec) -> Iterator[Remark]:
    """What the API server takes, and makes something else of."""
    tree, kind = sent.spec.tree, sent.spec.kind.name
    lost = ("labels",) if kind == CLUSTER else ("labels", "annotations")
    for key in lost:
        if plain(tree, key):
            said = f"messages have no {key}: the object is made without them"
            yield Remark((key,), tree.locate((key,), at_key=True), said)
    if plain(tree, "entrypointNumGpus"):
        path = ("entrypointNumGpus",)
        yield Remark(path, tree.locate(path), "the API server takes it, and loses it")
    yield from _lower_bounds(tree)
    yield from _effects(tree) if kind == TEMPLATE else ()


def _unknown_unit(sent: SentSpec) -> Iterator[Remark]:
    dialect = KubeRaySettings.of(sent.scene.environment).dialect
    unit, path = text(sent.spec.tree, "memoryUnit"), ("memoryUnit",)
    if unit not in ("", DEFAULT_UNIT) and not has_memory_units(dialect):
        said = f"the API server of KubeRay {dialect} does not know it, and takes {DEFAULT_UNIT}"
        yield Remark(path, sent.spec.tree.locate(path), said)


def _only_of_resources(sent: SentSpec) -> Iterator[Remark]:
    """The fields of a spec that is said in the words of the custom resource."""
    tree, kind = sent.spec.tree, sent.spec.kind.name
    for word in resource_words(tree, kind):
        said = "no message has it, only the custom resource; write the spec in messages, or send"
        other = f"the rendered {kind} to API server V2, which takes it as it is"
        yield Remark((word,), tree.locate((word,), at_key=True), f"{said} {other}")


def _lower_bounds(tree: Node) -> Iterator[Remark]:
    for group in written_workers(tree):
        least, count = (plain(whole(group.node.get(k))) for k in ("minReplicas", "replicas"))
        if least == 0 and count:
            where = group.node.locate(("minReplicas",))
            said = f"the API server takes 0 for the replicas, {count}; 0 is what is rendered"
            yield Remark((*group.path, "minReplicas"), where, said)


def _effects(tree: Node) -> Iterator[Remark]:
    for number, item in enumerate(elements(tree, "tolerations")):
        if not text(item, "effect"):
            said = "the API server takes PreferNoSchedule where none is given; rendered are all"
            yield Remark(("tolerations", number, "effect"), item.locate(("effect",)), said)

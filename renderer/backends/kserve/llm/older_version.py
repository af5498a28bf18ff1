"""LLM services and configurations of v1alpha1, as KServe's conversion makes v1alpha2 of them."""

import json
from collections.abc import Iterator

from renderer.backends.fields import elements, made, text
from renderer.backends.kserve.llm.service import PREFILL, SCHEDULER
from renderer.kubernetes.stored_pods import replace_at
from renderer.values.diagnostics import Path
from renderer.values.imports import CHANGED, DROPPED, Note
from renderer.values.tree import Node, constant, drop_paths

OLDER = "serving.kserve.io/v1alpha1"
_CRITICALITY = "criticality"
_INTERNAL = "internal.serving.kserve.io"
_MODEL, _ADAPTERS = ("spec", "model"), ("spec", "model", "lora", "adapters")
_POOL: tuple[str, ...] = ("spec", *SCHEDULER, "pool", "spec")
#: What only v1alpha2 has: API servers leave it out of objects of v1alpha1.
_NEWER: tuple[Path, ...] = (
    ("spec", "kvCacheOffloading"),
    ("spec", PREFILL, "kvCacheOffloading"),
    (*_MODEL, "confidential"),
)
_CONVERSION = "what KServe's conversion from v1alpha1 writes"
_PICKER_PORT = 9002


def convert_older(tree: Node) -> Node:
    """An object of v1alpha1 as v1alpha2; the same of any other version."""
    if text(tree, "apiVersion") != OLDER:
        return tree
    done = drop_paths(tree, {path for path in _NEWER if tree.get(*path)})
    return replace_at(_move_criticalities(done), _POOL, _newer_pool)


def conversion_notes(tree: Node) -> Iterator[Note]:
    """What an object of v1alpha1 loses when it is converted, and what is written otherwise."""
    if text(tree, "apiVersion") != OLDER:
        return
    for path in _NEWER:
        if tree.get(*path):
            why = "v1alpha1 has no such field, and the API server leaves it out"
            yield Note(".".join(map(str, path)), DROPPED, why)
    for place, key, _ in _criticalities(tree):
        why = f"v1alpha2 has none; KServe keeps it in the annotation {key}, and nothing reads it"
        yield Note(place, CHANGED, why)
    if tree.get(*_POOL):
        why = "pools of v1alpha2 have targetPorts, selector.matchLabels and endpointPickerRef"
        yield Note(".".join(_POOL), CHANGED, why)


def _criticalities(tree: Node) -> Iterator[tuple[str, str, Node]]:
    """Where it is said how important a model is, and the annotation that keeps it."""
    if text(tree, *_MODEL, _CRITICALITY):
        path = f"{'.'.join(_MODEL)}.{_CRITICALITY}"
        yield path, f"{_INTERNAL}/model-{_CRITICALITY}", tree.get(*_MODEL, _CRITICALITY) or tree
    found = {
        str(place): text(adapter, _CRITICALITY)
        for place, adapter in enumerate(elements(tree, *_ADAPTERS))
        if text(adapter, _CRITICALITY)
    }
    if found:
        written = json.dumps(found, separators=(",", ":"), sort_keys=True)
        adapters = tree.get(*_ADAPTERS) or tree
        path = f"{'.'.join(_ADAPTERS)}[*].{_CRITICALITY}"
        yield path, f"{_INTERNAL}/lora-criticalities", adapters.with_value(written)


def _move_criticalities(tree: Node) -> Node:
    notes = {key: node for _, key, node in _criticalities(tree)}
    places = [_MODEL, *((*_ADAPTERS, index) for index in range(len(elements(tree, *_ADAPTERS))))]
    gone = {(*path, _CRITICALITY) for path in places if tree.get(*path, _CRITICALITY)}
    done = drop_paths(tree, gone)
    if not notes:
        return done
    metadata = done.get("metadata") or Node({}, done.origin)
    known = metadata.get("annotations") or Node({}, metadata.origin)
    known = known.with_members({**known.items, **notes})
    whole = metadata.with_members({**metadata.items, "annotations": known})
    return done.with_members({**done.items, "metadata": whole})


def _newer_pool(pool: Node) -> Node:
    """A pool of v1alpha2 of the inference extension as one of v1."""
    rest = dict(pool.items)
    port, selector, picker = (
        rest.pop(key, None) for key in ("targetPortNumber", "selector", "extensionRef")
    )
    newer = {
        "targetPorts": port and port.with_members((made(port, {"number": port}),)),
        "selector": selector and made(selector, {"matchLabels": selector}),
        "endpointPickerRef": picker and _newer_picker(picker),
    }
    return made(pool, {**rest, **newer})


def _newer_picker(picker: Node) -> Node:
    rest = dict(picker.items)
    port = rest.pop("portNumber", None)
    if port is None and text(picker, "kind") in ("", "Service"):
        port = constant(_PICKER_PORT, _CONVERSION)
    return made(picker, {**rest, "port": port and made(port, {"number": port})})

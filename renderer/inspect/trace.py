"""Where a value comes from: every place that set, overrode or deleted it."""

import re
from collections.abc import Iterable, Iterator

from renderer.backends.kind_schemas import strict_schema
from renderer.compose.merge import labels
from renderer.compose.shapes import Shape
from renderer.errors import UsageError
from renderer.schema.bundle import Schema, bundled_schema
from renderer.text.secrets.masks import hidden
from renderer.text.texts import name_of_child
from renderer.text.wording import suggest
from renderer.values.derivations import DerivedObject
from renderer.values.inspection import Event, Trace
from renderer.values.model import Spec
from renderer.values.objects import Manifest
from renderer.values.tree import Node, Step

_SEGMENT = re.compile(r'\["((?:[^"\\]|\\.)*)"\]|\[([^\]"]*)\]|\.?([^.\[\]]+)')
_MANIFEST_FIELDS = ("metadata", "spec")
#: Says that a path is one of the rendered object, where a spec has such a field as well.
MANIFEST = "manifest:"
#: Says that a path is one of an object that the platform makes.
MADE = "made:"


def manifest_path(spec: Spec, path: str) -> str:
    """The path in the rendered object that is meant; empty if it is one of the spec."""
    if path.startswith(MANIFEST):
        return path.removeprefix(MANIFEST)
    first = re.split(r"[.\[]", path, maxsplit=1)[0]
    own = strict_schema(spec.kind.name)["properties"]
    return path if first in _MANIFEST_FIELDS and first not in own else ""


def trace_made(objects: Iterable[tuple[str, DerivedObject]], path: str) -> list[Trace]:
    """The history of a value of an object that the platform makes: `KIND/NAME.path`.

    Each object stands with its destination.
    """
    known = [(f"{made.kind}/{made.name}", where, made) for where, made in objects]
    chosen = [item for item in known if path.startswith(f"{item[0]}.")]
    if any(name == path for name, _, _ in known):
        raise UsageError(f"{MADE}{path} is a whole object; name a value of it, as in {path}.spec")
    if not chosen:
        names = list(dict.fromkeys(name for name, _, _ in known))
        raise UsageError(f"nothing makes an object at {path!r}; {suggest(path, names)}")
    return [
        _trace(made.tree, {}, path.removeprefix(f"{name}."))._replace(destinations=(where,))
        for name, where, made in chosen
    ]


def trace_spec(spec: Spec, path: str) -> Trace:
    """The history of a value of a composed spec."""
    field = spec.kind.name_path
    if path == ".".join(field) and not spec.tree.get(*field):
        name = spec.name_node
        return Trace(name.plain(), exists=True, events=tuple(_events((Step(name.origin, name),))))
    return _trace(spec.tree, strict_schema(spec.kind.name), path)


def trace_manifests(manifests: list[Manifest], path: str) -> list[Trace]:
    """The history of a value of a spec's objects; destinations with the same history share one."""
    traces: list[Trace] = []
    for manifest in manifests:
        found = _trace(manifest.tree, bundled_schema(manifest.schema), path)
        for index, known in enumerate(traces):
            if known.tells_the_same_as(found):
                names = (*known.destinations, manifest.destination)
                traces[index] = known._replace(destinations=names)
                break
        else:
            traces.append(found._replace(destinations=(manifest.destination,)))
    return traces


def _trace(tree: Node, schema: Schema, path: str) -> Trace:
    """The history of a value; secrets are hidden."""
    found, name = _full_trace(tree, schema, path)
    events = tuple(event._replace(value=hidden(event.value, name)) for event in found.events)
    return found._replace(value=hidden(found.value, name), events=events)


def _full_trace(tree: Node, schema: Schema, path: str) -> tuple[Trace, str]:
    """The history of a value with its secrets, and its name, which shows whether it is one."""
    node, shape, name = tree, Shape(schema, schema), ""
    segments = list(_segments(path))
    for index, segment in enumerate(segments):
        child = _child(node, shape, segment)
        if child is None:
            taken = node.gone.get(segment)
            if taken and index == len(segments) - 1:
                return Trace(None, exists=False, events=tuple(_events(taken))), segment
            raise UsageError(_missing(node, shape, segment, path))
        name = name_of_child(node, _place_of(node, child[0], segment), name)
        node, shape = child
    *before, last = node.trail or (Step(node.origin, node),)
    if last.origin.place == node.origin.place:  # its note names the variable that was used
        last = Step(node.origin, last.node)
    steps = (*before, last)
    return Trace(node.plain(), exists=True, events=tuple(_events(steps))), name


def _place_of(node: Node, child: Node, segment: str) -> str | int:
    """The key of a child, or which item of a list it is."""
    return next((at for at, item in enumerate(node.elements) if item is child), segment)


def _segments(path: str) -> Iterator[str]:
    """Keys as they are; items in brackets, as `[alice]` or `[0]`."""
    end = 0
    for match in _SEGMENT.finditer(path):
        if match.start() != end:
            break
        end = match.end()
        quoted, item, key = match.groups()
        if quoted is not None:
            yield re.sub(r"\\(.)", r"\1", quoted)
        else:
            yield f"[{item}]" if item is not None else key
    if end != len(path) or not path:
        example = 'write it like items[name].key or a["b.c"]'
        raise UsageError(f"{path!r} is not a path; {example}")


def _child(node: Node, shape: Shape, segment: str) -> tuple[Node, Shape] | None:
    if node.elements:
        names = labels(node, shape)
        index = names.index(segment) if segment in names else _number(segment)
        child = node.step(index) if index is not None else None
        return (child, shape.item()) if child else None
    child = node.items.get(segment)
    return (child, shape.member(segment)) if child else None


def _number(segment: str) -> int | None:
    text = segment.strip("[]")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None  # noqa: PLR2004


def _missing(node: Node, shape: Shape, segment: str, path: str) -> str:
    known = labels(node, shape) if node.elements else list(node.items)
    return f"there is no {segment!r} in {path!r}; {suggest(segment, known)}"


def _events(steps: tuple[Step, ...]) -> Iterator[Event]:
    last = max((i for i, step in enumerate(steps) if step.node), default=-1)
    for index, step in enumerate(steps):
        value = step.node.plain() if step.node else None
        deleted = step.node is None
        yield Event(step.origin, value, deleted, wins=index == last == len(steps) - 1)

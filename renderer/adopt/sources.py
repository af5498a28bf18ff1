"""Texts to sources: YAML, JSON, lists of objects, and curl commands with their bodies."""

import re
from collections.abc import Iterable, Iterator, Mapping, Set

from renderer.adopt.tools import template_text
from renderer.text import json_reader, yaml_reader
from renderer.text import rules as problems
from renderer.text.decoder import Limits, decode, position
from renderer.text.expressions import expression
from renderer.text.scalars import kubernetes_number
from renderer.text.shell_commands import Request, has_curl, requests_in
from renderer.values.diagnostics import Diagnostic, Origin
from renderer.values.imports import SkippedSource, Source
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node, Plain, uniform_tree, walk

_LIMITS = Limits(size=64 << 20, expanded=100_000)
_LIST = "List"
_API_VERSION = expression(r"^apiVersion[ \t]*:", re.MULTILINE)
#: A line of what `kubectl get -o name` prints.
_NAME = expression(r"[a-z][-a-z0-9.]{0,300}/[a-z0-9][-a-z0-9.:]{0,252}")
_Place = tuple[str, int, int]


class ForeignText(NamedTuple):
    """A file that others wrote, or what came in by standard input.

    One that `is_found` was not named by the user, but is in a folder that was.
    """

    name: str
    data: bytes
    is_found: bool = False


class Sources(NamedTuple):
    """What texts hold, what is wrong with them, and the texts themselves by name."""

    sources: tuple[Source, ...]
    skipped: tuple[SkippedSource, ...]
    diagnostics: tuple[Diagnostic, ...]
    texts: Mapping[str, str]


def read_sources(given: Iterable[ForeignText]) -> Sources:
    """Every object and every body of a request, in the order in which they are given."""
    sources: list[Source] = []
    skipped: list[SkippedSource] = []
    found: list[Diagnostic] = []
    texts: dict[str, str] = {}
    for item in given:
        text, faults = decode(item.data, item.name, _LIMITS)
        texts[item.name] = text
        ones = [*(faults or _read(text, item.name))]
        if item.is_found and (other := _other_file(ones, text)):
            ones = [other]
        for one in ones:
            if isinstance(one, SkippedSource):
                skipped.append(one)
            elif isinstance(one, Diagnostic):
                found.append(one)
            else:
                sources += _flatten(one)
    return Sources(tuple(sources), tuple(skipped), tuple(found), texts)


def _other_file(ones: Iterable[object], text: str) -> SkippedSource | None:
    """That a file which cannot be read seems to be for something else than Kubernetes."""
    broken = [one for one in ones if isinstance(one, Diagnostic) and _is_broken([one])]
    if not broken or "apiVersion" in text:
        return None
    why = f"it cannot be read, and nothing in it looks like an object: {broken[0].message}"
    return SkippedSource(Origin(*broken[0].place), "the file", why)


def _read(text: str, name: str) -> Iterator[Source | SkippedSource | Diagnostic]:
    if _holds_names_alone(text):
        yield from _named_objects(text, name)
        return
    if text.lstrip()[:1] in ("{", "["):
        reading = json_reader.read(text.encode(), name, _LIMITS)
        if reading.problems and not name.endswith(".json"):  # YAML may begin like this as well
            in_flow = yaml_reader.read(text.encode(), name, _LIMITS, several=True)
            reading = reading if in_flow.problems else in_flow
    elif has_curl(text) and not _is_manifest(text, name):
        for request in requests_in(text):
            yield from _read_request(request, text, name)
        return
    else:
        reading = yaml_reader.read(text.encode(), name, _LIMITS, several=True)
    tree = reading.document.tree
    if tree is None or _is_broken(reading.problems):
        template = template_text(name, text)
        yield from (template,) if template else reading.problems
        return
    if ambiguous := {item.place for item in reading.problems}:
        tree = _resolve_numbers(tree, ambiguous)
        numbers = {node.origin.place for _, node in walk(tree) if isinstance(node.value, int)}
        yield from (item for item in reading.problems if item.place not in numbers)
    yield Source(tree)


def _holds_names_alone(text: str) -> bool:
    lines = [line for line in text.splitlines() if line.strip()]
    return bool(lines) and all(_NAME.fullmatch(line.strip()) for line in lines)


def _named_objects(text: str, name: str) -> Iterator[Source]:
    """An object for each line of what `kubectl get -o name` prints: kind, group and name."""
    for number, line in enumerate(text.splitlines(), 1):
        resource, _, own = line.strip().partition("/")
        kind, _, group = resource.partition(".")
        version = f"{group}/v1" if group else "v1"
        tree: Plain = {"apiVersion": version, "kind": kind, "metadata": {"name": own}}
        if own:
            yield Source(uniform_tree(tree, Origin(name, number, 1)), is_listed=True, is_name=True)


def _is_manifest(text: str, name: str) -> bool:
    """Whether curl is only called inside an object, as probes and commands of pods do."""
    if not _API_VERSION.search(text):
        return False
    reading = yaml_reader.read(text.encode(), name, _LIMITS, several=True)
    return not _is_broken(reading.problems) or not any(requests_in(text))


def _resolve_numbers(node: Node, ambiguous: Set[_Place]) -> Node:
    """Numbers such as 0777 at these places as Kubernetes reads them.

    Manifests are written for that one reader. A word such as `on` stays ambiguous: it is more often
    meant as a text than as a truth value, and Kubernetes refuses a truth value in its place.
    """
    if isinstance(node.value, dict):
        members = node.items.items()
        return node.with_members({k: _resolve_numbers(n, ambiguous) for k, n in members})
    if isinstance(node.value, tuple):
        items = (_resolve_numbers(child, ambiguous) for child in node.elements)
        return node.with_members(tuple(items))
    if not isinstance(node.value, str) or node.origin.place not in ambiguous:
        return node
    number = kubernetes_number(node.value)
    return node if number is None else node._replace(value=number, text=node.value)


def _is_broken(found: Iterable[Diagnostic]) -> bool:
    """Whether the tree is not what the text says; disputed values are reported elsewhere."""
    return any(item.code != problems.AMBIGUOUS.code for item in found)


def _read_request(
    request: Request, text: str, name: str
) -> Iterator[Source | SkippedSource | Diagnostic]:
    """The body of a request, read so that its places are those in the text around it."""
    where = position(name, text, request.start)
    if request.problem:
        yield SkippedSource(
            where, f"the request to {request.address or 'a server'}", request.problem
        )
        return
    before = "\n" * (where.line - 1) + " " * (where.column - 1)
    reading = json_reader.read(f"{before}{request.body}".encode(), name, _LIMITS)
    yield from reading.problems
    if reading.document.tree:
        yield Source(reading.document.tree, request.address)


def _flatten(source: Source) -> Iterator[Source]:
    """The items of lists, however deep one is in another."""
    tree = source.tree
    if isinstance(tree.value, tuple):
        items = tree.elements
    elif source.kind.endswith(_LIST) and (listing := tree.get("items")):
        items = tuple(_add_kind(item, source) for item in listing.elements)
    else:
        if tree.value is not None:
            yield source
        return
    for item in items:
        yield from _flatten(source._replace(tree=item, is_listed=True))


def _add_kind(item: Node, listing: Source) -> Node:
    """An item of a list that says for all of its items what they are."""
    kind = listing.kind.removesuffix(_LIST)
    version = listing.tree.get("apiVersion")
    if not kind or not version or "kind" in item.items or not isinstance(item.value, dict):
        return item
    return item.with_members(
        {"apiVersion": version, "kind": version.with_value(kind), **item.items}
    )

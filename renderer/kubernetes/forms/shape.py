"""Tables of shapes, and the one walk through a pod that compares it with them."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Union

from renderer.kubernetes.forms.form import (
    CHOICE,
    COUNT,
    MISSING,
    NEWER,
    TOGETHER,
    TWICE,
    Form,
)
from renderer.kubernetes.versions import OLDEST, Version, shown
from renderer.text.wording import listed, path_text, suggest, visible
from renderer.values.diagnostics import Finding, Path
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

Members = dict[str, Node]
#: What must hold between the members of a mapping.
Relation = Callable[[Members, Path], Iterator[Finding]]
Part = Union["Form", "Shape", "Each", "NamedValues", "NewerField", tuple["Form", ...]]
_LONGEST_VALUE = 80
_EMPTY: tuple[object, ...] = ("", ())


class Shape(NamedTuple):
    """What a mapping has to be; `title` is what messages call it.

    Members that are `needed` are there and not empty. Of each set of names in `one_of` there is
    exactly one, of those in `at_most_one` no two.
    """

    title: str
    fields: Mapping[str, Part]
    needed: tuple[str, ...] = ()
    one_of: tuple[tuple[str, ...], ...] = ()
    at_most_one: tuple[tuple[str, ...], ...] = ()
    relations: tuple[Relation, ...] = ()


class Each(NamedTuple):
    """A list of something, no two of which have the same values at the keys that are `unique`."""

    part: Part
    unique: tuple[str, ...] = ()
    most: int = 0
    least: int = 0


class NamedValues(NamedTuple):
    """A mapping whose keys may have a form, and whose values may be something."""

    keys: Form | None
    values: Part | None = None


class NewerField(NamedTuple):
    """A field that Kubernetes reads since a version; before it `exists`, it is refused."""

    since: Version
    part: Part
    exists: Version = OLDEST


class Walk:
    """Collects what is found on the way through a tree, by its rule.

    `versions` are the versions of Kubernetes that count, oldest first.
    """

    def __init__(self, versions: tuple[Version, ...]) -> None:
        self.versions = versions
        self.found: list[tuple[str, Finding]] = []

    def add(self, code: str, path: Path, message: str, fix: str, *, at_key: bool = False) -> None:
        self.found.append((code, Finding(path, message, fix, at_key=at_key)))


Look = Callable[[Node, Path, Walk], None]


def ready(part: Part) -> Look:
    """The function that compares a node with a part of the table."""
    match part:
        case Form():
            return _look_at_value((part,))
        case Shape():
            return _look_at_members(part)
        case Each():
            return _look_at_items(part)
        case NamedValues():
            return _look_at_names(part)
        case NewerField():
            return _look_at_newer(part)
        case _:
            return _look_at_value(part)


class _Fields(dict[str, Look | None]):
    """The functions for the members of a shape, each made when the first such member comes."""

    def __init__(self, fields: Mapping[str, Part]) -> None:
        super().__init__()
        self._fields = fields

    def __missing__(self, key: str) -> Look | None:
        part = self._fields.get(key)
        look = self[key] = None if part is None else ready(part)
        return look


def _look_at_members(shape: Shape) -> Look:
    fields = _Fields(shape.fields)
    needed, relations = shape.needed, shape.relations
    choices = (*((keys, True) for keys in shape.one_of), *((k, False) for k in shape.at_most_one))

    def look(node: Node, path: Path, walk: Walk) -> None:
        members: Any = node[0]
        if type(members) is not dict:
            return
        for key, child in members.items():
            look_at_field = fields[key]
            if look_at_field is not None:
                look_at_field(child, (*path, key), walk)
        for key in needed:
            if key not in members or members[key][0] in _EMPTY:
                walk.add(MISSING, (*path, key), f"{shape.title} has no {key}", f"add {key}")
        for keys, is_needed in choices:
            _choose(shape, keys, members, path, walk, is_needed=is_needed)
        for relation in relations:
            walk.found.extend((TOGETHER, finding) for finding in relation(members, path))

    return look


def _choose(
    shape: Shape,
    keys: tuple[str, ...],
    members: Members,
    path: Path,
    walk: Walk,
    *,
    is_needed: bool,
) -> None:
    given = [key for key in keys if key in members]
    if len(given) > 1:
        message = f"{shape.title} has {listed(given)}, and may have only one of them"
        walk.add(CHOICE, (*path, given[1]), message, "keep one", at_key=True)
    elif is_needed and not given:
        message = f"{shape.title} has neither {listed(keys, 'nor')}"
        walk.add(CHOICE, path, message, f"add {listed(keys, 'or')}", at_key=True)


def _look_at_value(forms: tuple[Form, ...]) -> Look:
    def look(node: Node, path: Path, walk: Walk) -> None:
        value: Any = node[0]
        for form in forms:
            if type(value) not in form.types or (value == "" and not form.judged_empty):
                continue
            if not form.fits(value) and walk.versions[-1] >= form.since:
                _tell(form, node, path, walk)
                return

    return look


def _tell(form: Form, node: Node, path: Path, walk: Walk) -> None:
    """What is wrong with a value, which is called by the end of its path."""
    start = len(path) - (3 if len(path) > 2 and isinstance(path[-2], int) else 2)  # noqa: PLR2004
    message = f"{path_text(path[max(start, 0) :])} is {_quoted(node)}, not {form.expects}"
    fix = form.mend(node.value) if form.mend else ""
    if form.words:
        fix = suggest(str(node.value), form.words, f"write {listed(form.words, 'or')}")
    walk.add(form.code, path, message, fix or f"write {form.expects}")


def _quoted(node: Node) -> str:
    value = node.value
    text = repr(visible(value)) if isinstance(value, str) else str(node.text or value)
    return text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]}… ({len(text)} long)"


def _look_at_items(each: Each) -> Look:
    look_at_item = ready(each.part)

    def look(node: Node, path: Path, walk: Walk) -> None:
        items: Any = node[0]
        if type(items) is not tuple:
            return
        for index, item in enumerate(items):
            look_at_item(item, (*path, index), walk)
        if each.unique and len(items) > 1:
            _look_for_twins(each, items, path, walk)
        if each.most and len(items) > each.most:
            message = f"{path[-1]} has {len(items)} items, and may have {each.most}"
            walk.add(COUNT, path, message, f"keep at most {each.most}", at_key=True)
        if len(items) < each.least:
            walk.add(COUNT, path, f"{path[-1]} is empty", "add an item", at_key=True)

    return look


def _look_for_twins(each: Each, items: tuple[Node, ...], path: Path, walk: Walk) -> None:
    seen: set[tuple[str, ...]] = set()
    for index, item in enumerate(items):
        values = tuple(str(child[0]) if (child := item.get(key)) else "" for key in each.unique)
        if values in seen:
            keys = listed(each.unique)
            shown_values = listed(repr(visible(value)) for value in values)
            message = f"a second item of {path[-1]} has the {keys} {shown_values}"
            fix = "change or delete one of the two"
            walk.add(TWICE, (*path, index, each.unique[0]), message, fix)
        elif any(values):
            seen.add(values)


def _look_at_names(named: NamedValues) -> Look:
    form = named.keys
    look_at_value = ready(named.values) if named.values is not None else None

    def look(node: Node, path: Path, walk: Walk) -> None:
        members: Any = node[0]
        if type(members) is not dict:
            return
        for key, child in members.items():
            if form is not None and not form.fits(key):
                message = f"the key {visible(key)!r} in {path[-1]} is not {form.expects}"
                walk.add(form.code, (*path, key), message, f"write {form.expects}", at_key=True)
            if look_at_value is not None:
                look_at_value(child, (*path, key), walk)

    return look


def _look_at_newer(newer: NewerField) -> Look:
    look_at_part = ready(newer.part)

    def look(node: Node, path: Path, walk: Walk) -> None:
        if walk.versions[0] < newer.exists:
            message = f"Kubernetes {shown(walk.versions[0])} has no {path[-1]}"
            fix = f"delete it; {shown(newer.exists)} is the first that has it"
            walk.add(NEWER, path, message, fix, at_key=True)
        elif walk.versions[-1] >= newer.since:
            look_at_part(node, path, walk)

    return look

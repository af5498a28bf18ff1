"""`${vars.NAME}` in specs: the only thing in them that is not taken as it stands."""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import accumulate, islice
from typing import Any

from renderer.compose.shapes import Shape
from renderer.text.expressions import expression
from renderer.text.wording import listed, mistaken, suggest
from renderer.values.diagnostics import Finding, Path
from renderer.values.kinds import TextFiles
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node, Scalar

_REFERENCE = expression(r"(\$?)\$\{vars\.([^}]*)\}")
#: One that is left open reaches to the end.
_JSON_STRINGS = expression(r'("[^"\\]*(?:\\.[^"\\]*)*(?:"|\Z))')
_MARK = "${vars."
_CONTAINERS = (dict, tuple)


class SubstitutedTree(NamedTuple):
    """A tree without references, the variables it used, and those that are not defined.

    `unclear` is what looks like a reference and is none.
    """

    tree: Node
    used: frozenset[str]
    found: tuple[Finding, ...]
    unclear: tuple[Finding, ...]


def substitute(
    tree: Node, variables: Mapping[str, Node], shape: Shape, texts: tuple[TextFiles, ...] = ()
) -> SubstitutedTree:
    """Put values in the place of references, except in text that is taken byte for byte."""
    walk = _Substitution(variables, texts)
    done = walk.node(tree, shape, ())
    return SubstitutedTree(done, frozenset(walk.used), tuple(walk.found), tuple(walk.unclear))


class _Substitution:
    def __init__(self, variables: Mapping[str, Node], texts: tuple[TextFiles, ...]) -> None:
        self.variables = variables
        self.texts = texts
        self.used: set[str] = set()
        self.found: list[Finding] = []
        self.unclear: list[Finding] = []

    def node(self, node: Node, shape: Shape, path: Path) -> Node:
        """The node with references replaced; the very same if there are none below it."""
        value = node.value
        if isinstance(value, dict):
            self._check_keys(value, path)
            changed = self._changed_children(value.items(), shape, path)
            return node.with_members({**value, **changed}) if changed else node
        if isinstance(value, tuple):
            changed = self._changed_children(enumerate(value), shape, path)
            items = [changed.get(index, child) for index, child in enumerate(value)]
            return node.with_members(tuple(items)) if changed else node
        if not isinstance(value, str) or self._is_verbatim(node, path):
            return node
        self._look_for_others(value, shape, path)
        if _MARK not in value:
            return node
        if shape.is_json_text:
            return self._add_note(node, *self._json(value, path))
        return self._text(value, node, path)

    def _is_verbatim(self, node: Node, path: Path) -> bool:
        """Whether a text is taken byte for byte."""
        is_text = [place for place in self.texts if place.covers(path)]
        return any(not place.has_variables or node.origin.is_whole_file for place in is_text)

    def _changed_children(
        self, children: Iterable[tuple[Any, Node]], shape: Shape, path: Path
    ) -> dict[Any, Node]:
        """The children in which something is replaced; most are passed by after one look."""
        changed = {}
        for key, child in children:
            value = child.value
            if _is_marked(value) if isinstance(value, str) else isinstance(value, _CONTAINERS):
                done = self.node(child, shape.child(key), (*path, key))
                if done is not child:
                    changed[key] = done
        return changed

    def _text(self, text: str, node: Node, path: Path) -> Node:
        name = _whole(text)
        if name is not None:
            variable = self._look_up(name, path, 0)
            return _defined_value(variable, node, name) if variable else node
        return self._add_note(node, *self._fill(text, path, 0))

    def _add_note(self, node: Node, filled: str, names: list[str]) -> Node:
        """The node with its text, and where the variables in it were defined."""
        places = [self.variables[n].origin for n in names if n in self.variables]
        if not places:
            return node._replace(value=filled)
        where = listed(f"{place.file}:{place.line}:{place.column}" for place in places)
        note = f"with {listed(f'${{vars.{name}}}' for name in names)} of {where}"
        return node._replace(value=filled, origin=node.origin._replace(note=note))

    def _fill(self, text: str, path: Path, start: int) -> tuple[str, list[str]]:
        """A text that begins somewhere in the value at the path, and the variables it names."""
        names: list[str] = []

        def replace(match: re.Match[str]) -> str:
            if match[1]:
                return match[0][1:]
            names.append(match[2])
            variable = self._look_up(match[2], path, start + match.start())
            return _variable_text(variable) if variable else match[0]

        end = text.rfind("}") + 1  # behind it nothing is closed, and looking would take long
        return _REFERENCE.sub(replace, text[:end]) + text[end:], names

    def _json(self, text: str, path: Path) -> tuple[str, list[str]]:
        """Only inside the strings of the document; every other byte stays."""
        pieces = _JSON_STRINGS.split(text)  # every other one is a string
        starts = list(accumulate(map(len, pieces), initial=1))
        names: list[str] = []
        for index in range(1, len(pieces), 2):
            if _MARK in pieces[index]:
                pieces[index], named = self._json_string(pieces[index], path, starts[index])
                names += named
        return "".join(pieces), names

    def _json_string(self, string: str, path: Path, start: int) -> tuple[str, list[str]]:
        try:
            content = json.loads(string)
        except ValueError:
            return string, []
        name = _whole(content)
        done: object = content
        if name is None:
            done, names = self._fill(content, path, start)
        else:
            names = [name]
            if variable := self._look_up(name, path, start):
                done = variable.value
        return string if done == content else json.dumps(done, ensure_ascii=False), names

    def _check_keys(self, members: Mapping[str, Node], path: Path) -> None:
        if _MARK not in "\n".join(members):
            return
        for key in members:
            if _MARK in key:
                message = f"variables are not replaced in keys: {key!r}"
                found = Finding((*path, key), message, "write the key itself", at_key=True)
                self.found.append(found)

    def _look_for_others(self, text: str, shape: Shape, path: Path) -> None:
        """Note what looks like a reference and is none; what it means counts as used."""
        has_placeholders = shape.has_placeholders
        for near in near_references(text, self.variables, has_placeholders=has_placeholders):
            self.used.update({near.name} & self.variables.keys())
            message = f"{near.text!r} is not a reference to a variable, and is left unchanged"
            fix = f"did you mean ${{vars.{near.name}}}?"
            if not near.name:
                known = listed(self.variables, "or")
                fix = f"write ${{vars.NAME}}{f', NAME being {known}' if self.variables else ''}"
            self.unclear.append(Finding(path, message, fix, inside=near.start or None))

    def _look_up(self, name: str, path: Path, index: int) -> Node | None:
        variable = self.variables.get(name)
        if variable is not None:
            self.used.add(name)
            return variable
        others = f", or use {listed(self.variables, 'or')}" if self.variables else ""
        fix = suggest(name, self.variables, f"define it under vars{others}")
        message = f"the variable {name!r} is not defined"
        self.found.append(Finding(path, message, fix, inside=index or None))
        return None


def _is_marked(text: str) -> bool:
    """Whether there is a reference in a text, or perhaps something like one."""
    return "$" in text or "{{" in text


def variables_in(text: str) -> set[str]:
    """The names of the variables that a text refers to."""
    return {name for escaped, name in _REFERENCE.findall(text) if not escaped}


def _whole(text: str) -> str | None:
    """The name of the variable, if a text is nothing but a reference."""
    match = _REFERENCE.fullmatch(text) if text.startswith(_MARK) else None
    return match[2] if match else None


def _defined_value(variable: Node, reference: Node, name: str) -> Node:
    """The variable's value with its type; it was set where the variable was."""
    place = reference.origin
    note = f"used as ${{vars.{name}}} at {place.file}:{place.line}:{place.column}"
    origin = variable.origin._replace(note=note)
    return Node(variable.value, origin, reference.key, variable.text, variable.trail)


def _variable_text(variable: Node) -> str:
    value: Scalar = variable.value if not isinstance(variable.value, Mapping | tuple) else None
    if variable.text:
        return variable.text
    return str(value).lower() if isinstance(value, bool) else str(value)


_NAME = r"([A-Za-z_][\w-]{0,252})"
_PREFIX = r"([Vv][Aa][Rr][Ss]?)"
_SPACE = r"\s{0,9}"
_MOST = 100
#: What is closed on its line is a reference, or one to a variable that is not there.
_WHOLE_REFERENCE = r'vars\.[^}\n"]{0,253}\}'
#: `${{ vars.x }}`, `${var.x}`, `${vars.x/m`: nothing else is written like that.
_CERTAIN = expression(
    rf"(?<!\$)\$\{{(?!{_WHOLE_REFERENCE})\{{?{_SPACE}{_PREFIX}\.{_NAME}?{_SPACE}\}}*"
)
_PROBABLE = tuple(
    expression(source)
    for source in (
        rf"(?<!\$)\$\({_PREFIX}\.{_NAME}\)",
        rf"(?<!\$)\{{\{{-?{_SPACE}\.?{_PREFIX}\.{_NAME}{_SPACE}-?\}}\}}",
        rf"(?<![$\w])\${_PREFIX}\.{_NAME}",
    )
)
#: `${x}` and `${values.x}`, as shells and templates have them too.
_BARE = expression(rf"(?<!\$)\$\{{(?:(\w{{1,63}})\.)?{_NAME}\}}")


class NearReference(NamedTuple):
    """What stands where in a text, and the variable that is meant; empty if that is not clear."""

    start: int
    text: str
    name: str


def near_references(
    text: str, variables: Collection[str], *, has_placeholders: bool
) -> Iterator[NearReference]:
    """Each place that looks like a reference; `${x}` not where a platform has such placeholders.

    What others may write too counts if a variable of that name is there.
    """
    found = [_near_reference(match, variables) for match in _matches(_CERTAIN, text)]
    for form in _PROBABLE:
        near = ((match, _near_reference(match, variables)) for match in _matches(form, text))
        found += (item for match, item in near if item.name or match[1] == "vars")
    if not has_placeholders:
        starts = {item.start for item in found}
        bare = (
            _near_reference(match, variables)
            for match in _matches(_BARE, text)
            if match[1] != "vars"
        )
        found += (item for item in bare if item.name and item.start not in starts)
    yield from sorted(found)


def _matches(form: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """The first of them: one is enough to stop, and comparing names takes time."""
    return islice(form.finditer(text), _MOST)


def _near_reference(match: re.Match[str], variables: Collection[str]) -> NearReference:
    name = match[2] or ""
    meant = name if name in variables else mistaken(name, variables)
    return NearReference(match.start(), match[0], meant)

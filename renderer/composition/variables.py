"""`${vars.NAME}` in specs: the only thing in them that is not taken as it stands."""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from renderer.composition.shapes import Shape
from renderer.diagnostics import Finding, Path
from renderer.expressions import expression
from renderer.model import TextFiles
from renderer.tree import Node, Scalar
from renderer.wording import listed, nearest

_REFERENCE = expression(r"(\$?)\$\{vars\.([^}]*)\}")
_JSON_TEXT = expression(r'"(?:[^"\\]|\\.)*(?:"|\Z)')  # one that is left open reaches to the end
_MARK = "${vars."
_CONTAINERS = (dict, tuple)


class Substituted(NamedTuple):
    """A tree without references, the variables it used, and those that are not defined."""

    tree: Node
    used: frozenset[str]
    found: tuple[Finding, ...]


def substitute(
    tree: Node, variables: Mapping[str, Node], shape: Shape, texts: tuple[TextFiles, ...] = ()
) -> Substituted:
    """Put values in the place of references, except in text that is taken byte for byte."""
    walk = _Substitution(variables, texts)
    return Substituted(walk.node(tree, shape, ()), frozenset(walk.used), tuple(walk.found))


class _Substitution:
    def __init__(self, variables: Mapping[str, Node], texts: tuple[TextFiles, ...]) -> None:
        self.variables = variables
        self.texts = texts
        self.used: set[str] = set()
        self.found: list[Finding] = []

    def node(self, node: Node, shape: Shape, path: Path) -> Node:
        """The node with references replaced; the very same if there are none below it."""
        value = node.value
        if isinstance(value, dict):
            self._check_keys(value, path)
            changed = self._changed(value.items(), shape, path)
            return node.with_members({**value, **changed}) if changed else node
        if isinstance(value, tuple):
            changed = self._changed(enumerate(value), shape, path)
            items = [changed.get(index, child) for index, child in enumerate(value)]
            return node.with_members(tuple(items)) if changed else node
        if not isinstance(value, str) or any(place.covers(path) for place in self.texts):
            return node
        if shape.is_json_text:
            return node._replace(value=self._json(value, node, path))
        return self._text(value, node, path)

    def _changed(
        self, children: Iterable[tuple[Any, Node]], shape: Shape, path: Path
    ) -> dict[Any, Node]:
        """The children in which something is replaced; most are passed by after one look."""
        changed = {}
        for key, child in children:
            value = child.value
            if _MARK in value if isinstance(value, str) else isinstance(value, _CONTAINERS):
                done = self.node(child, shape.below(key), (*path, key))
                if done is not child:
                    changed[key] = done
        return changed

    def _text(self, text: str, node: Node, path: Path, start: int = 0) -> Node:
        """A text with its references replaced; it begins somewhere in the value at the path."""
        whole = _REFERENCE.fullmatch(text)
        if whole and not whole[1]:
            variable = self._look_up(whole[2], path, start)
            return _from_definition(variable, node, whole[2]) if variable else node
        end = text.rfind("}") + 1  # behind it nothing is closed, and looking would take long
        changed = _REFERENCE.sub(self._within(path, start), text[:end]) + text[end:]
        names = [name for escape, name in _REFERENCE.findall(text[:end]) if not escape]
        places = [self.variables[n].origin for n in names if n in self.variables]
        if not places:
            return node._replace(value=changed)
        where = listed(f"{place.file}:{place.line}:{place.column}" for place in places)
        note = f"with {listed(f'${{vars.{name}}}' for name in names)} of {where}"
        return node._replace(value=changed, origin=node.origin._replace(note=note))

    def _within(self, path: Path, start: int) -> Callable[[re.Match[str]], str]:
        def replace(match: re.Match[str]) -> str:
            if match[1]:
                return match[0][1:]
            variable = self._look_up(match[2], path, start + match.start())
            return _as_text(variable) if variable else match[0]

        return replace

    def _json(self, text: str, node: Node, path: Path) -> str:
        """Only inside the strings of the document; every other byte stays."""

        def replace(match: re.Match[str]) -> str:
            if _MARK not in match[0]:
                return match[0]
            try:
                content = json.loads(match[0])
            except ValueError:
                return match[0]
            done = self._text(content, node, path, match.start() + 1).value
            return match[0] if done == content else json.dumps(done, ensure_ascii=False)

        return _JSON_TEXT.sub(replace, text)

    def _check_keys(self, members: Mapping[str, Node], path: Path) -> None:
        if _MARK not in "\n".join(members):
            return
        for key in members:
            if _MARK in key:
                message = f"variables are not replaced in keys: {key!r}"
                found = Finding((*path, key), message, "write the key itself", at_key=True)
                self.found.append(found)

    def _look_up(self, name: str, path: Path, index: int) -> Node | None:
        variable = self.variables.get(name)
        if variable is not None:
            self.used.add(name)
            return variable
        hint = nearest(name, self.variables)
        known = f"define it under vars; there is {listed(self.variables)}"
        fix = f"did you mean {hint!r}?" if hint else known
        message = f"the variable {name!r} is not defined"
        self.found.append(Finding(path, message, fix, inside=index or None))
        return None


def _from_definition(variable: Node, reference: Node, name: str) -> Node:
    """The variable's value with its type; it was set where the variable was."""
    place = reference.origin
    note = f"used as ${{vars.{name}}} at {place.file}:{place.line}:{place.column}"
    origin = variable.origin._replace(note=note)
    return Node(variable.value, origin, reference.key, variable.text, variable.trail)


def _as_text(variable: Node) -> str:
    value: Scalar = variable.value if not isinstance(variable.value, Mapping | tuple) else None
    if variable.text:
        return variable.text
    return str(value).lower() if isinstance(value, bool) else str(value)

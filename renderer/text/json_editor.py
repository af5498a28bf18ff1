"""Edits of JSON files: written anew, with the indentation and the line ends that they have."""

import json

from renderer.text.expressions import expression
from renderer.text.json_reader import read
from renderer.text.wording import LINE_END
from renderer.text.yaml_editor import Uneditable, says_the_same
from renderer.values.tree import Node

_INDENT = expression(r"\s*\{(?:\r\n|\r|\n)([ \t]+)")


def edit(text: str, wanted: Node) -> str:
    """The text of a file that says what is wanted."""
    indent = _INDENT.match(text)
    last = text[len(text.rstrip()) :]
    spaced = indent is None and '": ' not in text
    written = json.dumps(
        wanted.plain(),
        indent=indent[1] if indent else None,
        ensure_ascii=text.isascii(),
        separators=(",", ":") if spaced else None,
    )
    found = LINE_END.search(text)
    edited = (written.replace("\n", found[0]) if found else written) + last
    again = read(edited.encode(), "")
    if again.problems or not again.document.tree or not _same(again.document.tree, wanted):
        raise Uneditable("an edit of it could not be verified")
    return edited


def _same(one: Node, other: Node) -> bool:
    """By their data: numbers are written in the one form that JSON libraries have for them."""
    return says_the_same(_bare(one), _bare(other))


def _bare(node: Node) -> Node:
    if node.items:
        return node.with_value({key: _bare(child) for key, child in node.items.items()})
    if node.elements:
        return node.with_value(tuple(map(_bare, node.elements)))
    return Node(node.value, node.origin)

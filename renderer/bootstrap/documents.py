"""Files for operators: YAML objects, each with a comment that says what it is for."""

from collections.abc import Iterable
from textwrap import wrap
from typing import NamedTuple

from renderer.text.yaml_writer import write
from renderer.values.tree import Plain, constant

_WIDTH = 98


class CommentedObject(NamedTuple):
    """An object, and what to know before changing it."""

    comment: str
    content: dict[str, Plain]


def text_of(documents: Iterable[CommentedObject]) -> str:
    """The text of a file that holds these, in this order."""
    return "---\n".join(map(_text, documents))


def _text(document: CommentedObject) -> str:
    comment = "".join(f"# {line}\n" for line in wrap(document.comment, _WIDTH))
    return comment + write(constant(document.content, document.comment))

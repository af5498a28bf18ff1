"""What is written for operators: commented objects, and how controllers judge health."""

from collections.abc import Iterable
from textwrap import wrap

from renderer.assets import read_template
from renderer.errors import RendererError
from renderer.text.yaml_reader import read
from renderer.text.yaml_writer import write
from renderer.values.named_tuple import NamedTuple
from renderer.values.objects import StoredKind
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
    return comment + write(constant(document.content, document.comment or "made for operators"))


#: What all scripts begin with, as Argo CD lets none call another.
_COMMON = "gitops/health.lua"


def script(kind: StoredKind) -> str:
    """The Lua by which Argo CD judges an object of the kind."""
    return "".join(read_template(path).decode() for path in (_COMMON, f"{kind.health}.lua"))


def expressions(kind: StoredKind) -> dict[str, Plain]:
    """What Flux evaluates of an object of the kind, by the names that a Kustomization has."""
    path = f"{kind.health}.cel.yaml"
    tree = read(read_template(path), path).document.tree
    if tree is None:
        raise RendererError(f"{path} cannot be read; this is a bug in servingctl")
    return {name: node.plain() for name, node in tree.items.items()}

"""Placeholders in containers, as in `{{.Name}}`, which KServe fills in."""

from collections.abc import Iterator

from renderer.kubernetes.pods import Field
from renderer.text.expressions import expression

#: What is known of a service there: the fields of its metadata.
_KNOWN = frozenset((
    "Name", "Namespace", "Labels", "Annotations", "GenerateName", "UID", "ResourceVersion",
    "Generation", "CreationTimestamp", "DeletionTimestamp", "DeletionGracePeriodSeconds",
    "OwnerReferences", "Finalizers", "ManagedFields", "SelfLink",
))  # fmt: skip
_OPEN, _CLOSE = "{{", "}}"
_FIELD = expression(r"\{\{-?\s*\.(\w+)(?:\.[\w.]+)?\s*-?\}\}")
_PLAIN = expression(r"\{\{-?\s*\.(?:Name|Namespace|(?:Labels|Annotations)\.\w+)\s*-?\}\}")
_WORD = expression(r"\{\{-?\s*([A-Za-z_]\w*)")
#: The words of Go's templates.
_WORDS = frozenset((
    "and", "or", "not", "eq", "ne", "lt", "le", "gt", "ge", "len", "index", "slice", "print",
    "printf", "println", "html", "js", "urlquery", "call", "if", "else", "end", "range", "with",
    "define", "template", "block", "break", "continue", "nil", "true", "false",
))  # fmt: skip
_DEEPEST = 20


def why_broken(text: str) -> str:
    """Why KServe cannot fill a text in; empty if it may well be able to."""
    if text.count(_OPEN) > text.count(_CLOSE):
        return "a {{ that is not closed"
    unknown = [name for name in _FIELD.findall(text) if name not in _KNOWN and name[:3] != "Get"]
    if unknown:
        return f"no .{unknown[0]} of a service"
    foreign = [word for word in _WORD.findall(text) if word not in _WORDS]
    return f"no function {foreign[0]}" if foreign else ""


def is_meant(text: str) -> bool:
    """Whether all that is between braces is a placeholder that KServe is known to fill in."""
    return _OPEN not in _PLAIN.sub("", text)


def texts_of(field: Field, depth: int = 0) -> Iterator[Field]:
    """All texts in a container that have something between braces."""
    if field.text:
        if _OPEN in field.text:
            yield field
        return
    if depth > _DEEPEST:
        return
    children = (*field.members().values(), *field.each())
    for child in children:
        yield from texts_of(child, depth + 1)

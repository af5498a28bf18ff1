"""Placeholders in containers, as in `{{.Name}}`, which KServe fills in."""

import re
from collections.abc import Iterator

from renderer.kubernetes.pods import Field
from renderer.text.expressions import expression
from renderer.values.tree import walk

#: What is known of a service there: the fields of its metadata.
METADATA = frozenset((
    "Name", "Namespace", "Labels", "Annotations", "GenerateName", "UID", "ResourceVersion",
    "Generation", "CreationTimestamp", "DeletionTimestamp", "DeletionGracePeriodSeconds",
    "OwnerReferences", "Finalizers", "ManagedFields", "SelfLink",
))  # fmt: skip
_OPEN = "{{"
_BEGUN_COMMENT = expression(r"\{\{(?:-\s)?/\*")
_COMMENT = expression(r"\{\{(?:-\s)?/\*.*?\*/(?:\s-)?\}\}", re.DOTALL)
_ACTION = expression(r"\{\{((?:[^`}]|`[^`]*`|\}(?!\}))*)\}\}")
_RAW = expression(r"`[^`]*`")
#: What Go's templates have nowhere else than in quotes, or what JSON escapes, quotes among them.
_FOREIGN = expression(r"[\"\\{}\x00-\x1f]")
_FIELD = expression(r"-?\s*\.(\w+)(?:\.[\w.]+)?\s*-?")
_PLAIN = expression(r"-?\s*(?:\.(?:Name|Namespace|(?:Labels|Annotations)\.\w+)|``)\s*-?")
#: Words that are called: the first of an action, and those behind a pipe or a bracket.
_CALLED = expression(r"(?:^|[|(])\s*([A-Za-z_]\w*)")
#: A minus that is no sign of a number.
_HYPHEN = expression(r"\w(-)")
_VARIABLE = expression(r"\$(\w+)")
_ASSIGNED = expression(r"\$(\w+)\s*:?=|\$(\w+)\s*,\s*\$(\w+)\s*:=")
#: A field of the metadata that is one value, and what is asked below it.
_BELOW_VALUE = expression(r"\.(Name|Namespace|UID|GenerateName|ResourceVersion|SelfLink)\.(\w+)")
#: A field in front of something else, which would be its argument.
_ARGUMENT = expression(r"(?:^|[|(])\s*\.(\w+(?:\.\w+)*)\s+[^\s|)]")
#: The words of Go's templates.
_WORDS = frozenset((
    "and", "or", "not", "eq", "ne", "lt", "le", "gt", "ge", "len", "index", "slice", "print",
    "printf", "println", "html", "js", "urlquery", "call", "if", "else", "end", "range", "with",
    "define", "template", "block", "break", "continue", "nil", "true", "false",
))  # fmt: skip
_OPENING = frozenset(("if", "range", "with", "define", "block"))
#: These want a value behind them.
_WITH_VALUE = frozenset(("if", "range", "with"))


def why_broken(
    text: str, fields: frozenset[str] = METADATA, functions: frozenset[str] = frozenset()
) -> str:
    """Why KServe cannot fill a text in; empty if it may well be able to."""
    actions = [*_actions(text)]
    reasons = (_why_refused(action, fields, functions | _WORDS) for action in actions)
    found = next(filter(None, reasons), "")
    return found or _why_unbalanced([item or "" for item in actions])


def _why_unbalanced(actions: list[str]) -> str:
    """Whether blocks begin and end, and variables are set before they are used."""
    depth, known = 0, set[str]()
    for action in actions:
        word = next(iter(action.strip("- ").split()), "")
        depth += (word in _OPENING) - (word == "end")
        if depth < 0 or (word == "else" and not depth):
            return f"a {{{{{word}}}}} without a beginning"
        known |= {name for found in _ASSIGNED.finditer(action) for name in found.groups() if name}
        used = (found[1] for found in _VARIABLE.finditer(action))
        if unknown := next((name for name in used if name not in known), ""):
            return f"no variable ${unknown}"
    return "a block without {{end}}" if depth else ""


def is_placeholder(text: str) -> bool:
    """Whether all that is between braces is a text, or a placeholder that KServe fills in."""
    return all(action is not None and _PLAIN.fullmatch(action) for action in _actions(text))


def _actions(text: str) -> Iterator[str | None]:
    """What stands between braces, with texts in backquotes left empty, and without comments.

    Nothing stands for braces that are not closed; it is the last.
    """
    place = text.find(_OPEN)
    while place >= 0:
        is_comment = _BEGUN_COMMENT.match(text, place)
        found = (_COMMENT if is_comment else _ACTION).match(text, place)
        if found is None:
            yield None
            return
        if not is_comment:
            yield _RAW.sub("``", found[1])
        place = text.find(_OPEN, found.end())


def _why_refused(action: str | None, fields: frozenset[str], words: frozenset[str]) -> str:
    if action is None:
        return "a {{ that is not closed"
    if not action.strip("- "):
        return "nothing between {{ and }}"
    if foreign := _FOREIGN.search(action):
        return f"{foreign[0]!r} between braces, as KServe fills in JSON, where it is escaped"
    field = _FIELD.fullmatch(action)
    if field and field[1] not in fields and not field[1].startswith("Get"):
        return f"no .{field[1]} of a service"
    bare = action.strip("- ")
    called = (found[1] for found in _CALLED.finditer(bare))
    if unknown := next((word for word in called if word not in words), ""):
        return f"no function {unknown}"
    return _why_misused(bare)


def _why_misused(action: str) -> str:
    """What Go's templates do not take of words that they know."""
    if action in _WITH_VALUE:
        return f"nothing behind {action}"
    if "`" not in action and _HYPHEN.search(action):
        return "'-' between braces"
    if below := _BELOW_VALUE.search(action):
        return f"no .{below[2]} below .{below[1]}"
    if (found := _ARGUMENT.search(action)) and not found[1].startswith("Get"):
        return f"something behind .{found[1]}, which takes nothing"
    return ""


def template_texts(field: Field) -> Iterator[Field]:
    """All texts in a container that have something between braces."""
    for path, node in walk(field.node):
        if isinstance(node.value, str) and _OPEN in node.value:
            yield Field((*field.path, *path), node)

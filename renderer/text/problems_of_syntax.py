"""Text that is no YAML: where it goes wrong, and what to do about it."""

from renderer.text import problems
from renderer.text.wording import LINE_END
from renderer.values.diagnostics import Diagnostic, Origin

ESCAPED_CHARACTER = "write the character itself instead of its escape"
_REMEDIES = (
    (
        "mapping values are not allowed",
        'quote a value that contains ": ", or mend the indentation',
    ),
    ("cannot start any token", "put the value in quotes"),
    (
        "could not find expected ':'",
        "give the key above its ':', or mend the indentation",
    ),
    ("did not find expected key", "mend the indentation, or close the quotes or brackets above"),
    ("directive", "delete the % line"),
    ("incompatible YAML document", "delete the % line"),
    ("invalid Unicode character escape", ESCAPED_CHARACTER),
)
_REMEDY = "check quotes, brackets and indentation here and above"


def syntax_problem(file: str, error: Exception, text: str) -> Diagnostic:
    """What libyaml found, at the place where someone would look for it."""
    lines = LINE_END.split(text.rstrip())
    mark = getattr(error, "problem_mark", None)
    if mark is None or mark.line >= len(lines):  # at the end: show what was left open
        mark = getattr(error, "context_mark", None) or mark
    where = Origin(file, mark.line + 1, mark.column + 1) if mark else Origin(file)
    if where.line > len(lines):
        where = Origin(file, len(lines), len(lines[-1]) + 1)
    line = lines[where.line - 1]
    blank = line[: len(line) - len(line.lstrip())]
    if "\t" in blank:
        where = where._replace(column=blank.index("\t") + 1)
        return problems.TAB.at(where, "a tab indents this line", "indent by spaces")
    problem = getattr(error, "problem", None) or "the text cannot be read"
    context = getattr(error, "context", None) or ""
    message = f"{problem} {context}".strip()
    fix = next((fix for part, fix in _REMEDIES if part in message), _REMEDY)
    return problems.SYNTAX.at(where, message, fix)

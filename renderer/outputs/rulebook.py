"""The rules themselves: one explained, or all of them as a table, as JSON and as a page."""

import re
from collections.abc import Iterator, Mapping, Sequence
from textwrap import indent

from renderer.outputs import safe_text
from renderer.outputs.layout import BOLD, COLORS, DIM, PLAIN, WIDTH, Formats, Layout, wrapped
from renderer.text.wording import visible
from renderer.values import diagnostics
from renderer.values.diagnostics import EXAMPLES, Rule
from renderer.values.named_tuple import NamedTuple

_FAMILIES = {
    "ENG": "Engines of language models",
    "ENV": "Environments",
    "IMP": "Impact of a change",
    "MAN": "Rendered manifests",
    "POL": "Policy",
    "REF": "References",
    "SEC": "Security",
    "SPC": "Shape of specs",
    "YML": "Reading",
}
OWN_RULES = "Rules of this repository"
_EXAMPLE = re.compile(r"((?:^    .*\n?|^\n(?=    ))+)", re.MULTILINE)
#: How examples are to be read.
_READING = (
    "Examples say what matters and leave out the rest of a sound spec. What a rule passes with is "
    "laid over what fails, as an override is: `null` takes a field away."
)
_VERSION = 1


class Rulebook(NamedTuple):
    """The rules to list; `families` names those families of codes that belong to a platform.

    `retired` are codes of earlier versions, with those that took their place.
    """

    rules: Sequence[Rule]
    families: Mapping[str, str]
    retired: Mapping[str, str] = {}


def family_of(rule: Rule) -> str:
    """The letters of its code; of a repository's own rule, what these are called."""
    return diagnostics.family_of(rule.code) or OWN_RULES


def explain(rule: Rule, layout: Layout = PLAIN) -> str:
    """The documentation of a rule, laid out for a terminal."""
    paint, width = layout.paint, layout.width
    level = paint(str(rule.severity), COLORS[rule.severity])
    since = f", since {rule.since}" if diagnostics.family_of(rule.code) else ""
    title = f"{paint(rule.code, BOLD)} {rule.name} ({level}{since})"
    notes = [_prose(_READING, width or WIDTH)] if since and _EXAMPLE.search(rule.doc) else []
    if rule.source:
        source = f"Source: {rule.source}"
        notes.append(_prose(source, width) if width else source)
    parts = (*_paragraphs(rule, layout), *(paint(note, DIM) for note in notes))
    return "\n\n".join((title, *parts)) + "\n"


def show_table(book: Rulebook, layout: Layout = PLAIN) -> str:
    """A line for each rule, or more where a terminal is too narrow for it."""
    paint = layout.paint
    longest = max((len(str(rule.severity)) for rule in book.rules), default=0)
    return "".join(
        f"{paint(rule.code, BOLD)}  "
        f"{paint(f'{rule.severity!s:{longest}}', COLORS[rule.severity])}  "
        f"{_hanging(visible(rule.summary), longest + 10, layout.width)}\n"
        for rule in book.rules
    )


def _hanging(text: str, indent: int, width: int) -> str:
    """A text whose further lines begin below its first."""
    return f"\n{' ' * indent}".join(wrapped(text, width - indent)) if width else text


def show_json(book: Rulebook, _layout: Layout = PLAIN) -> str:
    """Versioned JSON."""
    found = [
        {
            "code": rule.code,
            "name": rule.name,
            "severity": str(rule.severity),
            "summary": rule.summary,
            "why": rule.why,
            "documentation": rule.doc,
            "source": rule.source or None,
            "since": rule.since,
        }
        for rule in book.rules
    ]
    return safe_text.json_text({"version": _VERSION, "rules": found, "retired": dict(book.retired)})


def show_page(book: Rulebook, _layout: Layout = PLAIN) -> str:
    """Markdown: a table of all rules, then each rule."""
    lines = ["# Rules", "", "Made by `make docs` from the rules' own documentation.", ""]
    lines += [_READING, "", *table_lines(book.rules)]
    family = ""
    for rule in book.rules:
        if family_of(rule) != family:
            family = family_of(rule)
            lines += ["", f"## {family_title(book, family)}"]
        lines += ["", f"### {rule.code}", "", *rule_lines(rule)]
    if book.retired:
        lines += ["", "## Retired codes", "", "| code | today |", "| --- | --- |"]
        lines += [f"| {old} | [{now}](#{now.lower()}) |" for old, now in book.retired.items()]
    return "\n".join(lines) + "\n"


def family_title(book: Rulebook, family: str) -> str:
    """What a family of codes is called on pages."""
    return {**book.families, **_FAMILIES}.get(family, family)


def table_lines(rules: Sequence[Rule], page: str = "") -> list[str]:
    """Markdown: a row for each rule, with a link to its place on a page."""
    rows = (f"| [{r.code}]({page}#{r.code.lower()}) | {r.severity} | {_cell(r)} |" for r in rules)
    return ["| code | severity | what it asks for |", "| --- | --- | --- |", *rows]


def rule_lines(rule: Rule) -> list[str]:
    """Markdown: what there is to say of a rule, without a heading."""
    since = f", since {rule.since}" if diagnostics.family_of(rule.code) else ""
    return [f"**{rule.name}**, {rule.severity}{since}.", "", markdown_text(rule)]


FORMATS: Formats[Rulebook] = {"table": show_table, "json": show_json, "markdown": show_page}


def markdown_text(rule: Rule) -> str:
    """The documentation with its examples fenced."""

    def fenced(match: re.Match[str]) -> str:
        return f"\n```yaml\n{_dedented(match[1])}\n```\n"

    text = _EXAMPLE.sub(fenced, rule.doc.rstrip() + "\n").strip()
    return f"{text}\n\nSource: `{rule.source}`" if rule.source else text


def _paragraphs(rule: Rule, layout: Layout) -> Iterator[str]:
    """Prose is wrapped, examples stay as they are."""
    for number, part in enumerate(_EXAMPLE.split(rule.doc.rstrip() + "\n")):
        if number % 2:
            lines = (visible(line) for line in _dedented(part).split("\n"))
            yield indent("\n".join(lines), "    ")
        else:
            for text in filter(None, map(str.strip, part.split("\n\n"))):
                is_label = text.removesuffix(":") in EXAMPLES
                prose = _prose(text, layout.width or WIDTH)
                yield layout.paint(prose, DIM) if is_label else prose


def _prose(text: str, width: int) -> str:
    return "\n".join(wrapped(visible(" ".join(text.split())), width))


def _dedented(example: str) -> str:
    return re.sub("(?m)^    ", "", example).strip()


def _cell(rule: Rule) -> str:
    return rule.summary.replace("|", "\\|")

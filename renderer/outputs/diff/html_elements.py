"""A page and its elements, which no content can leave."""

import json
from base64 import b64encode
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from html import escape

from renderer.assets import read_template
from renderer.outputs.diff.cause_words import few
from renderer.outputs.diff.report import ShownChange
from renderer.outputs.diff.summary import DOUBTFUL, FAILING
from renderer.outputs.safe_text import format_sentence
from renderer.text.wording import visible
from renderer.values.changes import Effect
from renderer.values.tree import Plain

_LOOKS = {
    Effect.DELETE: "bad",
    Effect.CREATE: "good",
    Effect.IN_PLACE: "good",
    Effect.REPLACE: "plain",
}
_LINES = {"+": "added", "-": "removed", "@": "place"}
_FEW, _SOME = 6, 2


def page(title: str, body: str, script: str = "") -> str:
    """A page that opens from disk: nothing is loaded, and no script but this one runs."""
    style = read_template("outputs/page.css").decode()
    allowed = f" script-src {_source(script)};" if script else ""
    policy = f"default-src 'none';{allowed} style-src 'unsafe-inline'"
    element = f"<script>{script}</script>\n" if script else ""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta http-equiv="Content-Security-Policy" '
        f"content=\"{policy}; base-uri 'none'; form-action 'none'\">\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="color-scheme" content="light dark">\n<title>{text(title)}</title>\n'
        f"<style>\n{style}</style>\n</head>\n<body>\n{body}{element}</body>\n</html>\n"
    )


def _source(script: str) -> str:
    """The only script that a browser runs in the page, whatever else gets into it."""
    return f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'"


def text(content: str) -> str:
    """Content as it is, on one line."""
    return escape(visible(content))


def code(content: str) -> str:
    return f"<code>{text(content)}</code>"


def sentence(content: str) -> str:
    """Prose in which what stands in backticks is code."""
    return format_sentence(content, text, code)


def value(content: Plain) -> str:
    """A value: a text as it is, anything else as JSON, each of its lines on its own."""
    shown = content if isinstance(content, str) else json.dumps(content, indent=2, sort_keys=True)
    lines = [text(line) for line in shown.split("\n")] if shown else ["&quot;&quot;"]
    kind = "value block" if len(lines) > 1 else "value"
    shown = "\n".join(lines)
    return f'<code class="{kind}">{shown}</code>'


def both_values(change: ShownChange, shown: Callable[[Plain], str]) -> str:
    """What was before and what is after, as far as they are there."""
    if change.arguments:
        return f'<code class="value">{text(change.arguments)}</code>'
    old = f"<del>{shown(change.before)}</del>" if change.has_before else ""
    new = f"<ins>{shown(change.after)}</ins>" if change.has_after else ""
    arrow = ' <span class="arrow" aria-label="becomes">→</span> ' if old and new else ""
    return f"{old}{arrow}{new}"


def line_block(change: ShownChange) -> str:
    """The lines of a change to a longer text; nothing if it has none."""
    lines = "".join(
        f'<span class="{_LINES.get(line[:1], "same")}">{text(line)}</span>\n'
        for line in change.lines
    )
    return f'<pre class="lines" tabindex="0">{lines}</pre>\n' if lines else ""


def look(effect: Effect) -> str:
    """The class of an effect: how alarming it is."""
    if effect in FAILING:
        return "bad"
    return "doubt" if effect in DOUBTFUL else _LOOKS.get(effect, "moves")


def pill(word: str, kind: str) -> str:
    return f'<span class="pill {kind}">{text(word)}</span>'


def effect_pill(effect: Effect) -> str:
    return pill(str(effect), look(effect))


def folded(names: Sequence[str]) -> str:
    """All of a few names, or some that unfold to all."""
    if len(names) <= _FEW:
        return f'<span class="quiet">{text("; ".join(names))}</span>'
    items = "".join(f"<li>{text(name)}</li>" for name in names)
    title = text(few(names, _SOME, "; "))
    return f'<details class="names"><summary>{title}</summary><ul>{items}</ul></details>'


def table(heads: Iterable[str], rows: Iterable[Iterable[str]], label: str, numbers: int = 0) -> str:
    """A table that scrolls by itself where it is too wide; the last columns may be numbers."""
    titles = list(heads)
    first = len(titles) - numbers
    head = "".join(
        f'<th scope="col"{_numeric(n, first)}>{text(t)}</th>' for n, t in enumerate(titles)
    )
    body = "".join(
        "<tr>"
        + "".join(f"<td{_numeric(n, first)}>{cell}</td>" for n, cell in enumerate(row))
        + "</tr>\n"
        for row in rows
    )
    opening = f'<div class="scroll" tabindex="0" role="region" aria-label="{text(label)}">'
    return (
        f"{opening}<table><thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody></table></div>\n"
    )


def _numeric(column: int, first: int) -> str:
    return ' class="number"' if column >= first else ""

"""Text and small elements of a page, which no content can leave."""

import json
import re
from collections.abc import Iterable
from html import escape

from renderer.outputs.diff.summary import DOUBTFUL, FAILING
from renderer.text.wording import visible
from renderer.values.changes import Effect
from renderer.values.tree import Plain

_QUOTED = re.compile(r"`([^`]+)`")
_LOOKS = {
    Effect.DELETE: "bad",
    Effect.CREATE: "good",
    Effect.IN_PLACE: "good",
    Effect.REPLACE: "plain",
}


def text(content: str) -> str:
    """Content as it is, on one line."""
    return escape(visible(content))


def code(content: str) -> str:
    return f"<code>{text(content)}</code>"


def sentence(content: str) -> str:
    """Prose in which what stands in backticks is code."""
    parts = _QUOTED.split(content)
    return "".join(
        code(part) if number % 2 else text(part) for number, part in enumerate(parts) if part
    )


def value(content: Plain) -> str:
    """A value: a text as it is, anything else as JSON, each of its lines on its own."""
    shown = content if isinstance(content, str) else json.dumps(content, indent=2, sort_keys=True)
    lines = [text(line) for line in shown.split("\n")] if shown else ["&quot;&quot;"]
    kind = "value block" if len(lines) > 1 else "value"
    shown = "\n".join(lines)
    return f'<code class="{kind}">{shown}</code>'


def look(effect: Effect) -> str:
    """The class of an effect: how alarming it is."""
    if effect in FAILING:
        return "bad"
    return "doubt" if effect in DOUBTFUL else _LOOKS.get(effect, "moves")


def pill(word: str, kind: str) -> str:
    return f'<span class="pill {kind}">{text(word)}</span>'


def effect_pill(effect: Effect) -> str:
    return pill(str(effect), look(effect))


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

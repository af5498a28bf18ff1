"""The elements of a page, which no content can leave, and how they look."""

import json
from collections.abc import Iterable
from html import escape

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
#: Light and dark, wide and narrow, on screen and on paper.
_LIGHT = """\
  --page: #ffffff; --ink: #1f2328; --soft: #57606a; --card: #f6f8fa; --rim: #d0d7de;
  --link: #0550ae; --bad: #a40e26; --bad-ground: #ffe3e0; --doubt: #7d4e00;
  --doubt-ground: #fff1c2; --good: #116329; --good-ground: #dcf5e3; --moves: #0550ae;
  --moves-ground: #dbeafe; --plain: #424a53; --plain-ground: #e6e9ed;
"""
_DARK = """\
  --page: #0d1117; --ink: #e6edf3; --soft: #9da7b3; --card: #161b22; --rim: #3d444d;
  --link: #79c0ff; --bad: #ffa198; --bad-ground: #4a1512; --doubt: #f0c862;
  --doubt-ground: #3d2e00; --good: #7ee787; --good-ground: #0f3320; --moves: #a5d6ff;
  --moves-ground: #0f2d55; --plain: #c3ccd6; --plain-ground: #2d333b;
"""
_BODY = """\
* { box-sizing: border-box; }
html { scroll-padding-top: 4rem; }
body { margin: 0 auto; padding: 0 1.5rem 4rem; max-width: 74rem; background: var(--page);
  color: var(--ink); font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans",
  Helvetica, Arial, sans-serif; }
a { color: var(--link); }
a:focus-visible, summary:focus-visible, [tabindex]:focus-visible { outline: 3px solid var(--link);
  outline-offset: 2px; border-radius: 4px; }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono",
  monospace; font-size: .875em; }
code { background: var(--card); border-radius: 4px; padding: .1em .3em; overflow-wrap: anywhere; }
h1 { font-size: 1.75rem; margin: 2rem 0 .25rem; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 .75rem; padding-bottom: .3rem;
  border-bottom: 1px solid var(--rim); }
h3 { font-size: 1rem; font-weight: 600; margin: 1rem 0 .5rem; }
ul { margin: 0; padding: 0; list-style: none; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: .5rem; background: var(--page); padding: .5rem; z-index: 2; }
header p { margin: 0 0 1rem; color: var(--soft); }
.tallies { display: flex; flex-wrap: wrap; gap: .75rem; }
.tallies li { border: 1px solid var(--rim); border-radius: 8px; padding: .4rem .9rem;
  background: var(--card); }
.tallies b { font-size: 1.4rem; font-variant-numeric: tabular-nums; }
nav { position: sticky; top: 0; z-index: 1; background: var(--page); margin-top: 1.25rem;
  border-bottom: 1px solid var(--rim); }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: .6rem 0; }
.scroll { overflow-x: auto; max-width: 100%; }
table { border-collapse: collapse; width: 100%; }
th { text-align: left; font-size: .8125rem; color: var(--soft); font-weight: 600; }
th, td { padding: .45rem .75rem .45rem 0; border-bottom: 1px solid var(--rim);
  vertical-align: top; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.quiet { color: var(--soft); font-size: .875em; overflow-wrap: anywhere; }
.where { color: var(--soft); }
.where::after { content: " /"; }
.pill { display: inline-block; border-radius: 999px; padding: 0 .6rem; font-size: .8125rem;
  font-weight: 600; white-space: nowrap; }
.bad { color: var(--bad); } .pill.bad { background: var(--bad-ground); }
.doubt { color: var(--doubt); } .pill.doubt { background: var(--doubt-ground); }
.good { color: var(--good); } .pill.good { background: var(--good-ground); }
.moves { color: var(--moves); } .pill.moves { background: var(--moves-ground); }
.plain { color: var(--plain); } .pill.plain { background: var(--plain-ground); }
.happenings li + li, .findings li + li { margin-top: .35rem; }
.findings li { padding: .5rem .75rem; border-left: 3px solid var(--rim); background: var(--card); }
details { border: 1px solid var(--rim); border-radius: 8px; margin: .75rem 0; }
summary { padding: .6rem 1rem; cursor: pointer; }
summary .pill { margin-left: .3rem; }
details[open] > summary { border-bottom: 1px solid var(--rim); }
article { padding: 0 1rem .75rem; }
article + article { border-top: 1px dashed var(--rim); }
.changes > li { padding: .75rem 0; border-top: 1px solid var(--rim); }
.changes > li:first-child { border-top: 0; padding-top: .25rem; }
.changes p { margin: 0 0 .35rem; }
.path code { font-weight: 600; background: none; padding: 0; }
del, ins { text-decoration: none; }
del .value, .lines .removed { color: var(--bad); background: var(--bad-ground); }
ins .value, .lines .added { color: var(--good); background: var(--good-ground); }
.value.block { display: block; white-space: pre-wrap; margin: .25rem 0; padding: .5rem .75rem; }
.arrow { color: var(--soft); }
.lines { margin: .25rem 0 .5rem; padding: .5rem 0; overflow-x: auto; background: var(--card);
  border-radius: 6px; line-height: 1.45; }
.lines span { display: inline-block; min-width: 100%; padding: 0 .75rem; white-space: pre; }
.lines .place { color: var(--soft); }
.impacts li { margin: .35rem 0; padding-left: .75rem; border-left: 3px solid var(--rim); }
.advice { color: var(--soft); }
.reach ul { padding-left: 1.25rem; }
figure { margin: 0 0 1rem; }
figcaption { color: var(--soft); font-size: .875rem; }
@media (max-width: 40rem) {
  body { padding: 0 .9rem 3rem; font-size: 15px; }
  nav { position: static; }
}
@media print {
  body { max-width: none; font-size: 10.5pt; }
  nav, .skip { display: none; }
  details { break-inside: avoid-page; }
  details::details-content { content-visibility: visible; block-size: auto; }
}
"""
STYLE = (
    f":root {{ color-scheme: light dark;\n{_LIGHT}}}\n"
    f"@media (prefers-color-scheme: dark) {{ :root {{\n{_DARK}}} }}\n{_BODY}"
)


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

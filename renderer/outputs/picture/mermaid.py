"""A picture as a Mermaid flowchart, which GitHub and GitLab draw in Markdown."""

import re
from collections.abc import Iterator

from renderer.outputs.layout import PLAIN, Layout
from renderer.outputs.picture.limits import limit, noted, titled
from renderer.outputs.safe_text import shortened
from renderer.values.picture import Card, Exposure, Group, Link, LinkKind, Picture

_LONGEST = 48_000  # Mermaid refuses texts above 50,000 characters
_MOST_ROWS = 400  # and more than 500 edges
_UNSAFE = re.compile(r"[^A-Za-z0-9 \-.,:/()·]")
_ARROWS = {LinkKind.CALL: "-->", LinkKind.MEMBERS: "---", LinkKind.SYNC: "-.->"}
_DIRECT = 2
_LONGEST_TEXT = 300


def show(picture: Picture, _layout: Layout = PLAIN) -> str:
    """The flowchart; a larger picture is cut to what Mermaid draws, and says so."""
    rows = _MOST_ROWS
    text = _flowchart(limit(picture, rows))
    while len(text) > _LONGEST and rows:
        rows //= 2
        text = _flowchart(limit(picture, rows))
    return text


def _flowchart(picture: Picture) -> str:
    names: dict[str, str] = {}
    lines = [
        '%%{init: {"flowchart": {"wrappingWidth": 420}}}%%',
        "flowchart LR",
        f"  accTitle: {_accessible(picture.title)}",
        f"  accDescr: {_accessible(picture.summary)}",
    ]
    for number, group in enumerate(picture.groups):
        lines += _group(group, f"g{number}", names)
    for number, link in enumerate(picture.links):
        lines += _link(link, f"l{number}", names)
    lines += (f"  %% {_accessible(remark)}" for remark in picture.remarks)
    if picture.left_out:
        lines.append(f"  cut[{_label(picture.left_out)}]")
    foreign = [f"g{index}" for index, group in enumerate(picture.groups) if not group.ours]
    lines += (f"  style {name} stroke-dasharray: 6 4" for name in foreign)
    return "".join(f"{line}\n" for line in lines)


def _group(group: Group, name: str, names: dict[str, str]) -> Iterator[str]:
    """A place is a subgraph; its rows share one box, so that links have where to end."""
    yield f"  subgraph {name}[{_label(titled(group.title, group.tags))}]"
    if group.rows:
        yield f"    {name}r[{_label(*map(noted, group.rows))}]"
        names |= {row.key: f"{name}r" for row in group.rows}
    for number, card in enumerate(group.cards):
        own = f"{name}n{number}"
        names |= {row.key: own for row in card.rows}
        yield from (f"    {line}" for line in _card(card, own))
    yield "  end"


def _card(card: Card, name: str) -> Iterator[str]:
    """A box with a line for each row; addresses would make it too wide."""
    rows = (f"{row.title} ({row.tag})" if row.tag else row.title for row in card.rows)
    yield f"{name}[{_label(titled(card.title, card.tags), *card.lines, *rows)}]"
    if card.entrance:
        inside = ", ".join(row.title for row in card.rows if row.exposure is Exposure.INSIDE)
        yield f"{name}e([{_label(card.entrance[0], ' '.join(card.entrance[1:]))}])"
        yield f"{name}e -->|{_label(inside)}| {name}"


def _link(link: Link, name: str, names: dict[str, str]) -> Iterator[str]:
    """Two ends are joined directly, more than two through a point of their own."""
    sources = list(dict.fromkeys(names[key] for key in link.sources))
    targets = list(dict.fromkeys(names[key] for key in link.targets))
    arrow, label = _ARROWS[link.kind], _label(link.name)
    if len({*sources, *targets}) <= _DIRECT:
        both = "<" if set(sources) == set(targets) else ""
        target = next((item for item in targets if item != sources[0]), targets[0])
        yield f"  {sources[0]} {both}{arrow}|{label}| {target}"
        return
    yield f"  {name}{{{{{label}}}}}"
    for item in dict.fromkeys((*sources, *targets)):
        both = "<" if item in targets else ""
        ends = f"{item} {both}{arrow} {name}" if item in sources else f"{name} {arrow} {item}"
        yield f"  {ends}"


def _label(*texts: str) -> str:
    return '"' + "<br/>".join(_escaped(text) for text in texts) + '"'


def _escaped(text: str) -> str:
    """Quotes, angle brackets, Markdown and backslashes by their numbers."""
    return _UNSAFE.sub(lambda found: f"#{ord(found[0])};", shortened(text, _LONGEST_TEXT))


def _accessible(text: str) -> str:
    """A line of its own, without what would end it or open a block."""
    return re.sub(r"[;#{}%\"<>`\\]", " ", shortened(text, _LONGEST_TEXT))

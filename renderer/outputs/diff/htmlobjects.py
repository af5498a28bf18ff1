"""The objects of a diff on a page: folded by spec, each change with its values and impacts."""

from collections.abc import Iterator

from renderer.outputs.diff.htmltext import code, effect_pill, look, pill, sentence, text, value
from renderer.outputs.diff.report import DiffReport, ShownChange, ShownObject
from renderer.outputs.diff.summary import RANKING, by_spec, distinct, every_impact
from renderer.text.wording import counted
from renderer.values.changes import Effect, How, Impact

_LINES = {"+": "added", "-": "removed", "@": "place"}
_CALM = frozenset(("good", "moves", "plain"))


def folded(report: DiffReport) -> Iterator[str]:
    """Every spec as a fold; those that need a look are open."""
    for number, (key, items) in enumerate(by_spec(report).items(), 1):
        yield _spec(number, *key, items)


def _spec(number: int, environment: str, spec: str, items: list[ShownObject]) -> str:
    effects = {impact.effect for item in items for impact in every_impact(item)}
    ranked = [effect for effect in RANKING if effect in effects]
    is_open = any(look(effect) not in _CALM for effect in ranked)
    count = sum(len(item.changes) for item in items)
    said = counted(count, "change") if count else counted(len(items), "object")
    pills = "".join(effect_pill(effect) for effect in ranked)
    title = f'<span class="where">{text(environment)}</span> <strong>{text(spec)}</strong>'
    return (
        f'<details id="spec-{number}"{" open" if is_open else ""}><summary>{title} '
        f'<span class="quiet">{said}</span> {pills}</summary>\n'
        f"{''.join(_object(item) for item in items)}</details>\n"
    )


def _object(item: ShownObject) -> str:
    former = f' <span class="quiet">was {code(item.former)}</span>' if item.former else ""
    kind = {How.ADDED: "good", How.REMOVED: "bad"}.get(item.how, "plain")
    head = f"<h3>{pill(str(item.how), kind)} {code(item.file)}{former}</h3>\n"
    changes = "".join(_change(change, item.spec) for change in item.changes)
    listing = f'<ul class="changes">\n{changes}</ul>\n' if changes else ""
    return f"<article>{head}{_impacts(item.impacts, item.spec)}{listing}</article>\n"


def _change(change: ShownChange, spec: str) -> str:
    note = ' <span class="quiet">a secret differs</span>' if change.hidden else ""
    place = change.origin
    origin = (
        f' <span class="quiet">{text(f"{place.file}:{place.line}")}</span>' if place.file else ""
    )
    return (
        f'<li><p class="path">{code(change.path)}{note}{origin}</p>\n'
        f"{_values(change)}{_impacts(change.impacts, spec)}</li>\n"
    )


def _values(change: ShownChange) -> str:
    if change.texts_only:
        return '<p class="quiet">the same data in another form</p>\n'
    if change.lines:
        return f'<pre class="lines" tabindex="0">{"".join(map(_line, change.lines))}</pre>\n'
    old = f"<del>{value(change.before)}</del>" if change.has_before else ""
    new = f"<ins>{value(change.after)}</ins>" if change.has_after else ""
    arrow = ' <span class="arrow" aria-label="becomes">→</span> ' if old and new else ""
    word = "" if change.how is How.CHANGED else f'<span class="quiet">{change.how}</span> '
    return f'<p class="values">{word}{old}{arrow}{new}</p>\n'


def _line(line: str) -> str:
    kind = _LINES.get(line[:1], "same")
    return f'<span class="{kind}">{text(line)}</span>\n'


def _impacts(impacts: tuple[Impact, ...], spec: str) -> str:
    found = sorted(distinct(impacts, spec), key=lambda item: _rank(item[0].effect))
    lines = "".join(_impact(impact, units) for impact, units in found)
    return f'<ul class="impacts">\n{lines}</ul>\n' if lines else ""


def _rank(effect: Effect) -> int:
    return RANKING.index(effect)


def _impact(impact: Impact, units: list[str]) -> str:
    names = ", ".join(code(unit) for unit in units)
    advice = f' <em class="advice">{sentence(impact.advice)}</em>' if impact.advice else ""
    said = f"{sentence(impact.consequence)}{advice}"
    return f"<li>{effect_pill(impact.effect)} {names}<br>{said}</li>\n"

"""The edits of a page: what each brings about, whom it reaches, and which objects say so."""

from collections.abc import Callable, Sequence

from renderer.outputs.diff.cause import Cause, Consequence, Difference, ReachedEnvironment
from renderer.outputs.diff.cause_words import (
    amount,
    edit_text,
    object_text,
    unit_texts,
    wrong_text,
)
from renderer.outputs.diff.html_elements import (
    both_values,
    code,
    folded,
    line_block,
    look,
    pill,
    sentence,
    text,
    value,
)
from renderer.outputs.diff.report import ShownChange, ShownEdit
from renderer.outputs.safe_text import shortened, value_text
from renderer.values.changes import Effect, How
from renderer.values.tree import Plain

_CALM = frozenset(("good", "moves", "plain"))
_MOST_OPEN = 3
_MOST_AT_ONCE = 50
_LONGEST_VALUE = 60
_EXAMPLES = 2


def show_causes(causes: Sequence[Cause]) -> str:
    """Every edit as a fold, in the order in which they matter; very many are folded again."""
    items = [
        _cause(number, cause, is_open=len(causes) <= _MOST_OPEN)
        for number, cause in enumerate(causes, 1)
    ]
    shown, rest = "".join(items[:_MOST_AT_ONCE]), "".join(items[_MOST_AT_ONCE:])
    more = amount(len(items) - _MOST_AT_ONCE, "more edit")
    return shown + (f"<details><summary>{more}</summary>\n{rest}</details>\n" if rest else "")


def _cause(number: int, cause: Cause, *, is_open: bool) -> str:
    alarming = cause.is_wrong or any(look(effect) not in _CALM for effect in cause.classes)
    wrong = [pill(f"errors: {wrong_text(cause)}", "bad")] if cause.is_wrong else []
    pills = " ".join((*wrong, *(_class_pill(*pair) for pair in cause.classes.items())))
    calm = '<span class="quiet">nothing that runs is reached</span>'
    places = " ".join(_environment(item) for item in cause.environments)
    lines = _examples(cause) if cause.pattern else line_block(cause.edit.change)
    consequences = "".join(_consequence(item) for item in cause.consequences)
    differences = "".join(
        _difference(item, cause.edit.change) for item in cause.differences if not item.repeats_edit
    )
    return (
        f'<details class="cause" id="edit-{number}"{" open" if is_open or alarming else ""}>'
        f'<summary><span class="edit">{number}. {_edit(cause)}</span>\n'
        f'<span class="hit">{places} {pills or calm}</span></summary>\n{_places(cause)}{lines}'
        f'<ul class="impacts">\n{consequences}</ul>\n<ul class="changes">\n{differences}</ul>\n'
        f'<p><a href="#specs" data-edit="{number}">Its specs, one by one</a></p></details>\n'
    )


def _edit(cause: Cause) -> str:
    """The edit in a line: its path, both values if they are short, and its place."""
    change = cause.edit.change
    said = text(edit_text(cause))
    if not change.path:
        return f"<strong>{said}</strong>"
    values = code(cause.pattern.text) if cause.pattern else short_values(change)
    return f"<strong><code>{said}</code></strong> {values}"


def _examples(cause: Cause) -> str:
    """Some of the edits that have a pattern in common, in full."""
    items = "".join(
        f"<li>{short_values(edit.change)} {code(_place(edit))}</li>"
        for edit in cause.edits[:_EXAMPLES]
    )
    return f'<ul class="changes">{items}</ul>\n'


def _place(edit: ShownEdit) -> str:
    return f"{edit.change.origin.file}:{edit.change.origin.line}"


def _places(cause: Cause) -> str:
    """Where the edit was made, in however many files; a single whole one is named already."""
    if not cause.edit.change.path and len(cause.edits) == 1:
        return ""
    names = [_place(edit) for edit in cause.edits if edit.change.origin.file]
    return f"<div>{folded(names)}</div>\n" if names else ""


def short_values(change: ShownChange) -> str:
    """Both sides on one line, long ones cut."""
    return _values(change, _short)


def _values(change: ShownChange, shown: Callable[[Plain], str]) -> str:
    """What is said of both sides; lines stand elsewhere."""
    note = ' <span class="quiet">a secret differs</span>' if change.hidden else ""
    if change.texts_only:
        return f'<span class="quiet">the same data in another form</span>{note}'
    word = "" if change.how is How.CHANGED else f'<span class="quiet">{change.how}</span> '
    if change.lines:
        return word + note
    return f"{word}{both_values(change, shown)}{note}"


def _short(content: Plain) -> str:
    shown = shortened(value_text(content), _LONGEST_VALUE)
    return f'<code class="value">{text(shown) or "&quot;&quot;"}</code>'


def _environment(item: ReachedEnvironment) -> str:
    mark = ' <span class="quiet">production</span>' if item.is_production else ""
    return (
        f'<span class="env"><b>{text(item.name)}</b>{mark} {amount(len(item.specs), "spec")}</span>'
    )


def _class_pill(effect: Effect, units: int) -> str:
    return pill(f"{effect} {amount(units, 'unit')}", look(effect))


def _consequence(item: Consequence) -> str:
    advice = f' <em class="advice">{sentence(item.advice)}</em>' if item.advice else ""
    count = _class_pill(item.effect, len(item.units))
    said = f"{sentence(item.consequence)}{advice}"
    return f"<li>{count} {said}<br>{folded(unit_texts(item.units))}</li>\n"


def _difference(item: Difference, edit: ShownChange) -> str:
    """A change and the objects that have it, or objects that come or go.

    Lines that read as those of the edit itself are not repeated.
    """
    names = folded([object_text(one) for one in item.objects])
    if item.change is None:
        kind = {How.ADDED: "good", How.REMOVED: "bad"}.get(item.how, "plain")
        return f"<li>{pill(str(item.how), kind)} {code(item.kind)} {names}</li>\n"
    values = code(item.pattern.text) if item.pattern else _values(item.change, value)
    said = f"{text(item.kind)} {code(item.change.path)} {values}"
    has_own = item.pattern is None and item.change.lines != edit.lines
    lines = line_block(item.change) if has_own else ""
    return f'<li><p class="path">{said}</p>\n{lines}{names}</li>\n'

"""A promotion as the message of a commit: what goes where, then each spec with its fields."""

from collections.abc import Iterator
from textwrap import wrap

from renderer.outputs.layout import PLAIN, Layout
from renderer.outputs.promotion.report import PromotionReport
from renderer.text.wording import visible

_SUBJECT, _BODY = 72, 72


def show(report: PromotionReport, _layout: Layout = PLAIN) -> str:
    """Nothing if there is nothing to commit."""
    if not report.files:
        return ""
    lines = [visible(subject(report)), *_body(report)]
    return "".join(f"{line}\n" for line in lines)


def subject(report: PromotionReport) -> str:
    """As many names as fit on the line."""
    names = [spec.partition("/")[2] for spec in _specs(report)] or ["variables"]
    end = f" from {report.source} to {report.target}"
    whole = f"Promote {', '.join(dict.fromkeys(names))}{end}"
    if len(whole) <= _SUBJECT:
        return whole
    some = f"Promote {names[0]} and {len(names) - 1} more{end}"
    number = f"Promote {len(names)} specs{end}"
    short = some if len(names) > 1 and len(some) <= _SUBJECT else number
    return short if len(short) <= _SUBJECT else f"{short[: _SUBJECT - 1]}…"


def _specs(report: PromotionReport) -> list[str]:
    return sorted({*(item.spec for item in report.carried), *report.created})


def _body(report: PromotionReport) -> Iterator[str]:
    if _specs(report) or report.variables:
        yield ""
    for spec in _specs(report):
        paths = [item.change.path for item in report.carried if item.spec == spec]
        what = "new" if spec in report.created else ", ".join(dict.fromkeys(paths))
        yield from _item(f"{spec}: {what}")
    for variable in report.variables:
        others = f"; also changes {', '.join(variable.changes)}" if variable.changes else ""
        yield from _item(f"vars.{variable.name}{others}")
    if report.not_carried:
        yield ""
        yield "Not carried:"
        for item in report.not_carried:
            yield from _item(f"{item.spec}: {item.change.path}".rstrip(": "))


def _item(text: str) -> list[str]:
    return wrap(
        visible(text),
        _BODY,
        initial_indent="- ",
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
    )

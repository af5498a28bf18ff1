"""Text that every reader takes as text: nothing in it steers a terminal, a parser or a page."""

import json
import re
from collections.abc import Callable
from typing import Any

from renderer.text.wording import listed
from renderer.values.diagnostics import Diagnostic
from renderer.values.tree import Plain

_SURROGATES = re.compile("[\ud800-\udfff]")
_STEERING = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)
_QUOTED = re.compile(r"`([^`]+)`")


def encodable(text: str) -> str:
    """Lone surrogates, as in names of files that are not UTF-8, by their numbers."""
    return _SURROGATES.sub(_number, text)


def encodable_data(data: Any) -> Any:
    """The same for every text in data."""
    if isinstance(data, dict):
        return {encodable(key): encodable_data(value) for key, value in data.items()}
    if isinstance(data, list):
        return [encodable_data(value) for value in data]
    return encodable(data) if isinstance(data, str) else data


def harmless(text: str) -> str:
    """Control characters by their numbers too, line ends among them."""
    return _STEERING.sub(_number, text)


def shortened(text: str, longest: int) -> str:
    """The beginning of a text that is too long."""
    return text if len(text) <= longest else f"{text[:longest]}…"


def end_of(text: str, longest: int) -> str:
    """The end of a text that is too long: of a path that is what tells it from others."""
    return text if len(text) <= longest else f"…{text[1 - longest :]}"


def value_text(value: Plain) -> str:
    """A value on a line: a text as it is, anything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def format_sentence(text: str, prose: Callable[[str], str], code: Callable[[str], str]) -> str:
    """Prose in which what stands in backticks is code, both in the words of a format."""
    parts = _QUOTED.split(text)
    return "".join(
        code(part) if number % 2 else prose(part) for number, part in enumerate(parts) if part
    )


def json_text(document: Any) -> str:
    """ASCII only, so that it survives every locale and cannot steer a terminal."""
    return json.dumps(document, indent=2) + "\n"


def explained(item: Diagnostic) -> str:
    """The message, why it matters, how to mend it, and where: a line each."""
    parts = {"why": item.why, "fix": item.fix}
    if len(item.environments) > 1:
        parts["in"] = listed(item.environments)
    notes = (f"{name}: {harmless(text)}" for name, text in parts.items() if text)
    return "\n".join((harmless(item.message), *notes))


def _number(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"

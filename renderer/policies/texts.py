"""Kubernetes' CEL functions of texts: URLs, and what a pattern finds."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

from renderer.kubernetes.patterns import found_texts

_KEY = "url()"
_CONTROLS = frozenset(map(chr, (*range(32), 127)))


def find(text: str, pattern: str) -> str:
    """The first that a pattern matches; the empty text if nothing does."""
    return next(iter(found_texts(pattern, text, 1)), "")


def find_all(text: str, pattern: str, limit: int = -1) -> list[str]:
    return found_texts(pattern, text, limit)


def url(text: str) -> dict[str, str]:
    if not is_url(text):
        raise ValueError(f"{text!r} is no URL")
    return {_KEY: text}


def is_url(text: str) -> bool:
    """An absolute one, or an absolute path, as Go parses the target of a request."""
    try:
        parts = urlsplit(text)
        parts.port  # noqa: B018 - is refused when it is read
    except ValueError:
        return False
    is_clean = not _CONTROLS.intersection(text) and " " not in parts.netloc
    return is_clean and bool(parts.scheme or text.startswith("/"))


def scheme(item: Any) -> str:
    return urlsplit(_text(item)).scheme


def host(item: Any) -> str:
    return urlsplit(_text(item)).netloc.rpartition("@")[2]


def hostname(item: Any) -> str:
    name, _, port_text = host(item).rpartition(":")
    whole = name if name and port_text.isdigit() else host(item)
    return whole.removeprefix("[").removesuffix("]")


def port(item: Any) -> str:
    found = urlsplit(_text(item)).port
    return "" if found is None else str(found)


def escaped_path(item: Any) -> str:
    return quote(urlsplit(_text(item)).path, safe="%/:@!$&'()*+,;=~-._")


def query(item: Any) -> dict[str, list[str]]:
    return parse_qs(urlsplit(_text(item)).query, keep_blank_values=True)


def _text(item: Any) -> str:
    if not isinstance(item, Mapping) or _KEY not in item:
        raise ValueError("no such overload")
    return str(item[_KEY])

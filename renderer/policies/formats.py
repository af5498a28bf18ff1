"""Kubernetes' CEL functions of named formats: `format.dns1123Label().validate(text)`."""

import re
from base64 import b64decode
from binascii import Error
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import date, datetime
from typing import Any

_KEY = "format()"
_LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_SUBDOMAIN = rf"{_LABEL}(\.{_LABEL})*"
_OLD_LABEL = "[a-z]([-a-z0-9]*[a-z0-9])?"
_QUALIFIED = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
_VALUE = rf"({_QUALIFIED})?"
_LABEL_LENGTH, _SUBDOMAIN_LENGTH = 63, 253
_LABEL_WORDS = (
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and "
    "must start and end with an alphanumeric character"
)
_SUBDOMAIN_WORDS = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "
    "'.', and must start and end with an alphanumeric character"
)
_OLD_LABEL_WORDS = (
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an "
    "alphabetic character, and end with an alphanumeric character"
)
_NAME_WORDS = (
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
    "alphanumeric character"
)
_VALUE_WORDS = (
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or "
    "'.', and must start and end with an alphanumeric character"
)
_UUID = re.compile("(?i)[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}")
_BYTE = re.compile(r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")
_TIME = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:?\d\d)", re.ASCII)
_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*")
Judge = Callable[[str], list[str]]


def _form(pattern: str, words: str, longest: int, *examples: str) -> Judge:
    """What Kubernetes says of a text that is longer, or does not match."""
    shown = " or ".join(f"'{example}', " for example in examples)
    message = f"{words} (e.g. {shown}regex used for validation is '{pattern}')"
    match = re.compile(pattern, re.ASCII).fullmatch

    def judge(text: str) -> list[str]:
        is_long = len(text.encode()) > longest
        found = [f"must be no more than {longest} characters"] if is_long else []
        return found if match(text) else [*found, message]

    return judge


_NAME = _form(_QUALIFIED, _NAME_WORDS, _LABEL_LENGTH, "MyName", "my.name", "123-abc")
_TWO_PARTS = 2


def _prefix(judge: Judge) -> Judge:
    """A text that something is added to may end with a dash."""
    return lambda text: judge(f"{text[:-2]}a" if text.endswith("-") and len(text) > 1 else text)


def _label(text: str) -> list[str]:
    found = _DNS_LABEL(text)
    if found and not _DNS_SUBDOMAIN(text):
        return [*found[:-1], "must not contain dots"]
    return found


def _qualified_name(text: str) -> list[str]:
    """A name with or without a subdomain before it."""
    parts = text.split("/")
    if len(parts) > _TWO_PARTS:
        ending = " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
        return [f"a qualified name {_NAME('')[0]}{ending}"]
    name, found = parts[-1], []
    if len(parts) == _TWO_PARTS:
        wrong = _DNS_SUBDOMAIN(parts[0]) if parts[0] else ["must be non-empty"]
        found = [f"prefix part {item}" for item in wrong]
    wrong = [*([] if name else ["must be non-empty"]), *_NAME(name)]
    return [*found, *(f"name part {item}" for item in wrong)]


def _uri(text: str) -> list[str]:
    """As a request names its target; the words are those of Go."""
    if not text:
        return ['parse "": empty url']
    if any(ord(sign) < ord(" ") or sign == "\x7f" for sign in text):
        return [f'parse "{text}": net/url: invalid control character in URL']
    scheme, colon, _ = text.partition(":")
    if text.startswith("/") or text == "*" or (colon and _SCHEME.fullmatch(scheme)):
        return []
    if colon and not scheme:
        return [f'parse "{text}": missing protocol scheme']
    return [f'parse "{text}": invalid URI for request']


def _check(is_right: Callable[[str], bool], words: str) -> Judge:
    return lambda text: [] if is_right(text) else [words]


def _is_byte(text: str) -> bool:
    with suppress(Error, ValueError):
        return bool(text and _BYTE.fullmatch(text)) and b64decode(text, validate=True) is not None
    return False


def _is_date(text: str) -> bool:
    with suppress(ValueError):
        return bool(_DATE.fullmatch(text)) and bool(date.fromisoformat(text))
    return False


def _is_time(text: str) -> bool:
    with suppress(ValueError):
        plain = f"{text[:10]}T{text[11:19]}"
        return bool(_TIME.fullmatch(text)) and bool(datetime.fromisoformat(plain))
    return False


_DNS_LABEL = _form(_LABEL, _LABEL_WORDS, _LABEL_LENGTH, "my-name", "123-abc")
_DNS_SUBDOMAIN = _form(_SUBDOMAIN, _SUBDOMAIN_WORDS, _SUBDOMAIN_LENGTH, "example.com")
_DNS_OLD_LABEL = _form(_OLD_LABEL, _OLD_LABEL_WORDS, _LABEL_LENGTH, "my-name", "abc-123")
_FORMATS: Mapping[str, Judge] = {
    "dns1123Label": _label,
    "dns1123Subdomain": _DNS_SUBDOMAIN,
    "dns1035Label": _DNS_OLD_LABEL,
    "qualifiedName": _qualified_name,
    "dns1123LabelPrefix": _prefix(_label),
    "dns1123SubdomainPrefix": _prefix(_DNS_SUBDOMAIN),
    "dns1035LabelPrefix": _prefix(_DNS_OLD_LABEL),
    "labelValue": _form(_VALUE, _VALUE_WORDS, _LABEL_LENGTH, "MyValue", "my_value", "12345"),
    "uri": _uri,
    "uuid": _check(lambda text: bool(_UUID.fullmatch(text)), "does not match the UUID format"),
    "byte": _check(_is_byte, "invalid base64"),
    "date": _check(_is_date, "invalid date"),
    "datetime": _check(_is_time, "invalid datetime"),
}
NAMES = tuple(_FORMATS)


def made(name: str) -> dict[str, str]:
    return {_KEY: name}


def named(name: str) -> list[dict[str, str]]:
    """A list with the format of that name; an empty one if there is none."""
    return [made(name)] if name in _FORMATS else []


def violations(item: Any, text: str) -> list[list[str]]:
    """A list with all that is wrong with a text; an empty one if nothing is."""
    if not isinstance(item, Mapping) or _KEY not in item:
        raise ValueError("no such overload")
    found = _FORMATS[item[_KEY]](text)
    return [found] if found else []

"""What looks like a secret, by its name or by its shape, and how it is hidden."""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from renderer.text.expressions import expression
from renderer.values.tree import Plain

HIDDEN = "••••••"
_NAMES = (
    r"(?:[A-Za-z0-9_.-]*[_.-])?(?:password|passwd|pwd|passphrase|secret|secret[_-]?key"
    r"|access[_-]?key(?:[_-]?(?:id|secret))?|api[_-]?key|auth[_-]?token|access[_-]?token"
    r"|private[_-]?key|credentials?|token)"
)
_PARTS_OF_NAMES = ("pass", "pwd", "secret", "key", "credent", "token")
_ENDS_OF_NAMES = expression(  # of names in small letters, where a dotless i stays one
    r"(?:pass(?:word|wd|phrase)|pwd|secret|token|credent..?als?|key(?:[_-]?..?d)?)(?![a-z0-9_.-])"
)
_CAMEL = expression(r"(?<=[a-z0-9])(?=[A-Z])")
_NAME = expression(_NAMES, re.IGNORECASE)
#: Their values are what objects in a cluster are called, which hold the secrets.
_NAMES_OF_OBJECTS = ("imagepullsecret", "kubeconfig_secret")
_AFTER_NAMES = " \t:=\"'\\"


class _Shape(NamedTuple):
    """A secret that is known by its form: what it is called, the form, and parts of the form.

    Every match contains at least one of the parts, which are looked for first.
    """

    name: str
    pattern: str
    parts: tuple[str, ...]


_SHAPES = (
    _Shape("a private key", r"-----BEGIN [A-Z ]*PRIVATE KEY-----[^\r\n]*", parts=("-----BEGIN ",)),
    _Shape("a password in an address", r"://[^/\s:@]+:[^/\s:@{}$<>]+@", parts=("@",)),
    _Shape("an AWS access key", r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b", parts=("AKIA", "ASIA")),
    _Shape("an Alibaba Cloud access key", r"\bLTAI[0-9A-Za-z]{12,26}\b", parts=("LTAI",)),
    _Shape(
        "a GitHub token",
        r"\b(?:gh[pousr]_[0-9A-Za-z]{36,}|github_pat_[0-9A-Za-z_]{22,})\b",
        parts=("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
    ),
    _Shape("a GitLab token", r"\bglpat-[0-9A-Za-z_-]{20,}\b", parts=("glpat-",)),
    _Shape("a Slack token", r"\bxox[abprs]-[0-9A-Za-z-]{10,}\b", parts=("xox",)),
    _Shape("a Google API key", r"\bAIza[0-9A-Za-z_-]{35}\b", parts=("AIza",)),
    _Shape(
        "a JSON web token",
        r"\beyJ(?:(?!-eyJ)[0-9A-Za-z_-]){10,}\.eyJ[0-9A-Za-z_-]{10,}\.[0-9A-Za-z_-]{5,}",
        parts=("eyJ",),
    ),
)
_PARTS_OF_SHAPES = tuple(part for shape in _SHAPES for part in shape.parts)
_ANY_SHAPE = expression("|".join(shape.pattern for shape in _SHAPES))
_KEY = r"""(?<![A-Za-z0-9{}]){}["'\\]*\s*[:=]\s*"""  # from the start of a word: in linear time
_CAMEL_NAMES = r"[a-z0-9]+(?:Password|Secret|SecretKey|AccessKey|ApiKey|Token|PrivateKey)"
_ASSIGNED = expression(_KEY.format("_.-", _NAMES), re.IGNORECASE)
_CAMEL_ASSIGNED = expression(_KEY.format("", _CAMEL_NAMES))
_NAMED = expression(
    rf"""\bname["'\\]*\s*:\s*["'\\]*{_NAMES}["'\\]*(?=\s*(?:,|$|#))""", re.IGNORECASE | re.MULTILINE
)
_OPTION = expression(rf"""(?<![\w-])-{{1,2}}{_NAMES}["']?\s*,\s*(?!["']?[-/$])""", re.IGNORECASE)
_OPTION_LINE = expression(rf"""^\s*-\s+["']?-{{1,2}}{_NAMES}["']?\s*(?:#.*)?$""", re.IGNORECASE)
_ITEM = expression(r"""\s*-\s+(?!["']?[-/$])""")
_VALUE = expression(r"""\bvalue["'\\]*\s*:\s*""")
_STARTS_BELOW = expression(r"(?:[|>][-+0-9]*)?\s*(?:#.*)?$")
_HARMLESS_START = expression(
    r"""["'\\]*+(?:null|none|true|false|~)?["'\\]*\s*(?=[,}\]#]|$)""", re.IGNORECASE
)
_REFERENCES = r"\$?\$\{[^}]*\}|\$\([^()]*\)|\{\{[^}]*\}\}|<[^>]*>"
_KEY_FILES = r"(?:[A-Za-z0-9._@-]+/)*[A-Za-z0-9._@-]+\.(?:pem|key|crt|der|p12|pfx|jks)"
_PATHS = rf"(?:file://|\.{{1,2}}(?=/)|~(?=/))?(?:/[A-Za-z0-9._@-]+)+/?|{_KEY_FILES}"
#: What follows: the end of a value, or of a word of a command.
_ELSEWHERE_START = expression(
    rf"""["'\\]*+(?P<place>{_REFERENCES}|{_PATHS})["'\\]*\s*(?=[,}}\]#;&|)]|--?[A-Za-z]|$)"""
)
_PATH = expression(_PATHS)
_MIXED = expression(r"[A-Z][^.]*[0-9]|[0-9][^.]*[A-Z]")
_PEM_BEGIN = expression(r"-----BEGIN [A-Z ]*PRIVATE KEY-----")
_PEM_END = expression(r"-----END [A-Z ]*PRIVATE KEY-----")
_REFERENCE = expression(r"\$?\$?\{[^}]*\}|\$\([^()]*\)|\{\{.*\}\}|<[^>]*>")
_REFERENCE_STARTS = ("$", "{", "<")
_HARMLESS = frozenset(("", "true", "false", "null", "none", "~"))


def is_secret_name(name: str) -> bool:
    """Whether a key says that its value is a secret: `secret_key`, `x.io/dbPassword`."""
    if name.lower() in _NAMES_OF_OBJECTS or not may_name(name):
        return False
    return bool(_NAME.fullmatch(_CAMEL.sub("_", name.rpartition("/")[2])))


def may_name(text: str) -> bool:
    """Whether there can be the name of a secret in a text: a quick look, as most have none."""
    folded = text.casefold()
    has_part = any(part in folded for part in _PARTS_OF_NAMES)
    return has_part and bool(_ENDS_OF_NAMES.search(folded))


def option_name(word: str) -> str:
    """The name of an option whose value is the next word, as in `--password`."""
    name = word.lstrip("-")
    return name if word.startswith("-") and is_secret_name(name) else ""


def is_harmless(value: str) -> bool:
    """Whether a value is a reference, the path of a file or nothing, and so gives nothing away."""
    bare = value.strip()
    if bare.startswith(_REFERENCE_STARTS) and _REFERENCE.fullmatch(bare):
        return True
    return bare.lower() in _HARMLESS or _is_path(bare)


def _is_path(text: str) -> bool:
    """Whether a text is the path of a file; random letters and digits with slashes are none."""
    if ("/" not in text and "." not in text) or not _PATH.fullmatch(text):
        return False
    return "." in text or text.startswith("file:") or not _MIXED.search(text)


def shape_of(text: str) -> str:
    """What kind of secret a text contains, by its shape."""
    if not may_have_shape(text) or not _ANY_SHAPE.search(text):
        return ""
    return next((shape.name for shape in _SHAPES if re.search(shape.pattern, text)), "")


def may_have_shape(text: str) -> bool:
    """Whether there can be a secret in a text by its shape: a quick look, as most have none."""
    return any(part in text for part in _PARTS_OF_SHAPES)


def assigned_secret(text: str) -> int | None:
    """Where a text first gives a value to something that is called a secret."""
    begin = 0
    for line in text.splitlines(keepends=True) if may_name(text) else ():
        bare = line.rstrip("\r\n")
        given = [start for start in _value_starts(bare) if not _starts_harmlessly(bare, start)]
        if given:
            return begin + min(given)
        begin += len(line)
    return None


def _starts_harmlessly(line: str, start: int) -> bool:
    """Whether what begins at an index is nothing, or only says where the value is."""
    if _HARMLESS_START.match(line, start):
        return True
    elsewhere = _ELSEWHERE_START.match(line, start)
    return bool(elsewhere and is_harmless(elsewhere["place"]))


def masked(text: str) -> str:
    """A line with the secrets in it hidden, and what follows one on the line with it."""
    if may_have_shape(text):
        text = _ANY_SHAPE.sub(HIDDEN, text)
    for start in sorted(_value_starts(text)) if may_name(text) else ():
        if not _starts_harmlessly(text, start):
            return f"{text[:start]}{HIDDEN}"
    return text


def _value_starts(line: str) -> Iterator[int]:
    """Where the values of secret keys begin."""
    for match in (found for p in (_ASSIGNED, _CAMEL_ASSIGNED) for found in p.finditer(line)):
        if match[0].rstrip(_AFTER_NAMES).lower() not in _NAMES_OF_OBJECTS:
            yield match.end()
    yield from (match.end() for match in _OPTION.finditer(line))
    if named := _NAMED.search(line):
        yield from (match.end() for match in _VALUE.finditer(line, named.end()))


def masked_text(text: str) -> str:
    """A file's text with secrets hidden, those included that go over several lines."""
    if not may_have_shape(text) and not may_name(text):
        return text
    shown: list[str] = []
    below: int | None = None
    in_key = named = after_option = False
    for line in text.splitlines(keepends=True):
        body = line.rstrip("\r\n")
        indent = len(body) - len(body.lstrip())
        below = below if below is not None and (indent > below or not body.strip()) else None
        in_key = in_key or bool(_PEM_BEGIN.search(body))
        value = _VALUE.search(body) if named else _ITEM.match(body) if after_option else None
        hide = below is not None or in_key
        done = HIDDEN if hide else masked(body)
        if value and not hide:
            done = f"{body[: value.end()]}{HIDDEN}"
        shown.append(done + line[len(body) :])
        may = may_name(body)
        if may and below is None and any(_STARTS_BELOW.match(body, s) for s in _value_starts(body)):
            below = indent
        named, after_option = (bool(may and p.search(body)) for p in (_NAMED, _OPTION_LINE))
        in_key = in_key and not _PEM_END.search(body)
    return "".join(shown)


def hidden(value: Plain, name: str = "") -> Plain:
    """A value with the secrets in it hidden, by their names and by their shapes."""
    if isinstance(value, dict):
        return {key: hidden(child, _name_of(key, value)) for key, child in value.items()}
    if isinstance(value, list):
        before = ["", *(option_name(item) if isinstance(item, str) else "" for item in value)]
        return [hidden(child, option or name) for option, child in zip(before, value, strict=False)]
    if not isinstance(value, str):
        return value
    if is_secret_name(name) and not is_harmless(value):
        return HIDDEN
    return masked_text(value) if "\n" in value else masked(value)


def _name_of(key: str, members: Mapping[str, Plain]) -> str:
    """What a member is called: by its key, or as in `{name: PASSWORD, value: …}`."""
    given = members.get("name")
    return given if key == "value" and isinstance(given, str) else key

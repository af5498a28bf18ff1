"""What looks like a secret, by its name or by its shape, and how it is hidden."""

import re

from renderer.tree import Plain

HIDDEN = "••••••"
_NAMES = (
    r"(?:[A-Za-z0-9_.-]*[_.-])?(?:password|passwd|passphrase|secret|secret[_-]?key|access[_-]?key"
    r"(?:[_-]?(?:id|secret))?|api[_-]?key|auth[_-]?token|access[_-]?token|private[_-]?key|token)"
)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_NAME = re.compile(_NAMES, re.IGNORECASE)
_SHAPES = {
    "a private key": r"-----BEGIN [A-Z ]*PRIVATE KEY-----",
    "an AWS access key": r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b",
    "an Alibaba Cloud access key": r"\bLTAI[0-9A-Za-z]{12,26}\b",
    "a GitHub token": r"\b(?:gh[pousr]_[0-9A-Za-z]{36,}|github_pat_[0-9A-Za-z_]{22,})\b",
    "a GitLab token": r"\bglpat-[0-9A-Za-z_-]{20,}\b",
    "a Slack token": r"\bxox[abprs]-[0-9A-Za-z-]{10,}\b",
    "a Google API key": r"\bAIza[0-9A-Za-z_-]{35}\b",
    "a JSON web token": r"\beyJ[0-9A-Za-z_-]{10,}\.eyJ[0-9A-Za-z_-]{10,}\.[0-9A-Za-z_-]{5,}",
}
_ANY_SHAPE = re.compile("|".join(_SHAPES.values()))
_VALUE = r"""(?P<value>\$?\$\{[^}]*\}|\\?"(?:[^"\\]|\\[^"])*\\?"|'[^']*'|[^\s,}\]#'"]+)"""
_KEY = r"""(?P<name>["'\\]*\b{}["'\\]*\s*[:=]\s*)"""
_ASSIGNED = re.compile(_KEY.format(_NAMES) + _VALUE, re.IGNORECASE)
_CAMEL_KEYS = re.compile(
    _KEY.format(r"[a-z0-9]+(?:Password|Secret|SecretKey|AccessKey|ApiKey|Token|PrivateKey)")
    + _VALUE
)
_PEM_BEGIN = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----")
_PEM_END = re.compile(r"-----END [A-Z ]*PRIVATE KEY-----")
_REFERENCE = re.compile(r"\$?\$?\{[^}]*\}|\{\{.*\}\}|<[^>]*>")
_HARMLESS = frozenset(("", "true", "false", "null", "none", "~"))


def is_secret_name(name: str) -> bool:
    """Whether a key says that its value is a secret: `secret_key`, `dbPassword`."""
    return bool(_NAME.fullmatch(_CAMEL.sub("_", name)))


def is_harmless(value: str) -> bool:
    """Whether a value is a reference or nothing, and so gives nothing away."""
    return value.strip().lower() in _HARMLESS or bool(_REFERENCE.fullmatch(value.strip()))


def shape_of(text: str) -> str:
    """What kind of secret a text contains, by its shape."""
    for name, pattern in _SHAPES.items():
        if re.search(pattern, text):
            return name
    return ""


def masked(text: str) -> str:
    """A line with the secrets in it hidden."""
    text = _ANY_SHAPE.sub(HIDDEN, text)
    return _ASSIGNED.sub(_mask_value, _CAMEL_KEYS.sub(_mask_value, text))


def masked_text(text: str) -> str:
    """A file's text with secrets hidden line by line, the bodies of private keys included."""
    shown: list[str] = []
    inside = False
    for line in text.splitlines(keepends=True):
        end = line[len(line.rstrip("\r\n")) :]
        inside = inside or bool(_PEM_BEGIN.search(line))
        shown.append(f"{HIDDEN}{end}" if inside else masked(line))
        inside = inside and not _PEM_END.search(line)
    return "".join(shown)


def hidden(value: Plain, name: str = "") -> Plain:
    """A value with the secrets in it hidden, by their names and by their shapes."""
    if isinstance(value, dict):
        return {key: hidden(child, key) for key, child in value.items()}
    if isinstance(value, list):
        return [hidden(child, name) for child in value]
    if not isinstance(value, str):
        return value
    return HIDDEN if is_secret_name(name) and not is_harmless(value) else masked(value)


def _mask_value(match: re.Match[str]) -> str:
    value = match["value"]
    if is_harmless(value.strip("\"'\\")):
        return match[0]
    return f"{match['name']}{HIDDEN}"

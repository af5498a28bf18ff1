"""Which values are no secrets, whatever they are called: references, paths and placeholders."""

import re
from collections.abc import Iterable, Sequence

from renderer.text.expressions import expression
from renderer.text.secrets.names import is_secret_name, is_vague_name, option_name

#: None is longer than this, so that looking for the end of one takes no time.
_SOME = "{0,400}"
_REFERENCES = (
    rf"\$\{{\{{[^}}]{_SOME}\}}\}}|\$?\$?\{{[^}}]{_SOME}\}}|\$\([^()]{_SOME}\)|\$[A-Za-z_]\w{_SOME}|\$[0-9@*]|`[^`]{_SOME}`"
    rf"|\{{\{{[^}}]{_SOME}\}}\}}|<[^>]{_SOME}>|\[[A-Za-z_ ]{_SOME}\]|%[A-Za-z_]\w{_SOME}%"
    rf"|%\([^()]{_SOME}\)s|@[A-Za-z_]\w{_SOME}@|__\w{_SOME}__"
)
_KEY_FILES = r"(?:[A-Za-z0-9._@-]+/)*[A-Za-z0-9._@-]+\.(?:pem|key|crt|der|p12|pfx|jks)"
_PATHS = rf"(?:file://|\.{{1,2}}(?=/)|~(?=/))?(?:/[A-Za-z0-9._@-]+)+/?|{_KEY_FILES}"
#: What begins with a reference or a path, and what may follow it on a line.
PLACE = expression(
    rf"""["'\\]*+(?P<place>{_REFERENCES}|{_PATHS})["'\\]*\s*(?=[,}}\]#;&|)]|--?[A-Za-z]|$)"""
)
#: The same for a word of a command.
PLACE_WORD = expression(rf"""["'\\]*+(?P<place>{_REFERENCES}|{_PATHS})(?=[\s"'`;&|,)\\]|$)""")
NOTHING = expression(
    r"""["'\\]*+(?:null|none|true|false|~)?["'\\]*\s*(?=[,}\]#]|$)""", re.IGNORECASE
)
_REFERENCE = expression(rf"{_REFERENCES}|\{{\{{.*\}}\}}", re.DOTALL)
_REFERENCE_STARTS = ("$", "{", "<", "`", "[", "%", "@", "__")
_PATH = expression(_PATHS)
_MIXED = expression(r"[A-Z][^.]*[0-9]|[0-9][^.]*[A-Z]")
#: What stores of secrets and libraries are asked for one by.
_STORED = expression(
    r"(?:vault|ref\+[a-z0-9]+|op|akv|sm|ssm|awssm|gcpsm|secretref|secret)://\S+|vault:[\w/.-]+#\S+"
    r"|arn:aws[\w-]*:(?:secretsmanager|ssm|kms):\S+|projects/[^/\s]+/(?:secrets|\S+/cryptoKeys)/\S+|ENC\[.*\]"
    r"|(?:os\.environ|process\.env)\b.*|(?:env|var|local|self|args|config|settings)[:.][A-Za-z_][\w.]*|[A-Za-z_]\w*(?:\.\w+)*\([^()]*\)",
    re.DOTALL,
)
#: What SOPS writes in the place of a value.
_ENCRYPTED = expression(r"ENC\[AES256_GCM,[A-Za-z0-9+/=:,_-]*\]")
#: What examples have in the place of a secret.
FILLER = expression(r"[xX]{6}|[*#]{4}")
_PLACEHOLDER = expression(
    r"[xX]{3,}|[*.•-]+|…|(?:your|insert|replace|put|enter)[-_ ][\w -]*"
    r"|(?:\w+[-_ ])?(?:here|placeholder|redacted)|redacted|masked|dummy|fake|empty|unused"
    r"|not[-_ ]?(?:needed|used|set|required)|%[sdv]|tb[ad]|n/a|todo",
    re.IGNORECASE,
)
_VARIABLE = expression(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
_SCHEME = expression(
    r"^(?:bearer|basic|token|api-?token|apikey|digest|negotiate)(?:\s+|$)", re.IGNORECASE
)
_NUMBER = expression(r"-?[0-9]{1,4}(?:\.[0-9]*)?")
_KEYS_AND_TOKENS = expression(r"(?:key|token)[^a-z]*$", re.IGNORECASE)
_TOKEN = expression(r"token[^a-z]*$", re.IGNORECASE)
_SEPARATOR = expression(r".{1,2}|[^0-9A-Za-z]{3}", re.DOTALL)
_SHORTEST_RANDOM = 8
_PIECE = expression(r"[0-9A-Za-z]+")
#: A piece of a name that people choose: `recommender`, `blue2`, `modelServer`, `8b`, `GPTQ`.
_CHOSEN = expression(
    r"(?:[A-Z]*+|[a-z]{1,2}|[A-Z]{0,4}[a-z]{3,}+(?:[A-Z]{1,4}[a-z]{3,}+)*+)[0-9]{0,8}[A-Za-z]{0,3}"
)
_ENTRY = expression(r"[A-Za-z0-9._-]{1,63}")
_HARMLESS = frozenset(
    ("", "0", "1", "true", "false", "null", "none", "nil", "~", "yes", "no", "on", "off", "enabled",
     "disabled", "required", "optional", "auto")
)  # fmt: skip
_LONGEST_WORDS = 200


def is_secret(name: str, value: str) -> bool:
    """Whether a value is a secret, by its name."""
    return is_secret_name(name) and not is_harmless(value, name)


def is_harmless(value: str, name: str = "") -> bool:
    """Whether a value is a reference, a path, a placeholder or nothing, and gives nothing away."""
    bare = _SCHEME.sub("", value.strip(), count=1)
    if bare.lower() in _HARMLESS or is_path(bare) or is_encrypted(bare):
        return True
    if bare.startswith(_REFERENCE_STARTS) and _REFERENCE.fullmatch(bare):
        return True
    if len(bare) <= _LONGEST_WORDS and _says_nothing(bare):
        return True
    if _SEPARATOR.fullmatch(bare) and _TOKEN.search(name):
        return True
    if _NUMBER.fullmatch(bare) and _KEYS_AND_TOKENS.search(name):
        return True
    return is_vague_name(name) and not looks_random(bare)


def is_encrypted(text: str) -> bool:
    """Whether a text is a value as SOPS encrypts it."""
    return bool(_ENCRYPTED.fullmatch(text))


def looks_random(text: str) -> bool:
    """Whether a text mixes letters and digits in a way that no name or sentence does."""
    pieces = _PIECE.findall(text) if len(text) >= _SHORTEST_RANDOM else ()
    return any(_is_mixed(piece) and not _CHOSEN.fullmatch(piece) for piece in pieces)


def _is_mixed(piece: str) -> bool:
    return not piece.isalpha() and not piece.isdigit()


def _says_nothing(text: str) -> bool:
    """Whether a short text says where a secret is kept, or stands for one that is not there."""
    if _PLACEHOLDER.fullmatch(text) or _STORED.fullmatch(text) or FILLER.search(text):
        return True
    return bool(_VARIABLE.fullmatch(text)) and is_secret_name(text)


def is_path(text: str) -> bool:
    """Whether a text is the path of a file; random letters and digits with slashes are none."""
    if ("/" not in text and "." not in text) or not _PATH.fullmatch(text):
        return False
    return "." in text or text.startswith("file:") or not _MIXED.search(text)


def is_entry(text: str) -> bool:
    """Whether a text may be what an entry of a Secret is called; random letters are none."""
    return bool(_ENTRY.fullmatch(text)) and not _MIXED.search(text)


_PLURAL = expression(r"(?:password|key)s$", re.IGNORECASE)
_ENTRIES = ("secretkey", "secret_key", "secret-key")
_USERS = ("-u", "--user", "--proxy-user")
_SIBLING_REFERENCES = ("remoteref", "secretname", "secret_name", "secret-name")


def name_of_member(
    key: str, value: object, name: object, beside: Iterable[str], parent: str
) -> str:
    """What a member of a mapping is called, which may have a `name` among the keys beside it.

    The variable of `{name: PASSWORD, value: …}` is called by its name, the value of
    `redisPassword: {value: …}` by what has it. What names an entry of a Secret is not called so.
    """
    if key == "value":
        return name if isinstance(name, str) else parent
    if key.lower().endswith(_ENTRIES) and _names_entry(key, value, beside, parent):
        return ""
    return key


def _names_entry(key: str, value: object, beside: Iterable[str], parent: str) -> bool:
    """Whether a `secretKey` says which entry of a Secret is meant, not what is in it."""
    prefix, _, last = key.rpartition("/")
    if last.lower() not in _ENTRIES or not isinstance(value, str) or not is_entry(value):
        return False
    if prefix or parent == "storage":
        return True
    return any(name.lower().endswith(_SIBLING_REFERENCES) for name in beside)


def name_of_item(items: Sequence[object], at: int, parent: str) -> str:
    """What an item of a list is called: by the option before it, or by what the list is called."""
    before = items[at - 1] if at else None
    if isinstance(before, str) and before.startswith("-"):
        name = option_name(before) or _user_of_curl(items, at)
        if name:
            return name
    if is_secret_name(parent):
        return parent
    return parent[:-1] if _PLURAL.search(parent) and is_secret_name(parent[:-1]) else ""


def _user_of_curl(items: Sequence[object], at: int) -> str:
    """The name and password after `curl -u`."""
    value = items[at]
    if items[at - 1] not in _USERS or not isinstance(value, str):
        return ""
    has_password = ":" in value.strip(":") and not value.replace(":", "").isdigit()
    calls_curl = any(str(item).rpartition("/")[2] == "curl" for item in items[: at - 1])
    return "userpassword" if has_password and calls_curl else ""

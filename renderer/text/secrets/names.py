"""Which names say that a value is a secret: the rules and the masks ask here."""

import re
from collections.abc import Mapping
from functools import lru_cache

from renderer.text.expressions import expression
from renderer.values.named_tuple import NamedTuple

_MOST_NAMES = 4096
#: Environments, versions and encodings after the word that counts: `ACCESS_TOKEN_V2`.
_SUFFIXES = (
    r"(?:[_.-]?(?:v?[0-9]++|production|prod|staging|stage|dev|test|old|new|current|previous|primary"
    r"|secondary|backup|main|default|value|plaintext|plain|text|raw|base64|b64|hex|string|str))*+"
)
_END = r"(?![.-]*+[a-z0-9_])"
_KEYS = (
    "access", "admin", "aes", "anthropic", "api", "auth", "authentication", "authorization",
    "cipher", "cohere", "crypto", "decryption", "encrypt", "encryption", "fernet", "gemini", "gpg",
    "groq", "hf", "hmac", "huggingface", "jwt", "langchain", "langsmith", "licence", "license",
    "litellm", "master", "mistral", "ngc", "nvidia", "openai", "pgp", "pinecone", "private", "rsa",
    "salt", "secret", "sign", "signing", "ssh", "ssl", "stripe", "tls", "wandb",
)  # fmt: skip
#: A key of these may as well be a name or a column: `SESSION_KEY: user_id`.
_VAGUE_KEYS = (
    "account", "app", "application", "aws", "azure", "client", "consumer", "cookie", "deploy",
    "deployment", "gcp", "google", "service", "session", "shared", "signature", "storage",
    "subscription",
)  # fmt: skip
_PASSES = (
    "account", "admin", "amqp", "api", "app", "auth", "basic", "cert", "client", "database", "db",
    "docker", "elastic", "email", "es", "ftp", "git", "http", "https", "kafka", "key", "keystore",
    "ldap", "login", "mail", "master", "minio", "mongo", "mongodb", "mysql", "nexus", "pg",
    "postgres", "proxy", "rabbit", "rabbitmq", "redis", "registry", "require", "root", "s3", "sasl",
    "server", "service", "sftp", "smtp", "sql", "ssh", "ssl", "sudo", "tls", "truststore", "user",
)  # fmt: skip


class _Word(NamedTuple):
    """What may follow a word that names a secret, and what must stand before it, if anything."""

    after: re.Pattern[str]
    owners: tuple[str, ...] = ()


_ANY_OWNER = _Word(expression(rf"{_SUFFIXES}{_END}"))
_KEY = _Word(expression(rf"(?:[_.-]?(?:id|secret|data))?{_SUFFIXES}{_END}"), _KEYS)
_CLEAR_WORDS: Mapping[str, _Word] = {
    **dict.fromkeys(
        ("password", "passwd", "passphrase", "passcode", "pwd", "secret", "token"), _ANY_OWNER
    ),
    "authorization": _Word(expression(_END)),
    "credential": _Word(expression(rf"s?{_SUFFIXES}{_END}")),
    "key": _KEY,
    "pass": _Word(_ANY_OWNER.after, _PASSES),
    "pat": _Word(_ANY_OWNER.after, ("gh", "github", "gitlab", "git", "azure", "devops", "ext")),
}
_WORDS = {**_CLEAR_WORDS, "key": _KEY._replace(owners=(*_KEYS, *_VAGUE_KEYS))}
_LETTERS = expression(r"[\w.-]+")
_CAMEL = expression(r"(?<=[a-z0-9])(?=[A-Z])")
#: Letters that are i, k or s to whoever does not look at the case.
_ODD = str.maketrans({"\u0130": "i", "\u0131": "i", "\u212a": "k", "\u017f": "s"})
#: Tokens of texts, names of objects, and what is on or off; of names in small letters.
_OTHERS = expression(
    r"(?:^|[_.-])(?:added|assistant|audio|begin|blank|boi|bos|char|cls|completion|continue|csrf"
    r"|delimiter|draft|end|eod|eoi|eom|eos|eot|extra|fim|first|forced|generated|image|img|input"
    r"|last|mask|max|middle|min|ms|next|num|output|pad|page|per|prefix|prompt|reasoning|sep"
    r"|separator|space|special|start|stop|suffix|system|target|think|thinking|time|tool|unk|user"
    r"|video|word)[_.-]?token$"
    r"|(?:^|[_.-])(?:ca|cert|certificate|existing|from|image|imagepull|kubeconfig|pull|tls)[_.-]?secret$"
    r"|^(?:allow|disable|enable|has|is|needs|no|require|skip)[_.-]"
)


@lru_cache(maxsize=_MOST_NAMES)
def is_secret_name(name: str) -> bool:
    """Whether a key says that its value is a secret: `secret_key`, `x.io/dbPassword`, `HFTOKEN`."""
    last = name.rpartition("/")[2]
    if not may_name(last) or not _LETTERS.fullmatch(last):
        return False
    return not _OTHERS.search(_folded(_CAMEL.sub("_", last)))


@lru_cache(maxsize=_MOST_NAMES)
def is_vague_name(name: str) -> bool:
    """Whether only a value that looks random is a secret by this name, as in `SERVICE_KEY`."""
    folded = _folded(name.rpartition("/")[2])
    return is_secret_name(name) and not any(
        _has_word(folded, word, form) for word, form in _CLEAR_WORDS.items()
    )


def may_name(text: str) -> bool:
    """Whether there can be the name of a secret in a text: a quick look, as most have none."""
    folded = _folded(text)
    return any(_has_word(folded, word, form) for word, form in _WORDS.items())


def _folded(text: str) -> str:
    return (text if text.isascii() else text.translate(_ODD)).lower()


def _has_word(text: str, word: str, form: _Word) -> bool:
    at = text.find(word)
    while at >= 0:
        if _has_owner(text, at, form.owners) and form.after.match(text, at + len(word)):
            return True
        at = text.find(word, at + 1)
    return False


def _has_owner(text: str, at: int, owners: tuple[str, ...]) -> bool:
    end = at - 1 if at and text[at - 1] in "_.-" else at
    return not owners or text.endswith(owners, 0, end)


def option_name(word: str) -> str:
    """The name of an option whose value is the next word, as in `--password`."""
    name = word.lstrip("-")
    return name if word.startswith("-") and is_secret_name(name) else ""

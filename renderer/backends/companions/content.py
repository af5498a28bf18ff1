"""Edits of what pods read: which of them see it, and when."""

from collections.abc import Iterable, Iterator, Mapping

from renderer.backends.companions.kinds import SOPS
from renderer.backends.companions.made_objects import makes
from renderer.backends.fields import text
from renderer.derive.behaviour import ChangeKind, Row, Situation
from renderer.text.wording import listed
from renderer.values.changes import Effect
from renderer.values.derivations import Applied, Reader, Reading

_KEPT = (Reading.VARIABLES, Reading.PART_OF_VOLUME)
_RESTART = "Restart them, as with `kubectl rollout restart`"
#: Its controller deletes Secrets that it made and no longer makes; others leave them.
_OWNER = "ExternalSecret"
_TARGET = ("spec", "target")
_DATA = ("data", "binaryData", "stringData")

CHANGE_KINDS: Mapping[str, ChangeKind] = {
    "content-kept": ChangeKind(
        Effect.DEFERRED,
        "{field} changed, and no pod is replaced for it: the pods of {users} keep the old content "
        "until they restart, because they read it {how}.",
        f"{_RESTART}, or let `$naming: hashed` do it with every edit.",
    ),
    "content-followed": ChangeKind(
        Effect.IN_PLACE,
        "{field} changed: the new content reaches {users} within a minute or so, as {how}; no pod "
        "is replaced.",
    ),
    "content-unread": ChangeKind(
        Effect.IN_PLACE, "{field} of the {kind} changes in place, and nothing in Git reads it."
    ),
    "secret-kept": ChangeKind(
        Effect.DEFERRED,
        "{field} changed: the Secret `{secret}` follows, but neither an edit nor a rotation "
        "replaces a pod: those of {users} keep the old content until they restart, because they "
        "read it {how}.",
        f"{_RESTART}.",
    ),
    "secret-followed": ChangeKind(
        Effect.IN_PLACE,
        "{field} changed: the Secret `{secret}` follows, and the new content reaches {users} "
        "within a minute or so after that, as {how}; neither an edit nor a rotation replaces a "
        "pod.",
    ),
    "secret-unread": ChangeKind(
        Effect.IN_PLACE,
        "{field} changed: the Secret `{secret}` follows, and nothing in Git reads it.",
    ),
    "encryption": ChangeKind(
        Effect.IN_PLACE,
        "{field} says how the file is encrypted: the Secret in the cluster does not have it.",
    ),
    "secret-renamed": ChangeKind(
        Effect.RECREATE,
        "The Secret `{before_secret}` becomes `{secret}`: another one is made, and the controller "
        "deletes the former. Pods that still name it do not start any more.",
        "What names the old one without being in Git must follow first.",
        pods=False,
    ),
    "secret-left": ChangeKind(
        Effect.ORPHANS,
        "The Secret `{before_secret}` becomes `{secret}`: another one is made, and the former "
        "stays as it is, without being updated.",
        "If nothing needs it any more, delete it: `kubectl delete secret {before_secret}`.",
        pods=False,
    ),
}
_HOW = {
    Reading.VARIABLES: "as variables",
    Reading.PART_OF_VOLUME: "from a volume with subPath",
    Reading.FILES: "their mounted files follow",
    Reading.CONTROLLER: "their controllers look again",
}


def _readers(situation: Situation, *readings: Reading) -> list[Reader]:
    """Those who read what was edited in such ways."""
    path, of = situation.path, situation.applied
    key = str(path[1]) if path[:1] and path[0] in _DATA and len(path) > 1 else ""
    return [
        reader
        for reader in of.find_readers()
        if reader.reading in readings and (not key or not reader.keys or key in reader.keys)
    ]


def _has_kept(situation: Situation) -> bool:
    return bool(_readers(situation, *_KEPT))


def _has_followed(situation: Situation) -> bool:
    return bool(_readers(situation, Reading.FILES, Reading.CONTROLLER))


def _has_none(situation: Situation) -> bool:
    return not _readers(situation, *Reading)


def _words(situation: Situation, *readings: Reading) -> Mapping[str, str]:
    found = _readers(situation, *readings)
    ways = dict.fromkeys(reader.reading for reader in found)
    return {
        "users": listed(dict.fromkeys(map(str, found))),
        "how": listed(_HOW[way] for way in ways),
        "secret": _secret(situation.after or situation.before),
        "before_secret": _secret(situation.before),
    }


def _kept_words(situation: Situation) -> Mapping[str, str]:
    return _words(situation, *_KEPT)


def _followed_words(situation: Situation) -> Mapping[str, str]:
    return _words(situation, Reading.FILES, Reading.CONTROLLER)


def _secret(side: Applied | None) -> str:
    """The name of the Secret that a controller makes of a companion; nothing if none does."""
    made = makes(side.spec._replace(tree=side.tree)) if side else ()
    return next((name for kind, name in made if kind == "Secret"), "")


def _has_another_secret(situation: Situation) -> bool:
    return _secret(situation.before) != _secret(situation.after)


def _leaves_secret(situation: Situation) -> bool:
    """Whether the controller did not own the Secret that it no longer makes."""
    tree = situation.before.tree if situation.before else None
    policy = text(tree, *_TARGET, "creationPolicy") if tree else ""
    is_owned = situation.kind == _OWNER and policy in ("", "Owner")
    return not is_owned and _has_another_secret(situation)


def content_rows() -> Iterator[Row]:
    """Of ConfigMaps, and of what controllers make Secrets of."""
    for key in _DATA:
        yield from _reader_rows("content", (key,), "ConfigMap")
        yield from _reader_rows("secret", (key,), "Secret")
    yield Row("encryption", (SOPS,), of="Secret")
    for kind in (_OWNER, "SealedSecret", "Certificate"):
        yield Row("secret-left", ("spec",), of=kind, when=_leaves_secret, words=_kept_words)
        yield Row("secret-renamed", ("spec",), of=kind, when=_has_another_secret, words=_kept_words)
        yield from _reader_rows("secret", ("spec",), kind)


def _reader_rows(name: str, path: tuple[str, ...], kind: str) -> Iterable[Row]:
    return (
        Row(f"{name}-unread", path, of=kind, when=_has_none, words=_kept_words),
        Row(f"{name}-kept", path, of=kind, when=_has_kept, words=_kept_words, goes_on=True),
        Row(f"{name}-followed", path, of=kind, when=_has_followed, words=_followed_words),
        Row("", path, of=kind),
    )

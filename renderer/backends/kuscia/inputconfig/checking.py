"""What protobuf's strict JSON reader refuses in a tree, each fault with its remedy."""

from collections.abc import Iterator, Mapping
from enum import Enum as Choice
from enum import auto
from typing import NamedTuple

from renderer.backends.kuscia.inputconfig.messages import (
    LIST,
    MAP,
    Enum,
    Field,
    Message,
    Type,
    camel,
)
from renderer.backends.kuscia.inputconfig.values import enum_number, kind_of, scalar_fault
from renderer.backends.kuscia.versions import Version
from renderer.diagnostics import Finding, Path
from renderer.tree import Node
from renderer.wording import listed, nearest

_LONGEST_NAME = 40


class Fault(Choice):
    """Which of the reader's demands is not met."""

    UNKNOWN = auto()
    RENAMED = auto()
    TWICE = auto()
    VALUE = auto()
    ONEOF = auto()
    NEWER = auto()


class Problem(NamedTuple):
    """A finding, and the demand that it belongs to."""

    fault: Fault
    finding: Finding


def check(node: Node, kind: Message, version: Version | None, path: Path = ()) -> Iterator[Problem]:
    """Everything that keeps a tree from being read as a message by a version (the newest)."""
    return _Check(version).message(node, kind, path, "the input config")


class _Check:
    def __init__(self, version: Version | None) -> None:
        self.version = version

    def message(self, node: Node, kind: Message, path: Path, name: str) -> Iterator[Problem]:
        if not isinstance(node.value, Mapping):
            yield _wrong(path, f"{name} is {kind_of(node)}, not a mapping", "write a mapping")
            return
        seen: dict[str, str] = {}
        for written, child in node.items.items():
            field = kind.field(written)
            if field is None:
                yield _unknown(written, kind, path, node)
                continue
            if child.value is not None:
                yield from _repeated(written, field, seen, path)
                seen[field.oneof or field.name] = written
                yield from self.field(child, field, (*path, written), written)

    def field(self, node: Node, field: Field, path: Path, name: str) -> Iterator[Problem]:
        if field.since:
            yield from self._newer(field.since, name, path)
        if field.shape == MAP:
            yield from self._map(node, field.type, path, name)
        elif field.shape == LIST:
            yield from self._list(node, field.type, path, name)
        else:
            yield from self._single(node, field.type, path, name)

    def _map(self, node: Node, kind: Type, path: Path, name: str) -> Iterator[Problem]:
        if not isinstance(node.value, Mapping):
            yield _wrong(path, f"{name} is {kind_of(node)}, not a mapping", "write a mapping")
        for key, child in node.items.items():
            if child.value is not None:
                yield from self._single(child, kind, (*path, key), f"a value of {name}")

    def _list(self, node: Node, kind: Type, path: Path, name: str) -> Iterator[Problem]:
        if not isinstance(node.value, tuple):
            yield _wrong(path, f"{name} is {kind_of(node)}, not a list", "write a list")
        for index, child in enumerate(node.elements):
            yield from self._single(child, kind, (*path, index), f"an item of {name}")

    def _single(self, node: Node, kind: Type, path: Path, name: str) -> Iterator[Problem]:
        if isinstance(kind, Message):
            yield from self.message(node, kind, path, name)
        elif isinstance(kind, Enum):
            yield from self._enum(node, kind, path, name)
        else:
            wrong, fix = scalar_fault(node, kind)
            if wrong:
                yield _wrong(path, f"{name} is {wrong}", fix)

    def _enum(self, node: Node, kind: Enum, path: Path, name: str) -> Iterator[Problem]:
        number = enum_number(node, kind)
        if number is None:
            hint = nearest(str(node.value), kind.values) if isinstance(node.value, str) else ""
            given = "a word that it does not know" if isinstance(node.value, str) else kind_of(node)
            words = listed((word for word, value in kind.values.items() if value), "or")
            fix = f"did you mean {hint}?" if hint else f"write {words}"
            yield _wrong(path, f"{name} is {given}", fix)
            return
        word = kind.word(number)
        if since := kind.since.get(word):
            yield from self._newer(since, word, path)

    def _newer(self, since: str, what: str, path: Path) -> Iterator[Problem]:
        """What a field or a word needs, if the version is older."""
        version = self.version
        if version and not version.knows(since):
            message = f"{what} needs secretflow-serving {since}, and {version.source} is older"
            fix = f"use an image of {since} or newer, or set app_version if the tag misleads"
            yield Problem(Fault.NEWER, Finding(path, message, fix, at_key=True))


def _wrong(path: Path, message: str, fix: str) -> Problem:
    return Problem(Fault.VALUE, Finding(path, message, fix))


def _unknown(written: str, kind: Message, path: Path, node: Node) -> Problem:
    place = (*path, written)
    if kind.name == "ModelConfig" and written in ("sourceMd5", "source_md5"):
        instead = "sourceSha256" if written == "sourceMd5" else "source_sha256"
        message = f"{written} does not exist in any tagged version of secretflow-serving"
        fix = f"replace it by {instead}: the SHA-256 of the package in 64 lower-case hex digits"
        return Problem(Fault.RENAMED, Finding(place, message, fix, at_key=True))
    snake = "_" in written or (written.islower() and any("_" in name for name in node.items))
    names = [name if snake else camel(name) for name in kind.fields]
    hint = nearest(written, names)
    known = f"{kind.name} has {listed(names)}" if names else f"{kind.name} has no fields"
    message = f"there is no field {written[:_LONGEST_NAME]!r} in {kind.name}"
    fix = f"did you mean {hint}?" if hint else f"delete it; {known}"
    return Problem(Fault.UNKNOWN, Finding(place, message, fix, at_key=True))


def _repeated(written: str, field: Field, seen: dict[str, str], path: Path) -> Iterator[Problem]:
    """The same field in its other spelling, or another member of its oneof."""
    earlier = seen.get(field.oneof or field.name)
    if earlier is None:
        return
    place = (*path, written)
    if camel(earlier) == camel(written):
        message = f"{written} and {earlier} are the same field"
        found = Finding(place, message, "delete one of the two", at_key=True)
        yield Problem(Fault.TWICE, found)
    else:
        message = f"{written} and {earlier} exclude each other"
        found = Finding(place, message, f"keep one of {earlier} and {written}", at_key=True)
        yield Problem(Fault.ONEOF, found)

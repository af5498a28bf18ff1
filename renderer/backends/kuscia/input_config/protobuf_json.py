"""What protobuf's strict JSON reader takes and refuses, each fault with its remedy."""

from enum import Enum, auto

from renderer.backends.kuscia.dialect import Version
from renderer.backends.kuscia.input_config.messages import (
    BOOL,
    INT32,
    LIST,
    MAP,
    STRING,
    EnumType,
    FieldType,
    MessageType,
    ValueType,
)
from renderer.text.expressions import expression
from renderer.text.wording import camel_case, listed, nearest
from renderer.values.diagnostics import Finding, Path
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

_DECIMAL = expression(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_WHOLE = expression(r"[-+]?[0-9]+")
_LONGEST = 400
LOWEST, HIGHEST = -(2**31), 2**31 - 1
_LONGEST_NAME = 40


def whole(node: Node) -> int | None:
    """The whole number that a number or a decimal text stands for, whatever its size."""
    value = node.value
    if isinstance(value, str):
        fits = len(value) <= _LONGEST and _DECIMAL.fullmatch(value)
        value = float(value) if fits else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if isinstance(value, int):
        return value
    return int(value) if value.is_integer() else None


def enum_number(node: Node, enum: EnumType) -> int | None:
    """The number that a word or a number stands for; nothing if it is no value of an enum."""
    value = node.value
    if isinstance(value, str) and not _WHOLE.fullmatch(value):
        return enum.values.get(value)
    number = whole(node)
    return number if number is not None and LOWEST <= number <= HIGHEST else None


def kind_of(node: Node) -> str:
    """What a value is, in the words of JSON and without the value itself."""
    if node.value is None:
        return "null"
    if isinstance(node.value, bool):
        return str(node.value).lower()
    if isinstance(node.value, int | float):
        return "a number"
    if isinstance(node.value, str):
        return "text"
    return "a list" if isinstance(node.value, tuple) else "a mapping"


def scalar_fault(node: Node, kind: str) -> tuple[str, str]:
    """What is wrong with a single value and how to mend it; nothing if it is right."""
    if kind == INT32:
        return _int32_fault(node)
    if kind == BOOL:
        right = isinstance(node.value, bool)
        return ("", "") if right else (f"{kind_of(node)}, not true or false", "write true or false")
    right = isinstance(node.value, str)
    return ("", "") if right else (f"{kind_of(node)}, not text", "put the value in double quotes")


def _int32_fault(node: Node) -> tuple[str, str]:
    number = whole(node)
    if number is None:
        given = "text that is not a number" if isinstance(node.value, str) else kind_of(node)
        return f"{given}, not a whole number", "write digits only"
    if not LOWEST <= number <= HIGHEST:
        return "a number that does not fit into 32 bits", f"write a number up to {HIGHEST}"
    return "", ""


class Fault(Enum):
    """Which of the reader's demands is not met."""

    UNKNOWN = auto()
    RENAMED = auto()
    TWICE = auto()
    VALUE = auto()
    ONEOF = auto()
    NEWER = auto()


class ReadingProblem(NamedTuple):
    """A finding, and the demand that it belongs to."""

    fault: Fault
    finding: Finding


def check(
    node: Node, kind: MessageType, version: Version | None, path: Path = ()
) -> list[ReadingProblem]:
    """Everything that keeps a tree from being read as a message by a version (the newest)."""
    checking = _Check(version)
    checking.message(node, kind, path, "the input config")
    return checking.found


class _Check:
    """Collects what is wrong; paths are made only of what is wrong or has members."""

    def __init__(self, version: Version | None) -> None:
        self.version = version
        self.found: list[ReadingProblem] = []

    def message(self, node: Node, kind: MessageType, path: Path, name: str) -> None:
        members = node.value
        if not isinstance(members, dict):
            self._wrong(path, f"{name} is {kind_of(node)}, not a mapping", "write a mapping")
            return
        seen: dict[str, str] = {}
        for written, child in members.items():
            field = kind.field(written)
            if field is None:
                self.found.append(_unknown(written, kind, path, node))
            elif child.value is not None:
                only_one = field.oneof or field.name
                if only_one in seen:
                    self.found.append(_repeated(written, seen[only_one], path))
                seen[only_one] = written
                self._field(child, field, path, written)

    def _field(self, node: Node, field: FieldType, path: Path, name: str) -> None:
        if field.since:
            self._newer(field.since, name, (*path, name))
        if field.shape == MAP:
            self._map(node, field.type, (*path, name), name)
        elif field.shape == LIST:
            self._list(node, field.type, (*path, name), name)
        elif field.type is not STRING or not isinstance(node.value, str):
            self._single(node, field.type, (*path, name), name)

    def _map(self, node: Node, kind: ValueType, path: Path, name: str) -> None:
        if not isinstance(node.value, dict):
            self._wrong(path, f"{name} is {kind_of(node)}, not a mapping", "write a mapping")
        for key, child in node.items.items():
            if child.value is not None and (kind is not STRING or not isinstance(child.value, str)):
                self._single(child, kind, (*path, key), f"a value of {name}")

    def _list(self, node: Node, kind: ValueType, path: Path, name: str) -> None:
        if not isinstance(node.value, tuple):
            self._wrong(path, f"{name} is {kind_of(node)}, not a list", "write a list")
        for index, child in enumerate(node.elements):
            self._single(child, kind, (*path, index), f"an item of {name}")

    def _single(self, node: Node, kind: ValueType, path: Path, name: str) -> None:
        if isinstance(kind, MessageType):
            self.message(node, kind, path, name)
        elif isinstance(kind, EnumType):
            self._enum(node, kind, path, name)
        else:
            wrong, fix = scalar_fault(node, kind)
            if wrong:
                self._wrong(path, f"{name} is {wrong}", fix)

    def _enum(self, node: Node, kind: EnumType, path: Path, name: str) -> None:
        number = enum_number(node, kind)
        if number is None:
            hint = nearest(str(node.value), kind.values) if isinstance(node.value, str) else ""
            given = "a word that it does not know" if isinstance(node.value, str) else kind_of(node)
            words = listed((word for word, value in kind.values.items() if value), "or")
            fix = f"did you mean {hint}?" if hint else f"write {words}"
            self._wrong(path, f"{name} is {given}", fix)
            return
        word = kind.word(number)
        if since := kind.since.get(word):
            self._newer(since, word, path)

    def _newer(self, since: str, what: str, path: Path) -> None:
        """What a field or a word needs, if the version is older."""
        version = self.version
        if version and not version.knows(since):
            message = f"{what} needs secretflow-serving {since}, and {version.source} is older"
            fix = f"use an image of {since} or newer, or set app_version if the tag misleads"
            self.found.append(ReadingProblem(Fault.NEWER, Finding(path, message, fix, at_key=True)))

    def _wrong(self, path: Path, message: str, fix: str) -> None:
        self.found.append(ReadingProblem(Fault.VALUE, Finding(path, message, fix)))


def _unknown(written: str, kind: MessageType, path: Path, node: Node) -> ReadingProblem:
    place = (*path, written)
    if kind.name == "ModelConfig" and written in ("sourceMd5", "source_md5"):
        instead = "sourceSha256" if written == "sourceMd5" else "source_sha256"
        message = f"{written} does not exist in any tagged version of secretflow-serving"
        fix = f"replace it by {instead}: the SHA-256 of the package in 64 lower-case hex digits"
        return ReadingProblem(Fault.RENAMED, Finding(place, message, fix, at_key=True))
    snake = "_" in written or (written.islower() and any("_" in name for name in node.items))
    names = [name if snake else camel_case(name) for name in kind.fields]
    hint = nearest(written, names)
    known = f"{kind.name} has {listed(names)}" if names else f"{kind.name} has no fields"
    message = f"there is no field {written[:_LONGEST_NAME]!r} in {kind.name}"
    fix = f"did you mean {hint}?" if hint else f"delete it; {known}"
    return ReadingProblem(Fault.UNKNOWN, Finding(place, message, fix, at_key=True))


def _repeated(written: str, earlier: str, path: Path) -> ReadingProblem:
    """The same field in its other spelling, or another member of its oneof."""
    place = (*path, written)
    if camel_case(earlier) == camel_case(written):
        message = f"{written} and {earlier} are the same field"
        found = Finding(place, message, "delete one of the two", at_key=True)
        return ReadingProblem(Fault.TWICE, found)
    message = f"{written} and {earlier} exclude each other"
    found = Finding(place, message, f"keep one of {earlier} and {written}", at_key=True)
    return ReadingProblem(Fault.ONEOF, found)

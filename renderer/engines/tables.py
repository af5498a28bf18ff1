"""Arguments of engines by version, read on demand from `schemas/engines/`.

A table has every fact once for all versions that follow each other with it: `[first, last, fact]`,
by numbers of versions. `conformance/engines` reads them from what is published.
"""

import json
from collections.abc import Container, Iterator, Mapping
from functools import cache
from typing import Any

from renderer.assets import read_engine_table
from renderer.text.expressions import expression
from renderer.values.named_tuple import NamedTuple

_NUMBERS = expression(r"[0-9]+")
_FLAG = expression(r"--[a-z0-9-]+")
_SERVE_ONLY = "serve"
_LONGEST_TAKEN_APART = 4


class Argument(NamedTuple):
    """An argument of one version: by its field, with all names that it has on a command line.

    `type` is how a word becomes a value: `int`, `optional str`, `human` (an integer that may be
    `8k`), `json`, `config:NAME`… `action` is that of argparse; `store` takes a value.
    """

    dest: str
    names: tuple[str, ...]
    type: str = "str"
    nargs: str | int | None = None
    choices: tuple[Any, ...] | None = None
    const: Any = None
    default: Any = None
    action: str = "store"
    required: bool = False
    is_deprecated: bool = False
    is_of_command: bool = False

    @property
    def flag(self) -> str:
        """The name that people write; of a word without one, that of its field."""
        long = (name for name in self.names if name.startswith("--"))
        return next(long, self.names[0] if self.names else self.dest)

    @property
    def is_switch(self) -> bool:
        """Whether it takes no value."""
        return self.action in ("store_true", "store_false", "BooleanOptionalAction")

    @property
    def config(self) -> str:
        """The configuration whose fields its value has; empty for others."""
        return self.type.rpartition("config:")[2] if "config:" in self.type else ""


class Config(NamedTuple):
    """The fields of a configuration by their names, with shapes as `shapes.py` describes them."""

    fields: Mapping[str, Mapping[str, Any]]
    extra: str


class History(NamedTuple):
    """The versions that have an argument, as far as they are known; empty where it has no end.

    `replaced` is what to write in its place, by its value: `*` is for all others, `$VALUE` in a
    text stands for it, and an empty text is for nothing at all. Without one, nothing is known.
    """

    since: str
    removed: str = ""
    replaced: Mapping[str, str] = {}

    def successor(self, value: str, known: Container[str]) -> str | None:
        """What to write for a value, of options that are known; nothing if that is not certain."""
        text = self.replaced.get(value, self.replaced.get("*"))
        if text is None or any(name not in known for name in _FLAG.findall(text)):
            return None
        return text.replace("$VALUE", value or "…")


class Facts:
    """What the table of an engine says of one version."""

    def __init__(self, engine: str, version: str) -> None:
        self.engine, self.version = engine, version
        self._data = _data(engine)
        self.number = self._data.part("versions").index(version)

    @classmethod
    def of(cls, engine: str, version: str = "") -> "Facts":
        """Those of a version, or of the one that stands for it; without one, of the newest."""
        return cls(engine, nearest_version(engine, version) if version else newest(engine))

    def part(self, name: str) -> Iterator[tuple[str, Any]]:
        """The facts of a part that this version has, by their names."""
        for key, ranges in self._data.part(name).items():
            if (fact := _fact(ranges, self.number)) is not None:
                yield key, fact

    def at(self, name: str) -> Any:
        """A part that is a single fact."""
        return _fact(self._data.part(name), self.number)

    def has(self, check: str) -> bool:
        """Whether this version makes a check."""
        return _fact(self._data.part("checks").get(check, ()), self.number) is not None

    def config(self, name: str) -> Config | None:
        """A configuration that arguments have as values."""
        return _config(self.engine, name, self.number)

    def config_fields(self) -> frozenset[str]:
        """The names of the fields of all configurations."""
        return _config_fields(self.engine, self.number)

    def ranges(self, part: str, name: str) -> Any:
        """A fact of all versions: `[first, last, fact]`."""
        return self._data.part(part).get(name, ())

    def version_at(self, number: int) -> str:
        """A version by its number; empty after the last one."""
        known = self._data.part("versions")
        return str(known[number]) if number < len(known) else ""


class ServerArguments(NamedTuple):
    """What a model server takes around an engine: all arguments, and how it reads them.

    Before it reads `arguments`, parsers with some of them each (`earlier`) read the same words.
    `excluded` are pairs that it refuses together, `own_backend` the arguments that it takes where
    it serves a model without the engine: `is_without_engine`, if that is certain.
    """

    server: Facts
    arguments: list[Argument]
    earlier: list[list[Argument]]
    excluded: list[tuple[str, ...]]
    own_backend: frozenset[str]
    is_without_engine: bool


class Table:
    """What one version of an engine has on its command line."""

    def __init__(self, facts: Facts, own: "ServerArguments | None" = None) -> None:
        self.facts, self.own = facts, own
        self.engine, self.version = facts.engine, facts.version
        #: The habits of this version in reading a command line, before argparse does.
        self.reading = frozenset(name for name, _ in (own.server if own else facts).part("reading"))
        #: All arguments; of several with one field, the last one says what it takes.
        self.given = own.arguments if own else engine_arguments(facts, self.reading)
        self.arguments = {item.dest: item for item in self.given}
        self.options = {name: item for item in self.given for name in item.names}
        #: Pairs of arguments: the server stops if it has the first without the second.
        self.needs = [] if own else [(*key.split(" "),) for key, _ in facts.part("needs")]

    def fields(self, part: str = "engine") -> list[str]:
        """The fields of the class behind the arguments: of the engine, or its `frontend`."""
        return [name for name, _ in self.facts.part(part)]

    def config(self, name: str) -> Config | None:
        """A configuration that arguments have as values."""
        return self.facts.config(name)

    def history(self, dest: str) -> History | None:
        """Since when an argument is there, when it went or goes, and what there is in its place."""
        ranges = self.facts.ranges("arguments", dest)
        present = {n for first, last, _ in ranges for n in range(first, last + 1)}
        if not present:
            return None
        number = self.facts.number
        since = min((n for n in present if n > number), default=min(present))
        if number in present or min(present) < number:
            since = min(present)
        gone = number if number in present else max((n for n in present if n < number), default=-1)
        while gone in present:
            gone += 1
        removed = self.facts.version_at(gone) if gone > 0 else ""
        replaced = self.facts.ranges("replaced", dest)
        return History(self.facts.version_at(since), removed, _values_replaced(replaced))

    def known_names(self) -> list[str]:
        """The fields of all arguments of all versions."""
        return list(_data(self.engine).part("arguments"))


def engine_arguments(facts: Facts, habits: frozenset[str]) -> list[Argument]:
    """The arguments of an engine itself."""
    return [argument(dest, fact, habits) for dest, fact in facts.part("arguments")]


def argument(dest: str, fact: Mapping[str, Any], habits: frozenset[str]) -> Argument:
    """An argument by what a table says of it."""
    action = fact.get("action", "store")
    given = fact.get("names", [f"--{dest.replace('_', '-')}"])
    choices = fact.get("choices")
    return Argument(
        dest,
        _all_names(given, action, is_paired="disable" in habits),
        fact.get("type", "str"),
        fact.get("nargs"),
        tuple(choices) if isinstance(choices, list) else None,
        fact.get("const"),
        fact.get("default"),
        action,
        fact.get("required", False),
        fact.get("deprecated", False),
        fact.get("only") == _SERVE_ONLY,
    )


def _values_replaced(replaced: Any) -> Mapping[str, str]:
    """What takes the place of an argument, which tables say once if it is so for all values."""
    return {"*": replaced} if isinstance(replaced, str) else dict(replaced)


_PAIRS = {"--enable-": "--disable-", "--disable-": "--enable-"}


def _all_names(given: list[str], action: str, *, is_paired: bool) -> tuple[str, ...]:
    """With those that take a switch back: `--no-x`, in newer versions `--disable-x` as well."""
    if action != "BooleanOptionalAction":
        return tuple(given)
    found = [*given, *(f"--no-{name[2:]}" for name in given if name.startswith("--"))]
    for name in given if is_paired else ():
        for start, other in _PAIRS.items():
            if name.startswith(start):
                found.append(other + name.removeprefix(start))
    return tuple(found)


def _fact(ranges: Any, number: int) -> Any:
    for first, last, fact in ranges:
        if first <= number <= last:
            return fact
    return None


class _Parts:
    """The parts of a table, each read when it is asked for: few commands need more than two.

    A part begins a line with its name, and the lines in it with a space.
    """

    def __init__(self, text: bytes) -> None:
        parts = (part.partition(b'": ') for part in text[3:-3].split(b',\n"'))
        self._texts = {name.decode(): data for name, _, data in parts}
        self._read: dict[str, Any] = {}

    def part(self, name: str) -> Any:
        """What a part says; an empty one if there is none."""
        if name not in self._read:
            self._read[name] = json.loads(self._texts.get(name, b"{}"))
        return self._read[name]


@cache
def _data(engine: str) -> _Parts:
    return _Parts(read_engine_table(engine))


@cache
def _config(engine: str, name: str, number: int) -> Config | None:
    some = _data(engine).part("configs").get(name)
    extra = _fact(some["extra"], number) if some else None
    if some is None or extra is None:
        return None
    facts = {key: _fact(ranges, number) for key, ranges in some["fields"].items()}
    return Config({key: fact for key, fact in facts.items() if fact is not None}, extra)


@cache
def _config_fields(engine: str, number: int) -> frozenset[str]:
    found = (_config(engine, name, number) for name in _data(engine).part("configs"))
    return frozenset(key for config in found if config for key in config.fields)


def versions(engine: str) -> list[str]:
    """The versions that are known, oldest first."""
    return list(_data(engine).part("versions"))


def newest(engine: str) -> str:
    """The newest version that is known."""
    return versions(engine)[-1]


def nearest_version(engine: str, version: str) -> str:
    """The known version that stands for another: itself, or the last one before it."""
    wanted = _numbers(version)
    known = versions(engine)
    if not wanted or version in known:
        return version if version in known else known[-1]
    before = [item for item in known if _numbers(item) <= wanted]
    return before[-1] if before else known[0]


def is_known(engine: str, version: str) -> bool:
    """Whether the table has this very version, or a patch of its minor version."""
    minors = {_numbers(item)[:2] for item in versions(engine)}
    return _numbers(version)[:2] in minors


def table(engine: str, version: str = "") -> Table:
    """The table of a version, or of the one that stands for it; without one, of the newest."""
    return _table(engine, nearest_version(engine, version) if version else newest(engine))


@cache
def _table(engine: str, version: str) -> Table:
    return Table(Facts(engine, version))


@cache
def _numbers(version: str) -> tuple[int, ...]:
    parts = [part.group() for part in _NUMBERS.finditer(version)][:_LONGEST_TAKEN_APART]
    return tuple(int(part[:9]) for part in parts)

"""Arguments of engines by version, read on demand from `schemas/engines/`.

A table has every fact once for all versions that follow each other with it: `[first, last, fact]`,
by numbers of versions. `conformance/engines` reads them from what is published.
"""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from renderer.assets import read_engine_table
from renderer.text.expressions import expression
from renderer.values.named_tuple import NamedTuple

_NUMBERS = expression(r"[0-9]+")
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
    """The versions that have an argument, as far as they are known; empty where it has no end."""

    since: str
    removed: str = ""
    replaced: str = ""


class Facts:
    """What the table of an engine says of one version."""

    def __init__(self, engine: str, version: str) -> None:
        self.engine, self.version = engine, version
        self._data = _data(engine)
        self._number = self._data["versions"].index(version)

    @classmethod
    def of(cls, engine: str, version: str = "") -> "Facts":
        """Those of a version, or of the one that stands for it; without one, of the newest."""
        return cls(engine, nearest_version(engine, version) if version else newest(engine))

    def part(self, name: str) -> Iterator[tuple[str, Any]]:
        """The facts of a part that this version has, by their names."""
        for key, ranges in self._data.get(name, {}).items():
            if (fact := _fact(ranges, self._number)) is not None:
                yield key, fact

    def at(self, name: str) -> Any:
        """A part that is a single fact."""
        return _fact(self._data.get(name, ()), self._number)

    def has(self, check: str) -> bool:
        """Whether this version makes a check."""
        return _fact(self._data.get("checks", {}).get(check, ()), self._number) is not None

    def config(self, name: str) -> Config | None:
        """A configuration that arguments have as values."""
        return _config(self.engine, name, self._number)

    def ranges(self, part: str, name: str) -> Any:
        """A fact of all versions: `[first, last, fact]`."""
        return self._data[part].get(name, ())

    def version_at(self, number: int) -> str:
        """A version by its number; empty after the last one."""
        known = self._data["versions"]
        return str(known[number]) if number < len(known) else ""


class Table:
    """What one version of an engine has on its command line."""

    def __init__(self, facts: Facts, server: Facts | None = None) -> None:
        self.facts, self.server = facts, server
        self.engine, self.version = facts.engine, facts.version
        #: The habits of this version in reading a command line, before argparse does.
        self.reading = frozenset(name for name, _ in (server or facts).part("reading"))
        own = [_argument(dest, fact, self.reading) for dest, fact in facts.part("arguments")]
        given = _server_arguments(own, facts, server) if server else own
        self.arguments = {item.dest: item for item in given}
        self.options = {name: item for item in given for name in item.names}
        #: Pairs of arguments: the server stops if it has the first without the second.
        self.needs = [] if server else [(*key.split(" "),) for key, _ in facts.part("needs")]

    def fields(self, part: str = "engine") -> list[str]:
        """The fields of the class behind the arguments: of the engine, or its `frontend`."""
        return [name for name, _ in self.facts.part(part)]

    def config(self, name: str) -> Config | None:
        """A configuration that arguments have as values."""
        return self.facts.config(name)

    def history(self, dest: str) -> History | None:
        """Since when an argument is there, when it went, and what there is in its place."""
        ranges = self.facts.ranges("arguments", dest)
        if not ranges:
            return None
        replaced = self.facts.ranges("replaced", dest) or ""
        since, removed = (
            self.facts.version_at(ranges[0][0]),
            self.facts.version_at(ranges[-1][1] + 1),
        )
        return History(since, removed, replaced)

    def known_names(self) -> list[str]:
        """The fields of all arguments of all versions."""
        return list(_data(self.engine)["arguments"])


def _argument(dest: str, fact: Mapping[str, Any], habits: frozenset[str]) -> Argument:
    action = fact.get("action", "store")
    given = fact.get("names", [f"--{dest.replace('_', '-')}"])
    choices = fact.get("choices")
    return Argument(
        dest,
        tuple(_all_names(given, action, is_paired="disable" in habits)),
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


def _server_arguments(own: list[Argument], facts: Facts, server: Facts) -> list[Argument]:
    """Those of the engine that a model server takes as well, and then the server's."""
    has_frontend = any(name == "server-arguments" for name, _ in server.part("reading"))
    fields = {name for name, _ in facts.part("engine")}
    taken = [
        item for item in own if not item.is_of_command and (has_frontend or item.dest in fields)
    ]
    others = [
        _argument(dest, fact, frozenset())
        for dest, fact in server.part("arguments")
        if fact.get("only") is None
    ]
    return [*taken, *others]


_PAIRS = {"--enable-": "--disable-", "--disable-": "--enable-"}


def _all_names(given: list[str], action: str, *, is_paired: bool) -> Iterator[str]:
    """With those that take a switch back: `--no-x`, in newer versions `--disable-x` as well."""
    yield from given
    if action == "BooleanOptionalAction":
        for name in given:
            if name.startswith("--"):
                yield f"--no-{name[2:]}"
        for name in given if is_paired else ():
            for start, other in _PAIRS.items():
                if name.startswith(start):
                    yield other + name.removeprefix(start)


def _fact(ranges: Any, number: int) -> Any:
    return next((fact for first, last, fact in ranges if first <= number <= last), None)


@cache
def _data(engine: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] = json.loads(read_engine_table(engine))
    return found


@cache
def _config(engine: str, name: str, number: int) -> Config | None:
    some = _data(engine).get("configs", {}).get(name)
    extra = _fact(some["extra"], number) if some else None
    if some is None or extra is None:
        return None
    facts = {key: _fact(ranges, number) for key, ranges in some["fields"].items()}
    return Config({key: fact for key, fact in facts.items() if fact is not None}, extra)


def versions(engine: str) -> list[str]:
    """The versions that are known, oldest first."""
    return list(_data(engine)["versions"])


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


HUGGINGFACE = "huggingfaceserver"


def server_table(version: str = "", engine_version: str = "") -> Table:
    """The arguments of the Hugging Face server with those of the vLLM in it.

    `engine_version` is another vLLM than the one that the image of this version has.
    """
    server = Facts.of(HUGGINGFACE, version)
    return _server_table(server.version, engine_version or str(server.at("vllm") or ""))


@cache
def _server_table(version: str, engine_version: str) -> Table:
    return Table(Facts.of("vllm", engine_version), Facts(HUGGINGFACE, version))


@cache
def _table(engine: str, version: str) -> Table:
    return Table(Facts(engine, version))


@cache
def _numbers(version: str) -> tuple[int, ...]:
    parts = [part.group() for part in _NUMBERS.finditer(version)][:_LONGEST_TAKEN_APART]
    return tuple(int(part[:9]) for part in parts)

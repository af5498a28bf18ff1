"""Tables by version, written small: a fact once for all versions that follow each other with it."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

SCHEMAS = Path(__file__).resolve().parents[2] / "schemas" / "engines"


def ranges(versions: list[str], facts: Mapping[str, Any]) -> list[list[Any]]:
    """`[first, last, fact]` for each run of versions with one fact; absent facts are left out."""
    found: list[list[Any]] = []
    previous = None
    for number, version in enumerate(versions):
        fact = facts.get(version)
        if fact is None:
            previous = None
        elif previous is not None and found[-1][2] == fact:
            found[-1][1] = number
        else:
            found.append([number, number, fact])
        previous = fact
    return found


def by_name(versions: list[str], facts: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Facts by version and name, as ranges by name."""
    names = sorted({name for some in facts.values() for name in some})
    return {
        name: ranges(versions, {v: some[name] for v, some in facts.items() if name in some})
        for name in names
    }


def write(engine: str, table: Mapping[str, Any]) -> Path:
    """One line for each entry of each part, so that a new version is a short difference."""
    SCHEMAS.mkdir(parents=True, exist_ok=True)
    path = SCHEMAS / f"{engine}.json"
    parts = ",\n".join(f"{_text(key)}: {_part(value)}" for key, value in table.items())
    path.write_text(f"{{\n{parts}\n}}\n", "utf-8")
    return path


def _part(value: Any) -> str:
    if isinstance(value, dict) and value:
        return "{\n" + ",\n".join(f" {_text(k)}: {_text(v)}" for k, v in value.items()) + "\n}"
    return _text(value)


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def read(engine: str) -> dict[str, Any]:
    path = SCHEMAS / f"{engine}.json"
    found: dict[str, Any] = json.loads(path.read_text("utf-8")) if path.exists() else {}
    return found


def compact(item: Mapping[str, Any]) -> dict[str, Any]:
    """An entry without what says nothing."""
    return {key: value for key, value in item.items() if value is not None and value is not False}

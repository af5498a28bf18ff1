"""Whether an object has what was worked out for it; what else it has are defaults."""

import json
from collections.abc import Iterator

from renderer.backends.kuscia.derived_objects import PREFIX
from renderer.kubernetes import quantities
from renderer.values.diagnostics import Path
from renderer.values.tree import Plain

_ACCESS = f"{PREFIX}access-domain"
_AMOUNTS = ("requests", "limits")
Lack = tuple[Path, Plain, Plain]
"""A path, what should be there, and what is."""


def lacks(wanted: Plain, found: Plain, path: Path = ()) -> Iterator[Lack]:
    """Every value that is not as it should be; items of lists are known by their names."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        for key, value in wanted.items():
            yield from lacks(value, found.get(key), (*path, key))
    elif isinstance(wanted, list) and isinstance(found, list) and (wanted or found):
        yield from _of_items(wanted, found, path)
    elif not _is_same(wanted, found, path):
        yield path, wanted, found


def _of_items(wanted: list[Plain], found: list[Plain], path: Path) -> Iterator[Lack]:
    ours, theirs = _by_name(wanted), _by_name(found)
    if ours is not None and theirs is not None:
        for name in dict.fromkeys((*ours, *theirs)):
            yield from lacks(ours.get(name), theirs.get(name), (*path, f"[{name}]"))
    elif len(wanted) != len(found):
        yield path, wanted, found
    else:
        for number, (one, other) in enumerate(zip(wanted, found, strict=True)):
            yield from lacks(one, other, (*path, number))


def _by_name(items: list[Plain]) -> dict[str, Plain] | None:
    """Items by their names; nothing if one has none."""
    named: dict[str, Plain] = {}
    for item in items:
        name = item.get("name") if isinstance(item, dict) else None
        if not isinstance(name, str):
            return None
        named[name] = item
    return named


def _is_same(wanted: Plain, found: Plain, path: Path) -> bool:
    if wanted == found or (wanted in ("", None) and found in ("", None)):
        return True
    if len(path) > 1 and path[-2] in _AMOUNTS:
        return quantities.value(str(wanted)) == quantities.value(str(found))
    if not isinstance(wanted, str) or not isinstance(found, str):
        return False
    if path[-1] == _ACCESS:
        return sorted(wanted.split(",")) == sorted(found.split(","))
    return _ordered(wanted) == _ordered(found)


def _ordered(text: str) -> Plain:
    """The data of a JSON text in a fixed order, as Kuscia's own is random; else the text."""
    if not text.startswith("{"):
        return text
    try:
        return json.dumps(_sorted(json.loads(text)), sort_keys=True)
    except (ValueError, RecursionError):
        return text


def _sorted(data: Plain) -> Plain:
    """Services and ports by their names; other lists have an order."""
    if isinstance(data, dict):
        return {key: _sorted(value) for key, value in data.items()}
    if isinstance(data, list):
        items = [_sorted(item) for item in data]
        has_names = all(isinstance(i, dict) and i.keys() & {"portName", "scope"} for i in items)
        return sorted(items, key=json.dumps) if has_names else items
    return data

"""Where a live object does not have what was derived for it; what else it has are defaults."""

from collections.abc import Callable, Iterator

from renderer.kubernetes import quantities
from renderer.values.diagnostics import Path
from renderer.values.tree import Plain

_AMOUNTS = ("requests", "limits")
Deviation = tuple[Path, Plain, Plain]
"""A path, what should be there, and what is."""
IsSame = Callable[[str, str, Path], bool]
"""Whether two texts that differ mean the same at some path."""


def deviations(
    wanted: Plain, found: Plain, is_same: IsSame, path: Path = ()
) -> Iterator[Deviation]:
    """Every value that is not as it should be; items of lists are known by their names."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        for key, value in wanted.items():
            yield from deviations(value, found.get(key), is_same, (*path, key))
    elif isinstance(wanted, list) and isinstance(found, list) and (wanted or found):
        yield from _list_deviations(wanted, found, is_same, path)
    elif not _is_equal(wanted, found, is_same, path):
        yield path, wanted, found


def _list_deviations(
    wanted: list[Plain], found: list[Plain], is_same: IsSame, path: Path
) -> Iterator[Deviation]:
    ours, theirs = _named_items(wanted), _named_items(found)
    if ours is not None and theirs is not None:
        for name in dict.fromkeys((*ours, *theirs)):
            item = (*path, f"[{name}]")
            yield from deviations(ours.get(name), theirs.get(name), is_same, item)
    elif len(wanted) != len(found):
        yield path, wanted, found
    else:
        for number, (one, other) in enumerate(zip(wanted, found, strict=True)):
            yield from deviations(one, other, is_same, (*path, number))


def _named_items(items: list[Plain]) -> dict[str, Plain] | None:
    """Items by their names; nothing if one has none."""
    named: dict[str, Plain] = {}
    for item in items:
        name = item.get("name") if isinstance(item, dict) else None
        if not isinstance(name, str):
            return None
        named[name] = item
    return named


def _is_equal(wanted: Plain, found: Plain, is_same: IsSame, path: Path) -> bool:
    if wanted == found or (wanted in ("", None) and found in ("", None)):
        return True
    if len(path) > 1 and path[-2] in _AMOUNTS:
        return quantities.value(str(wanted)) == quantities.value(str(found))
    return isinstance(wanted, str) and isinstance(found, str) and is_same(wanted, found, path)

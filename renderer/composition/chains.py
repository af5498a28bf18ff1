"""Who inherits from whom."""

from collections.abc import Collection, Iterator, Mapping

from renderer.composition.parts import Folder
from renderer.diagnostics import Diagnostic
from renderer.rules.environments import CYCLE, UNKNOWN_PARENT
from renderer.wording import listed, nearest


def chain_of(name: str, folders: Mapping[str, Folder]) -> list[Folder]:
    """An environment and its ancestors, the most general first; empty if that is not possible."""
    chain: list[Folder] = []
    seen: set[str] = set()
    current: str | None = name
    while current is not None:
        if current in seen or current not in folders:
            return []
        seen.add(current)
        chain.append(folders[current])
        current = _parent(folders[current])
    return chain[::-1]


def parents(folders: Mapping[str, Folder]) -> set[str]:
    """The environments that others extend."""
    named = (_parent(folder) for folder in folders.values())
    return {name for name in named if name is not None}


def check_chains(
    folders: Mapping[str, Folder], undescribed: Collection[str]
) -> Iterator[Diagnostic]:
    """Every parent exists, and no environment is its own ancestor."""
    for name, folder in folders.items():
        parent = _parent(folder)
        if parent is None:
            continue
        where = folder.description.tree.locate(("extends",))
        if parent not in folders and parent not in undescribed:
            hint = nearest(parent, folders)
            fix = f"did you mean {hint!r}?" if hint else f"there is {listed(folders)}"
            message = f"there is no environment {parent!r} to extend"
            yield UNKNOWN_PARENT.at(where, message, fix).about(name)
        elif loop := _loop(name, folders):
            message = f"the environment extends itself: {' → '.join(loop)}"
            yield CYCLE.at(where, message, "let the most general one extend nothing").about(name)
        elif not chain_of(name, folders):
            message = f"the environment {parent!r} cannot be composed itself"
            yield UNKNOWN_PARENT.at(where, message, "mend what it extends").about(name)


def _loop(name: str, folders: Mapping[str, Folder]) -> list[str]:
    """The way from an environment back to itself, if there is one."""
    way, seen = [name], set[str]()
    current = _parent(folders[name])
    while current is not None and current in folders and current not in seen:
        way.append(current)
        seen.add(current)
        if current == name:
            return way
        current = _parent(folders[current])
    return []


def _parent(folder: Folder) -> str | None:
    node = folder.description.tree.get("extends")
    return node.value if node and isinstance(node.value, str) else None

"""Who inherits from whom, and whether what is inherited leads somewhere."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from renderer.compose.environment_rules import (
    CYCLE,
    DEEP,
    LENT,
    MISNAMED,
    NO_OUTPUT,
    UNKNOWN_PARENT,
)
from renderer.compose.kind_shapes import kind_shape
from renderer.compose.parts import Folder
from renderer.compose.spec_rules import OTHER_KIND
from renderer.text.wording import listed, suggest
from renderer.values.diagnostics import Diagnostic, Origin
from renderer.values.kinds import Kind
from renderer.values.model import Destination, Environment, SpecPart
from renderer.values.tree import walk

_MOST_ANCESTORS = 100
_LONGEST_WAY = 10


def chain_of(name: str, folders: Mapping[str, Folder]) -> list[Folder]:
    """An environment and its ancestors, the most general first; empty if that is not possible."""
    chain: list[Folder] = []
    seen: set[str] = set()
    current: str | None = name
    while current is not None:
        if current in seen or current not in folders or len(chain) > _MOST_ANCESTORS:
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
    """Every parent exists, no environment is its own ancestor, and none has too many.

    What is wrong is reported once, for all environments that it keeps from being composed.
    """
    loops = _loops(folders)
    for name, folder in folders.items():
        parent = _parent(folder)
        if parent is None or chain_of(name, folders):
            continue
        loop = next((some for some in loops if name in some), set[str]())
        where = folder.description.tree.locate(("extends",))
        if found := _broken_link(name, parent, folders, undescribed, loop, where):
            related = [folders[other].description.file for other in loop]
            yield found.about(*_heirs(name, folders), related=related)


def _broken_link(
    name: str,
    parent: str,
    folders: Mapping[str, Folder],
    undescribed: Collection[str],
    loop: Collection[str],
    where: Origin,
) -> Diagnostic | None:
    """What is wrong with what an environment extends; nothing if it is not the first one."""
    if parent not in folders and parent not in undescribed:
        message = f"there is no environment {parent!r} to extend"
        return UNKNOWN_PARENT.at(where, message, suggest(parent, folders))
    if loop and name == min(loop):
        message = f"the environment extends itself: {_way(name, folders)}"
        return CYCLE.at(where, message, "let the most general one extend nothing")
    if chain_of(parent, folders):
        message = f"the environment has more than {_MOST_ANCESTORS} ancestors"
        return DEEP.at(where, message, "extend one that is nearer to the first")
    if parent not in folders:
        message = f"the environment {parent!r} cannot be composed itself"
        return UNKNOWN_PARENT.at(where, message, "mend what it extends")
    return None


def _heirs(name: str, folders: Mapping[str, Folder]) -> set[str]:
    """An environment, and those that cannot be composed because they extend it."""
    by_parent: dict[str | None, set[str]] = {}
    for other, folder in folders.items():
        by_parent.setdefault(_parent(folder), set()).add(other)
    found, waiting = {name}, [name]
    while waiting:
        more = by_parent.get(waiting.pop(), set()) - found
        found |= more
        waiting += more
    return found


def _loops(folders: Mapping[str, Folder]) -> list[set[str]]:
    """The environments that extend themselves, directly or by way of others, loop by loop."""
    found: list[set[str]] = []
    seen: set[str] = set()
    for first in folders:
        way: list[str] = []
        current: str | None = first
        while current is not None and current in folders and current not in seen:
            seen.add(current)
            way.append(current)
            current = _parent(folders[current])
        if current in way:
            found.append(set(way[way.index(current) :]))
    return found


def _way(name: str, folders: Mapping[str, Folder]) -> str:
    """The way from an environment back to itself, or its first steps."""
    way, current = [name], _parent(folders[name])
    while current is not None and current != name and len(way) < _LONGEST_WAY:
        way.append(current)
        current = _parent(folders[current])
    return " → ".join((*way, name) if current == name else (*way, "…", name))


def _parent(folder: Folder) -> str | None:
    node = folder.description.tree.get("extends")
    return node.value if node and isinstance(node.value, str) else None


def check_bases(
    environments: Collection[Environment], folders: Mapping[str, Folder]
) -> Iterator[Diagnostic]:
    """What leads nowhere, and what leads to the place of another environment."""
    owners = {environment.file: environment.name for environment in environments}
    extended = parents(folders)
    for environment in environments:
        given = environment.tree.get("destinations")
        if environment.name not in extended and not (given and given.value):
            yield _no_output(environment)
        for destination in environment.destinations:
            owner = owners.get(destination.tree.origin.file)
            if owner and not _is_own(destination, environment):
                where = folders[environment.name].description.tree.locate(("extends",))
                message = f"the destination {destination.name!r} is that of {owner!r}, as it stands"
                found = LENT.at(where, message, _cluster_of(destination))
                yield found.about(environment.name, owner, related=environment.files)


def _no_output(environment: Environment) -> Diagnostic:
    message = f"nothing is rendered of {environment.name!r}, and no environment extends it"
    where = environment.tree.locate(("destinations",))
    return NO_OUTPUT.at(where, message, "add destinations, or extend it").about(environment.name)


def _is_own(destination: Destination, environment: Environment) -> bool:
    """Whether the environment itself says something of it, or it is said which place it is."""
    files = {node.origin.file for _, node in walk(destination.tree)}
    return environment.file in files or destination.tree.get("cluster") is not None


def _cluster_of(destination: Destination) -> str:
    return f"say which cluster it is: destinations: [{{name: {destination.name}, cluster: …}}]"


#: How much of what two kinds have at the top both of them have, if they are of one family.
_LIKENESS = 0.8


def other_kind(
    part: SpecPart, chain: Sequence[Folder], missing: Sequence[str]
) -> Diagnostic | None:
    """That the first file of a spec leaves one of its name as it is that has another kind.

    It is an error where the file is not complete by itself; what is missing was one before, too.
    """
    inherited = (other for other in _same_stems(part, chain) if _may_be_meant(part, other, missing))
    other = next(inherited, None)
    if other is None:
        return None
    message = f"{other.environment} has {other.kind.name}/{part.stem}, and a file of the kind "
    message += f"{part.kind.name} does not change it"
    fix = f"did you mean kind: {other.kind.name}?"
    where = part.tree.locate(("kind",))
    if not missing:
        return OTHER_KIND.at(where, message, f"{fix} Otherwise give this file another name")
    message += f"; by itself it lacks {listed(map(repr, missing))}"
    return MISNAMED.at(where, message, f"{fix} Otherwise add what is missing")


def _same_stems(part: SpecPart, chain: Sequence[Folder]) -> Iterator[SpecPart]:
    """What environments above say of specs of the name, unless a file beside this one does, too."""
    names = [folder.name for folder in chain]
    place = names.index(part.environment)
    for folder in reversed(chain[:place]):
        for identity, other in sorted(folder.specs.items()):
            if identity[1] == part.stem and identity not in chain[place].specs:
                yield other


def _may_be_meant(part: SpecPart, other: SpecPart, missing: Sequence[str]) -> bool:
    """Whether the kinds are of one family, or an incomplete file would do for the other kind."""
    shape = kind_shape(other.kind)
    fits = all(shape.has(key) for key in part.tree.items)
    return _is_alike(part.kind, other.kind) or (bool(missing) and fits)


def _is_alike(kind: Kind, other: Kind) -> bool:
    one, two = (kind_shape(item).keys for item in (kind, other))
    return len(one & two) >= _LIKENESS * len(one | two)

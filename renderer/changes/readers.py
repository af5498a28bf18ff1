"""Who reads an object that holds content: what names it, for which units, and in which way."""

from collections.abc import Iterator

from renderer.backends.kinds import functions_of, is_known
from renderer.changes.derivations import applied, derivation
from renderer.values.changes import State
from renderer.values.derivations import Applied, DerivedUnit, Reader, Reading
from renderer.values.diagnostics import Path
from renderer.values.model import Reference, Spec
from renderer.values.objects import Manifest
from renderer.values.tree import Node, walk

_VOLUMES, _MOUNTS = "volumes", "volumeMounts"
_VARIABLES = frozenset(("env", "envFrom"))
_PARTS_OF_VOLUMES = ("subPath", "subPathExpr")


def readers(manifest: Manifest, state: State, other: State) -> tuple[Reader, ...]:
    """The specs of a state that name an object, or what a controller makes of it."""
    made = {*functions_of(manifest.spec.kind.name).makes(_object_spec(manifest))}
    here = applied(manifest, state, other)
    found: list[Reader] = []
    for user in state.manifests_below(f"{manifest.environment}/"):
        if user is manifest or not is_known(user.spec.kind):
            continue
        if any(name in user.text for _, name in made):
            there = applied(user, state, other)
            uses = (use for use in _references(user) if (use.kind, use.name) in made)
            found += (_reader(use, there) for use in uses if _is_meant(use, here, there))
    return tuple(found)


def _object_spec(manifest: Manifest) -> Spec:
    """The spec with the tree of its object, which is all that is known of rendered files."""
    return manifest.spec._replace(tree=manifest.tree)


def _references(user: Manifest) -> Iterator[Reference]:
    """What an object names: a spec of its own words is its object's `spec`."""
    from renderer.kubernetes.mentions import references

    tree = _described(user.spec, user.tree)
    return references(tree, functions_of(user.spec.kind.name).mentions(user.spec.kind.name))


def _described(spec: Spec, tree: Node) -> Node:
    return tree if spec.kind.is_open else tree.get("spec") or tree


def _is_meant(use: Reference, here: Applied, there: Applied) -> bool:
    namespace = use.namespace or there.namespace
    is_near = not here.namespace or namespace == here.namespace
    return is_near and here.cluster == there.cluster


def _reader(use: Reference, user: Applied) -> Reader:
    tree = _described(user.spec, user.tree)
    path = use.path if user.spec.kind.is_open else ("spec", *use.path)
    units = _units(user)
    near = [unit for unit in units if unit.path and path[: len(unit.path)] == unit.path]
    names = tuple(dict.fromkeys(unit.unit for unit in near or units))
    needs = (need for unit in units for need in unit.needs)
    is_derived = any((kind, name) == (use.kind, use.name) for kind, _, name in needs)
    reading = Reading.DERIVED if is_derived else _reading(tree, use.path)
    return Reader(str(user.spec), names, reading, use.keys)


def _units(user: Applied) -> tuple[DerivedUnit, ...]:
    if functions_of(user.spec.kind.name).derive is None:
        return ()
    return derivation(user, None).units


def _reading(tree: Node, path: Path) -> Reading:
    """How what stands at a place reads the object that it names."""
    if not _VARIABLES.isdisjoint(path):
        return Reading.VARIABLES
    if _VOLUMES not in path:
        return Reading.CONTROLLER
    place = path.index(_VOLUMES)
    name = tree.get(*path[: place + 2], "name")
    pod = tree.get(*path[:place])
    is_part = name is not None and pod is not None and _is_mounted_in_part(pod, name.value)
    return Reading.PART_OF_VOLUME if is_part else Reading.FILES


def _is_mounted_in_part(pod: Node, volume: object) -> bool:
    """Whether a container mounts a single path of a volume: such files are never updated."""
    mounts = (node for path, node in walk(pod) if len(path) > 1 and path[-2] == _MOUNTS)
    named = (node for node in mounts if (name := node.get("name")) and name.value == volume)
    return any(node.get(key) for node in named for key in _PARTS_OF_VOLUMES)

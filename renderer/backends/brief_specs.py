"""Specs without what rendering them writes anyway, found out by rendering them."""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from renderer.backends.kind_schemas import strict_schema
from renderer.backends.kinds import API_VERSION, KINDS, functions_of
from renderer.schema.validation import shape_errors
from renderer.values.diagnostics import Path
from renderer.values.imports import Source
from renderer.values.model import Environment, Spec
from renderer.values.objects import Scene
from renderer.values.tree import Node, Plain, constant, drop_paths, walk

Shown = Callable[[Node], object]


class Attempt:
    """What the fields of a spec would be rendered to, for one destination."""

    def __init__(self, kind: str, name: str, scene: Scene) -> None:
        self._kind, self._name, self._scene = KINDS[kind], name, scene

    def values(self, fields: Node) -> list[Mapping[str, Node]]:
        """The values of each object."""
        spec = spec_of(self._kind.name, self._name, fields, self._scene.environment)
        return [item.values for item in functions_of(self._kind.name).plan(spec, self._scene)]

    def shown(self, fields: Node) -> str:
        """All of it as a text, which differs if anything does, if only an order."""
        return json.dumps([_plain(item) for item in self.values(fields)])

    def meaning(self, fields: Node) -> Plain:
        """All of it, whatever the order of keys is."""
        return [_plain(item) for item in self.values(fields)]

    def faults(self, fields: Node) -> set[Path]:
        """Where fields are not what they should be."""
        header = {
            "apiVersion": constant(API_VERSION, "begins every spec"),
            "kind": constant(self._kind.name, "begins every spec"),
        }
        whole = fields.with_members({**header, **fields.items})
        errors = shape_errors(whole, strict_schema(self._kind.name))
        return {error.unreliable_path for error in errors if error.unreliable_path is not None}


def spec_of(kind: str, name: str, fields: Node, environment: Environment) -> Spec:
    """Fields as a spec of an environment, before there is a file of it."""
    return Spec(KINDS[kind], name, environment.name, (fields.origin.file,), fields)


def add_specs(specs: Iterable[Spec], environment: Environment) -> Environment:
    """An environment with some specs more, in the place of those of the same name."""
    new = {(spec.kind.name, spec.name): spec for spec in specs}
    kept = [spec for spec in environment.specs if (spec.kind.name, spec.name) not in new]
    names = {**environment.by_name, **new}
    return environment._replace(specs=(*kept, *new.values()), by_name=names)


def brief(fields: Node, needless: Sequence[Path], attempt: Attempt, source: Source) -> Node:
    """The fields of a spec without those of some paths that rendering writes as they are.

    What servingctl rendered itself comes out in the same order as well, unless the source is
    sorted, as clusters print objects.
    What is wrong with the shape of a spec is reported when it is tried; here it is not looked at.
    """
    faults = attempt.faults(fields)
    if any(not path or isinstance(path[-1], int) for path in faults):
        return fields
    sound = drop_paths(fields, faults)
    doubtless = [path for path in needless if sound.get(*path)]
    keeps_order = source.is_rendered and not _is_sorted(source.tree)
    shown = attempt.shown if keeps_order else attempt.meaning
    return drop_fields(fields, _droppable(sound, doubtless, shown))


def _is_sorted(tree: Node) -> bool:
    return all([*node.items] == sorted(node.items) for _, node in walk(tree))


def _droppable(fields: Node, needless: Sequence[Path], shown: Shown) -> list[Path]:
    """The paths without which the same comes out: all of them, or those that can be removable.

    Halves are tried before single paths. Rendering adds at the end, so the last ones come first.
    """
    whole = shown(fields)

    def removable(paths: Sequence[Path], others: list[Path]) -> list[Path]:
        if not paths or shown(drop_fields(fields, [*others, *paths])) == whole:
            return [*others, *paths]
        if len(paths) == 1:
            return others
        middle = len(paths) // 2
        return removable(paths[:middle], removable(paths[middle:], others))

    return removable(needless, [])


def drop_fields(fields: Node, paths: Collection[Path]) -> Node:
    """Without the values at some paths, nor the mappings that are empty for that reason."""
    done = drop_paths(fields, {path for path in paths if fields.get(*path)})
    empty = {path[:end] for path in paths for end in range(1, len(path))}
    gone = {path for path in empty if (node := done.get(*path)) and node.value == {}}
    return drop_fields(done, gone) if gone else done


def written_anyway(fields: Node, defaults: Mapping[str, Collection[object]]) -> Iterator[Path]:
    """Where fields have a value that rendering may write by itself; any, if none are listed."""
    for path, node in walk(fields):
        values = defaults.get(str(path[-1])) if path else None
        if values is not None and (not values or node.plain() in values):
            yield path


def _plain(values: Mapping[str, Node]) -> dict[str, Plain]:
    return {key: node.plain() for key, node in values.items() if key != "namespace"}

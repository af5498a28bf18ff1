"""What looking at a piece came to: enough to go on without looking again."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import NamedTuple

from renderer.check import secrets
from renderer.compose.environment_rules import MISNAMED
from renderer.evaluate.earlier import Settled
from renderer.evaluate.ignores import Ignore
from renderer.evaluate.pipeline import Gathered
from renderer.evaluate.survey import PIECES
from renderer.values.diagnostics import Diagnostic
from renderer.values.model import Manifest, Project, Spec
from renderer.values.tree import Node

#: Findings of what could not be understood, or was taken for something else: others depend on it.
MISREAD = ("YML", "SPC", MISNAMED.code)
_SECRETS = frozenset(rule.code for rule in secrets.RULES)


class Entangled(Exception):
    """Pieces depend on each other: the repository has to be looked at as a whole."""


class Seen(NamedTuple):
    """A spec by its face, whether it can be rendered, and to what."""

    spec: Spec
    sound: bool
    manifests: tuple[Manifest, ...]


class Outcome(NamedTuple):
    """The specs of a piece in all environments, and what was found in its files.

    `said` is a digest of what matters of it to others, if that is known.
    """

    specs: tuple[Seen, ...] = ()
    found: tuple[Diagnostic, ...] = ()
    ignores: tuple[tuple[Ignore, tuple[str, ...]], ...] = ()
    used: Mapping[str, tuple[str, ...]] = {}
    broken: tuple[str, ...] = ()
    said: str = ""


def outcomes(
    project: Project, gathered: Gathered, pieces: Mapping[str, tuple[str, ...]]
) -> dict[str, Outcome]:
    """What was gathered, piece by piece."""
    homes = {file: stem for stem, files in pieces.items() for file in files}
    found = _sorted(gathered.found, homes)
    if any(part.file in homes and part.kind.name not in PIECES for part in project.parts):
        raise Entangled
    specs: dict[str, list[Seen]] = {}
    made: dict[int, list[Manifest]] = {}
    for item in gathered.manifests:
        made.setdefault(id(item.spec), []).append(item)
    for environment in project.environments:
        for spec in environment.specs:
            if spec.file in homes:
                shown = face(spec)
                own = (
                    item._replace(spec=shown, tree=shown.tree) for item in made.get(id(spec), ())
                )
                sound = spec.key in gathered.sound
                specs.setdefault(spec.stem, []).append(Seen(shown, sound, tuple(own)))
    return {
        stem: Outcome(
            tuple(specs.get(stem, ())),
            tuple(found.get(stem, ())),
            tuple(_ignores(gathered, files)),
            _used(project, stem),
            tuple(file for file in files if file in gathered.broken),
        )
        for stem, files in pieces.items()
    }


def _ignores(
    gathered: Gathered, files: tuple[str, ...]
) -> Iterator[tuple[Ignore, tuple[str, ...]]]:
    """The ignores of some files, and those of others that took something away from them."""
    for item in gathered.ignores.of(files):
        yield item, tuple(gathered.ignores.used(item))
    for item, codes in gathered.ignores.borrowed(files).items():
        yield item, tuple(codes)


def around(gathered: Gathered, pieces: frozenset[str]) -> Outcome | None:
    """The objects made of what is around the pieces, if all of it is fine by itself."""
    told = (item for item in gathered.found if item.code in _SECRETS)
    if any(pieces.isdisjoint((item.file, *item.related)) for item in told):
        return None
    return Outcome(of_around(gathered, pieces))


def of_around(gathered: Gathered, pieces: frozenset[str]) -> tuple[Seen, ...]:
    """The objects made of what is around the pieces, and the specs there that nothing uses."""
    made = (item for item in gathered.manifests if pieces.isdisjoint(item.spec.files))
    idle = (spec for spec in gathered.idle if pieces.isdisjoint(spec.files))
    return (
        *(_made_of(_named(item.spec), item) for item in made),
        *(Seen(_named(spec), True, ()) for spec in idle),
    )


def _made_of(spec: Spec, manifest: Manifest) -> Seen:
    return Seen(spec, True, (manifest._replace(spec=spec, tree=spec.tree),))


def _named(spec: Spec) -> Spec:
    """What a spec is called, without what it says."""
    return spec._replace(tree=Node({}, spec.tree.origin))


def settled(known: Outcome, pieces: frozenset[str]) -> Settled:
    """What is around the pieces, as it was kept."""
    return Settled(pieces, {item.path: item for seen in known.specs for item in seen.manifests})


def _sorted(found: Iterable[Diagnostic], homes: Mapping[str, str]) -> dict[str, list[Diagnostic]]:
    """Findings by piece; those of what is around are not kept."""
    by_stem: dict[str, list[Diagnostic]] = {}
    for item in found:
        stems = {homes[file] for file in (item.file, *item.related) if file in homes}
        if len(stems) > 1 or (stems and item.code.startswith(MISREAD)):
            raise Entangled
        for stem in stems:
            by_stem.setdefault(stem, []).append(item)
    return by_stem


def _used(project: Project, stem: str) -> dict[str, tuple[str, ...]]:
    """By environment, the variables that the specs of a stem use."""
    return {
        environment: tuple(sorted(name for name, stems in uses.items() if stem in stems))
        for environment, uses in project.used.items()
    }


def face(spec: Spec) -> Spec:
    """All of a spec that is looked at to judge other specs."""
    tree = _pruned(spec.tree, spec.kind.face)
    return Spec(spec.kind, spec.stem, spec.environment, spec.files, tree)


def _pruned(node: Node, paths: tuple[tuple[str, ...], ...]) -> Node:
    """Only what some paths lead to."""
    rests = _rests(paths)
    if isinstance(node.value, dict):
        kept = {key: _kept(child, rests[key]) for key, child in node.value.items() if key in rests}
        return Node(kept, node.origin, node.key)
    if isinstance(node.value, tuple) and "*" in rests:
        return Node(tuple(_kept(child, rests["*"]) for child in node.value), node.origin, node.key)
    return Node(node.value, node.origin, node.key)


@cache
def _rests(paths: tuple[tuple[str, ...], ...]) -> dict[str, tuple[tuple[str, ...], ...]]:
    """By their first steps, where paths lead from there; those that end there lead nowhere."""
    rests: dict[str, list[tuple[str, ...]]] = {}
    for first, *rest in paths:
        rests.setdefault(first, []).append(tuple(rest))
    return {first: tuple(filter(None, found)) for first, found in rests.items()}


def _kept(node: Node, deeper: tuple[tuple[str, ...], ...]) -> Node:
    return _pruned(node, deeper) if deeper else Node(node.value, node.origin, node.key)

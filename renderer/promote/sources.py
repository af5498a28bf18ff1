"""What is to be carried: the specs that are asked for, all that they use, and what they say."""

from collections.abc import Collection, Iterable, Sequence

from renderer.backends.kinds import functions_of
from renderer.errors import UsageError
from renderer.evaluate.composition import Composition, Identity, unbound_tree
from renderer.evaluate.project import Project
from renderer.evaluate.question import spec_named
from renderer.promote.attempts import SourceSpec
from renderer.promote.draft import written_parts
from renderer.values.model import ANY, Environment, SpecPart


def wanted_specs(environment: Environment, names: Collection[str]) -> list[Identity]:
    """The specs that names mean, without names all of them, and the prerequisites they use."""
    specs = {spec.identity: spec for spec in environment.specs}
    where = f" in {environment.name!r} to be promoted"
    waiting = [spec_named(name, specs, where) for name in names] if names else [*specs]
    found = dict.fromkeys(waiting)
    while waiting:
        spec = specs[waiting.pop()]
        for use in functions_of(spec.kind.name).references(spec, environment):
            meant = environment.referenced_specs(use) if use.name != ANY else []
            new = [item.identity for item in meant if item.identity not in found]
            found.update(dict.fromkeys(new))
            waiting += new
    return sorted(found)


def source_spec(
    composition: Composition, identity: Identity, inherited: Collection[str]
) -> SourceSpec | None:
    """A spec of the source; `inherited` are the folders that the target has as well."""
    spec = composition.spec(identity)
    parts = [*written_parts(composition.project, composition.spec_parts.get(identity, ()))]
    whole = unbound_tree(parts, composition.layers.chain)
    if spec is None or whole is None:
        return None
    return SourceSpec(spec, whole, unbound_tree(fresh_parts(parts, inherited), ()))


def fresh_parts(parts: Iterable[SpecPart], inherited: Collection[str]) -> Sequence[SpecPart]:
    """What is said where the target does not hear it."""
    return [part for part in parts if part.environment not in inherited]


def refuse_environments(project: Project, source: str, target: str) -> None:
    """What is written for the target must reach nobody else, and there must be two of them."""
    project.refuse_unknown((source, target))
    if source == target:
        raise UsageError(f"{source!r} cannot be promoted to itself; name two environments")
    for name, layers in sorted(project.shared.layers.items()):
        if name != target and any(folder.name == target for folder in layers.chain):
            raise UsageError(
                f"{name!r} extends {target!r}, so what is written there would reach it too; "
                "promote to an environment that none extends, or edit this one by hand"
            )

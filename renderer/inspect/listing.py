"""Everything that is in a repository and where it goes."""

from collections.abc import Collection, Iterator, Mapping

from renderer.backends.kind_schemas import strict_schema
from renderer.backends.kinds import ENVIRONMENT, backends_of
from renderer.evaluate.inputs import kind_of, read_source
from renderer.evaluate.project import Project
from renderer.evaluate.rendering import Rendering
from renderer.inspect.needs import placed_specs
from renderer.manifests.placement import place
from renderer.manifests.planned_objects import unit_names
from renderer.manifests.prerequisite_places import Places
from renderer.schema.validation import fits
from renderer.text.wording import listed, visible
from renderer.values.inspection import Listing, Row
from renderer.values.model import Environment, Spec, environment_of, stem_of

_Identity = tuple[str, str]


def list_specs(project: Project, names: Collection[str] = ()) -> Listing:
    """The specs of some environments, or of all that have output; nothing is rendered for it."""
    project.refuse_unknown(names)
    rows: list[Row] = []
    only_inherited = []
    for environment in project.environments:
        if environment.name in names or (environment.destinations and not names):
            rows += _rows(project, environment)
        elif not names:
            only_inherited.append(environment.name)
    rows += _uncomposed(project, names)
    return Listing(tuple(sorted(rows)), tuple(only_inherited))


def _rows(project: Project, environment: Environment) -> Iterator[Row]:
    sound = [spec for spec in environment.specs if fits(spec.tree, strict_schema(spec.kind.name))]
    places = _places(environment, sound)
    identities = {spec.identity for spec in sound}
    for spec in environment.specs:
        row = Row(environment.name, spec.kind.name, spec.stem, spec.name, files=spec.files)
        if spec.identity in identities:
            units = unit_names(spec, environment, project.shared.templates)
            yield row._replace(destinations=_homes(spec, environment, places), units=units)
        else:
            yield row._replace(is_broken=True)
    folders = {folder.name for folder in project.shared.layers[environment.name].chain}
    yield from _unread(project, environment, folders)


def _places(environment: Environment, specs: Collection[Spec]) -> Mapping[_Identity, Places]:
    """The places of each spec that goes where others need it."""
    return placed_specs(environment, specs)[0].places


def _homes(
    spec: Spec, environment: Environment, places: Mapping[_Identity, Places]
) -> tuple[str, ...]:
    if spec.kind.follows_users:
        found = [one.destination for one in places.get(spec.identity, ())]
    else:
        found = list(place(spec, environment).own)
    return tuple(dict.fromkeys(item.name for item in found))


def _unread(project: Project, environment: Environment, folders: Collection[str]) -> Iterator[Row]:
    """What is known of files that are no specs because something is wrong with them."""
    for stem in sorted(environment.unread):
        files = tuple(
            path
            for path in project.inputs.digests
            if stem_of(path) == stem and environment_of(path) in folders
        )
        kinds = sorted({kind_of(read_source(project.files, path)) for path in files} - {""})
        yield Row(environment.name, "".join(kinds[:1]), stem, stem, (), (), files, is_broken=True)


def _uncomposed(project: Project, names: Collection[str]) -> Iterator[Row]:
    """Environments of which nothing is known."""
    composed = {item.name for item in project.environments}
    for name in sorted(project.inputs.folders - composed):
        if not names or name in names:
            files = tuple(p for p in project.inputs.digests if environment_of(p) == name)
            described = tuple(path for path in files if stem_of(path) == "environment")
            kind = ENVIRONMENT.name
            yield Row(name, kind, "environment", name, (), (), described, is_broken=True)


def rendered_specs(project: Project, rendering: Rendering) -> Iterator[str]:
    """Lines with every spec, its units and the files it is rendered to."""
    for environment in project.environments:
        names = [destination.name for destination in environment.destinations]
        yield f"{environment.name}: {listed(names) if names else 'only inherited from'}"
        for backend in backends_of(environment):
            yield from (f"  needs {line}" for line in backend.load().needs(environment))
        for spec in environment.specs:
            units = unit_names(spec, environment, project.shared.templates)
            yield visible(f"  {spec}" + (f" ({', '.join(units)})" if units else ""))
            for manifest in rendering.manifests:
                if manifest.spec.key == spec.key:
                    yield f"    {manifest.path}"

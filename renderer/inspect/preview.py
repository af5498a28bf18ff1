"""What will become of a spec: its rendered objects, handed to its platform for a preview."""

from collections.abc import Iterator, Sequence

from renderer.backends.kinds import functions_of, owner_of, used_specs
from renderer.errors import UsageError
from renderer.evaluate.project import Project
from renderer.evaluate.question import find_spec
from renderer.evaluate.rendering import Rendering
from renderer.evaluate.run import render
from renderer.inspect.applied_specs import applied_specs
from renderer.inspect.engine_lines import engine_lines
from renderer.inspect.needs import needs_of
from renderer.text.secrets.masks import hidden, mask_line, masked_text
from renderer.text.wording import listed, suggest
from renderer.values.derivations import DerivedObject, DerivedUnit, Options
from renderer.values.diagnostics import Diagnostic, Severity
from renderer.values.inspection import Preview
from renderer.values.model import Environment, Spec, environment_of
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import uniform_tree


class PreviewPart(NamedTuple):
    """What is wanted of a preview: one destination or unit; `alice` is `alice/host` too."""

    destination: str = ""
    unit: str = ""


WHOLE = PreviewPart()


class PreviewRequest(NamedTuple):
    """What a preview is asked for: a spec by what people call it, in an environment."""

    environment: str
    spec: str
    options: Options
    part: PreviewPart = WHOLE


def attempt(project: Project, wanted: PreviewRequest) -> Preview | list[Diagnostic]:
    """The preview, or the errors that keep it from being made."""
    rendering = render(project, [wanted.environment])
    environment = project.environment(wanted.environment)
    if environment is None:
        return rendering.diagnostics
    spec = find_spec(environment, wanted.spec)
    errors = hindrances(rendering, environment, spec)
    return errors or preview(project, rendering, environment, spec, wanted.options, wanted.part)


def has_specs(project: Project, environment: str, names: Sequence[str]) -> bool:
    """Whether a state has the specs, or may have them if its files could be read."""
    try:
        project.refuse_unknown([environment])
        found = project.environment(environment)
        return found is None or all(find_spec(found, name) for name in names)
    except UsageError:
        return False


def preview(
    project: Project,
    rendering: Rendering,
    environment: Environment,
    spec: Spec,
    options: Options,
    part: PreviewPart = WHOLE,
) -> Preview:
    """The units of a sound spec, secrets hidden; the rendering must cover the environment."""
    _refuse_foreign(spec, options)
    derive = functions_of(spec.kind.name).derive
    if derive is None:
        raise UsageError(f"{spec} runs nothing by itself; {_users(spec, environment)}")
    if not environment.destinations:
        reason = "is only inherited from; it has no destinations"
        raise UsageError(f"the environment {environment.name!r} {reason}")
    (applied,) = applied_specs(project, rendering, environment, [spec])
    applied = applied._replace(options=options)
    ours = [unit for unit in derive(applied, None).units if unit.destination]
    units = _wanted(ours, part)
    needs = needs_of(spec, environment, part.destination)
    engines = engine_lines(spec, environment, project.documents)
    return Preview(str(spec), environment.name, tuple(map(_discreet, units)), needs, engines)


def made_objects(
    project: Project, rendering: Rendering, environment: Environment, spec: Spec
) -> Iterator[tuple[str, DerivedObject]]:
    """The objects that a platform makes of a spec, each with its destination."""
    derive = functions_of(spec.kind.name).derive
    for applied in applied_specs(project, rendering, environment, [spec]) if derive else ():
        for unit in derive(applied, None).units if derive else ():
            yield from ((unit.destination, made) for made in unit.objects)


def _wanted(units: list[DerivedUnit], part: PreviewPart) -> list[DerivedUnit]:
    _refuse_unknown("destination", part.destination, [item.destination for item in units])
    kept = [item for item in units if part.destination in ("", item.destination)]
    names = [item.unit for item in kept]
    wanted = {name for name in names if f"{name}/".startswith(f"{part.unit}/") or not part.unit}
    if not wanted:
        _refuse_unknown("unit", part.unit, names)
    return [item for item in kept if item.unit in wanted]


def hindrances(rendering: Rendering, environment: Environment, spec: Spec) -> list[Diagnostic]:
    """The errors that concern a spec: its own, those of what it uses, and the environment's."""
    needed = {file for item in used_specs(spec, environment) for file in item.files}
    specs = {file for item in environment.specs for file in item.files}
    return [
        item
        for item in rendering.diagnostics
        if item.severity is Severity.ERROR and _concerns(item, spec, needed, specs, environment)
    ]


def _concerns(
    item: Diagnostic, spec: Spec, needed: set[str], specs: set[str], environment: Environment
) -> bool:
    chain = set(map(environment_of, environment.files))
    if item.environments and chain.isdisjoint(item.environments):
        return False
    about = {item.file, *item.related} & specs
    if about:
        return not about.isdisjoint(spec.files) or about <= needed
    return item.file in environment.files or not item.file.startswith("environments/")


def _discreet(unit: DerivedUnit) -> DerivedUnit:
    """A unit with all secrets hidden."""
    files = tuple(
        item._replace(
            text=masked_text(item.text),
            not_previewed=tuple(mask_line(text) for text in item.not_previewed),
            problem=mask_line(item.problem),
        )
        for item in unit.files
    )
    objects = tuple(map(_discreet_object, unit.objects))
    notes = (*unit.notes, *unit.read_file_notes())
    return unit._replace(objects=objects, notes=notes, read_files=lambda: files)


def _discreet_object(item: DerivedObject) -> DerivedObject:
    summary = tuple((name, masked_text(text)) for name, text in item.summary)
    return DerivedObject(uniform_tree(hidden(item.content), item.tree.origin), summary)


def _refuse_foreign(spec: Spec, options: Options) -> None:
    """Options of other platforms say nothing to this one."""
    backend = owner_of(spec.kind.name)
    known = {option.name for option in backend.preview_options}
    for name, values in options.items():
        if values and name not in known:
            raise UsageError(f"--{name} means nothing for {spec}, which is one of {backend.name}")


def _users(spec: Spec, environment: Environment) -> str:
    users = list(_using(spec, environment))
    return f"preview {listed(users, 'or')}, which uses it" if users else "nothing uses it"


def _using(spec: Spec, environment: Environment) -> Iterator[str]:
    for other in environment.specs:
        if spec in used_specs(other, environment):
            yield str(other)


def _refuse_unknown(what: str, name: str, known: list[str]) -> None:
    if name and name not in known:
        names = list(dict.fromkeys(filter(None, known)))
        where = f"at the {what} {name!r}"
        raise UsageError(f"nothing becomes of this spec {where}; {suggest(name, names)}")

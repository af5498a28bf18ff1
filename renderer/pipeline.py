"""From a project to findings and manifests; values in, values out."""

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from renderer.checking import check_environment, check_parts
from renderer.crds import collect
from renderer.diagnostics import Diagnostic, Origin, Severity, has_errors, merged
from renderer.documents.yamlwriter import write
from renderer.errors import UsageError
from renderer.model import Environment, Manifest, Project
from renderer.rendering import Context, render_environment
from renderer.rules.specs import UNUSED_TEMPLATE
from renderer.schemacheck import rules as shapes
from renderer.templating.placing import names as template_names
from renderer.wording import listed, nearest

_SHAPES = frozenset(rule.code for rule in shapes.RULES)


class Rendering(NamedTuple):
    """Every manifest of the chosen environments, and everything that is wrong."""

    manifests: tuple[Manifest, ...]
    diagnostics: list[Diagnostic]

    @property
    def is_sound(self) -> bool:
        return not has_errors(self.diagnostics)

    def files(self) -> dict[str, str]:
        """The text of each file, by its path below the output folder."""
        return {item.path: write(item.tree) for item in self.manifests}


def check(project: Project, environments: Collection[str] = ()) -> list[Diagnostic]:
    """Everything that can be known before applying, for all or for the named environments."""
    return render(project, environments).diagnostics


def render(project: Project, environments: Collection[str] = ()) -> Rendering:
    """The manifests of all or of the named environments, and what is wrong with the specs."""
    chosen = choose(project, environments)
    crds, found = collect(project.crds)
    found += (*project.diagnostics, *_unused_templates(project))
    found += _news(check_parts(project.parts), found)
    context = Context(project.templates, crds)
    manifests: list[Manifest] = []
    for environment in chosen:
        if not environment.destinations:
            continue  # only inherited from: its files are checked one by one
        broken = {item.file for item in found if item.severity is Severity.ERROR}
        checked = check_environment(environment, broken)
        result = render_environment(environment, checked.sound, context)
        found += _news(checked.diagnostics, found)
        found += result.diagnostics
        manifests += result.manifests
    mine = _concerning(environments, found)
    return Rendering(tuple(sorted(manifests, key=lambda item: item.path)), merged(mine))


def _news(later: Iterable[Diagnostic], earlier: Collection[Diagnostic]) -> list[Diagnostic]:
    """Without what was said of the same place before: by the file's own check, or by a reader."""
    said = {item[:4] for item in earlier}
    misread = {item[:3] for item in earlier if item.code not in _SHAPES}
    return [
        item
        for item in later
        if item[:4] not in said and not (item.code in _SHAPES and item[:3] in misread)
    ]


def _concerning(names: Collection[str], found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """What was found in these environments, or in no environment in particular."""
    return [f for f in found if not names or not f.environments or {*names} & {*f.environments}]


def choose(project: Project, names: Collection[str]) -> list[Environment]:
    """The environments of these names, or all of them."""
    known = {environment.name: environment for environment in project.environments}
    broken = {name for item in project.diagnostics for name in item.environments}
    for name in names:
        if name not in known and name not in broken:
            hint = nearest(name, known)
            meant = f"did you mean {hint!r}?" if hint else f"there is {listed(known)}"
            raise UsageError(f"there is no environment {name!r}; {meant}")
    return [item for name, item in known.items() if not names or name in names]


def _unused_templates(project: Project) -> Iterator[Diagnostic]:
    known = template_names()
    for name in sorted(set(project.templates) - set(known)):
        hint = nearest(name, known)
        fix = f"did you mean templates/{hint}?" if hint else f"there is {listed(known)}"
        where = Origin(f"templates/{name}")
        yield UNUSED_TEMPLATE.at(where, "this template overrides nothing", fix)

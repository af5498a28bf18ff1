"""From a project to findings and manifests; values in, values out."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from renderer.check import secrets
from renderer.check.policy import Policy
from renderer.check.specs import Sources, check_environment, check_parts, check_project
from renderer.compose.environment_rules import ADDED, UNHEARD, UNUSED, UNUSED_VARIABLE
from renderer.compose.spec_rules import UNUSED_TEMPLATE
from renderer.evaluate import selection as selecting
from renderer.evaluate.earlier import NOTHING_KNOWN, Known, Settled
from renderer.evaluate.ignores import Ignores
from renderer.evaluate.rulebook import codes
from renderer.evaluate.severities import unknown_rules
from renderer.evaluate.shard import everything
from renderer.render.environment import render_environment, same_objects
from renderer.render.gitops import kustomization
from renderer.render.objects import Context
from renderer.render.templates import names as template_names
from renderer.schema import rules as shapes
from renderer.schema.crds import collect
from renderer.text.wording import suggest
from renderer.text.yaml_writer import write
from renderer.values.diagnostics import Diagnostic, Origin, Severity, has_errors, merged
from renderer.values.identity_cache import once
from renderer.values.model import Environment, Manifest, Project, Spec, SpecKey

if TYPE_CHECKING:  # only rendering needs it
    from renderer.values.output import OutputFile

_SHAPES = frozenset(rule.code for rule in shapes.RULES)
_OF_LISTS = frozenset((ADDED.code, UNHEARD.code))
_SECRETS = frozenset(rule.code for rule in secrets.RULES)


class Rendering(NamedTuple):
    """Every manifest of the chosen environments, and everything that is wrong.

    `unsound` are the specs that no manifests were made of because something is wrong with them.
    """

    manifests: tuple[Manifest, ...]
    diagnostics: list[Diagnostic]
    unsound: frozenset[SpecKey] = frozenset()

    @property
    def is_sound(self) -> bool:
        return not has_errors(self.diagnostics)

    def files(self) -> "list[OutputFile]":
        """Every file of the output, the lists of each destination's files included."""
        from renderer.values.output import OutputFile

        listings: dict[str, list[str]] = {}
        for item in self.manifests:
            folder = f"{item.environment}/{item.destination}"
            listings.setdefault(folder, []).append(item.path.removeprefix(f"{folder}/"))
        made = [
            OutputFile(f"{folder}/kustomization.yaml", write(kustomization(paths)))
            for folder, paths in listings.items()
        ]
        made += (
            OutputFile(
                item.path,
                None if item.digest else item.text,
                item.identity,
                item.spec.file,
                item.digest,
            )
            for item in self.manifests
        )
        return sorted(made)


def check(project: Project, environments: Collection[str] = ()) -> list[Diagnostic]:
    """Everything that can be known before applying, for all or for the named environments."""
    return render(project, environments).diagnostics


def render(
    project: Project,
    environments: Collection[str] = (),
    *,
    owns: Callable[[str, str], bool] = everything,
    jobs: int = 1,
) -> Rendering:
    """The manifests of all or of the named environments, and what is wrong with the specs.

    With `owns`, only manifests for these (environment, destination) pairs are made. The result is
    the same whatever the number of `jobs`.
    """
    return conclude(project, environments, gather(project, environments, owns=owns, jobs=jobs))


class Gathered(NamedTuple):
    """What specs come to one by one, before they are looked at together."""

    found: list[Diagnostic]
    manifests: list[Manifest]
    idle: list[Spec]
    ignores: Ignores
    sound: set[SpecKey]
    failed: set[SpecKey]
    broken: set[str]

    def unsound(self, environments: Iterable[Environment]) -> frozenset[SpecKey]:
        """The specs of which nothing was made because something is wrong."""
        made = self.sound - self.failed
        placed = (item for item in environments if item.destinations)
        return frozenset(s.key for item in placed for s in item.specs if s.key not in made)


def gather(
    project: Project,
    environments: Collection[str] = (),
    *,
    owns: Callable[[str, str], bool] = everything,
    jobs: int = 1,
    known: Mapping[SpecKey, Known] = NOTHING_KNOWN,
    settled: Settled | None = None,
) -> Gathered:
    """Check and render every spec that is not known already."""
    chosen = selecting.environments(project, environments)
    crds, found = collect(project.crds)
    ignores = Ignores(project.documents.values(), codes)
    found += (*project.diagnostics, *ignores.found, *_unused_templates(project))
    found += unknown_rules(project.settings, chosen) if not settled else ()
    unsettled = [i for i in project.parts if not settled or not settled.covers(i.file)]
    parts = check_parts(unsettled, project.documents)
    found += _news(parts.diagnostics, found)
    earlier = list(found)
    broken = {i.file for i in earlier if i.severity is Severity.ERROR and i.code not in _SECRETS}
    sources = Sources(project.documents, broken, parts.holes, known, settled)
    illegible = {item.file for item in earlier if item.code.startswith(("YML", "SPC"))}
    found = [item for item in found if not _is_doubtful(item, illegible)]
    context = Context(project.templates, crds, owns, jobs, known, settled)
    gathered = Gathered(found, [], [], ignores, set(), set(), broken)
    for environment in chosen:
        if not environment.destinations:
            continue  # only inherited from: its files are checked one by one
        policy = Policy.of(project.settings, environment)
        judge = partial(ignores.judge, policy=policy)
        checked = check_environment(environment, judge, sources)
        result = render_environment(environment, checked.sound, context)
        found += _news(checked.diagnostics, earlier)
        found += result.diagnostics
        gathered.manifests.extend(result.manifests)
        gathered.idle.extend(result.unused)
        gathered.sound.update(spec.key for spec in checked.sound)
        gathered.failed.update(spec.key for spec in result.failed)
    return gathered


def conclude(project: Project, environments: Collection[str], gathered: Gathered) -> Rendering:
    """Look at everything together: who uses what, and who is in whose way."""
    found, manifests, idle, ignores = gathered[:4]
    chosen = selecting.environments(project, environments)
    whole = len(chosen) == len(project.environments)
    found = [*found, *_unused(idle, chosen, whole=whole), *same_objects(manifests, chosen)]
    found += check_project([item for item in chosen if item.destinations])
    mine = list(
        _judged(_concerning(_with_ancestors(environments, chosen), found), project, ignores)
    )
    mine = _without_doubts(mine)
    mine += ignores.futile()
    if whole:
        shaped = {item.file for item in found if item.code in _SHAPES}
        mine += ignores.unused(shaped | gathered.broken)
    in_order = tuple(sorted(manifests, key=lambda item: item.path))
    return Rendering(in_order, merged(mine), gathered.unsound(chosen))


def _without_doubts(found: list[Diagnostic]) -> list[Diagnostic]:
    """What is perhaps a typo is not worth a word where an error stands."""
    wrong = {item[:3] for item in found if item.severity is Severity.ERROR}
    return [item for item in found if item.code != ADDED.code or item[:3] not in wrong]


def _unused(idle: list[Spec], chosen: list[Environment], *, whole: bool) -> Iterator[Diagnostic]:
    """Prerequisites that no environment uses; an inherited one may be used by another."""
    keys = {(spec.environment, spec.identity) for spec in idle}
    for spec in idle:
        own = spec.file.startswith(f"environments/{spec.environment}/")
        elsewhere = any(
            other.file == spec.file and (env.name, other.identity) not in keys
            for env in chosen
            if env.destinations
            for other in env.specs
        )
        if own or (whole and not elsewhere):
            message = f"nothing uses the {spec.kind.name} {spec.stem!r}"
            finding = UNUSED.at(spec.tree.origin, message, "delete it, or use it")
            yield finding.about(spec.environment, related=spec.files)


def _news(later: Iterable[Diagnostic], earlier: Collection[Diagnostic]) -> list[Diagnostic]:
    """Without what was said of the same place before: by the file's own check, or by a reader."""
    said = {item[:4] for item in earlier}
    misread = {item[:3] for item in earlier if item.code not in _SHAPES}
    return [
        item
        for item in later
        if item[:4] not in said and not (item.code in _SHAPES and item[:3] in misread)
    ]


def _is_doubtful(finding: Diagnostic, illegible: Collection[str]) -> bool:
    """What is missing or not used may stand in a file that could not be understood."""
    if finding.code == UNUSED_VARIABLE.code:
        return bool(illegible)
    files = (finding.file, *finding.related)
    return finding.code in _OF_LISTS and any(file in illegible for file in files)


def _judged(
    found: Iterable[Diagnostic], project: Project, ignores: Ignores
) -> Iterator[Diagnostic]:
    """Each finding as bad as it is in each environment; merging puts equal ones together again."""
    general = Policy.of(project.settings)
    policies = {e.name: Policy.of(project.settings, e) for e in project.environments}
    for item in found:
        for name in item.environments or ("",):
            alone = item._replace(environments=(name,) if name else ())
            policy = policies.get(name, general)
            if judged := ignores.judge(alone, policy, firm=is_firm(project, alone)):
                yield judged


def is_firm(project: Project, finding: Diagnostic) -> bool:
    """Whether nothing may silence a finding: security and reading, where production inherits."""
    return any(
        Policy.of(project.settings, environment).is_firm(finding.code)
        and (environment.name in finding.environments or finding.file in _files(environment))
        for environment in project.environments
    )


@once
def _files(environment: Environment) -> set[str]:
    return {*environment.files, *(file for spec in environment.specs for file in spec.files)}


def _with_ancestors(names: Collection[str], chosen: Iterable[Environment]) -> set[str]:
    """The names, and those of the environments that they inherit from."""
    inherited = (file.split("/")[1] for item in chosen for file in item.files) if names else ()
    return {*names, *inherited}


def _concerning(names: Collection[str], found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """What was found in these environments, or in no environment in particular."""
    return [f for f in found if not names or not f.environments or {*names} & {*f.environments}]


def _unused_templates(project: Project) -> Iterator[Diagnostic]:
    known = template_names() if project.templates else []
    for name in sorted(set(project.templates) - set(known)):
        fix = suggest(name, known, shown="templates/{}".format)
        where = Origin(f"templates/{name}")
        yield UNUSED_TEMPLATE.at(where, "this template overrides nothing", fix)

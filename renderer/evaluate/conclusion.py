"""What needs more than one group: who uses what, who is in whose way, and where shared specs go."""

from collections.abc import Iterable, Iterator

from renderer.backends.kinds import KINDS
from renderer.compose.environment_rules import UNUSED
from renderer.compose.environments import unused_variables
from renderer.compose.parts import misnamed_finding
from renderer.compose.spec_rules import SAME_NAME
from renderer.evaluate.checks import (
    SHAPES,
    CheckedShared,
    broken_files,
    illegible_files,
    is_doubtful,
)
from renderer.evaluate.collisions import objects_of, same_objects, same_paths
from renderer.evaluate.ignores import Ignore, futile_ignores, unused_ignores
from renderer.evaluate.judgement import Judgement, relevant_findings
from renderer.evaluate.prerequisites import EvaluatedPrerequisites, Prerequisites
from renderer.evaluate.question import Question, chosen
from renderer.evaluate.result import Conclusion, KnownResults
from renderer.evaluate.rulebook import misnamed_rules
from renderer.evaluate.shared import Shared
from renderer.rules.specs import check_fleet
from renderer.values.diagnostics import Diagnostic, Severity
from renderer.values.model import (
    Environment,
    Fleet,
    Spec,
    SpecKey,
    Summary,
    environment_of,
)


def conclude(checked: CheckedShared, question: Question, known: KnownResults) -> Conclusion:
    """Look at everything together; the results themselves are not repeated."""
    shared = checked.shared
    known = known.sorted_by_stem()
    environments = chosen(shared.environments, question.environments)
    comments = _comments(checked, known)
    placed = [item for item in environments if item.destinations]
    fleet, strays = _fleet(placed, known, Judgement(shared, comments, {}))
    clashes = dict(_same_names(fleet))
    specs = [
        item._replace(is_sound=False) if item.summary.key in clashes else item
        for result in known.results
        for item in result.results
        if item.summary.key not in strays
    ]
    judgement = Judgement(shared, comments, _files(fleet))
    prerequisites = Prerequisites(checked, question, known, fleet, judgement).evaluate(specs)
    is_whole = len(environments) == len(shared.environments) and known.others is not None
    misnamed = misnamed_rules(shared.settings, environments, shared.policies.codes)
    found = [*misnamed, *strays.values(), *clashes.values()]
    illegible = checked.illegible | illegible_files(found)
    illegible = illegible.union(*(result.illegible for result in known.results))
    found += (item for item in checked.diagnostics if not is_doubtful(item, illegible))
    found += _prerequisite_findings(prerequisites, environments, is_whole=is_whole)
    objects = [*prerequisites.objects, *objects_of(specs)]
    found += (*same_paths(objects), *same_objects(objects, fleet.environments, shared.parts))
    found += check_fleet(fleet) if fleet.environments else ()
    if known.is_complete and not illegible:
        found += unused_variables(shared.environments, _variables(shared, known))
    mine = judgement.judge_all(relevant_findings(question.environments, shared, found))
    shaped = frozenset(item.file for item in found if item.code in SHAPES)
    broken = checked.broken.union(shaped, broken_files(clashes.values()))
    used = [*judgement.used, *checked.used]
    used += (item for result in known.results for item in result.used)
    mine += futile_ignores(used)
    if is_whole and known.is_complete:
        broken = broken.union(*(result.broken for result in known.results))
        said = (*mine, *_said_in_groups(checked, known))
        of_changes = {rule.code for rule in shared.policies.on_changes}
        mine += unused_ignores(comments, used, broken, said, of_changes)
    unsound = {item.summary.key for item in specs if not (item.is_sound and item.is_whole)}
    return Conclusion(
        tuple(mine),
        tuple(item.manifest for item in prerequisites.objects),
        frozenset(unsound | prerequisites.unsound),
        frozenset(strays),
        _counts(environments, known, strays),
    )


def _comments(checked: CheckedShared, known: KnownResults) -> dict[str, tuple[Ignore, ...]]:
    comments = dict(checked.comments)
    for result in known.results:
        comments.update(result.comments)
    return comments


def _said_in_groups(checked: CheckedShared, known: KnownResults) -> Iterator[Diagnostic]:
    """What was found in the files of groups; a conclusion that has some of these is not kept."""
    found = (item for result in known.results for _, some in result.spec_findings for item in some)
    return (item for item in found if item.file not in checked.comments)


def _counts(
    environments: list[Environment], known: KnownResults, strays: Iterable[SpecKey]
) -> dict[str, int]:
    """The specs of each environment, without files that are meant for another one."""
    counts = {
        item.name: len(item.specs) + sum(r.counts.get(item.name, 0) for r in known.results)
        for item in environments
    }
    for key in strays:
        counts[key.environment] -= 1
    return counts


def _fleet(
    placed: list[Environment], known: KnownResults, judgement: Judgement
) -> tuple[Fleet, dict[SpecKey, Diagnostic]]:
    """All summaries by environment, without those of files that are meant for another spec.

    Where that finding is switched off, what is wrong with such a spec is reported instead.
    """
    summaries: dict[str, list[Summary]] = {item.name: [] for item in placed}
    specs = [item for result in known.results for item in result.results]
    for summary in (*(item.summary for item in specs), *(known.others or ())):
        summaries.setdefault(summary.environment, []).append(summary)
    files = {item.name: item.files for item in placed}
    strays: dict[SpecKey, Diagnostic] = {}
    for item in (item for item in specs if item.missing and not item.is_sound):
        environment, own = item.summary.environment, item.summary.file
        stems = (s.stem for s in summaries[environment] if _is_inherited(s, item.summary))
        if wrong := misnamed_finding(own, item.summary.kind, item.missing, stems):
            about = wrong.about(environment, related=files.get(environment, ()))
            judged = judgement.judge_in(about, environment)
            if judged and judged.severity is Severity.ERROR:
                strays[item.summary.key] = about
    kept = {
        name: tuple(sorted((s for s in some if s.key not in strays), key=lambda s: s.key))
        for name, some in summaries.items()
    }
    return Fleet(tuple(placed), kept), strays


def _is_inherited(other: Summary, summary: Summary) -> bool:
    """Whether an environment above has a file of another spec of the kind."""
    folders = map(environment_of, other.files)
    return other.kind == summary.kind and any(name != summary.environment for name in folders)


def _files(fleet: Fleet) -> dict[str, set[str]]:
    return {
        name: {file for summary in some for file in summary.files}
        for name, some in fleet.summaries.items()
    }


def _same_names(fleet: Fleet) -> Iterator[tuple[SpecKey, Diagnostic]]:
    """The specs that have the name of another one, of which nothing can be made."""
    for environment in fleet.environments:
        first: dict[tuple[str, str, str], Summary] = {}
        for summary in fleet.summaries_of(environment):
            name = str(summary.name.value)
            place = _namespace(summary, environment)
            known = first.setdefault((summary.kind, name, place), summary)
            if known is not summary:
                message = f"{known.file} is called {name!r} already"
                fix = "give one of the two another name"
                finding = SAME_NAME.at(summary.name.origin, message, fix)
                related = (*summary.files, *known.files)
                yield summary.key, finding.about(environment.name, related=related)


def _namespace(summary: Summary, environment: Environment) -> str:
    """Its own, or that of the only place it can go to; empty if its kind knows none."""
    if not KINDS[summary.kind].is_namespaced:
        return ""
    if own := summary.fields.get("namespace"):
        return str(own.value)
    named = summary.fields.get("destination")
    places = (d for d in environment.destinations if named is None or d.name == named.value)
    found = {item.namespace for item in places}
    return found.pop() if len(found) == 1 else ""


def _prerequisite_findings(
    prerequisites: EvaluatedPrerequisites, environments: list[Environment], *, is_whole: bool
) -> Iterator[Diagnostic]:
    """What is wrong with prerequisites, and what nothing needs."""
    yield from prerequisites.found
    yield from _unused_findings(prerequisites.idle, environments, is_whole=is_whole)
    if prerequisites.references:
        from renderer.evaluate.references import unneeded_objects

        yield from unneeded_objects(prerequisites.references, is_whole=is_whole)


def _unused_findings(
    idle: list[Spec], environments: list[Environment], *, is_whole: bool
) -> Iterator[Diagnostic]:
    """Prerequisites that no environment uses; an inherited one may be used by another."""
    keys = {spec.key for spec in idle}
    for spec in idle:
        elsewhere = any(
            other.file == spec.file and other.key not in keys
            for environment in environments
            if environment.destinations
            for other in environment.specs
        )
        own = environment_of(spec.file) == spec.environment
        if own or (is_whole and not elsewhere):
            message = f"nothing uses the {spec.kind.name} {spec.stem!r}"
            finding = UNUSED.at(spec.tree.origin, message, "delete it, or use it")
            yield finding.about(spec.environment, related=spec.files)


def _variables(shared: Shared, known: KnownResults) -> dict[str, set[str]]:
    """The variables that are used in each environment."""
    used = {name: set(names) for name, names in shared.variables.items()}
    for result in known.results:
        for name, names in result.variables.items():
            used.setdefault(name, set()).update(names)
    return used

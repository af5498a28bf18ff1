"""What checking the shared inputs by themselves comes to; every group depends on it."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial

from renderer.backends import BACKENDS
from renderer.backends.kinds import REGISTERED, considered_specs, known_kinds
from renderer.compose.environment_rules import (
    ADDED,
    BROADCAST_WITHOUT_ITEMS,
    NO_REFERENCE,
    UNDEFINED,
)
from renderer.compose.spec_rules import UNUSED_TEMPLATE
from renderer.evaluate.ignores import Ignore, UsedIgnore, read_comments
from renderer.evaluate.judgement import Judgement
from renderer.evaluate.rulebook import code_test
from renderer.evaluate.shared import Shared
from renderer.manifests.templates import names as template_names
from renderer.rules import secrets
from renderer.rules.policy import tempered
from renderer.rules.specs import (
    Description,
    Judge,
    Paths,
    ShapedSpec,
    check_description,
    check_files,
    check_spec,
    check_spec_shape,
)
from renderer.schema import rules as shapes
from renderer.text.wording import suggest
from renderer.values.diagnostics import Diagnostic, Origin, Severity, family_of, has_errors
from renderer.values.identity_cache import cached_by_identity
from renderer.values.model import Document, Environment, Spec, Summary
from renderer.values.named_tuple import NamedTuple

SHAPES = frozenset(rule.code for rule in shapes.RULES)
_SECRET_CODES = frozenset(rule.code for rule in secrets.RULES)
_LIST_CODES = frozenset((ADDED.code, BROADCAST_WITHOUT_ITEMS.code))
_UNBOUND_CODES = frozenset((UNDEFINED.code, NO_REFERENCE.code))
_NOT_UNDERSTOOD = ("YML", "SPC")
_NO_DOCUMENTS: Mapping[str, Document] = {}


class CheckedEnvironment(NamedTuple):
    """An environment as the rules can read it, and the shape of each of its prerequisites."""

    environment: Environment
    description: Description
    prerequisites: Mapping[tuple[str, str], ShapedSpec]


class CheckedShared(NamedTuple):
    """The shared inputs, what was found in them, and what others have to know of that.

    `broken` files have errors, `illegible` ones could not be understood, and the `unreliable` paths
    of a file lead to values that are not what they should be. `used` are the ignores that took
    something away.
    """

    shared: Shared
    diagnostics: tuple[Diagnostic, ...]
    comments: Mapping[str, tuple[Ignore, ...]]
    unreliable: Mapping[str, Paths]
    broken: frozenset[str]
    illegible: frozenset[str]
    environments: Mapping[str, CheckedEnvironment]
    used: frozenset[UsedIgnore] = frozenset()

    @property
    def is_clean(self) -> bool:
        """Whether nothing at all was found."""
        return not (self.diagnostics or self.used) and not any(
            item.description.diagnostics or any(spec.errors for spec in item.prerequisites.values())
            for item in self.environments.values()
        )


def check_shared(shared: Shared) -> CheckedShared:
    """Each shared file by itself, and each environment with output by its description."""
    comments = read_comments(shared.documents.values(), code_test(shared.policies.codes))
    found = [*shared.diagnostics, *comments.diagnostics, *_unused_templates(shared)]
    found += _rule_faults(shared)
    found += _unevaluated_crds(shared)
    placed = [item for item in shared.environments if item.destinations]
    files = check_files(shared.parts, shared.documents)
    found = tempered([*found, *new_findings(files.diagnostics, found)], shared.settings.rules_as_of)
    judgement = Judgement(shared, comments.by_file, {})
    broken = broken_files(judgement.judge_all(found))
    as_of = shared.settings.rules_as_of
    environments = {
        item.name: _check_environment(item, files.unreliable, judgement, as_of) for item in placed
    }
    return CheckedShared(
        shared,
        tuple(found),
        comments.by_file,
        files.unreliable,
        broken,
        illegible_files(found),
        environments,
        frozenset(judgement.used),
    )


def assume_clean(shared: Shared) -> CheckedShared:
    """The same if nothing can be found, as an earlier check of the same inputs says."""
    comments = read_comments(shared.documents.values(), code_test(shared.policies.codes))
    environments = {
        item.name: CheckedEnvironment(
            item,
            Description(item, [], is_sound=True, has_places=True),
            {spec.identity: ShapedSpec(spec, ()) for spec in item.specs},
        )
        for item in shared.environments
        if item.destinations
    }
    nothing: frozenset[str] = frozenset()
    return CheckedShared(shared, (), comments.by_file, {}, nothing, nothing, environments)


def _check_environment(
    environment: Environment,
    unreliable: Mapping[str, Paths],
    judgement: Judgement,
    rules_as_of: str,
) -> CheckedEnvironment:
    judge = partial(judgement.judge_in, name=environment.name)
    description = check_description(environment, judge)
    described = description.environment
    shaped = {
        spec.identity: tempered_shape(check_spec_shape(spec, described, unreliable), rules_as_of)
        for spec in described.specs
    }
    if any(item.spec.unreliable for item in shaped.values()):
        specs = {identity: item.spec for identity, item in shaped.items()}
        by_name = {name: specs.get(s.identity, s) for name, s in described.by_name.items()}
        made = described.made and {
            name: tuple(specs.get(s.identity, s) for s in some)
            for name, some in described.made.items()
        }
        described = described._replace(specs=tuple(specs.values()), by_name=by_name, made=made)
    return CheckedEnvironment(described, description, shaped)


def tempered_shape(shaped: ShapedSpec, rules_as_of: str) -> ShapedSpec:
    """A spec whose errors of shape are warnings where only newer schemas see them."""
    return shaped._replace(errors=tuple(tempered(shaped.errors, rules_as_of)))


def environment_view(checked: CheckedEnvironment, spec: Spec) -> Environment:
    """All of an environment that the rules and the plan of a spec may see: what it refers to.

    So its result cannot depend on anything else. Specs that refer to the same see the same value.
    """
    used = {item.identity: item for item in considered_specs(spec, checked.environment)}
    views = _views(checked)
    key = tuple(sorted(used))
    if key not in views:
        views[key] = checked.environment.limited_to([used[identity] for identity in key])
    return views[key]


@cached_by_identity
def _views(checked: CheckedEnvironment) -> dict[tuple[tuple[str, str], ...], Environment]:  # noqa: ARG001
    """By what specs refer to, the environment as they see it; filled as specs are looked at."""
    return {}


def _rule_faults(shared: Shared) -> list[Diagnostic]:
    """What is wrong with rules and policies of the repository, as far as files do not tell."""
    policies, found = shared.policies, list[Diagnostic]()
    if policies.rules:
        from renderer.policies.examples import rule_faults
        from renderer.policies.matches import match_faults

        found += rule_faults(policies.rules)
        found += match_faults(policies.rules, _matched_names(shared))
    if policies.admission.policies:
        from renderer.policies.admission_faults import admission_faults

        found += admission_faults(policies.admission)
    return found


def _matched_names(shared: Shared) -> dict[str, Collection[str]]:
    """The names that there are, by the keys that rules match by."""
    places = [place for item in shared.environments for place in item.destinations]
    stored = (item.kind for backend in BACKENDS for item in backend.stored)
    crds = (kind for _, kind in shared.crds)
    return {
        "kinds": {*REGISTERED, *known_kinds(), *stored, *crds},
        "platforms": {backend.platform for backend in BACKENDS},
        "environments": {item.name for item in shared.environments if item.destinations},
        "destinations": {place.name for place in places},
    }


def _unevaluated_crds(shared: Shared) -> list[Diagnostic]:
    """CRDs whose rules cannot be asked here."""
    if not shared.has_crd_rules:
        return []
    from renderer.evaluate.crd_rules import unevaluated_crds

    return list(unevaluated_crds(shared.crds))


def _unused_templates(shared: Shared) -> Iterable[Diagnostic]:
    known = template_names() if shared.templates else []
    for name in sorted(set(shared.templates) - set(known)):
        fix = suggest(name, known, shown=lambda hint: f"templates/{hint}")
        where = Origin(f"templates/{name}")
        yield UNUSED_TEMPLATE.at(where, "this template overrides nothing", fix)


def check_in_view(
    shaped: ShapedSpec,
    checked: CheckedEnvironment,
    environment: Environment,
    judge: Judge,
    broken: Collection[str],
    users: Sequence[Summary] = (),
    documents: Mapping[str, Document] = _NO_DOCUMENTS,
) -> tuple[list[Diagnostic], bool]:
    """What is wrong with a spec in an environment, and whether it can be rendered."""
    if not checked.description.has_places:
        return list(shaped.errors), False
    spec = shaped.spec
    used = considered_specs(spec, environment)
    faults = [*shaped.errors]
    faults += (fault for item in used for fault in checked.prerequisites[item.identity].errors)
    places = {fault.place for fault in faults}
    judged = (judge(item) for item in check_spec(spec, environment, used, users, documents))
    problems = [item for item in judged if item and item.place not in places]
    files = {file for item in (spec, *used) for file in item.files}
    wrong = has_errors((*faults, *problems)) or not files.isdisjoint(broken)
    return [*shaped.errors, *problems], not wrong and checked.description.is_sound


def new_findings(later: Iterable[Diagnostic], earlier: Collection[Diagnostic]) -> list[Diagnostic]:
    """Without what was said of the same place before: by the file's own check, or by a reader."""
    found = list(later)
    if not found or not earlier:
        return found
    said = {item.place_and_code for item in earlier}
    wrong = (item for item in earlier if item.severity is Severity.ERROR)
    misread = {item.place for item in wrong if item.code not in SHAPES}
    return [
        item
        for item in found
        if item.place_and_code not in said and not (item.code in SHAPES and item.place in misread)
    ]


def broken_files(found: Iterable[Diagnostic]) -> frozenset[str]:
    """The files with errors; a secret does not keep a spec from being understood."""
    wrong = (item for item in found if item.severity is Severity.ERROR)
    return frozenset(item.file for item in wrong if item.code not in _SECRET_CODES)


def unbound_lines(found: Iterable[Diagnostic]) -> frozenset[tuple[str, int]]:
    """The lines on which a variable is missing: what else is said of them follows from that."""
    wrong = (item for item in found if item.severity is Severity.ERROR)
    return frozenset((item.file, item.line) for item in wrong if item.code in _UNBOUND_CODES)


def illegible_files(found: Iterable[Diagnostic]) -> frozenset[str]:
    """The files that could not be understood."""
    return frozenset(item.file for item in found if family_of(item.code) in _NOT_UNDERSTOOD)


def is_doubtful(finding: Diagnostic, illegible: Collection[str]) -> bool:
    """Whether what seems to be missing may stand in a file that could not be understood."""
    files = (finding.file, *finding.related)
    return finding.code in _LIST_CODES and any(file in illegible for file in files)

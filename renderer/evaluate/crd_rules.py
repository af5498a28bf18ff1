"""The rules of the repository's CRDs over rendered objects: each finding at its value's line."""

from collections.abc import Iterable, Iterator, Mapping

from renderer.policies.rules import CRD_RULE, CRD_RULES_UNEVALUATED
from renderer.policies.schema_rules import Violation, violations
from renderer.policies.subjects import written_origin
from renderer.policies.worker import can_evaluate
from renderer.schema.crds import Crd
from renderer.schema.validations import RuledSchema, ruled_schema
from renderer.text.wording import path_text
from renderer.values.derivations import Problem
from renderer.values.diagnostics import Diagnostic, Origin, Path
from renderer.values.model import Environment
from renderer.values.objects import Manifest

Crds = Mapping[tuple[str, str], Crd]
_VERDICTS = {
    "FieldValueRequired": "is required",
    "FieldValueForbidden": "is forbidden",
    "FieldValueDuplicate": "is a duplicate",
}


def crd_findings(
    manifests: Iterable[Manifest], environment: Environment, crds: Crds
) -> Iterator[Diagnostic]:
    """What the API server would refuse when an object is created."""
    for manifest in manifests:
        found = ruled_crd(manifest, crds)
        if found and can_evaluate():
            crd, schema = found
            for item in violations(schema, manifest.tree.plain()):
                finding = _finding(item, manifest, environment)
                yield finding.about(environment.name, related=(*manifest.spec.files, crd.file))


def ruled_crd(manifest: Manifest, crds: Crds) -> tuple[Crd, RuledSchema] | None:
    """The CRD of an object, and its schema if that has rules."""
    group, _, version = manifest.tree.text_at("apiVersion").rpartition("/")
    crd = crds.get((group, manifest.tree.text_at("kind")))
    node = crd.ruled.get(version) if crd else None
    schema = ruled_schema(node) if node else None
    return (crd, schema) if crd and schema else None


def refused_changes(crds: Crds, new: Manifest, old: Manifest) -> list[Problem]:
    """Why an object is refused in the place of a former one, by rules that compare the two."""
    found = ruled_crd(new, crds)
    if not (found and can_evaluate()):
        return []
    kind = new.tree.text_at("kind")
    return [
        Problem(
            refusal(item, kind),
            item.path,
            f"Keep it so that this holds: {' '.join(item.rule.expression.split())}",
            refused=True,
            kind="refused-by-crd",
        )
        for item in violations(found[1], new.tree.plain(), old.tree.plain())
        if item.is_transition and not item.not_evaluated
    ]


def unevaluated_crds(crds: Crds) -> Iterator[Diagnostic]:
    """Said once, where the engine is missing."""
    ruled = sorted(crd.file for crd in crds.values() if crd.ruled)
    if ruled and not can_evaluate():
        message = f"the rules of {ruled[0]} are not evaluated, as the extra 'cel' is not installed"
        if len(ruled) > 1:
            message = message.replace(ruled[0], f"{ruled[0]} and other CRDs")
        fix = "install servingctl[cel], on a system that has wheels of it"
        yield CRD_RULES_UNEVALUATED.at(Origin(ruled[0]), message, fix)


def refusal(item: Violation, kind: str) -> str:
    """What the API server refuses, and why."""
    where = path_text(item.path) or f"this {kind}"
    return f"{where} {_VERDICTS.get(item.reason, 'is invalid')}: {item.detail}"


def _finding(item: Violation, manifest: Manifest, environment: Environment) -> Diagnostic:
    kind, rule = manifest.tree.text_at("kind"), item.rule
    if item.not_evaluated:
        message = f"this rule is not evaluated: {item.not_evaluated}"
        fix = f"see on a test cluster whether it takes every {kind}"
        return CRD_RULES_UNEVALUATED.at(rule.origin, message, fix)
    message = f"the API server refuses the {kind}, as {refusal(item, kind)}"
    fix = f"mend it so that this holds: {' '.join(rule.expression.split())}"
    return CRD_RULE.at(_place(item.path, manifest, environment), message, fix)


def _place(path: Path, manifest: Manifest, environment: Environment) -> Origin:
    """Where people wrote the value, or what is nearest to it."""
    known = (*manifest.spec.files, *environment.files)
    origin = manifest.tree.locate(path)
    if origin.file in known:
        return origin
    node = manifest.tree.get(*path)
    written = written_origin(node, manifest.spec, environment.files) if node else None
    return written or manifest.spec.name_node.origin

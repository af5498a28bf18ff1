"""Every field of an InferenceService and of a runtime, and what KServe does with each."""

from functools import partial

from conformance.kserve.answers import fate, has_template, verdict
from conformance.kserve.asking import ask
from conformance.kserve.cases import Case
from conformance.kserve.cluster import MADE, OWN, Outcome
from conformance.kserve.installation import RELEASES, Release
from conformance.kserve.places import HERE
from conformance.kubernetes.client import Client, Reply
from conformance.operators.crd_fields import schemas_of
from conformance.operators.generated_rows import described, object_changes, renamed, shortened
from conformance.operators.generated_run import Question, Run
from conformance.operators.generation import Table, Variation, read_table
from conformance.operators.records import Row
from conformance.operators.tables import merged, read_bases

#: So many at once: more take longer to list than they save in waiting.
_TOGETHER = 250
_RUNTIMES = "/apis/serving.kserve.io/v1alpha1/servingruntimes"


def read_generated(go: str) -> Table:
    """The table of KServe, with the schemas of the release that most is asked of.

    Other releases are asked the same, also about fields that they do not have.
    """
    return read_table(HERE, read_bases(HERE), schemas_of(RELEASES[0].crds(go)))


def generated_run(client: Client, table: Table, tenths: int, release: Release = RELEASES[0]) -> Run:
    kept = HERE / "build/generated" / release.version
    label = f"KServe {release.version}"
    return Run(label, _TOGETHER, kept, partial(_ask, client, table), tenths)


def _ask(client: Client, table: Table, questions: list[Question]) -> list[Row]:
    """In a namespace of their own, which is emptied afterwards."""
    namespace = f"generated-{questions[-1].name}"
    cases = [_case(table, one, namespace) for one in questions]
    answers = {answer[0].name: answer for answer in ask(client, cases)}
    bases: dict[str, Outcome | None] = {}
    rows = []
    for variation, name in questions:
        case, replies, outcomes = answers[name]
        seen = [_renamed(outcome, name, namespace) for outcome in outcomes]
        if not variation.path:
            bases[variation.base] = seen[-1]
        old = seen[-2] if variation.is_edit else bases[variation.base]
        row = described(table, variation) | renamed(_verdict(replies[-1]), name)
        is_seen = not replies[-1].is_refusal and not case.is_dry
        rows.append(row | (_seen(variation, old, seen[-1]) if is_seen else {}))
    _clear(client, namespace)
    return rows


def _case(table: Table, question: Question, namespace: str) -> Case:
    """As a service, or as the runtime of one."""
    variation, name = question
    user = table.content["bases"][variation.base].get("user")
    steps = question.steps(table, namespace)
    if not variation.is_edit or user is None:
        return Case("", name, steps, is_dry=steps[-1]["kind"] != "InferenceService")
    metadata = {"metadata": {"name": name, "namespace": namespace}}
    service = merged(table.bases[user], metadata)
    service = merged(service, {"spec": {"predictor": {"model": {"runtime": name}}}})
    return Case("", name, (service, service), steps[:1], steps[1:], is_about_others=True)


def _renamed(outcome: Outcome | None, name: str, namespace: str) -> Outcome | None:
    if outcome is None:
        return None
    parts = (renamed(renamed(part, name), namespace) for part in outcome)
    return Outcome(*parts)


def _verdict(reply: Reply) -> Row:
    found = verdict(reply)
    return found | ({"message": shortened(found["message"])} if "message" in found else {})


def _seen(variation: Variation, old: Outcome | None, new: Outcome | None) -> Row:
    """What there is beside or instead of what there was, or of what the base has."""
    before, after = (item.objects if item else {} for item in (old, new))
    row: Row = {"changes": object_changes(before, after)}
    row |= {} if variation.path else {"makes": sorted(after)}
    events = [text for text in (new.events if new else ()) if not old or text not in old.events]
    row |= {"events": list(map(shortened, events))} if events else {}
    if variation.is_edit and old and new:
        names = sorted(filter(has_template, {*before, *after}))
        row["templates"] = {name: fate(old, new, name) for name in names}
    return row


def _clear(client: Client, namespace: str) -> None:
    """Nobody collects what belongs to something that is gone."""
    for path in (OWN, *MADE.values(), _RUNTIMES):
        base, _, plural = path.rpartition("/")
        client.request("DELETE", f"{base}/namespaces/{namespace}/{plural}")

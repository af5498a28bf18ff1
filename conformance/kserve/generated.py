"""Every field of an InferenceService and of a runtime, and what KServe does with each."""

from collections.abc import Iterator

from conformance.kserve.answers import fate, has_template, verdict
from conformance.kserve.asking import ask
from conformance.kserve.cases import Case
from conformance.kserve.cluster import MADE, OWN, Outcome
from conformance.kserve.installation import crds
from conformance.kserve.places import HERE
from conformance.kubernetes.client import Client, Object, Reply
from conformance.operators.generated_rows import described, object_changes, renamed, shortened
from conformance.operators.generation import Table, Variation, manifest_of, read_table, variations
from conformance.operators.records import Row
from conformance.operators.tables import merged, read_bases

#: So many at once: more take longer to list than they save in waiting.
_TOGETHER = 250
_RUNTIMES = "/apis/serving.kserve.io/v1alpha1/servingruntimes"


def read_generated(go: str) -> Table:
    """The table of KServe, with the schemas of its release."""
    schemas = {
        item["spec"]["names"]["kind"]: version["schema"]["openAPIV3Schema"]
        for item in crds(go)
        for version in item["spec"]["versions"]
        if version["storage"]
    }
    return read_table(HERE, read_bases(HERE), schemas)


def ask_all(client: Client, table: Table) -> Iterator[tuple[Variation, Row]]:
    """The answer to every variation, in the order of the table."""
    found = list(variations(table))
    bases: dict[str, Outcome | None] = {}
    for start in range(0, len(found), _TOGETHER):
        namespace = f"generated-{start // _TOGETHER}"
        asked = found[start : start + _TOGETHER]
        names = [f"g{start + number}" for number in range(len(asked))]
        cases = [_case(table, *item, namespace) for item in zip(asked, names, strict=True)]
        answers = {answer[0].name: answer for answer in ask(client, cases)}
        for variation, name in zip(asked, names, strict=True):
            case, replies, outcomes = answers[name]
            seen = [_renamed(outcome, name, namespace) for outcome in outcomes]
            if not variation.path:
                bases[variation.base] = seen[-1]
            old = seen[-2] if variation.is_edit else bases[variation.base]
            row = described(table, variation) | renamed(_verdict(replies[-1]), name)
            is_seen = not replies[-1].is_refusal and not case.is_dry
            yield variation, row | (_seen(variation, old, seen[-1]) if is_seen else {})
        _clear(client, namespace)


def _case(table: Table, variation: Variation, name: str, namespace: str) -> Case:
    """As a service, or as the runtime of one."""
    user = table.content["bases"][variation.base].get("user")
    values = [variation.before, variation.after] if variation.is_edit else [variation.after]
    steps = tuple(_named(manifest_of(table, variation, value), name, namespace) for value in values)
    if not variation.is_edit or user is None:
        return Case("", name, steps, is_dry=steps[-1]["kind"] != "InferenceService")
    service = _named(table.bases[user], name, namespace)
    service = merged(service, {"spec": {"predictor": {"model": {"runtime": name}}}})
    steps, before, after = (service, service), steps[:1], steps[1:]
    return Case("", name, steps, before, after, is_about_others=True)


def _named(manifest: Object, name: str, namespace: str) -> Object:
    named: Object = merged(manifest, {"metadata": {"name": name, "namespace": namespace}})
    return named


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

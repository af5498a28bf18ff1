"""Language models as KServe took and stored them: `validate` says the same, and writes the same."""

from tests.support.llm_recordings import CASES, EDITS
from tests.support.llm_rows import ASKED, evaluated
from tests.support.replay import assert_agreement, every_row, shares, verdict
from tests.support.stored import stored

_TEMPLATES = "templates of configurations are only filled in for the services that use them"
_RESOURCES = "the webhook writes `resources: {}` to containers that have none"
_EMPTY = "the webhook leaves out what is empty or false"
_REFERENCE = "a row is not a repository of closed references: the object could be in the cluster"
_CLUSTER = "it is the settings of the cluster, and what runs there"
#: Where we say something else than the webhooks, and why.
OTHERWISE = {
    "base-args-emptied": "the server has no such argument",
    "base-args-replaced": "the server has no such argument",
    "base-names-the-model": "every service that uses it gets its name",
    "base-route-hostnames": "the route leads nowhere",
    "braces-of-the-name": "the server has no such argument",
    "config-template-child-name": "backquotes of a template are taken for a shell's: KSV550",
    "braces-quoted": "KSV550 and the rules on arguments read braces as they stand",
    "confidential-without-enabled": "it would be off; the webhook writes what the CRD requires",
    "config-route-template": "checked as the route of a service is, which may have no template",
    "config-template-cache": _TEMPLATES,
    "config-template-missing-key": _TEMPLATES,
    "config-template-unknown-field": _TEMPLATES,
    "kv-without-cpu": "it would be 0; the webhook writes what the CRD requires",
    "label-of-the-controller": "KServe finds no pods",
    "label-of-the-role": "the picker finds no pods",
    "lora-with-an-unknown-field": "the webhook drops the field in silence",
    "own-args-for-a-shell": "the server does not start",
    "probe-port": "nothing listens where the probe asks",
    "route-spec-empty": "the route leads nowhere",
    "route-spec-without-rules": "the route leads nowhere",
}
#: What KServe takes and cannot make, and why it is no error.
UNSEEN = {
    "account-missing": _REFERENCE,
    "base-missing": _REFERENCE,
    "container-beside-without-an-image": "no rule looks for the image of a container beside main",
    "gateway-missing": _REFERENCE,
    "modelcars-off": _CLUSTER,
    "other-gateway-missing": _CLUSTER,
    "pool-ref-and-spec": _REFERENCE,
    "pool-ref-missing": _REFERENCE,
    "prefill-own-account": _REFERENCE,
    "route-missing": _REFERENCE,
    "route-own-parents": _REFERENCE,
    "scaled-by-keda": _CLUSTER,
    "scaled-by-keda-with-prometheus": _CLUSTER,
    "scheduler-alone": "a warning, as something else may accept the pool",
    "scheduler-own-account": _REFERENCE,
    "scheduler-ref-missing": _REFERENCE,
    "scheduler-ref-missing-key": _REFERENCE,
    "scheduler-ref-missing-prefixed": _REFERENCE,
}
#: Where we render something else than what is stored, and why.
STORED_OTHERWISE = {
    "base-args-emptied": _EMPTY,
    "base-brings-the-model": "the webhook writes the name of a model that only a base has",
    "base-expert-undone": _EMPTY,
    "bases-none": _EMPTY,
    "cache-label-by-hand": "the webhook takes labels of caches away",
    "container-beside": _RESOURCES,
    "container-beside-without-an-image": _RESOURCES,
    "container-of-another-name": _RESOURCES,
    "container-without-resources": _RESOURCES,
    "decode-on-nodes": _RESOURCES,
    "env-without-a-value": _EMPTY,
    "expert-false": _EMPTY,
    "group-label-by-hand": "the webhook takes the label away",
    "group-label-of-another": "the webhook writes the group of the route",
    "init-container": _RESOURCES,
    "initializer-arguments": _RESOURCES,
    "labels-empty": _EMPTY,
    "lora-none": _EMPTY,
    "prefill-on-nodes": _RESOURCES,
    "scaled-by-keda-with-prometheus": "the default of `fallback.behavior` is not written",
    "scheduler-args": _RESOURCES,
    "scheduler-config-args": _RESOURCES,
    "scheduler-image": _RESOURCES,
    "scheduler-with-only-another-container": _RESOURCES,
    "worker-pipeline-with-own-preset": _RESOURCES,
}


def is_broken(row):
    """Whether KServe took it and could not make it run."""
    conditions = row.get("status", {}).get("conditions", {})
    is_stopped = conditions.get("Ready", "").startswith("False Stopped")
    return not is_stopped and any(text.startswith("False") for text in conditions.values())


@shares
def test_what_was_refused_is_an_error(share):
    found = evaluated(share)
    assert_agreement(
        (name, verdict(not ASKED[name]["accepted"]), verdict(row.errors))
        for name, row in found.items()
        if name not in OTHERWISE and not is_broken(ASKED[name])
    )
    assert len(found) > 200 or share is not every_row


@shares
def test_what_cannot_be_made_is_an_error(share):
    found = {name: row for name, row in evaluated(share).items() if is_broken(ASKED[name])}
    assert_agreement((name, name not in UNSEEN, bool(row.errors)) for name, row in found.items())
    assert len(found) > 50 or share is not every_row


@shares
def test_what_is_rendered_is_a_fixed_point(share):
    asked = {name: row for name, row in ASKED.items() if "status" in row}
    found = {name: row for name, row in evaluated(share).items() if name in asked}
    made = {name: row for name, row in found.items() if not row.errors}
    assert_agreement(
        (name, _plain(stored(asked[name])), _plain(_asked(row)))
        for name, row in made.items()
        if name not in STORED_OTHERWISE
    )
    assert len(made) > 100 or share is not every_row


def _asked(row):
    """What is rendered of the spec that was asked about, and not of those beside it."""
    trees = [item.tree.plain() for item in row.manifests]
    (found,) = [tree for tree in trees if _is_asked(tree)]
    return found


def _is_asked(tree):
    return tree["kind"] == "LLMInferenceService" and tree["metadata"]["name"] != "peer"


def _plain(tree):
    """Without what we mark our objects with."""
    metadata = {key: dict(tree["metadata"].get(key, {})) for key in ("labels", "annotations")}
    metadata["labels"].pop("app.kubernetes.io/managed-by", None)
    kept = {key: value for key, value in metadata.items() if value}
    return {"metadata": kept, "spec": tree["spec"]}


def test_there_are_enough():
    assert len(CASES) >= 250
    assert len(EDITS) >= 120

"""Previews of language models, field by field, against what the real KServe made of them."""

from tests.support.llm_objects import difference, previewed
from tests.support.llm_rows import ASKED, evaluated
from tests.support.replay import assert_agreement, every_row, shares

_ACCOUNT = "the account of several nodes has no component among its labels"
_ROLES = "which roles and accounts there are with a sidecar on several nodes"
_GROUP = "weights and backends of a routing group are not worked out"
_PICKER = "texts of the picker that are written otherwise"
_SETTINGS = "what was applied beside it, a ConfigMap, is not in the repository of the row"
_IMAGE = "models in images are mounted otherwise"
_STORED = "the webhook changes the spec first"
_FILLED = "what the API server fills in"
#: Where something else is previewed than was made, and why.
OTHERWISE = {
    "base-expert-undone": _ACCOUNT,
    "base-worker": _ACCOUNT,
    "cache-label-by-hand": _STORED,
    "cache-on-a-new-claim": _FILLED,
    "confidential-with-an-image": _IMAGE,
    "data-parallel-not-expert": _ACCOUNT,
    "data-parallel-one-node": _ACCOUNT,
    "data-parallel-port": _ACCOUNT,
    "data-parallel-smaller-than-local": _ACCOUNT,
    "data-parallel-three-replicas": _ACCOUNT,
    "data-parallel-uneven": _ACCOUNT,
    "decode-on-nodes": _ROLES,
    "env-without-a-value": _STORED,
    "gateway-against-headers": "the annotation of the gateway is not in the repository of the row",
    "group-label": _GROUP,
    "group-label-of-another": _GROUP,
    "group-of-different-models": _GROUP,
    "group-of-one": _GROUP,
    "group-of-two": _GROUP,
    "group-with-a-stopped-peer": _GROUP,
    "labels-of-the-object-nodes": _ACCOUNT,
    "node-pull-secret": _ACCOUNT,
    "nodes": _ACCOUNT,
    "object-name-long-nodes": "the name of the binding is shortened with the namespace in it",
    "prefill-on-nodes": _ACCOUNT,
    "prefill-own-account-there": _ROLES,
    "scaled-by-hpa-with-behaviour": _FILLED,
    "scaled-on-nodes": _ACCOUNT,
    "scheduler-config-args": _PICKER,
    "scheduler-inline-of-no-kind": _PICKER,
    "scheduler-inline-precise": _PICKER,
    "scheduler-ref": _SETTINGS,
    "scheduler-ref-empty-key": _SETTINGS,
    "scheduler-ref-labelled": _SETTINGS,
    "scheduler-ref-latency": _SETTINGS,
    "split-nodes": _ROLES,
    "uri-image": _IMAGE,
    "uri-native-image": _IMAGE,
    "weight-zero": _GROUP,
    "worker-pipeline-with-own-preset": _ACCOUNT,
    "worker-without-containers": _ACCOUNT,
    "worker-without-template": _ACCOUNT,
}


def is_compared(row):
    """Whether KServe made all of a service, with the settings that it ships."""
    ready = row.get("status", {}).get("conditions", {}).get("Ready")
    return "objects" in row and ready == "True" and "settings" not in row


@shares
def test_what_is_previewed_is_what_was_made(share):
    found = {name: row for name, row in evaluated(share).items() if is_compared(ASKED[name])}
    made = {name: row for name, row in found.items() if not row.errors and name not in OTHERWISE}
    assert_agreement(
        (name, [], difference(previewed(row), ASKED[name]["objects"])) for name, row in made.items()
    )
    assert len(made) > 130 or share is not every_row

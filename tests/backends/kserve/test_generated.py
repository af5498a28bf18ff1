"""What KServe refused of all fields that a generator tried, and what `validate` says of them."""

from fnmatch import fnmatchcase

from tests.support.kserve_generated import generated, has_dry_runs, replayed, was_refused
from tests.support.replay import errors, every_row, findings, shares, verdict

CASES = generated("cases")
#: Warnings of what Knative refuses as it is shipped: a cluster may allow it.
IF_ALLOWED = {"KSV180", "KSV183"}
#: Of all rows, those that are judged as KServe did, at least; exceptions count as judged otherwise.
AGREEMENT = 0.985
_LATER = "Knative makes the Deployment, and the API server refuses it then (nobody asked it here)"
_DROPPED = "an older Kubernetes drops it, and a newer one refuses it"
_OVERRIDDEN = "KServe writes its own value: what stands there is of no use"
#: Patterns of rows that are judged otherwise, and why.
EXCEPTIONS = {
    "knative *.secretKeyRef.name: 3, ": _LATER,
    "knative *.envFrom.secretRef.optional: *": _LATER,
    "knative *.startupProbe.*: *": _LATER,
    "knative-with-transformer *.livenessProbe.periodSeconds: 3, *": _LATER,
    "knative *.fileKeyRef.volumeName: *": _DROPPED,
    "* *.clusterTrustBundle.labelSelector.matchExpressions.operator: 3, ": _DROPPED,
    "* spec.predictor.labels.*: 3, a b": _OVERRIDDEN,
    "standard spec.predictor.canaryTrafficPercent: 4, 101": "it has no effect in Standard mode",
    "knative spec.predictor.model.runtimeVersion: 3, ": "no node can fetch an image without a tag",
    "with-transformer *.autoScaling.metrics.type: 3, *": "nothing was made, and no event says why",
}


def judged(rows):
    """Of each row its name, what KServe did, and what `validate` says."""
    found = findings({row["name"]: replayed(row) for row in rows})
    for row in rows:
        items = found[row["name"]]
        said = [*errors(items), *(item.code for item in items if item.code in IF_ALLOWED)]
        if was_refused(row) or not has_dry_runs(row):
            yield row["name"], verdict(was_refused(row)), verdict(said), sorted(set(said))


def is_excepted(name):
    return any(fnmatchcase(name, pattern) for pattern in EXCEPTIONS)


@shares
def test_verdicts(share):
    rows = [row for row in CASES if share(row["name"])]
    wrong = [item for item in judged(rows) if item[1] != item[2]]
    unnamed = [item for item in wrong if not is_excepted(item[0])]
    assert not unnamed, "\n".join(map(str, unnamed))
    if share is every_row:
        assert 1 - len(wrong) / len(rows) >= AGREEMENT
        needed = {
            pattern for item in wrong for pattern in EXCEPTIONS if fnmatchcase(item[0], pattern)
        }
        assert needed == EXCEPTIONS.keys()


def test_rows_are_many():
    assert len(CASES) > 1500

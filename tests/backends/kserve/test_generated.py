"""What KServe did with all fields that a generator tried, and what is said of them beforehand."""

from fnmatch import fnmatchcase

from tests.support.generated_versions import shares_of_versions
from tests.support.kserve_generated import PLACE, generated, has_dry_runs, replayed, was_refused
from tests.support.kserve_generated_edits import disagreement, foretold
from tests.support.replay import errors, every_row, findings, shares, verdict

CASES, EDITS = generated("cases"), generated("edits")
#: Warnings of what Knative refuses as it is shipped: a cluster may allow it.
IF_ALLOWED = {"KSV180", "KSV183"}
#: Of all rows, those that are judged as KServe did, at least; exceptions count as judged otherwise.
AGREEMENT = 0.985
_LATER = "Knative makes the Deployment, and the API server refuses it then (nobody asked it here)"
_DROPPED_LATER = "Knative drops it, and a Deployment with a variable without a source is refused"
_DROPPED = "an older Kubernetes drops it, and a newer one refuses it"
_OVERRIDDEN = "KServe writes its own value: what stands there is of no use"
#: Patterns of rows that are judged otherwise, and why.
EXCEPTIONS = {
    "knative *.secretKeyRef.name: 3, ": _LATER,
    "knative *.envFrom.secretRef.optional: *": _LATER,
    "knative *.startupProbe.*: *": _LATER,
    "knative-with-transformer *.livenessProbe.periodSeconds: 3, *": _LATER,
    "knative *.fileKeyRef.volumeName: *": _DROPPED_LATER,
    "* *.clusterTrustBundle.labelSelector.matchExpressions.operator: 3, ": _DROPPED,
    "* spec.predictor.labels.*: 3, a b": _OVERRIDDEN,
    "standard spec.predictor.canaryTrafficPercent: 4, 101": "it has no effect in Standard mode",
    "knative spec.predictor.model.runtimeVersion: 3, ": "no node can fetch an image without a tag",
}
#: Of all edits, those of which `diff` says what KServe did, at least.
FORETOLD = 0.985
_MENDED = "the service had an error, was not rendered, and is applied once it has none"
_MODE = "the mode is rendered, be it written or not"
#: Patterns of edits of which `diff` says something else, and why.
EDIT_EXCEPTIONS = {
    "knative *.env.valueFrom.secretKeyRef.name: set to its default": _LATER,
    "knative *.envFrom.secretRef.optional: *": _LATER,
    "knative *.startupProbe.httpGet.scheme: *": _LATER,
    "knative* *.env.valueFrom.fileKeyRef.*: *": _DROPPED_LATER,
    "*own-runtime spec.disabled: *": _MENDED,
    "own-runtime *.podCertificate.*: *": _DROPPED,
    "* metadata.annotations.serving.kserve.io/deploymentMode: removed": _MODE,
}
#: The same of other versions than the usual one.
OTHER_EDITS = {"standard *.model.confidential.enabled: removed": "0.19 has no such field at all"}


def judged(rows):
    """Of each row its name, what KServe did, and what `validate` says."""
    found = findings({row["name"]: replayed(row) for row in rows})
    for row in rows:
        items = found[row["name"]]
        said = [*errors(items), *(item.code for item in items if item.code in IF_ALLOWED)]
        if was_refused(row) or not has_dry_runs(row):
            yield row["name"], verdict(was_refused(row)), verdict(said), sorted(set(said))


def assert_agreement(share, rows, wrong, exceptions, *, is_usual=True):
    """Rows that are wrong, by their names, are excepted; of all rows they are few.

    Each exception is one of the usual version; others may do without.
    """
    matched = [(item, {p for p in exceptions if fnmatchcase(item[0], p)}) for item in wrong]
    unnamed = [item for item, patterns in matched if not patterns]
    assert not unnamed, "\n".join(map(str, unnamed))
    if share is every_row:
        assert 1 - len(wrong) / len(rows) >= min(AGREEMENT, FORETOLD)
    if share is every_row and is_usual:
        assert set().union(*(patterns for _, patterns in matched)) == exceptions.keys()


@shares
def test_verdicts(share):
    rows = [row for row in CASES if share(row["name"])]
    wrong = [item for item in judged(rows) if item[1] != item[2]]
    assert_agreement(share, rows, wrong, EXCEPTIONS)


@shares
def test_edits(share):
    rows = [row for row in EDITS if share(row["name"])]
    said = foretold(rows)
    wrong = [(row["name"], text) for row in rows if (text := disagreement(row, said[row["name"]]))]
    assert_agreement(share, rows, wrong, EDIT_EXCEPTIONS)


@shares_of_versions(PLACE)
def test_verdicts_of_other_versions(version, share):
    rows = [row for row in generated("cases", version) if share(row["name"])]
    wrong = [item for item in judged(rows) if item[1] != item[2]]
    assert_agreement(share, rows, wrong, EXCEPTIONS, is_usual=False)


@shares_of_versions(PLACE)
def test_edits_of_other_versions(version, share):
    rows = [row for row in generated("edits", version) if share(row["name"])]
    said = foretold(rows)
    wrong = [(row["name"], text) for row in rows if (text := disagreement(row, said[row["name"]]))]
    assert_agreement(share, rows, wrong, EDIT_EXCEPTIONS | OTHER_EDITS, is_usual=False)


def test_rows_are_many():
    assert min(len(CASES), len(EDITS)) > 1500

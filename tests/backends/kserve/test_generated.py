"""What KServe refused of all fields that a generator tried, and what `validate` says of them."""

from fnmatch import fnmatchcase

from tests.support.kserve_generated import generated, has_dry_runs, replayed, was_refused
from tests.support.replay import errors, every_row, findings, shares, verdict

CASES = generated("cases")
#: Warnings of what Knative refuses as it is shipped: a cluster may allow it.
IF_ALLOWED = {"KSV180", "KSV183"}
#: Of all rows, those that are judged as KServe did, at least; exceptions count as judged otherwise.
AGREEMENT = 0.94
_LATER = "Knative makes the Deployment, which was not asked for here: the API server refuses it"
_SWITCHED_OFF = "the API server drops what is switched off"
_DROPPED = "Knative mode drops it, and Standard mode refuses it"
_OVERRIDDEN = "KServe writes its own value, and nobody means to write this one"
#: Patterns of rows that are judged otherwise, and why.
EXCEPTIONS = {
    "*.resources.claims.*": _SWITCHED_OFF,
    "*.env.valueFrom.fileKeyRef.*": _SWITCHED_OFF,
    "*.restartPolicyRules.*": _SWITCHED_OFF,
    "* spec.predictor.labels.*: 3, a b": _OVERRIDDEN,
    "knative *.activeDeadlineSeconds: *": _DROPPED,
    "knative *.readinessGates.*": _DROPPED,
    "knative *.resourceClaims.*": _DROPPED,
    "knative *.os.name: *": _DROPPED,
    "knative-with-transformer *.lifecycle.*": _DROPPED,
    "knative* *.appArmorProfile.localhostProfile: *": _LATER,
    "knative *.windowsOptions.*": _LATER,
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
    unnamed = "\n".join(map(str, (item for item in wrong if not is_excepted(item[0]))))
    least = AGREEMENT if share is every_row else AGREEMENT - 0.04
    assert 1 - len(wrong) / len(rows) >= least, unnamed


def test_rows_are_many():
    assert len(CASES) > 1500

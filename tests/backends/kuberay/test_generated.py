"""What KubeRay did with all fields that a generator tried, and what is said of them beforehand."""

from fnmatch import fnmatchcase

from tests.support.generated_versions import shares_of_versions
from tests.support.kuberay_generated import PLACE, generated, replayed, was_dropped, was_refused
from tests.support.kuberay_generated_edits import disagreement, foretold
from tests.support.replay import errors, every_row, findings, shares, verdict

CASES, EDITS = generated("cases"), generated("edits")
#: Of all rows, those that are judged as KubeRay did, at least; exceptions count as otherwise.
AGREEMENT = 0.98
#: Rules about repositories say nothing of what KubeRay takes.
OTHERS = ("SEC", "POL")
#: Rules that say that Kubernetes has no such field: it drops what the operator writes there.
UNKNOWN_FIELDS = {"MAN173", "SPC010"}
_RAY = "KubeRay hands it on, and Ray does not start or has nothing to run (there was no Ray)"
_UNREAD = "KubeRay does not read the options of an autoscaler that is not on"
_NOT_THERE = "the cluster that is chosen is not there, so that no Job is made"
_DROPPED = "an older Kubernetes drops it, and a newer one refuses it"
_FILLED_IN = "the state before was refused, and a part of it that KubeRay filled in stays"
#: Patterns of rows that are judged otherwise, and why.
EXCEPTIONS = {
    "* *rayStartParams: 4, *": _RAY,
    "* spec.entrypoint: 3, ": _RAY,
    "* spec.entrypointResources: 3, *": _RAY,
    "* spec.runtimeEnvYAML: 4, *": _RAY,
    "* *.redisAddress: 3, ": _RAY,
    "* *.groupName: 4, ": "overrides and findings know groups by their names",
    "* *.autoscalerOptions.securityContext.*: 3, *": _UNREAD,
    "selecting-job spec.submitterConfig.backoffLimit: 4, -1": _NOT_THERE,
    "selecting-job spec.submissionMode: 5, Nonsense": _NOT_THERE,
    "*service spec.upgradeStrategy.type: 4, *": "without its feature gate it acts as None",
}
#: Of all edits, those of which `diff` says what KubeRay did, at least.
FORETOLD = 0.98
#: Patterns of edits of which `diff` says something else, and why.
EDIT_EXCEPTIONS = {
    "* *.podCertificate.*: *": _DROPPED,
    "* *.restartPolicyRules.*: *": _DROPPED,
    "* *.workloadRef.podGroup: *": _DROPPED,
    "*service *.rayStartParams: removed": "an empty mapping is rendered, be it written or not",
    "autoscaled *.replicas: changed": "it is not rendered where Ray's autoscaler writes it",
    "cluster *.redisUsername.valueFrom.resourceFieldRef.*: *": _FILLED_IN,
    "head-only spec.workerGroupSpecs.*: removed": "KubeRay said once more what it had said before",
    "*job spec.entrypoint: removed": _RAY,
    "service spec.serveConfigV2: removed": "the service never becomes ready",
}
#: The same of manifests and edits at other versions than the usual one.
OTHERS_OF_VERSIONS = {
    "service spec.serveService.spec.ports.*: removed": "1.6.2 leaves null where the list was",
}


def judged(rows):
    """Of each row its name, what KubeRay did, and what `validate` says."""
    found = findings({row["name"]: replayed(row) for row in rows})
    for row in rows:
        said = {code for code in errors(found[row["name"]]) if not code.startswith(OTHERS)}
        if not (said and said <= UNKNOWN_FIELDS and was_dropped(row)):
            yield row["name"], verdict(was_refused(row)), verdict(said), sorted(said)


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
    assert_agreement(share, rows, wrong, EXCEPTIONS | OTHERS_OF_VERSIONS, is_usual=False)


@shares_of_versions(PLACE)
def test_edits_of_other_versions(version, share):
    rows = [row for row in generated("edits", version) if share(row["name"])]
    said = foretold(rows)
    wrong = [(row["name"], text) for row in rows if (text := disagreement(row, said[row["name"]]))]
    assert_agreement(share, rows, wrong, EDIT_EXCEPTIONS | OTHERS_OF_VERSIONS, is_usual=False)


def test_rows_are_many():
    assert min(len(CASES), len(EDITS)) > 1500

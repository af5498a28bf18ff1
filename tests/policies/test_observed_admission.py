"""Policies of a cluster say here what the real API server said of the same objects."""

import json

import pytest

from renderer.backends.kinds import kind_called
from renderer.kubernetes.stored_objects import admitted_tree
from renderer.policies.admission import admission_findings
from renderer.policies.admission_files import read_admission
from renderer.policies.requests import NAMESPACE_NAME, Namespace, Request, Surroundings
from renderer.values.diagnostics import Origin
from renderer.values.model import Environment, Spec
from renderer.values.tree import constant, uniform_tree
from tests.support.places import ROOT
from tests.support.rows import each

pytestmark = pytest.mark.process
ROWS = json.loads((ROOT / "tests/observed/cel/admission.json").read_text("utf-8"))["rows"]
#: What the server says although nobody can know it here.
NOT_EVALUATED = {
    "no parameter, which is allowed": "the parameter may be in the cluster",
    "no parameter, which is denied": "the parameter may be in the cluster",
}
#: Where only the words of an error differ.
OTHER_WORDS = {
    "former object of a new one": "no such key of what is null, and no such overload here",
    "variable that fails": "the variable is named as well",
}
NOWHERE = Environment("e", ("environments/e/environment.yaml",), constant({}, ""), (), (), {})


def tree(data):
    return admitted_tree(uniform_tree(data, Origin("environments/e/spec.yaml", 1, 1)))


def found_in(row):
    documents = [tree(item) for item in row["policies"]]
    admission, faults = read_admission(documents, [tree(item) for item in row["params"]])
    assert faults == []
    about = row["namespace"]["metadata"]
    labels = {**about["labels"], NAMESPACE_NAME: about["name"]}
    data = {**row["namespace"], "metadata": {**about, "labels": labels}}
    around = Surroundings({about["name"]: Namespace(labels, data)}, admission.params)
    spec = Spec(kind_called("ConfigMap"), "x", "e", ("environments/e/spec.yaml",), tree({}))
    old = tree(row["old"]) if row["old"] else None
    operation = "UPDATE" if old else "CREATE"
    request = Request(operation, spec, NOWHERE, tree(row["object"]), old)
    return [*admission_findings(admission, [request], around)]


def one_line(text):
    return " ".join(text.split())


@each("row", ROWS, name=lambda row: row["name"])
def test_it_says_what_the_server_said(row):
    found = found_in(row)
    denied = [item.message for item in found if str(item.severity) == "error"]
    if row["name"] in NOT_EVALUATED:
        assert [item.code for item in found] == ["POL013"]
        return
    said = one_line(row["denied"].partition(" is forbidden: ")[2])
    said = said.replace(" denied request: ", " would deny this: ")
    warned = [item.message for item in found if str(item.severity) == "warning"]
    if row["name"] in OTHER_WORDS:
        cause = " resulted in error: "
        assert [item.partition(cause)[0] for item in denied] == [said.partition(cause)[0]]
        return
    assert denied[:1] == ([said] if said else []), found
    assert warned == [one_line(text) for text in row["warnings"]]


def test_few_are_exceptions():
    assert len(ROWS) > 40
    assert {*NOT_EVALUATED, *OTHER_WORDS} <= {row["name"] for row in ROWS}

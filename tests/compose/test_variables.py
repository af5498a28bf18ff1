"""`${vars.NAME}`: bound in the final environment, typed, located, and nothing else special."""

import json

import pytest

from renderer import check, load
from renderer.backends.kind_schemas import strict_schema
from renderer.compose.shapes import Shape
from renderer.compose.variables import substitute
from renderer.text.yaml_reader import read
from renderer.values.diagnostics import Origin
from renderer.values.tree import Node
from tests.support.repositories import ENVIRONMENT, HEADER, SCORER, SERVING

RISK = "environments/dev/servings/risk.yaml"
IMAGE = "environments/dev/appimages/scorer.yaml"
DESCRIPTION = "environments/dev/environment.yaml"


def project(repository, variables, serving=SERVING, **files):
    described = ENVIRONMENT + f"vars: {json.dumps(variables)}\n"
    return load(repository({DESCRIPTION: described, RISK: serving, **files}))


def value(loaded, *path, stem="risk"):
    (spec,) = [s for s in loaded.environments[0].specs if s.stem == stem]
    return spec.tree.get(*path)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("${vars.n}", 3),
        ("x${vars.n}y", "x3y"),
        ("${vars.t}", "on"),
        ("${vars.b}", True),
        ("is ${vars.b}", "is true"),
        ("${vars.f}", 1.1),
        ("v${vars.f}", "v1.1"),
        ("$${vars.n}", "${vars.n}"),
        ("$${vars.missing} ${vars.n}", "${vars.missing} 3"),
        ("${OTHER} $n ${vars} $(x)", "${OTHER} $n ${vars} $(x)"),
        ("${vars.inner}", "${vars.n}"),
    ],
)
def test_replacement(repository, text, expected):
    serving = SERVING + f"serving_input_config: {{note: {json.dumps(text)}}}\n"
    variables = {"n": 3, "t": "on", "b": True, "f": 1.1, "inner": "${vars.n}"}
    loaded = project(repository, variables, serving)
    assert value(loaded, "serving_input_config", "note").value == expected


def test_the_text_of_a_number_is_kept(repository):
    described = ENVIRONMENT + "vars: {v: 1.10}\n"
    serving = SERVING + 'serving_input_config: {note: "v${vars.v}"}\n'
    loaded = load(repository({DESCRIPTION: described, RISK: serving}))
    assert value(loaded, "serving_input_config", "note").value == "v1.10"


def test_inside_the_strings_of_a_json_text(repository):
    text = '{"a":  "${vars.t}",\n "b": "x${vars.t}", "c": "${vars.n}", "d": "$${vars.n}"}'
    serving = SERVING + f"serving_input_config: {json.dumps(text)}\n"
    loaded = project(repository, {"t": 'q"\n', "n": 3}, serving)
    done = value(loaded, "serving_input_config").value
    assert json.loads(done) == {"a": 'q"\n', "b": 'xq"\n', "c": 3, "d": "${vars.n}"}
    assert done.startswith('{"a":  "')


def test_not_inside_config_templates(repository):
    image = SCORER + 'configTemplates: {a.conf: "${vars.n}"}\n'
    loaded = project(repository, {"n": 3}, **{IMAGE: image})
    assert value(loaded, "configTemplates", "a.conf", stem="scorer").value == "${vars.n}"


def test_bound_in_the_final_environment(repository):
    serving = SERVING.replace("initiator: alice", "initiator: ${vars.who}")
    prod = (
        HEADER.format("Environment")
        + "extends: dev\ndestinations: {cluster: p}\nvars: {who: bob}\n"
    )
    files = {"environments/prod/environment.yaml": prod}
    loaded = project(repository, {"who": "alice"}, serving, **files)
    assert check(loaded) == []
    names = [e.specs[-1].tree.get("initiator").value for e in loaded.environments]
    assert names == ["alice", "bob"]


def test_a_disabled_spec_needs_no_variables(repository):
    files = {"environments/prod/environment.yaml": HEADER.format("Environment") + "extends: dev\n"}
    files["environments/prod/servings/risk.yaml"] = HEADER.format("Serving") + "disabled: true\n"
    serving = SERVING.replace("initiator: alice", "initiator: ${vars.who}")
    found = check(project(repository, {}, serving, **files))
    assert {item.environments for item in found if item.code == "ENV011"} == {("dev",)}


def test_the_trail_of_a_variable_is_kept(repository):
    prod = HEADER.format("Environment") + "extends: dev\nvars: {who: bob}\n"
    serving = SERVING.replace("initiator: alice", "initiator: ${vars.who}")
    files = {"environments/prod/environment.yaml": prod}
    loaded = project(repository, {"who": "alice"}, serving, **files)
    node = loaded.environments[1].specs[-1].tree.get("initiator")
    assert [step.node.value for step in node.trail] == ["alice", "bob"]
    partial = project(repository, {"n": 1}, SERVING + 'labels: {a: "v${vars.n}"}\n')
    assert "${vars.n} of environments/dev" in value(partial, "labels", "a").origin.note


def test_of_an_undefined_one_in_a_json_text_the_string_is_left(repository):
    text = '{"a\\"": "${vars.hwo}", "b": "${vars.who} ${vars.hwo}", "c": "${vars.who}'
    serving = SERVING + f"serving_input_config: {json.dumps(text)}\n"
    loaded = project(repository, {"who": "alice"}, serving)
    done = value(loaded, "serving_input_config").value
    assert done == '{"a\\"": "${vars.hwo}", "b": "alice ${vars.hwo}", "c": "${vars.who}'


def test_a_tree_without_references_stays_itself():
    text = b"initiator: alice\nparties: [{domain_id: bob, role: '${vars.x}'}]\nlabels: {a: b}\n"
    tree = read(text, "f").document.tree
    shape = Shape(strict_schema("Serving"), strict_schema("Serving"))
    done = substitute(tree, {"x": Node("host", Origin("v"))}, shape).tree
    assert done.get("parties", 0, "role").value == "host"
    assert done.get("labels") is tree.get("labels")
    assert substitute(done, {}, shape).tree is done

"""Serve configs: read in every form, findings at their places, written the same by everyone."""

import time

import pytest
import yaml

from renderer.backends.kuberay.serve_config.applications import (
    ReplicaBounds,
    applications_of,
    grpc_port,
    http_port,
    proxy_location,
    runtime_environments,
)
from renderer.backends.kuberay.serve_config.document import config_text, read_serve_config
from renderer.text.embedded import place
from renderer.text.yaml_reader import read
from renderer.values.diagnostics import Origin
from renderer.values.tree import Node, uniform_tree

FILE = "environments/dev/scorer.yaml"
PATH = ("serveConfigV2",)
BLOCK = """\
serveConfigV2: |
  applications:
    - name: scorer
      import_path: scorer:app
      deployments:
        - {name: Scorer, num_replicas: 2}
"""
MAPPING = BLOCK.replace(" |\n", "\n")
FOLDED = "serveConfigV2: >-\n  {applications: [{name: scorer,\n  import_path: 'scorer:app'}]}\n"
SINGLE = "serveConfigV2: '{applications: [{name: scorer, import_path: \"scorer:app\"}]}'\n"
DOUBLE = 'serveConfigV2: "applications:\\n- name: scorer\\n  import_path: scorer:app\\n"\n'


def document_of(source):
    return read(source.encode(), FILE).document


def config_of(source):
    return read_serve_config(document_of(source).tree.get(*PATH), PATH)


def config(text):
    return read_serve_config(Node(text, Origin(FILE, 3, 5)), PATH)


def where(source, finding):
    document = document_of(source)
    return place(document.tree, finding, {FILE: document})[1:3]


@pytest.mark.parametrize("source", [BLOCK, MAPPING, FOLDED, SINGLE, DOUBLE])
def test_is_read_in_every_form(source):
    found = config_of(source)
    assert (found.problems, found.misfits) == ((), ())
    [application] = applications_of(found)
    assert (application.name, application.route_prefix) == ("scorer", "/")


@pytest.mark.parametrize("source", [BLOCK, MAPPING, FOLDED, SINGLE, DOUBLE])
@pytest.mark.parametrize("text", ["scorer:app", "import_path"])
def test_a_finding_is_at_its_line_and_column(source, text):
    path = ("applications", 0, "import_path")
    found = config_of(source).finding(path, "no", at_key=text == "import_path")
    lines = source.split("\n")
    line = next(number for number, one in enumerate(lines) if text in one)
    column = lines[line].index(text) + 1
    quoted = text == "scorer:app" and lines[line][column - 2] in "'\""
    assert where(source, found) == (line + 1, column - quoted)


def test_a_finding_about_what_is_not_there_is_at_its_owner():
    found = config_of(BLOCK).finding(("http_options", "port"), "no")
    assert where(BLOCK, found)[0] in (1, 2)
    found = config_of(BLOCK).finding(("applications", 0, "route_prefix"), "no")
    assert where(BLOCK, found) == (3, 7)


MISFITS = [
    ("routePrefix: /", 'unknown key "routePrefix" in applications[0]', "'route_prefix'"),
    ("route_prefix: score", 'applications[0].route_prefix is "score"', "/"),
    ("route_prefix: /score/", 'applications[0].route_prefix is "/score/"', "/"),
    ("route_prefix: '/{id}'", 'applications[0].route_prefix is "/{id}"', "/"),
    ("port: 8000", 'unknown key "port" in applications[0]', "http_options: {port"),
    ("deployments: [{name: A, maxReplicas: 1}]", "maxReplicas", "max_replicas"),
    ("deployments: [{name: A, num_replicas: 0}]", "num_replicas is 0", "1 or more, or auto"),
    ("deployments: [{name: A, num_replicas: all}]", 'num_replicas is "all"', "auto"),
    ("deployments: [{name: A, max_queued_requests: 0}]", "max_queued_requests", "-1"),
    ("deployments: [{num_replicas: 1}]", "'name' is missing", "name"),
    ("deployments: [{name: A, ray_actor_options: {numCpus: 1}}]", "numCpus", "num_cpus"),
]


@pytest.mark.parametrize(("line", "message", "fix"), MISFITS)
def test_what_does_not_fit_is_told_where_it_stands(line, message, fix):
    source = f"{BLOCK.partition('      deployments')[0]}      {line}\n"
    [found] = config_of(source).misfits
    assert message in found.message
    assert fix in found.fix
    assert where(source, found)[0] == 5


@pytest.mark.parametrize("path", ["scorer", "scorer:", ":app", "a:b:c", ".app", "scorer.", ""])
def test_import_paths(path):
    [found] = config(f"applications: [{{import_path: '{path}'}}]").misfits
    assert "import_path" in found.message


@pytest.mark.parametrize("path", ["scorer:app", "a.b:app", "a.b.app", "a.b"])
def test_right_import_paths(path):
    assert config(f"applications: [{{import_path: '{path}'}}]").misfits == ()


def test_the_form_for_one_application_is_told_as_such():
    found = config("import_path: scorer:app\nruntime_env: {}\n").misfits
    assert ["the form for one application" in item.fix for item in found].count(True) == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("# nothing\n", "is empty"),
        ("- a\n", "is a list"),
        ("scorer:app", "is text"),
        ("true", "is a truth value"),
        ("a: [", "no clear YAML"),
        ("a: 1\na: 2\n", "no clear YAML: the key 'a' stands on line 1 already"),
        ("a: yes\n", "no clear YAML"),
        ("a: 1\n---\nb: 2\n", "a second document"),
        ("a: \x07\n", "the text holds the character U+0007"),
        ("a: !!python/object 1\n", "the tag"),
    ],
)
def test_what_cannot_be_read(text, message):
    found = config(text)
    assert message in found.problems[0].message
    assert found.problems[0].path == PATH


def test_a_syntax_error_is_at_its_line():
    source = BLOCK.replace("num_replicas: 2}", "num_replicas: 2")
    [found] = config_of(source).problems
    assert where(source, found)[0] >= 6


BOMB = "a: &a [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{new}: &{new} [{', '.join([f'*{old}'] * 10)}]\n"
    for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)
HOSTILE = {
    "alias bomb": BOMB,
    "deep": "[" * 100_000,
    "deep block": "".join(f"{' ' * depth}a:\n" for depth in range(500)),
    "large": "a: 1\n" + "# x\n" * 400_000,
    "many keys": "".join(f"k{number}: 1\n" for number in range(20_000)),
    "surrogate": "a: \ud800",
    "null": "\0" * 1000,
    "long line": "a: " + "x" * 900_000,
    "itself": "&a {applications: *a}",
    "long number": f"target_capacity: {'9' * 10_000}",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_texts_take_no_time(text):
    start = time.process_time()
    found = config(text)
    assert found.problems or found.misfits
    assert found.tree.items is not None
    assert time.process_time() - start < 5


def mapping(data):
    return read_serve_config(uniform_tree(data, Origin(FILE)), PATH)


def test_a_mapping_is_written_in_the_order_of_the_schema():
    data = {
        "applications": [
            {
                "deployments": [{"user_config": {"b": 1, "a": "yes"}, "name": "A"}],
                "runtime_env": {"pip": ["z", "a"], "env_vars": {"N": "1"}},
                "import_path": "a:b",
                "name": "one",
            }
        ],
        "proxy_location": "EveryNode",
    }
    written = config_text(mapping(data)).value
    assert written == (
        "proxy_location: EveryNode\n"
        "applications:\n"
        "- name: one\n"
        "  import_path: a:b\n"
        "  runtime_env:\n"
        "    env_vars:\n"
        '      "N": "1"\n'
        "    pip:\n"
        "    - z\n"
        "    - a\n"
        "  deployments:\n"
        "  - name: A\n"
        "    user_config:\n"
        '      a: "yes"\n'
        "      b: 1\n"
    )
    assert yaml.safe_load(written) == data
    turned = {key: data[key] for key in reversed(data)}
    assert config_text(mapping(turned)).value == written


@pytest.mark.parametrize(
    "text", ["a:  1 # as it is\r\n", "applications:   []", "not: [yaml", "", "\ttab"]
)
def test_a_text_stays_as_it_is(text):
    assert config_text(config(text)) == Node(text, Origin(FILE, 3, 5))


def test_what_a_mapping_is_written_as_comes_from_its_place():
    found = config_of(MAPPING)
    assert config_text(found).origin == found.source.origin


def test_deployments_and_what_they_ask_for():
    text = """
http_options: {port: 8010}
grpc_options: {port: 9001, grpc_servicer_functions: [a.b]}
proxy_location: HeadOnly
applications:
- import_path: a:b
  route_prefix: null
  runtime_env: {}
  deployments:
  - {name: fixed, num_replicas: 3, ray_actor_options: {num_cpus: 0.5, num_gpus: 1, memory: 10,
     resources: {TPU: 4}, runtime_env: {pip: []}}}
  - {name: auto, num_replicas: auto}
  - {name: scaled, autoscaling_config: {min_replicas: 0, initial_replicas: 2, max_replicas: 5}}
  - {name: bare}
  - {name: bundles, placement_group_bundles: [{CPU: 1}, {GPU: 2}]}
  - {name: packed, placement_group_bundles: [{CPU: 1}, {CPU: 2}],
     placement_group_strategy: STRICT_PACK}
"""
    found = config(text)
    assert (found.problems, found.misfits) == ((), ())
    assert (http_port(found), grpc_port(found), proxy_location(found)) == (8010, 9001, "HeadOnly")
    [application] = applications_of(found)
    assert (application.name, application.route_prefix) == ("default", None)
    replicas = {item.name: item.replicas for item in application.deployments}
    assert replicas == {
        "fixed": ReplicaBounds(3, 3, 3),
        "auto": ReplicaBounds(1, 1, 100),
        "scaled": ReplicaBounds(0, 2, 5),
        "bare": ReplicaBounds(1, 1, 1),
        "bundles": ReplicaBounds(1, 1, 1),
        "packed": ReplicaBounds(1, 1, 1),
    }
    pieces = {item.name: item.pieces for item in application.deployments}
    assert pieces["fixed"] == ({"CPU": 0.5, "GPU": 1, "memory": 10, "TPU": 4},)
    assert pieces["bundles"] == ({"CPU": 1}, {"GPU": 2})
    assert pieces["packed"] == ({"CPU": 3},)
    assert application.deployments[4].replica == {"CPU": 1, "GPU": 2}
    places = [path for path, _ in runtime_environments(application)]
    assert places == [
        ("applications", 0, "runtime_env"),
        ("applications", 0, "deployments", 0, "ray_actor_options", "runtime_env"),
    ]


def test_defaults():
    found = config("applications: [{import_path: a:b}]")
    assert (http_port(found), grpc_port(found), proxy_location(found)) == (8000, None, "EveryNode")

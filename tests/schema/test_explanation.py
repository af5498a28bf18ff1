"""What the schema check says, and where: codes, places, messages and remedies."""

import re
from typing import Any, NamedTuple

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from renderer.backends.kind_schemas import authoring_schema, strict_schema
from renderer.schema.bundle import Schema
from renderer.schema.validation import check
from renderer.text.yaml_reader import read
from renderer.values.diagnostics import Diagnostic, Origin
from renderer.values.tree import uniform_tree
from tests.support.rows import each

SERVING = "apiVersion: serving.gitops/v1\nkind: Serving\ninitiator: alice\n"
APPIMAGE = "apiVersion: serving.gitops/v1\nkind: AppImage\n"
ENVIRONMENT = "apiVersion: serving.gitops/v1\nkind: Environment\n"
PARTIES = "parties: [{domain_id: alice}]\n"
IMAGE = "image: {name: scorer, tag: v1}\n"
TEMPLATES = "deployTemplates: [{name: t, spec: {containers: [{name: c, workingDir: /}]}}]\n"


class Case(NamedTuple):
    id: str
    spec: str
    code: str
    line: int
    column: int
    message: str
    fix: str = "…"


def party(text: str) -> str:
    return f"{SERVING}parties:\n- {{domain_id: alice, {text}}}\n"


def container(text: str) -> str:
    template = f"deployTemplates:\n- name: t\n  spec:\n    containers:\n    - {text}\n"
    return APPIMAGE + IMAGE + template


def port(text: str) -> str:
    return container(f'{{name: c, workingDir: "",\n       ports: [{{name: web, {text}}}]}}')


def limits(text: str) -> str:
    return container(f'{{name: c, workingDir: "",\n       resources: {{limits: {{{text}}}}}}}')


def top(text: str) -> str:
    return SERVING + text + "\n" + PARTIES


def image(text: str) -> str:
    return f"{APPIMAGE}image: {{name: scorer, {text}}}\n{TEMPLATES}"


def config(text: str) -> str:
    return f"{APPIMAGE}configTemplates: {text}\n{IMAGE}{TEMPLATES}"


def destination(text: str) -> str:
    return f"{ENVIRONMENT}destinations:\n- {{{text}}}\n"


ID_FORM = "write lower-case letters, digits and '-', a letter or digit at both ends, at most 63…"
CONTAINER = "deployTemplates[0].spec.containers[0]"

# fmt: off
BOTH = [  # found in a file by itself and in the composed spec, in the same words
    Case("unknown-at-top", top("partys: []"), "SPC010", 4, 1,
         'unknown key "partys"', "did you mean 'parties'?"),
    Case("unknown-camel-case", top("servingInputConfig: x"), "SPC010", 4, 1,
         'unknown key "servingInputConfig"', "did you mean 'serving_input_config'?"),
    Case("unknown-like-nothing", top("zzz: 1"), "SPC010", 4, 1,
         'unknown key "zzz"', "known here: apiVersion, kind, serving_id,…"),
    Case("unknown-deep", party("replica: 2"), "SPC010", 5, 22,
         'unknown key "replica" in parties[0]', "did you mean 'replicas'?"),
    Case("unknown-deeper", party("\n   resources: [{maxCpu: '2'}]"), "SPC010", 6, 17,
         'unknown key "maxCpu" in parties[0].resources[0]', "did you mean 'max_cpu'?"),
    Case("unknown-in-alternative", config("{a.conf: {fil: x}}"), "SPC010", 3, 28,
         'unknown key "fil" in configTemplates["a.conf"]', "did you mean 'file'?"),
    Case("list-as-text", SERVING + "parties: alice\n", "SPC012", 4, 10,
         'parties is "alice", not a list of at least one party', "write a list of at least one…"),
    Case("mapping-as-text", SERVING + "parties:\n- alice\n", "SPC012", 5, 3,
         'parties[0] is "alice", not a mapping', "write a mapping"),
    Case("mapping-as-list", top("labels: [a]"), "SPC012", 4, 9,
         "labels is a list, not a mapping", "write a mapping"),
    Case("integer-as-fraction", party("replicas: 1.0"), "SPC012", 5, 32,
         "parties[0].replicas is 1.0, not a whole number from 0 to…", "write a whole number…"),
    Case("integer-as-text", party("replicas: '2'"), "SPC012", 5, 32,
         'parties[0].replicas is "2", not a whole number…'),
    Case("integer-as-truth-value", party("replicas: true"), "SPC012", 5, 32,
         "parties[0].replicas is true, not a whole number…"),
    Case("text-as-number", image("tag: 1.10"), "SPC013", 3, 28,
         "image.tag is written 1.10, which is read as the number 1.1, not as text",
         'quote it: "1.10"'),
    Case("text-as-plain-number", image("tag: 7"), "SPC013", 3, 28,
         "image.tag is written 7, which is read as a number, not as text", 'quote it: "7"'),
    Case("text-as-truth-value", party("role: true"), "SPC013", 5, 28,
         "parties[0].role is written true, which is read as a truth value, not as text",
         'quote it: "true"'),
    Case("quantity-as-fraction", limits("cpu: 0.5"), "SPC013", 9, 34,
         f"{CONTAINER}.resources.limits.cpu is written 0.5,…", 'quote it: "0.5"'),
    Case("enum", top("affinity_mode: spread"), "SPC014", 4, 16,
         'affinity_mode is "spread", not one of none, affinity and anti-affinity',
         "write none, affinity or anti-affinity"),
    Case("enum-nearly", port("scope: cluster"), "SPC014", 9, 35,
         f'{CONTAINER}.ports[0].scope is "cluster", not one of Cluster, Domain and Local',
         "did you mean 'Cluster'?"),
    Case("enum-as-number", top("affinity_mode: 1"), "SPC014", 4, 16,
         "affinity_mode is 1, not one of none,…", "write none, affinity or anti-affinity"),
    Case("enum-as-list", top("affinity_mode: [none]"), "SPC014", 4, 16,
         "affinity_mode is a list, not one of none,…"),
    Case("const", destination("name: a, platform: Kuscia, domains: [a]"), "SPC014", 4, 23,
         'destinations[0].platform is "Kuscia", not one of kuscia and kubernetes',
         "did you mean 'kuscia'?"),
    Case("pattern", top("serving_id: Credit_Risk"), "SPC015", 4, 13,
         'serving_id is "Credit_Risk", not a serving ID', ID_FORM),
    Case("pattern-of-tag", image("tag: -1a"), "SPC015", 3, 28,
         'image.tag is "-1a", not an image tag…', "write 1 to 128 letters, digits,…"),
    Case("pattern-with-own-fix", party("role: Host"), "SPC015", 5, 28,
         'parties[0].role is "Host", not a role: lower-case letters,…', "Write it in lower case,…"),
    Case("pattern-behind-reference", top("app_image: Scorer"), "SPC015", 4, 12,
         'app_image is "Scorer", not an AppImage name', "write lower-case letters…"),
    Case("trailing-newline", top('serving_id: "abc\\n"'), "SPC015", 4, 13,
         'serving_id is "abc\\n", not a serving ID', ID_FORM),
    Case("property-name", config("{a/b: x}"), "SPC015", 3, 19,
         'the key "a/b" in configTemplates is not a config file name…', "Folders belong into…"),
    Case("property-name-deep", limits("cpus: 1"), "SPC015", 9, 29,
         f'the key "cpus" in {CONTAINER}.resources.limits is not a resource', "write cpu, memory…"),
    Case("minimum", party("replicas: -1"), "SPC016", 5, 32,
         "parties[0].replicas is -1, less than 0", "write a whole number from 0…"),
    Case("minimum-with-own-fix", limits("cpu: -1"), "SPC016", 9, 34,
         f"{CONTAINER}.resources.limits.cpu is -1, less than 0", "write a Kubernetes quantity…"),
    Case("maximum", party("replicas: 99999999999"), "SPC016", 5, 32,
         "parties[0].replicas is 99999999999, more than 2147483647", "write a whole number…"),
    Case("min-length", container('{name: c, workingDir: "", env: [{name: ""}]}'), "SPC016", 8, 46,
         f"{CONTAINER}.env[0].name is empty", "write the name of a variable"),
    Case("max-length", top(f"app_image: {'a' * 64}"), "SPC016", 4, 12,
         "app_image is longer than 63 characters", "write lower-case letters…"),
    Case("unique-items", destination("name: a, platform: kuscia, domains: [bo, al, bo]"),
         "SPC016", 4, 49, 'destinations[0].domains has "bo" twice', "delete one of the two"),
    Case("any-of-types", top("serving_input_config: [1]"), "SPC012", 4, 23,
         "serving_input_config is a list, not a mapping or a JSON document as text",
         "write a mapping or a JSON document as text"),
    Case("any-of-types-number", top("serving_input_config: 1.10"), "SPC012", 4, 23,
         "serving_input_config is 1.10, not a mapping or…"),
    Case("any-of-types-template", config("{a.conf: 5}"), "SPC012", 3, 27,
         'configTemplates["a.conf"] is 5, not the text of a template or a mapping with the key…',
         "write the text of a template or a mapping with the key file"),
    Case("any-of-form", config("{a.conf: {file: ../x}}"), "SPC015", 3, 34,
         'configTemplates["a.conf"].file is "../x", not a relative path…', "write a relative…"),
]
COMPOSED = [  # only a composed spec must be complete
    Case("missing-at-top", SERVING, "SPC011", 1, 1,
         "'parties' is missing", "add parties: the domains that take part"),
    Case("missing-in-item", SERVING + "parties:\n- role: host\n", "SPC011", 5, 3,
         "'domain_id' is missing in parties[0]", "add domain_id: domain that runs this part"),
    Case("missing-at-ancestor", party("update_strategy: {max_surge: '1'}"), "SPC011", 5, 22,
         "'type' is missing in parties[0].update_strategy", "add type: Recreate or RollingUpdate"),
    Case("missing-const", destination("name: a, domains: [a]"), "SPC011", 4, 3,
         "'platform' is missing in destinations[0]", "add platform: kuscia or kubernetes"),
    Case("missing-in-alternative", config("{a: {}}"), "SPC011", 3, 19,
         "'file' is missing in configTemplates.a", "add file: path of a file below…"),
    Case("empty-list", SERVING + "parties: []\n", "SPC016", 4, 10,
         "parties is empty", "write a list of at least one party"),
    Case("mapping-for-list", SERVING + "parties: {domain_id: alice}\n", "SPC012", 4, 10,
         "parties is a mapping, not a list of at least one party"),
    Case("null", party("replicas: null"), "SPC012", 5, 32,
         "parties[0].replicas is empty, not a whole number…"),
]
# fmt: on


def findings(text: str, schema: Schema | None = None) -> list[Diagnostic]:
    tree = read(text.encode(), "spec.yaml").document.tree
    assert tree is not None
    kind = tree.get("kind")
    return sorted(check(tree, schema or strict_schema(str(kind and kind.value))))


def cases(listed: list[Case]) -> Any:
    return each("case", listed, name=lambda case: case.id)


@cases([*BOTH, *COMPOSED])
def test_wording_and_place(case: Case):
    incomplete = "SPC011"
    (found,) = [i for i in findings(case.spec) if i.code != incomplete or case.code == incomplete]
    assert (found.code, found.line, found.column) == (case.code, case.line, case.column)
    assert _begins(found.message, case.message)
    assert _begins(found.fix, case.fix)


def _begins(text: str, expected: str) -> bool:
    """Equal, or (where an ellipsis says so) only the beginning."""
    begin, more, _ = expected.partition("…")
    return text.startswith(begin) if more else text == expected


@cases(BOTH)
def test_a_file_by_itself_is_told_the_same(case: Case):
    """Otherwise a finding would be reported twice, and first in the poorer words."""
    kind = re.search(r"kind: (\w+)", case.spec)
    assert kind
    alone = findings(case.spec, authoring_schema(kind[1]))
    composed = [item for item in findings(case.spec) if item.code != "SPC011"]
    assert alone == composed


@cases([*BOTH, *COMPOSED])
def test_no_message_shows_the_machinery(case: Case):
    for item in findings(case.spec):
        assert not re.search(r"\^|\(\?|\{'|anyOf|None|True|False|schema allows", item.message)
        assert item.fix
        assert len(item.message) < 250


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        (top("affinity_mode: spread"), "Kuscia's API takes every other word for anti-affinity"),
        (image("tag: 1.10"), "YAML reads `1.10` as the number 1.1"),
        (party("replica: 2"), "The platforms drop unknown fields"),
        (SERVING + "parties:\n- alice\n", ""),
        (container('{name: c, workingDir: "", env: [{name: ""}]}'), ""),
    ],
    ids=["enum", "text", "unknown", "not-the-parents", "not-the-grandparents"],
)
@pytest.mark.parametrize("schema_of", [strict_schema, authoring_schema])
def test_why_is_about_the_value_itself(spec: str, why: str, schema_of: Any):
    kind = "Serving" if "kind: Serving" in spec else "AppImage"
    assert [item.why[: len(why) or None] for item in findings(spec, schema_of(kind))] == [why]


def test_all_errors_are_reported():
    spec = party("role: Host, replicas: -1, foo: 1, resources: [{min_cpu: 2, maxCpu: 3}]")
    codes = [item.code for item in findings(spec + "serving_id: A\n")]
    assert sorted(codes) == ["SPC010", "SPC010", "SPC013", "SPC015", "SPC015", "SPC016"]


@pytest.mark.parametrize(
    ("pattern", "text", "fits"),
    [
        ("^a$", "a\n", False),
        ("^(a|b$)", "b\n", False),
        (r"^a\$", "a$b", True),
        (r"^a\\$", "a\\\n", False),
        ("^[$)]$", ")", True),
        (r"^\d$", "٣", False),
        (r"^a\z", "a", True),
    ],
)
def test_patterns_mean_what_they_mean_to_the_api_server(pattern: str, text: str, fits: bool):
    tree = uniform_tree(text, Origin("x"))
    assert (list(check(tree, {"pattern": pattern})) == []) is fits


@settings(max_examples=100, deadline=None)
@example(key="k" * 300, value="long value " * 30)
@example(key="\x1b[31m\u202e", value="\x07\r\n\u2028")
@given(key=st.text(max_size=300), value=st.text(max_size=300) | st.integers() | st.booleans())
def test_messages_are_one_short_printable_line(key: str, value: Any):
    data = {"kind": "Serving", key: value, "labels": {key: value, "x": [key]}, "serving_id": key}
    for item in check(uniform_tree(data, Origin("x")), strict_schema("Serving")):
        assert (item.message + item.fix).isprintable()
        assert len(item.message) < 300


def test_of_very_many_unknown_keys_some_are_told_and_the_rest_is_counted():
    spec = SERVING + PARTIES + "".join(f"k{number}: 1\n" for number in range(10_000))
    *told, rest = findings(spec)
    assert [item.line for item in told] == [*range(5, 55)]
    assert (rest.code, rest.line, rest.stands_for) == ("SPC010", 55, 9_950)
    assert rest.message == "9,950 more of this rule in this file are left out"

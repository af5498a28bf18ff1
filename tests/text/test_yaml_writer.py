"""Written YAML: the same data to every reader, in one form."""

import json
import shutil
import subprocess

import pytest
import ruamel.yaml
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from renderer.text.yaml_reader import read
from renderer.text.yaml_writer import write
from renderer.values.diagnostics import Origin
from renderer.values.tree import Plain, uniform_tree, walk
from tests.support.rows import each
from tests.support.samples import tried
from tests.support.yamldata import DATA, HOSTILE, KEYS, TEXTS, VISIBLE

FEW = settings(max_examples=150, deadline=None)
needs_kubectl = pytest.mark.skipif(not shutil.which("kubectl"), reason="kubectl is not installed")


def written(data: Plain) -> str:
    return write(uniform_tree(data, Origin("f")))


def as_yaml12(text: str) -> Plain:
    return ruamel.yaml.YAML(typ="safe", pure=True).load(text)


def assert_all_readers_agree(data: Plain) -> None:
    text = written(data)
    ours = read(text.encode(), "f")
    assert ours.problems == []
    assert repr(ours.document.tree.plain()) == repr(data)
    assert repr(yaml.safe_load(text)) == repr(data)
    assert repr(yaml.load(text, yaml.CSafeLoader)) == repr(data)
    assert repr(as_yaml12(text)) == repr(data)


def test_the_form():
    data = {
        "name": "scorer",
        "args": ["--port", "8080", "a: b", 'say "hi"', "it's"],
        "script": "#!/bin/sh\n\n  exit 0\n",
        "text": "one\ntwo",
        "on": {"empty": {}, "none": [], "null": None, "yes": True},
        "lists": [["a", ["b"]], {"c": [1], "d": {"e": 1.5}}, [{"f": "g\nh\n"}]],
        "large": 1e22,
    }
    assert written(data) == (
        "name: scorer\n"
        "args:\n"
        '- "--port"\n'
        '- "8080"\n'
        '- "a: b"\n'
        "- 'say \"hi\"'\n"
        '- "it\'s"\n'
        "script: |\n"
        "  #!/bin/sh\n"
        "\n"
        "    exit 0\n"
        "text: |-\n"
        "  one\n"
        "  two\n"
        '"on":\n'
        "  empty: {}\n"
        '  "none": []\n'
        '  "null": null\n'
        '  "yes": true\n'
        "lists:\n"
        "- - a\n"
        "  - - b\n"
        "- c:\n"
        "  - 1\n"
        "  d:\n"
        "    e: 1.5\n"
        "- - f: |\n"
        "      g\n"
        "      h\n"
        "large: 1.0e+22\n"
    )


@pytest.mark.parametrize("text", ["a \nb", "a\n\t\nb", "a\nb\n\n", " a\nb", "a\r\nb"], ids=ascii)
def test_what_an_editor_may_change_is_not_a_block(text):
    assert written({"a": text}) == f"a: {json.dumps(text)}\n"


@each("text", HOSTILE, name=ascii)
def test_a_hostile_text_stays_what_it_is(text):
    assert_all_readers_agree(text)
    assert_all_readers_agree({"a": [text, {"b": text}], "c": text})


@each("key", VISIBLE, name=ascii)
def test_a_hostile_key_stays_what_it_is(key):
    assert_all_readers_agree({key: [{key: key}]})


@tried(DATA, few=40, many=150)
def test_all_readers_read_what_was_written(data):
    assert_all_readers_agree(data)


@tried(DATA, few=40, many=150)
def test_what_was_read_is_written_the_same(data):
    text = written(data)
    assert text == write(read(text.encode(), "f").document.tree)
    assert text.endswith("\n")
    assert not text.endswith("\n\n")


@FEW
@given(DATA, st.sampled_from(["${", "$", "{", "${X}", "a\n${b}\n", "'${\\"]))
@example({}, "$")
@example([], "$")
def test_what_flux_would_replace_is_seen_in_the_text(data, text):
    whole = {text: data, "a": [text, data, {"b": text}]}
    tree = uniform_tree(whole, Origin("f"))
    said = [node.value for _, node in walk(tree)] + [path[-1] for path, _ in walk(tree) if path]
    has = any("${" in item for item in said if isinstance(item, str))
    assert ("${" in write(tree)) == has


@FEW
@given(st.text(st.characters(exclude_categories=["C", "Zl", "Zp"]), min_size=1, max_size=400))
def test_a_text_of_one_line_is_not_folded(text):
    assert written({"a": text}).count("\n") == 1


def config_map(data: Plain) -> str:
    head = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "hostile"}}
    return written({**head, "data": data})


def kubectl(*command: str, text: str = "") -> str:
    done = subprocess.run(["kubectl", *command], input=text.encode(), capture_output=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.decode()


def as_kubernetes(text: str) -> Plain:
    """The data of a ConfigMap as kubectl, and with it Argo CD, reads it; needs no cluster."""
    command = ("annotate", "--local", "-o", "json", "x=y", "-f", "-")
    return json.loads(kubectl(*command, text=text))["data"]


@pytest.mark.process
@needs_kubectl
def test_kubectl_reads_what_was_written():
    data = {
        "list": [*HOSTILE],
        "keys": {key: key for key in VISIBLE},
        "deep": [[{"a": [*HOSTILE]}]],
    }
    assert as_kubernetes(config_map(data)) == data


@pytest.mark.process
@needs_kubectl
@settings(FEW, max_examples=5)
@given(st.lists(TEXTS, min_size=50, max_size=50), st.lists(KEYS, min_size=30, max_size=30))
def test_kubectl_reads_arbitrary_texts(texts, keys):
    data = {"list": texts, "keys": {key: [[key]] for key in keys}}
    assert as_kubernetes(config_map(data)) == data


@pytest.mark.process
@needs_kubectl
def test_kustomize_reads_what_was_written(tmp_path):
    # Its own output drops a key "<<" and cannot hold U+007F, U+0085 and the like.
    texts = [text for text in HOSTILE if not set(text) & set("\x7f\x85\x9f\ufffe\uffff")]
    data = {"list": texts, "keys": {key: key for key in VISIBLE if key != "<<"}}
    (tmp_path / "hostile.yaml").write_bytes(config_map(data).encode())
    (tmp_path / "kustomization.yaml").write_text("resources: [hostile.yaml]\n")
    assert as_kubernetes(kubectl("kustomize", str(tmp_path))) == data

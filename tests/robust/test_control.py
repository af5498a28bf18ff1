"""Control characters: in no format of any command do they reach a terminal or break a reader."""

import html.parser
import json
import re
import xml.etree.ElementTree as ET

import pytest
import yaml
from markdown_it import MarkdownIt

from tests.robust.form import rows
from tests.robust.stage import Stage
from tests.support.counting import count
from tests.support.git import try_git as git
from tests.support.repositories import ENVIRONMENT, SCORER, SERVING, SMALL
from tests.support.samples import sample

pytestmark = pytest.mark.process

EVIL = "\\e[31m\\x9b1m\\u202e\\u2066\\a\\b\\r\\n::error::x\\0\\u2028<script>alert(1)</script>|`"
RISK = "environments/dev/servings/risk.yaml"
IMAGE = "environments/dev/appimages/scorer.yaml"
DEV = "environments/dev/environment.yaml"
TEMPLATE = "templates/kuscia/kusciadeployment.yaml.j2"
VALUES = {
    "label": {RISK: SERVING + f'labels: {{a: "{EVIL}"}}\n'},
    "annotation": {RISK: SERVING + f'annotations: {{a: "{EVIL}"}}\n'},
    "key": {RISK: SERVING + f'"{EVIL}": 1\n'},
    "label-key": {RISK: SERVING + f'labels: {{"{EVIL}": a}}\n'},
    "name": {RISK: SERVING + f'serving_id: "{EVIL}"\n'},
    "initiator": {RISK: SERVING.replace("initiator: alice", f'initiator: "{EVIL}"')},
    "domain": {RISK: SERVING.replace("domain_id: bob", f'domain_id: "{EVIL}"')},
    "role": {RISK: SERVING.replace("app_image: pair", f'app_image: pair, role: "{EVIL}"')},
    "image": {RISK: SERVING.replace("app_image: pair", f'app_image: "{EVIL}"')},
    "input": {RISK: SERVING + f'serving_input_config: {{a: "{EVIL}"}}\n'},
    "input-text": {RISK: SERVING + "serving_input_config: '{\"a\": \"\\u001b[31m\\u202e\"}'\n"},
    "tag": {IMAGE: SCORER.replace("tag: v1", f'tag: "{EVIL}"')},
    "config": {IMAGE: SCORER + f'configTemplates: {{a.conf: "{EVIL}"}}\n'},
    "config-name": {IMAGE: SCORER + f'configTemplates: {{"{EVIL}": x}}\n'},
    "container": {IMAGE: SCORER.replace("name: scorer,", f'name: "{EVIL}",')},
    "command": {IMAGE: SCORER.replace("workingDir", f'command: ["{EVIL}"], workingDir')},
    "variable": {DEV: ENVIRONMENT + f'vars: {{x: "{EVIL}"}}\n',
                 RISK: SERVING + 'labels: {a: "${vars.x}"}\n'},
    "variable-name": {DEV: ENVIRONMENT + f'vars: {{"{EVIL}": x}}\n'},
    "destination": {DEV: ENVIRONMENT.replace("name: east", f'name: "{EVIL}"')},
    "cluster": {DEV: ENVIRONMENT.replace("name: east", f'name: east\n    cluster: "{EVIL}"')},
    "partner": {DEV: ENVIRONMENT.replace("partner", f'"{EVIL}"')},
    "parent": {DEV: ENVIRONMENT + f'extends: "{EVIL}"\n'},
    "reason": {RISK: SERVING + f"# servingctl: ignore[KUS101] {EVIL}\n"},
    "kind": {RISK: SERVING.replace("kind: Serving", f'kind: "{EVIL}"')},
    "file": {IMAGE: SCORER + f'configTemplates: {{a: {{file: "{EVIL}"}}}}\n'},
    "raw": {RISK: SERVING + "# \x1b[31m \x9b \u2028\n"},
    "raw-direction": {RISK: SERVING + "labels: {a: '\u202e\u2066x'}\n"},
    "file-name": {"environments/dev/servings/\x1b[31m\u202e.yaml": SERVING},
    "folder-name": {"environments/\x1b[31m\n\u202e/environment.yaml": ENVIRONMENT},
    "foreign": {"rendered/dev/east/\x1b[31m\n\u202e.txt": "x"},
    "template": {"templates/\x1b[31m\u202e.j2": "x"},
    "template-text": {TEMPLATE: "a: {{ '\x1b[31m\u202e' }}\n{{ x\u202e }}"},
    "crd": {"schemas/crds/\x1b[31m.yaml": "a: 1"},
    "settings": {"servingctl.yaml": f'"{EVIL}": 1\n'},
    "output": {"servingctl.yaml": f'output: "{EVIL}"\n'},
    "glob": {"servingctl.yaml": f'ignore: ["{EVIL}"]\n'},
}  # fmt: skip
FORMATS = {
    "validate": "text json github gitlab sarif junit baseline",
    "diff": "text markdown json html",
    "preview risk --env dev": "text json yaml",
    "graph --env dev": "text mermaid svg",
    "graph risk --env dev": "text mermaid svg",
    "trace risk labels --env dev": "text json",
    "trace scorer configTemplates --env dev": "text json",
}
PLAIN = ["render", "render --check", "render --stdout", "rules", "validate -v --color always"]
COMMANDS = [f"{name} --format {form}" for name, forms in FORMATS.items() for form in forms.split()]
#: What steers a terminal or turns the direction of text; colours are ours.
STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")
_COLOR = re.compile(r"\x1b\[[0-9;]*m(?!31m)")


@pytest.fixture(scope="module")
def stage():
    stage = Stage()
    yield stage
    stage.close()


@pytest.mark.parametrize("name", sample(rows(VALUES, one_in=5), "command"))
def test_control_characters_in_every_format(name, stage, repository):
    root = repository()
    git("init", cwd=root)
    git("add", "--all", cwd=root)
    git("commit", "--message", "first", cwd=root)
    for path, text in VALUES[name].items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    assert set(SMALL) <= {path.relative_to(root).as_posix() for path in root.rglob("*")}
    for command in [*COMMANDS, *PLAIN]:
        ended = stage.run(root, *command.split())
        assert ended.code in (0, 1, 2, 3), (command, ended)
        _assert_harmless(command, ended.out, answered=_is_answer(command, ended.code))
        _assert_harmless("text", ended.err)
        count("outputs read for control characters")


def _is_answer(command, code):
    """Findings that keep `preview` and `trace` from answering are text, whatever the format."""
    return code == 0 or command.startswith(("validate", "diff"))


def _assert_harmless(command, text, *, answered=False):
    found = STEERING.search(_COLOR.sub("", text) if "always" in command else text)
    assert not found, (command, found, text[max(found.start() - 200, 0) : found.end() + 20])
    form = command.rpartition("--format ")[2]
    if text and answered and form in READERS:
        READERS[form](text)


def _html(text):
    reader = html.parser.HTMLParser()
    reader.feed(text)
    assert "<script>alert(1)" not in text


def _markdown(text):
    """What is between backticks is text, and the rest must not be markup of somebody else's."""
    tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(text)
    inner = [child for token in tokens for child in token.children or ()]
    markup = [item.content for item in (*tokens, *inner) if item.type.startswith("html")]
    assert not [item for item in markup if "<script" in item]


def _github(text):
    assert all(line.startswith("::") for line in text.splitlines())
    assert not [line for line in text.splitlines() if line.startswith("::error::x")]


READERS = {
    "json": json.loads, "gitlab": json.loads, "sarif": json.loads, "baseline": json.loads,
    "junit": ET.fromstring, "svg": ET.fromstring, "github": _github, "html": _html,
    "markdown": _markdown, "yaml": lambda text: list(yaml.safe_load_all(text)),
}  # fmt: skip


HOSTILE = "\x1b[31m\u202e\n"
ARGUMENTS = [
    ("validate", "--env", HOSTILE), ("render", "--env", HOSTILE), ("explain", HOSTILE),
    ("schema", HOSTILE), ("preview", HOSTILE, "--env", "dev"),
    ("preview", "risk", "--env", HOSTILE),
    ("trace", "risk", HOSTILE, "--env", "dev"), ("trace", HOSTILE, "a", "--env", "dev"),
    ("graph", HOSTILE, "--env", "dev"), ("diff", "--from", HOSTILE), ("diff", "--to", HOSTILE),
    ("diff", "--env", HOSTILE), (HOSTILE,), ("--root", HOSTILE, "validate"),
    ("validate", HOSTILE), ("validate", "--baseline", HOSTILE), ("render", "--shard", HOSTILE),
    ("preview", "risk", "--env", "dev", "--unit", HOSTILE),
    ("preview", "risk", "--env", "dev", "--destination", HOSTILE),
    ("preview", "risk", "--env", "dev", "--config-key", HOSTILE),
    ("preview", "risk", "--env", "dev", "--diff", HOSTILE),
    ("render", "--output", f"environments/{HOSTILE}"),
    ("validate", "--output", f"servingctl.yaml/{HOSTILE}"),
    ("render", "--output", f"servingctl.yaml/{HOSTILE}"),
]  # fmt: skip


@pytest.mark.parametrize("arguments", sample(ARGUMENTS, *ARGUMENTS[:4]), ids=range(len(ARGUMENTS)))
def test_control_characters_in_arguments(arguments, stage, repository):
    """In a script, an argument may come from elsewhere."""
    root = repository()
    git("init", cwd=root)
    ended = stage.run(root, *arguments)
    assert ended.code in (1, 2, 3), ended
    assert not STEERING.search(ended.out + ended.err), ended
    count("outputs read for control characters")

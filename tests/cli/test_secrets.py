"""A secret is found, and no command and no format ever shows it."""

import pytest
import yaml

from renderer import check, load
from renderer.text.secrets.masks import HIDDEN, hidden
from tests.support.processes import run
from tests.support.repositories import DESCRIPTION, ENVIRONMENT, IMAGE, PORTS, RISK, SCORER, SERVING

pytestmark = pytest.mark.process

CANARY = "c4n4ry-s3cr3t"
SECRET = SERVING + f"serving_input_config: {{ossSourceMeta: {{secretKey: {CANARY}}}}}\n"


def test_a_secret_is_found_and_never_shown(repository):
    root = repository({RISK: SECRET})
    done = run("validate", cwd=root)
    assert "[SEC001]" in done.stdout
    assert CANARY not in done.stdout + done.stderr
    assert HIDDEN in done.stdout


@pytest.mark.parametrize("form", ["json", "github", "gitlab", "sarif", "junit", "text"])
def test_no_format_shows_it_whichever_rule_reports(repository, form):
    text = SERVING + f"serving_input_config: {{secretKey: {CANARY}, mode: on}}\n"
    done = run("validate", "--format", form, cwd=repository({RISK: text}))
    assert "YML010" in done.stdout
    assert CANARY not in done.stdout + done.stderr


@pytest.mark.parametrize(
    "text",
    [
        '{"a": {"access_key": "%s"}}',
        '{"dbPassword":"%s"}',
        "-----BEGIN RSA PRIVATE KEY-----\n%s\n-----END RSA PRIVATE KEY-----\n",
    ],
)
def test_inside_json_texts_and_blocks(repository, text):
    value = yaml.safe_dump({"serving_input_config": text % CANARY})
    done = run("validate", cwd=repository({RISK: SERVING + value}))
    assert "[SEC00" in done.stdout
    assert CANARY not in done.stdout


@pytest.mark.parametrize(
    "text",
    [
        f"serving_input_config: {{secretKey: hunter2 and {CANARY}, mode: on}}\n",
        f"serving_input_config:\n  secretKey:\n    {CANARY}\n  mode: on\n",
        f"serving_input_config:\n  secretKey: >\n    a\n    {CANARY}\n  mode: on\n",
        rf'serving_input_config: "{{\"secretKey\":\"a\\\"{CANARY}\"}}"' + "\nlabels: {a: on}\n",
        f"labels: {{a: on}}  # password: a {CANARY}\n",
        f"serving_input_config: {{env: [{{name: DB_PASSWORD, value: {CANARY}}}], mode: on}}\n",
        f"serving_input_config: {{e: [\n  {{name: TOKEN,\n   value: {CANARY}}}], mode: on}}\n",
        f"annotations: {{x.io/password: {CANARY}, b: on}}\n",
        f'serving_input_config: \'[{{"secretKey": "{CANARY}"}}]\'\nlabels: {{a: on}}\n',
    ],
)
def test_however_it_is_written(repository, text):
    done = run("validate", cwd=repository({RISK: SERVING + text}))
    assert "[YML010]" in done.stdout
    assert CANARY not in done.stdout


def test_in_an_environment(repository):
    described = ENVIRONMENT + f"vars: {{oss_secret_key: {CANARY}}}\n"
    done = run("validate", cwd=repository({DESCRIPTION: described}))
    assert "[SEC001]" in done.stdout
    assert CANARY not in done.stdout


def test_a_trace_does_not_tell(repository):
    root = repository({RISK: SECRET})
    for path in ("serving_input_config", "serving_input_config.ossSourceMeta.secretKey"):
        for form in ("text", "json"):
            done = run("trace", "risk", path, "--env", "dev", "--format", form, cwd=root)
            assert done.returncode == 0
            assert CANARY not in done.stdout


@pytest.mark.parametrize("form", ["text", "json", "github", "gitlab", "sarif", "junit"])
def test_no_finding_quotes_a_value_whose_key_is_called_a_secret(repository, form):
    root = repository({RISK: SERVING + f'labels: {{db_password: "{CANARY} {CANARY}"}}\n'})
    done = run("validate", "--format", form, cwd=root)
    assert "SPC015" in done.stdout
    assert CANARY not in done.stdout + done.stderr


@pytest.mark.parametrize(
    "command",
    [f"[run, --token, {CANARY}]", f"\n          - run\n          - --token\n          - {CANARY}"],
    ids=["flow", "block"],
)
def test_a_secret_that_follows_its_option(repository, command):
    container = f"- name: scorer\n          workingDir: x y\n          command: {command}\n"
    text = SCORER.replace("- {name: scorer, workingDir: /work, " + PORTS + "}\n", container, 1)
    assert text != SCORER
    root = repository({IMAGE: text})
    assert "SEC001" in {item.code for item in check(load(root))}
    done = run("validate", cwd=root)
    assert CANARY not in done.stdout
    assert hidden(["run", "--token", CANARY]) == ["run", "--token", HIDDEN]

"""`servingctl export`: what is printed, what is compared, and what is refused."""

import json
import shlex

import pytest

from tests.support.git import commit, git
from tests.support.processes import run
from tests.support.repositories import BROKEN, RISK, SERVING, SMALL

pytestmark = pytest.mark.process

SOUND = SERVING.replace("initiator", "app: other\ninitiator")


@pytest.fixture
def root(repository):
    root = repository({RISK: SOUND})
    git(root, "init", "-q")
    commit(root)
    return root


def command(root, *words, spec="risk", env="dev"):
    return run("export", *spec.split(), "--env", env, "--as", *words, cwd=root)


def edit(root, *, old="{domain_id: alice,", new):
    text = (root / RISK).read_text()
    assert old in text
    (root / RISK).write_text(text.replace(old, new))


def test_only_the_body_is_printed(root):
    done = command(root, "create")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["serving_id"] == "risk"
    assert done.stdout == json.dumps(json.loads(done.stdout), indent=2) + "\n"
    assert command(root, "create").stdout == done.stdout


def test_the_command_is_one_that_a_shell_takes(root):
    edit(root, old="initiator:", new="serving_input_config: {say: it's <b>}\ninitiator:")
    shown = command(root, "create", "--curl").stdout
    words = shlex.split(shown.replace("\\\n", " "))
    assert words[:4] == ["curl", "-X", "POST", "https://<host>:8082/api/v1/serving/create"]
    assert words[words.index("--cacert") + 1] == "<path of ca.crt>"
    assert "Token: $(cat '<path of token>')" in words
    assert words[words.index("--data") + 1] == command(root, "create").stdout.rstrip()


def test_what_is_not_committed_is_what_differs(root):
    edit(root, new="{replicas: 4, domain_id: alice,")
    expected = {"serving_id": "risk", "parties": [{"domain_id": "alice", "replicas": 4}]}
    assert json.loads(command(root, "update").stdout) == expected
    commit(root)
    done = command(root, "update")
    assert json.loads(done.stdout) == {"serving_id": "risk"}
    assert done.stderr == "servingctl: nothing differs that this request could change\n"
    assert json.loads(command(root, "update", "--from", "HEAD~1").stdout) == expected


def test_what_cannot_be_said_is_refused_at_its_line(root):
    edit(root, old="initiator: alice", new="initiator: bob")
    done = command(root, "update")
    assert (done.returncode, done.stdout) == (1, "")
    first, last = done.stderr.splitlines()
    assert first.startswith(f"{RISK}:4:12: error: initiator: it was alice, and the API cannot")
    assert last == "servingctl: the API has no request for this: 1 field above"


def test_errors_are_shown_instead(root):
    (root / RISK).write_text(BROKEN)
    done = command(root, "create")
    assert (done.returncode, done.stdout) == (1, "")
    assert "[KUS101]" in done.stderr
    assert "there is no request for risk until this is mended" in done.stderr


def test_errors_of_the_former_state_are_shown_too(root):
    (root / RISK).write_text(BROKEN)
    commit(root)
    (root / RISK).write_text(SOUND)
    done = command(root, "update")
    assert (done.returncode, done.stdout) == (1, "")
    assert "[KUS101]" in done.stderr


def test_a_spec_that_is_new_is_not_updated(root):
    (root / RISK.replace("risk", "churn")).write_text(SOUND)
    done = command(root, "update", spec="churn")
    assert (done.returncode, done.stdout) == (2, "")
    assert "Serving/churn is not in HEAD (" in done.stderr
    assert "--as create" in done.stderr


@pytest.mark.parametrize(
    ("spec", "words", "said"),
    [
        ("risk", ("creat",), "Serving has no request 'creat'; did you mean 'create'?"),
        ("risk", ("get",), "say create, update, delete, query or batch-query"),
        ("risk", ("create", "--from", "HEAD"), "--as create compares nothing; leave out --from"),
        ("risk", ("create", "--destination", "w"), "Serving/risk does not go to 'w'"),
        ("scorer pair", ("query",), "about one spec; several go with --as batch-query"),
        ("risk scorer", ("batch-query",), "one request is about one kind, not about Serving and"),
        ("risks", ("create",), "there is no spec 'risks'"),
        ("risk", ("update", "--from", "nowhere"), "no Git revision 'nowhere'"),
    ],
)
def test_wrong_usage(root, spec, words, said):
    done = command(root, *words, spec=spec)
    assert done.stdout == ""
    assert done.returncode == (3 if "nowhere" in words else 2)
    assert said in done.stderr


def test_an_environment_that_is_only_inherited(repository):
    extra = {path.replace("/dev/", "/base/"): text for path, text in SMALL.items()}
    bare = "apiVersion: serving.gitops/v1\nkind: Environment\n"
    root = repository({**extra, RISK: SOUND, "environments/base/environment.yaml": bare})
    done = command(root, "create", env="base")
    assert done.returncode == 2
    assert "only inherited from" in done.stderr


def test_several_are_asked_for_at_once(root):
    done = command(root, "batch-query", spec="scorer pair scorer")
    assert json.loads(done.stdout) == {"names": ["scorer", "pair"]}

"""`status` as a command: where live objects come from, what is printed, and how it ends."""

import json
import os
import shutil
import signal
import stat
import subprocess
import sys

import pytest
import yaml
from jsonschema import Draft7Validator

from renderer.schema.bundle import bundled_schema
from tests.support.live import as_list, live_objects
from tests.support.observed import CASES
from tests.support.processes import run
from tests.support.repositories import RISK, SERVING

pytestmark = pytest.mark.process

(TWO,) = (case for case in CASES if case.id == "two-parties")
COMMAND = ("status", "--env", "e")
#: Answers queries from a file by kind and namespace, as kubectl would, or complains.
FAKE = """#!{python}
import json, os, sys, time
words = sys.argv[1:]
options = dict(zip(words[::2], words[1::2]))
context, resource = words[1], words[3]
space = words[words.index("--namespace") + 1] if "--namespace" in words else None
with open({log!r}, "a") as log:
    log.write(json.dumps(words) + "\\n")
{before}
with open({data!r}) as file:
    items = json.load(file)["items"]
kind = resource.partition(".")[0]
found = [i for i in items if i["kind"].lower() == kind
         and space in (None, i["metadata"].get("namespace"))]
print(json.dumps({{"kind": "List", "items": found}}))
"""


@pytest.fixture
def live(tmp_path):
    """Writes objects as kubectl prints them."""

    def write(objects, name="live.json"):
        path = tmp_path / name
        path.write_text(as_list(objects))
        return str(path)

    return write


@pytest.fixture
def kubectl(tmp_path, live):
    """A stand-in for kubectl on a path of its own."""

    def make(before="", objects=None):
        folder = tmp_path / "bin"
        folder.mkdir(exist_ok=True)
        data = live(live_objects(TWO) if objects is None else objects, "cluster.json")
        log = str(tmp_path / "log")
        program = folder / "kubectl"
        text = FAKE.format(python=sys.executable, log=log, before=before, data=data)
        program.write_text(text)
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        return {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}

    return make


def status(*arguments, **environment):
    return run(*COMMAND, *arguments, cwd=TWO.repository, **environment)


def said(complaint):
    """Kubectl that ends like this."""
    return f"sys.stderr.write({complaint!r} + '\\n'); sys.exit(1)"


class TestFiles:
    def test_all_is_well(self, live):
        done = status("--from", live(live_objects(TWO)))
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout == "master: 2 objects ready, as in Git\n2 objects: 2 as in Git\n"

    def test_a_spec_that_is_named_is_shown_in_full(self, live):
        done = status("Serving/two", "--from", live(live_objects(TWO)))
        assert "Serving/two at master: Available, as in Git\n    alice  Available" in done.stdout

    def test_what_failed_comes_first_and_alone_where_that_is_asked_for(self, live):
        objects = [i for i in live_objects(TWO) if i["kind"] != "KusciaDeployment"]
        done = status("--from", live(objects))
        assert done.stdout.startswith("Serving/two at master: not applied\nmaster: 1 object ready")
        failing = status("--failing", "--from", live(objects))
        assert failing.returncode == done.returncode == 1
        assert failing.stdout.splitlines()[1:] == ["1 object: 1 not applied"]

    def test_several_environments(self, live):
        done = status("--env", "e", "--from", live(live_objects(TWO)), "--format", "json")
        assert "environments" not in json.loads(done.stdout)

    def test_yaml(self, tmp_path):
        text = yaml.safe_dump_all(live_objects(TWO))
        (tmp_path / "live.yaml").write_text(text)
        done = status("--from", str(tmp_path / "live.yaml"))
        assert done.returncode == 0, done.stderr

    def test_several_files(self, live):
        objects = live_objects(TWO)
        one, other = live(objects[:3], "one.json"), live(objects[3:], "other.json")
        assert status("--from", one, "--from", other).returncode == 0

    def test_standard_input(self, live):
        command = [sys.executable, "-m", "renderer", *COMMAND, "--from", "-"]
        done = subprocess.run(
            command, cwd=TWO.repository, input=as_list(live_objects(TWO)), text=True,
            capture_output=True, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )  # fmt: skip
        assert done.returncode == 0, done.stderr

    def test_one_destination(self, live):
        path = live(live_objects(TWO))
        assert status("--from", f"master={path}").returncode == 0

    def test_a_name_with_an_equals_sign(self, live):
        assert status("--from", live(live_objects(TWO), "a=b.json")).returncode == 0

    def test_nothing_is_applied(self, live):
        done = status("--from", live([]))
        assert done.returncode == 1
        assert "Serving/two at master: not applied" in done.stdout

    def test_a_spec_of_several(self, live):
        done = status("two", "--from", live(live_objects(TWO)))
        assert "AppImage" not in done.stdout
        assert done.returncode == 0

    def test_what_is_in_no_spec(self, live):
        extra = {
            "apiVersion": "kuscia.secretflow/v1alpha1",
            "kind": "AppImage",
            "metadata": {"name": "old", "labels": {"app.kubernetes.io/managed-by": "servingctl"}},
        }
        done = status("--from", live([*live_objects(TWO), extra]))
        assert "AppImage old at master is in no spec of e" in done.stdout
        assert done.returncode == 0

    def test_json(self, live):
        done = status("--from", live(live_objects(TWO)), "--format", "json")
        document = json.loads(done.stdout)
        Draft7Validator.check_schema(schema := bundled_schema("reports/status.json"))
        Draft7Validator(schema).validate(document)
        serving = document["specs"][1]
        assert (serving["spec"], serving["equals_git"]) == ("Serving/two", True)
        assert serving["response"]["status"]["state"] == "Available"

    def test_a_hand_edit_fails(self, live):
        objects = live_objects(TWO)
        objects[1]["spec"]["parties"][1]["template"]["replicas"] = 9
        done = status("--from", live(objects))
        assert done.returncode == 1
        assert "spec.parties[bob].template.replicas: nothing in Git, 9 live" in done.stdout

    def test_a_spec_that_others_apply(self, repository, live):
        """The initiator's control plane is not ours: the object is none of ours to apply."""
        theirs = SERVING.replace("initiator: alice", "initiator: partner").replace("bob", "partner")
        root = repository({RISK: theirs})
        done = run("status", "risk", "--env", "dev", "--from", live([]), cwd=root)
        assert "note: Serving/risk is applied elsewhere" in done.stdout
        assert done.stdout.endswith("0 objects: nothing to compare\n")
        assert done.returncode == 0

    def test_an_object_on_its_way_out(self, live):
        objects = live_objects(TWO)
        objects[1]["metadata"]["deletionTimestamp"] = "2026-01-18T00:00:00Z"
        assert "Serving/two at master: being deleted" in status("--from", live(objects)).stdout


class TestHostileFiles:
    @pytest.mark.parametrize(
        ("data", "complaint"),
        [
            (b"", "is empty"),
            (b'{"kind": "List", "items": [', "no JSON"),
            (b'{"a": NaN}', "no JSON"),
            (b"[" * 200_000, "no JSON"),
            (b'{"metadata": {"labels": ' + b'{"a": ' * 400 + b"1" + b"}" * 402, "nested"),
            (b"[1, 2]", "something else"),
            (b"\xff{}", "UTF-8"),
            (b'{"a": "\xff"}', "UTF-8"),
            (b"a: &x [*x]\n", ":1:"),
            (b'{"a": "\x1b[31m"}', "no JSON"),
            (b"just words", "something else"),
        ],
        ids=["empty", "truncated", "nan", "brackets", "deep", "numbers", "bytes", "bytes-in-json",
             "anchors", "control", "words"],
    )  # fmt: skip
    def test_a_line_and_no_traceback(self, tmp_path, data, complaint):
        path = tmp_path / "hostile"
        path.write_bytes(data)
        done = status("--from", str(path))
        assert (done.returncode, done.stdout) == (3, "")
        assert complaint in done.stderr
        assert len(done.stderr.splitlines()) == 1

    def test_a_file_that_is_too_large(self, tmp_path):
        path = tmp_path / "large"
        with path.open("wb") as stream:
            stream.truncate((64 << 20) + 1)
        assert "larger than" in status("--from", str(path)).stderr

    def test_characters_that_steer_terminals(self, live):
        objects = live_objects(TWO)
        objects[1]["status"] |= {"phase": "\x1b[31mFailed", "reason": "a\x07", "message": "b\r\n"}
        done = status("--from", live(objects), "--color", "never")
        assert "\x1b" not in done.stdout
        assert "\\u0007" in done.stdout

    def test_secrets_are_hidden(self, live):
        objects = live_objects(TWO)
        secret = "hunter2hunter2"
        objects[1]["status"]["message"] = f"password: {secret}"
        objects[1]["spec"]["inputConfig"] = json.dumps({"password": secret})
        for form in ("text", "json"):
            done = status("--from", live(objects), "--format", form)
            assert secret not in done.stdout
            assert done.returncode == 1


class TestClusters:
    def test_kubectl_lists_what_is_needed(self, kubectl, tmp_path):
        done = status(**kubectl())
        assert (done.returncode, done.stderr) == (0, "")
        asked = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
        assert {words[1] for words in asked} == {"m"}
        assert {words[2] for words in asked} == {"get"}
        kinds = [words[3] for words in asked]
        assert kinds.count("kusciadeployment.v1alpha1.kuscia.secretflow") == 1
        assert kinds.count("deployment.v1.apps") == 2

    @pytest.mark.parametrize(
        ("complaint", "words"),
        [
            ('error: context "m" does not exist', "rename-context OLD m'"),
            ("Error in configuration: context was not found for specified context: m",
             "kubectl has no context 'm'"),
            ('Error from server (Forbidden): x is forbidden: User "u" cannot list resource "x"',
             "you may not list"),
            ("error: You must be logged in to the server (Unauthorized)", "you may not list"),
            ('error: the server doesn\'t have a resource type "x"', "does not know the kind"),
            ("The connection to the server 10.0.0.1:6443 was refused", "does not answer"),
            ("Unable to connect to the server: dial tcp: no such host", "does not answer"),
            ("panic: \x1b[31mred", "\\u001b"),
            ("", "without a word"),
        ],
    )  # fmt: skip
    def test_what_kubectl_cannot_do(self, kubectl, complaint, words):
        done = status(**kubectl(said(complaint)))
        assert (done.returncode, done.stdout) == (3, "")
        assert words in done.stderr
        assert len(done.stderr.splitlines()) == 1

    def test_what_is_derived_may_be_forbidden(self, kubectl):
        refusal = said("Error from server (Forbidden): no")
        done = status(**kubectl(f"if resource.startswith(('deploy', 'config')): {refusal}"))
        assert done.returncode == 0
        assert "Deployment and ConfigMap at master could not be read" in done.stdout

    def test_what_is_printed_is_no_json(self, kubectl):
        done = status(**kubectl("print('{'); sys.exit(0)"))
        assert done.returncode == 3
        assert "what kubectl printed" in done.stderr

    def test_there_is_no_kubectl(self, tmp_path):
        done = status(PATH=str(tmp_path))
        assert done.returncode == 3
        assert "kubectl is not found; install it" in done.stderr

    @pytest.mark.skipif(not shutil.which("kubectl"), reason="kubectl is not installed")
    def test_the_real_one_has_no_such_context(self, tmp_path):
        done = status(KUBECONFIG=str(tmp_path / "none"))
        assert done.returncode == 3
        assert "kubectl has no context 'm'" in done.stderr


class TestUsage:
    def test_an_environment_that_is_not_there(self):
        done = run("status", "--env", "nope", cwd=TWO.repository)
        assert done.returncode == 2

    def test_a_spec_that_is_not_there(self, live):
        assert status("tow", "--from", live([])).returncode == 2

    def test_standard_input_is_read_once(self):
        done = status("--watch", "--from", "-")
        assert done.returncode == 2
        assert "once only" in done.stderr

    def test_specs_with_errors_are_told(self, repository, live):
        root = repository({"environments/dev/servings/risk.yaml": "kind: Serving\nnope: 1\n"})
        done = run("status", "--env", "dev", "--from", live([]), cwd=root)
        assert done.returncode == 1
        assert "nothing can be compared" in done.stderr


class TestWatch:
    @pytest.fixture
    def watching(self, live):
        """The command, started; it is not left running."""
        path = live(live_objects(TWO))
        command = [sys.executable, "-m", "renderer", *COMMAND, "--watch", "--from", path]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        process = subprocess.Popen(
            command, cwd=TWO.repository, env=environment, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        yield process
        process.kill()
        process.communicate()

    def test_a_change_is_shown_and_an_interruption_ends_it(self, watching, live):
        first = [watching.stdout.readline() for _ in range(2)]
        assert "master: 2 objects ready" in "".join(first)
        live(live_objects(TWO, "Progressing", "Progressing"))
        lines = iter(watching.stdout.readline, "")
        assert any("Serving/two at master: Progressing" in line for line in lines)
        watching.send_signal(signal.SIGINT)
        _, errors = watching.communicate(timeout=20)
        assert (watching.returncode, errors) == (130, "servingctl: interrupted\n")

    @pytest.mark.long
    def test_a_failure_may_heal(self, watching, live, tmp_path):
        watching.stdout.readline()
        (tmp_path / "live.json").write_text("{")
        assert "no JSON" in watching.stderr.readline()
        live(live_objects(TWO, "Progressing", "Progressing"))
        lines = iter(watching.stdout.readline, "")
        assert any("Progressing" in line for line in lines)

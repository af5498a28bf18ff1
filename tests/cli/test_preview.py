"""`servingctl preview`: formats, choices, and what it refuses."""

import json
import re
import shutil

import pytest
from jsonschema import Draft7Validator

from renderer import load, render
from renderer.inspect.preview import preview
from renderer.outputs.preview import FORMATS
from renderer.schema.bundle import bundled_schema
from tests.support.git import commit, git
from tests.support.places import ROOT
from tests.support.previews import ALICE, BOB, IMAGE, PORTS, SPEC, files, image, serving
from tests.support.processes import run
from tests.support.repositories import HEADER

pytestmark = pytest.mark.process

CONTROLS = "\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029"
STEERING = {
    "text": f"[{CONTROLS}\u202a-\u202e\u2066-\u2069]",
    "json": f"[{CONTROLS}\u202a-\u202e\u2066-\u2069]",
    "yaml": f"[{CONTROLS}]",  # is the data itself, as rendered files are
}


def command(root, *words, env="dev", spec="risk"):
    return run("preview", spec, "--env", env, *words, cwd=root)


@pytest.fixture
def root(repository):
    return repository(**files(image(), serving(), ALICE + BOB))


def units(root, *words):
    done = command(root, "--format", "json", *words)
    assert done.returncode == 0, done.stderr
    return [(unit["destination"], unit["unit"]) for unit in json.loads(done.stdout)["units"]]


def test_destinations_and_units_are_chosen(root):
    assert units(root) == [("a", "alice"), ("b", "bob")]
    assert units(root, "--destination", "b") == [("b", "bob")]
    assert units(root, "--unit", "alice") == [("a", "alice")]


def test_a_domain_stands_for_all_its_roles(repository):
    parties = [f"{{domain_id: {name}}}" for name in ("alice, role: host", "alice, role: guest")]
    root = repository(**files(image(), serving(parties=[*parties, "{domain_id: bob}"])))
    assert units(root, "--unit", "alice") == [("east", "alice/host"), ("east", "alice/guest")]
    assert units(root, "--unit", "alice/guest") == [("east", "alice/guest")]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--unit", "allice"], "at the unit 'allice'; did you mean 'alice'?"),
        (["--destination", "zzz"], "at the destination 'zzz'; use a or b"),
        (["--config-key", "X"], "--config-key wants NAME=VALUE"),
        (["--config-key", "X=1"], "no config file asks for the key 'X'; they ask for none"),
    ],
)
def test_wrong_usage(root, words, said):
    done = command(root, *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_an_image_is_no_serving(root):
    done = command(root, spec="AppImage/scorer")
    assert done.returncode == 2
    assert "preview Serving/risk, which uses it" in done.stderr


def test_a_base_runs_nothing():
    done = command(ROOT, spec="credit-risk", env="base")
    assert (done.returncode, done.stderr) == (
        2, "servingctl: the environment 'base' is only inherited from; it has no destinations\n"
    )  # fmt: skip


class TestErrors:
    OTHER = "environments/dev/servings/other.yaml"
    BROKEN = serving().replace("initiator: alice", "initiator: carol")

    def test_errors_of_the_spec_are_shown_instead(self, repository):
        done = command(repository(**files(image(), self.BROKEN)))
        assert done.returncode == 1
        assert f"{SPEC}:4:12: error:" in done.stdout
        assert "no preview of 'risk' until this is mended" in done.stderr

    def test_errors_of_its_image_too(self, repository):
        text = image("configVolumeMounts: [{mountPath: /a, subPath: none}]\n" + PORTS)
        done = command(repository(**files(text, serving())))
        assert done.returncode == 1
        assert IMAGE in done.stdout

    @pytest.mark.parametrize("text", [BROKEN, "a: [", HEADER.format("Serving")])
    def test_errors_of_others_do_not_hinder(self, repository, text):
        root = repository(**{**files(image(), serving()), self.OTHER: text})
        assert run("validate", cwd=root).returncode == 1
        assert command(root).returncode == 0

    def test_an_environment_that_cannot_be_composed(self, repository):
        made = files(image(), serving(), settings="extends: nowhere\n")
        done = command(repository(**made))
        assert done.returncode == 1
        assert "nowhere" in done.stdout


def test_json_has_its_schema():
    Draft7Validator.check_schema(schema := bundled_schema("reports/preview.json"))
    for environment in ("dev", "prod"):
        done = command(ROOT, "--format", "json", spec="credit-risk", env=environment)
        document = json.loads(done.stdout)
        Draft7Validator(schema).validate(document)
        assert document["version"] == 1
        assert len(document["units"]) == 2
        assert "7100000" not in done.stdout


@pytest.mark.parametrize("form", ["text", "yaml", "json"])
def test_formats_show_markers_and_no_stand_ins(form):
    done = command(ROOT, "--format", form, spec="credit-risk", env="prod")
    assert "<port:communication>" in done.stdout
    assert "7100000" not in done.stdout
    assert done.stdout == command(ROOT, "--format", form, spec="credit-risk", env="prod").stdout


HOSTILE = "a\\x1b[31m\\u202e\\u2028b"


@pytest.mark.parametrize("form", ["text", "yaml", "json"])
def test_nothing_steers_a_terminal(repository, form):
    container = f'env: [{{name: X, value: "{HOSTILE}"}}]\n' + PORTS
    mount = "configVolumeMounts: [{mountPath: /c, subPath: app.conf}]\n"
    text = image(
        mount + container, more=f'configTemplates: {{app.conf: "{HOSTILE} {{{{{{.X}}}}}}"}}'
    )
    done = command(repository(**files(text, serving())), "--format", form)
    assert done.returncode == 0, done.stdout + done.stderr
    assert not re.search(STEERING[form], done.stdout)
    assert "2028" in done.stdout


def test_secrets_are_hidden_in_every_format(repository):
    """Whatever rules are silenced: by the name of a key, of a variable, and by shape."""
    container = (
        "env: [{name: DB_PASSWORD, value: hunter2}, {name: X, value: AKIAIOSFODNN7EXAMPLE}]\n"
    )
    mount = "configVolumeMounts: [{mountPath: /c, subPath: app.conf}]\n"
    template = (
        'configTemplates: {app.conf: "{\\"a\\": 1,\\n\\"password\\": \\"hunter2\\",\\n\\"b\\": 2}"}'
    )
    root = repository(**files(image(mount + container + PORTS, more=template), serving()))
    project = load(root)
    (environment,) = project.environments
    spec = next(item for item in environment.specs if item.stem == "risk")
    made = preview(project, render(project), environment, spec, {"config-key": ()})
    assert made.units[0].objects
    for form in ("text", "yaml", "json"):
        text = FORMATS[form](made)
        assert "hunter2" not in text
        assert "AKIA" not in text


def test_colours_and_widths(root):
    bare = command(root).stdout
    painted = run("--color", "always", "preview", "risk", "--env", "dev", cwd=root).stdout
    assert "\x1b[" in painted
    assert re.sub("\x1b\\[[0-9;]*m", "", painted) == bare
    assert all(len(line) <= 100 for line in bare.splitlines())


def test_help_names_the_options_of_platforms(root):
    done = run("preview", "--help", cwd=root)
    assert "--config-key NAME=VALUE" in done.stdout
    assert "Examples:" in done.stdout


@pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")
class TestSince:
    @pytest.fixture
    def committed(self, root):
        git(root, "init", "--quiet", "--initial-branch=main")
        commit(root)
        return root

    def test_nothing_changed(self, committed):
        done = command(committed, "--diff", "HEAD")
        assert (done.returncode, done.stdout) == (0, "nothing that is derived would change\n")

    def test_only_what_changed_is_shown(self, committed):
        spec = committed / SPEC
        spec.write_text(spec.read_text().replace("domain_id: bob", "domain_id: bob, replicas: 7"))
        lines = command(committed, "--diff", "HEAD").stdout.splitlines()
        assert [line for line in lines if line.startswith(("+", "-"))] == [
            "-  replicas: 3",
            "+  replicas: 7",
        ]
        assert "bob at b: Deployment risk" in lines
        found = json.loads(command(committed, "--diff", "HEAD", "--format", "json").stdout)
        Draft7Validator.check_schema(schema := bundled_schema("reports/preview-changes.json"))
        Draft7Validator(schema).validate(found)
        assert [(i["unit"], i["name"]) for i in found["changes"]] == [("bob", "Deployment risk")]

    def test_a_spec_that_was_not_there_is_all_new(self, committed):
        (committed / SPEC).rename(committed / SPEC.replace("risk", "fraud"))
        done = command(committed, "--diff", "HEAD", spec="fraud")
        assert "+kind: Deployment" in done.stdout
        assert not re.findall("(?m)^-", done.stdout)

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (["--diff", "nope"], "nope"),
            (["--diff", "HEAD", "--format", "yaml"], "--diff is shown as text or json"),
        ],
    )
    def test_refused(self, committed, words, said):
        done = command(committed, *words)
        assert done.returncode in (2, 3)
        assert said in done.stderr

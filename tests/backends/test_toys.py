"""Two toy backends through every command: alone, side by side, and beside Kuscia."""

import json
import re
import subprocess
import sys
from html import unescape

import pytest

from renderer.cli.app import COMMANDS
from tests.support import forking
from tests.support.git import commit, git
from tests.support.places import ROOT
from tests.support.repositories import HEADER, PAIR, SCORER, SERVING
from tests.support.samples import sample

pytestmark = [pytest.mark.process]

ALONE, PAIRED, MIXED = "predictors", "predictors+batches", "kuscia+predictors+batches"
EVERY_WAY = (ALONE, PAIRED, MIXED)
#: What only Kuscia has, and what the program calls itself.
VOCABULARY = re.compile(
    r"kuscia|secretflow|app_?image|initiator|domain_id|federated|control.plane|partner"
    r"|configtemplate|config.key|configuration.manager|\bKUS[0-9]"
    r"|\bdomains?\b|\bpart(?:y|ies)\b|\bservings?\b",
    re.IGNORECASE,
)
OWN_NAMES = re.compile(r"servingctl|serving\.gitops|serving specs|Serving changes")

EAST = """\
  - name: east
    platform: kubernetes
    namespace: models
    cluster: base-east
    pools: [{name: gpu, nodes: 2, zone: a}, {name: cpu, nodes: 4}]
"""
DEV = "  - {name: east, cluster: dev-east, pools: [{name: gpu, nodes: 1}]}\n"
HEAD = HEADER.format("Environment")
PREDICTOR = (
    HEADER.format("Predictor")
    + """\
checkpoint: mnist
components:
  - {name: main, image: "example/main:1"}
  - {name: side, image: "example/side:1", replicas: 2}
"""
)
TOY = {
    "servingctl.yaml": "rules: {TOY103: error}\n",
    "environments/base/environment.yaml": f"{HEAD}destinations:\n{EAST}",
    "environments/base/digits.yaml": PREDICTOR,
    "environments/base/mnist.yaml": HEADER.format("Checkpoint") + "uri: s3://models/mnist\n",
    "environments/dev/environment.yaml": f"{HEAD}extends: base\ndestinations:\n{DEV}"
    "predictors: {naming: hashed}\ndefaults:\n  Predictor: {components: {replicas: 3}}\n",
}
BATCH = {
    "environments/dev/nightly.yaml": HEADER.format("Batch")
    + "destination: east\ncommand: [run, all]\n",
    "environments/dev/environment.yaml": TOY["environments/dev/environment.yaml"].replace(
        "pools:", "queues: [{id: night, limit: 2}], pools:"
    ),
}
PLANE = "  - {name: plane, platform: kuscia, domains: [alice, bob]}\n"
OF_KUSCIA = {
    "environments/dev/environment.yaml": BATCH["environments/dev/environment.yaml"].replace(
        "destinations:\n", f"destinations:\n{PLANE}"
    ),
    "environments/dev/appimages/scorer.yaml": SCORER,
    "environments/dev/appimages/pair.yaml": PAIR,
    "environments/dev/servings/risk.yaml": SERVING,
}
FILES = {ALONE: TOY, PAIRED: {**TOY, **BATCH}, MIXED: {**TOY, **BATCH, **OF_KUSCIA}}
RENDERED = {
    ALONE: {"base/east/predictors/digits.yaml", "dev/east/predictors/digits.yaml"},
    PAIRED: {"dev/east/predictors/digits.yaml", "dev/east/batches/nightly.yaml"},
    MIXED: {"dev/east/batches/nightly.yaml", "dev/plane/kusciadeployments/risk.yaml"},
}
FORMATS = ("text", "json", "github", "gitlab", "sarif", "junit")


class Stage:
    """A repository, and the command line with some backends in it."""

    def __init__(self, root, names):
        self.root, self.names = root, names
        self.latest = ""
        self.write(FILES[names])

    def write(self, files):
        for path, text in files.items():
            target = self.root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)

    def run(self, *arguments, expect=0):
        done = forking.run(arguments, self.root, {}, (self.names,))
        self.latest = done.out + done.err
        self.assert_neutral(arguments, self.latest)
        assert done.code == expect, (arguments, done)
        return self.latest if expect else done.out

    def assert_neutral(self, what, text):
        """No word of another platform, unless that is there as well."""
        found = None if self.names == MIXED else VOCABULARY.search(OWN_NAMES.sub("", text))
        around = text[max(0, found.start() - 80) : found.end() + 80] if found else ""
        assert not found, (what, found[0], around)

    def tree(self, folder):
        found = (self.root / folder).rglob("*.yaml")
        return {str(p.relative_to(self.root / folder)): p.read_text() for p in found}


@pytest.fixture(scope="module", params=EVERY_WAY)
def stage(request, tmp_path_factory):
    made = Stage(tmp_path_factory.mktemp("stage"), request.param)
    git(made.root, "init", "-q")
    commit(made.root)
    return made


@pytest.fixture
def fresh(tmp_path):
    def make(names, **changes):
        made = Stage(tmp_path, names)
        made.write(changes)
        return made

    return make


def test_the_command_line_that_is_documented(fresh):
    command = [sys.executable, "-m", "tests.toys", PAIRED, "--root", fresh(PAIRED).root]
    done = subprocess.run([*command, "validate"], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "")
    assert "2 environments, 5 specs: no findings" in done.stderr


@pytest.mark.parametrize("form", sample(FORMATS, "text"))
def test_nothing_is_found(stage, form):
    for cache in ((), (), ("--no-cache",)):
        stage.run("validate", "--strict", "--format", form, *cache)


def test_what_is_wrong_is_found_in_every_format(fresh):
    stage = fresh(PAIRED)
    wrong = PREDICTOR.replace("replicas: 2", "replicas: 0").replace(
        'main:1"', 'main:1", replicas: 0'
    )
    exclusive = TOY["environments/base/mnist.yaml"] + "exclusive: true\n"
    second = PREDICTOR.replace("checkpoint: mnist", "checkpoint: mnist\nname: second")
    lent = TOY["environments/base/environment.yaml"].replace("base-east", "dev-east")
    stage.write(
        {
            "environments/base/digits.yaml": wrong,
            "environments/base/mnist.yaml": exclusive,
            "environments/base/second.yaml": second,
            "environments/base/lost.yaml": PREDICTOR.replace("mnist", "minst"),
            "environments/base/environment.yaml": lent,
        }
    )
    for form in FORMATS:
        for cache in ((), (), ("--no-cache",)):
            found = stage.run("validate", "--format", form, *cache, expect=1)
            assert {"TOY101", "TOY102", "TOY104"} <= set(re.findall("TOY[0-9]{3}", found)), form
    assert "environments/base/digits.yaml:5:3: error: no component runs [TOY101]" in stage.run(
        "validate", expect=1
    )


def test_a_prerequisite_is_judged_by_its_users(fresh):
    exclusive = TOY["environments/base/mnist.yaml"] + "exclusive: true\n"
    stage = fresh(ALONE, **{"environments/base/mnist.yaml": exclusive})
    stage.run("validate")
    stage.write({"environments/base/second.yaml": PREDICTOR})
    for cache in ((), (), ("--no-cache",)):
        found = stage.run("validate", *cache, expect=1)
        message = "it is loaded by Predictor/digits, Predictor/second [TOY103]"
        assert f"environments/base/mnist.yaml:4:12: error: {message}" in found


def test_render(stage):
    whole = stage.run("render", "--verbose")
    assert whole == ""
    assert RENDERED[stage.names] <= stage.tree("rendered").keys()
    stage.run("render", "--check")
    stage.run("render", "--check", "--no-cache", "--jobs", "2")
    stage.run("render", "--no-cache", "--output", "again")
    assert stage.tree("again") == stage.tree("rendered")
    shown = stage.run("render", "--stdout", "--env", "base")
    assert "# base/east/checkpoints/mnist.yaml\n" in shown
    for shard in ("1/2", "2/2"):
        stage.run("render", "--output", "shards", "--shard", shard)
    assert stage.tree("shards") == stage.tree("rendered")
    (stage.root / "rendered/base/east/predictors/digits.yaml").unlink()
    missing = stage.run("render", "--check", expect=1)
    assert "missing: base/east/predictors/digits.yaml" in missing
    stage.run("render")


def test_the_objects(fresh):
    stage = fresh(ALONE)
    stage.run("render")
    rendered = stage.tree("rendered")
    assert "sync-wave" in rendered["base/east/checkpoints/mnist.yaml"]
    assert "sync-wave" not in rendered["base/east/predictors/digits.yaml"]
    hashed = [
        path for path in rendered if re.match(r"dev/east/checkpoints/mnist-\w{10}\.yaml", path)
    ]
    assert len(hashed) == 1
    name = hashed[0].rpartition("/")[2].removesuffix(".yaml")
    assert f"  checkpoint: {name}\n" in rendered["dev/east/predictors/digits.yaml"]
    assert "    replicas: 3\n" in rendered["dev/east/predictors/digits.yaml"]
    assert "  namespace: models\n" in rendered["dev/east/predictors/digits.yaml"]


@pytest.mark.parametrize("names", EVERY_WAY)
def test_lists_of_destinations_merge_by_their_keys(fresh, names):
    """Also those of the second platform, and of the second backend of it."""
    stage = fresh(names)
    stage.run("render", "--verbose")
    said = stage.latest
    pools = [line.strip() for line in said.split("dev: ")[1].splitlines() if "nodes of" in line]
    assert pools == ["needs 1 nodes of gpu", "needs 4 nodes of cpu"]


def test_what_is_there_and_where_it_goes(fresh):
    stage = fresh(PAIRED)
    rows = [re.split(" {2,}", line) for line in stage.run("list").splitlines()]
    assert ["dev", "Predictor", "digits", "east", "main, side", "base/digits.yaml"] in rows
    assert ["dev", "Checkpoint", "mnist", "east", "-", "base/mnist.yaml"] in rows
    assert ["dev", "Batch", "nightly", "east", "-", "dev/nightly.yaml"] in rows


def test_a_kind_without_a_skeleton(fresh):
    stage = fresh(PAIRED)
    assert stage.run("add", "batch", "daily", "--env", "dev").strip() == (
        "environments/dev/batches/daily.yaml"
    )
    text = (stage.root / "environments/dev/batches/daily.yaml").read_text()
    assert text == f"# `servingctl schema Batch` describes the fields.\n{HEADER.format('Batch')}"


def test_a_repository_without_an_example(fresh):
    stage = fresh(PAIRED)
    stage.run("init", "new")
    assert (stage.root / "new/environments/prod/environment.yaml").is_file()
    assert "destinations:" not in (stage.root / "new/environments/dev/environment.yaml").read_text()


def test_diff(stage):
    edited = PREDICTOR.replace("main:1", "main:2")
    stage.write({"environments/base/digits.yaml": edited})
    texts = {form: stage.run("diff", "--format", form) for form in ("text", "markdown", "html")}
    for text in map(unescape, texts.values()):
        assert "example/main:2" in text
        assert "rolling" in text
    report = json.loads(stage.run("diff", "--format", "json"))
    reached = {
        (item["environment"], change["path"], impact["class"], impact["unit"])
        for item in report["objects"]
        for change in item["changes"]
        for impact in change["impacts"]
    }
    assert reached == {
        (name, "spec.components[main].image", "rolling", "main") for name in ("base", "dev")
    }
    stage.run("diff", "--exit-code", expect=1)
    stage.write({"environments/base/digits.yaml": PREDICTOR})
    assert stage.run("diff", "--exit-code") == ""


def test_impacts_settle_once_all_are_known(fresh):
    stage = fresh(ALONE)
    git(stage.root, "init", "-q")
    commit(stage.root)
    other = TOY["environments/base/mnist.yaml"].replace("mnist", "other")
    stage.write(
        {
            "environments/base/other.yaml": other,
            "environments/base/digits.yaml": PREDICTOR.replace(": mnist", ": other").replace(
                "replicas: 2", "replicas: 5"
            ),
        }
    )
    stage.run("diff", "--format", "json", "--env", "base", expect=1)
    report, _ = json.JSONDecoder().raw_decode(stage.latest)
    classes = {
        (change["path"], impact["unit"], impact["class"])
        for item in report["objects"]
        for change in item["changes"]
        for impact in change["impacts"]
    }
    assert ("spec.components[side].replicas", "side", "deferred") in classes
    assert ("spec.checkpoint", "main", "breaks") in classes


def test_diff_from_rendered_output(fresh):
    stage = fresh(PAIRED)
    stage.run("render")
    stage.write({"environments/base/digits.yaml": PREDICTOR.replace("replicas: 2", "replicas: 4")})
    text = stage.run("diff", "--from", "rendered")
    assert "spec.components[side].replicas: 2 → 4" in text


def test_preview(stage):
    text = stage.run("preview", "digits", "--env", "dev", "--pool", "gpu")
    assert "Pod digits-main" in text
    assert "s3://models/mnist" in text
    part = stage.run("preview", "digits", "--env", "dev", "--unit", "side", "--format", "yaml")
    assert "digits-side" in part
    assert "digits-main" not in part
    refused = stage.run("preview", "mnist", "--env", "dev", expect=2)
    assert "preview Predictor/digits, which uses it" in refused
    stage.write({"environments/base/digits.yaml": PREDICTOR.replace("name: side", "name: aside")})
    changed = stage.run("preview", "digits", "--env", "dev", "--diff", "HEAD")
    assert "Pod digits-aside" in changed
    stage.write({"environments/base/digits.yaml": PREDICTOR})


def test_an_option_of_another_platform_is_refused(fresh):
    stage = fresh(MIXED)
    said = stage.run("preview", "digits", "--env", "dev", "--config-key", "A=b", expect=2)
    assert "--config-key means nothing for Predictor/digits, which is one of predictors" in said
    stage.run("preview", "risk", "--env", "dev")
    stage.run("preview", "risk", "--env", "dev", "--pool", "gpu", expect=2)


def test_export(stage):
    assert json.loads(stage.run("export", "digits", "--env", "dev", "--as", "put")) == {
        "components": ["main", "side"]
    }
    shown = stage.run("export", "digits", "--env", "dev", "--as", "show", "--curl")
    assert shown == "curl -X GET 'https://<host>/predictors/digits' \\\n  --cacert '<file>'\n"
    assert "put, show for Predictor" in " ".join(stage.run("export", "--help").split())
    refused = stage.run("export", "mnist", "--env", "dev", "--as", "put", expect=2)
    assert "Checkpoint/mnist has no API to export to" in refused
    stage.write({"environments/base/digits.yaml": PREDICTOR.replace("name: side", "name: aside")})
    refused = stage.run("export", "digits", "--env", "dev", "--as", "put", expect=1)
    assert "error: components[side]: it must stay" in refused
    stage.write({"environments/base/digits.yaml": PREDICTOR})


def test_status(fresh):
    """What is rendered is what would be live; a component is up if there is its pod."""
    stage = fresh(ALONE)
    stage.run("render")
    files = [f"rendered/base/east/{path}" for path in stage.tree("rendered/base/east")]
    objects = [word for path in files if "kustom" not in path for word in ("--from", path)]
    pod = {"kind": "Pod", "metadata": {"name": "digits-main", "namespace": "models"}}
    stage.write({"pod.json": json.dumps(pod)})
    shown = stage.run("status", "--env", "base", *objects, "--from", "pod.json")
    assert "Predictor/digits at east: Known, as in Git" in shown
    assert re.search(r"main +Up\n +side +Down", shown)
    assert "east: 1 object ready, as in Git" in shown
    missing = stage.run("status", "--env", "dev", "--from", "pod.json", expect=1)
    assert "not applied" in missing


def test_trace(stage):
    composed = stage.run("trace", "digits", "components[main].replicas", "--env", "dev")
    assert composed.startswith("components[main].replicas = 3\n")
    assert "→ environments/dev/environment.yaml:" in composed
    made = stage.run("trace", "digits", "spec.components[side].replicas", "--env", "dev")
    assert "→ environments/base/digits.yaml:6:53" in made
    constant = stage.run("trace", "digits", "metadata.labels", "--env", "dev", "--format", "json")
    assert json.loads(constant)
    wrong = stage.run("trace", "digits", "componets[main]", "--env", "dev", expect=2)
    assert "did you mean 'components'?" in wrong
    stage.run("trace", "digits", "a..b", "--env", "dev", expect=2)


def test_graph(stage):
    for spec in ((), ("digits",)):
        text = stage.run("graph", *spec, "--env", "dev")
        assert "digits" in text
        assert "└─ side" in text
        assert "├─ Checkpoint mnist" in text, "what a unit needs is drawn by its derivation alone"
        assert "flowchart" in stage.run("graph", *spec, "--env", "dev", "--format", "mermaid")
        assert "<svg" in stage.run("graph", *spec, "--env", "dev", "--format", "svg")
    assert "runs nothing by itself" in stage.run("graph", "mnist", "--env", "dev", expect=2)


def test_schema(stage):
    predictor = json.loads(stage.run("schema", "predictor"))
    assert "checkpoint" in predictor["properties"]
    environment = json.loads(stage.run("schema", "Environment"))
    assert {"predictors", "defaults"} <= environment["properties"].keys()
    codes = environment["properties"]["rules"]["propertyNames"]["pattern"]
    assert re.search(codes, "TOY101")
    stage.run("schema", "--all", "schemas-of-all")
    names = {path.name for path in (stage.root / "schemas-of-all").iterdir()}
    assert {"environment.schema.json", "predictor.schema.json"} <= names
    if stage.names != MIXED:
        for name in names:
            stage.assert_neutral(name, (stage.root / "schemas-of-all" / name).read_text())
    assert "did you mean 'Predictor'?" in stage.run("schema", "Predictr", expect=2)


def test_explain_and_rules(stage):
    assert "A predictor has a component that runs." in stage.run("explain", "TOY101")
    listed = stage.run("rules")
    codes = re.findall(r"^[A-Z]{3}[0-9]{3}", listed, re.MULTILINE)
    assert "TOY104" in codes
    assert ("KUS103" in codes) is (stage.names == MIXED)
    for form in ("json", "markdown"):
        assert "TOY104" in stage.run("rules", "--format", form)
    families = {code[:3]: code for code in reversed(codes)}
    for family in families.keys() - {"KUS", "POL"} if stage.names == ALONE else ():
        stage.run("explain", families[family])


def test_help(stage):
    for command in ("", *COMMANDS):
        stage.run(*filter(None, (command, "--help")))


WEST = f"{EAST}  - {{name: west, platform: kubernetes}}\n"


@pytest.mark.parametrize(
    ("destinations", "keys", "place", "message", "fix"),
    [
        (
            WEST,
            "",
            "1:1",
            "it is not clear which of east and west this goes to",
            "name one: destination: east",
        ),
        (
            PLANE,
            "",
            "1:1",
            "the environment has no destination of kubernetes",
            "environments/base/environment.yaml: {name: …, platform: kubernetes}",
        ),
        (
            WEST,
            "destination: wets\n",
            "7:14",
            "there is no destination 'wets' of kubernetes",
            "did you mean 'west'?",
        ),
        (
            EAST + PLANE,
            "destination: plane\n",
            "7:14",
            "no destination 'plane' of kubernetes",
            "east",
        ),
    ],
    ids=["not clear", "none", "unknown", "of another platform"],
)
def test_a_spec_without_a_destination(fresh, destinations, keys, place, message, fix):
    stage = fresh(
        MIXED,
        **{
            "environments/base/environment.yaml": f"{HEAD}destinations:\n{destinations}",
            "environments/base/digits.yaml": PREDICTOR + keys,
        },
    )
    found = stage.run("validate", "--env", "base", expect=1)
    assert f"environments/base/digits.yaml:{place}: error: " in found
    assert f"{message} [ENV007]" in found
    assert fix in " ".join(found.split())


@pytest.mark.parametrize("names", [ALONE, MIXED])
def test_a_named_destination_and_the_only_one(fresh, names):
    stage = fresh(names, **{"environments/base/environment.yaml": f"{HEAD}destinations:\n{WEST}"})
    stage.write({"environments/base/digits.yaml": f"{PREDICTOR}destination: west\n"})
    stage.run("render", "--env", "base")
    assert {"base/west/predictors/digits.yaml", "base/west/checkpoints/mnist.yaml"} <= stage.tree(
        "rendered"
    ).keys()


KNOWN = "kuscia and kubernetes"


@pytest.mark.parametrize(
    ("item", "column", "message", "fix"),
    [
        ("naemspace: x", 37, 'unknown key "naemspace"', "did you mean 'namespace'?"),
        ("platform: kubernetes, domains: [a]", 59, 'unknown key "domains"', "queues, server"),
        ("platform: kubernets", 47, f'is "kubernets", not one of {KNOWN}', "'kubernetes'?"),
        ("platform: nomad", 47, f'is "nomad", not one of {KNOWN}', "write kuscia or kubernetes"),
        ("queues: [{id: 1}]", 51, "queues[0].id is written 1", 'quote it: "1"'),
        ("queues: [{id: a, limt: 1}]", 54, 'unknown key "limt"', "did you mean 'limit'?"),
    ],
    ids=lambda value: value if isinstance(value, str) and ":" in value else "",
)
def test_a_wrong_destination_among_platforms(fresh, item, column, message, fix):
    text = f"{HEAD}extends: base\ndestinations:\n  - {{name: east, cluster: dev-east, {item}}}\n"
    stage = fresh(MIXED, **{"environments/dev/environment.yaml": text})
    found = stage.run("validate", "--env", "dev", expect=1)
    mine = [part for part in found.split("\n\n") if f":5:{column}: error: " in part]
    assert len(mine) == 1, found
    assert message in mine[0]
    assert fix in mine[0]


def test_a_new_destination_names_its_platform(fresh):
    text = (
        f"{HEAD}extends: base\ndestinations:\n  - {{name: north}}\n  - {{name: east, cluster: e}}\n"
    )
    stage = fresh(MIXED, **{"environments/dev/environment.yaml": text})
    found = stage.run("validate", "--env", "dev", expect=1)
    assert "5:5: error: 'platform' is missing in destinations[1] [SPC011]" in found
    assert "fix: add platform: kuscia or kubernetes" in found


def test_a_destination_can_be_taken_away_and_spoken_to(fresh):
    text = f"{HEAD}extends: base\ndestinations:\n  - {{name: east, $remove: true}}\n{PLANE}"
    others = f"{HEAD}extends: base\ndestinations: {{cluster: there, namespace: theirs}}\n"
    stage = fresh(
        MIXED,
        **{
            "environments/dev/environment.yaml": text,
            "environments/dev/digits.yaml": HEADER.format("Predictor") + "disabled: true\n",
            "environments/dev/mnist.yaml": HEADER.format("Checkpoint") + "disabled: true\n",
            "environments/dev/nightly.yaml": HEADER.format("Batch") + "command: []\n",
            "environments/test/environment.yaml": others,
        },
    )
    (stage.root / "environments/dev/nightly.yaml").unlink()
    shown = stage.run("render", "--stdout", "--env", "dev", "--env", "test")
    assert "# dev/plane/kusciadeployments/risk.yaml" in shown
    assert "# dev/east/" not in shown
    assert "  namespace: theirs\n" in shown

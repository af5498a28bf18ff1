"""`servingctl import`: what it takes, what it writes, what it says, and what it refuses."""

import json
import os
import subprocess
import sys

import pytest
import yaml

from tests.support.processes import run, snapshot
from tests.support.repositories import ENVIRONMENT, HEADER

pytestmark = pytest.mark.process

CONFIG = '{"partyConfigs":{"alice":{}}}'
IMAGE = """\
apiVersion: kuscia.secretflow/v1alpha1
kind: AppImage
metadata: {name: scorer}
spec:
  image: {name: example/scorer, tag: v1}
  configTemplates:
    app.conf: |
      id={{.SERVING_ID}}
      a=1
      b=2
      c=3
  deployTemplates:
  - name: main
    replicas: 2
    spec:
      containers:
      - name: scorer
        workingDir: /work
        ports: [{name: service, protocol: HTTP, scope: Domain}]
"""
DEPLOYMENT = """\
apiVersion: kuscia.secretflow/v1alpha1
kind: KusciaDeployment
metadata:
  name: risk
  namespace: cross-domain
  uid: 7d1b
  labels: {kuscia.secretflow/app-type: serving, team: risk}
  annotations:
    kuscia.secretflow/allocated-ports: '[]'
spec:
  initiator: alice
  inputConfig: '{"partyConfigs":{"alice":{}}}'
  parties:
  - {domainID: alice, appImageRef: scorer, template: {spec: {}}}
  # The insurer.
  - {domainID: bob, appImageRef: scorer, template: {replicas: 3, spec: {}}}
status: {phase: Available, totalParties: 2, availableParties: 2}
"""
SPEC = """\
apiVersion: serving.gitops/v1
kind: Serving
initiator: alice
app_image: scorer
serving_input_config:
  partyConfigs:
    alice: {}
parties:
  - domain_id: alice
  # The insurer.
  - domain_id: bob
    replicas: 3
labels:
  team: risk
"""
RISK = "environments/dev/servings/risk.yaml"
SCORER = "environments/dev/appimages/scorer.yaml"
REQUEST = {
    "serving_id": "risk",
    "initiator": "alice",
    "serving_input_config": CONFIG,
    "parties": [
        {"domain_id": "alice", "app_image": "scorer", "role": ""},
        {"domain_id": "bob", "app_image": "scorer", "replicas": 3},
    ],
}
CURL = """\
export CTR_CERTS_ROOT=/home/kuscia/var/certs
curl -k -X POST 'https://localhost:8082/api/v1/serving/create' \\
 --header "Token: $(cat ${CTR_CERTS_ROOT}/token)" \\
 -d '%s'
"""


@pytest.fixture
def root(tmp_path):
    """A repository with an environment, without specs."""
    for name, text in {
        "servingctl.yaml": "",
        "environments/dev/environment.yaml": ENVIRONMENT,
        "foreign/image.yaml": IMAGE,
        "foreign/deployment.yaml": DEPLOYMENT,
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def take(root, *words, env="dev"):
    return run("import", *words, "--env", env, cwd=root)


def specs(root):
    return {
        path.relative_to(root).as_posix(): path.read_text()
        for folder in ("environments", "templates")
        for path in sorted((root / folder).rglob("*"))
        if path.is_file() and path.name != "environment.yaml"
    }


class TestWhatIsWritten:
    def test_a_folder_of_objects(self, root):
        done = take(root, "foreign")
        assert (done.returncode, done.stderr) == (0, "")
        assert specs(root)[RISK] == SPEC
        assert yaml.safe_load(specs(root)[SCORER])["configTemplates"] == {
            "app.conf": {"file": "scorer/app.conf"}
        }
        text = specs(root)["templates/kuscia/config/scorer/app.conf"]
        assert text == "id={{.SERVING_ID}}\na=1\nb=2\nc=3\n"
        assert run("validate", cwd=root).returncode == 0

    def test_what_it_says(self, root):
        lines = take(root, "foreign").stdout.splitlines()
        assert f"{RISK}: written" in lines
        assert "  left out: status, metadata.uid (the API server writes it)" in lines
        state = 'metadata.annotations["kuscia.secretflow/allocated-ports"]'
        assert f"  left out: {state} (Kuscia keeps its own state there)" in lines
        assert lines[-4:] == [
            "read                became",
            "1 AppImage          1 AppImage",
            "1 KusciaDeployment  1 Serving",
            "3 files written, 0 unchanged",
        ]
        assert take(root, "foreign", "-q").stdout == ""

    @pytest.mark.parametrize("form", ["json", "yaml", "typed"])
    def test_a_list(self, root, form):
        items = [yaml.safe_load(IMAGE), yaml.safe_load(DEPLOYMENT)]
        listing = {"apiVersion": "v1", "kind": "List", "items": items}
        text = json.dumps(listing) if form == "json" else yaml.safe_dump(listing)
        if form == "typed":
            bare = [{k: v for k, v in items[1].items() if k not in ("apiVersion", "kind")}]
            kind = {"apiVersion": items[1]["apiVersion"], "kind": "KusciaDeploymentList"}
            text = "---\n".join(yaml.safe_dump(one) for one in (items[0], {**kind, "items": bare}))
        (root / "all.txt").write_text(text)
        assert take(root, "all.txt").returncode == 0
        assert specs(root)[RISK] == SPEC.replace("  # The insurer.\n", "")

    def test_standard_input(self, root):
        done = subprocess.run(
            [sys.executable, "-m", "renderer", "import", "-", "--env", "dev"],
            cwd=root,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            input=f"{IMAGE}---\n{DEPLOYMENT}",
            capture_output=True,
            text=True,
        )
        assert (done.returncode, done.stderr) == (0, "")
        assert specs(root)[RISK] == SPEC

    @pytest.mark.parametrize("form", ["body", "curl", "camel"])
    def test_a_create_request(self, root, form):
        body = json.dumps(REQUEST, indent=2)
        if form == "camel":
            body = body.replace("serving_id", "servingId").replace("app_image", "appImage")
        (root / "create.txt").write_text(CURL % body if form == "curl" else body)
        assert take(root, "foreign/image.yaml", "create.txt").returncode == 0
        bare = SPEC.replace("  # The insurer.\n", "").replace("labels:\n  team: risk\n", "")
        assert specs(root)[RISK] == bare

    def test_an_update_changes_what_is_there(self, root):
        take(root, "foreign")
        body = {"serving_id": "risk", "parties": [{"domain_id": "bob", "replicas": 5}]}
        (root / "update.json").write_text(json.dumps(body))
        refused = take(root, "update.json")
        assert refused.returncode == 1
        assert "-    replicas: 3\n+    replicas: 5\n" in refused.stdout
        assert specs(root)[RISK] == SPEC
        assert take(root, "update.json", "--force").returncode == 0
        assert specs(root)[RISK] == SPEC.replace("replicas: 3", "replicas: 5")

    def test_an_update_of_nothing(self, root):
        (root / "update.json").write_text('{"serving_id": "risk", "parties": []}')
        done = take(root, "update.json")
        assert done.returncode == 1
        assert "import what created it as well" in done.stderr

    def test_an_answer(self, root):
        status = {"state": "Available", "party_statuses": []}
        data = {k: v for k, v in REQUEST.items() if k != "serving_id"} | {"status": status}
        answer = {"status": {"code": 0, "message": "success"}, "data": data}
        (root / "risk.json").write_text(json.dumps(answer))
        done = take(root, "foreign/image.yaml", "risk.json")
        assert done.returncode == 0
        assert "taken to be 'risk', as an answer has none" in done.stdout
        assert "app_image: scorer" in specs(root)[RISK]

    def test_twice(self, root):
        take(root, "foreign")
        before = snapshot(root)
        done = take(root, "foreign")
        assert (done.returncode, snapshot(root)) == (0, before)
        assert "0 files written, 2 unchanged" in done.stdout

    def test_a_spec_that_says_the_same_in_other_words(self, root):
        take(root, "foreign")
        path = root / RISK
        path.write_text(path.read_text().replace("domain_id: bob", '"domain_id": "bob"'))
        before = snapshot(root)
        assert take(root, "foreign").returncode == 0
        assert snapshot(root) == before

    def test_what_is_inherited_and_not_wanted(self, root):
        description = root / "environments/dev/environment.yaml"
        extra = "defaults: {Serving: {annotations: {note: x}, parties: {replicas: 7}}}\n"
        description.write_text(description.read_text() + extra)
        assert take(root, "foreign").returncode == 0
        spec = yaml.safe_load(specs(root)[RISK])
        assert spec["annotations"] is None
        assert [party["replicas"] for party in spec["parties"]] == [None, 3]
        rendered = run("render", "--stdout", cwd=root).stdout
        assert "replicas: 7" not in rendered

    def test_a_spec_of_the_environment_above(self, root):
        base = root / "environments/base"
        (base / "servings").mkdir(parents=True)
        (base / "environment.yaml").write_text(HEADER.format("Environment"))
        (base / "servings/risk.yaml").write_text(SPEC.replace("replicas: 3", "replicas: 1"))
        description = root / "environments/dev/environment.yaml"
        description.write_text(description.read_text() + "extends: base\n")
        assert take(root, "foreign").returncode == 0
        assert yaml.safe_load(specs(root)[RISK])["parties"] == [{"domain_id": "bob", "replicas": 3}]
        assert "initiator" not in specs(root)[RISK]


class TestSharing:
    @pytest.fixture
    def family(self, root):
        for name in ("base", "prod"):
            (root / f"environments/{name}").mkdir()
        (root / "environments/base/environment.yaml").write_text(HEADER.format("Environment"))
        extended = ENVIRONMENT + "extends: base\n"
        for name in ("dev", "prod"):
            (root / f"environments/{name}/environment.yaml").write_text(extended)
        take(root, "foreign")
        path = root / "foreign/deployment.yaml"
        path.write_text(DEPLOYMENT.replace("replicas: 3", "replicas: 4"))
        return root

    def test_what_all_have_in_common_moves_up(self, family):
        before = run("render", "--env", "dev", "--stdout", cwd=family).stdout
        done = take(family, "foreign", "--share", env="prod")
        assert (done.returncode, done.stderr) == (0, "")
        made = specs(family)
        assert "initiator: alice" in made["environments/base/servings/risk.yaml"]
        for name, replicas in (("dev", 3), ("prod", 4)):
            own = yaml.safe_load(made[f"environments/{name}/servings/risk.yaml"])
            assert own["parties"] == [{"domain_id": "bob", "replicas": replicas}]
            assert set(own) == {"apiVersion", "kind", "parties"}
        assert "environments/base/appimages/scorer.yaml" in made
        assert not {path for path in made if "appimages" in path and "base" not in path}
        assert run("render", "--env", "dev", "--stdout", cwd=family).stdout == before
        assert run("validate", cwd=family).returncode == 0

    def test_the_order_of_keys_does_not_matter(self, family):
        for name, labels in (
            ("dev", "{a: '1', z: dev, b: '2'}"),
            ("prod", "{b: '2', z: prod, a: '1'}"),
        ):
            text = f"kind: ConfigMap\napiVersion: v1\nmetadata: {{name: c, labels: {labels}}}\n"
            (family / "one.yaml").write_text(text)
            path = family / f"environments/{name}/environment.yaml"
            place = "  - {name: k8s, platform: kubernetes, namespace: models}\n"
            path.write_text(path.read_text().replace("destinations:\n", f"destinations:\n{place}"))
            done = take(family, "one.yaml", *(["--share"] if name == "prod" else []), env=name)
            assert (done.returncode, done.stderr) == (0, "")
        assert "not shared" not in done.stdout
        own, common = (
            yaml.safe_load(specs(family)[f"environments/{name}/configmaps/c.yaml"])
            for name in ("prod", "base")
        )
        assert own["metadata"] == {"labels": {"z": "prod"}}
        assert common["metadata"] == {"labels": {"a": "1", "b": "2"}}

    def test_what_is_not_everywhere_stays(self, family):
        (family / "environments/test").mkdir()
        text = (family / "environments/dev/environment.yaml").read_text()
        (family / "environments/test/environment.yaml").write_text(text.replace("east", "test"))
        done = take(family, "foreign", "--share", env="prod")
        assert done.returncode == 0
        assert "not shared: Serving/risk is not in test" in done.stdout
        assert not {path for path in specs(family) if "base" in path}

    def test_without_an_environment_above(self, root):
        done = take(root, "foreign", "--share")
        assert done.returncode == 2
        assert "extends no environment" in done.stderr


class TestWhatIsRefused:
    def refused(self, root, *words, code=1):
        before = snapshot(root)
        done = take(root, *words)
        assert done.returncode == code, done.stdout
        assert snapshot(root) == before
        assert "Traceback" not in done.stderr
        return done

    def test_an_environment_that_is_not_there(self, root):
        done = run("import", "foreign", "--env", "prod", cwd=root)
        assert done.returncode == 2
        assert "there is no environment 'prod'" in done.stderr

    def test_an_environment_without_destinations(self, root):
        (root / "environments/dev/environment.yaml").write_text(HEADER.format("Environment"))
        done = self.refused(root, "foreign")
        assert "platform: kuscia" in done.stdout
        assert "- alice\n" in done.stdout
        assert "has no destination for it" in done.stderr

    def test_a_domain_that_nobody_owns(self, root):
        path = root / "foreign/deployment.yaml"
        path.write_text(DEPLOYMENT.replace("bob", "zoe"))
        assert "'zoe'" in self.refused(root, "foreign").stdout

    def test_a_file_that_is_not_there(self, root):
        assert "no file 'nothing'" in self.refused(root, "nothing", code=2).stderr

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("a: [1, 2", "YML001"),
            ('{"serving_id": "a", "parties": [', "YML001"),
            ("[" * 100_000, "YML008"),
            ("\x00", "YML003"),
            ("a: 1\na: 2\n", "YML005"),
        ],
        ids=["yaml", "json", "deep", "control", "twice"],
    )
    def test_a_text_that_cannot_be_read(self, root, text, said):
        (root / "bad.txt").write_text(text)
        done = self.refused(root, "foreign", "bad.txt")
        assert said in done.stdout
        assert "bad.txt:" in done.stdout

    def test_a_value_that_readers_dispute(self, root):
        path = root / "foreign/image.yaml"
        path.write_text(IMAGE.replace("workingDir: /work", "workingDir: no"))
        assert "YML010" in self.refused(root, "foreign").stdout

    @pytest.mark.parametrize(("text", "number"), [("0777", 511), ("1_000", 1000)], ids=str)
    def test_a_number_is_what_kubernetes_reads(self, root, text, number):
        """A manifest has one reader; what it took a number for is written, and said."""
        path = root / "foreign/deployment.yaml"
        path.write_text(DEPLOYMENT.replace("replicas: 3", f"replicas: {text}"))
        done = take(root, "foreign", "--accept-changes")
        assert f"{text} written as {number}: " in done.stdout
        assert f"replicas: {number}\n" in specs(root)[RISK]

    def test_one_in_what_is_left_out_anyway(self, root):
        path = root / "foreign/deployment.yaml"
        path.write_text(DEPLOYMENT.replace("uid: 7d1b", "creationTimestamp: 2023-09-19T08:22:11Z"))
        assert take(root, "foreign").returncode == 0

    def test_kinds_that_nobody_knows_are_skipped(self, root):
        other = "---\napiVersion: v1\nkind: Service\nmetadata: {name: s}\n---\n5\n"
        (root / "foreign/other.yaml").write_text(other)
        done = take(root, "foreign")
        assert done.returncode == 0
        reason = "the environment has no destination of kubernetes"
        assert f"other.yaml:2: skipped Service/s: {reason}" in done.stdout
        assert done.stdout.endswith("3 files written, 0 unchanged, 2 skipped\n")

    def test_templates_of_other_tools_are_skipped(self, root):
        (root / "foreign/chart.yaml").write_text("kind: {{ .Values.kind }}\n")
        done = take(root, "foreign")
        assert done.returncode == 0
        assert "chart.yaml:1: skipped the file: it is a template and no YAML yet" in done.stdout

    def test_nothing_at_all(self, root):
        (root / "empty.yaml").write_text("")
        assert "no object and no request" in self.refused(root, "empty.yaml").stderr

    def test_two_objects_of_one_name(self, root):
        (root / "foreign/second.yaml").write_text(DEPLOYMENT.replace("replicas: 3", "replicas: 4"))
        done = self.refused(root, "foreign")
        assert "are both the Serving 'risk' and differ" in done.stderr

    def test_all_conflicts_at_once(self, root):
        (root / "foreign/second.yaml").write_text(
            DEPLOYMENT.replace("replicas: 3", "replicas: 4") + "---\n" + IMAGE.replace("v1", "v2")
        )
        done = self.refused(root, "foreign")
        lines = done.stdout.splitlines()
        assert [line.partition(" are both the ")[2] for line in lines] == [
            "Serving 'risk' and differ; import one of them",
            "AppImage 'scorer' and differ; import one of them",
        ]
        assert done.stderr == "servingctl: nothing is imported: 2 conflicts\n"

    def test_the_same_object_twice(self, root):
        (root / "foreign/second.yaml").write_text(DEPLOYMENT)
        assert take(root, "foreign").returncode == 0
        assert specs(root)[RISK] == SPEC

    @pytest.mark.parametrize("name", ["../../evil", "a/b", ".hidden", "-rf"])
    def test_a_name_that_leads_elsewhere(self, root, name):
        path = root / "foreign/deployment.yaml"
        path.write_text(DEPLOYMENT.replace("name: risk", f"name: {name}"))
        done = take(root, "foreign")
        assert "no file can have that name" in done.stdout
        assert set(specs(root)) == {SCORER, "templates/kuscia/config/scorer/app.conf"}

    @pytest.mark.parametrize("namespace", ["../../evil", "a/b", '"\\a"'])
    def test_a_namespace_that_leads_elsewhere(self, root, namespace):
        """Of two objects of one name, files are called after their namespaces."""
        service = (
            "---\napiVersion: serving.kserve.io/v1beta1\nkind: InferenceService\n"
            "metadata: {name: flowers, namespace: %s}\n"
            "spec: {predictor: {containers: [{name: kserve-container, image: acme/flowers:1}]}}\n"
        )
        texts = [service % name for name in (namespace, "models")]
        (root / "foreign/services.yaml").write_text("".join(texts))
        done = take(root, "foreign", "--accept-changes")
        assert "no namespace is called so" in done.stdout
        assert not [path for path in root.rglob("*flowers.yaml") if path.stem != "flowers"]
        assert not (root / ".servingctl-work").exists()

    def test_an_environment_that_is_a_link(self, root, tmp_path_factory):
        outside = tmp_path_factory.mktemp("outside")
        (root / "environments/dev/servings").symlink_to(outside)
        done = take(root, "foreign")
        assert done.returncode == 3
        assert "is behind a link" in done.stderr
        assert not specs(root)
        assert not list(outside.iterdir())

    def test_a_secret(self, root):
        path = root / "foreign/image.yaml"
        path.write_text(f"{IMAGE}        env: [{{name: DB_PASSWORD, value: hunter2hunter2}}]\n")
        for words in ((), ("--accept-changes",)):
            done = self.refused(root, "foreign", *words)
            assert "SEC001" in done.stdout
            assert "hunter2" not in done.stdout + done.stderr
            assert "secrets" in done.stderr

    def test_a_secret_in_a_comment(self, root):
        path = root / "foreign/image.yaml"
        path.write_text(IMAGE.replace("tag: v1}", "tag: v1}  # password: hunter2hunter2"))
        done = take(root, "foreign")
        assert done.returncode == 0
        assert "hunter2" not in specs(root)[SCORER] + done.stdout

    def test_a_spec_that_says_something_else(self, root):
        take(root, "foreign")
        (root / RISK).write_text(SPEC.replace("replicas: 3", "replicas: 9"))
        done = self.refused(root, "foreign")
        assert f"{RISK} would be overwritten; --force does that" in done.stdout
        assert "-    replicas: 9\n+    replicas: 3\n" in done.stdout
        assert take(root, "foreign", "--force").returncode == 0
        assert specs(root)[RISK] == SPEC

    def test_what_a_spec_cannot_say(self, root):
        gpu = "spec: {containers: [{name: scorer, workingDir: '', resources: {limits: {gpu: 1}}}]}"
        deployment = DEPLOYMENT.replace("replicas: 3, spec: {}", f"replicas: 3, {gpu}")
        (root / "foreign/deployment.yaml").write_text(deployment)
        done = self.refused(root, "foreign")
        assert "Serving/risk would not be rendered as it was imported:" in done.stdout
        path = "spec.parties[bob].template.resources"
        assert f'{path}: {{"scorer": {{"limits": {{"gpu": "1"}}}}}} → nothing' in done.stdout
        assert take(root, "foreign", "--accept-changes").returncode == 0

    def test_specs_with_errors(self, root):
        path = root / "foreign/deployment.yaml"
        path.write_text(DEPLOYMENT.replace("initiator: alice", "initiator: partner"))
        found = self.refused(root, "foreign").stdout
        text = path.read_text().splitlines()
        line = next(n for n, one in enumerate(text, 1) if "initiator: partner" in one)
        column = text[line - 1].index("partner") + 1
        assert f"foreign/deployment.yaml:{line}:{column}: error: " in found
        assert text[line - 1] in found
        assert "KUS101" in found
        assert "environments/dev/servings" not in found
        done = take(root, "foreign", "--accept-changes")
        assert done.returncode == 0
        assert "1 error to mend" in done.stderr

    def test_errors_of_others_are_no_matter(self, root):
        (root / "environments/dev/servings").mkdir()
        other = SPEC.replace("initiator: alice", "initiator: carol")
        (root / "environments/dev/servings/other.yaml").write_text(other)
        assert take(root, "foreign").returncode == 0

    def test_a_spec(self, root):
        take(root, "foreign")
        assert "it is a spec already" in self.refused(root, RISK).stdout

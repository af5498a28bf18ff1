"""Where companions go, and that every way to look at them comes to the same."""

import shutil

import pytest
import yaml

from renderer import compare, load, render
from renderer.changes import pair
from renderer.evaluate import run as running
from renderer.evaluate.project import open_project
from renderer.evaluate.question import Question
from renderer.io.store import Store, program
from renderer.io.worktree import Worktree
from renderer.outputs.diff.causes import joined_causes
from renderer.outputs.diff.report import build_report
from renderer.promote.promotion import promote
from renderer.rules.metadata import WAVE
from renderer.values.changes import Effect
from tests.support.memory import project
from tests.support.places import ROOT
from tests.support.repositories import texts

CASE = ROOT / "tests/golden/companions/places"
ENVIRONMENT = """\
apiVersion: serving.gitops/v1
kind: Environment
destinations:
  - {name: east, platform: kubernetes, namespace: models, cluster: one}
  - {name: west, platform: kubernetes, namespace: models, cluster: two}
"""
SERVICE = """\
apiVersion: serving.gitops/v1
kind: InferenceService
destination: east
predictor:
  serviceAccountName: reader
  model: {modelFormat: {name: sklearn}, storageUri: 's3://models/flowers/v1'}
"""
ACCOUNT = "apiVersion: v1\nkind: ServiceAccount\n"


def rendered(**files):
    """The paths of companions, with `_` in names of files for `/`."""
    beside = {f"environments/dev/{name}.yaml": text for name, text in files.items()}
    given = {"servingctl.yaml": "", "environments/dev/environment.yaml": ENVIRONMENT, **beside}
    rendering = render(project(given))
    assert rendering.is_sound, rendering.diagnostics
    return [path.path for path in rendering.manifests if "inferenceservices" not in path.path]


def test_it_follows_its_user():
    assert rendered(flowers=SERVICE, reader=ACCOUNT) == ["dev/east/serviceaccount/reader.yaml"]


def test_it_follows_its_user_to_another_namespace():
    found = rendered(flowers=f"{SERVICE}namespace: risk\n", reader=ACCOUNT)
    assert found == ["dev/east/serviceaccount/reader.risk.yaml"]


def test_the_namespace_that_it_names_is_the_only_one():
    """Its users elsewhere do not have it, so it needs a destination of its own."""
    pinned = f"{ACCOUNT}$destination: west\nmetadata: {{namespace: risk}}\n"
    found = rendered(flowers=SERVICE, reader=pinned)
    assert found == ["dev/west/serviceaccount/reader.risk.yaml"]


def test_a_name_with_a_dot_is_no_name_with_a_namespace():
    first = f"{ACCOUNT}$destination: east\nmetadata: {{name: reader, namespace: risk}}\n"
    second = f"{ACCOUNT}$destination: east\nmetadata: {{name: reader.risk}}\n"
    assert rendered(first=first, second=second) == [
        "dev/east/serviceaccount/reader.risk.models.yaml",
        "dev/east/serviceaccount/reader.risk.yaml",
    ]


def test_names_that_are_too_long_for_a_file_stay_apart():
    """Kubernetes takes 253 characters, file systems 255 with the ending and the mark of a draft."""
    head = f"{ACCOUNT}$destination: east\nmetadata: {{name: {'x' * 252}"
    found = rendered(first=f"{head}a}}\n", second=f"{head}b}}\n")
    assert len(set(found)) == 2
    assert {len(path.rpartition("/")[2]) for path in found} == {237}


def test_one_name_in_two_namespaces():
    """That of the user's namespace is meant, and the other one goes where there is no other."""
    other = SERVICE.replace("models/flowers", "models/trees") + "namespace: risk\n"
    pinned = f"{ACCOUNT}metadata: {{name: reader, namespace: risk}}\n"
    found = rendered(flowers=SERVICE, trees=other, reader=ACCOUNT, other=pinned)
    assert found == [
        "dev/east/serviceaccount/reader.risk.yaml",
        "dev/east/serviceaccount/reader.yaml",
    ]


def test_a_name_that_an_override_changes_is_followed():
    names = {"flowers": SERVICE.replace("reader", "writer"), "reader": ACCOUNT}
    names["reader"] += "metadata: {name: writer}\n"
    assert rendered(**names) == ["dev/east/serviceaccount/writer.yaml"]


def test_what_a_controller_makes_of_it_is_followed():
    pull = SERVICE.replace("serviceAccountName: reader", "imagePullSecrets: [{name: pull}]")
    sealed = "apiVersion: bitnami.com/v1alpha1\nkind: SealedSecret\nspec: {encryptedData: {}}\n"
    found = rendered(flowers=pull, sealed=f"{sealed}metadata: {{name: pull}}\n")
    assert found == ["dev/east/sealedsecret.bitnami.com/pull.yaml"]


@pytest.fixture
def root(tmp_path):
    shutil.copytree(CASE, tmp_path / "root", ignore=shutil.ignore_patterns("expected"))
    return tmp_path / "root"


class Counting:
    """A memo that counts what it did not know."""

    remembers = True

    def __init__(self, memo):
        self.conclusion, self.is_clean, self.keep = memo.conclusion, memo.is_clean, memo.keep
        self._recall = memo.recall

    def recall(self, keys, digest_of):
        known = self._recall(keys, digest_of)
        self.missed = sorted(keys.keys() - known.keys())
        return known


def missed(root, cache):
    """The groups that are evaluated although a run before knew them; the output is right."""
    memo = Counting(Store(cache, root, program(), None))
    made = running.run(open_project(Worktree(root)), Question(), memo)
    digests = {file.path: file.digest or file.text for file in made.rendering().files()}
    assert digests.keys() == texts(render(load(root))).keys()
    return memo.missed


@pytest.mark.parametrize(
    ("file", "users"),
    [
        ("levels", ["grid"]),
        ("weights", ["flowers"]),
        ("reader", ["flowers", "grid", "trees"]),
        ("gpus", []),
        ("gate", []),
    ],
)
def test_an_edit_of_one_evaluates_its_users_only(root, tmp_path, file, users):
    assert missed(root, tmp_path / "cache") == ["flowers", "grid", "trees"]
    assert missed(root, tmp_path / "cache") == []
    path = root / f"environments/base/beside/{file}.yaml"
    path.write_text(path.read_text("utf-8") + "# a comment\n", "utf-8")
    assert missed(root, tmp_path / "cache") == users


def test_the_first_companion_of_an_environment_is_looked_for(root, tmp_path):
    """Before, nobody was asked which objects it names."""
    shutil.move(root / "environments/base/beside", tmp_path / "beside")
    shutil.rmtree(root / "environments/dev/beside")
    missed(root, tmp_path / "cache")
    shutil.copytree(tmp_path / "beside", root / "environments/base/beside")
    missed(root, tmp_path / "cache")


class Everything(pair._Pair):
    """Every group differs, as far as anyone knows."""

    def __init__(self, *given):
        super().__init__(*given)
        self.different |= self.same
        self.same = set()


EDITS = {
    "a companion": ("beside/levels", "info", "debug"),
    "a reference of a companion": ("beside/queue", "gpus", "others"),
    "a spec that moves": ("flowers", "east", "west"),
    "a spec that refers to another one": ("trees", "reader", "loader"),
    "nothing of it": ("trees", "trees/v1", "trees/v2"),
}


@pytest.mark.parametrize("name", EDITS)
def test_a_diff_looks_at_enough(root, tmp_path, name, monkeypatch):
    file, old, new = EDITS[name]
    after = tmp_path / "after"
    shutil.copytree(root, after)
    path = after / f"environments/base/{file}.yaml"
    path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")
    narrow = compare(load(root), load(after))
    assert narrow.objects
    monkeypatch.setattr(pair, "_Pair", Everything)
    assert narrow == compare(load(root), load(after))


@pytest.mark.parametrize(
    ("destination", "there"), [("east", "east/{}/later.risk"), ("west", "west/{}/later")]
)
def test_a_destination_beside_what_it_goes_with(destination, there):
    """One says where, the other says when, and the namespace if they meet."""
    service = f"{SERVICE}namespace: risk\n"
    later = f"{ACCOUNT}$destination: {destination}\n$with: [InferenceService/flowers]\n"
    settings = f"{ENVIRONMENT}companions: {{}}\n"
    given = {"servingctl.yaml": "", "environments/dev/environment.yaml": settings}
    specs = {"environments/dev/flowers.yaml": service, "environments/dev/later.yaml": later}
    found = [item for item in render(project({**given, **specs})).manifests if "later" in item.path]
    assert [item.path for item in found] == [f"dev/{there.format('serviceaccount')}.yaml"]
    assert found[0].tree.get("metadata", "annotations", WAVE).value == "10"


def test_what_moves_is_deleted_where_it_was_and_made_where_it_goes():
    files = {"servingctl.yaml": "", "environments/dev/environment.yaml": ENVIRONMENT}
    account = f"$destination: east\n{ACCOUNT}"
    old, new = (
        project({**files, "environments/dev/reader.yaml": text})
        for text in (account, account.replace("east", "west"))
    )
    [cause] = joined_causes(build_report(compare(old, new), ("a", "b"), {}))
    units = {item.effect: [one.destination for one in item.units] for item in cause.consequences}
    assert units == {Effect.DELETE: ["east"], Effect.CREATE: ["west"]}


@pytest.mark.parametrize("settings", ["", "companions: {}"])
def test_the_last_list_is_there_if_settings_say_so_and_not_by_specs(settings):
    """A controller that looks at it must find it when the last object has gone."""
    files = {"servingctl.yaml": settings, "environments/dev/environment.yaml": ENVIRONMENT}
    paths = {"environments/dev/s.yaml": SERVICE, "environments/dev/reader.yaml": ACCOUNT}
    for given in (files, {**files, **paths}):
        made = {item.path: item.text for item in render(project(given)).files()}
        lists = [path for path in made if "/flux/dependents/" in path]
        assert lists == [
            f"dev/{name}/flux/dependents/kustomization.yaml"
            for name in ("east", "west")
            if settings
        ]
        assert all("resources: []" in made[path] for path in lists)


def test_a_run_has_the_same_lists_as_a_rendering():
    opened = load(CASE)
    made = {item.path for item in render(opened).files()}
    again = running.run(opened, Question(())).rendering().files()
    assert {item.path for item in again} == made


def test_marks_against_pruning_cannot_be_taken_away():
    """Either controller would delete what holds data if its own mark were missing."""
    notes = (
        "kustomize.toolkit.fluxcd.io/prune: enabled, argocd.argoproj.io/sync-options: Prune=false"
    )
    claim = f"apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {{annotations: {{{notes}}}}}\n"
    claim += "spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}\n"
    given = {
        "servingctl.yaml": "",
        "environments/dev/environment.yaml": ENVIRONMENT,
        "environments/dev/weights.yaml": f"{claim}$destination: east\n",
    }
    (manifest,) = render(project(given)).manifests
    assert manifest.tree.get("metadata", "annotations").plain() == {
        "argocd.argoproj.io/sync-options": "Prune=false,Delete=false",
        "kustomize.toolkit.fluxcd.io/prune": "disabled",
    }


PLACES = {
    "environments/base/environment.yaml": "apiVersion: serving.gitops/v1\nkind: Environment\n",
    "environments/dev/environment.yaml": f"{ENVIRONMENT}extends: base\n",
    "environments/prod/environment.yaml": f"{ENVIRONMENT}extends: base\n",
    "servingctl.yaml": "",
}
LIMITS = "apiVersion: v1\nkind: ConfigMap\nmetadata: {{namespace: {}}}\n$destination: {}\n{}"


def test_an_edit_is_promoted_to_a_file_of_the_same_kind():
    text = "data: {a: '2'}\n"
    files = {
        "environments/base/limits.yaml": LIMITS.format("m", "east", "data: {a: '1'}\n"),
        "environments/dev/limits.yaml": f"apiVersion: v1\nkind: ConfigMap\n{text}",
    }
    found = promote(project({**PLACES, **files}), "dev", "prod", ("limits",))
    ((path, data),) = found.files.items()
    assert path == "environments/prod/limits.yaml"
    assert yaml.safe_load(data) == {"apiVersion": "v1", "kind": "ConfigMap", "data": {"a": "2"}}


def test_where_it_goes_is_for_each_environment_to_say():
    files = {
        "environments/dev/limits.yaml": LIMITS.format("one", "east", "data: {a: '1'}\n"),
        "environments/prod/limits.yaml": LIMITS.format("two", "west", "data: {a: '2'}\n"),
    }
    found = promote(project({**PLACES, **files}), "dev", "prod", ("limits",))
    (data,) = found.files.values()
    assert data.decode() == LIMITS.format("two", "west", "data: {a: '1'}\n")


def test_the_cause_of_what_moves_at_the_end_of_a_chain_is_the_edit():
    """The store goes where the ExternalSecret goes, and that where the service does."""
    secret = "{name: T, valueFrom: {secretKeyRef: {name: hub-token, key: token}}}"
    files = {
        "servingctl.yaml": "",
        "environments/dev/environment.yaml": (
            "apiVersion: serving.gitops/v1\nkind: Environment\nvars: {gpu: east}\n"
            'defaults: {InferenceService: {destination: "${vars.gpu}"}}\n'
            "destinations:\n  - {name: east, platform: kubernetes, namespace: models}\n"
            "  - {name: west, platform: kubernetes, namespace: models}\n"
        ),
        "environments/dev/flowers.yaml": (
            "apiVersion: serving.gitops/v1\nkind: InferenceService\n"
            "annotations: {serving.kserve.io/deploymentMode: Standard}\npredictor:\n"
            "  maxReplicas: 2\n  serviceAccountName: reader\n  model:\n"
            "    modelFormat: {name: sklearn}\n    runtimeVersion: v0.19.0\n"
            f"    storageUri: s3://models/flowers/v1\n    env: [{secret}]\n"
            '    resources: {limits: {cpu: "1", memory: 1Gi}, requests: {cpu: "1", memory: 1Gi}}\n'
        ),
        "environments/dev/beside/hub.yaml": (
            "apiVersion: external-secrets.io/v1\nkind: ExternalSecret\n"
            "spec: {secretStoreRef: {name: vault}, target: {name: hub-token}, data: []}\n"
        ),
        "environments/dev/beside/vault.yaml": (
            "apiVersion: external-secrets.io/v1\nkind: SecretStore\nspec: {provider: {}}\n"
        ),
    }
    environment = files["environments/dev/environment.yaml"].replace("gpu: east", "gpu: west")
    after = {**files, "environments/dev/environment.yaml": environment}
    found = compare(project(files), project(after))
    causes = {
        str(item.change.manifest.spec): {found.edits[n].path for some in item.causes for n in some}
        for item in found.objects
    }
    assert set(causes) == {"InferenceService/flowers", "ExternalSecret/hub", "SecretStore/vault"}
    assert set(map(tuple, (paths for some in causes.values() for paths in some))) == {
        ("vars", "gpu")
    }

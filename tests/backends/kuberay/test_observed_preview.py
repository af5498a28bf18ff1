"""Previews, field by field, against what the real KubeRay made of the same manifests."""

import json
import tempfile
from functools import cache
from pathlib import Path

import yaml

from conformance.kuberay.plain import content_of
from conformance.kuberay.records import read_rows
from conformance.operators.plain import differences
from renderer import load, render
from renderer.inspect.preview import preview
from renderer.text.secrets.masks import hidden
from renderer.values.diagnostics import Severity
from tests.support.rows import each

OURS = "app.kubernetes.io/managed-by"
NAMESPACE = "ray"
ABOUT = ("name", "namespace", "labels", "annotations")
#: What nobody can know before: hashes of Go's own JSON.
HASHES = (
    "ray.io/upgrade-strategy-recreate-hash",
    "ray.io/hash-without-replicas-and-workers-to-delete",
)
#: What is drawn, as the records have it.
RANDOM_SUFFIX = {
    "xxxxx": "00001",
    "<job>": "jobid",
    "<uid>": "uid",
    "<token>": "drawn",
    "<replica>": "xxxxx",
}
#: Kinds that are not previewed.
LEFT_OUT = ("Gateway", "HTTPRoute")
#: Rows in which the operator did not get as far as a preview goes, or further.
EXEMPT = {
    "succeeding-delete-cluster": "the job has finished, and its cluster is gone",
    "succeeding-delete-workers": "the job has finished, and its workers are gone",
    "succeeding-rules": "the job has finished, and its workers are gone",
    "succeeding-job-shutdown": "the job has finished, and its cluster is gone",
    "failing-job-shutdown": "the job has failed, and its cluster is gone",
    "job-selector-of-nobody": "the cluster of the job is not there",
    "job-metadata-old-ray": "KubeRay refuses metadata for an old Ray",
    "autoscaler-own-account": "the account of the head is not there",
    "name-of-a-group-twice": "there are two groups of one name, and one record",
    "service-deploying": "no application runs yet, and so no Service leads to one",
    "service-failing": "no application runs",
    "service-unhealthy": "no application runs",
    "service-initializing-timeout": "no application ever ran",
    "service-config-absent": "there is no application to run",
    "service-config-empty-list": "there is no application to run",
}
#: What KubeRay changes in the spec of a cluster that it makes; the rest are defaults.
OF_KUBERAY = ("template.spec.containers", "restartPolicy")
#: How long tokens live by Kubernetes' own default.
TOKEN_LIFE = ("expirationSeconds", 3600)
ENVIRONMENT = f"""
apiVersion: serving.gitops/v1
kind: Environment
destinations: [{{name: here, platform: kubernetes, namespace: {NAMESPACE}}}]
kuberay: {{version: 1.6.1, feature_gates: {{RayServiceIncrementalUpgrade: true}}}}
"""


def is_asked(row):
    """Whether KubeRay made all of it, so that there is something to compare."""
    return row["accepted"] and "objects" in row and row["name"] not in EXEMPT


ROWS = [row for rows in read_rows("cases").values() for row in rows if is_asked(row)]
every_row = each("row", ROWS, name=lambda row: row["name"])


def spec(manifest):
    """A manifest as a spec: `metadata` and `spec` one level up, and named as it is."""
    about = manifest["metadata"]
    kept = {key: about[key] for key in ABOUT if key in about}
    head = {"apiVersion": "serving.gitops/v1", "kind": manifest["kind"]}
    own = {"name_suffix": "none", "prune": True} if manifest["kind"] == "RayJob" else {}
    return yaml.safe_dump({**head, **own, **kept, **manifest["spec"]})


@cache
def project():
    """All rows in one repository."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "environments/dev"
        folder.mkdir(parents=True)
        (Path(place) / "servingctl.yaml").write_text("", "utf-8")
        (folder / "environment.yaml").write_text(ENVIRONMENT, "utf-8")
        for row in ROWS:
            (folder / f"{row['name']}.yaml").write_text(spec(row["given"]), "utf-8")
            for item in row.get("others_before", ()):
                name = item["metadata"]["name"]
                (folder / f"before-{name}.yaml").write_text(spec(item), "utf-8")
        found = load(Path(place))
        return found, render(found)


def is_refused(row):
    """Whether a rule keeps a spec from being previewed at all."""
    _, rendering = project()
    errors = (item for item in rendering.diagnostics if item.severity is Severity.ERROR)
    return any(item.file.endswith(f"/{row['name']}.yaml") for item in errors)


@cache
def units(name):
    found, rendering = project()
    (environment,) = found.environments
    wanted = next(item for item in environment.specs if item.stem == name)
    return preview(found, rendering, environment, wanted, {}).units


def drawn(thing):
    """An object with the names that the records have instead of those that are drawn."""
    text = json.dumps(thing)
    for ours, theirs in RANDOM_SUFFIX.items():
        text = text.replace(ours, theirs)
    return json.loads(text)


def plain(tree):
    """Data without what is nobody's: our own label, hashes, and empty mappings."""
    if isinstance(tree, list):
        return [plain(item) for item in tree]
    if not isinstance(tree, dict):
        return tree
    found = {key: plain(value) for key, value in tree.items() if key not in (OURS, *HASHES)}
    found = {key: value for key, value in found.items() if (key, value) != TOKEN_LIFE}
    return {key: value for key, value in found.items() if value != {} or key == "emptyDir"}


def made(row):
    """The objects that are previewed, by kind and name, and the pods, by group."""
    objects, pods = {}, {}
    for unit in units(row["name"]):
        for item in unit.objects:
            thing = drawn(item.content)
            if thing["kind"] == "Pod":
                labels = thing["metadata"]["labels"]
                pods[f"{labels['ray.io/cluster']}/{labels['ray.io/group']}"] = item, thing
            else:
                objects[f"{thing['kind']}/{thing['metadata']['name']}"] = plain(content_of(thing))
    return objects, pods


def without_defaults(given, cluster):
    """A Ray cluster of a job or service: what is given to it, and what KubeRay puts beside it."""
    place = {"RayJob": "rayClusterSpec", "RayService": "rayClusterConfig"}[given["kind"]]
    changes = cluster.get("spec_changes") or list(
        differences(given["spec"][place], cluster["spec"])
    )
    own = [plain(item) for item in changes if item["path"].endswith(OF_KUBERAY)]
    return {key: cluster[key] for key in ("labels", "annotations") if key in cluster} | {"own": own}


@every_row
def test_each_object_came_out_as_previewed(row):
    if is_refused(row):  # and then there is no preview
        return
    found, _ = made(row)
    live = {name: plain(thing) for name, thing in row["objects"].items()}
    live = {name: thing for name, thing in live.items() if not name.startswith(LEFT_OUT)}
    assert found.keys() == live.keys()
    for name, thing in found.items():
        pair = [live[name], thing]
        if name.startswith("RayCluster/"):
            pair = [without_defaults(row["given"], cluster) for cluster in pair]
        assert list(differences(*pair)) == [], name


@every_row
def test_each_pod_was_created_as_previewed(row):
    if is_refused(row):  # and then there is no preview
        return
    _, pods = made(row)
    for name, live in row["pods"].items():
        item, thing = pods.pop(name)
        theirs, ours = plain(hidden(live["pod"])), plain(content_of(thing))
        assert list(differences(theirs, ours)) == [], name
        count = dict(item.summary)["pods"]
        is_scaled = "at first" in count and row["given"]["kind"] == "RayCluster"
        assert is_scaled or count.startswith(f"{live['count']} pod"), name
    assert all(dict(item.summary)["pods"].startswith("0 pods") for item, _ in pods.values())


def test_there_is_enough_to_compare():
    looked_at = [row for row in ROWS if not is_refused(row)]
    assert len(looked_at) > 100
    kinds = {name.partition("/")[0] for row in looked_at for name in row["objects"]}
    assert {"Ingress", "Job", "RayCluster", "Role", "Secret", "Service"} <= kinds
    assert sum(len(row["pods"]) for row in looked_at) > 150


def test_what_is_exempt_is_recorded():
    names = {row["name"] for rows in read_rows("cases").values() for row in rows}
    assert EXEMPT.keys() <= names

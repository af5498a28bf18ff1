"""Previews, field by field, against what the real KServe made of the same manifests."""

from collections import Counter
from functools import cache

from conformance.kserve.records import read_rows
from conformance.operators.plain import cleaned, differences
from renderer.inspect.preview import preview
from tests.support.kserve_rows import evaluated
from tests.support.rows import each

OURS = "app.kubernetes.io/managed-by"
MODE = "serving.kserve.io/deploymentMode"
#: What Knative's webhook says of who was there.
WHO = ("serving.knative.dev/creator", "serving.knative.dev/lastModifier")
#: Kinds that are not previewed: Istio's, and those of a cluster with the Gateway API.
LEFT_OUT = ("VirtualService", "HTTPRoute")
#: Rows in which something else was asked than what a preview can say.
EXEMPT = {
    "percent-on-first": "the traffic is that of the second look, when there is a revision",
    "storage-empty": "an empty URI, which is written as if there was none",
    "canary-legacy": "an old field in a canary, which KServe's webhook does not convert",
    "storage-s3-with-account": "the secrets of an account, which are in the cluster",
}
ADDED_TO = ("initContainers", "containers", "volumes")


def is_asked(row):
    """Whether KServe made all of a service, so that there is something to compare."""
    ready = row.get("status", {}).get("conditions", {}).get("Ready")
    return "objects" in row and ready == "True" and row["name"] not in EXEMPT


ROWS = [row for rows in read_rows("cases").values() for row in rows if is_asked(row)]
every_row = each("row", ROWS, name=lambda row: row["name"])


@cache
def units(name):
    made = evaluated()[name]
    wanted = next(item for item in made.environment.specs if item.stem == "asked")
    return preview(made.project, made.rendering, made.environment, wanted, {}).units


def is_refused(row):
    """Whether a rule keeps a spec from being previewed at all."""
    return bool(evaluated()[row["name"]].errors)


def plain(tree, *left_out):
    """Data without some keys, and without what the API server adds to fieldRef."""
    if isinstance(tree, list):
        return [plain(item, *left_out) for item in tree]
    if not isinstance(tree, dict):
        return tree
    if tree.keys() == {"apiVersion", "fieldPath"}:
        return {"fieldPath": tree["fieldPath"]}
    return {key: plain(value, *left_out) for key, value in tree.items() if key not in left_out}


def content(thing, *left_out):
    """An object as it is recorded."""
    whole = cleaned(plain(thing, OURS, *left_out))
    notes = {key: whole["metadata"].get(key) for key in ("labels", "annotations")}
    rest = {key: whole[key] for key in whole if key not in ("apiVersion", "kind", "metadata")}
    return {**{key: value for key, value in notes.items() if value}, **rest}


def identity(thing):
    kind = "KnativeService" if "knative" in thing["apiVersion"] else thing["kind"]
    return f"{kind}/{thing['metadata']['name']}"


def made(row):
    """What is previewed; a canary's autoscaler has no owner, and so was not looked for."""
    silent = () if MODE in row["given"]["metadata"].get("annotations", {}) else (MODE,)
    found = {}
    for unit in units(row["name"]):
        assert not unit.problem, unit.problem
        for item in unit.objects:
            is_unowned = item.content["kind"].startswith("Horizontal") and "/" in unit.unit
            if item.content["kind"] != "Pod" and not is_unowned:
                found[identity(item.content)] = content(item.content, *silent)
    return found


def observed(row):
    silent = () if MODE in row["given"]["metadata"].get("annotations", {}) else (MODE,)
    found = {}
    for name, thing in row["objects"].items():
        if not name.startswith(LEFT_OUT):
            bare = plain(thing, OURS, *WHO, *silent)
            found[name] = {key: value for key, value in bare.items() if value}
    return found


def test_there_is_enough_to_compare():
    assert sum(not is_refused(row) for row in ROWS) > 180
    kinds = Counter(name.partition("/")[0] for row in ROWS for name in observed(row))
    assert kinds["Deployment"] > 150
    assert kinds["KnativeService"] > 10
    assert kinds["ScaledObject"] > 0


def test_what_is_exempt_is_recorded():
    names = {row["name"] for rows in read_rows("cases").values() for row in rows}
    assert EXEMPT.keys() <= names


@every_row
def test_each_object_came_out_as_previewed(row):
    if is_refused(row):  # and then there is no preview
        return
    found, live = made(row), observed(row)
    if "gateway_api" in row:
        found = {name: thing for name, thing in found.items() if not name.startswith("Ingress/")}
    assert found.keys() == live.keys()
    for name, thing in found.items():
        assert list(differences(live[name], thing)) == [], name


@every_row
def test_each_pod_was_created_as_previewed(row):
    if is_refused(row):  # and then there is no preview
        return
    pods = {
        item.content["metadata"]["name"].removesuffix("-<pod>"): content(item.content)["spec"]
        for unit in units(row["name"])
        for item in unit.objects
        if item.content["kind"] == "Pod"
    }
    for name, live in row["pods"].items():
        if "refused" not in live:
            template = plain(row["objects"][name]["spec"]["template"]["spec"])
            pod = pods.get(name.partition("/")[2], {})
            kept = {
                key: pod[key] for key in ADDED_TO if pod.get(key) not in (None, template.get(key))
            }
            assert list(differences(plain(live), kept)) == [], name


@every_row
def test_the_addresses_are_those_of_the_status(row):
    if is_refused(row) or "gateway_api" in row:  # there is no preview, or another way in
        return
    urls = [
        address.url
        for unit in units(row["name"])
        for address in unit.addresses
        if "/" not in unit.unit
    ]
    known = [row["status"]["url"], row["status"]["address"]["url"]]
    hosts = [url.partition("://")[2] for url in known]
    assert any(host in url for url in urls for host in hosts), (urls, known)

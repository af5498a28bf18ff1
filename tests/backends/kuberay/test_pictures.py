"""Pictures of what runs on Ray: head, groups and applications; many are counted."""

import re
import time
from xml.etree import ElementTree

import pytest

from renderer.io.repository import load
from renderer.outputs import picture as pictures
from renderer.values.picture import Exposure, LinkKind
from tests.support.pictures import draw_environment, draw_spec
from tests.support.repositories import HEADER

ENVIRONMENT = HEADER.format("Environment") + (
    "destinations:\n"
    "  - {name: lab, platform: kubernetes, namespace: rays, image_registry: {rayproject: mirror}}\n"
    "kuberay: {version: 1.6.1}\n"
    "kserve: {default_mode: Standard}\n"
)
SMALL = HEADER.format("ComputeTemplate") + "cpu: 2\nmemory: 4\n"
GPUS = HEADER.format("ComputeTemplate") + "cpu: 4\nmemory: 16\ngpu: 1\n"
FRUIT = (
    HEADER.format("RayService")
    + """user: anna
version: 2.52.0
serveConfigV2: |
  applications:
    - name: fruit
      route_prefix: /fruit
      import_path: fruit:app
      deployments: [{name: Stand, num_replicas: 2}]
    - {name: inner, route_prefix: null, import_path: 'inner:app'}
clusterSpec:
  enableInTreeAutoscaling: true
  headGroupSpec: {computeTemplate: small, rayStartParams: {dashboard-host: 0.0.0.0}}
  workerGroupSpec:
    - {groupName: cpu, computeTemplate: small, replicas: 1, maxReplicas: 5, rayStartParams: {}}
    - {groupName: gpu, computeTemplate: gpus, replicas: 0, maxReplicas: 2, rayStartParams: {}}
"""
)
POD = "template: {spec: {containers: [{name: ray, image: 'rayproject/ray:2.52.0'}]}}"
BENCH = (
    HEADER.format("RayCluster")
    + f"""rayVersion: 2.52.0
headGroupSpec: {{rayStartParams: {{}}, {POD}}}
"""
)
AGAIN = (
    HEADER.format("RayJob") + "entrypoint: python a.py\nclusterSelector: {ray.io/cluster: bench}\n"
)
TRAIN = (
    HEADER.format("RayJob")
    + f"""entrypoint: python train.py
rayClusterSpec:
  rayVersion: 2.52.0
  headGroupSpec: {{rayStartParams: {{}}, {POD}}}
"""
)
IRIS = HEADER.format("InferenceService") + (
    "predictor: {model: {modelFormat: {name: sklearn}, storageUri: 'gs://models/iris'}}\n"
)
ALL = {"small": SMALL, "gpus": GPUS, "fruit": FRUIT, "bench": BENCH, "again": AGAIN, "train": TRAIN}
HOSTILE = 'a\\"]--><script>alert(1)</script>'
RANDOM_SUFFIX = """\
fruit in dev
RayService, 3 groups, 2 applications

lab, namespace rays (KubeRay 1.6.1)
├─ RayService fruit: applied here
├─ compute template small: resolved here
├─ compute template gpus: resolved here
├─ Service fruit-serve-svc: ClusterIP
├─ head  mirror/ray:2.52.0 · 2 CPU, 4 GiB of memory
│  ├─ nodes       1 pod
│  ├─ dashboard   http   fruit-head-svc.rays.svc.cluster.local:8265
│  ├─ client      ray    fruit-head-svc.rays.svc.cluster.local:10001
│  ├─ gcs-server         fruit-head-svc.rays.svc.cluster.local:6379
│  └─ proxy       http
├─ cpu  mirror/ray:2.52.0 · 2 CPU, 4 GiB of memory
│  ├─ nodes  1 to 5 pods
│  └─ proxy  http
├─ gpu  mirror/ray:2.52.0 · 4 CPU, 16 GiB of memory, 1 GPU
│  ├─ nodes  0 to 2 pods
│  └─ proxy  http
├─ fruit (/fruit)  fruit:app · Stand: 2 replicas
│  └─ requests  http  fruit-serve-svc.rays.svc.cluster.local:8000/fruit
└─ inner (no route)  inner:app
   └─ no requests

Connections
├─ small: sizes head and cpu
└─ gpus: sizes gpu

Calls
├─ head: is joined by cpu and gpu
├─ requests: to the proxies of head, cpu and gpu
└─ routes: to fruit at /fruit

Ray's autoscaler decides how many workers there are, within the bounds.
"""


@pytest.fixture
def environment(repository):
    def make(specs):
        files = {f"environments/dev/{name}.yaml": text for name, text in specs.items()}
        start = {"servingctl.yaml": "", "environments/dev/environment.yaml": ENVIRONMENT}
        root = repository({**start, **files})
        for other in ("servings", "appimages"):
            for path in (root / f"environments/dev/{other}").glob("*.yaml"):
                path.unlink()
        return load(root)

    return make


def drawn(found, name="fruit"):
    return draw_spec(found, name)


def test_a_service_as_text(environment):
    assert pictures.FORMATS["text"](drawn(environment(ALL))) == RANDOM_SUFFIX


def test_proxies_are_where_the_config_wants_them(environment):
    only = FRUIT.replace("  applications:", "  proxy_location: HeadOnly\n  applications:")
    links = {link.name: link for link in drawn(environment({**ALL, "fruit": only})).links}
    assert links["requests"].meaning == "to the proxies of head"


def test_a_job_is_submitted_to_its_head(environment):
    picture = drawn(environment(ALL), "train")
    assert [card.title for card in picture.groups[0].cards] == ["head", "submitter"]
    (link,) = picture.links
    assert (link.kind, link.meaning) == (LinkKind.CALL, "submits the job to the head")
    address = picture.groups[0].cards[0].rows[1].address
    assert re.fullmatch(r"train-[0-9a-f]{10}-head-svc\.rays\.svc\.cluster\.local:8265", address)


@pytest.mark.parametrize(
    ("specs", "note"), [(ALL, "applied here"), ({"again": AGAIN}, "must be there")]
)
def test_a_job_may_use_a_cluster_that_is_there(environment, specs, note):
    picture = drawn(environment(specs), "again")
    rows = {row.title: row.note for row in picture.groups[0].rows}
    assert rows["RayCluster bench"] == note
    assert picture.links[0].meaning == "submits the job to bench"


def test_an_environment_names_what_runs(environment):
    picture = draw_environment(environment(ALL))
    assert picture.summary == "1 cluster, 1 namespace, 1 RayCluster, 2 RayJobs, 1 RayService"
    (group,) = picture.groups
    cards = {card.title: card for card in group.cards}
    assert [(row.title, row.tag, row.note) for row in cards["fruit"].rows] == [
        ("head", "1 pod", ""),
        ("cpu", "1 to 5 pods", ""),
        ("gpu", "0 to 2 pods", "1 GPU each"),
        ("application fruit", "/fruit", "1 deployment"),
        ("application inner", "", "0 deployments"),
    ]
    assert cards["fruit"].rows[3].exposure is Exposure.OTHERS
    assert {link.label for link in picture.links} == {
        "small: sizes 2 groups",
        "gpus: sizes 1 group",
        "again: submits the job to bench",
    }


def test_two_backends_share_a_place(environment):
    picture = draw_environment(environment({"bench": BENCH, "iris": IRIS}))
    (group,) = picture.groups
    assert (group.title, group.tags) == ("lab, namespace rays", ("Standard", "KubeRay 1.6.1"))
    assert [card.title for card in group.cards] == ["iris", "bench"]


def test_a_backend_without_specs_is_not_drawn(environment):
    picture = draw_environment(environment({"bench": BENCH}))
    assert picture.summary == "1 cluster, 1 namespace, 1 RayCluster"


def test_many_are_counted(environment):
    specs = {f"ray-{n}": f"{BENCH}namespace: team-{n % 15}\n" for n in range(150)}
    found = environment(specs)
    start = time.process_time()
    picture = draw_environment(found)
    assert time.process_time() - start < 2
    assert len(picture.groups) == 10
    (card,) = picture.groups[0].cards
    assert [row.title for row in card.rows] == ["10 RayClusters"]
    assert picture.groups[-1].rows[0].title == "60 RayClusters"


@pytest.mark.parametrize("form", pictures.FORMATS)
def test_every_format_draws_it(environment, form):
    hostile = TRAIN.replace("python train.py", f"'{HOSTILE}'")
    found = environment({**ALL, "train": hostile})
    for picture in (drawn(found, "train"), drawn(found), draw_environment(found)):
        text = pictures.FORMATS[form](picture)
        assert "head" in text
        if form == "svg":
            ElementTree.fromstring(text)
            assert "<script" not in text


def test_keys_are_unique(environment):
    found = environment(ALL)
    for picture in (*(drawn(found, name) for name in ("fruit", "again")), draw_environment(found)):
        keys = [row.key for row in picture.rows()]
        assert len(keys) == len(set(keys))
        assert {key for link in picture.links for key in link.keys} <= set(keys)

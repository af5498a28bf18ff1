"""What Flux does with a service and the objects beside it, in three stages."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from conformance.flux.journal import COMPANIONS, KINDS
from conformance.flux.judge import CURRENT
from conformance.flux.observation import Chain, Marks, changes, now
from conformance.flux.places import NAMESPACE
from conformance.flux.platforms import BOUND, COMPLETE, report, say, workloads
from conformance.flux.records import compare
from conformance.flux.repository import Repository, Step, read_steps
from conformance.flux.scene import Scene
from conformance.flux.stage import Stage, inventory, told
from conformance.kubernetes.client import Client, Object
from conformance.kubernetes.companions.asking import open_cluster
from conformance.operators.installation import apply, read
from conformance.operators.quiet import items_of, wait_for

_PLACE = "prod/gpu-east"
#: More than one look of Flux at the health of objects, which are five seconds apart.
_LOOKS = 7
_PATIENCE = 120
_OWNER = "kustomize.toolkit.fluxcd.io/name"
_STATUS = {"PersistentVolumeClaim": BOUND, "Job": COMPLETE}


@pytest.fixture
def scene(stage: Stage, tmp_path: Path) -> Iterator[Scene]:
    """The first step; in the end nothing is left of it, marked or not."""
    repository = Repository(tmp_path)
    repository.edit(step_called("all"))
    found = Scene(stage, repository)
    found.bootstrap()
    try:
        yield found
    finally:
        wait_for(lambda: all_is_well(found), _PATIENCE)
        found.delete([*stage.kustomizations()])
        for source in found.made.sources:  # whose last tree the next one would begin with
            stage.first.client.delete(source)
        cluster = open_cluster(stage.first.client)
        for thing in made_by_flux(stage.first.client):
            cluster.remove(stage.first.client.path_of(thing))


def step_called(name: str) -> Step:
    return next(step for step in read_steps("companions") if step.name == name)


def made_by_flux(client: Client) -> list[Object]:
    """The companions that there are, in whichever Kustomization; namespaces last."""
    kinds = sorted(COMPANIONS, key=lambda kind: kind == "Namespace")
    return [
        {**item, "apiVersion": _version(kind), "kind": kind}
        for kind in kinds
        for item in items_of(client, KINDS[kind])
        if _OWNER in item["metadata"].get("labels", {})
    ]


def _version(kind: str) -> str:
    return KINDS[kind].removeprefix("/apis/").removeprefix("/api/").rpartition("/")[0]


def named(thing: Object) -> str:
    return f"{thing['kind']}/{thing['metadata']['name']}"


def what_happened(scene: Scene, since: Marks) -> Object:
    """In which order, what the Kustomizations say, and what is there by then."""
    chain, known = scene.chains[_PLACE], scene.stage.kustomizations()
    found = changes(scene.stage, [chain], since)
    return {
        "order": [line for change in found for line in change.order],
        "told": {
            part: told(known[name]).replace(scene.revision, "REVISION")
            for name, part in chain.names.items()
        },
        "applied": {part: inventory(known[name]) for name, part in chain.names.items()},
        "there": sorted(map(named, made_by_flux(scene.stage.first.client))),
    }


def say_that_services_are_ready(scene: Scene) -> None:
    client = scene.stage.first.client
    for thing in workloads(client):
        say(client, thing, CURRENT)


def bind_claims(scene: Scene) -> None:
    """And complete the jobs that fill them."""
    client = scene.stage.first.client
    for thing in made_by_flux(client):
        status = _STATUS.get(thing["kind"], {})
        if not status.keys() <= thing.get("status", {}).keys():
            report(client, thing, status)


def all_is_well(scene: Scene) -> bool:
    """With controllers that do their work; what Flux still waits for, it would not delete."""
    bind_claims(scene)
    say_that_services_are_ready(scene)
    known = scene.stage.kustomizations()
    return scene.stage.are_ready([*known], scene.revision)


def is_applied(scene: Scene, part: str) -> bool:
    (name,) = (name for name, one in scene.chains[_PLACE].names.items() if one == part)
    return bool(inventory(scene.stage.kustomization(name)))


def publish_first_step(scene: Scene) -> dict[str, Object]:
    """While the claim waits for its first consumer, and when it is bound."""
    since = now(scene.stage)
    scene.publish(scene.repository.render())
    wait_for(lambda: is_applied(scene, "workloads"))
    say_that_services_are_ready(scene)
    time.sleep(_LOOKS)
    found = {"claim not bound": what_happened(scene, since)}
    since = now(scene.stage)
    wait_for(lambda: all_is_well(scene), _PATIENCE)
    return found | {"claim bound": what_happened(scene, since)}


def test_stages_marks_and_removal(scene: Scene, pytestconfig: pytest.Config) -> None:
    found = publish_first_step(scene)
    for step in read_steps("companions"):
        if step.name != "all":
            scene.repository.edit(step)
            since = now(scene.stage)
            scene.publish(scene.repository.render())
            scene.settle()
            found[step.name] = what_happened(scene, since)
    compare("companions", found, update=pytestconfig.getoption("--update-observed"))


def test_everything_is_deleted_in_reverse(scene: Scene, pytestconfig: pytest.Config) -> None:
    """As `docs/gitops.md` says how to give up a destination: the last Kustomization first."""
    publish_first_step(scene)
    found: dict[str, Object] = {}
    chain = scene.chains[_PLACE]
    for name, part in reversed(chain.names.items()):
        since = now(scene.stage)
        scene.delete([name])
        found[f"{part} deleted"] = {
            "order": order_since(scene, chain, since),
            "there": sorted(map(named, made_by_flux(scene.stage.first.client))),
        }
    compare("companions_removal", found, update=pytestconfig.getoption("--update-observed"))


def order_since(scene: Scene, chain: Chain, since: Marks) -> list[str]:
    return [line for change in changes(scene.stage, [chain], since) for line in change.order]


def test_a_claim_before_its_users_would_hold_them_back(
    scene: Scene, pytestconfig: pytest.Config
) -> None:
    """As it would be if claims were prerequisites: nobody ever asks for the volume."""
    since = now(scene.stage)
    rendered = scene.repository.render()
    move_claim(rendered / _PLACE / "flux")
    scene.publish(rendered)
    wait_for(lambda: is_applied(scene, "prerequisites"))
    time.sleep(_LOOKS)
    found = what_happened(scene, since)
    compare("claim_first", found, update=pytestconfig.getoption("--update-observed"))


def move_claim(folder: Path) -> None:
    """From the list of the workloads to that of the prerequisites."""
    claim = "../../persistentvolumeclaim/weights.yaml"
    for part in ("workloads", "prerequisites"):
        path = folder / part / "kustomization.yaml"
        listed = yaml.safe_load(path.read_text("utf-8"))
        others = [name for name in listed["resources"] if name != claim]
        listed["resources"] = others if part == "workloads" else [*others, claim]
        path.write_text(yaml.safe_dump(listed), "utf-8")


def test_the_role_is_enough_and_no_more(scene: Scene, pytestconfig: pytest.Config) -> None:
    """With the rights of `role.yaml` alone all is applied, pruned and judged; a Role is not."""
    bind_role(scene)
    publish_first_step(scene)
    scene.repository.edit(step_called("kept-ones-leave"))
    rendered, since = scene.repository.render(), now(scene.stage)
    scene.publish(rendered)
    wait_for(lambda: all_is_well(scene), _PATIENCE)
    found = {"kinds that are allowed": what_happened(scene, since)}
    since = now(scene.stage)
    add_role(rendered / _PLACE)
    scene.publish(rendered)
    wait_for(lambda: "forbidden" in told(scene.stage.kustomization(names_of(scene)[0])))
    found["another kind"] = {
        "order": order_since(scene, scene.chains[_PLACE], since),
        "told": told(scene.stage.kustomization(names_of(scene)[0])),
    }
    scene.publish(scene.repository.render())
    compare("rights", found, update=pytestconfig.getoption("--update-observed"))


def names_of(scene: Scene) -> list[str]:
    return [*scene.chains[_PLACE].names]


def bind_role(scene: Scene) -> None:
    """To an account that all Kustomizations then act as."""
    client, account = scene.stage.first.client, {"name": "servingctl", "namespace": NAMESPACE}
    (role,) = read(scene.repository.folder / "bootstrap/role.yaml")
    reference = {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole"}
    binding = {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "ClusterRoleBinding",
        "metadata": {"name": "servingctl"},
        "roleRef": {**reference, "name": role["metadata"]["name"]},
        "subjects": [{"kind": "ServiceAccount", **account}],
    }
    apply(client, {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": account})
    apply(client, role)
    apply(client, binding)
    for name in names_of(scene):
        scene.stage.change(name, {"spec": {"serviceAccountName": account["name"]}})


def add_role(folder: Path) -> None:
    """An object of a kind that is not allowed, among the prerequisites."""
    role = {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "Role",
        "metadata": {"name": "reader", "namespace": "models"},
        "rules": [],
    }
    (folder / "role.yaml").write_text(yaml.safe_dump(role), "utf-8")
    path = folder / "flux/prerequisites/kustomization.yaml"
    listed = yaml.safe_load(path.read_text("utf-8"))
    listed["resources"] = [*listed["resources"], "../../role.yaml"]
    path.write_text(yaml.safe_dump(listed), "utf-8")

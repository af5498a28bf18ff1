"""What Flux and Argo CD did with a service and what is beside it follows from what is rendered.

`conformance/flux/companions.yaml` has the steps, which are rendered here without any server.
"""

import pytest
import yaml

from conformance.argocd import records as argocd
from conformance.flux import records as flux
from conformance.flux.repository import Repository, read_steps
from renderer import load, render

PARTS = ("prerequisites", "workloads", "dependents")
PLACE = "prod/gpu-east"
#: How a step is called in the recording, where the first one is looked at twice.
FIRST = ("claim not bound", "claim bound")
_PRUNE = "kustomize.toolkit.fluxcd.io/prune"


@pytest.fixture(scope="module")
def states(tmp_path_factory):
    """The objects of each part, after each step."""
    repository, found = Repository(tmp_path_factory.mktemp("companions")), {}
    for step in read_steps("companions"):
        repository.edit(step)
        files = {file.path: file.text for file in render(load(repository.folder)).files()}
        found[step.name] = {part: listed(files, part) for part in PARTS}
    return found


def listed(files, part):
    names = yaml.safe_load(files[f"{PLACE}/flux/{part}/kustomization.yaml"])["resources"]
    return [yaml.safe_load(files[f"{PLACE}/{name.removeprefix('../../')}"]) for name in names]


def named(thing, *, with_namespace=False):
    metadata = thing["metadata"]
    space = (metadata["namespace"],) if with_namespace and "namespace" in metadata else ()
    return "/".join((thing["kind"], *space, metadata["name"]))


def kept_names(things):
    notes = ((thing, thing["metadata"].get("annotations", {})) for thing in things)
    return {named(thing) for thing, found in notes if found.get(_PRUNE) == "disabled"}


def all_of(state):
    return [thing for part in PARTS for thing in state[part]]


def in_order(row, word):
    return [line.partition(" ")[2] for line in row["order"] if line.startswith(f"{word} ")]


def test_flux_applied_what_is_listed(states):
    recorded = flux.read("companions")
    for step, state in states.items():
        wanted = {
            part: sorted(named(thing, with_namespace=True) for thing in state[part])
            for part in PARTS
        }
        assert recorded[FIRST[1] if step == "all" else step]["applied"] == wanted, step


def test_a_claim_that_waits_for_its_user_does_not_keep_it_away(states):
    waiting, bound = (flux.read("companions")[name] for name in FIRST)
    first, then, last = ([*map(named, states["all"][part])] for part in PARTS)
    assert sorted(in_order(waiting, "created")) == sorted(first + then)
    assert in_order(waiting, "ready") == ["prerequisites"]
    assert bound["order"][0] == "ready workloads"
    assert sorted(in_order(bound, "created")) == sorted(last)


def test_a_claim_before_its_user_would_keep_it_away(states):
    found = flux.read("claim_first")
    assert found["applied"]["workloads"] == found["applied"]["dependents"] == []
    assert "PersistentVolumeClaim/weights" in in_order(found, "created")
    assert "not ready" in found["told"]["workloads"]


def test_what_is_marked_stays(states):
    recorded, before = flux.read("companions"), states["all"]
    kept = kept_names(all_of(before))
    assert {name.partition("/")[0] for name in kept} == {
        "Namespace", "PersistentVolumeClaim", "ServiceAccount",
    }  # fmt: skip
    for step, state in [*states.items()][1:]:
        gone = {*map(named, all_of(before))} - {*map(named, all_of(state))}
        assert {*in_order(recorded[step], "deleted")} == gone - kept, step
        assert kept <= {*recorded[step]["there"]}, step
        before = state


def test_parts_go_as_they_came_unless_kustomizations_are_deleted_in_reverse(states):
    """The documentation says so: an empty tree is pruned part by part, the first one first."""
    assert in_order(flux.read("companions")["everything-gone"], "ready") == [*PARTS]
    removal = flux.read("companions_removal")
    kept = kept_names(all_of(states["all"]))
    for part in PARTS:
        wanted = {*map(named, states["all"][part])} - kept
        assert {*in_order(removal[f"{part} deleted"], "deleted")} == wanted, part
    assert {*removal["prerequisites deleted"]["there"]} == kept


def test_the_role_was_enough_and_no_more():
    found = flux.read("rights")
    alike = flux.read("companions")["kept-ones-leave"]
    assert found["kinds that are allowed"]["order"] == alike["order"]
    assert found["another kind"]["order"] == []
    assert "is forbidden" in found["another kind"]["told"]


def created(looks):
    """What came with each look at which something came."""
    return [{*look["created"]} for look in looks if "created" in look]


def deleted(looks):
    return [{*look["deleted"]} for look in looks if "deleted" in look]


def test_argo_cd_applied_the_parts_as_waves(states):
    """The last one only when the claim was bound."""
    found = argocd.read("sync")
    first, then, last = ({*map(named, states["all"][part])} for part in PARTS)
    assert created(found["1 claim not bound"]) == [first, then]
    waits = found["1 claim not bound"][-1]
    assert (waits["phase"], "PersistentVolumeClaim/weights" in waits["message"]) == (
        "Running",
        True,
    )
    assert created(found["2 claim bound"]) == [last]


def test_argo_cd_would_wait_for_a_claim_before_its_user(states):
    found = argocd.read("sync_claim_first")
    assert found["looks"][-1]["phase"] == "Running"
    first = {*map(named, states["all"]["prerequisites"])}
    assert {*found["there"]} == first | {"PersistentVolumeClaim/weights"}


def test_argo_cd_keeps_what_is_marked_and_prunes_in_reverse(states):
    found = argocd.read("sync")
    kept = kept_names(all_of(states["all"]))
    reverse = [{*map(named, states["settings-added"][part])} for part in reversed(PARTS)]
    assert deleted(found["6 everything-gone"]["looks"]) == reverse
    assert found["6 everything-gone"]["not pruned"].keys() == kept
    assert {*found["6 everything-gone"]["there"]} == kept
    removal = found["3 application deleted"]
    assert {*removal["kept"]} == kept
    assert [{*wave} for wave in removal["waves"]] == [
        {*map(named, states["all"][part])} - kept for part in reversed(PARTS)
    ]


def test_argo_cd_applies_nothing_beside_what_is_not_permitted():
    found = argocd.read("sync_not_permitted")
    assert found["there"] == []
    assert [*found["refused"]] == ["Role/reader"]
    assert "is not permitted in project" in found["refused"]["Role/reader"]

"""Health checks: Lua and CEL say the same of every object, and what they say is right."""

import json
from collections import Counter
from functools import cache

import pytest
import yaml

from renderer.backends.kinds import functions_of
from renderer.values.derivations import Applied
from renderer.values.diagnostics import Origin
from renderer.values.live import LiveObject, LiveObjects
from renderer.values.model import Environment
from renderer.values.statuses import Health, ObservedObject
from renderer.values.tree import uniform_tree
from tests.support.health import (
    FAULT,
    HEALTHS,
    IN_FLUX,
    by_argo_cd,
    by_flux,
    expressions,
    is_behind,
    scripts,
)
from tests.support.places import ROOT
from tests.support.rows import each
from tests.support.statuses import made_up, objects, patched

OBSERVED = ROOT / "tests/observed"
KINDS = sorted(scripts())
ORIGIN = Origin("live.json")
#: The status of a spec is judged without any objects around it.
NOWHERE = Environment("e", ("environment.yaml",), uniform_tree({}, ORIGIN), (), (), {})
IN_ARGO_CD = {
    Health.READY: "Healthy",
    Health.PROGRESSING: "Progressing",
    Health.SUSPENDED: "Suspended",
    Health.FAILED: "Degraded",
}
_NOT_TAKEN_OVER = "the phase is Available, and a party or a number of replicas is of before"
_SWITCHED_OFF = "no replicas are wanted: `status` repeats Kuscia's Progressing"
_OF_A_TRANSFORMER = "`status` says Failed of the transformer, and of the whole what Ready says"
#: What a check says otherwise than `servingctl status`, and why.
OTHERWISE = {
    "observed/kserve/cases/canary-class-none-zero": "`status` says it of the canary alone",
    "observed/kserve/cases/j45-transformer-in-models": _OF_A_TRANSFORMER,
    "observed/kserve/cases/l47-transformer-in-m": _OF_A_TRANSFORMER,
    "observed/kserve/cases/r52-knative-transformer-in-models": _OF_A_TRANSFORMER,
    "observed/kserve/cases/target-zero-transformer": _OF_A_TRANSFORMER,
    "made/kuscia/preview/digit-first": _SWITCHED_OFF,
    "made/kuscia/preview/random-505": _SWITCHED_OFF,
    "made/kuscia/preview/strategies": _SWITCHED_OFF,
    "made/kuscia/edits/03-replicas-to-0/s/after": _SWITCHED_OFF,
    "made/kuscia/edits/r904-random-tmplrole/4num/before": _SWITCHED_OFF,
    "made/kuscia/edits/r904-random-tmplrole/4num/after": _SWITCHED_OFF,
    "made/kuscia/edits/17-role-changed/s/after": _NOT_TAKEN_OVER,
    "made/kuscia/edits/18-domain-of-a-party-bob-to-carol-partner/s/after": _NOT_TAKEN_OVER,
    "made/kuscia/edits/19-self-party-added/s/after": _NOT_TAKEN_OVER,
    "made/kuscia/edits/20-partner-party-added/s/after": _NOT_TAKEN_OVER,
    "made/kuscia/edits/60-replicas-and-port-added-together/s/after": _NOT_TAKEN_OVER,
    "made/kuscia/edits/73-inputconfig-and-a-self-party-added/s/after": _NOT_TAKEN_OVER,
    "made/kuscia/edits/b01-a-party-moves-to-another-domain-of-ours/s/after": _NOT_TAKEN_OVER,
    "made/kuscia/edits/b06-a-party-of-ours-added-and-replicas-of-another/s/after": _NOT_TAKEN_OVER,
}
#: Edits after which Kuscia fails at the object for good, while a check says Healthy.
UNSEEN = {
    "16-app-image-with-a-new-port",
    "21-self-party-removed",
    "41-port-added-domain",
    "42-port-added-local",
    "48-port-renamed",
    "52-template-role-so-that-no-party-matches",
    "54-appimage-deleted-by-hand-while-in-use",
    "57-hashed-naming-port-added",
    "75-a-template-for-the-role-is-added-with-a-new-port",
    "b02-image-tag-and-a-port-added-together",
}
#: Kinds that nobody can stop.
NEVER = {kind: {"Suspended"} for kind in ("localmodelcache", "trainedmodel")}
#: Kinds of which the real platform has not been seen to write a status.
NOT_RECORDED = {"inferencegraph", "localmodelcache", "trainedmodel"}
ODD = (3, "x", True, [], {}, ["x", 3], {"x": {"status": 3}}, None)


@cache
def of_kind(kind):
    return [(name, found) for name, found in objects() if found["kind"].lower() == kind]


@cache
def answers(kind):
    """What Argo CD and Flux say of each object of a kind, by its name."""
    return {name: (by_argo_cd(kind, found), by_flux(kind, found)) for name, found in of_kind(kind)}


def in_flux(found, health):
    """What Flux must say of an object that has a health in Argo CD."""
    return "InProgress" if is_behind(found) else IN_FLUX[health]


def health_of(kind, name):
    """By Argo CD."""
    return answers(kind)[name][0][0]


def or_waits(answer):
    """Flux asks again after a fault, until its timeout."""
    return "InProgress" if answer == FAULT else answer


def test_every_kind_has_both_checks():
    kinds = [
        "inferencegraph", "inferenceservice", "kusciadeployment", "llminferenceservice",
        "localmodelcache", "raycluster", "rayjob", "rayservice", "trainedmodel",
    ]  # fmt: skip
    assert sorted(expressions()) == KINDS == kinds
    for checks in expressions().values():
        assert list(checks) == ["inProgress", "failed", "current"]


@pytest.mark.parametrize("kind", KINDS)
def test_lua_and_cel_agree(kind):
    different = []
    for name, found in of_kind(kind):
        (health, message), by_cel = answers(kind)[name]
        assert health in HEALTHS, name
        assert message, name
        flux = or_waits(by_cel)
        if flux != in_flux(found, health):
            different.append((name, health, flux))
    assert different == []


@each("case", made_up(), name=lambda case: f"{case['kind']}-{case['name']}")
def test_what_was_made_up(case):
    health, message = by_argo_cd(case["kind"], case["object"])
    assert health == case["health"], message
    assert case.get("says", "") in message
    flux = or_waits(by_flux(case["kind"], case["object"]))
    assert flux == in_flux(case["object"], case["health"])


@pytest.mark.parametrize("kind", KINDS)
def test_every_health_of_a_kind_is_made_up(kind):
    counts = Counter(case["health"] for case in made_up() if case["kind"] == kind)
    assert counts.keys() == set(HEALTHS) - NEVER.get(kind, set())


@pytest.mark.parametrize("kind", KINDS)
def test_a_fault_is_only_told_of_what_has_no_status_yet(kind):
    """What Flux asks again for shows as an error to whoever waits, so it must be rare."""
    recorded = [(name, found) for name, found in of_kind(kind) if name.startswith("observed/")]
    faults = [name for name, _ in recorded if answers(kind)[name][1] == FAULT]
    assert faults == [name for name, found in recorded if "status" not in found]


def status_of(found):
    """What `servingctl status` says of the health of an object."""
    tree = uniform_tree(found, ORIGIN)
    kind = {"KusciaDeployment": "Serving"}.get(found["kind"], found["kind"])
    here = LiveObjects((), {"Pod": "nobody may read them"})
    applied = Applied(None, NOWHERE, tree, {})
    seen = ObservedObject(applied, "east", LiveObject(tree), {"east": here})
    return IN_ARGO_CD[functions_of(kind).status(seen).health]


def is_compared(name):
    """Records of Kuscia say nothing of parties, so that what they must have said is taken."""
    recorded = name.startswith("observed/") and not name.startswith("observed/kuscia/")
    made = tuple(f"made/{kind}/" for kind in ("kuscia", "llminferenceservice", *NOT_RECORDED))
    return recorded or name.startswith(made)


@pytest.mark.parametrize("kind", KINDS)
def test_a_check_agrees_with_our_own_status(kind):
    compared = {
        name: found
        for name, found in of_kind(kind)
        if is_compared(name) and "deletionTimestamp" not in found["metadata"]
    }
    assert len(compared) > (0 if kind in NOT_RECORDED else 100)
    otherwise = {
        name for name, found in compared.items() if health_of(kind, name) != status_of(found)
    }
    assert otherwise == OTHERWISE.keys() & compared.keys()


def test_nothing_is_healthy_without_a_word_on_its_parties():
    names = [name for name in answers("kusciadeployment") if "observed/kuscia/" in name]
    healths = {health_of("kusciadeployment", name) for name in names}
    assert healths == {"Progressing", "Degraded"}


def test_failed_updates_of_kuscia_that_nobody_can_see():
    """The documentation has these: the phase is Available, and so is every party."""
    unseen, broken = set(), 0
    for path in sorted((OBSERVED / "kuscia/edits").glob("*.yaml")):
        case = yaml.load(path.read_text("utf-8"), yaml.CSafeLoader)
        if all(item.get("later_changes_obeyed", True) for item in case["observed"]):
            continue
        broken += 1
        for name in case["status"]["after"]:
            live = f"made/kuscia/edits/{path.stem}/{name}/after"
            if health_of("kusciadeployment", live) == "Healthy":
                unseen.add(path.stem)
    assert (unseen, broken) == (UNSEEN, 18)


def places(value, path=()):
    """The path of each value in an object, the object itself left out."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, child in items:
        yield (*path, key)
        if isinstance(child, dict | list):
            yield from places(child, (*path, key))


def with_value(found, path, value):
    """The object with something else at a path; with nothing, a member is removed."""
    key, *rest = path
    inner = with_value(found[key], rest, value) if rest else value
    if isinstance(found, list):
        return [*found[:key], inner, *found[key + 1 :]]
    return patched({name: child for name, child in found.items() if name != key}, {key: inner})


@pytest.mark.parametrize("kind", KINDS)
def test_values_of_any_type(kind):
    """Nothing makes a script fail, and Flux is never surer than Argo CD of what is odd."""
    base = next(case["object"] for case in made_up() if case["kind"] == kind)
    for path in places(base):
        for value in ODD:
            found = with_value(base, path, value)
            health, _ = by_argo_cd(kind, found)
            flux = or_waits(by_flux(kind, found))
            assert flux in ("InProgress", IN_FLUX[health]), (path, value, health)


@pytest.mark.parametrize(
    "script",
    [
        'return {status = "Healthy", message = string.format("%s", "a")}',
        'return {status = "Healthy", message = ("a"):upper()}',
        "return {status = math.max(1, 2), message = os.time()}",
        "while true do end",
        "return {status = obj.status.nothing.phase}",
    ],
    ids=["string", "method", "math", "endless", "nil"],
)
def test_what_argo_cd_does_not_allow(script):
    """The scripts are run under its restrictions, or the tests above would mean little."""
    with pytest.raises(Exception, match=r"attempt to|takes too long"):
        by_argo_cd("rayjob", {"status": {}}, script)


@pytest.mark.parametrize(("program", "is_lua"), [("argocd", True), ("flux", False)])
def test_the_real_program_says_the_same(program, is_lua):
    """Of each object, as `make conformance` has recorded it."""
    path = OBSERVED / program / "health.json"
    if not path.exists():
        pytest.skip(f"{path.name} of {program} is not recorded")
    recorded, different = json.loads(path.read_text("utf-8")), {}
    known = dict(objects())
    assert recorded.keys() == known.keys(), "record it again: `make conformance`"
    for name, found in known.items():
        said, (by_lua, by_cel) = recorded[name], answers(found["kind"].lower())[name]
        ours = by_lua if is_lua else by_cel
        if ours != ((said["status"], said["message"]) if is_lua else said["status"]):
            different[name] = (ours, said)
    assert different == {}

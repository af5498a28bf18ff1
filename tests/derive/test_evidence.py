"""What is said to be observed was recorded: in this version, mode and component, of this field."""

import json

import pytest

from conformance.kuberay.places import GATED
from renderer import compare
from renderer.backends.kserve.change_kinds import CHANGE_KINDS
from renderer.backends.kserve.dialect import Dialect as KServe
from renderer.backends.kuberay.behaviour.objects import KINDS as KUBERAY_KINDS
from renderer.backends.kuberay.dialect import Dialect as KubeRay
from renderer.backends.kuscia.behaviour.table import KINDS as KUSCIA_KINDS
from renderer.backends.kuscia.dialect import NEWEST as KUSCIA
from renderer.changes import impact
from renderer.changes.kubernetes_behaviour import KINDS
from renderer.derive.behaviour import NOTHING
from renderer.derive.evidence import place_text
from renderer.values.changes import Effect
from renderer.values.diagnostics import Origin
from renderer.values.tree import uniform_tree
from tests.support import kserve_states, kuberay_states, kuscia_evidence
from tests.support.evidence import (
    TARGET,
    evidence_list,
    evidence_of,
    recorded_rows,
    text_of,
    tree_of,
)
from tests.support.kserve_states import model, runtime, service
from tests.support.kuscia_edits import EDITS as EDITS_OF_KUSCIA
from tests.support.kuscia_edits import NAMES, comparison_of, described
from tests.support.memory import project
from tests.support.replacements import edited, files_below
from tests.support.samples import sample

CLASS, STOP = "serving.kserve.io/autoscalerClass", "serving.kserve.io/stop"
VERSIONS = (
    "0.14.0",
    "0.15.0",
    "0.15.2",
    "0.16.0",
    "0.17.0",
    "0.18.0",
    "0.20.0",
    "0.21.0",
)
IMAGES = [[{"name": "kserve-container", "image": f"example/server:{tag}"}] for tag in ("1", "2")]
#: Edits of which nothing was recorded before 0.19, some of which older versions do not follow.
EDITS = {
    "autoscalerClass": [service(), service(annotations={CLASS: "none"})],
    "stop": [service(), service(annotations={STOP: "true"})],
    "mode": [service("Standard"), service("Knative")],
    "address": [service(), service(model=model(storageUri="gs://models/iris/2"))],
}


@pytest.mark.parametrize("platform", sample(evidence_of(), "kserve", "kuberay"))
def test_the_files_are_what_recordings_show(platform):
    """`python -m tests.support.evidence` writes them."""
    recorded = (TARGET / f"{platform}.json").read_text("utf-8")
    assert recorded == text_of(evidence_list(platform))


def test_single_rows_are_in_the_file():
    """Of Kuscia, where all of them take seconds."""
    whole = text_of(kuscia_evidence.evidence(NAMES[::10]))
    found = tree_of(kuscia_evidence.evidence(NAMES[::10]))
    recorded = (TARGET / "kuscia.json").read_text("utf-8")
    assert len(whole) > 500
    for modes in found.values():
        for sources in modes.values():
            for units in sources.values():
                for edits in units.values():
                    assert all(f'"{edit}": ' in recorded for edit in edits)


def consequences(before, after, version, *others):
    env = kserve_states.environment(version=version)
    first, last = map(kserve_states.manifest, (before, after))
    around = [kserve_states.manifest(item) for item in others]
    sides = (kserve_states.state(item, *around, env=env) for item in (first, last))
    found = kserve_states.impacts(kserve_states.compared(first, last), *sides)
    return [impact.consequence for _, impact in found]


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("edit", EDITS)
def test_other_versions_were_not_observed(edit, version):
    said = consequences(*EDITS[edit], version)
    assert said
    assert any("(observed)" in text for text in said) is (version == "0.20.0")


@pytest.mark.parametrize(
    ("fields", "is_seen"),
    [
        pytest.param({"runtimeClassName": "gvisor"}, True, id="recorded"),
        pytest.param({"nodeSelector": {"disk": "fast"}}, False, id="not recorded"),
    ],
)
def test_of_an_older_version_its_own_rows_count(fields, is_seen):
    said = consequences(service(), service(**fields), "0.19.0")
    assert said
    assert any("(observed)" in text for text in said) is is_seen


@pytest.mark.parametrize("version", VERSIONS)
def test_runtimes_of_other_versions_were_not_observed(version):
    user = service(model=model(runtime="ours"))
    env = kserve_states.environment(version=version)
    first, last = (kserve_states.manifest(runtime(containers=item)) for item in IMAGES)
    sides = (
        kserve_states.state(item, kserve_states.manifest(user), env=env) for item in (first, last)
    )
    found = kserve_states.impacts(kserve_states.compared(first, last), *sides)
    assert found
    seen = {"(observed)" in impact.consequence for _, impact in found}
    assert seen == {version == "0.20.0"}


@pytest.mark.parametrize("version", ["1.5.1", "1.6.0", "1.6.1", "1.6.2", "1.6.3", "1.7.0", "1.8.0"])
def test_other_versions_of_kuberay_were_not_observed(version):
    def cluster(tag):
        container = {"name": "ray-head", "image": f"rayproject/ray:{tag}"}
        head = {"rayStartParams": {}, "template": {"spec": {"containers": [container]}}}
        metadata = {"name": "a", "namespace": "ray"}
        spec = {"rayVersion": "2.52.0", "headGroupSpec": head}
        return {"apiVersion": "ray.io/v1", "kind": "RayCluster", "metadata": metadata, "spec": spec}

    env = kuberay_states.environment(version=version)
    first, last = (kuberay_states.manifest(cluster(tag)) for tag in ("2.52.0", "2.52.1"))
    sides = (kuberay_states.state(item, env=env) for item in (first, last))
    found = kuberay_states.impacts(kuberay_states.compared(first, last), *sides)
    assert found
    seen = {"(observed)" in impact.consequence for _, impact in found}
    assert seen == {version == "1.6.1"}


def recorded_versions(platform):
    return [*json.loads((TARGET / f"{platform}.json").read_text("utf-8"))]


def test_the_version_that_is_assumed_was_observed():
    """Of an environment that names none."""
    assert str(KServe()) in recorded_versions("kserve")
    assert str(KubeRay()) in recorded_versions("kuberay")
    assert KUSCIA in recorded_versions("kuscia")


def test_previews_know_which_versions_were_observed():
    """A preview of another version says that it is inferred."""
    versions = [f"1.{minor}.{patch}" for minor in range(10) for patch in range(5)]
    seen = [version for version in versions if KubeRay.of(version).is_observed]
    assert seen == recorded_versions("kuberay")


@pytest.mark.parametrize(
    ("before", "after", "is_seen"),
    [
        pytest.param({}, {"nodeSelector": {"disk": "fast"}}, True, id="recorded"),
        pytest.param({}, {"hostAliases": [{"ip": "10.0.0.1"}]}, None, id="another field"),
    ],
)
def test_the_field_decides(before, after, is_seen):
    said = consequences(service(**before), service(**after), "0.20.0")
    recorded = (TARGET / "kserve.json").read_text("utf-8")
    field = f'"spec.predictor.{next(iter(after))}"'
    assert said
    assert any("(observed)" in text for text in said) is (field in recorded)
    assert is_seen is None or is_seen is (field in recorded)


def test_the_component_decides():
    """A label of the service was recorded without a transformer beside the predictor."""
    both = {"transformer": {"containers": [{"name": "kserve-container", "image": "example/t:1"}]}}
    said = consequences(service(**both), service(minReplicas=2, **both), "0.20.0")
    assert all("(observed)" in text for text in said)
    scaled = {"transformer": {**both["transformer"], "minReplicas": 2}}
    said = consequences(service(**both), service(**scaled), "0.20.0")
    recorded = (TARGET / "kserve.json").read_text("utf-8")
    is_known = '"spec.transformer.minReplicas"' in recorded
    assert any("(observed)" in text for text in said) is is_known


@pytest.mark.parametrize(
    ("path", "place"),
    [
        (("spec", "list", 0, "name"), "spec.list.*.name"),
        (("spec", "list", "[alice/guest]"), "spec.list.*"),
        (("metadata", "labels", "team"), "metadata.labels.*"),
        (("metadata", "labels", "example.com/team"), "metadata.labels.example.com/team"),
        (("spec", "files", "a.conf"), "spec.files.*"),
        (("spec", "text", "inside", 0), "spec.text"),
    ],
)
def test_places(path, place):
    tree = uniform_tree({"spec": {"list": [], "text": "{inside: [1]}"}}, Origin("a"))
    assert place_text(path, tree, frozenset(("files",))) == place


@pytest.mark.parametrize(
    ("annotations", "is_seen"),
    [
        pytest.param({"autoscaling.knative.dev/window": "60s"}, True, id="recorded"),
        pytest.param({"autoscaling.knative.dev/other": "60s"}, False, id="another key"),
        pytest.param(
            {"autoscaling.knative.dev/window": "60s", "autoscaling.knative.dev/other": "1"},
            False,
            id="not alone",
        ),
    ],
)
@pytest.mark.parametrize("is_added", [True, False])
def test_of_a_map_that_comes_or_goes_its_keys_count(annotations, is_seen, is_added):
    sides = [service(), service()]
    sides[is_added]["spec"]["predictor"]["annotations"] = annotations
    said = consequences(*sides, "0.20.0")
    assert said
    assert any("(observed)" in text for text in said) is is_seen


#: The usual version of each platform, and what its rows of edits have as their environment.
STATES = {"kserve": (kserve_states, "0.20.0"), "kuberay": (kuberay_states, "1.6.1")}
#: Settings whose rows are no edit by which they are asked for, and why.
NOT_ASKED = {
    ("0.20.0", "Raw", "InferenceService", "predictor"),  # no mode: it is refused
    ("1.6.1", "None", "RayCluster", "head"),  # edits of its workers, and nothing happens
}
#: An edit of one unit is a row of the others, too.
_SOME = 3
#: One of each setting of Kuscia, as to look at all of them takes seconds.
KUSCIA_EDITS = (
    "01-replicas-2-to-3",
    "30-image-tag",
    "52-template-role-so-that-no-party-matches",
    "p1-partner-plane-image-tag",
    "p5-partner-plane-inputconfig",
    "p7-partner-plane-hashed-names-image-tag",
)


@pytest.fixture
def asked(monkeypatch):
    """The settings of which recordings are looked for: version, mode, edited kind and unit."""
    found = set()

    def note(kind, setting, situation):
        if setting:
            found.add((setting.version, setting.mode, situation.source, setting.unit))
        return False

    monkeypatch.setattr(impact, "is_observed", note)
    return found


def edits_by_setting(platform, version):
    """Some plain rows of edits for each setting that was recorded by hand."""
    rows = {row["name"]: row for item, row in recorded_rows(platform, version) if item == version}
    found = {}
    for item in evidence_list(platform):
        row = rows[item.row] if item.edit and item.version == version else {}
        if "before" in row and not {"base", "others_before", "others_after"} & row.keys():
            found.setdefault((item.version, item.mode, item.source, item.unit), []).append(row)
    return {key: rows[:_SOME] for key, rows in found.items() if key not in NOT_ASKED}


@pytest.mark.parametrize("platform", STATES)
def test_recordings_are_looked_for_in_the_setting_of_the_edit(platform, asked):
    states, version = STATES[platform]
    found = edits_by_setting(platform, version)
    assert len(found) > 10
    for key, rows in found.items():
        asked.clear()
        for row in rows:
            env = states.environment(version=version, **settings_of(platform, row))
            sides = [states.manifest(row[side]) for side in ("before", "after")]
            both = (states.state(side, env=env) for side in sides)
            states.impacts(states.compared(*sides), *both)
        assert key in asked, [row["name"] for row in rows]


def settings_of(platform, row):
    """How the platform was installed where an edit was recorded."""
    if platform == "kserve":
        return {"default_mode": row.get("default_mode", "Knative")}
    is_gated = row["after"]["metadata"]["namespace"] == GATED
    return {"feature_gates": {"RayServiceIncrementalUpgrade": is_gated}}


@pytest.mark.parametrize("name", KUSCIA_EDITS)
def test_recordings_of_kuscia_are_looked_for_in_the_setting_of_the_edit(name, asked):
    comparison_of(name)
    keys = {(i.version, i.mode, i.source, i.unit) for i in kuscia_evidence.evidence((name,))}
    assert keys
    assert keys <= asked


@pytest.mark.parametrize("version", ["1.0.0b0", "1.1.0b0", "1.2.0b0"])
def test_other_versions_of_kuscia_were_not_observed(version):
    case = described("07-inputconfig-value")
    files = files_below(EDITS_OF_KUSCIA / "bases" / case["base"])
    text = files["environments/e/environment.yaml"]
    changed = text.replace("kuscia:\n", f"kuscia:\n  version: {version}\n")
    files["environments/e/environment.yaml"] = changed
    found = compare(project(files), project(edited(files, case["edit"])), ["e"])
    said = [impact.consequence for item in found.objects for _, impact in item.impacts]
    assert said
    assert any("(observed)" in text for text in said) is (version == "1.1.0b0")


ALL_KINDS = {"": KINDS, "kserve": CHANGE_KINDS, "kuberay": KUBERAY_KINDS, "kuscia": KUSCIA_KINDS}
#: What a recording of the edit cannot show, as it is about callers, other values or other edits.
NEVER_SHOWN = {
    "": {"object-made", "object-deleted", "refused-by-crd", "same"},
    "kserve": {"hidden", "shown", "other-name-left"},
    "kuberay": {
        "bounds",
        "finalizer-added",
        "finalizer-left",
        "job-deletion",
        "job-shutdown",
        "replicas-left",
        "scaled-same",
    },
    "kuscia": {"created", "moved", "domain-came", "domain-left", "image-pinned", "replicas"},
}


@pytest.mark.parametrize("platform", ALL_KINDS)
def test_nothing_is_observed_and_inferred(platform):
    for name, kind in ALL_KINDS[platform].items():
        says_both = "(inferred)" in kind.consequence and "{observed}" not in kind.consequence
        assert not says_both or not kind.outcomes, name


@pytest.mark.parametrize("platform", ALL_KINDS)
def test_an_outcome_shows_what_a_kind_of_change_says(platform):
    """Its own effect; that nothing happened shows only what leaves pods alone."""
    kinds = ALL_KINDS[platform].items()
    quiet = {Effect.DEFERRED, Effect.IGNORED, Effect.IN_PLACE, Effect.ORPHANS}
    for name, kind in kinds:
        stays = {NOTHING, str(Effect.IN_PLACE)} if kind.effect in quiet else set()
        shows = {str(kind.effect), *stays}
        assert set(map(str, kind.outcomes)) <= shows, name
    assert {name for name, kind in kinds if not kind.outcomes} == NEVER_SHOWN[platform]

"""What is asked once for several environments comes out as if each of them were asked."""

import pytest

from benchmarks.fleets import write_fleet
from renderer import load, render
from renderer.backends.kinds import functions_of
from renderer.compose import environments
from renderer.rules import specs
from renderer.rules.specs import _is_placeless, _rules_for

#: What environments say otherwise than the base.
SETTINGS = {
    "dev": "kserve: {version: 0.15.0, default_mode: Knative}\nkuberay: {version: 1.3.0}\n",
    "staging": "vars: {ray_version: 2.9.0}\n",
    "prod": (
        "production: true\nkuberay: {version: 1.4.2, feature_gates: {RayServiceIncrementalUpgrade: "
        "true}}\nkserve: {default_mode: Knative, runtimes: []}\n"
    ),
}
#: Edits of the base that rules have something to say of, in some environments or in all.
FAULTS = {
    "KServe": [
        ("maxReplicas: 4", "maxReplicas: 0"),
        ("name: sklearn", "name: nothing"),
        ("s3://", "s4://"),
        ("predictor:", "annotations: {serving.kserve.io/deploymentMode: Standrad}\npredictor:"),
        ("minReplicas: 1", "minReplicas: 0"),
        ("cpu: 500m", "cpu: 5 cores"),
    ],
    "KubeRay": [
        ("minReplicas: 1", "minReplicas: 3"),
        ("num-cpus", "num_cpus"),
        ("-py311", "-py310"),
        ("route_prefix: /", "route_prefix: "),
        ("limits: {cpu: ", "limits: {cores: "),
        ("groupName: replicas", "groupName: 'Re plicas'"),
    ],
}


def repository(root, platform, *faults):
    paths = write_fleet(root, platform, len(faults) + 1)
    for path, (old, new) in zip(paths, faults, strict=False):
        path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")
    for name, settings in SETTINGS.items():
        file = root / f"environments/{name}/environment.yaml"
        text = file.read_text("utf-8") + settings
        file.write_text(text.replace("namespace: models", f"namespace: {name}"), "utf-8")
    return load(root)


def outcome(project):
    made = render(project)
    return made.diagnostics, made.files()


@pytest.mark.parametrize("platform", FAULTS)
def test_environments_that_differ(tmp_path, monkeypatch, platform):
    shared = outcome(repository(tmp_path / "shared", platform, *FAULTS[platform]))
    assert len({item.code for item in shared[0]}) >= 5
    named = {item.environments for item in shared[0]}
    assert ("dev", "prod", "staging") in named
    assert any(len(names) < 3 for names in named)
    monkeypatch.setattr(specs, "_known", lambda *_: {})
    monkeypatch.setattr(environments, "_known_layers", lambda *_: [])
    monkeypatch.setattr(environments, "_merged", environments._merged.__wrapped__)
    assert outcome(repository(tmp_path / "apart", platform, *FAULTS[platform])) == shared


@pytest.mark.parametrize("platform", FAULTS)
@pytest.mark.parametrize("name", SETTINGS)
def test_an_environment_by_itself(tmp_path, platform, name):
    """Whatever was asked before it, the same is said of it."""
    project = repository(tmp_path, platform, *FAULTS[platform])
    every, alone = render(project).diagnostics, render(load(tmp_path), [name]).diagnostics
    said, said_alone = (
        {(*item.place, item.code, item.message) for item in some if name in item.environments}
        for some in (every, alone)
    )
    assert said_alone == said


@pytest.mark.parametrize("kind", ["InferenceService", "RayService", "RayCluster", "RayJob"])
def test_most_rules_read_no_place(kind):
    """A signature says it; one that is given everything is asked in each environment."""
    placeless, others = _rules_for(kind)
    assert len(placeless) > 5 * len(others)
    assert functions_of(kind).placeless is not None


def test_what_a_signature_says():
    def of_everything(view: object) -> None: ...

    assert not _is_placeless(of_everything)
    assert not _is_placeless(lambda view: ())

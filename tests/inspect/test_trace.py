"""Where a value comes from, for every value there is."""

import json

import pytest

from renderer import load, render
from renderer.errors import UsageError
from renderer.inspect.trace import trace_made, trace_manifests, trace_spec
from renderer.text.yaml_reader import read
from renderer.values.derivations import DerivedObject
from renderer.values.tree import walk
from tests.support.places import ROOT
from tests.support.processes import run
from tests.support.repositories import HEADER, SMALL

BASE = "environments/base/servings/credit-risk.yaml"
PROD = "environments/prod/servings/credit-risk.yaml"


@pytest.fixture(scope="module")
def project():
    return load(ROOT)


def spec_of(project, environment, stem):
    (found,) = [item for item in project.environments if item.name == environment]
    return next(spec for spec in found.specs if spec.stem == stem)


def told(trace):
    return [(e.origin.file, e.origin.line, e.deleted, e.wins) for e in trace.events]


def test_set_and_overridden(project):
    trace = trace_spec(
        spec_of(project, "prod", "credit-risk"), "parties[bob].resources[0].max_memory"
    )
    assert trace.value == "8Gi"
    assert [e.value for e in trace.events] == ["4Gi", "8Gi"]
    assert told(trace)[-1] == (PROD, 18, False, True)
    assert not trace.events[0].wins


def test_deleted(project):
    path = "serving_input_config.partyConfigs.alice.featureSourceConfig.mockOpts"
    trace = trace_spec(spec_of(project, "prod", "credit-risk"), path)
    assert not trace.exists
    assert [(e.origin.file, e.deleted, e.wins) for e in trace.events] == [
        (BASE, False, False),
        (PROD, True, False),
    ]


def test_deleted_above_and_set_again(repository):
    kind = HEADER.format("Serving")
    top = kind + "parties: [{domain_id: alice, app_image: a}]\n"
    root = repository({
        "environments/mid/environment.yaml": HEADER.format("Environment") + "extends: dev\n",
        "environments/mid/servings/risk.yaml": kind + "parties: null\n",
        "environments/top/environment.yaml": HEADER.format("Environment") + "extends: mid\n",
        "environments/top/servings/risk.yaml": top,
    })  # fmt: skip
    trace = trace_spec(spec_of(load(root), "top", "risk"), "parties[alice].app_image")
    assert [(e.value, e.deleted) for e in trace.events] == [
        ("scorer", False),
        (None, True),
        ("a", False),
    ]


def test_by_manifest_path(project):
    manifests = [m for m in render(project).manifests if m.environment == "prod"]
    mine = [m for m in manifests if m.spec.stem == "credit-risk"]
    (trace,) = trace_manifests(mine, "spec.parties[0].template.replicas")
    assert trace.value == 2
    assert [e.value for e in trace.events] == [1, 2]
    (by_name,) = trace_manifests(mine, "spec.parties[alice].template.replicas")
    assert by_name == trace


def test_destinations_that_differ_are_told_apart(project):
    images = [
        m
        for m in render(project).manifests
        if m.environment == "prod" and m.spec.stem == "secretflow-serving"
        and m.spec.kind.name == "AppImage"
    ]  # fmt: skip
    traces = trace_manifests(images, "spec.image.name")
    assert [t.destinations for t in traces] == [("alice",), ("bob",)]
    (tag,) = trace_manifests(images, "spec.image.tag")
    assert tag.destinations == ("alice", "bob")
    assert "${vars.serving_version}" in tag.events[-1].origin.note


def test_it_answers_for_every_leaf_of_the_example(project):
    def text(path):
        parts = (f"[{s}]" if isinstance(s, int) else f'["{s}"]' for s in path[1:])
        return "".join((str(path[0]), *parts))

    for manifest in render(project).manifests:
        for path, node in walk(manifest.tree):
            if path and path[0] in ("metadata", "spec"):
                (trace,) = trace_manifests([manifest], text(path))
                assert trace.value == node.plain()
                assert trace.events
                origin = trace.events[-1].origin
                assert origin.file or origin.note, path


@pytest.mark.parametrize(
    ("path", "part"),
    [
        ("parties[bbo].replicas", "did you mean '[bob]'?"),
        ("partys", "did you mean 'parties'?"),
        ("parties[7]", "there is no '[7]'"),
        ("", "is not a path"),
        ("a..b", "is not a path"),
        ("a[", "is not a path"),
    ],
)
def test_wrong_paths(project, path, part):
    with pytest.raises(UsageError) as caught:
        trace_spec(spec_of(project, "prod", "credit-risk"), path)
    assert part in str(caught.value)


@pytest.mark.process
def test_command_line():
    done = run("trace", "credit-risk", "parties[bob].replicas", "--env", "prod", cwd=ROOT)
    assert done.stdout == (
        "parties[bob].replicas = 2\n"
        "    environments/base/environment.yaml:14:17  1\n"
        "  → environments/prod/environment.yaml:35:17  2\n"
    )
    done = run("trace", "credit-risk", "initiator", "--env", "dev", "--format", "json", cwd=ROOT)
    document = json.loads(done.stdout)
    assert document["version"] == 1
    assert document["traces"][0]["value"] == "alice"
    assert document["traces"][0]["events"][0]["wins"] is True


@pytest.mark.process
@pytest.mark.parametrize(
    ("spec", "part"),
    [
        ("credit-rsk", "did you mean 'credit-risk'?"),
        ("dataproxy", "say AppImage/dataproxy or Serving/dataproxy"),
        ("AppImage/credit-risk", "there is no spec"),
    ],
)
def test_which_spec(spec, part):
    done = run("trace", spec, "image", "--env", "prod", cwd=ROOT)
    assert done.returncode == 2
    assert part in done.stderr


@pytest.mark.process
def test_what_cannot_be_traced_says_why(repository):
    root = repository({
        "environments/lost/environment.yaml": HEADER.format("Environment") + "extends: nope\n",
        "environments/base/environment.yaml": HEADER.format("Environment"),
        "environments/base/servings/risk.yaml": HEADER.format("Serving") + "initiator: alice\n",
    })  # fmt: skip
    lost = run("trace", "risk", "initiator", "--env", "lost", cwd=root)
    assert (lost.returncode, "[ENV005]" in lost.stdout) == (1, True)
    unrendered = run("trace", "risk", "spec.initiator", "--env", "base", cwd=root)
    assert unrendered.returncode == 1
    assert "is not rendered" in unrendered.stderr


def test_defaults_of_names_and_images(repository):
    text = "initiator: alice\napp_image: scorer\nparties: [{domain_id: alice}]\n"
    root = repository({"environments/dev/servings/risk.yaml": HEADER.format("Serving") + text})
    project = load(root)
    name = trace_spec(spec_of(project, "dev", "risk"), "serving_id")
    assert (name.value, name.events[0].origin.note) == ("risk", "the name of the file")
    mine = [m for m in render(project).manifests if m.spec.stem == "risk"]
    (image,) = trace_manifests(mine, "spec.parties[0].appImageRef")
    assert image.events[-1].origin.line == 4


def test_the_use_of_a_variable_is_told_that_an_environment_overrides(repository):
    image = "environments/dev/appimages/scorer.yaml"
    root = repository({
        image: SMALL[image].replace("tag: v1", 'tag: "${vars.tag}"'),
        "environments/dev/environment.yaml": SMALL["environments/dev/environment.yaml"]
        + "vars: {tag: v1}\n",
        "environments/top/environment.yaml": HEADER.format("Environment")
        + "extends: dev\nvars: {tag: v2}\n",
    })  # fmt: skip
    trace = trace_spec(spec_of(load(root), "top", "scorer"), "image.tag")
    assert [event.value for event in trace.events] == ["v1", "v2"]
    assert trace.events[-1].origin.note == f"used as ${{vars.tag}} at {image}:3:36"


def test_an_object_that_a_platform_makes_is_traced_value_by_value():
    tree = read(
        b"apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: iris}\n", "a.yaml"
    ).document.tree
    made = [("east", DerivedObject(tree))]
    (found,) = trace_made(made, "Deployment/iris.metadata.name")
    assert (found.value, found.destinations) == ("iris", ("east",))
    with pytest.raises(UsageError, match=r"whole object; name a value .* Deployment/iris\.spec"):
        trace_made(made, "Deployment/iris")
    with pytest.raises(UsageError, match="did you mean 'Deployment/iris'"):
        trace_made(made, "Deployment/irsi.spec")

"""What we rendered is imported to specs that are rendered to the same bytes."""

import json

import pytest
from hypothesis import HealthCheck, assume, given, settings

from renderer.backends.kinds import owner_of
from renderer.evaluate.run import render
from tests.support import kserve_specs, kuscia_specs, ray_repositories
from tests.support.adoption import import_again, in_memory
from tests.support.places import ROOT
from tests.support.samples import sample

GOLDEN = ROOT / "tests/golden"
#: Of a serving that a partner starts, only the AppImage is ours, and nothing tells what it is for.
UNKNOWN = {"kuscia-external-initiator-prod"}


def repository(folder):
    """The files of a golden case as texts."""
    return {
        path.relative_to(folder).as_posix(): path.read_text("utf-8")
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "expected" not in path.relative_to(folder).parts
    }


def cases():
    """Golden cases whose kinds can all be imported, each with its environments."""
    for folder in sorted(GOLDEN.glob("*/*/")):
        project = in_memory(repository(folder))
        for environment in project.environments:
            backends = {owner_of(spec.kind.name) for spec in environment.specs}
            importers = [backend.load().importer for backend in backends]
            if environment.destinations and importers and all(importers):
                name = f"{folder.parent.name}-{folder.name}-{environment.name}"
                if name not in UNKNOWN:
                    yield name, (folder, environment.name)


CASES = dict(cases())


@pytest.mark.parametrize("name", CASES)
def test_a_golden_case(name):
    folder, environment = CASES[name]
    before, after = import_again(repository(folder), environment)
    assert after == before


PLATFORMS = {
    "kuscia": kuscia_specs.repositories,
    "kserve": kserve_specs.kserve_repositories,
    "kuberay": ray_repositories.ray_repositories,
}
TOLERANT = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])


@pytest.mark.parametrize("examples", sample([3, 60], 3))
@pytest.mark.parametrize("platform", PLATFORMS)
def test_generated_specs(platform, examples):
    @settings(TOLERANT, max_examples=examples)
    @given(PLATFORMS[platform]())
    def import_generated(files):
        texts = {path: json.dumps(tree, ensure_ascii=False) for path, tree in files.items()}
        assume(render(in_memory(texts), ["dev"]).is_sound)
        before, after = import_again(texts, "dev")
        assert after == before

    import_generated()

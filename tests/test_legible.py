"""A spec with wrong values is judged as far as it can be read, and each fault is told once."""

import pytest

from renderer import check, load
from tests.conftest import HEADER, SERVING

SPEC = "environments/dev/servings/risk.yaml"
IMAGE = "environments/dev/appimages/scorer.yaml"
TEN_FAULTS = """\
apiVersion: serving.gitops/v1
kind: Serving
initiatr: alice
initiator: carol
affinity_mode: sometimes
labels: {kuscia.secretflow/initiator: x}
parties:
  - domain_id: alice
    app_image: scoring
    replicas: many
  - domain_id: bob
    app_image: pair
    role: guest
    replicas: 0
    update_strategy: {type: RollingUpdate, max_surge: a lot}
    resources:
      - {container_name: third, min_cpu: "1"}
      - {container_name: first, min_cpu: 2Gi, max_memory: 100 MB}
  - domain_id: dave
    app_image: pair
"""


def found(root, *, of=""):
    return [(item.line, item.code) for item in check(load(root)) if item.file.startswith(of)]


def test_every_fault_of_a_file_is_told_in_one_run(repository):
    lines = {line for line, _ in found(repository({SPEC: TEN_FAULTS}), of=SPEC)}
    assert lines >= {3, 4, 5, 6, 9, 10, 14, 15, 17, 18, 19}


@pytest.mark.parametrize(
    ("file", "old", "new", "expected"),
    [
        (SPEC, "initiator: alice", "initiator: [alice]", "SPC012"),
        (SPEC, "initiator: alice\n", "", "SPC011"),
        (SPEC, "{domain_id: alice, app_image: scorer}", "alice", "SPC012"),
        (SPEC, "{domain_id: alice, app_image: scorer}", "{app_image: scorer}", "SPC011"),
        (SPEC, "app_image: scorer", "app_image: 7", "SPC013"),
        (IMAGE, "deployTemplates:\n", "deployTemplates: 7\nlabels:\n", "SPC012"),
        (IMAGE, "name: scorer, workingDir", "name: [], workingDir", "SPC012"),
        (IMAGE, "name: service,", "name: {},", "SPC012"),
        (IMAGE, "role: guest", "role: 1", "SPC013"),
        (IMAGE, "kind: AppImage", "kind: AppImages", "SPC002"),
        (IMAGE, "image: {", "image: {{", "YML011"),
    ],
)
def test_a_value_that_cannot_be_read_is_told_once(repository, file, old, new, expected):
    """Nothing is said of what would follow from it."""
    root = repository()
    before = {code for _, code in found(root)}
    text = (root / file).read_text("utf-8")
    assert old in text
    (root / file).write_text(text.replace(old, new, 1), "utf-8")
    told = [item for item in check(load(root)) if item.code not in before]
    assert {item.code for item in told} - {"SPC010"} == {expected}
    assert {item.file for item in told} == {file}


def test_what_a_base_gets_wrong_is_not_held_against_its_heirs(repository):
    base = HEADER.format("Environment")
    root = repository(
        {
            "environments/base/environment.yaml": base,
            "environments/base/servings/risk.yaml": SERVING.replace("parties:", "parties: 7\nx:"),
            "environments/dev/environment.yaml": base
            + "extends: base\ndestinations: [{name: east, platform: kuscia, domains: [alice]}]\n",
            SPEC: HEADER.format("Serving") + "parties: [{domain_id: bob, app_image: pair}]\n",
        }
    )
    assert not found(root, of=SPEC)

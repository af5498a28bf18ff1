"""What the real controllers stored, imported to specs: nothing that runs would change."""

import json

import yaml

from renderer.evaluate.run import render
from tests.support.adoption import imported, in_memory, with_import
from tests.support.observed import FOLDER, ObservedCase
from tests.support.repositories import texts
from tests.support.rows import each

CASES = [ObservedCase(path) for path in sorted((FOLDER / "preview").glob("*/"))]
#: The others are copies that Kuscia made of deployments, and none of ours.
OURS = [case for case in CASES if case.says["plane"] == "initiator"]


def repository(case):
    """The environments and templates of a case, without its specs."""
    files = {
        path.relative_to(case.repository).as_posix(): path.read_text("utf-8")
        for path in sorted(case.repository.rglob("*"))
        if path.is_file()
    }
    return files, {
        path: text
        for path, text in files.items()
        if "kind: Environment" in text or not path.startswith("environments/")
    }


@each("case", OURS, name=lambda case: case.id)
def test_stored_objects(case):
    files, empty = repository(case)
    stored = list(yaml.safe_load_all((case.folder / "stored.yaml").read_text("utf-8")))
    listing = json.dumps({"apiVersion": "v1", "kind": "List", "items": stored}, indent=2)
    adoption = imported(empty, {"stored.json": listing}, case.says["environment"])
    assert not adoption.unreadable
    assert not adoption.errors, adoption.errors
    assert not adoption.differences, adoption.differences
    made = texts(render(in_memory(with_import(empty, adoption)), [case.says["environment"]]))
    wanted = texts(render(in_memory(files), [case.says["environment"]]))
    place = f"{case.says['environment']}/{case.says['destination']}/"
    for item in stored:
        name = f"{place}{item['kind'].lower()}s/{item['metadata']['name']}.yaml"
        assert yaml.safe_load(made[name]) == yaml.safe_load(wanted[name])

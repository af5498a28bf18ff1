"""One fault each in the example environments: the code, the file and the line that caused it."""

import json
import re
import shutil

import pytest
import yaml

from renderer import check, load
from renderer.values.diagnostics import Severity
from tests.conftest import ENVIRONMENT, HEADER, ROOT, SHARED

FAULTS = json.loads((ROOT / "tests/corpus/faults.json").read_text("utf-8"))


def name(fault):
    """The file and the part of the text that is new."""
    stem = fault["file"].split("/")[1] + "-" + fault["file"].rsplit("/", 1)[1].split(".")[0]
    words = re.sub(r"[^A-Za-z0-9_.]+", "-", fault["by"].splitlines()[-1]).strip("-")
    return f"{stem}-{words[:40]}"


@pytest.fixture(scope="module")
def example(tmp_path_factory):
    root = tmp_path_factory.mktemp("example")
    shutil.copytree(ROOT / "environments", root / "environments")
    shutil.copy(ROOT / "servingctl.yaml", root)
    return root


def test_there_are_enough():
    assert len(FAULTS) >= 150


@pytest.mark.parametrize("fault", FAULTS, ids=map(name, FAULTS))
def test_a_fault_is_found_where_it_is(fault, example):
    file = example / fault["file"]
    text = file.read_text("utf-8")
    assert fault["replace"] in text
    file.write_text(text.replace(fault["replace"], fault["by"], 1), "utf-8")
    try:
        found = {(item.code, item.file, item.line) for item in check(load(example))}
    finally:
        file.write_text(text, "utf-8")
    assert {tuple(place) for place in fault["expect"]} <= found


@pytest.mark.skipif(not (SHARED / "seeds").is_dir(), reason="the documents are not here")
def test_old_documents_are_refused_for_the_known_reasons(repository):
    """The AppImage and the request of the old documents, as specs: what fails today, no more."""
    texts = {path.name[:3]: path.read_text("utf-8") for path in (SHARED / "seeds").glob("*.txt")}
    blocks = re.findall(r"```yaml\n(.*?)```", texts["002"], re.S)
    images = [yaml.safe_load(b) for b in blocks if "kind: AppImage" in b and "serving" in b]
    image = next(item for item in images if item["spec"].get("configTemplates"))
    request = json.loads(re.search(r"serving/create'.*?-d '(\{.*?\n\})'", texts["001"], re.S)[1])
    spec = {"name": "sf-serving-image", **image["spec"]}
    serving = HEADER.format("Serving") + yaml.safe_dump(request)
    appimage = HEADER.format("AppImage") + yaml.safe_dump(spec)
    root = repository(
        **{
            "servingctl.yaml": "",
            "environments/dev/environment.yaml": ENVIRONMENT,
            "environments/dev/appimages/image.yaml": appimage,
            "environments/dev/servings/serving-01.yaml": serving,
        }
    )
    errors = [item for item in check(load(root)) if item.severity is Severity.ERROR]
    assert {item.code for item in errors} == {"KUS507", "KUS702", "KUS731"}

"""Documents that people have, as specs: what is refused of them, and nothing else."""

import json
import re

import pytest
import yaml

from renderer import check, load
from renderer.values.diagnostics import Severity
from tests.support.places import SHARED
from tests.support.repositories import ENVIRONMENT, HEADER


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

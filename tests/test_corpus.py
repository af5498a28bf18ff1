"""Documents that people have, as specs: what is refused of them, and nothing else."""

import json
import re

import pytest
import yaml

from renderer import check, load
from renderer.values.diagnostics import Severity
from tests.support.adoption import imported
from tests.support.places import SHARED
from tests.support.repositories import DESCRIPTION, ENVIRONMENT, HEADER


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


#: What becomes of the samples of the documents in their order: errors, or why they are no specs.
OF_REQUESTS = [
    {"KUS104"},  # the AppImage is another sample
    "went well",
    "only changes",
    "went well",
    "only names",
    "went well",
    "only names",
    {"KUS104"},
    "only names",
    "tells a status",
]
OF_OBJECTS = [{"KUS104"}, {"KUS104"}, {"KUS702"}]


@pytest.mark.skipif(not (SHARED / "seeds").is_dir(), reason="the documents are not here")
@pytest.mark.parametrize(
    ("document", "language", "outcomes"),
    [("001", "(?:sh|json)", OF_REQUESTS), ("002", "yaml", OF_OBJECTS)],
)
def test_every_sample_is_imported(document, language, outcomes):
    (path,) = (SHARED / "seeds").glob(f"{document}*.txt")
    samples = re.findall(rf"```{language}\n(.*?)(?:```|\Z)", path.read_text("utf-8"), re.S)
    assert len(samples) == len(outcomes)
    for sample, outcome in zip(samples, outcomes, strict=True):
        adoption = imported({DESCRIPTION: ENVIRONMENT}, {"sample.txt": sample}, "dev")
        if isinstance(outcome, str):
            assert (
                any(outcome in one for one in adoption.conflicts)
                or outcome in adoption.skipped[0].why
            )
        else:
            assert {item.code for item in adoption.errors} == outcome
            assert not adoption.unreadable
            assert adoption.drafts


@pytest.mark.skipif(not (SHARED / "seeds").is_dir(), reason="the documents are not here")
def test_the_samples_together_amount_to_the_same(repository):
    """The deployment of the documents with its AppImage, once what fails today is mended."""
    (path,) = (SHARED / "seeds").glob("002*.txt")
    samples = re.findall(r"```yaml\n(.*?)(?:```|\Z)", path.read_text("utf-8"), re.S)
    mended = {
        "53511": "brpc-builtin",
        "sourceMd5": "sourceSha256",
        "4216c62acba4a630d5039f917612780b": "a" * 64,
        "1ded1513dab8734e23152ef906c180fc": "b" * 64,
        "- name: internal": "- {name: communication, scope: Cluster}\n        - name: internal",
        "port: brpc-builtin\n          protocol": "port: 1\n          protocol",
    }
    for sample in samples[:2]:
        text = f"{sample}\n---\n{samples[2]}"
        for old, new in mended.items():
            text = text.replace(old, new)
        adoption = imported({DESCRIPTION: ENVIRONMENT}, {"all.yaml": text}, "dev")
        assert not adoption.errors, [item.message for item in adoption.errors]
        assert not adoption.differences
        assert len(adoption.drafts) == 2

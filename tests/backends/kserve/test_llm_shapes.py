"""Ten shapes of LLM services, as `preview` shows them; `--update-golden` writes them anew."""

from pathlib import Path

import pytest

from renderer import load, render
from renderer.inspect.preview import preview
from renderer.outputs.preview.text import show
from tests.support.places import ROOT

GOLDEN = ROOT / "tests/golden/kserve"
PREVIEWS = Path(__file__).parent / "llm_previews"
#: By what is special, the golden case and the service.
SHAPES = {
    "a-claim": ("llm-shapes", "guided"),
    "a-gateway-of-ones-own": ("llm-shapes", "routed"),
    "adapters": ("llm-shapes", "adapters"),
    "an-image": ("llm-shapes", "packed"),
    "copies-on-several-nodes": ("llm-shapes", "copies"),
    "one-node": ("llm-single-node", "chat"),
    "prefill-and-decode": ("llm-shapes", "split"),
    "scheduler-with-own-configuration": ("llm-shapes", "picked"),
    "tensor-parallel": ("llm-shapes", "tensor"),
    "what-an-accelerator-needs": ("llm-shapes", "fast"),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_shape(shape, request):
    case, stem = SHAPES[shape]
    project = load(GOLDEN / case)
    environment = project.environment("prod")
    spec = environment.spec_named("LLMInferenceService", stem)
    found = show(preview(project, render(project), environment, spec, {}))
    expected = PREVIEWS / f"{shape}.txt"
    if request.config.getoption("--update-golden"):
        expected.write_text(found, "utf-8")
    assert found == expected.read_text("utf-8")


def test_there_is_nothing_else():
    assert {path.stem for path in PREVIEWS.glob("*.txt")} == SHAPES.keys()

"""The rules on LLM services against what KServe itself ships."""

from renderer.backends.kserve.llm.presets import VERSIONS, presets
from renderer.backends.kserve.llm.rules.templates import FIELDS
from renderer.backends.kserve.llm.template_functions import FUNCTIONS
from renderer.backends.kserve.rules.placeholders import template_texts, why_broken
from renderer.kubernetes.pods import Field
from tests.support.rows import each

SHIPPED = {
    f"{version} {name}": spec for version in VERSIONS for name, spec in presets(version).items()
}


@each("spec", SHIPPED)
def test_shipped_templates_can_be_filled_in(spec):
    texts = [field.text for field in template_texts(Field((), spec))]
    assert [why_broken(text, FIELDS, frozenset(FUNCTIONS)) for text in texts] == [""] * len(texts)


def test_presets_have_templates():
    assert any(list(template_texts(Field((), spec))) for spec in SHIPPED.values())

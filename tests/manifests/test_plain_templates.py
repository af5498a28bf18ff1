"""A template without an engine comes to the same text as with it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderer.manifests.jinja import rendered
from renderer.manifests.plain_templates import plainly_rendered
from renderer.manifests.template_values import PlacedValues, TemplateFault
from renderer.manifests.templates import find, names
from renderer.values.diagnostics import Origin
from renderer.values.tree import uniform_tree
from tests.support.samples import tried

VALUES = {
    name: uniform_tree(value, Origin("f"))
    for name, value in {
        "name": "x",
        "nothing": None,
        "empty": [],
        "labels": {"a": "b", "items": [1, 2]},
        "parties": [{"id": 1, "tags": ["p", "q"]}, {"id": 2, "tags": []}],
    }.items()
}
PIECES = st.sampled_from([
    "a: ", "\n", "\n\n", "  ", "\t", "- ", "text }} %} #}", "{", "}", "{{ name }}", "{{ nothing }}",
    "{{ labels }}", "{{ labels.a }}", "{{ labels.items }}", "{{ party.id }}", "{{ missing }}",
    "{{ labels.missing }}", "{{name}}", "{{ loop.index }}", "{{ true }}", "{{ name|upper }}",
    "{# x #}", "{{ tag }}",
    "{# two\nlines #}\n", "{#- x -#}", "{% for party in parties %}", "{% for party in parties %}\n",
    "{% for tag in party.tags %}\n", "{% for key in labels %}", "{% for x in empty %}",
    "{% for x in name %}", "{% endfor %}", "{% endfor %}\n", "  {% endfor %}\n", "{%- endfor %}",
    "{% if name %}", "{% endif %}", "{% raw %}", "{{ '{{' }}",
])  # fmt: skip


def engine(text, values):
    placed = PlacedValues()
    try:
        return rendered(text, values, placed), placed.values, placed.constants
    except TemplateFault:
        return None


def agree(text, values=VALUES):
    placed = PlacedValues()
    plain = plainly_rendered(text, values, placed)
    assert plain is None or (plain, placed.values, placed.constants) == engine(text, values)
    return plain is not None


@tried(st.lists(PIECES, max_size=9).map("".join), few=100, many=1500)
def test_any_template(text):
    agree(text)


LOOP = "{# c #}\nl:\n  {% for party in parties %}\n  - {{ party.id }}\n  {% endfor %}\nend: x\n"


@pytest.mark.parametrize(
    "text", ["", "a: b\n", "a: {{ name }}", LOOP, LOOP.replace("\n  {%", "\n{%"), LOOP + LOOP]
)
def test_what_is_plain(text):
    assert agree(text)


NESTED = "{% for party in parties %}{{ party.id }}: {% for t in party.tags %}{{ t }},{% endfor %}\n"
NESTED += "{% endfor %}{% for party in parties %}{{ party.id }}{% endfor %}"


@given(st.lists(st.integers(0, 3), max_size=4))
def test_any_number_of_items(sizes):
    parties = [{"id": size, "tags": ["t"] * size} for size in sizes]
    assert agree(NESTED, {"parties": uniform_tree(parties, Origin("f"))})


@pytest.mark.parametrize(
    "text",
    [
        "{{ name|upper }}",
        "{% if name %}{% endif %}",
        "{{ missing }}",
        "{% endfor %}",
        "\ue000",
        "\r\n",
    ],
)
def test_what_is_left_to_the_engine(text):
    assert plainly_rendered(text, VALUES, PlacedValues()) is None


@pytest.mark.parametrize("name", names())
def test_bundled_templates_need_no_engine(name):
    from renderer.manifests.plain_templates import _parsed

    assert _parsed(find(name, {}).text) is not None


def test_endless_loops_are_left_to_the_engine():
    many = {"parties": uniform_tree([{"tags": ["t"] * 200}] * 200, Origin("f"))}
    text = "{% for party in parties %}{% for tag in party.tags %}{{ tag }}{% endfor %}{% endfor %}"
    assert plainly_rendered(text, many, PlacedValues()) is None

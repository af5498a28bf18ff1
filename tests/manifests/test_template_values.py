"""What a template makes of its values does not depend on what it made of others before."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from renderer.manifests import templates
from renderer.manifests.template_values import scalar_text_of
from renderer.manifests.templates import TemplateSource, content, render, unmark
from renderer.text.yaml_reader import read
from renderer.values.diagnostics import Origin
from renderer.values.objects import Render
from renderer.values.tree import Node, uniform_tree

HERE = Origin("spec.yaml", 7, 3)
TEMPLATE = TemplateSource(
    "t.yaml.j2",
    """\
kind: Fixed
fixed: {list: [1, {a: "x"}], none: null}
value: {{ value }}
text: "x{{ value.text }}-{{ name }}"
{% for item in items %}
{{ item }}: {same: {{ name }}, "{{ name }}": 1, more: [{{ value }}, {{ item }}]}
{% endfor %}
""",
)
NAMES = st.sampled_from(["a", "b", "same", "a: b", "", "0"])
VALUES = st.fixed_dictionaries(
    {
        "name": NAMES | st.none(),
        "value": st.fixed_dictionaries({"text": NAMES | st.integers() | st.none()}),
        "items": st.lists(NAMES, max_size=2, unique=True),
    }
)


def plainly(node, lines, values):
    """The same again, value by value, without anything that is kept."""

    def origin(place):
        return place and Origin(TEMPLATE.file, lines[place.line - 1])

    def said(text):
        return re.sub(
            "\ue000([0-9]+)\ue001", lambda found: scalar_text_of(values[int(found[1])]), text
        )

    here, key = origin(node.origin), origin(node.key)
    if isinstance(node.value, dict):
        pairs = [(said(name), plainly(child, lines, values)) for name, child in node.items.items()]
        return Node({name: child for name, child in dict(pairs).items() if child}, here, key)
    if isinstance(node.value, tuple):
        elements = [plainly(child, lines, values) for child in node.value]
        return Node(tuple(child for child in elements if child), here, key)
    if not isinstance(node.value, str) or "\ue000" not in node.value:
        return Node(node.value, here, key)
    token = re.search("\ue000([0-9]+)\ue001", node.value)
    placed = values[int(token[1])]
    if token[0] != node.value:
        return Node(said(node.value), placed.origin, key)
    return None if placed.value is None else placed._replace(key=key)


def plan(data):
    values = {name: uniform_tree(value, HERE) for name, value in data.items()}
    return Render("t", values, "schema", "objects", "x")


@settings(max_examples=120, deadline=None)
@given(st.lists(VALUES, min_size=1, max_size=4))
def test_values_of_any_order(several):
    for data in several:
        skeleton = render(TEMPLATE, plan(data).values)
        bare = unmark(skeleton.text)
        tree = read(bare.text.encode(), TEMPLATE.file).document.tree
        wanted = plainly(tree, bare.lines, skeleton.placed.values)
        made, problems = content(plan(data), TEMPLATE)
        assert not problems
        assert made == wanted
        assert made.get("text").origin == HERE


def test_what_no_value_can_change_is_kept():
    first, second = (
        content(plan({"name": name, "value": {"text": name}, "items": []}), TEMPLATE)[0]
        for name in ("a", "b")
    )
    assert first.get("fixed") is second.get("fixed")
    assert first.get("text") != second.get("text")


def test_a_large_text_is_not_kept():
    templates._known_form.cache_clear()
    large = TemplateSource("t.yaml.j2", f"a: {{{{ name }}}}\nb: {'x' * templates._MOST_KEPT}\n")
    tree, _ = content(plan({"name": "n"}), large)
    assert tree.get("a").value == "n"
    assert templates._known_form.cache_info().currsize == 0


def test_problems_of_a_text_that_is_known():
    wrong = TemplateSource("t.yaml.j2", "{# c #}\na: {{ name }}\nb: on\n")
    for name in ("n", "m", "n"):
        tree, (problem,) = content(plan({"name": name}), wrong)
        assert (tree, problem.code, problem.line) == (None, "MAN002", 3)

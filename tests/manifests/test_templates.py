"""Templates place values: no value changes the structure, every leaf keeps its origin."""

import pytest
from hypothesis import strategies as st

from renderer.manifests.outline import outline_of
from renderer.manifests.template_values import TemplateFault
from renderer.manifests.templates import TemplateSource, render, unmark
from renderer.text.yaml_reader import read
from renderer.text.yaml_writer import write
from renderer.values.diagnostics import Origin
from renderer.values.tree import Node, uniform_tree, walk
from tests.support.samples import tried

HERE = Origin("spec.yaml", 7, 3)
HOSTILE = [
    "}\n- evil: true", "{{ 7*7 }}", "{% for x in y %}", "a: b #c", "one\ntwo\n", "\U0001f600 𝄞",
    "\x85", "\u2028", "- x", "? y", "&a *b", "!!str", "'\"\\", "\ue0000\ue001", "\ue0021\ue003", "",
]  # fmt: skip
KEYS = st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]), max_size=20)
TEXTS = st.one_of(
    st.sampled_from(HOSTILE), st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
)
SCALARS = st.one_of(TEXTS, st.booleans(), st.integers(-(2**63), 2**63 - 1))
DATA = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=15,
)


def rendered(template, **values):
    source = TemplateSource("t.yaml.j2", template)
    skeleton = render(source, {name: uniform_tree(value, HERE) for name, value in values.items()})
    bare = unmark(skeleton.text)
    reading = read(bare.text.encode(), source.file)
    assert not reading.problems
    return outline_of(reading.document.tree, source.file, bare.lines).filled(skeleton.placed)


@tried(DATA, TEXTS, few=50, many=200)
def test_no_value_changes_the_structure(value, text):
    loop = "c:\n{% for item in items %}\n- {{ item }}\n{% endfor %}\n"
    template = 'a: {{ value }}\nb: "x{{ text }}y"\n' + loop
    tree = rendered(template, value=value, text=text, items=[value, text])
    assert tree.plain() == {"a": value, "b": f"x{text}y", "c": [value, text]}
    assert read(write(tree).encode(), "out").document.tree.plain() == tree.plain()
    assert {node.origin for path, node in walk(tree) if path[:1] == ("a",)} == {HERE}


def test_origins_of_leaves():
    loop = "xs:\n{% for x in xs %}\n- name: {{ x.name }}\n{% endfor %}\n"
    template = "{# two\nlines #}\nkind: Fixed\n" + loop
    tree = rendered(template, xs=[{"name": "a"}, {"name": "b"}])
    assert tree.get("kind").origin == Origin("t.yaml.j2", 3)
    assert tree.get("xs", 1).origin == Origin("t.yaml.j2", 6)
    assert tree.get("xs", 1, "name").origin == HERE


def test_absent_values_leave_their_key_out():
    tree = rendered("a: {{ none }}\nb: {inner: {{ none }}}\nc: [{{ none }}, 1]\n", none=None)
    assert tree.plain() == {"b": {}, "c": [1]}


def test_keys_may_be_values():
    assert rendered("{{ k }}: 1\n", k="a: b").plain() == {"a: b": 1}


def test_items_come_before_attributes():
    value = {"items": 1, "tag": 2, "get": 3, "keys": 4}
    assert rendered("a: {{ v.items }}\nb: {{ v.get }}\n", v=value).plain() == {"a": 1, "b": 3}


@pytest.mark.parametrize(
    ("template", "line", "part"),
    [
        ("a: 1\nb: {{ nope }}\n", 2, "'nope' is undefined"),
        ("a: {{ x.nope }}", 1, "'nope' is not given; there is name"),
        ("a: {{ x.__class__ }}", 1, "'__class__' is not given"),
        ("\n\n{% for i in %}", 3, "Expected an expression"),
        ("a: {{ x | map('upper') }}", 1, "filter"),
        ("a: {{ x.name | replace('a', 'b') }}", 1, "filter"),
        ("a: {{ x.name.upper() }}", 1, "Call is not part"),
        ("\na: {{ range(9) }}", 2, "Call is not part"),
        ("a: {{ 2 ** 99999999 }}", 1, "Pow is not part"),
        ("a: {{ 'x' * 99999999 }}", 1, "Mul is not part"),
        ("{% set a = 1 %}", 1, "Assign is not part"),
        ("{% include 'a' %}", 1, "Include is not part"),
        ("{% import 'a' as b %}", 1, "Import is not part"),
        ("{% macro m() %}{% endmacro %}", 1, "Macro is not part"),
        ("a: \ue0001\ue001", 1, "reserved"),
        ('a: 1\nb: "\\ue0001\\ue001"', 2, "reserved"),
        ('a: 1\n"{{ x.name }}\\ue0001\\ue001": 1', 2, "reserved"),
        ("a: " + "{{" + "(" * 5000, 1, ""),
    ],
)
def test_faults_name_their_line(template, line, part):
    with pytest.raises(TemplateFault) as caught:
        rendered(template, x={"name": "n"})
    assert caught.value.line == line
    assert part in caught.value.message
    assert caught.value.fix


def test_what_is_no_token_is_a_text():
    text = "\\ue000" + "1" * 5000 + "\\ue001"
    assert rendered(f'a: "{text}"').get("a").value == f"\ue000{'1' * 5000}\ue001"


def test_loops_end():
    loops = "{% for a in xs %}" * 6 + "{% endfor %}" * 6
    with pytest.raises(TemplateFault, match="loops turn"):
        rendered(loops, xs=list(range(50)))


def test_output_is_bounded():
    text = "x" * 100_000
    with pytest.raises(TemplateFault, match="grows beyond"):
        rendered(f"{{% for a in xs %}}{text}{{% endfor %}}", xs=list(range(100)))


def test_a_mapping_inside_a_text_is_a_fault():
    with pytest.raises(TemplateFault, match="inside a text"):
        rendered("a: x{{ m }}", m={"k": 1})


def test_conditions_and_filters():
    template = "a: {% if v == 'x' %}{{ v | upper }}{% else %}no{% endif %}\n"
    assert rendered(template, v="x").plain() == {"a": "X"}


def test_a_view_is_falsy_like_its_value():
    template = "a: {% if v %}full{% endif %}ness\n"
    assert rendered(template, v="").plain() == {"a": "ness"}
    assert isinstance(uniform_tree("", HERE), Node)

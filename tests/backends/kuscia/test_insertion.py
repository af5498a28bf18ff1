"""Config files as Kuscia renders them: the vectors and the behaviour table of the facts.

The expectations were compared with Kuscia's own code and Go's text/template on some hundred
thousand generated templates when this was written.
"""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderer.backends.kuscia.config_templates.go_text import (
    NotPreviewed,
    quote,
    unquote,
    write_json,
)
from renderer.backends.kuscia.config_templates.insertion import find_value, render
from renderer.backends.kuscia.config_templates.template import Template, parse
from renderer.backends.kuscia.config_templates.tokens import TemplateFault
from tests.support.rows import each
from tests.support.samples import sample

V = (
    '{"v1":"xyz","v2":10,"v3":{"s2":["x","y","z"]},"v4":[{"t1":"10"},{"t1":"20"}],'
    '"i":1,"e":"","f":false}'
)
MORE = (
    '{"null":null,"holes":[null,{"a":1}],"numbers":[1,2.50,-0.0,12345678901234567890,1e21,1e-7],'
    '"big":1000000,"s":"1","list":[0,1],"mixed":[{"n":1},{"n":true},{"n":{"b":1,"a":2}}],'
    '"html":"<a&b>","deep":{"b":"<","a":"\\u2028"}}'
)


def rendered(text, env=None, config=None):
    template = parse(text)
    assert isinstance(template, Template), template
    return render(template, env or {}, config or {})


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("V.v1", "xyz"),
        ("V.v2", "10"),
        ("V.f", "false"),
        ("V.v3.s2[0]", "x"),
        ("V.v3.s2[-1]", "z"),
        ("V.v3.s2[-3]", ""),
        ("V.v3.s2[3]", ""),
        ("V.nope.x", ""),
        ("V.v1.x", ""),
        ("V.e", ""),
        ("V.v4[t1=20].t1", "20"),
        ("V.v4[.V.i].t1", "20"),
        ("V.v4[t1=20]", '{"t1":"20"}'),
        ("V.v3", '{"s2":["x","y","z"]}'),
        ("V.v3.s2", '["x","y","z"]'),
        ("V..v1", "xyz"),
        ("V.v3.s2[-2]", "y"),
        ("V.v3.s2[+1]", "y"),
        ("V.v3.s2[01]", "y"),
        ("V.v3.s2[ 1]", ""),
        ("V.v3.s2[1_0]", ""),
        ("V.v3.s2[x]", ""),
        ("V.v3.s2[]", ""),
        ("V.[0]", ""),
        ("V.v3[0]", ""),
        ("V.v4[0][0]", ""),
        ("V.v4[t1=a.b]", ""),
        ("V.v4[t1=30]", ""),
        ("M.null", ""),
        ("M.holes[1].a", "1"),
        ("M.holes[0]", ""),
        ("M.holes[a=1]", ""),
        ("M.numbers", "[1,2.5,-0,12345678901234567000,1e+21,1e-7]"),
        ("M.list[M.s]", "1"),
        ("M.list[.M.s]", "1"),
        ("M.list[.M.big]", ""),
        ("M.list[.M.nope]", ""),
        ("M.mixed[n=1]", '{"n":1}'),
        ("M.mixed[n=true]", '{"n":true}'),
        ('M.mixed[n=2]', ""),
        ("M.html", "<a&b>"),
        ("M.deep", '{"a":"\\u2028","b":"\\u003c"}'),
        ("TEXT", 'say "hi"'),
        ("NOWHERE", ""),
    ],
)  # fmt: skip
def test_path(path, expected):
    env = {"V": V, "M": MORE, "TEXT": 'say "hi"'}
    assert rendered(f"<{{{{{{.{path}}}}}}}>", env).text == f"<{expected}>"


def test_a_number_from_a_million_on_is_no_index():
    """Go prints it with an exponent."""
    root = {"L": {"l": ["x"] * 1_000_001}, "I": {"i": 1_000_000.0, "j": 999_999.0}}
    assert find_value("L.l[#I#i]", root) is None
    assert find_value("L.l[#I#j]", root) == "x"


#: The behaviour table, row by row: template, environment, configuration manager, result.
TABLE = {
    "in env": ("{{.X}}", {"X": 'a"b\n'}, {}, 'a\\"b\\n'),
    "env is put in capitals": ("{{.LOW}}", {"low": "v"}, {}, "v"),
    "nowhere": ("<{{.X}}>", {}, {}, "<>"),
    "fetched": ("{{.X}}", {}, {"X": 'm"m'}, 'm\\"m'),
    "env wins": ("{{.X}}", {"X": "env"}, {"X": "manager"}, "env"),
    "spaces, env": ("{{ .X }}", {"X": "v"}, {}, "v"),
    "spaces are not fetched": ("<{{ .X }}>", {}, {"X": "v"}, "<>"),
    "trimmed": ("a \n{{- .X -}}\t b", {"X": "v"}, {}, "avb"),
    "trim is not fetched": ("<{{- .X }}>", {}, {"X": "v"}, "<>"),
    "fetched for another": ("{{ .X }}{{.X}}", {}, {"X": "v"}, "vv"),
    "lower case": ("<{{.x}}>", {"x": "v"}, {}, "<>"),
    "lower case key": ("<{{.x}}>", {"x": "v"}, {"x": "key"}, "<key>"),
    "path into text": ("<{{{.X.y}}}>", {"X": "text"}, {}, "<>"),
    "raw": ('"{{{.X}}}"', {"X": 'a"b'}, {}, '"a"b"'),
    "third brace is taken": ('{"a": {{{.X}}} }', {"X": "[1]"}, {}, '{"a": [1] }'),
    "third closing brace is kept": ('{"a":{{.X}}}', {"X": "1"}, {}, '{"a":1}'),
    "three and two": ("{{{.X}}", {"X": 'a"'}, {}, 'a"'),
    "of jobs": ("<{{.TASK_ID}}>", {}, {}, "<>"),
    "ends with a quote": ("{{.X}}", {"X": 'a"'}, {}, "a\\"),
    "starts with a quote": ("{{.X}}", {"X": '"a'}, {}, '\\"a'),
    "control characters": ("{{.X}}", {"X": "\x1b\a\v\x7f"}, {}, "\\x1b\\a\\v\\x7f"),
    "not printable": ("{{.X}}", {"X": "\u00ad\U000e0001é"}, {}, "\\u00ad\\U000e0001é"),
    "null without three braces": ("{{.X}}", {"X": "null"}, {}, "null"),
    "comment": ("a {{- /* {{.X}} */ -}} b", {}, {}, "ab"),
    "a call by hand": ('{{kuscia "X.a"}}', {"X": '{"a":1}'}, {}, "1"),
    "broken JSON is text": ("{{{.X}}}", {"X": '{"a":'}, {}, '{"a":'),
    "beyond Go's numbers": ("{{{.X}}}", {"X": "[1e400]"}, {}, "[1e400]"),
    "half a character": ("{{{.X.a}}}", {"X": '{"a":"\\ud800"}'}, {}, "\ufffd"),
}


@each("text env config expected", TABLE)
def test_behaviour(text, env, config, expected):
    assert rendered(text, env, config) == (expected, ())


@pytest.mark.parametrize(
    ("text", "env", "offset"),
    [
        ("ab {{.X.y}}", {"X": "{}"}, 5),
        ("{{.NOPE.y}}", {}, 2),
        ("{{ .X.y.z }}", {}, 3),
        ("{{{.A}}}", {"A": "1", "B": " null "}, 3),
    ],
    ids=["nested", "nested and missing", "nested with spaces", "null beside three braces"],
)
def test_the_container_does_not_start(text, env, offset):
    with pytest.raises(TemplateFault) as fault:
        rendered(text, env)
    assert fault.value.offset == offset


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('a{{.X | printf "%s"}}b', ['{{.X | printf "%s"}}']),
        ("{{if .X}}{{.Y}}{{else}}n{{end}}{{.X}}", ["{{if .X}}{{.Y}}{{else}}n{{end}}"]),
        ("{{range .X}}{{with .}}{{.y}}{{end}}{{break}}{{end}}", None),
        ('{{define "t"}}{{.}}{{end}}{{template "t" .}}', None),
        ("{{$x := .X}}{{$x}}", ["{{$x := .X}}", "{{$x}}"]),
        ("{{if .X}}{{{.X.y[a.b]}}}{{end}}", ["{{if .X}}{{{.X.y[a.b]}}}{{end}}"]),
    ],
)
def test_other_actions_are_not_previewed(text, shown):
    done = rendered(text, {"X": "v"})
    assert done.not_previewed
    if shown:
        assert [item.source for item in done.not_previewed] == shown
        assert all(item in done.text for item in shown)


def test_what_is_inserted_can_be_read_back():
    config = json.dumps({"a": 'quote " slash \\ é', "b": ["\n", 1.5]}, indent=2)
    text = rendered('{"input": "{{.INPUT_CONFIG}}"}', {"INPUT_CONFIG": config}).text
    assert json.loads(json.loads(text)["input"]) == json.loads(config)


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_quoting_can_be_undone(value):
    if not value.startswith('"') and not value.endswith('"'):
        assert unquote(f'"{quote(value)}"') == value


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_survive(value):
    assert float(write_json(value)) == value


@pytest.mark.parametrize(
    "value", ["[" * 100_000, '{"a":' * 5000 + "1" + "}" * 5000], ids=["open", "deep"]
)
def test_deep_values_are_not_guessed(value):
    with pytest.raises(NotPreviewed):
        rendered("{{{.X}}}", {"X": value})


def test_output_is_bounded():
    with pytest.raises(NotPreviewed, match="larger than"):
        rendered("{{.X}}" * 1000, {"X": "x" * 100_000})


MIB = 1 << 20
HOSTILE = {
    "placeholders": "{{.X}}" * (MIB // 24),
    "three braces": "{{{.X}}}" * (MIB // 32),
    "open blocks": "{{if .X}}" * (MIB // 36),
    "nested blocks": "{{with .X}}{{$a := 1}}" * 10_000 + "{{end}}" * 10_000,
    "parentheses": "{{print " + "(" * (MIB // 8) + "1" + ")" * (MIB // 8) + "}}",
    "open brackets": "{{{.X" + "[" * MIB + "}}}",
    "brackets": "{{{.X" + "[a" * (MIB // 4) + "]" * (MIB // 4) + "}}}",
    "broken brackets": "{{{.X" + "[\\n" * (MIB // 4) + "]}}}",
    "braces": "{" * MIB,
    "blanks": "{{" + " " * MIB,
    "blanks and signs": "{{.X" + " -" * (MIB // 2) + "}}",
    "quote": '{{"' + "\\a" * (MIB // 2),
    "dots": "{{{." + "." * MIB + "}}}",
    "a long word": "{{" + "a" * MIB + "}}",
    "comment": "{{/*" + "*" * MIB,
}


@pytest.mark.parametrize("name", sample(HOSTILE, "braces", "blanks", "dots"))
def test_hostile_templates_take_linear_time(name):
    started = time.process_time()
    template = parse(HOSTILE[name])
    if isinstance(template, Template):
        render(template, {"X": '{"a":[1]}'}, {})
    else:
        assert len(template.message) < 300
    assert time.process_time() - started < 20


@given(st.lists(st.sampled_from([*'{}.[]=|"`$()#X -\n', "{{", "}}", "{{{.", "if", "end"])))
def test_any_text_is_read_or_refused(pieces):
    text = "".join(pieces)
    template = parse(text)
    if isinstance(template, TemplateFault):
        assert 0 <= template.offset <= len(text)
    elif "{{" not in text:
        assert render(template, {}, {}).text == text

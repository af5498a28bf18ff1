"""A diff as a comment: complete, within its limit, and safe whatever it is about."""

import re

import pytest
from markdown_it import MarkdownIt

from renderer.outputs.diff import FORMATS
from renderer.outputs.diff.causes import joined_causes
from renderer.outputs.diff.markdown_elements import cell, code, fence, prose, sentence
from renderer.outputs.diff.report import ShownEdit
from renderer.outputs.layout import Layout
from renderer.values.changes import EditKind, Effect
from renderer.values.diagnostics import Diagnostic, Severity
from tests.support.diffreports import (
    HOSTILE,
    change,
    hostile,
    huge,
    impact,
    ordinary,
    report,
    shown,
    with_edits,
)

#: What GitHub and GitLab read: HTML is let through, tables and strikethrough are on.
READER = MarkdownIt("commonmark", {"html": True, "linkify": False}).enable(
    ["table", "strikethrough"]
)
TAGS = re.compile(r"<(/?)([a-z0-9]+)([^>]*)>")
OURS = {"br", "code", "details", "summary"}


def written(given, max_bytes=0):
    return FORMATS["markdown"](with_edits(given), Layout(max_bytes=max_bytes))


def raw_html(text):
    """What reaches the page as HTML that is not made of Markdown."""
    for token in READER.parse(text):
        for part in (token, *(token.children or ())):
            if part.type in ("html_block", "html_inline"):
                yield part.content


def test_the_summary_comes_first_with_the_worst_on_top():
    text = written(ordinary())
    rows = [line for line in text.splitlines() if line.startswith("| ")][2:]
    assert rows[0].startswith("| 🛑 | ")
    assert "**breaks** 1 unit" in rows[0]
    assert text.index("| 🛑") < text.index("<details>")


def test_everything_is_told():
    text = written(ordinary())
    for part in (
        "<code>2</code> → <code>3</code>",
        "spec.parties&#91;carol]</code> added",
        "spec.x</code> removed <code>a</code>",
        "alice (east), bob (west)",
        "dave (not ours)",
        '-  "a": 1\n+  "a": 2',
        "| 4Gi | 2Gi | -2Gi | 6Gi |",
        "| 2 | 3 | +1 | 4.5 |",
        "the old state does not load",
        "[IMP001] `environments/prod/a.yaml:3:5`",
    ):
        assert part in text, part


def test_nothing_changes():
    assert written(report()).endswith("`HEAD` → `the work tree`: nothing changes.\n\n")


def test_the_details_are_folded_per_edit():
    one, other = change(), change("spec.other", impacts=(impact(),))
    text = written(report(shown("risk", one), shown("fraud", one), shown("spam", other)))
    assert text.count("<details>") == text.count("</details>") == 2


def test_edits_that_bring_about_the_same_are_one_fold():
    text = written(report(shown("risk", change(), change("spec.other", 4, 5))))
    assert text.count("<details>") == 1
    assert text.count("pods are replaced.") == 1
    assert text.count("<code>spec.other</code> <code>4</code> → <code>5</code>") == 2


def test_the_object_is_named_where_it_changes_in_another_way_than_the_edit():
    item = shown("risk", change("spec.image", "a:1", "a:2"), kind="KusciaDeployment")
    edit = ShownEdit(EditKind.EDIT, change("vars.version", "1", "2", impacts=()))
    objects = (item._replace(changes=(item.changes[0]._replace(causes=(0,)),)),)
    text = FORMATS["markdown"](report(*objects)._replace(edits=(edit,)), Layout())
    assert "- `KusciaDeployment` `spec.image` `a:1` → `a:2`: prod/east" in text


@pytest.mark.parametrize("size", [3000, 20000, 65000])
def test_it_keeps_to_its_limit(size):
    text = written(huge(), size)
    assert len(text.encode()) <= size
    assert text.count("<details>") == text.count("</details>")
    assert text.count("```") % 2 == 0
    assert "_1 detail left out_" in text or "<details>" in text


def test_every_edit_is_told_whatever_the_size_of_the_fleet():
    text = written(huge(objects=3000), 65000)
    assert len(text.encode()) <= 65000
    assert all(f"<code>spec.field{n}</code>" in text for n in range(12))
    assert "**rolling** 3,000 units" in text


def test_the_limit_is_of_bytes():
    wide = [shown(f"serving-{n}", change(after=f"{n}" + "漢" * 200)) for n in range(100)]
    assert len(written(report(*wide), 9000).encode()) <= 9000


def test_an_edit_that_reaches_many_is_cut_short():
    many = tuple(impact(Effect.IGNORED, spec=f"Serving/s{n:02}") for n in range(50))
    text = written(report(shown("risk", change(impacts=many))))
    assert "Serving/s09: alice and 40 more in prod/east" in text


@pytest.mark.parametrize(
    ("number", "told"),
    [(3, "the Deployment `s0`, `s1` and `s2` of `x`"), (4, "the Deployment … of `x`")],
)
def test_what_is_said_of_many_names_is_said_once(number, told):
    def gone(name):
        words = {"consequence": f"Kuscia deletes the Deployment `{name}` of `x`."}
        return impact(Effect.DELETE, spec=f"Serving/{name}", **words)

    names = [f"s{n}" for n in range(number)]
    objects = [shown(name, change(after=4, impacts=(gone(name),))) for name in names]
    (cause,) = joined_causes(with_edits(report(*objects)))
    (consequence,) = cause.consequences
    assert told in consequence.consequence
    assert cause.classes == {Effect.DELETE: number}


def test_hostile_text_stays_text():
    """Of all that is out to do harm, nothing reaches the page but what we wrote ourselves."""
    text = written(hostile())
    tags = [match[2] for part in raw_html(text) for match in TAGS.finditer(part)]
    assert set(tags) <= OURS
    assert all(not match[3] for part in raw_html(text) for match in TAGS.finditer(part))
    html = READER.render(text)
    assert html.count("<details>") == html.count("</details>") == 2
    assert not re.search(r"<(script|img|a|h1|hr|del)\b", html)
    shown_text = re.sub(r"<code.*?</code>", "", html, flags=re.DOTALL)
    assert not re.search(r"[@#][a-z0-9]", re.sub(r"&#\d+;", "", shown_text))
    assert not re.search(r"[\x00-\x08\x0b-\x1f\u202e]", text)
    assert not re.search(r"^/close", text, re.MULTILINE)


def test_hostile_text_stays_in_its_cell():
    html = READER.render(written(hostile()))
    rows = re.findall(r"<tr>(.*?)</tr>", html, re.DOTALL)
    assert [len(re.findall(r"<t[dh]", row)) for row in rows] == [4, 4, 4, 8, 8]


@pytest.mark.parametrize("text", ["a`b", "`", "``", "` `", " a ", "a``b`", HOSTILE, "", " "])
def test_a_span_holds_any_text(text):
    for span in (code(text), cell(text)):
        html = READER.renderInline(span)
        assert re.fullmatch(r"<code>[^<]*</code>", html), html


def test_a_fence_is_longer_than_what_it_holds():
    block = fence(["+a", "+`````", "+```"], "diff")
    assert block.startswith("``````diff\n")
    assert READER.render(block).count("<pre>") == 1


def test_prose():
    assert READER.renderInline(prose("*a* _b_ [c](d) <e> `f` | ~~g~~")) == (
        "*a* _b_ [c](d) &lt;e&gt; `f` | ~\u200b~\u200bg~\u200b~\u200b"
    )
    assert "@\u200beveryone" in READER.renderInline(prose("@everyone"))


def test_what_a_sentence_quotes_is_code():
    assert sentence("the `port` is *new*") == "the `port` is &#42;new&#42;"


def test_long_values_are_shown_where_they_differ():
    uri = "gs://a-bucket-with-a-rather-long-name/models/sklearn/{}/model"
    text = written(report(shown("risk", change("spec.uri", uri.format("v1"), uri.format("v2")))))
    (row,) = (line for line in text.splitlines() if "spec.uri" in line and line.startswith("| "))
    assert "/v1/" in row
    assert "/v2/" in row


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("spec.parties[a].port_name: 1", "spec.parties&#91;a].port_name: 1"),
        ("gs://x/y", "gs&#58;//x/y"),
        ("www.example.com", "www&#46;example.com"),
        ("_a_ ${b}", "&#95;a&#95; &#36;{b}"),
    ],
)
def test_a_cell_is_legible_in_its_source(text, source):
    assert cell(text) == f"<code>{source}</code>"


def test_what_differs_in_names_only_is_said_once():
    def edit(path):
        told = f"`{path}` changed: a second cluster is started."
        return change(path, impacts=(impact(Effect.REPLACE, consequence=told),))

    text = written(report(shown("fruit", edit("head.image"), edit("workers.image"))))
    assert text.count("a second cluster is started") == 1
    assert "`head.image` and `workers.image` changed" in text


def test_what_is_found_for_several_units_is_said_once():
    def found(unit, line):
        said = f"RayCluster/pool ({unit}): KubeRay replaces none that runs."
        return Diagnostic("e/pool.yaml", line, 3, "IMP003", Severity.WARNING, said, fix="delete it")

    text = written(report()._replace(findings=(found("head", 12), found("workers", 23))))
    assert text.count("KubeRay replaces none") == text.count("_delete it_") == 1
    assert "RayCluster/pool (head) and RayCluster/pool (workers): KubeRay" in text
    assert "`e/pool.yaml:12:3`, `e/pool.yaml:23:3`" in text

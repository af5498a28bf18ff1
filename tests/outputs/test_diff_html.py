"""A diff as a page: one file, whole and well-formed, safe whatever it is about."""

import base64
import hashlib
import re
from html.parser import HTMLParser

import pytest

from renderer.outputs.diff import FORMATS
from renderer.outputs.diff.report import ShownEdit, ShownPicture
from renderer.values.changes import EditKind, Effect
from renderer.values.diagnostics import Severity
from tests.support.diffreports import (
    change,
    finding,
    hostile,
    huge,
    impact,
    ordinary,
    report,
    shown,
    with_edits,
)

VOID = {"meta", "br", "input"}
FLOW = {"p", "code", "ul", "li", "b", "a", "span", "strong", "pre", "del", "ins", "em", "br", "div"}
FLOW |= {"form", "label", "input", "select", "option", "button", "output", "small", "script"}
TABLE = {"table", "thead", "tbody", "tr", "th", "td"}
PARTS = {"header", "h1", "h2", "h3", "nav", "main", "section", "details", "summary"}
TAGS = {"html", "head", "meta", "title", "style", "body", "figure", "figcaption"}
TAGS |= FLOW | TABLE | PARTS


class Page(HTMLParser):
    """Checks that elements are closed in order, and collects what a page is made of."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.ids, self.links, self.attributes = [], set(), [], [], set()
        self.text = ""
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.ids += [found["id"]] if "id" in found else []
        self.links += [found["href"]] if "href" in found else []
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data if not {"style", "script"} & {*self.open} else ""
        if "p" in self.open:
            assert "details" not in self.open[self.open.index("p") :], "a paragraph holds no fold"


def written(given):
    return FORMATS["html"](given)


@pytest.mark.parametrize(
    "given",
    [ordinary(), with_edits(ordinary()), with_edits(hostile()), with_edits(huge(30)), report()],
)
def test_the_page_is_well_formed_and_loads_nothing(given):
    text = written(given)
    page = Page(text)
    assert page.tags <= TAGS
    assert not [
        name for name in page.attributes if name.startswith("on") or name in ("src", "style")
    ]
    assert len(page.ids) == len(set(page.ids))
    assert {link[1:] for link in page.links} <= set(page.ids)
    assert all(link.startswith("#") for link in page.links)
    assert "default-src 'none'" in text
    assert "@import" not in text
    assert "url(" not in text


def test_no_other_script_runs():
    text = written(with_edits(hostile()))
    (script,) = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'; " in text
    assert "unsafe-inline" not in text.partition("script-src")[2].partition(";")[0]


def test_everything_is_told():
    text = Page(written(with_edits(ordinary()))).text
    for part in (
        "spec.parties[alice].template.replicas",
        "The party carol was added.",
        "a secret differs",
        "the same data in another form",
        "dave (not ours)",
        "Serving/risk: alice (east), bob (west)",
        '-  "a": 1\n+  "a": 2',
        "6Gi",
        "-2Gi",
        "the old state does not load",
        "environments/base/environment.yaml:3",
        "By way of AppImage/secretflow-serving",
        "reaches 1 spec",
    ):
        assert part in text, part


def test_edits_come_first_then_what_to_look_at_then_specs():
    text = written(with_edits(ordinary()))
    places = [text.index(f'id="{name}"') for name in ("edits", "findings", "specs", "capacity")]
    assert places == sorted(places)
    assert '<details class="cause" id="edit-1" open>' in text  # it breaks something
    assert '<details class="cause" id="edit-7"><summary>' in text  # a serving that is only created


def test_production_comes_first_then_the_worst():
    calm, bad = (impact(effect, spec="Serving/a") for effect in (Effect.ROLLING, Effect.BREAKS))
    dev = shown("a", change("x", impacts=(bad,)), environment="dev")
    prod = shown("a", change("y", impacts=(calm,)), environment="prod")
    text = written(with_edits(report(dev, prod, production=frozenset(("prod",)))))
    assert text.index("<code>y</code>") < text.index("<code>x</code>")
    rows = re.findall(
        r'<b>Serving/a</b></span><span>(\w+)</span><span><span class="pill \w+">', text
    )
    assert rows == ["prod", "dev"]


def test_one_edit_is_told_once_however_many_it_reaches():
    text = written(with_edits(huge(300)))
    (edit,) = re.findall(r'<details class="cause" id="edit-12".*?</details>\n', text, re.DOTALL)
    assert "and 298 more" in edit
    assert "Serving/serving-0299" in edit, "all are there, folded"
    assert text.count('class="cause"') == 12
    assert text.count('class="row"') == 300


def test_very_many_edits_are_folded():
    objects = [shown(f"s{n}", change(f"field{n}")) for n in range(60)]
    text = written(with_edits(report(*objects)))
    assert "<summary>10 more edits</summary>" in text
    assert text.count('class="cause"') == 60


def test_errors_come_first_and_what_reads_the_same_is_told_once():
    calm = finding("it waits", Severity.WARNING)
    many = [finding("gone", file=f"environments/prod/{n}.yaml") for n in range(40)]
    text = written(report(findings=(calm, *many)))
    assert text.count(">error<") == 1
    assert text.index(">error<") < text.index(">warning<")
    assert "environments/prod/0.yaml:3:5; environments/prod/1.yaml:3:5 and 38 more" in text
    assert "environments/prod/39.yaml:3:5" in text


def test_nothing_changes():
    assert "Nothing changes." in Page(written(report())).text


def test_pictures_are_part_of_the_page():
    picture = ShownPicture("prod <now>", '<svg xmlns="http://www.w3.org/2000/svg"></svg>')
    text = written(ordinary(pictures=(picture,)))
    assert picture.svg in text
    assert "<figcaption>prod &lt;now&gt;</figcaption>" in text
    assert 'id="pictures"' not in written(ordinary())


def test_hostile_text_stays_text():
    text = written(with_edits(hostile()))
    assert text.count("<script") == 1
    assert "<img" not in text
    assert not re.search(r"[\x00-\x08\x0b-\x1f\u202e]", text)
    assert "</details></code></pre><script>alert(1)</script>" in Page(text).text


def test_a_value_of_several_lines_is_a_block():
    item = shown("risk", change(before="a", after={"b": [1]}, causes=(0,)))
    edit = ShownEdit(EditKind.EDIT, change("vars.x", 1, 2))
    text = written(report(item)._replace(edits=(edit,)))
    assert '<code class="value">a</code>' in text
    assert '<code class="value block">{\n  &quot;b&quot;: [' in text


@pytest.fixture
def page(tab, tmp_path):
    """A report opened from disk."""

    def open_page(given, fragment="", **window):
        file = tmp_path / "diff.html"
        file.write_text(written(given), "utf-8")
        tab.open(file.as_uri() + fragment, **window)
        return tab

    return open_page


SHOWN = "[...document.querySelectorAll('.row:not([hidden]) b')].map((one) => one.textContent)"
TOLD = "document.querySelector('output').value"


def fleet():
    """Three servings in two environments, to which different things happen."""

    def serving(name, environment, effect, destination, units=1):
        hit = tuple(impact(effect, f"u{n}", destination, f"Serving/{name}") for n in range(units))
        own = {"environment": environment, "destination": destination}
        return shown(name, change(f"spec.{effect}", impacts=hit), **own)

    return with_edits(
        report(
            serving("apple", "dev", Effect.ROLLING, "west"),
            serving("apple", "prod", Effect.ROLLING, "east", units=12),
            serving("berry", "prod", Effect.BREAKS, "east", units=2),
            serving("cherry", "prod", Effect.RECREATE, "west", units=3),
            production=frozenset(("prod",)),
        )
    )


@pytest.mark.process
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [1200, 480])
def test_a_browser_draws_it(page, tmp_path, dark, width):
    """From disk, in both schemes; hostile text makes no element of its own and no line too wide."""
    tab = page(with_edits(hostile()), width=width, dark=dark)
    tab.shot(tmp_path / "shot.png")
    assert (tmp_path / "shot.png").stat().st_size > 10_000
    assert tab.run("document.documentElement.scrollWidth") == width
    assert tab.run("document.querySelectorAll('script').length") == 1
    assert tab.run("document.querySelectorAll('img').length") == 0
    colour = tab.run("getComputedStyle(document.body).backgroundColor")
    assert colour == ("rgb(13, 17, 23)" if dark else "rgb(255, 255, 255)")


@pytest.mark.process
@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("", ["berry", "cherry", "apple", "apple"]),
        ("environment=prod", ["berry", "cherry", "apple"]),
        ("class=rolling", ["apple", "apple"]),
        ("class=rolling&environment=dev", ["apple"]),
        ("destination=east", ["berry", "apple"]),
        ("search=RRY", ["berry", "cherry"]),
        ("search=rry+west", ["cherry"]),
        ("search=nothing+of+that", []),
        ("edit=1+spec.breaks", ["berry"]),
        ("environment=nowhere", ["berry", "cherry", "apple", "apple"]),
        ("sort=spec", ["apple", "apple", "berry", "cherry"]),
        ("sort=-spec", ["cherry", "berry", "apple", "apple"]),
        ("sort=-units", ["apple", "cherry", "berry", "apple"]),
        ("sort=-class&environment=prod", ["apple", "cherry", "berry"]),
    ],
)
def test_rows_are_filtered_and_sorted(page, wanted, found):
    tab = page(fleet(), f"#specs?{wanted}")
    assert tab.run(SHOWN) == [f"Serving/{name}" for name in found]
    number = f"{len(found)} of 4" if len(found) < 4 else "4"
    assert tab.run(TOLD) == f"{number} specs"


@pytest.mark.process
def test_all_of_it_can_be_done_with_keys(page):
    tab = page(fleet())
    tab.press("/", *"rry")
    assert tab.run(SHOWN) == ["Serving/berry", "Serving/cherry"]
    assert tab.run("location.hash") == "#specs?search=rry"
    tab.press("ArrowDown", "ArrowDown", "Enter")
    assert tab.run("[...document.querySelectorAll('.row[open] b')].map((b) => b.textContent)") == [
        "Serving/cherry"
    ]
    tab.press("ArrowUp", "ArrowUp")
    assert tab.run("document.activeElement.name") == "search"
    tab.run("document.querySelector('#heads button').focus()")
    tab.press("Enter", "Enter")
    assert tab.run(SHOWN) == ["Serving/cherry", "Serving/berry"]
    tab.run("document.querySelector('[data-sort=units]').focus()")
    tab.press("Enter")
    assert tab.run(SHOWN) == ["Serving/cherry", "Serving/berry"], "the most first"
    assert tab.run("location.hash") == "#specs?search=rry&sort=-units"
    tab.run("document.querySelector('button[type=reset]').focus()")
    tab.press("Enter")
    assert tab.run(TOLD) == "4 specs"


@pytest.mark.process
def test_an_edit_leads_to_its_specs_and_back(page):
    tab = page(fleet())
    tab.run("document.querySelector('#edit-2 a[data-edit]').click()")
    tab.settle()
    assert tab.run(SHOWN) == ["Serving/cherry"]
    tab.run("document.querySelector('.row:not([hidden]) a[href=\"#edit-2\"]').click()")
    tab.settle()
    assert tab.run("document.getElementById('edit-2').open") is True


@pytest.mark.process
def test_it_can_be_read_without_the_script(page, tab):
    tab.tell("Emulation.setScriptExecutionDisabled", value=True)
    try:
        page(fleet())
    finally:
        tab.tell("Emulation.setScriptExecutionDisabled", value=False)
    assert tab.run(SHOWN) == [f"Serving/{name}" for name in ("berry", "cherry", "apple", "apple")]
    assert tab.run("getComputedStyle(document.getElementById('filters')).display") == "none"


@pytest.mark.process
def test_of_thousands_of_rows_only_those_in_sight_are_laid_out(page):
    """So a key or a click is answered at once."""
    names = [f"s{n:04}" for n in range(3000)]
    hits = {name: (impact(spec=f"Serving/{name}"),) for name in names}
    tab = page(with_edits(report(*(shown(n, change(impacts=hit)) for n, hit in hits.items()))))
    laid_out = """[...document.querySelectorAll(".row:not([hidden]) > summary")]
      .filter((one) => one.checkVisibility({ contentVisibilityAuto: true })).length"""
    tab.run("document.getElementById('specs').scrollIntoView()")
    tab.settle()
    assert 10 < tab.run(laid_out) < 200
    tab.press("/", *"s29")
    assert tab.run(TOLD) == "100 of 3,000 specs"

"""A diff as a page: one file, whole and well-formed, safe whatever it is about."""

import re
import shutil
import subprocess
from html.parser import HTMLParser

import pytest

from renderer.outputs.diff import show
from renderer.outputs.diff.report import ShownPicture
from tests.support.diffreports import change, hostile, huge, ordinary, report, shown

BROWSER = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), ""
)
VOID = {"meta", "br"}
FLOW = {"p", "code", "ul", "li", "b", "a", "span", "strong", "pre", "del", "ins", "em", "br", "div"}
TABLE = {"table", "thead", "tbody", "tr", "th", "td"}
PARTS = {"header", "h1", "h2", "h3", "nav", "main", "section", "details", "summary", "article"}
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
        self.text += data if "style" not in self.open else ""


def written(given):
    return show("html", given)


@pytest.mark.parametrize("given", [ordinary(), hostile(), huge(30), report()])
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


def test_everything_is_told():
    text = Page(written(ordinary())).text
    for part in (
        "spec.parties[alice].template.replicas",
        "The party carol was added.",
        "a secret differs",
        "the same data in another form",
        "dave (not ours)",
        "Serving/risk alice (east)",
        '-  "a": 1\n+  "a": 2',
        "6Gi",
        "-2Gi",
        "the old state does not load",
        "environments/base/appimages/secretflow-serving.yaml",
    ):
        assert part in text, part


def test_it_is_told_what_happens_before_what_changed():
    text = written(ordinary())
    assert text.index('id="summary"') < text.index('id="findings"') < text.index('id="changes"')
    assert '<a href="#spec-2">Serving/risk</a>' in text
    assert '<details id="spec-2" open>' in text
    assert '<details id="spec-3"><summary>' in text  # a serving that is only created


def test_nothing_changes():
    assert "Nothing changes." in Page(written(report())).text


def test_pictures_are_part_of_the_page():
    picture = ShownPicture("prod <now>", '<svg xmlns="http://www.w3.org/2000/svg"></svg>')
    text = written(ordinary(pictures=(picture,)))
    assert picture.svg in text
    assert "<figcaption>prod &lt;now&gt;</figcaption>" in text
    assert 'id="pictures"' not in written(ordinary())


def test_hostile_text_stays_text():
    text = written(hostile())
    assert "<script" not in text
    assert "<img" not in text
    assert not re.search(r"[\x00-\x08\x0b-\x1f\u202e]", text)
    assert "</details></code></pre><script>alert(1)</script>" in Page(text).text


def test_a_value_of_several_lines_is_a_block():
    text = written(report(shown("risk", change(before="a", after={"b": [1]}))))
    assert '<code class="value">a</code>' in text
    assert '<code class="value block">{\n  &quot;b&quot;: [' in text


@pytest.mark.process
@pytest.mark.skipif(not BROWSER, reason="needs Chromium")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_browser_reads_it(scheme, tmp_path):
    """The page is drawn from disk in both schemes; hostile text makes no element of its own."""
    file = tmp_path / "diff.html"
    file.write_text(written(hostile()), "utf-8")
    command = [
        BROWSER,
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        f"--user-data-dir={tmp_path}",
    ]
    command += [f"--blink-settings=preferredColorScheme={int(scheme == 'light')}"]
    shot = tmp_path / "shot.png"
    drawn = [*command, "--window-size=900,900", f"--screenshot={shot}", file.as_uri()]
    subprocess.run(drawn, check=True, capture_output=True, timeout=120)
    assert shot.stat().st_size > 10_000
    done = subprocess.run([*command, "--dump-dom", file.as_uri()], capture_output=True, timeout=120)
    dom = done.stdout.decode()
    assert "<h1>Serving changes</h1>" in dom
    assert not re.search(r"<(script|img)\b", dom)

"""The site: every page is in its navigation, and links that lead nowhere are found."""

import re

import pytest
import yaml

from docs.site.build import write_configuration
from docs.site.links import problems
from docs.site.pages import write_examples, write_pages


def named_pages(entry):
    """Every page that a navigation names."""
    if isinstance(entry, str):
        yield entry
    for part in entry.values() if isinstance(entry, dict) else entry:
        if not isinstance(entry, str):
            yield from named_pages(part)


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    write_pages(folder)
    return folder


def test_every_page_is_in_the_navigation(pages, tmp_path):
    write_configuration(tmp_path / "mkdocs.yml")
    written = {str(path.relative_to(pages)) for path in pages.rglob("*.md")}
    named = list(named_pages(yaml.safe_load((tmp_path / "mkdocs.yml").read_text())["nav"]))
    assert sorted(named) == sorted({*written, "examples.md"})


def test_a_rule_is_on_the_page_of_its_family(pages):
    assert "## KSV101 {: #ksv101 }" in (pages / "rules/kserve.md").read_text()
    assert "](rules/kserve.md#ksv110)" in (pages / "kserve.md").read_text()
    assert "](rules/index.md#retired-codes)" in (pages / "findings.md").read_text()


def test_links_lead_to_what_is_in_the_site(pages):
    for path in pages.rglob("*.md"):
        text = re.sub(r"(?ms)^ *```.*?^ *```|`[^`\n]*`", "", path.read_text())
        for target in re.findall(r"\]\((?![a-z]+:|#)([^)#\s]+)", text):
            assert (path.parent / target).is_file(), (path.name, target)


@pytest.mark.process
def test_examples_come_from_the_example(tmp_path):
    write_examples(tmp_path)
    page = (tmp_path / "examples.md").read_text()
    assert "0.9.1b0" in page
    assert "flowers" in page
    assert (tmp_path / "example-report.html").read_text().startswith("<!DOCTYPE html>")
    assert (tmp_path / "example-picture.svg").read_text().startswith("<svg")
    assert str(tmp_path) not in page


SITE = {
    "index.html": '<a href="a.html#here">a</a> <a href="a.html#gone">a</a> <a href="#top">t</a>'
    '<a href="https://example.com/b">b</a> <a href="missing.html">m</a> <h1 id="top">t</h1>',
    "a.html": '<h2 id="here">h</h2> <a href="../outside.html">o</a> <img src="gone.png">'
    '<script src="https://cdn.example.com/x.js"></script>'
    '<link rel="stylesheet" href="look.css"><link rel="canonical" href="https://example.com/">',
    "look.css": '@import "https://fonts.example.com/f.css"; a { background: url(//x.example/i) }',
}


def test_what_is_wrong_with_a_site(tmp_path):
    for name, text in SITE.items():
        (tmp_path / name).write_text(text)
    assert list(problems(tmp_path)) == [
        "a.html: ../outside.html leads nowhere",
        "a.html: gone.png leads nowhere",
        "a.html: https://cdn.example.com/x.js is asked of another host",
        "index.html: a.html#gone leads nowhere",
        "index.html: missing.html leads nowhere",
        "look.css: https://fonts.example.com/f.css is asked of another host",
        "look.css: //x.example/i is asked of another host",
    ]

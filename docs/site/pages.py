"""The pages that the site is made of: those of docs/, the rules by their families, and examples."""

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from renderer.cli.rules import rulebook
from renderer.outputs.rulebook import (
    Rulebook,
    family_of,
    family_title,
    rule_lines,
    table_lines,
)

Addresses = dict[str, str]  # of the pages of rules, by the letters of their codes

ROOT = Path(__file__).resolve().parents[2]
_ASSETS = ("site.css", "iframe-worker.js")
#: Pages that lie elsewhere in the repository, or are called otherwise here.
_RENAMED = {
    "docs/README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
}
#: A link into the repository: its text, the file, and the place in it.
_LINK = re.compile(r"(?<!!)\[([^][]+)\]\((?![a-z]+:)([^)#\s]*)(#[^)\s]*)?\)")
#: What the example changes, by file: the version of an application, and that of a model.
_EDITS = {
    "environments/base/appimages/secretflow-serving.yaml": (
        "tag: ${vars.serving_version}",
        "tag: 0.9.1b0",
    ),
    "environments/base/inferenceservices/flowers.yaml": ("/v3", "/v4"),
}
_AUTHOR = ("-c", "user.name=example", "-c", "user.email=example@example.com")
_COMMIT = (
    ("init", "--quiet"),
    ("add", "."),
    (*_AUTHOR, "commit", "--quiet", "--message", "The example"),
)
_EXAMPLES = """\
# What it looks like

All of this comes from the example in `environments/`, with two edits: another version of an
application that two parties run, and another version of a model that KServe serves.

## The diff of a pull request

As a page by itself, which CI can keep beside a run: [the report](example-report.html), made by
`servingctl diff --format html`.

<iframe class="report" src="example-report.html" title="The report"></iframe>

The same in a terminal:

```text
{text}```

## A picture of an environment

`servingctl graph --env prod --format svg` draws what runs where and who may call whom:

[![What runs where in prod](example-picture.svg)](example-picture.svg)

## What a spec becomes

`servingctl preview flowers --env prod`:

```text
{preview}```
"""


def write_pages(folder: Path) -> None:
    """All pages but the examples, into an empty folder."""
    book = rulebook()
    addresses = {family_of(rule): _file_name(book, family_of(rule)) for rule in book.rules}
    sources = {path: path.name for path in sorted((ROOT / "docs").glob("*.md"))}
    sources |= {ROOT / name: target for name, target in _RENAMED.items()}
    for source, name in sources.items():
        if name != "rules.md":  # it has a page for each family instead
            text = _localised(source.read_text("utf-8"), source, sources, addresses)
            (folder / name).write_text(text, "utf-8")
    (folder / "rules").mkdir()
    for name, text in rule_pages(book, addresses):
        (folder / "rules" / name).write_text(text, "utf-8")
    (folder / "assets").mkdir()
    for name in _ASSETS:
        shutil.copy(Path(__file__).with_name(name), folder / "assets" / name)


def rule_pages(book: Rulebook, addresses: Addresses) -> Iterator[tuple[str, str]]:
    """A page with tables of all rules, and one for each family with the rules themselves."""
    overview = [
        "# Rules",
        "",
        "Every rule with its reason and examples, by the letters of its code.",
    ]
    for family, group in groupby(book.rules, family_of):
        rules = tuple(group)
        title, name = family_title(book, family), addresses[family]
        overview += ["", f"## {family}: {title}", "", *table_lines(rules, name)]
        lines = [f"# {family}: {title}", "", *table_lines(rules)]
        for rule in rules:
            lines += ["", f"## {rule.code} {{: #{rule.code.lower()} }}", "", *rule_lines(rule)]
        yield name, "\n".join(lines) + "\n"
    overview += ["", "## Retired codes", "", "| code | today |", "| --- | --- |"]
    overview += [
        f"| {old} | [{now}]({addresses[now[:3]]}#{now.lower()}) |"
        for old, now in book.retired.items()
    ]
    yield "index.md", "\n".join(overview) + "\n"


def rule_navigation() -> list[dict[str, str]]:
    """The pages of rules as the navigation lists them."""
    book = rulebook()
    families = dict.fromkeys(family_of(rule) for rule in book.rules)
    return [{"All rules": "rules/index.md"}] + [
        {f"{one}: {family_title(book, one)}": f"rules/{_file_name(book, one)}"} for one in families
    ]


def _file_name(book: Rulebook, family: str) -> str:
    return family_title(book, family).lower().replace(" ", "-") + ".md"


def _localised(text: str, source: Path, sources: dict[Path, str], addresses: Addresses) -> str:
    """A page with its links as they are in the site; what is not in it is named without a link."""

    def link(found: re.Match[str]) -> str:
        label, target, place = found.groups()
        path = (source.parent / target).resolve() if target else source
        if path == ROOT / "docs/rules.md":
            return f"[{label}]({_rules_address(place or '', addresses)})"
        return f"[{label}]({sources[path]}{place or ''})" if path in sources else label

    return _LINK.sub(link, text)


def _rules_address(place: str, addresses: Addresses) -> str:
    """Where a place of docs/rules.md is: `#ksv101` is on the page of its family."""
    return f"rules/{addresses.get(place[1:4].upper(), 'index.md')}{place}"


def write_examples(folder: Path) -> None:
    """What commands make of the repository's example and of an edit of it."""
    with tempfile.TemporaryDirectory() as name:
        edited = Path(name)
        shutil.copytree(ROOT / "environments", edited / "environments")
        shutil.copy(ROOT / "servingctl.yaml", edited)
        for command in _COMMIT:
            subprocess.run(("git", *command), cwd=edited, check=True)
        for file, (before, after) in _EDITS.items():
            text = (edited / file).read_text("utf-8")
            if before not in text:
                raise ValueError(f"{file} has no {before!r} for the example to change")
            (edited / file).write_text(text.replace(before, after), "utf-8")
        text = _EXAMPLES.format(
            text=_shown(edited, "diff"),
            preview=_shown(edited, "preview", "flowers", "--env", "prod"),
        )
        (folder / "examples.md").write_text(text, "utf-8")
        report = _shown(edited, "diff", "--format", "html")
        (folder / "example-report.html").write_text(report, "utf-8")
        picture = _shown(edited, "graph", "--env", "prod", "--format", "svg")
        (folder / "example-picture.svg").write_text(picture, "utf-8")


def _shown(root: Path, *arguments: str) -> str:
    command = [sys.executable, "-m", "renderer", *arguments]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(arguments)}: {done.stderr or done.stdout}")
    return done.stdout

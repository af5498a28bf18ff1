"""`make site`: builds the documentation as a site into dist/site, and checks its links."""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from docs.site.links import problems
from docs.site.pages import ROOT, rule_navigation, write_examples, write_pages

CONFIGURATION = Path(__file__).with_name("mkdocs.yml")
SITE = ROOT / "dist/site"


def build(target: Path, program: Sequence[str] = ("zensical", "build", "--strict")) -> list[str]:
    """Build the site; what comes back is what is wrong with it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        (folder / "pages").mkdir()
        write_pages(folder / "pages")
        write_examples(folder / "pages")
        write_configuration(folder / "mkdocs.yml")
        executable = Path(sys.executable).with_name(program[0])
        subprocess.run([executable, *program[1:]], cwd=folder, check=True)
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(folder / "site", target)
    return list(problems(target.resolve()))


def write_configuration(path: Path) -> None:
    """The configuration with the pages of rules, which depend on the rules there are."""
    rules = "".join(
        f"      - {title!r}: {page}\n"
        for entry in rule_navigation()
        for title, page in entry.items()
    )
    text = CONFIGURATION.read_text("utf-8")
    path.write_text(text.replace("  - Rules: {}\n", f"  - Rules:\n{rules}"), "utf-8")


if __name__ == "__main__":
    found = build(SITE)
    sys.stderr.writelines(f"{line}\n" for line in found)
    sys.stdout.write(f"{sum(1 for _ in SITE.rglob('*.html'))} pages in {SITE.relative_to(ROOT)}\n")
    sys.exit(1 if found else 0)

"""The codes of the rules that a release had, one to a line, in `tests/released/VERSION.txt`.

`python -m tests.support.released` writes down those of the version that is checked out.
"""

from renderer import __version__
from renderer.cli.rules import rulebook
from tests.support.places import ROOT

FOLDER = ROOT / "tests/released"


def codes_of(version):
    return (FOLDER / f"{version}.txt").read_text("utf-8").split()


if __name__ == "__main__":
    codes = sorted(rule.code for rule in rulebook().rules)
    (FOLDER / f"{__version__}.txt").write_text("".join(f"{code}\n" for code in codes), "utf-8")

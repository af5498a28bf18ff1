"""Imports point one way, and each library has one home."""

import ast

import pytest

from tests.support.places import ROOT

PACKAGE = ROOT / "renderer"
#: From the rim to the core; a module may import from its own room and from those below.
ROWS = [
    ["__main__"],
    ["cli"],
    ["io"],
    ["publish"],
    ["inspect", "compare"],
    ["evaluate"],
    ["render"],
    ["check"],
    ["compose"],
    ["backends"],
    ["outputs"],
    ["schema"],
    ["kubernetes"],
    ["text"],
    ["values"],
    ["assets", "errors", "__init__"],
]
HOMES = {
    "click": "cli",
    "deepdiff": "compare",
    "jinja2": "render",
    "jsonschema": "schema",
    "re2": "kubernetes",
    "yaml": "text",
}
PRINTERS = {"cli"}
FILES = sorted(PACKAGE.rglob("*.py"))


def area(name):
    """`renderer.cli.app` belongs to `cli`."""
    return name.split(".")[1] if "." in name else "__init__"


def module(path):
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


def imports(path):
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            if node.module == "renderer":
                yield from (f"renderer.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("path", FILES, ids=module)
def test_imports_point_down(path):
    rows = {name: number for number, row in enumerate(ROWS) for name in row}
    own = area(module(path))
    if own == "__init__":
        return  # the public names, imported when they are asked for
    for name in imports(path):
        if name.startswith("renderer.") and not name.endswith("__version__"):
            target = area(name)
            assert target == own or rows[target] > rows[own], f"{own} imports {target}"


@pytest.mark.parametrize("path", FILES, ids=module)
def test_libraries_have_one_home(path):
    for name in imports(path):
        home = HOMES.get(name.split(".")[0])
        assert home in (None, area(module(path))), f"{name} is imported outside {home}"


def test_a_platform_is_named_only_in_its_backend():
    for path in FILES:
        if "backends" in path.parts:
            continue
        assert "kuscia" not in path.read_text("utf-8").lower(), path

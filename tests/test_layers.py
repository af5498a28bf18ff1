"""Imports point one way, and each library has one home."""

import ast
import re
from functools import cache
from typing import NamedTuple

import pytest

from tests.support.places import ROOT
from tests.support.rows import each

PACKAGE = ROOT / "renderer"
#: From the rim to the core; a module may import from its own room and from those below.
ROWS = [
    ["__main__"],
    ["cli"],
    ["io"],
    ["publish", "adopt"],
    ["live", "promote"],
    ["inspect", "changes", "scaffold"],
    ["bootstrap"],
    ["evaluate"],
    ["manifests"],
    ["rules", "policies"],
    ["compose"],
    ["backends"],
    ["outputs"],
    ["derive", "engines"],
    ["schema"],
    ["kubernetes"],
    ["text"],
    ["values"],
    ["assets", "errors", "__init__"],
]
HOMES = {
    "cel_expr_python": "policies",
    "click": "cli",
    "deepdiff": "changes",
    "jinja2": "manifests",
    "jsonschema": "schema",
    "re2": "kubernetes",
    "ruamel": "text",
    "yaml": "text",
}
PRINTERS = {"cli"}
FILES = sorted(PACKAGE.rglob("*.py"))


def area(name):
    """`renderer.cli.app` belongs to `cli`."""
    return name.split(".")[1] if "." in name else "__init__"


def module(path):
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


class Source(NamedTuple):
    """What a module imports, at its top or anywhere in it, and the attributes that it asks for."""

    imports: list[str]
    attributes: set[str]


@cache
def source(path):
    nodes = [*ast.walk(ast.parse(path.read_text("utf-8")))]
    imports = [name for node in nodes for name in imported(node)]
    return Source(imports, {node.attr for node in nodes if isinstance(node, ast.Attribute)})


def imported(node):
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module:
        yield node.module
        yield from (f"{node.module}.{alias.name}" for alias in node.names)


@each("path", FILES, name=module)
def test_imports_point_down(path):
    rows = {name: number for number, row in enumerate(ROWS) for name in row}
    own = area(module(path))
    if own == "__init__":
        return  # the public names, imported when they are asked for
    for name in source(path).imports:
        if name.startswith("renderer.") and not name.endswith("__version__"):
            target = area(name)
            assert target == own or rows[target] > rows[own], f"{own} imports {target}"


@each("path", FILES, name=module)
def test_libraries_have_one_home(path):
    for name in source(path).imports:
        home = HOMES.get(name.split(".")[0])
        assert home in (None, area(module(path))), f"{name} is imported outside {home}"


#: The words of platforms; those of a backend are in its folder, and its line of the registry.
VOCABULARY = re.compile(
    r"kuscia|secretflow|app_?image|domain_id|initiator|federated|control.plane|gets no further"
    r"|kserve|inferenceservice|servingruntime|kuberay|ray(?:cluster|job|service)|compute_?template"
    r"|\b(?:KUS|KSV|RAY)[0-9]{3}|\bdomains?\b|\bpart(?:y|ies)\b|\bpartners?\b|\bservings?\b",
    re.IGNORECASE,
)
#: What the program calls itself and what it is about, a field of Kubernetes, a group of Knative.
OWN_NAMES = re.compile(
    r"initiatorName|servingctl|serving\.gitops|serving\.knative|serving specs|Serving changes"
)
BACKENDS = PACKAGE / "backends"


def words_of_platforms(text):
    return VOCABULARY.findall(OWN_NAMES.sub("", text))


@each("path", FILES, name=module)
def test_a_platform_is_spoken_of_only_in_its_backend(path):
    """Neither its name nor its words, in code, comments and texts alike."""
    of_a_backend = path.is_relative_to(BACKENDS) and path.parent != BACKENDS
    if not of_a_backend and path != BACKENDS / "__init__.py":
        assert not words_of_platforms(path.read_text("utf-8"))


@pytest.mark.parametrize("name", ["spec/environment.json", "settings.json"])
def test_schemas_of_the_core_speak_of_no_platform(name):
    assert not words_of_platforms((ROOT / "schemas" / name).read_text("utf-8"))


@pytest.mark.parametrize("word", ["Kuscia", "APP_IMAGE", "AppImage", "the serving", "KUS101"])
def test_words_of_platforms_are_recognised(word):
    assert words_of_platforms(f"servingctl: {word}.")


#: What places prerequisites, composes shared inputs, and hands objects to those that use them.
ASKS_FOR_PREREQUISITES = {
    "renderer.evaluate.group",
    "renderer.evaluate.inputs",
    "renderer.evaluate.shared",
    "renderer.values.derivations",
    "renderer.values.kinds",
}


@each("path", FILES, name=module)
def test_few_ask_whether_a_kind_is_a_prerequisite(path):
    asked = source(path).attributes
    assert "prerequisite" not in asked or module(path) in ASKS_FOR_PREREQUISITES


TEST_WORD = re.compile(r"\btest_\w+")


def test_no_test_module_imports_another():
    """What several need is in `tests/support`."""
    paths = sorted((ROOT / "tests").rglob("test_*.py"))
    tests = {module(path): path.stem for path in paths}
    # Few mention another at all, so only these are parsed.
    words = {path: set(TEST_WORD.findall(path.read_text("utf-8"))) for path in paths}
    suspects = [path for path in paths if words[path] & {*tests.values()}]
    used = [(module(path), name) for path in suspects for name in source(path).imports]
    assert [pair for pair in used if pair[1] in tests] == []

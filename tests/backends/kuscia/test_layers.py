"""Inside the Kuscia backend imports point one way, those inside functions included."""

import ast
from functools import cache
from graphlib import CycleError, TopologicalSorter

import pytest

from tests.conftest import ROOT
from tests.support.rows import each

NAME = "renderer.backends.kuscia"
FOLDER = ROOT.joinpath(*NAME.split("."))
#: From the rim to the core; a module imports from its own room and from the rows below it.
ROWS = [
    ["backend"],
    ["status", "behaviour"],
    ["rules", "derive", "picture", "imports", "api", "skeletons"],
    ["config_templates", "input_config"],
    ["plans"],
    ["serving"],
    ["app_image"],
    ["pod_variables"],
    ["summaries", "deploy_template", "settings"],
    ["dialect", "derived_objects"],
]
#: The rows of each room, by its modules.
ROOMS = {
    "config_templates": [
        ["known_values"],
        ["config_files"],
        ["json_files"],
        ["insertion"],
        ["template"],
        ["actions"],
        ["tokens", "go_text"],
    ],
    "imports": [
        ["conversion", "amounts"],
        ["deployments"],
        ["app_images", "servings"],
        ["known_images"],
    ],
    "input_config": [["document"], ["protobuf_json"], ["messages"]],
    "rules": [
        ["registry"],
        ["input_config"],
        ["policy", "filled_files"],
        [
            "amounts",
            "config_files",
            "config_templates",
            "control_planes",
            "images",
            "inserted_values",
            "json_files",
            "mounts",
            "names",
            "parties",
            "resources",
            "secretflow_serving",
            "reserved_names",
        ],
        ["containers"],
        ["sources"],
    ],
    "status": [
        ["serving_status"],
        ["derived", "response"],
        ["parties"],
        ["copies"],
    ],
    "behaviour": [
        ["table"],
        ["app_image_rows", "app_image_change_kinds"],
        ["serving_rows"],
        ["plane_order"],
        ["situations", "change_kinds"],
    ],
    "derive": [
        ["units"],
        ["updates"],
        ["problems", "files", "objects"],
        ["pod", "refusals"],
        ["plan"],
        ["planes"],
    ],
}


def module(path):
    """`derive/refusals.py` is `derive.refusals`; a room's own file is the room."""
    parts = path.relative_to(FOLDER).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


MODULES = {module(path): path for path in sorted(FOLDER.rglob("*.py"))}


@cache
def imports(path):
    """The modules of the backend that a file imports, at its top or anywhere in it."""
    return tuple(_imported(ast.parse(path.read_text("utf-8"))))


def _imported(tree):
    for node in ast.walk(tree):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            if name.startswith(f"{NAME}."):
                below = name.removeprefix(f"{NAME}.")
                yield below if below in MODULES else below.rpartition(".")[0]


def places(name):
    """Where a module stands: in the rows of the backend, and in those of its room."""
    room, _, rest = name.partition(".")
    yield ROWS, room
    if room in ROOMS and rest:
        yield ROOMS[room], rest.partition(".")[0]


def number(rows, name):
    return next(index for index, row in enumerate(rows) if name in row)


@each("name", [name for name in MODULES if name])
def test_imports_point_down(name):
    for target in imports(MODULES[name]):
        for (rows, own), (_, other) in zip(places(name), places(target), strict=False):
            if own != other:
                assert number(rows, other) > number(rows, own), f"{name} imports {target}"
                break


def test_no_module_imports_itself_through_others():
    """Room by room the rows allow it: a room's own file may import its modules, never back."""
    graph = {name: set(imports(path)) - {name} for name, path in MODULES.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" imports ".join(error.args[1]))


def test_every_module_has_a_row():
    rooms = {name.partition(".")[0] for name in MODULES if name}
    assert rooms == {name for row in ROWS for name in row}
    for room, rows in ROOMS.items():
        inside = {name.split(".")[1] for name in MODULES if name.startswith(f"{room}.")}
        assert inside == {name for row in rows for name in row}, room

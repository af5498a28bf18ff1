"""What `servingctl.yaml` says, and whether this version of the program will do."""

import operator
from functools import cache

from renderer import __version__
from renderer.backends import BACKENDS
from renderer.backends.kind_schemas import add_codes
from renderer.backends.kinds import SIZE_FIELDS
from renderer.errors import RendererError
from renderer.schema.bundle import Schema, bundled_schema
from renderer.schema.validation import shape_errors
from renderer.text import rules as problems
from renderer.text import yaml_reader
from renderer.text.decoder import SPEC_LIMITS
from renderer.text.expressions import expression
from renderer.values.diagnostics import Diagnostic, Origin, release
from renderer.values.files import Files, Unreadable
from renderer.values.model import Settings
from renderer.values.tree import Node, drop_paths

MARKER = "servingctl.yaml"
_OPEN_TO_ALL = [backend for backend in BACKENDS if backend.has_repository_settings]
_DEFAULTS = Settings(keep=SIZE_FIELDS)
_COMPARISON = expression(r"\s*([<>]=?|[=!]=)\s*([0-9.]+)\s*")
_OPERATORS = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "==": operator.eq, "!=": operator.ne,
}  # fmt: skip


def read_settings(files: Files) -> tuple[Settings, list[Diagnostic]]:
    """What the marker says, or what is wrong with it."""
    try:
        reading = yaml_reader.read(files.read(MARKER, SPEC_LIMITS.size), MARKER)
    except Unreadable as error:
        return _DEFAULTS, [unreadable(MARKER, error)]
    tree = reading.document.tree
    if tree is None or tree.value is None:
        return _DEFAULTS, reading.problems
    misread = {item.place for item in reading.problems}
    faults = list(shape_errors(tree, _schema()))
    shapes = (fault.diagnostic for fault in faults)
    found = [*reading.problems, *(item for item in shapes if item.place not in misread)]
    paths = {fault.unreliable_path for fault in faults if fault.unreliable_path is not None}
    sound = drop_paths(tree, paths)
    output, ignore, rules = (sound.get(key) for key in ("output", "ignore", "rules"))
    wanted, keep = sound.get("required_version"), sound.get("promote", "keep")
    as_of, policies = sound.get("rules_as_of"), sound.get("policies")
    if wanted:
        require(str(wanted.value), __version__)
    return Settings(
        str(output.value) if output else _DEFAULTS.output,
        tuple(str(node.value) for node in ignore.elements) if ignore else (),
        {code: str(node.value) for code, node in rules.items.items()} if rules else {},
        tree,
        tuple(str(node.value) for node in keep.elements) if keep else _DEFAULTS.keep,
        str(as_of.value) if as_of else "",
        tuple(str(node.value).rstrip("/") for node in policies.elements)
        if policies
        else _DEFAULTS.policies,
    ), found


def repository_settings(settings: Settings) -> Node | None:
    """What backends let a repository say for all of its environments; nothing if it does not."""
    given = settings.tree.items if settings.tree else {}
    said = {item.name: given[item.name] for item in _OPEN_TO_ALL if item.name in given}
    return settings.tree.with_members(said) if settings.tree and said else None


@cache
def _schema() -> Schema:
    schema = bundled_schema("settings.json")
    properties = {**schema["properties"], "rules": add_codes(schema["properties"]["rules"])}
    for backend in _OPEN_TO_ALL:
        properties[backend.name] = bundled_schema(backend.settings_schema)
    return {**schema, "properties": properties}


def unreadable(path: str, error: Unreadable) -> Diagnostic:
    return problems.UNREADABLE.at(Origin(path), f"the file is not read: {error}", error.fix)


def require(wanted: str, version: str) -> None:
    """Refuse to work unless a version meets every comparison."""
    if not all(_holds(comparison, version) for comparison in wanted.split(",")):
        raise RendererError(
            f"this repository asks for servingctl {wanted}, and this is {version}; "
            "install a version that it asks for, or change required_version in servingctl.yaml"
        )


def _holds(comparison: str, version: str) -> bool:
    match = _COMPARISON.fullmatch(comparison)
    if match is None:
        return False
    return bool(_OPERATORS[match[1]](release(version), release(match[2])))

"""Files that are meant to override what an ancestor has, and have another name."""

from collections.abc import Collection, Mapping
from typing import Any

from renderer.compose.environment_rules import MISNAMED
from renderer.text.wording import did_you_mean, listed, nearest
from renderer.values.diagnostics import Diagnostic, Origin
from renderer.values.model import Part
from renderer.values.tree import Node


def missing_keys(tree: Node, schema: Mapping[str, Any]) -> list[str]:
    """What a spec does not say although every one has to."""
    return [key for key in schema.get("required", ()) if key not in tree.items]


def misnamed(part: Part, missing: list[str], inherited: Collection[str]) -> Diagnostic | None:
    """That a spec of its own is not complete, and has nearly the name of an inherited one."""
    hint = nearest(part.stem, inherited)
    if not hint:
        return None
    message = f"{listed(map(repr, missing))} is missing, and no environment above has "
    message += f"a {part.kind.name} {part.stem!r} that this would change"
    fix = f"{did_you_mean(hint)} Then rename the file; otherwise add what is missing"
    return MISNAMED.at(Origin(part.file), message, fix)

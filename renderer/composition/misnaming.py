"""Files that are meant to override what an ancestor has, and have another name."""

from collections.abc import Collection, Mapping
from typing import Any

from renderer.diagnostics import Diagnostic, Origin
from renderer.model import Part
from renderer.rules.environments import MISNAMED
from renderer.tree import Node
from renderer.wording import listed, nearest


def misnamed(
    part: Part, tree: Node, inherited: Collection[str], schema: Mapping[str, Any]
) -> Diagnostic | None:
    """That a spec of its own is not complete, and has nearly the name of an inherited one."""
    missing = [key for key in schema.get("required", ()) if key not in tree.items]
    hint = nearest(part.stem, inherited) if missing else ""
    if not hint:
        return None
    message = f"{listed(map(repr, missing))} is missing, and no environment above has "
    message += f"a {part.kind.name} {part.stem!r} that this would change"
    fix = f"did you mean {hint!r}? Then rename the file; otherwise add what is missing"
    return MISNAMED.at(Origin(part.file), message, fix)

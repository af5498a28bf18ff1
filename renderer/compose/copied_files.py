"""Specs whose files are copied as they are: nothing is laid over them, and nothing below them."""

from collections.abc import Iterator, Sequence

from renderer.compose.environment_rules import COPIED_ALONE
from renderer.values.diagnostics import Diagnostic
from renderer.values.kinds import DROP, STEERING
from renderer.values.model import Spec, SpecPart
from renderer.values.tree import Node


def copied_spec(parts: Sequence[SpecPart], environment: str, described: Node) -> Spec:
    """The most specific file as a spec, steered by what its environment says of it."""
    own = parts[-1]
    tree = own.tree.with_members({**own.tree.items, **_steering(own, described)})
    files = tuple(part.file for part in reversed(parts))
    return Spec(own.kind, own.stem, environment, files, tree, source=own.source)


def _steering(part: SpecPart, described: Node) -> dict[str, Node]:
    copied = part.kind.copied
    identity = f"{part.kind.name}/{part.stem}"
    given = described.get(*copied.steered_at, identity) if copied else None
    return {key: node for key, node in (given.items if given else {}).items() if key in STEERING}


def composition_findings(
    parts: Sequence[SpecPart], defaults: Sequence[Node]
) -> Iterator[Diagnostic]:
    """That a file which is copied is not all that there is of its spec."""
    copied = next(part for part in reversed(parts) if part.source)
    what = f"{copied.kind.name}/{copied.stem}"
    files = [part.file for part in parts]
    for part in parts:
        if part is not copied:
            message = f"{copied.file} is encrypted and cannot be composed, and this file is "
            message += f"{what}, too"
            fix = f"give one of the two files another name, or leave the other out by {DROP}: true"
            yield COPIED_ALONE.at(part.tree.origin, message, fix).about(related=files)
    for node in defaults:
        message = f"{copied.file} is encrypted and cannot be composed with defaults"
        fix = f"delete these defaults of {copied.kind.name}, and write them into its files instead"
        yield COPIED_ALONE.at(node.key or node.origin, message, fix).about(related=files)

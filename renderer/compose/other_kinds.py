"""Overrides that have the name of what they were to change, and another kind."""

from collections.abc import Iterator, Sequence

from renderer.compose.environment_rules import MISNAMED
from renderer.compose.ineffective_rules import OTHER_KIND
from renderer.compose.kind_shapes import kind_shape
from renderer.compose.parts import Folder
from renderer.text.wording import listed
from renderer.values.diagnostics import Diagnostic
from renderer.values.model import Kind, SpecPart

#: How much of what two kinds have at the top both of them have, if they are of one family.
_LIKENESS = 0.8


def other_kind(
    part: SpecPart, chain: Sequence[Folder], missing: Sequence[str]
) -> Diagnostic | None:
    """That the first file of a spec leaves one of its name as it is that has another kind.

    It is an error where the file is not complete by itself; what is missing was one before, too.
    """
    inherited = (other for other in _same_stems(part, chain) if _may_be_meant(part, other, missing))
    other = next(inherited, None)
    if other is None:
        return None
    message = f"{other.environment} has {other.kind.name}/{part.stem}, and a file of the kind "
    message += f"{part.kind.name} does not change it"
    fix = f"did you mean kind: {other.kind.name}?"
    where = part.tree.locate(("kind",))
    if not missing:
        return OTHER_KIND.at(where, message, f"{fix} Otherwise give this file another name")
    message += f"; by itself it lacks {listed(map(repr, missing))}"
    return MISNAMED.at(where, message, f"{fix} Otherwise add what is missing")


def _same_stems(part: SpecPart, chain: Sequence[Folder]) -> Iterator[SpecPart]:
    """What environments above say of specs of the name, unless a file beside this one does, too."""
    names = [folder.name for folder in chain]
    place = names.index(part.environment)
    for folder in reversed(chain[:place]):
        for identity, other in sorted(folder.specs.items()):
            if identity[1] == part.stem and identity not in chain[place].specs:
                yield other


def _may_be_meant(part: SpecPart, other: SpecPart, missing: Sequence[str]) -> bool:
    """Whether the kinds are of one family, or an incomplete file would do for the other kind."""
    shape = kind_shape(other.kind.name)
    fits = all(shape.has(key) for key in part.tree.items)
    return _is_alike(part.kind, other.kind) or (bool(missing) and fits)


def _is_alike(kind: Kind, other: Kind) -> bool:
    one, two = (kind_shape(item.name).keys for item in (kind, other))
    return len(one & two) >= _LIKENESS * len(one | two)

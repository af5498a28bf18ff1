"""Of what a diff consists: an edit, and all that it brings about."""

from renderer.outputs.diff.patterns import Pattern
from renderer.outputs.diff.report import ShownChange, ShownEdit, ShownObject
from renderer.outputs.diff.summary import RANKING
from renderer.values.changes import Effect, How
from renderer.values.diagnostics import Severity
from renderer.values.named_tuple import NamedTuple


class Reported(NamedTuple):
    """The rule by which a consequence is a finding as well, and how bad that is."""

    severity: Severity
    code: str


class Touched(NamedTuple):
    """A unit that something happens to."""

    environment: str
    destination: str
    spec: str
    unit: str


class Consequence(NamedTuple):
    """What happens to some units, in words, what to do about it, and the rule that reports it."""

    effect: Effect
    consequence: str
    advice: str
    units: tuple[Touched, ...]
    reported: Reported | None = None


class Difference(NamedTuple):
    """A change that several objects of a kind have in common; without one they come or go.

    With a pattern their values differ, all in that way, and the change is the first of them. Its
    values may be those of the edit, under another name or under the same: then it is the edit
    itself, in the words of the platform.
    """

    kind: str
    how: How
    change: ShownChange | None
    objects: tuple[ShownObject, ...]
    pattern: Pattern | None = None
    repeats_values: bool = False
    repeats_edit: bool = False


class ReachedEnvironment(NamedTuple):
    """How much of an environment a cause reaches; `broken` are those specs that it makes wrong."""

    name: str
    is_production: bool
    specs: tuple[str, ...]
    units: int
    broken: tuple[str, ...] = ()


class Cause(NamedTuple):
    """An edit, wherever it was made in the same words, and what it brings about.

    With a pattern the values of its edits differ, all in that way. Environments are in the order
    in which they matter, production first.
    """

    numbers: tuple[int, ...]
    edits: tuple[ShownEdit, ...]
    environments: tuple[ReachedEnvironment, ...]
    consequences: tuple[Consequence, ...]
    differences: tuple[Difference, ...]
    is_wrong: bool = False
    pattern: Pattern | None = None

    @property
    def edit(self) -> ShownEdit:
        return self.edits[0]

    @property
    def is_felt(self) -> bool:
        """Whether any object changes with it, or cannot be made any more."""
        return bool(self.environments) or self.is_wrong

    @property
    def classes(self) -> dict[Effect, int]:
        """How many units each class of impact hits, the worst first."""
        units: dict[Effect, set[Touched]] = {}
        for item in self.consequences:
            units.setdefault(item.effect, set()).update(item.units)
        return {effect: len(units[effect]) for effect in RANKING if effect in units}

    @property
    def rank(self) -> tuple[bool, int, tuple[str, int, int]]:
        """Production first, then the worst, then by place."""
        is_production = any(item.is_production for item in self.environments)
        return not is_production, self.badness, self.edit.change.origin.place

    @property
    def badness(self) -> int:
        """The lower, the worse; nothing is worse than an error."""
        worst = min(map(RANKING.index, self.classes), default=len(RANKING))
        return -1 if self.is_wrong else worst

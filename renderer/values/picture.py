"""A picture as values: places, what runs in them, and what connects their rows."""

from collections.abc import Iterable, Iterator
from enum import StrEnum

from renderer.values.derivations import DerivedUnit
from renderer.values.named_tuple import NamedTuple

#: The key of the row of an applied object in the picture of its spec.
APPLIED = "applied"


class Exposure(StrEnum):
    """From how far away a row can be called."""

    ANYWHERE = "anywhere"
    OTHERS = "others"
    INSIDE = "inside"
    NOWHERE = "nowhere"


class PictureRow(NamedTuple):
    """A line of a card or of a place, to which links lead.

    `tag` is its kind in a word, `address` where it is called, `note` a remark.
    """

    key: str
    title: str
    tag: str = ""
    address: str = ""
    note: str = ""
    exposure: Exposure = Exposure.NOWHERE


class Card(NamedTuple):
    """A card: what runs in a place. Calls to rows with the reach INSIDE pass its entrance."""

    title: str
    tags: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    rows: tuple[PictureRow, ...] = ()
    entrance: tuple[str, ...] = ()


class Group(NamedTuple):
    """A place with its cards; what is not ours is shown as such."""

    title: str
    tags: tuple[str, ...] = ()
    rows: tuple[PictureRow, ...] = ()
    cards: tuple[Card, ...] = ()
    ours: bool = True


class LinkKind(StrEnum):
    """What a link means."""

    CALL = "call"
    MEMBERS = "members"
    SYNC = "sync"


class Link(NamedTuple):
    """Rows that belong together: those of `sources` reach those of `targets`.

    A row that is in both reaches the other ones and is reached by them. `meaning` says so in words.
    """

    kind: LinkKind
    name: str
    meaning: str
    sources: tuple[str, ...]
    targets: tuple[str, ...]

    @property
    def label(self) -> str:
        return f"{self.name}: {self.meaning}"

    @property
    def keys(self) -> tuple[str, ...]:
        """Every row of the link, once."""
        return tuple(dict.fromkeys((*self.sources, *self.targets)))


class Picture(NamedTuple):
    """What is drawn; `remarks` stand below it, and what is `left_out`, if anything is."""

    title: str
    summary: str
    groups: tuple[Group, ...]
    links: tuple[Link, ...] = ()
    remarks: tuple[str, ...] = ()
    left_out: str = ""

    def rows(self) -> Iterator[PictureRow]:
        """Every row, from top to bottom."""
        for group in self.groups:
            yield from group.rows
            for card in group.cards:
                yield from card.rows


class Place(NamedTuple):
    """Where units run, and what people call such a place.

    `owners` are those who run units there under their own names, and `owner_noun` what they are; an
    owner is named even if it runs nothing for now.
    """

    title: str
    tags: tuple[str, ...] = ()
    ours: bool = True
    noun: str = "namespace"
    cluster: str = ""
    owners: tuple[str, ...] = ()
    owner_noun: str = ""

    def group(self, rows: tuple[PictureRow, ...] = (), cards: tuple[Card, ...] = ()) -> Group:
        return Group(self.title, self.tags, rows, cards, self.ours)


class DrawnUnit(NamedTuple):
    """A unit, or an application that runs on several of them.

    The picture of its spec has the card. The picture of the environment has the row; its key is the
    name of the unit, without that of the spec. There, a card has the units of a spec, or, if a unit
    has an owner, all that the owner runs; `lead` says what an owner that leads the spec is.
    """

    card: Card
    row: PictureRow
    place: Place
    unit: DerivedUnit | None = None
    owner: str = ""
    lead: str = ""


class SharedThing(NamedTuple):
    """What units use and other specs may use too: a runtime, a template, another spec.

    `meaning` says what it does for its `users`, the names of units (`sizes`), or, if they call it,
    what they do (`submits the job to`). Without a meaning it is named in the picture of a spec and
    left out of that of an environment. `note` says who brings it.
    """

    kind: str
    name: str
    note: str
    meaning: str = ""
    users: tuple[str, ...] = ()
    is_called: bool = False

    @property
    def title(self) -> str:
        return f"{self.kind} {self.name}"

    def row(self, place: Place) -> PictureRow:
        """Its row in a place."""
        return PictureRow(f"{place.title}/{self.kind}/{self.name}", self.title, note=self.note)


class DrawnSpec(NamedTuple):
    """What a kind says of a spec in pictures; the rest is the same for all kinds.

    `home` is the place that the object is applied to. If it is brought to all other places of its
    units from there, `travels` explains that. `rows` stand in the home too, below the shared
    things, and `links` connect rows of the spec's own picture. `lines` are about the spec as a
    whole. The name is that of the object, unless another one is given. The nouns are what people
    call such a spec, its object, and its units.
    """

    summary: str
    home: Place
    units: tuple[DrawnUnit, ...]
    shared: tuple[SharedThing, ...] = ()
    lines: tuple[str, ...] = ()
    rows: tuple[PictureRow, ...] = ()
    links: tuple[Link, ...] = ()
    remarks: tuple[str, ...] = ()
    travels: str = ""
    name: str = ""
    noun: str = ""
    object_noun: str = ""
    unit_noun: str = "unit"

    @property
    def places(self) -> tuple[Place, ...]:
        """The home first, then the others."""
        return tuple(dict.fromkeys((self.home, *(item.place for item in self.units))))


def join(title: str, pictures: Iterable[Picture]) -> Picture:
    """Several pictures as one: what lies in the same place is drawn in it once."""
    found = list(pictures)
    parts = [part for part in found if part.groups] or found
    return Picture(
        title,
        "; ".join(part.summary for part in parts),
        join_groups(group for part in parts for group in part.groups),
        tuple(link for part in parts for link in part.links),
        tuple(remark for part in parts for remark in part.remarks),
    )


def join_groups(groups: Iterable[Group]) -> tuple[Group, ...]:
    """Groups by their titles, each with all that is in it; cards by titles and tags, rows by keys.

    What is in several groups is taken from the first one of them.
    """
    found: dict[str, list[Group]] = {}
    for group in groups:
        found.setdefault(group.title, []).append(group)
    return tuple(
        Group(
            title,
            tuple(dict.fromkeys(tag for group in same for tag in group.tags)),
            _distinct(row for group in same for row in group.rows),
            tuple(_join_cards(card for group in same for card in group.cards)),
            any(group.ours for group in same),
        )
        for title, same in found.items()
    )


def _join_cards(cards: Iterable[Card]) -> Iterator[Card]:
    found: dict[tuple[str, tuple[str, ...]], list[Card]] = {}
    for card in cards:
        found.setdefault((card.title, card.tags), []).append(card)
    for first, *others in found.values():
        rows = _distinct(row for card in (first, *others) for row in card.rows)
        yield first._replace(rows=rows) if others else first


def _distinct(rows: Iterable[PictureRow]) -> tuple[PictureRow, ...]:
    return tuple({row.key: row for row in rows}.values())

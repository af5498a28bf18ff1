"""What a platform must say about itself; a module that says it is a backend."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:  # of other commands than most
    from collections.abc import Iterator, Mapping

    from renderer.values.changes import Change, Demand, Impact, ObjectChange, State, UnitImpacts
    from renderer.values.diagnostics import Rule
    from renderer.values.model import (
        Environment,
        Kind,
        Option,
        Placement,
        Reference,
        Render,
        Scene,
        Spec,
        Stored,
        Unit,
    )
    from renderer.values.picture import Picture
    from renderer.values.previews import Applied, UnitPreview


class Backend(Protocol):
    """Everything that is particular to a platform. Nothing here reads or writes a file."""

    KINDS: tuple[Kind, ...]
    STORED: tuple[Stored, ...]
    DESTINATION_SCHEMA: str
    SETTINGS_SCHEMA: str
    PREVIEW_OPTIONS: tuple[Option, ...]

    def rules(self, kind: str = "") -> tuple[Rule, ...]:
        """The platform's checks; at least those of a kind, if only these are needed."""

    def view(self, spec: Spec, environment: Environment) -> object:
        """The spec in the platform's own terms: what the rules of its kind are given."""

    def references(self, spec: Spec) -> Iterator[Reference]:
        """The specs that must be present where this one is."""

    def units(self, spec: Spec) -> Iterator[Unit]:
        """The parts that the platform runs on their own."""

    def place(self, spec: Spec, environment: Environment) -> Placement:
        """Where the spec goes; not asked for kinds that follow their users."""

    def needs(self, environment: Environment) -> Iterator[str]:
        """What must be there before anything is applied, and is not made here; a line each."""

    def names_by_content(self, kind: Kind, environment: Environment) -> bool:
        """Whether objects of a kind get names that change with their content."""

    def plan(self, spec: Spec, scene: Scene) -> Iterator[Render]:
        """The objects to make of a spec for one destination."""

    def picture(self, spec: Spec, environment: Environment) -> Picture | None:
        """What runs where and who may call it; nothing for what runs nothing by itself."""

    def overview(self, environment: Environment) -> Picture:
        """All specs of the platform in an environment, and what connects them."""

    def preview(
        self, applied: Applied, options: Mapping[str, tuple[str, ...]]
    ) -> Iterator[UnitPreview]:
        """What the platform will make of a spec; with the values of its own options."""

    def impacts(
        self, change: ObjectChange, before: State, after: State
    ) -> Iterator[tuple[Change | None, Impact]]:
        """What an object's changes do to what runs; nothing for a change: the whole object's."""

    def demands(
        self, change: ObjectChange, impacts: UnitImpacts, before: State, after: State
    ) -> Iterator[Demand]:
        """What the units of an object ask of the places they run in, as it changes.

        The object itself may be the same on both sides: `impacts` are those of all objects.
        """

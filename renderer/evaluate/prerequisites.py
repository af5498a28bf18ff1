"""Prerequisites: judged in view of their users, and made wherever these need them."""

from collections.abc import Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from renderer.backends.kinds import names_objects, selections_in
from renderer.evaluate.checks import CheckedShared, check_in_view, new_findings
from renderer.evaluate.collisions import PlacedObject
from renderer.evaluate.evaluation import context_of
from renderer.evaluate.judgement import Judgement
from renderer.evaluate.question import Question
from renderer.evaluate.result import KnownResults, SpecResult
from renderer.manifests.prerequisite_places import (
    Place,
    PlacedPrerequisites,
    place_prerequisites,
)
from renderer.manifests.rules import CRD_SHAPE, KUBERNETES_SHAPE
from renderer.manifests.specs import RenderedSpec, render_prerequisite
from renderer.values.derivations import needed_objects
from renderer.values.diagnostics import Diagnostic, Severity
from renderer.values.model import Environment, Fleet, Spec, SpecKey, Summary, environment_of
from renderer.values.named_tuple import NamedTuple
from renderer.values.objects import Manifest

if TYPE_CHECKING:
    from renderer.evaluate.references import CheckedReferences


_SHAPE_CODES = (CRD_SHAPE.code, KUBERNETES_SHAPE.code)


class EvaluatedPrerequisites(NamedTuple):
    """What prerequisites come to; no spec of their environment uses the `idle` ones."""

    found: list[Diagnostic]
    objects: list[PlacedObject]
    unsound: set[SpecKey]
    idle: list[Spec]
    references: "list[CheckedReferences]"


class Prerequisites:
    """The prerequisites of environments: checked in view of their users, and placed."""

    def __init__(
        self,
        checked: CheckedShared,
        question: Question,
        known: KnownResults,
        fleet: Fleet,
        judgement: Judgement,
    ) -> None:
        self.checked, self.question, self.known = checked, question, known
        self.fleet, self.judgement = fleet, judgement

    def evaluate(self, specs: list[SpecResult]) -> EvaluatedPrerequisites:
        """Those of all environments, given the results of all other specs."""
        parts = [
            self._evaluate(environment, [i for i in specs if _is_in(i, environment)])
            for environment in self.fleet.environments
        ]
        return EvaluatedPrerequisites(
            [item for part in parts for item in part.found],
            [item for part in parts for item in part.objects],
            {key for part in parts for key in part.unsound},
            [spec for part in parts for spec in part.idle],
            [one for part in parts for one in part.references],
        )

    def _evaluate(
        self, environment: Environment, specs: list[SpecResult]
    ) -> EvaluatedPrerequisites:
        checked = self.checked.environments[environment.name]
        found = list(checked.description.diagnostics)
        placed = self._places(environment, specs)
        sound: list[Spec] = []
        for spec in environment.specs:
            problems, is_sound = self._check(spec, environment)
            if not is_sound:
                problems += self._other_shapes(spec, environment, placed, problems)
            found += problems
            sound += [spec] if is_sound else []
        made = [(s, self._render(s, environment, placed.places.get(s.identity, ()))) for s in sound]
        whole = {spec.key for spec, rendered in made if rendered.is_whole}
        is_complete = len(sound) == len(environment.specs) and self._is_complete(environment, specs)
        are_users_known = is_complete and self.known.others is not None
        found += placed.diagnostics if are_users_known else ()
        references = self._references(environment, placed, is_complete=are_users_known)
        found += (item for one in references for item in one.found)
        if is_complete and self.known.is_complete:
            objects = [one for _, rendered in made for one in rendered.manifests]
            found += self._selections(environment, specs, objects)
        return EvaluatedPrerequisites(
            [
                *(one for _, rendered in made for one in rendered.diagnostics),
                *self._own_findings(environment, made),
                *new_findings(found, self.checked.diagnostics),
            ],
            [one for spec, rendered in made for one in self._objects(spec, rendered)],
            {spec.key for spec in environment.specs} - whole,
            [spec for spec in sound if _is_idle(spec, placed)] if is_complete else [],
            references,
        )

    def _check(self, spec: Spec, environment: Environment) -> tuple[list[Diagnostic], bool]:
        """What is wrong with a prerequisite in view of its users, and whether it can be made."""
        checked = self.checked.environments[environment.name]
        return check_in_view(
            checked.prerequisites[spec.identity],
            checked,
            checked.environment,
            partial(self.judgement.judge_in, name=environment.name),
            self.checked.broken,
            [
                item
                for item in self.fleet.summaries_of(environment)
                if _refers_to(item, spec, environment)
            ],
            self.checked.shared.documents,
        )

    def _other_shapes(
        self,
        spec: Spec,
        environment: Environment,
        placed: PlacedPrerequisites,
        problems: list[Diagnostic],
    ) -> list[Diagnostic]:
        """What does not fit a schema, beside errors of rules at other places of the same spec."""
        checked = self.checked.environments[environment.name]
        is_legible = not checked.prerequisites[spec.identity].errors
        if not (is_legible and spec.kind.is_open and checked.description.is_sound):
            return []
        rendered = self._render(spec, environment, placed.places.get(spec.identity, ()))
        said = {item.place for item in problems if item.severity is Severity.ERROR}
        said.add(spec.tree.origin.place)  # what is wrong there follows from the rest
        shapes = (item for item in rendered.diagnostics if item.code in _SHAPE_CODES)
        return [item for item in shapes if item.place not in said]

    def _places(self, environment: Environment, specs: list[SpecResult]) -> PlacedPrerequisites:
        """Where sound users need each prerequisite."""
        sound = [item.summary for item in specs if item.is_sound]
        sound += (s for s in self.known.others or () if s.environment == environment.name)
        every = self.fleet.summaries_of(environment)
        return place_prerequisites(environment, environment.specs, sound, every)

    def _own_findings(
        self, environment: Environment, made: list[tuple[Spec, RenderedSpec]]
    ) -> Iterator[Diagnostic]:
        """What the repository's own rules find in prerequisites, and those of its CRDs."""
        shared = self.checked.shared
        if shared.has_crd_rules:
            from renderer.evaluate.crd_rules import crd_findings

            for _, rendered in made:
                yield from crd_findings(rendered.manifests, environment, shared.crds)
        if not shared.policies.has_rules:
            return
        from renderer.evaluate.own_rules import RenderedUnits, own_findings

        objects = [one for _, rendered in made for one in rendered.manifests]
        needed = partial(needed_objects, objects, environment)
        for spec, rendered in made:
            units = RenderedUnits(spec, environment, rendered.manifests, needed)
            yield from own_findings(shared, units)

    def _references(
        self, environment: Environment, placed: PlacedPrerequisites, *, is_complete: bool
    ) -> "list[CheckedReferences]":
        """What is found in references to objects, where anyone asks for it."""
        checked = self.checked.environments[environment.name]
        if self.known.others is None or not names_objects(environment):
            return []
        from renderer.evaluate.references import check_references

        given = environment._replace(tree=checked.description.environment.tree)
        every = self.fleet.summaries_of(environment)
        has_policies = bool(self.checked.shared.policies.admission.pairs)
        return [
            check_references(
                given, placed, every, is_complete=is_complete, has_policies=has_policies
            )
        ]

    def _selections(
        self, environment: Environment, specs: list[SpecResult], objects: list[Manifest]
    ) -> "Iterator[Diagnostic]":
        """What is wrong with what prerequisites select of all that runs."""
        selections = selections_in(environment)
        if selections is None:
            return
        from renderer.evaluate.running import selection_findings

        described = self.checked.environments[environment.name].description.environment
        given = environment._replace(tree=described.tree)
        owned = [i for i in objects if self.question.shard.owns(i.environment, i.destination)]
        yield from selection_findings(given, specs, owned, selections)

    def _render(
        self, spec: Spec, environment: Environment, places: Iterable[Place]
    ) -> RenderedSpec:
        context = context_of(self.checked.shared, self.question)
        return render_prerequisite(spec, environment, places, context)

    def _objects(self, spec: Spec, rendered: RenderedSpec) -> Iterator[PlacedObject]:
        owns, origin = self.question.shard.owns, spec.name_node.origin
        for item in rendered.manifests:
            if owns(item.environment, item.destination):
                yield PlacedObject(item, origin, spec.files, is_prerequisite=True)

    def _is_complete(self, environment: Environment, specs: list[SpecResult]) -> bool:
        """Whether all users are known; a broken spec may be the one that uses something."""
        folders = {environment_of(file) for file in environment.files}
        unread = any(not folders.isdisjoint(result.unread) for result in self.known.results)
        strays = sum(
            item.summary.environment == environment.name
            for result in self.known.results
            for item in result.results
        ) > len(specs)
        is_sound = all(item.is_sound for item in specs)
        return is_sound and not (environment.unread or unread or strays)


def _is_idle(spec: Spec, placed: PlacedPrerequisites) -> bool:
    """Whether nothing uses it; an object of an open kind is there for itself."""
    return spec.identity not in placed.places and not spec.kind.is_open


def _refers_to(summary: Summary, spec: Spec, environment: Environment) -> bool:
    """Whether a spec names another one, or an object that is there because of it."""
    if not spec.kind.is_open:
        named = spec.kind.name, spec.name
        return any((use.kind, use.name) == named for use in summary.references)
    return any(spec in environment.named_specs(use) for use in summary.references)


def _is_in(item: SpecResult, environment: Environment) -> bool:
    return item.summary.environment == environment.name

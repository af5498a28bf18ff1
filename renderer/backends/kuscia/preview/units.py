"""The preview of a serving: every party at the control plane that owns it."""

from collections.abc import Iterable, Iterator, Sequence

from renderer.backends.fields import text
from renderer.backends.kuscia.control_planes import own_control_planes
from renderer.backends.kuscia.preview.addresses import find_addresses
from renderer.backends.kuscia.preview.files import FilledFile, fill_files
from renderer.backends.kuscia.preview.objects import make_objects
from renderer.backends.kuscia.preview.plan import (
    DeploymentPlan,
    Incomplete,
    PartyPlan,
    plan_deployment,
)
from renderer.backends.kuscia.preview.pod import overwritten
from renderer.backends.kuscia.serving import Serving
from renderer.backends.kuscia.settings import domains
from renderer.errors import UsageError
from renderer.text.secrets.masks import HIDDEN
from renderer.text.secrets.names import is_secret_name
from renderer.text.wording import listed, nearest
from renderer.values.derivations import Applied, Derivation, DerivedUnit, RuntimePort


def derive(applied: Applied, _former: Derivation | None) -> Derivation:
    """Each party that a control plane of ours runs."""
    return Derivation(tuple(preview_units(applied)))


def preview_units(applied: Applied) -> Iterator[DerivedUnit]:
    """Each party that a control plane of ours runs; options are values of config keys."""
    config = dict(map(_pair, applied.options.get("config-key", ())))
    serving = Serving.of(applied.spec, applied.environment)
    taking_part = {party.domain for party in serving.parties}
    asked_for: set[str] = set()
    made: list[DerivedUnit] = []
    for plane in own_control_planes(applied.environment):
        if not taking_part.intersection(plane.domains):
            continue
        try:
            plan = plan_deployment(applied, plane)
        except Incomplete as reason:
            made += (DerivedUnit(item.name, "", problem=str(reason)) for item in plane.destinations)
            continue
        for party in plan.own_parties():
            owner = next(item for item in plane.destinations if party.domain in domains(item))
            filled = list(fill_files(plan, party, config))
            asked_for.update(name for item in filled for name in item.asked)
            made.append(_unit(owner.name, plan, party, filled, serving))
    _refuse_unknown(config.keys() - asked_for, asked_for)
    yield from made


def _unit(
    destination: str,
    plan: DeploymentPlan,
    party: PartyPlan,
    filled: Sequence[FilledFile],
    serving: Serving,
) -> DerivedUnit:
    return DerivedUnit(
        destination,
        party.unit,
        objects=tuple(make_objects(plan, party)),
        addresses=tuple(find_addresses(plan, party, serving)),
        notes=tuple(_notes(plan, party, filled, serving)),
        runtime_ports=tuple(_runtime_ports(plan, party)),
        read_files=lambda: tuple(item.file for item in filled),
    )


def _runtime_ports(plan: DeploymentPlan, party: PartyPlan) -> Iterator[RuntimePort]:
    """A party's own ports by their names, those of others with the party before it."""
    for other in plan.parties:
        whose = "" if other is party else f"{other.unit}/"
        for name, number in other.numbers.items():
            yield RuntimePort(number, f"<port:{whose}{name}>")


def _notes(
    plan: DeploymentPlan, party: PartyPlan, filled: Sequence[FilledFile], serving: Serving
) -> Iterator[str]:
    if plan.initiator not in plan.domains:
        yield f"the KusciaDeployment is not applied here: Kuscia brings it from {plan.initiator}"
        if text(serving.tree, "affinity_mode") == "none":
            yield "the affinity mode none is not brought along: Kuscia spreads the pods here"
    if overwritten(party, plan):
        yield (
            "the AppImage has an INPUT_CONFIG of its own, which Kuscia overwrites with the "
            "serving's: the pods are replaced right after they were made (observed)"
        )
    missing = dict.fromkeys(name for item in filled for name in item.missing)
    if missing:
        yield f"the configuration manager of {party.domain} must have {listed(missing)}"
    if unknown := [name for name in missing if name not in serving.settings.config_keys]:
        yield f"kuscia.config_keys does not declare {listed(unknown)}"


def _pair(given: str) -> tuple[str, str]:
    name, equals, value = given.partition("=")
    if not equals or not name:
        raise UsageError("--config-key wants NAME=VALUE")
    return name, HIDDEN if is_secret_name(name) else value


def _refuse_unknown(names: Iterable[str], known: Iterable[str]) -> None:
    for name in sorted(names):
        hint = nearest(name, sorted(known))
        there = f"they ask for {listed(sorted(known))}" if known else "they ask for none"
        meant = f"did you mean {hint!r}?" if hint else there
        raise UsageError(f"no config file asks for the key {name!r}; {meant}")

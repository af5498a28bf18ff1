"""What becomes of a serving: every party at the control plane that owns it."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from renderer.backends.fields import text
from renderer.backends.kuscia.app_image import APP_IMAGE
from renderer.backends.kuscia.derive.addresses import find_addresses
from renderer.backends.kuscia.derive.files import FilledFile, fill_files
from renderer.backends.kuscia.derive.objects import make_objects
from renderer.backends.kuscia.derive.plan import (
    DeploymentPlan,
    Incomplete,
    PartyPlan,
    Plane,
    plan_deployment,
    planes_of,
    serving_at,
)
from renderer.backends.kuscia.derive.pod import overwritten
from renderer.backends.kuscia.derive.problems import find_problems
from renderer.backends.kuscia.derive.updates import with_stored_images, with_updates
from renderer.backends.kuscia.serving import Serving
from renderer.errors import UsageError
from renderer.text.secrets.masks import HIDDEN
from renderer.text.secrets.names import is_secret_name
from renderer.text.wording import listed, nearest
from renderer.values.derivations import Applied, Derivation, DerivedUnit, Pods, RuntimePort
from renderer.values.tree import Node

_Config = Mapping[str, str]


def derive(applied: Applied, former: Derivation | None) -> Derivation:
    """Each party, where its control plane makes it anew or updates what is there.

    Of partners' parties only that is known which follows from our AppImages.
    """
    config = dict(map(_pair, applied.options.get("config-key", ())))
    problems = tuple(find_problems(applied, former))
    known = with_stored_images(applied, former) if former else applied
    units = [unit for plane in planes_of(known) for unit in _units(known, plane, config)]
    if config:
        _refuse_unknown_keys(config, applied)
    made = Derivation(tuple(units), problems)
    return with_updates(made, known, former) if former else made


def _units(applied: Applied, plane: Plane, config: _Config) -> Iterator[DerivedUnit]:
    try:
        plan = plan_deployment(applied, plane)
    except Incomplete as reason:
        yield from _unmade(applied, plane, str(reason))
        return
    for party in plan.own_parties():
        yield _unit(plane.destination(party.domain), plan, party, applied, config)


def _unmade(applied: Applied, plane: Plane, problem: str) -> Iterator[DerivedUnit]:
    """The parties of a control plane that makes nothing of any of them."""
    for party in serving_at(applied, plane).parties:
        if party.domain in plane.places:
            destination = plane.destination(party.domain)
            path = ("spec", "parties", f"[{party.unit}]")
            needs = ((APP_IMAGE, "", party.image_name),)
            yield DerivedUnit(destination, party.unit, problem=problem, path=path, needs=needs)


def _unit(
    destination: str, plan: DeploymentPlan, party: PartyPlan, applied: Applied, config: _Config
) -> DerivedUnit:
    serving = Serving.of(applied.spec, applied.environment)

    @cache
    def filled() -> tuple[FilledFile, ...]:
        return tuple(fill_files(plan, party, config))

    objects = tuple(make_objects(plan, party))
    return DerivedUnit(
        destination,
        party.unit,
        (party_pods(party, objects[0].tree),),
        objects,
        tuple(find_addresses(plan, party, serving)),
        tuple(_notes(plan, party, serving)),
        tuple(_runtime_ports(plan, party)),
        path=("spec", "parties", f"[{party.unit}]"),
        needs=((APP_IMAGE, "", party.entry.image_name),),
        read_files=lambda: tuple(item.file for item in filled()),
        read_file_notes=lambda: tuple(_file_notes(party, filled(), serving)),
    )


def party_pods(party: PartyPlan, deployment: Node) -> Pods:
    """The pods of a party: a fixed number of them, exchanged by the strategy of its Deployment."""
    number = party.replicas
    spec = deployment.get("spec", "template", "spec") or party.template
    strategy = deployment.get("spec", "strategy") or party.template
    stops = text(strategy, "type") == "Recreate"
    return Pods(number, number, number, spec, text(strategy, "rollingUpdate", "maxSurge"), stops)


def _runtime_ports(plan: DeploymentPlan, party: PartyPlan) -> Iterator[RuntimePort]:
    """A party's own ports by their names, those of others with the party before it."""
    for other in plan.parties:
        whose = "" if other is party else f"{other.unit}/"
        for name, number in other.numbers.items():
            yield RuntimePort(number, f"<port:{whose}{name}>")


def _notes(plan: DeploymentPlan, party: PartyPlan, serving: Serving) -> Iterator[str]:
    if plan.initiator not in plan.domains:
        yield f"the KusciaDeployment is not applied here: Kuscia brings it from {plan.initiator}"
        if text(serving.tree, "affinity_mode") == "none":
            yield "the affinity mode none is not brought along: Kuscia spreads the pods here"
    if overwritten(party, plan):
        yield (
            "the AppImage has an INPUT_CONFIG of its own, which Kuscia overwrites with the "
            "serving's: the pods are replaced right after they were made (observed)"
        )


def _file_notes(party: PartyPlan, filled: Iterable[FilledFile], serving: Serving) -> Iterator[str]:
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


def _refuse_unknown_keys(config: _Config, applied: Applied) -> None:
    known = sorted(set(_asked_keys(applied, config)))
    for name in sorted(config.keys() - set(known)):
        hint = nearest(name, known)
        there = f"they ask for {listed(known)}" if known else "they ask for none"
        meant = f"did you mean {hint!r}?" if hint else there
        raise UsageError(f"no config file asks for the key {name!r}; {meant}")


def _asked_keys(applied: Applied, config: _Config) -> Iterator[str]:
    """The keys that the files of our parties ask their configuration managers for."""
    for plane in planes_of(applied):
        try:
            plan = plan_deployment(applied, plane)
        except Incomplete:
            continue
        for party in plan.own_parties() if plane.is_ours else ():
            yield from (name for item in fill_files(plan, party, config) for name in item.asked)

"""What becomes of a serving: every party at the control plane that owns it."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from renderer.backends.base import lazy
from renderer.backends.fields import text
from renderer.backends.kuscia.app_image import APP_IMAGE
from renderer.backends.kuscia.deploy_template import apply_overrides
from renderer.backends.kuscia.derive.planes import (
    Incomplete,
    Plane,
    party_workload,
    require_template,
)
from renderer.backends.kuscia.derive.problems import PlaneView, find_problems, plane_views
from renderer.backends.kuscia.derive.updates import apply_updates, keep_stored_images
from renderer.backends.kuscia.serving import Party, Serving
from renderer.errors import UsageError
from renderer.text.secrets.masks import HIDDEN
from renderer.text.secrets.names import is_secret_name
from renderer.text.wording import listed, nearest
from renderer.values.derivations import Applied, Derivation, DerivedUnit, Later, Pods
from renderer.values.identity_cache import cached_by_identity, last_result_cached
from renderer.values.tree import Node

if TYPE_CHECKING:
    from renderer.backends.kuscia.derive.files import FilledFile, fill_files
    from renderer.backends.kuscia.derive.objects import (
        find_addresses,
        find_runtime_ports,
        make_objects,
    )
    from renderer.backends.kuscia.derive.plan import DeploymentPlan, PartyPlan, plan_deployment
    from renderer.backends.kuscia.derive.pod import has_overwritten_variable
else:  # `diff` looks at few objects and at no file
    _HERE = "renderer.backends.kuscia.derive"
    (fill_files,) = lazy(f"{_HERE}.files", "fill_files")
    (plan_deployment,) = lazy(f"{_HERE}.plan", "plan_deployment")
    (has_overwritten_variable,) = lazy(f"{_HERE}.pod", "has_overwritten_variable")
    find_addresses, find_runtime_ports, make_objects = lazy(
        f"{_HERE}.objects", "find_addresses", "find_runtime_ports", "make_objects"
    )

_Config = Mapping[str, str]


def derive(applied: Applied, former: Derivation | None) -> Derivation:
    """Each party, where its control plane makes it anew or updates what is there.

    Of partners' parties only that is known which follows from our AppImages.
    """
    config = dict(map(_pair, applied.options.get("config-key", ())))
    problems = Later(lambda: find_problems(applied, former))
    known = keep_stored_images(applied, former) if former else applied
    units = [unit for view in plane_views(known) for unit in _units(known, view, config)]
    if config:
        _refuse_unknown_keys(config, applied)
    made = Derivation(tuple(units), problems)
    return apply_updates(made, known, former) if former else made


def _units(applied: Applied, view: PlaneView, config: _Config) -> Iterator[DerivedUnit]:
    """The parties of a control plane; objects and addresses are made when they are asked for."""
    problem = next(
        (_missing_part(party) for party in view.serving.parties if not party.template), ""
    )

    for party in view.own.values():
        unit = DerivedUnit(
            view.plane.destination(party.domain),
            party.unit,
            problem=problem,
            path=("spec", "parties", f"[{party.unit}]"),
            needs=((APP_IMAGE, "", party.image_name),),
        )
        yield unit if problem else _complete_unit(unit, party, applied, view.plane, config)


def _missing_part(party: Party) -> str:
    """Why the controller makes nothing of any party."""
    try:
        require_template(party)
    except Incomplete as reason:
        return str(reason)
    return ""


def _complete_unit(
    unit: DerivedUnit, party: Party, applied: Applied, plane: Plane, config: _Config
) -> DerivedUnit:
    def plans() -> "tuple[DeploymentPlan, PartyPlan]":
        plan = plan_deployment(applied, plane)
        return plan, next(item for item in plan.own_parties() if item.unit == party.unit)

    def serving() -> Serving:
        return Serving.of(applied.spec, applied.environment)

    def filled() -> "tuple[FilledFile, ...]":
        return _filled_files(*plans(), config)

    return unit._replace(
        pods=(party_pods(party),),
        workload=party_workload(party, applied.name),
        objects=Later(lambda: make_objects(*plans())),
        addresses=Later(lambda: find_addresses(*plans(), serving())),
        notes=Later(lambda: _notes(*plans(), serving())),
        runtime_ports=Later(lambda: find_runtime_ports(*plans())),
        read_files=lambda: tuple(item.file for item in filled()),
        read_file_notes=lambda: tuple(_file_notes(plans()[1], filled(), serving())),
    )


@last_result_cached
def _filled_files(
    plan: "DeploymentPlan", party: "PartyPlan", config: _Config
) -> "tuple[FilledFile, ...]":
    return tuple(fill_files(plan, party, config))


def party_pods(party: Party) -> Pods:
    """The pods of a party: a fixed number of them, exchanged by the strategy of its Deployment."""
    whole = apply_overrides(require_template(party), party.node.get("template"))
    return _pods(whole, party.image.tree.get("image") if party.image else None)


@cached_by_identity
def _pods(whole: Node, image: Node | None) -> Pods:
    found, strategy = whole.get("replicas"), whole.get("strategy") or whole
    number = max(found.value, 0) if found and isinstance(found.value, int) else 1
    spec = _add_image(whole.get("spec") or whole, image)
    stops = text(strategy, "type") == "Recreate"
    return Pods(number, number, number, spec, text(strategy, "rollingUpdate", "maxSurge"), stops)


def _add_image(pod: Node, image: Node | None) -> Node:
    """The pod of a deploy template with the image of its AppImage in all containers."""
    listing = pod.get("containers")
    if image is None or listing is None:
        return pod
    reference = image.with_value(f"{text(image, 'name')}:{text(image, 'tag')}")
    containers = (
        item.with_members({**item.items, "image": reference}) for item in listing.elements
    )
    return pod.with_members({**pod.items, "containers": listing.with_members(tuple(containers))})


def _notes(plan: "DeploymentPlan", party: "PartyPlan", serving: Serving) -> Iterator[str]:
    if plan.initiator not in plan.domains:
        yield f"the KusciaDeployment is not applied here: Kuscia brings it from {plan.initiator}"
        if text(serving.tree, "affinity_mode") == "none":
            yield "the affinity mode none is not brought along: Kuscia spreads the pods here"
    if has_overwritten_variable(party, plan):
        yield (
            "the AppImage has an INPUT_CONFIG of its own, which Kuscia overwrites with the "
            "serving's: the pods are replaced right after they were made"
        )


def _file_notes(
    party: "PartyPlan", filled: Iterable["FilledFile"], serving: Serving
) -> Iterator[str]:
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
    for view in plane_views(applied):
        try:
            plan = plan_deployment(applied, view.plane)
        except Incomplete:
            continue
        for party in plan.own_parties() if view.plane.is_ours else ():
            yield from (name for item in fill_files(plan, party, config) for name in item.asked)

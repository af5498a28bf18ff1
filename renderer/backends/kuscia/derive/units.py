"""What becomes of a serving: every party at the control plane that owns it."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from renderer.backends.fields import text
from renderer.backends.kuscia.app_image import APP_IMAGE, SECRETFLOW_SERVING
from renderer.backends.kuscia.deploy_template import Port, apply_overrides, containers
from renderer.backends.kuscia.derive.objects import (
    make_objects,
    metric_probe,
    party_workload,
    reachable_from,
)
from renderer.backends.kuscia.derive.plan import (
    DeploymentPlan,
    Incomplete,
    PartyPlan,
    Plane,
    plan_deployment,
    require_template,
)
from renderer.backends.kuscia.derive.pod import add_image, has_overwritten_variable
from renderer.backends.kuscia.derive.problems import PlaneView, find_problems, plane_views
from renderer.backends.kuscia.derive.updates import apply_updates, keep_stored_images
from renderer.backends.kuscia.input_config.document import root_section
from renderer.backends.kuscia.serving import Party, Serving
from renderer.derive.later import Later
from renderer.errors import UsageError
from renderer.kubernetes.pods import PROBES
from renderer.text.secrets.masks import HIDDEN
from renderer.text.secrets.names import is_secret_name
from renderer.text.wording import listed, nearest
from renderer.values.derivations import Address, Applied, Derivation, DerivedUnit, Pods, RuntimePort
from renderer.values.identity_cache import cached_by_identity, last_result_cached
from renderer.values.tree import Node

if TYPE_CHECKING:  # `diff` fills no files, and what it takes to do so is large
    from renderer.backends.kuscia.derive.files import FilledFile

_GATEWAY = "http://<node>"
_Config = Mapping[str, str]


class _Call(NamedTuple):
    """A purpose, the port that serves it, and the path to ask for."""

    name: str
    port: Port
    path: str = ""


def find_addresses(plan: DeploymentPlan, party: PartyPlan, serving: Serving) -> Iterator[Address]:
    """What people ask for first, then every other port that has a Service."""
    calls = list(_calls(party, serving))
    named = {call.port.name for call in calls}
    calls += (_Call(port.name, port) for port in party.served if port.name not in named)
    for call in calls:
        yield _address(call, plan, party)


def _calls(party: PartyPlan, serving: Serving) -> Iterator[_Call]:
    ports = party.ports
    is_serving = serving.app == SECRETFLOW_SERVING
    if is_serving and "service" in ports and _predicts(party, serving):
        yield _Call("prediction", ports["service"], "/PredictionService/Predict")
    path, name = _health(party)
    if name in ports:
        yield _Call("health", ports[name], path)
    path, name = metric_probe(party)
    if is_serving and not name:
        path, name = "/metrics", "internal"
    if name in ports:
        yield _Call("metrics", ports[name], path)


def _predicts(party: PartyPlan, serving: Serving) -> bool:
    """Whether a party answers predictions: all do unless the input config names some."""
    top = root_section(serving)
    named = top.get("predictor_parties") if top else None
    return not named or not named.elements or party.domain in {n.value for n in named.elements}


def _health(party: PartyPlan) -> tuple[str, str]:
    """Path and port of a probe over HTTP, that of readiness if there are several."""
    for probe in ("readinessProbe", *PROBES):
        for container in containers(party.template):
            if http := container.node.get(probe, "httpGet"):
                return f"/{text(http, 'path').lstrip('/')}", text(http, "port")
    return "", ""


def _address(call: _Call, plan: DeploymentPlan, party: PartyPlan) -> Address:
    port = call.port
    if not port.is_served:
        url = f"http://<pod>:{party.numbers[port.name]}{call.path}"
        return Address(call.name, url, "only within the pod, and the node's probes")
    endpoint = party.endpoint(port)
    scheme = "http" if port.protocol == "HTTP" else "grpc"
    headers = (("Host", endpoint), ("Kuscia-Source", party.domain))
    through = f"{_GATEWAY}{call.path or '/'}" if port.protocol == "HTTP" else ""
    url = f"{scheme}://{endpoint}{call.path}"
    callers = reachable_from(plan, party, port)
    return Address(call.name, url, callers, through, headers if through else ())


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
    def plans() -> tuple[DeploymentPlan, PartyPlan]:
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
        runtime_ports=Later(lambda: _runtime_ports(*plans())),
        read_files=lambda: tuple(item.file for item in filled()),
        read_file_notes=lambda: tuple(_file_notes(plans()[1], filled(), serving())),
    )


@last_result_cached
def _filled_files(
    plan: DeploymentPlan, party: PartyPlan, config: _Config
) -> "tuple[FilledFile, ...]":
    from renderer.backends.kuscia.derive.files import fill_files

    return tuple(fill_files(plan, party, config))


def party_pods(party: Party) -> Pods:
    """The pods of a party: a fixed number of them, exchanged by the strategy of its Deployment."""
    whole = apply_overrides(require_template(party), party.node.get("template"))
    return _pods(whole, party.image.tree.get("image") if party.image else None)


@cached_by_identity
def _pods(whole: Node, image: Node | None) -> Pods:
    found, strategy = whole.get("replicas"), whole.get("strategy") or whole
    number = max(found.value, 0) if found and isinstance(found.value, int) else 1
    spec = add_image(whole.get("spec") or whole, image)
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
    if has_overwritten_variable(party, plan):
        yield (
            "the AppImage has an INPUT_CONFIG of its own, which Kuscia overwrites with the "
            "serving's: the pods are replaced right after they were made (observed)"
        )


def _file_notes(
    party: PartyPlan, filled: Iterable["FilledFile"], serving: Serving
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
    from renderer.backends.kuscia.derive.files import fill_files

    for view in plane_views(applied):
        try:
            plan = plan_deployment(applied, view.plane)
        except Incomplete:
            continue
        for party in plan.own_parties() if view.plane.is_ours else ():
            yield from (name for item in fill_files(plan, party, config) for name in item.asked)

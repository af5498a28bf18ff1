"""The preview of a serving: every party at the control plane that owns it."""

from collections.abc import Iterable, Iterator, Sequence

from renderer.backends.kuscia.preview.addresses import addresses
from renderer.backends.kuscia.preview.configmap import config_map
from renderer.backends.kuscia.preview.deployment import deployment
from renderer.backends.kuscia.preview.files import Filled, files
from renderer.backends.kuscia.preview.planes import Incomplete, Kit, Plane, look
from renderer.backends.kuscia.preview.services import services
from renderer.backends.kuscia.serving import Serving, domains, text
from renderer.errors import UsageError
from renderer.text.secrets import HIDDEN, is_secret_name
from renderer.text.wording import listed, nearest
from renderer.values.model import Destination
from renderer.values.previews import Applied, Drawn, UnitPreview


def units(applied: Applied, given: Iterable[str]) -> Iterator[UnitPreview]:
    """Each party that a control plane of ours runs; `given` are values of config keys."""
    config = dict(map(_pair, given))
    asked = Serving.of(applied.spec, applied.environment)
    asked_for: set[str] = set()
    made: list[UnitPreview] = []
    for destinations in _control_planes(asked):
        try:
            plane = look(applied, destinations)
        except Incomplete as reason:
            made += (UnitPreview(item.name, "", problem=str(reason)) for item in destinations)
            continue
        for kit in plane.own_kits():
            owner = next(item for item in destinations if kit.domain in domains(item))
            filled = list(files(plane, kit, config))
            asked_for.update(name for item in filled for name in item.asked)
            made.append(_unit(owner.name, plane, kit, filled, asked))
    _refuse_unknown(config.keys() - asked_for, asked_for)
    yield from made


def _control_planes(serving: Serving) -> Iterator[list[Destination]]:
    """Our destinations by cluster, those that own a party."""
    clusters: dict[str, list[Destination]] = {}
    for item in serving.control_planes:
        clusters.setdefault(item.cluster, []).append(item)
    parties = {party.domain for party in serving.parties}
    for destinations in clusters.values():
        if any(parties.intersection(domains(item)) for item in destinations):
            yield destinations


def _unit(
    destination: str, plane: Plane, kit: Kit, filled: Sequence[Filled], asked: Serving
) -> UnitPreview:
    return UnitPreview(
        destination,
        kit.unit,
        (deployment(plane, kit), *services(plane, kit), *config_map(plane, kit)),
        tuple(item.file for item in filled),
        tuple(addresses(plane, kit, asked)),
        tuple(_notes(plane, kit, filled, asked)),
        tuple(_drawn(plane, kit)),
    )


def _drawn(plane: Plane, kit: Kit) -> Iterator[Drawn]:
    """A party's own ports by their names, those of others with the party before it."""
    for other in plane.kits:
        whose = "" if other is kit else f"{other.unit}/"
        for name, number in other.numbers.items():
            yield Drawn(number, f"<port:{whose}{name}>")


def _notes(plane: Plane, kit: Kit, filled: Sequence[Filled], asked: Serving) -> Iterator[str]:
    if plane.initiator not in plane.own:
        yield f"the KusciaDeployment is not applied here: Kuscia brings it from {plane.initiator}"
        if text(asked.tree, "affinity_mode") == "none":
            yield "the affinity mode none is not brought along: Kuscia spreads the pods here"
    missing = dict.fromkeys(name for item in filled for name in item.missing)
    if missing:
        yield f"the configuration manager of {kit.domain} must have {listed(missing)}"
    listing = asked.environment.tree.get("kuscia", "config_keys")
    declared = {str(node.value) for node in (listing.elements if listing else ())}
    if unknown := [name for name in missing if name not in declared]:
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

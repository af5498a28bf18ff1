"""A serving as requests of Kuscia's Serving API.

An update takes what is there for a party and leaves the rest as it is: nothing can be taken away,
and the parties are the ones that the serving was created with.
"""

from collections.abc import Iterator, Mapping

from renderer.backends.fields import elements, plain, text
from renderer.backends.kuscia.api.requests import (
    api_request,
    changed_metadata,
    lost_metadata,
    no_difference,
)
from renderer.backends.kuscia.app_image import APP_IMAGE
from renderer.backends.kuscia.plans import plan_serving
from renderer.backends.kuscia.serving import (
    AMOUNTS,
    FIELD,
    STRATEGY_AMOUNTS,
    Party,
    Serving,
    input_config_text,
)
from renderer.backends.kuscia.summaries import unit_name
from renderer.values.diagnostics import Path
from renderer.values.named_tuple import NamedTuple
from renderer.values.requests import ApiRequest, ExportRequest, Remark, SentSpec
from renderer.values.tree import Node, Plain

_ANEW = "create a serving under another serving_id, or render and apply the object"
Amounts = Mapping[str, str]


def export(wanted: ExportRequest) -> ApiRequest:
    """The request that a verb stands for."""
    sent = wanted.sent[0]
    match wanted.verb:
        case "create":
            return _create(sent)
        case "update" if wanted.former:
            return update_request(wanted.former, sent)
        case "batch-query":
            names: list[Plain] = [item.spec.name for item in wanted.sent]
            return api_request("serving/status/batchQuery", {"serving_ids": names})
        case verb:
            return api_request(f"serving/{verb}", {"serving_id": sent.spec.name})


def _create(sent: SentSpec) -> ApiRequest:
    tree = sent.spec.tree
    serving = Serving.of(sent.spec, sent.scene.environment)
    config = tree.get(FIELD)
    body: dict[str, Plain] = {
        "serving_id": serving.name,
        "serving_input_config": input_config_text(config) if config else "",
        "initiator": serving.initiator,
        "parties": [_party_message(party, sent) for party in serving.parties],
    }
    if mode := text(tree, "affinity_mode"):
        body["affinity_mode"] = mode
    return api_request("serving/create", body, lost_metadata(tree), _unknown_fields(serving))


def _unknown_fields(serving: Serving) -> Iterator[Remark]:
    """What the API of the version drops without a word."""
    dialect, path = serving.settings.dialect, ("affinity_mode",)
    if text(serving.tree, *path) and not dialect.takes_affinity_mode:
        said = f"the API of Kuscia {dialect.version} does not know it, and drops it"
        yield Remark(path, serving.tree.locate(path), said)


def _party_message(party: Party, sent: SentSpec) -> dict[str, Plain]:
    """A party as its spec describes it, under the name that its AppImage is rendered with."""
    node = party.node
    message: dict[str, Plain] = {
        "domain_id": party.domain,
        "app_image": sent.scene.name_of(APP_IMAGE, party.image_name),
        "role": party.role,
        "replicas": plain(node, "replicas"),
        "update_strategy": _written_strategy(node.get("update_strategy")),
        "resources": [_resource(entry) for entry in elements(node, "resources")],
        "service_name_prefix": party.service_prefix,
    }
    return {key: value for key, value in message.items() if value not in (None, "", [], {})}


def _written_strategy(given: Node | None) -> dict[str, Plain]:
    """As it is written; without a type the API refuses it."""
    if given is None:
        return {}
    amounts = {key: text(given, key) for key in STRATEGY_AMOUNTS if text(given, key)}
    return {"type": text(given, "type"), **amounts}


def _resource(entry: Node) -> dict[str, Plain]:
    return {key: text(entry, key) for key in ("container_name", *AMOUNTS) if text(entry, key)}


class _Party(NamedTuple):
    """A party as it is stored, and the item of the spec that describes it."""

    stored: Node
    node: Node
    path: Path

    def remark(self, field: str, message: str) -> Remark:
        where = (field,) if field in self.node.items else ()
        return Remark((*self.path, field), self.node.locate(where), message)


def update_request(before: SentSpec, after: SentSpec) -> ApiRequest:
    """The request with all that differs."""
    old, new = _parties(before), _parties(after)
    both = [(old[unit], new[unit]) for unit in new if unit in old]
    body: dict[str, Plain] = {"serving_id": after.spec.name}
    if (config := _config(after)) != _config(before):
        body["serving_input_config"] = config
    if parties := [said for pair in both if (said := _party_update(*pair))]:
        body["parties"] = [*parties]
    obstacles = [
        *_fixed_fields(before, after),
        *_fixed_parties(old, new, after),
        *(one for pair in both for one in _party_obstacles(*pair)),
    ]
    is_idle = len(body) == 1 and not obstacles
    notes = [no_difference()] if is_idle else []
    return api_request("serving/update", body, notes, obstacles)


def _parties(sent: SentSpec) -> dict[str, _Party]:
    """The parties by unit, as the rendered object has them."""
    (render,) = plan_serving(sent.spec, sent.scene)
    nodes = elements(sent.spec.tree, "parties")
    found = {}
    for stored, node in zip(render.values["parties"].elements, nodes, strict=True):
        unit = unit_name(text(stored, "domain_id"), text(stored, "role"))
        found[unit] = _Party(stored, node, ("parties", f"[{unit}]"))
    return found


def _config(sent: SentSpec) -> str:
    (render,) = plan_serving(sent.spec, sent.scene)
    return str(render.values["input_config"].value)


def _fixed_fields(before: SentSpec, after: SentSpec) -> Iterator[Remark]:
    """Fields of the serving that no update has."""
    old, new = before.spec.tree, after.spec.tree
    if before.spec.name != after.spec.name:
        said = f"it was {before.spec.name}, and another ID is another serving; {_ANEW}"
        yield Remark(("serving_id",), after.spec.name_node.origin, said)
    for field in ("initiator", "affinity_mode"):
        if text(old, field) != text(new, field):
            said = f"{_was(text(old, field))}, and the API cannot change it; {_ANEW}"
            yield Remark((field,), new.locate((field,)), said)
    if _config(before) and not _config(after):
        said = "the API takes an empty one for one that stays as it is; write {}"
        path = ("serving_input_config",)
        yield Remark(path, new.locate(path), said)
    yield from changed_metadata(old, new)


def _fixed_parties(
    old: Mapping[str, _Party], new: Mapping[str, _Party], after: SentSpec
) -> Iterator[Remark]:
    """Parties that come, go or change places."""
    for unit, party in new.items():
        if unit not in old:
            said = f"the API cannot add a party; {_ANEW}"
            yield Remark(party.path, party.node.origin, said)
    where = after.spec.tree.locate(("parties",), at_key=True)
    for unit, party in old.items():
        if unit not in new:
            yield Remark(party.path, where, f"the API cannot take a party away; {_ANEW}")
    if [unit for unit in old if unit in new] != [unit for unit in new if unit in old]:
        yield Remark(("parties",), where, "the API cannot change the order of the parties")


def _party_update(old: _Party, new: _Party) -> dict[str, Plain]:
    """What differs of a party, and what it is found by; nothing if nothing does."""
    changes: dict[str, Plain] = {}
    for field in ("app_image", "replicas"):
        value = plain(new.stored, field)
        if value is not None and value != plain(old.stored, field):
            changes[field] = value
    if plain(old.stored, "strategy") != plain(new.stored, "strategy"):
        changes["update_strategy"] = _strategy(new.stored)
    if resources := _resources(_containers(old.stored), _containers(new.stored)):
        changes["resources"] = resources
    identity = {"domain_id": text(new.stored, "domain_id"), "role": text(new.stored, "role")}
    found = {key: value for key, value in identity.items() if value}
    return {**found, **changes} if changes else {}


def _strategy(stored: Node) -> dict[str, Plain]:
    """A strategy in full: a half that is left out would become a quarter."""
    strategy: dict[str, Plain] = {"type": text(stored, "strategy", "type")}
    for field, key in STRATEGY_AMOUNTS.items():
        if amount := text(stored, "strategy", "rollingUpdate", key):
            strategy[field] = amount
    return strategy


def _containers(stored: Node) -> dict[str, Amounts]:
    """The amounts of each container that the object names, in the words of the API."""
    return {
        text(container, "name"): {
            amount: text(container, "resources", *place)
            for amount, place in AMOUNTS.items()
            if text(container, "resources", *place)
        }
        for container in elements(stored, "containers")
    }


def _resources(old: Mapping[str, Amounts], new: Mapping[str, Amounts]) -> list[Plain]:
    """An entry for each container that gets other amounts, with only these."""
    entries: list[Plain] = []
    for name, amounts in new.items():
        known = old.get(name, {})
        other: dict[str, Plain] = {k: v for k, v in amounts.items() if known.get(k) != v}
        if other:
            entries.append({"container_name": name, **other})
    return entries


def _party_obstacles(old: _Party, new: _Party) -> Iterator[Remark]:
    """What of a party no update can bring about."""
    former = text(old.stored, "service_name_prefix")
    if former != text(new.stored, "service_name_prefix"):
        said = f"{_was(former)}, and the API cannot change it; {_ANEW}"
        yield new.remark("service_name_prefix", said)
    count = plain(old.stored, "replicas")
    if count is not None and plain(new.stored, "replicas") is None:
        yield new.remark(
            "replicas", f"it was {count}, and the API cannot take it away; say a number"
        )
    for said in _stuck_resources(_containers(old.stored), _containers(new.stored)):
        yield new.remark("resources", said)


def _stuck_resources(old: Mapping[str, Amounts], new: Mapping[str, Amounts]) -> Iterator[str]:
    """Why resources that a serving has cannot become others."""
    if not old:
        return
    if old.keys() != new.keys():
        yield "the API keeps the containers that the serving has resources for, and these differ"
        return
    for name, amounts in new.items():
        known = old[name]
        for amount in known.keys() - amounts.keys():
            yield f"{amount} of the container {name} was {known[amount]}, and the API keeps it"
        for end in ("min", "max"):
            if _has(amounts, end) and not _has(known, end):
                first = "requests" if end == "min" else "limits"
                yield f"the container {name} has no {first} yet, and the API fails to add them"


def _has(amounts: Amounts, end: str) -> bool:
    return any(name.startswith(end) for name in amounts)


def _was(value: str) -> str:
    return f"it was {value}" if value else "it was not set"

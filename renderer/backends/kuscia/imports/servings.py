"""Messages of Kuscia's Serving API as people write a spec."""

import json
from collections.abc import Mapping

from renderer.backends.fields import elements, text
from renderer.backends.kuscia.imports.known_images import KnownImages, container_amounts
from renderer.backends.kuscia.serving import FIELD, STRATEGY_AMOUNTS
from renderer.text.decoder import hidden_characters
from renderer.text.digests import canonical
from renderer.text.scalars import fits
from renderer.values.diagnostics import Origin
from renderer.values.imports import DROPPED, KEPT, Note
from renderer.values.tree import Node, Plain, uniform_tree, walk

KIND = "Serving"
_DEFAULT = "it is the default"
_DEEPEST = 40
_NOWHERE = Origin("")
_ORDER = ("initiator", "app_image", "affinity_mode", FIELD, "parties", "labels", "annotations")


def simplify(message: Node, notes: list[Note], known: KnownImages) -> Node:
    """A message of the API as people write a spec: no defaults, and what all parties share once."""
    fields = dict(message.items)
    parties = fields.get("parties")
    if parties is not None:
        brief = tuple(_brief_party(party, known, notes) for party in parties.elements)
        fields["parties"] = parties.with_members(brief)
        fields |= _shared_image(fields)
    if FIELD in fields:
        fields[FIELD] = _input_config(fields[FIELD], notes)
    for key in ("affinity_mode", FIELD):
        if key in fields and fields[key].value == "":
            del fields[key]
    in_order = {key: fields[key] for key in _ORDER if key in fields}
    return message.with_members({**in_order, **fields})


def read_update(message: Node, present: Node, notes: list[Note]) -> Node:
    """What an update changes of a spec that is there; an empty field changes nothing."""
    fields = _given_fields(message)
    if FIELD in fields:
        fields[FIELD] = _input_config(fields[FIELD], notes)
    if parties := fields.get("parties"):
        common = text(present, "app_image")
        there = {_key(party): party for party in elements(present, "parties")}
        done = (_changed_party(p, there.get(_key(p), present), common) for p in parties.elements)
        fields["parties"] = parties.with_members(tuple(done))
    return message.with_members(fields)


def _given_fields(node: Node) -> dict[str, Node]:
    """The fields of a message that are not empty, as protobuf leaves the others out."""
    return {key: child for key, child in node.items.items() if child.value not in ("", ())}


def _key(party: Node) -> tuple[str, str]:
    return text(party, "domain_id"), text(party, "role")


def _changed_party(party: Node, present: Node, common: str) -> Node:
    """A party of an update: a strategy is given as a whole, and what it has already is left out."""
    fields = _given_fields(party)
    if text(party, "app_image") in ("", text(present, "app_image") or common):
        fields.pop("app_image", None)
    if (strategy := fields.get("update_strategy")) is not None:
        halves = {key: strategy.with_value(None) for key in STRATEGY_AMOUNTS}
        fields["update_strategy"] = strategy.with_members({**halves, **_given_fields(strategy)})
        if _is_default(strategy) and present.items and "update_strategy" not in present.items:
            del fields["update_strategy"]
    if "resources" in fields:
        entries = tuple(
            entry.with_members(_given_fields(entry)) for entry in fields["resources"].elements
        )
        fields["resources"] = fields["resources"].with_members(entries)
    return party.with_members(fields)


def _shared_image(fields: Mapping[str, Node]) -> dict[str, Node]:
    """The AppImage at the top, if all parties have the same one."""
    parties = fields.get("parties")
    names = {text(party, "app_image") for party in (parties.elements if parties else ())}
    if parties is None or "app_image" in fields or len(names) != 1 or names == {""}:
        return {}
    image = parties.elements[0].items["app_image"]
    rest = tuple(_drop_fields(party, "app_image") for party in parties.elements)
    return {"app_image": Node(image.value, image.origin), "parties": parties.with_members(rest)}


def _drop_fields(node: Node, *keys: str) -> Node:
    return node.with_members({key: child for key, child in node.items.items() if key not in keys})


def _brief_party(party: Node, known: KnownImages, notes: list[Note]) -> Node:
    """A party without empty fields and without the strategy that Kuscia has for all."""
    fields = _given_fields(party)
    if (strategy := fields.get("update_strategy")) is not None:
        fields["update_strategy"] = _brief_strategy(strategy)
        if _is_default(strategy):
            del fields["update_strategy"]
            notes.append(Note("update_strategy", DROPPED, _DEFAULT))
    if "resources" in fields:
        image = known.get(text(party, "app_image"))
        own = container_amounts(image, text(party, "role"))
        entries = tuple(
            entry.with_members(_given_fields(entry)) for entry in fields["resources"].elements
        )
        fields["resources"] = fields["resources"].with_members(_common_entry(entries, own))
    return party.with_members(fields)


def _is_default(strategy: Node) -> bool:
    kept = _brief_strategy(strategy)
    return [node.value for node in kept.items.values()] == ["RollingUpdate"]


def _brief_strategy(strategy: Node) -> Node:
    """Without the amounts that are a quarter, or that nothing comes of."""
    unused = text(strategy, "type") == "Recreate"
    kept = {
        key: node
        for key, node in strategy.items.items()
        if key not in STRATEGY_AMOUNTS or (node.value not in ("", "25%") and not unused)
    }
    return strategy.with_members(kept)


def _common_entry(entries: tuple[Node, ...], own: Mapping[str, object]) -> tuple[Node, ...]:
    """One entry without a name, if all containers are named and get the same."""
    names = {text(entry, "container_name") for entry in entries}
    rests = [_drop_fields(entry, "container_name") for entry in entries]
    alike = all(rest.plain() == rests[0].plain() for rest in rests)
    return (rests[0],) if alike and own and names == set(own) else entries


def _input_config(given: Node, notes: list[Note]) -> Node:
    """A mapping, if what is rendered of it is the very same text; else the text itself."""
    if not isinstance(given.value, str) or not given.value:
        return given
    data = _opened(given.value)
    if data is None:
        return given
    if canonical(data) == given.value and _is_sayable(data):
        return uniform_tree(data, given.origin)._replace(key=given.key)
    why = "as a mapping its text would change, and with it all pods would be replaced"
    notes.append(Note(FIELD, KEPT, why))
    return given


def _opened(config: str) -> Plain:
    try:
        data: Plain = json.loads(config, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


def _refuse(name: str) -> None:
    """JSON knows no NaN and no infinity."""
    raise ValueError(name)


def _is_sayable(data: Plain) -> bool:
    """Whether a spec can say data in YAML as it is: `null` would take a key away."""
    for path, node in walk(uniform_tree(data, _NOWHERE)):
        value = node.value
        if value is None or len(path) > _DEEPEST:
            return False
        if not isinstance(value, dict | tuple) and not fits(value):
            return False
        if path and isinstance(path[-1], str) and _is_odd_key(path[-1]):
            return False
    return True


def _is_odd_key(key: str) -> bool:
    return bool(hidden_characters(key)) or "${vars." in key or key == "$remove" or not key

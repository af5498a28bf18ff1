"""Servings as specs say them: of a KusciaDeployment, or of a message of Kuscia's Serving API."""

import json
from collections.abc import Iterator, Mapping

from renderer.backends.fields import elements, made, members, text
from renderer.backends.kuscia.app_image import AppImage
from renderer.backends.kuscia.imports.known_images import KnownImages, container_amounts
from renderer.backends.kuscia.labels import AFFINITY_MODE, APP_TYPE, DIGEST, STATE
from renderer.backends.kuscia.serving import AMOUNTS, FIELD
from renderer.backends.kuscia.settings import KusciaSettings
from renderer.kubernetes.quantities import canonical as canonical_quantity
from renderer.text.decoder import hidden_characters
from renderer.text.digests import canonical
from renderer.text.scalars import fits
from renderer.text.wording import path_text
from renderer.values.diagnostics import Origin
from renderer.values.imports import CHANGED, DROPPED, KEPT, Imported, Note, Source, Surroundings
from renderer.values.tree import Node, Plain, derived, walk

KIND = "Serving"
_MODES = ("none", "affinity", "anti-affinity", "")
_DEFAULT = "it is the default"
_IGNORED = "Kuscia ignores it in a party"
_STATE = "Kuscia keeps its own state there"
_UNSAYABLE = "a Serving cannot say it"
_DEEPEST = 40
_HALVES = ("max_surge", "max_unavailable")
_NOWHERE = Origin("")
_ORDER = ("initiator", "app_image", "affinity_mode", FIELD, "parties", "labels", "annotations")


def of_deployment(source: Source, around: Surroundings) -> Imported:
    """The spec of a KusciaDeployment."""
    notes: list[Note] = []
    spec = source.tree.get("spec") or source.tree.with_members({})
    known = KnownImages.beside(around)
    parties = tuple(
        _party(party, index, around, known, notes)
        for index, party in enumerate(elements(spec, "parties"))
    )
    listing = spec.get("parties")
    fields = {
        "initiator": spec.get("initiator"),
        "affinity_mode": _affinity_mode(source, spec, around, notes),
        FIELD: spec.get("inputConfig"),
        "parties": listing.with_members(parties) if listing else None,
        "labels": _labels(source),
        "annotations": _annotations(source, notes),
    }
    notes += (
        Note(path_text(("spec", key)), DROPPED, _UNSAYABLE)
        for key in spec.items
        if key not in ("initiator", "inputConfig", "parties")
    )
    tree = idiomatic(made(source.tree, fields), notes, known)
    return Imported(KIND, source.name, tree, notes=tuple(notes))


def idiomatic(message: Node, notes: list[Note], known: KnownImages) -> Node:
    """A message of the API as people write a spec: no defaults, and what all share said once."""
    fields = dict(message.items)
    parties = fields.get("parties")
    if parties is not None:
        brief = tuple(_brief(party, known, notes) for party in parties.elements)
        fields["parties"] = parties.with_members(brief)
        fields |= _shared_image(fields)
    if FIELD in fields:
        fields[FIELD] = _input_config(fields[FIELD], notes)
    for key in ("affinity_mode", FIELD):
        if key in fields and fields[key].value == "":
            del fields[key]
    in_order = {key: fields[key] for key in _ORDER if key in fields}
    return message.with_members({**in_order, **fields})


def changes(message: Node, present: Node, notes: list[Note]) -> Node:
    """What an update changes of a spec that is there; an empty field changes nothing."""
    fields = {key: node for key, node in message.items.items() if node.value not in ("", ())}
    if FIELD in fields:
        fields[FIELD] = _input_config(fields[FIELD], notes)
    if parties := fields.get("parties"):
        common = text(present, "app_image")
        there = {_key(party): party for party in elements(present, "parties")}
        done = (_changed_party(p, there.get(_key(p), present), common) for p in parties.elements)
        fields["parties"] = parties.with_members(tuple(done))
    return message.with_members(fields)


def _key(party: Node) -> tuple[str, str]:
    return text(party, "domain_id"), text(party, "role")


def _changed_party(party: Node, present: Node, common: str) -> Node:
    """A party of an update: a strategy is given as a whole, and what it has already is not said."""
    fields = {key: node for key, node in party.items.items() if node.value not in ("", ())}
    if text(party, "app_image") in ("", text(present, "app_image") or common):
        fields.pop("app_image", None)
    if (strategy := fields.get("update_strategy")) is not None:
        halves = {key: strategy.with_value(None) for key in _HALVES}
        given = {key: node for key, node in strategy.items.items() if node.value != ""}
        fields["update_strategy"] = strategy.with_members({**halves, **given})
        if _is_default(strategy) and present.items and "update_strategy" not in present.items:
            del fields["update_strategy"]
    if "resources" in fields:
        entries = tuple(_entry(entry) for entry in fields["resources"].elements)
        fields["resources"] = fields["resources"].with_members(entries)
    return party.with_members(fields)


def _shared_image(fields: Mapping[str, Node]) -> dict[str, Node]:
    """The AppImage at the top, if all parties have the same one."""
    parties = fields.get("parties")
    names = {text(party, "app_image") for party in (parties.elements if parties else ())}
    if parties is None or "app_image" in fields or len(names) != 1 or names == {""}:
        return {}
    image = parties.elements[0].items["app_image"]
    rest = tuple(_without(party, "app_image") for party in parties.elements)
    return {"app_image": Node(image.value, image.origin), "parties": parties.with_members(rest)}


def _without(node: Node, *keys: str) -> Node:
    return node.with_members({key: child for key, child in node.items.items() if key not in keys})


def _brief(party: Node, known: KnownImages, notes: list[Note]) -> Node:
    """A party without empty fields and without the strategy that Kuscia has for all."""
    fields = {key: node for key, node in party.items.items() if node.value not in ("", ())}
    if (strategy := fields.get("update_strategy")) is not None:
        fields["update_strategy"] = _brief_strategy(strategy)
        if _is_default(strategy):
            del fields["update_strategy"]
            notes.append(Note("update_strategy", DROPPED, _DEFAULT))
    if "resources" in fields:
        image = known.get(text(party, "app_image"))
        own = container_amounts(image, text(party, "role"))
        entries = tuple(_entry(entry) for entry in fields["resources"].elements)
        fields["resources"] = fields["resources"].with_members(_for_all(entries, own))
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
        if key not in _HALVES or (node.value not in ("", "25%") and not unused)
    }
    return strategy.with_members(kept)


def _for_all(entries: tuple[Node, ...], own: Mapping[str, object]) -> tuple[Node, ...]:
    """One entry without a name, if all containers are named and get the same."""
    names = {text(entry, "container_name") for entry in entries}
    rests = [_without(entry, "container_name") for entry in entries]
    alike = all(rest.plain() == rests[0].plain() for rest in rests)
    return (rests[0],) if alike and own and names == set(own) else entries


def _entry(entry: Node) -> Node:
    return entry.with_members({key: node for key, node in entry.items.items() if node.value != ""})


def _input_config(given: Node, notes: list[Note]) -> Node:
    """A mapping, if what is rendered of it is the very same text; else the text itself."""
    if not isinstance(given.value, str) or not given.value:
        return given
    data = _opened(given.value)
    if data is None:
        return given
    if canonical(data) == given.value and _is_sayable(data):
        return derived(data, given.origin)._replace(key=given.key)
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
    for path, node in walk(derived(data, _NOWHERE)):
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


def _affinity_mode(
    source: Source, spec: Node, around: Surroundings, notes: list[Note]
) -> Node | None:
    """The mode that the API noted, else the one that it would have made this affinity of."""
    noted = source.tree.get("metadata", "annotations", AFFINITY_MODE)
    if noted is not None:
        if noted.value in _MODES:
            return noted
        why = "Kuscia takes every other word for anti-affinity"
        notes.append(Note("affinity_mode", CHANGED, why))
        return noted.with_value("anti-affinity")
    affinities = [party.get("template", "spec", "affinity") for party in elements(spec, "parties")]
    given = [node for node in affinities if node and node.items]
    if given and all(list(node.items) == ["podAffinity"] for node in given):
        return given[0].with_value("affinity")
    if not given and not _gets_default_affinity(spec, around):
        notes.append(Note("affinity_mode", CHANGED, "Kuscia adds no affinity here"))
        return spec.with_value("none")
    return None


def _gets_default_affinity(spec: Node, around: Surroundings) -> bool:
    """Whether Kuscia spreads the pods of a party that says nothing of it."""
    if not KusciaSettings.of(around.environment).dialect.spreads_pods:
        return False
    known = KnownImages.beside(around)
    for party in elements(spec, "parties"):
        image = known.get(known.name_of(text(party, "appImageRef"), around.environment))
        template = image.template_for(text(party, "role")) if image else None
        if template is None or template.node.get("spec", "affinity") is None:
            return True
    return False


def _labels(source: Source) -> Node | None:
    given = source.tree.get("metadata", "labels")
    if given is None:
        return None
    kept = {k: v for k, v in given.items.items() if (k, v.value) != (APP_TYPE, "serving")}
    return given.with_members(kept) if kept else None


def _annotations(source: Source, notes: list[Note]) -> Node | None:
    given = source.tree.get("metadata", "annotations")
    kept: dict[str, Node] = {}
    for key, node in (given.items if given else {}).items():
        if key in STATE:
            notes.append(Note(path_text(("metadata", "annotations", key)), DROPPED, _STATE))
        elif key not in (AFFINITY_MODE, DIGEST):
            kept[key] = node
    return given.with_members(kept) if given and kept else None


def _party(
    party: Node, index: int, around: Surroundings, known: KnownImages, notes: list[Note]
) -> Node:
    """A party in the words of the API."""
    reference = party.get("appImageRef")
    name = known.name_of(text(party, "appImageRef"), around.environment)
    template = party.get("template")
    image = known.get(name)
    here = ("spec", "parties", index)
    _note_ignored(party, here, notes)
    return made(
        party,
        {
            "domain_id": party.get("domainID"),
            "app_image": reference and reference.with_value(name),
            "role": party.get("role"),
            "service_name_prefix": party.get("serviceNamePrefix"),
            "replicas": template and template.get("replicas"),
            "update_strategy": template and _strategy(template.get("strategy")),
            "resources": _resources(party, image, here, notes),
        },
    )


def _note_ignored(party: Node, here: tuple[str | int, ...], notes: list[Note]) -> None:
    known = {
        (): ("domainID", "appImageRef", "role", "serviceNamePrefix", "template"),
        ("template",): ("replicas", "strategy", "spec"),
        ("template", "spec"): ("containers", "affinity"),
    }
    for path, names in known.items():
        others = (key for key in members(party, *path) if key not in names)
        notes += (Note(path_text((*here, *path, key)), DROPPED, _IGNORED) for key in others)


def _strategy(given: Node | None) -> Node | None:
    """All amounts are texts in the API."""
    if given is None or not given.items:
        return None
    fields = {"type": given.get("type") or given.with_value("RollingUpdate")}
    for field, key in (("max_surge", "maxSurge"), ("max_unavailable", "maxUnavailable")):
        if amount := given.get("rollingUpdate", key):
            fields[field] = amount.with_value(str(amount.value))
    return made(given, fields)


def _resources(
    party: Node, image: AppImage | None, here: tuple[str | int, ...], notes: list[Note]
) -> Node | None:
    """Entries for the containers of a party; one for all if they get the same."""
    listing = party.get("template", "spec", "containers")
    if listing is None:
        return None
    own = container_amounts(image, text(party, "role"))
    entries: dict[str, dict[str, Node]] = {}
    for index, node in enumerate(listing.elements):
        name = text(node, "name")
        path = (*here, "template", "spec", "containers", index)
        if own and name not in own:
            notes.append(Note(path_text(path), DROPPED, f"the AppImage has no container {name!r}"))
            continue
        notes += _unsaid(node, path)
        if amounts := _amounts(members(node, "resources")):
            entries[name] = amounts
    if not entries:
        return None
    for name in own:
        if name not in entries and (amounts := _amounts(own[name])):
            entries[name] = amounts
            place = path_text((*here, "resources"))
            notes.append(Note(place, CHANGED, f"{name!r} is given what the AppImage gives it"))
    named = (
        made(listing, {"container_name": Node(name, listing.origin), **amounts})
        for name, amounts in entries.items()
    )
    return listing.with_members(tuple(named))


def _amounts(resources: Mapping[str, Node]) -> dict[str, Node]:
    """What a container asks for, in the words of the API."""
    found: dict[str, Node] = {}
    for name in AMOUNTS:
        end, _, what = name.partition("_")
        given = resources.get("requests" if end == "min" else "limits")
        amount = given.get(what) if given else None
        if amount is not None:
            found[name] = Node(canonical_quantity(str(amount.value)), amount.origin)
    return found


def _unsaid(container: Node, path: tuple[str | int, ...]) -> Iterator[Note]:
    for key in container.items:
        if key not in ("name", "workingDir", "resources"):
            yield Note(path_text((*path, key)), DROPPED, _IGNORED)
    for kind in ("requests", "limits"):
        for what in members(container, "resources", kind):
            if what not in ("cpu", "memory"):
                yield Note(path_text((*path, "resources", kind, what)), DROPPED, _UNSAYABLE)

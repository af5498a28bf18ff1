"""KusciaDeployments in the words of Kuscia's Serving API."""

from collections.abc import Iterator, Mapping

from renderer.backends.fields import elements, made, members, text
from renderer.backends.kuscia.app_image import AppImage
from renderer.backends.kuscia.derived_objects import AFFINITY_MODE, APP_TYPE, DIGEST, STATE
from renderer.backends.kuscia.imports.known_images import KnownImages, container_amounts
from renderer.backends.kuscia.imports.servings import KIND, simplify
from renderer.backends.kuscia.serving import AMOUNTS, FIELD, STRATEGY_AMOUNTS
from renderer.backends.kuscia.settings import KusciaSettings
from renderer.kubernetes.quantities import canonical
from renderer.text.wording import path_text
from renderer.values.imports import CHANGED, DROPPED, ImportedSpec, Note, Source, Surroundings
from renderer.values.tree import Node

_MODES = ("none", "affinity", "anti-affinity", "")
_IGNORED = "Kuscia ignores it in a party"
_STATE = "Kuscia keeps its own state there"
_UNSAYABLE = "a Serving cannot say it"


def read_deployment(source: Source, around: Surroundings) -> ImportedSpec:
    """The spec of a KusciaDeployment."""
    notes: list[Note] = []
    spec = source.tree.get("spec") or source.tree.with_members({})
    known = KnownImages.of(around)
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
    tree = simplify(made(source.tree, fields), notes, known)
    return ImportedSpec(KIND, source.name, tree, notes=tuple(notes))


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
    known = KnownImages.of(around)
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
    for field, key in STRATEGY_AMOUNTS.items():
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
        notes += _ignored_fields(node, path)
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
    for name, (kind, what) in AMOUNTS.items():
        if amount := members(resources.get(kind)).get(what):
            found[name] = Node(canonical(str(amount.value)), amount.origin)
    return found


def _ignored_fields(container: Node, path: tuple[str | int, ...]) -> Iterator[Note]:
    for key in container.items:
        if key not in ("name", "workingDir", "resources"):
            yield Note(path_text((*path, key)), DROPPED, _IGNORED)
    for kind in ("requests", "limits"):
        for what in members(container, "resources", kind):
            if what not in ("cpu", "memory"):
                yield Note(path_text((*path, "resources", kind, what)), DROPPED, _UNSAYABLE)

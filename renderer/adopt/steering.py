"""Objects that are specs as they are, sent where they came from if they would go elsewhere."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from renderer.adopt.drafts import Draft
from renderer.backends.kinds import has_last_stage, owner_of
from renderer.backends.object_places import place_of
from renderer.values.kinds import DESTINATION, WITH
from renderer.values.model import Destination, Environment
from renderer.values.tree import Node, walk

#: The name of a destination, and the namespace there.
PlaceName = tuple[str, str]


def steer(
    drafts: Sequence[Draft],
    rendered: Mapping[tuple[str, str], Collection[PlaceName]],
    environment: Environment,
) -> list[Draft]:
    """The drafts, of which those say where they go that are not rendered where they came from.

    `rendered` are the places where each draft was rendered without that.
    """
    return [
        _steered(draft, frozenset(rendered.get(draft.identity, ())), environment)
        if draft.kind.is_open and not draft.is_there
        else draft
        for draft in drafts
    ]


def add_company(drafts: Sequence[Draft], environment: Environment) -> list[Draft]:
    """The drafts, of which those go after others that were rendered so by us."""
    others = [draft for draft in drafts if not draft.kind.is_open]
    done: list[Draft] = []
    for draft in drafts:
        is_last = any(item.is_last for item in draft.converted) and WITH not in draft.tree.items
        company = _company(draft, others) if is_last and _has_last_stage(environment) else []
        names = tuple(draft.tree.with_value(str(other)) for other in company)
        done.append(_add_field(draft, WITH, draft.tree.with_members(names)) if names else draft)
    return done


def _has_last_stage(environment: Environment) -> bool:
    return any(has_last_stage(environment, item) for item in environment.destinations)


def _company(draft: Draft, others: Iterable[Draft]) -> list[Draft]:
    """The specs that an object is about: those that it names anywhere, else all of the import."""
    known = list(others)
    texts = [str(node.value) for _, node in walk(draft.tree) if isinstance(node.value, str)]
    texts.append(draft.stem)
    named = [one for one in known if any(one.converted[0].imported.name in text for text in texts)]
    return named or known


def _steered(draft: Draft, rendered: frozenset[PlaceName], environment: Environment) -> Draft:
    wanted = list(_wanted_places(draft, environment))
    if not wanted or {_location(*one, environment) for one in rendered} == {
        _location(item.name, namespace, environment) for item, namespace in wanted
    }:
        return draft
    platform = owner_of(draft.kind.name).platform
    if len(environment.platform_destinations(platform)) > 1:
        names = [draft.tree.with_value(name) for name in sorted({item.name for item, _ in wanted})]
        value = names[0] if len(names) == 1 else draft.tree.with_members(tuple(names))
        draft = _add_field(draft, DESTINATION, value)
    namespaces = {namespace for _, namespace in wanted}
    if rendered and len(namespaces) == 1 and namespaces != {namespace for _, namespace in rendered}:
        draft = _add_namespace(draft, namespaces.pop())
    return draft


def _wanted_places(draft: Draft, environment: Environment) -> Iterator[tuple[Destination, str]]:
    """Where the objects are that a draft came from, as far as that is clear."""
    platform = owner_of(draft.kind.name).platform
    for item in draft.converted:
        found = place_of(item.source, environment, platform).destination
        if found:
            namespace = item.source.namespace or found.namespace
            yield found, "" if draft.kind.cluster_wide else namespace


def _location(name: str, namespace: str, environment: Environment) -> PlaceName:
    """A place as its cluster knows it: destinations of one cluster are the same there."""
    clusters = {item.name: item.cluster for item in environment.destinations}
    return clusters.get(name, name), namespace


def _add_namespace(draft: Draft, namespace: str) -> Draft:
    place = draft.kind.name_in[0]
    metadata = draft.tree.get(place) or Node({}, draft.tree.origin)
    if not namespace or "namespace" in metadata.items:
        return draft
    named = metadata.with_members({"namespace": metadata.with_value(namespace), **metadata.items})
    return draft._replace(tree=draft.tree.with_members({**draft.tree.items, place: named}))


def _add_field(draft: Draft, key: str, value: Node) -> Draft:
    """A draft with a word that steers it, behind what begins its file."""
    head = {k: node for k, node in draft.tree.items.items() if k in ("apiVersion", "kind")}
    return draft._replace(tree=draft.tree.with_members({**head, key: value, **draft.tree.items}))

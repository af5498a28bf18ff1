"""Teams that share a cluster: a project each, and an account that may change its namespaces."""

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce

from renderer.bootstrap.documents import CommentedObject
from renderer.bootstrap.flux_role import rules_of
from renderer.bootstrap.places import AppliedFolder, stored_kinds
from renderer.errors import RendererError
from renderer.values.named_tuple import NamedTuple
from renderer.values.objects import ObjectType, PermittedKinds
from renderer.values.tree import Plain

_GROUP = "rbac.authorization.k8s.io"
_COMMENT = "By this account Flux changes objects of the team {!r}, in the cluster {!r}."


class Team(NamedTuple):
    """The destinations that name one project."""

    project: str
    places: tuple[AppliedFolder, ...]


def teams_of(places: Sequence[AppliedFolder], name: str) -> list[Team]:
    """The teams of all destinations; what has no project belongs to nobody in particular."""
    found: dict[str, list[AppliedFolder]] = {}
    for place in places:
        if project := place.setting("project"):
            found.setdefault(project, []).append(place)
    for project, some in found.items():
        if project == name:
            what = f"the project {project!r} of {some[0].folder} is that of destinations without"
            raise RendererError(f"{what} a team; call the team otherwise, or give --name")
        for place in some:
            if not place.destination.namespace:
                what = f"{place.folder} has a project and no namespace, which keeps teams apart"
                raise RendererError(f"{what}; give it `namespace`, or take `project` away")
    return [Team(project, tuple(some)) for project, some in found.items()]


def account_files(
    teams: Sequence[Team], prefix: str, namespace: str
) -> dict[str, list[CommentedObject]]:
    """What each cluster needs once, by the name of a file: accounts, and what they may do."""
    files: dict[str, list[CommentedObject]] = {}
    for team in teams:
        by_cluster: dict[str, list[AppliedFolder]] = {}
        for place in team.places:
            by_cluster.setdefault(place.destination.cluster_name, []).append(place)
        for cluster, places in by_cluster.items():
            made = _account(f"{prefix}{team.project}", namespace, places)
            comment = _COMMENT.format(team.project, cluster)
            first, *others = made
            documents = files.setdefault(f"accounts/{cluster}.yaml", [])
            documents.append(CommentedObject(comment, first))
            documents += (CommentedObject("", item) for item in others)
    return files


def _account(
    name: str, namespace: str, places: Sequence[AppliedFolder]
) -> Iterator[dict[str, Plain]]:
    """An account, its rights in each namespace, and those in all of the cluster."""
    head: Plain = {"name": name, "namespace": namespace}
    yield {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": head}
    subject: Mapping[str, Plain] = {"kind": "ServiceAccount", "name": name, "namespace": namespace}
    namespaced, cluster_wide = _kinds(places)
    for space in dict.fromkeys(place.destination.namespace for place in places):
        where: dict[str, Plain] = {"name": name, "namespace": space}
        yield from _rights("Role", where, namespaced, subject)
    if cluster_wide:
        yield from _rights("ClusterRole", {"name": name}, cluster_wide, subject)


def _rights(
    kind: str,
    metadata: dict[str, Plain],
    types: frozenset[ObjectType],
    subject: Mapping[str, Plain],
) -> Iterator[dict[str, Plain]]:
    version = f"{_GROUP}/v1"
    yield {"apiVersion": version, "kind": kind, "metadata": metadata, "rules": rules_of(types)}
    role: Plain = {"apiGroup": _GROUP, "kind": kind, "name": metadata["name"]}
    yield {
        "apiVersion": version,
        "kind": f"{kind}Binding",
        "metadata": metadata,
        "roleRef": role,
        "subjects": [dict(subject)],
    }


def _kinds(places: Sequence[AppliedFolder]) -> tuple[frozenset[ObjectType], frozenset[ObjectType]]:
    """What objects of a team may be: those of its namespaces, and those of the whole cluster."""
    permitted = reduce(PermittedKinds.joined, (place.permitted for place in places))
    if permitted.refused is not None:
        what = f"{places[0].folder} may have all kinds but some, and no role can say that"
        raise RendererError(
            f"{what}; list those of the team in companions.allow of its environment"
        )
    stored = stored_kinds(places)
    own, whole = (
        {ObjectType(item.group, item.kind) for item in stored if item.is_namespaced is wanted}
        for wanted in (True, False)
    )
    return frozenset(own | permitted.namespaced), frozenset(whole | permitted.cluster_wide)

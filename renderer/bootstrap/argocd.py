"""What Argo CD is given: a project, applications, health checks, and perhaps a plugin."""

from collections.abc import Sequence
from functools import reduce

from renderer.bootstrap import plugin
from renderer.bootstrap.applications import (
    NAMESPACE,
    ApplicationPlan,
    application_set,
    applications,
    argocd_object,
    destination_files,
    values_of,
)
from renderer.bootstrap.documents import CommentedObject, script, text_of
from renderer.bootstrap.places import AppliedFolder, refuse_one_cluster, stored_kinds
from renderer.bootstrap.sources import RepositorySource
from renderer.bootstrap.teams import Team, teams_of
from renderer.values.objects import ObjectType, PermittedKinds, StoredKind
from renderer.values.tree import Plain

SET, EACH, LISTED = "applicationset", "applications", "files"
#: Where a set finds the destinations that are listed in files, below all that is written.
DESTINATIONS = "destinations"
_PROJECT, _HEALTH, _COMPONENT = "project.yaml", "argocd-cm.yaml", "kustomization.yaml"
#: All files that there may be, of whichever style.
FILES = (_PROJECT, f"{SET}.yaml", f"{EACH}.yaml", _HEALTH, plugin.CONFIG, plugin.SIDECAR)
#: Argo CD matches groups and kinds as it does names of files; no group is matched as well.
_ALL = ObjectType("*", "*")
_FIX = "say `server`, or in `cluster` the name that Argo CD has for each; one name if they are one"


def argocd_files(
    places: Sequence[AppliedFolder],
    source: RepositorySource,
    style: str = SET,
    image: str = "",
    *,
    has_teams: bool = False,
    folder: str = "",
) -> dict[str, str]:
    """The texts of all files by their names; with an image, Argo CD renders the specs itself.

    With teams, a project that destinations name is written as well. The style that lists
    destinations in files needs the `folder` of the repository in which all of this will be.
    """
    refuse_one_cluster(places, _cluster, "Argo CD", _FIX)
    listed = f"{folder}/{DESTINATIONS}" if style == LISTED else ""
    plan = ApplicationPlan(places, source, stored_kinds(places), image, listed)
    made: dict[str, list[CommentedObject]] = {}
    own = [place for place in places if not place.setting("project")]
    projects = [_project(own, plan)] if own else []
    if has_teams:
        projects += (_team_project(team, plan) for team in teams_of(places, source.name))
    if projects:
        made[_PROJECT] = projects
    made[f"{EACH if style == EACH else SET}.yaml"] = (
        [*applications(plan)] if style == EACH else [application_set(plan)]
    )
    resources = [*made]
    for name, listing in destination_files(plan) if listed else ():
        made[f"{DESTINATIONS}/{name}"] = [listing]
    made[_HEALTH] = [_health_checks(plan.kinds)]
    made |= plugin.documents(image) if image else {}
    made[_COMPONENT] = [_component(resources, has_plugin=bool(image))]
    return {name: text_of(documents) for name, documents in made.items()}


def _cluster(place: AppliedFolder) -> str:
    return repr(place.setting("server") or place.destination.cluster_name)


def _project(places: Sequence[AppliedFolder], plan: ApplicationPlan) -> CommentedObject:
    comment = "Where the applications may go, and the kinds of objects that they may hold."
    permissions = _permissions(places, plan.kinds)
    clusters = [(place, "*") for place in places]
    return CommentedObject(comment, _app_project(plan.source.name, clusters, permissions, plan))


def _team_project(team: Team, plan: ApplicationPlan) -> CommentedObject:
    comment = f"What the team {team.project!r} may apply, and the namespaces that are its own."
    permissions = _permissions(team.places, stored_kinds(team.places))
    spaces = [(place, place.destination.namespace) for place in team.places]
    return CommentedObject(comment, _app_project(team.project, spaces, permissions, plan))


def _app_project(
    name: str,
    spaces: Sequence[tuple[AppliedFolder, str]],
    permissions: dict[str, Plain],
    plan: ApplicationPlan,
) -> dict[str, Plain]:
    """A project for some namespaces of clusters."""
    places = [(values_of(place, plan.source), space) for place, space in spaces]
    known = dict.fromkeys((item.server, item.cluster, space) for item, space in places)
    spec: dict[str, Plain] = {
        "description": "What servingctl renders",
        "sourceRepos": [plan.source.url],
        "destinations": [
            {**({"server": server} if server else {"name": cluster}), "namespace": space}
            for server, cluster, space in known
        ],
        **permissions,
    }
    return argocd_object("AppProject", {"name": name}, spec)


def _permissions(places: Sequence[AppliedFolder], stored: Sequence[StoredKind]) -> dict[str, Plain]:
    """The kinds of platforms, and those that people may add, whether or not there are any."""
    permitted = reduce(PermittedKinds.joined, (place.permitted for place in places))
    own, cluster_wide = (
        {ObjectType(item.group, item.kind) for item in stored if item.is_namespaced is wanted}
        for wanted in (True, False)
    )
    namespaced = {_ALL} if permitted.refused is not None else own | permitted.namespaced
    lists = {
        "clusterResourceWhitelist": cluster_wide | permitted.cluster_wide,
        "namespaceResourceBlacklist": permitted.refused or frozenset(),
        "namespaceResourceWhitelist": namespaced,
    }
    return {
        key: [dict(item._asdict()) for item in sorted(kinds)]
        for key, kinds in lists.items()
        if kinds or key != "namespaceResourceBlacklist"
    }


def _health_checks(kinds: Sequence[StoredKind]) -> CommentedObject:
    comment = (
        "Part of Argo CD's own ConfigMap: how it judges objects of platforms. Other keys of the "
        "ConfigMap stay if this is applied server-side or by a patch."
    )
    data: dict[str, Plain] = {
        f"resource.customizations.health.{kind.group}_{kind.kind}": script(kind)
        for kind in kinds
        if kind.health
    }
    metadata: Plain = {
        "name": "argocd-cm",
        "namespace": NAMESPACE,
        "labels": {"app.kubernetes.io/part-of": "argocd"},
    }
    head: dict[str, Plain] = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata}
    return CommentedObject(comment, {**head, "data": data})


def _component(resources: list[str], *, has_plugin: bool) -> CommentedObject:
    comment = (
        "For the kustomization by which Argo CD is installed: name this folder in its `components`."
    )
    patches: list[Plain] = [_patch(_HEALTH, "ConfigMap", "argocd-cm")]
    content: dict[str, Plain] = {
        "apiVersion": "kustomize.config.k8s.io/v1alpha1",
        "kind": "Component",
        "resources": [*resources],
        "patches": patches,
    }
    if has_plugin:
        patches.append(_patch(plugin.SIDECAR, "Deployment", plugin.REPO_SERVER))
        content |= plugin.config_map()
    return CommentedObject(comment, content)


def _patch(path: str, kind: str, name: str) -> Plain:
    """A patch of an object of Argo CD, whether or not its installation says its namespace."""
    return {"path": path, "target": {"kind": kind, "name": name}}

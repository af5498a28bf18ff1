"""Argo CD's applications: one for each destination, by themselves or by a set that finds them."""

from collections.abc import Iterator, Sequence

from renderer.bootstrap import plugin
from renderer.bootstrap.documents import CommentedObject
from renderer.bootstrap.places import AppliedFolder, stored_kinds
from renderer.bootstrap.sources import RepositorySource
from renderer.values.named_tuple import NamedTuple
from renderer.values.objects import StoredKind
from renderer.values.tree import Plain

NAMESPACE = "argocd"
_VERSION = "argoproj.io/v1alpha1"
#: Of a set: it then lets go of its applications before it is deleted itself.
_FINALIZER = "resources-finalizer.argocd.argoproj.io"
_BACKGROUND = f"{_FINALIZER}/background"
_OPTIONS_COMMENT = (
    "Deletions run in the background, as platforms may not notice others; objects are applied only "
    "if they differ, so that what a platform writes into one stays until Git changes it; they are "
    "compared by the API server, which knows the defaults of its CRDs. Never set Replace=true: it "
    "takes away what platforms note in their objects; nor RespectIgnoreDifferences=true: it keeps "
    "the whole of a list that has an ignored field, whatever Git says."
)
_FOLDERS_COMMENT = (
    "An application for each folder ENVIRONMENT/DESTINATION of the rendered tree, also for a new "
    "one, which the project permits once this is written again."
)
_LIST_COMMENT = "An application for each destination; write this again when one comes or goes."
_FILES_COMMENT = (
    "An application for each file of destinations; one comes with its file, which the project "
    "permits once this is written again."
)
_SET_COMMENT = (
    "None is deleted by itself, nor with this set: what has gone from here may run on; delete its "
    "Application to end it. Whether one syncs by itself may be changed by hand."
)
_SYNC_POLICY: Plain = {
    "automated": {"prune": True, "selfHeal": True, "allowEmpty": True},
    "syncOptions": [
        "ServerSideApply=true",
        "PrunePropagationPolicy=background",
        "ApplyOutOfSyncOnly=true",
    ],
    "retry": {"limit": 5, "backoff": {"duration": "10s", "factor": 2, "maxDuration": "5m"}},
}


def _metadata(name: str) -> dict[str, Plain]:
    return {
        "name": name,
        "annotations": {"argocd.argoproj.io/compare-options": "ServerSideDiff=true"},
        "finalizers": [_BACKGROUND],
    }


class Values(NamedTuple):
    """What differs from one application to the next; the cluster is known by address or by name."""

    environment: str
    destination: str
    cluster: str
    server: str
    project: str

    def is_usual(self, project: str) -> bool:
        """Whether the name of the folder says it all."""
        return (self.cluster, self.server, self.project) == (self.destination, "", project)

    def plain(self) -> dict[str, Plain]:
        return dict(self._asdict())


#: What a set puts in for each folder or destination.
_PARAMETERS = Values(*(f"{{{{ .values.{name} }}}}" for name in Values._fields))


class ApplicationPlan(NamedTuple):
    """Applications of some places, from a source, with the kinds of objects that may be theirs.

    With an `image` of the plugin, Argo CD renders the specs itself. With `listed` a set reads the
    destinations from files in that folder of the repository.
    """

    places: Sequence[AppliedFolder]
    source: RepositorySource
    kinds: Sequence[StoredKind]
    image: str = ""
    listed: str = ""


def values_of(place: AppliedFolder, source: RepositorySource) -> Values:
    server = place.setting("server")
    return Values(
        place.environment,
        place.destination.name,
        "" if server else place.destination.cluster_name,
        server,
        place.setting("project") or source.name,
    )


def argocd_object(kind: str, metadata: dict[str, Plain], spec: Plain) -> dict[str, Plain]:
    comment: Plain = {**metadata, "namespace": NAMESPACE}
    return {"apiVersion": _VERSION, "kind": kind, "metadata": comment, "spec": spec}


def applications(plan: ApplicationPlan) -> Iterator[CommentedObject]:
    """An application for each place."""
    comment = _OPTIONS_COMMENT
    for place in plan.places:
        spec = _spec(plan._replace(kinds=stored_kinds([place])), values_of(place, plan.source))
        name = f"{plan.source.prefix}{place.name}"
        whole = argocd_object("Application", _metadata(name), spec)
        yield CommentedObject(f"Applies {place.folder}. {comment}".strip(), whole)
        comment = ""


def application_set(plan: ApplicationPlan) -> CommentedObject:
    """A set that makes them, of the folders that it finds or of the places that are known."""
    found = _FILES_COMMENT if plan.listed else _LIST_COMMENT if plan.image else _FOLDERS_COMMENT
    comment = f"{found} {_SET_COMMENT} {_OPTIONS_COMMENT}"
    template: Plain = {
        "metadata": _metadata(f"{plan.source.prefix}{_PARAMETERS[0]}-{_PARAMETERS[1]}"),
        "spec": _spec(plan, _PARAMETERS),
    }
    spec: Plain = {
        "goTemplate": True,
        "goTemplateOptions": ["missingkey=error"],
        "syncPolicy": {"applicationsSync": "create-update"},
        "ignoreApplicationDifferences": [{"jsonPointers": ["/spec/syncPolicy/automated"]}],
        "generators": _generators(plan),
        "template": template,
    }
    metadata: dict[str, Plain] = {"name": plan.source.name, "finalizers": [_FINALIZER]}
    return CommentedObject(comment, argocd_object("ApplicationSet", metadata, spec))


def _spec(plan: ApplicationPlan, values: Values) -> Plain:
    """What an application says, of a place or in terms of a set's parameters."""
    cluster: dict[str, Plain] = {"name": values.cluster, "server": values.server}
    ignored: Plain = [_ignored_differences(kind) for kind in plan.kinds if kind.ignored_differences]
    spec: dict[str, Plain] = {
        "project": values.project,
        "source": _source(plan, values),
        "destination": {key: value for key, value in cluster.items() if value},
        "ignoreDifferences": ignored,
        "syncPolicy": _SYNC_POLICY,
    }
    return {key: value for key, value in spec.items() if value}


def _ignored_differences(kind: StoredKind) -> Plain:
    expressions: Plain = [*kind.ignored_differences]
    return {"group": kind.group, "kind": kind.kind, "jqPathExpressions": expressions}


def _source(plan: ApplicationPlan, values: Values) -> Plain:
    source: dict[str, Plain] = {
        "repoURL": plan.source.url,
        "targetRevision": plan.source.revision,
    }
    if plan.image:
        use = plugin.use(values.environment, values.destination)
        return {**source, "path": plan.source.specs.rstrip("/") or ".", "plugin": use}
    path = f"{plan.source.rendered}/{values.environment}/{values.destination}"
    return {**source, "path": path}


def destination_files(plan: ApplicationPlan) -> Iterator[tuple[str, CommentedObject]]:
    """What the set reads of each place, by the name of its file."""
    for place in plan.places:
        content = values_of(place, plan.source).plain()
        comment = f"Read by the ApplicationSet: where {place.folder} goes."
        yield f"{place.name}.yaml", CommentedObject(comment, content)


def _generators(plan: ApplicationPlan) -> list[Plain]:
    if plan.listed:
        return [_file_generator(plan)]
    return [_list_generator(plan)] if plan.image else [*_folders(plan)]


def _file_generator(plan: ApplicationPlan) -> Plain:
    """Stays as it is when a destination comes or goes: that is a file more or less."""
    values: Plain = {name: f"{{{{ .{name} }}}}" for name in Values._fields}
    files: Plain = [{"path": f"{plan.listed}/*.yaml"}]
    source: dict[str, Plain] = {"repoURL": plan.source.url, "revision": plan.source.revision}
    return {"git": {**source, "files": files, "values": values}}


def _list_generator(plan: ApplicationPlan) -> Plain:
    """The destinations themselves: where nothing is rendered, there are no folders to look at."""
    values = [values_of(place, plan.source).plain() for place in plan.places]
    return {"list": {"elements": [{"values": item} for item in values]}}


def _folders(plan: ApplicationPlan) -> Iterator[Plain]:
    """All folders by one rule, and by themselves those of which the destination says more."""
    depth = plan.source.rendered.count("/") + 1
    name = "{{ .path.basename }}"
    project = plan.source.name
    usual = Values(f"{{{{ index .path.segments {depth} }}}}", name, name, "", project)
    known = {place.folder: values_of(place, plan.source) for place in plan.places}
    special = {
        f"{plan.source.rendered}/{folder}": values
        for folder, values in known.items()
        if not values.is_usual(project)
    }
    every: Plain = {"path": f"{plan.source.rendered}/*/*"}
    hidden = f"{plan.source.rendered}/*/.*"  # inventories, where repo servers show such folders
    others: list[Plain] = [{"path": path, "exclude": True} for path in (hidden, *special)]
    yield _generator(plan, [every, *others], usual)
    for path, values in special.items():
        yield _generator(plan, [{"path": path}], values)


def _generator(plan: ApplicationPlan, folders: list[Plain], values: Values) -> Plain:
    source: dict[str, Plain] = {"repoURL": plan.source.url, "revision": plan.source.revision}
    return {"git": {**source, "directories": folders, "values": values.plain()}}

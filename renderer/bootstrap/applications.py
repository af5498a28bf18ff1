"""Argo CD's applications: one for each destination, by themselves or by a set that finds them."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from renderer.bootstrap import plugin
from renderer.bootstrap.documents import Document
from renderer.bootstrap.places import Place, stored_kinds
from renderer.bootstrap.sources import RepositorySource
from renderer.values.objects import StoredKind
from renderer.values.tree import Plain

NAMESPACE = "argocd"
_VERSION = "argoproj.io/v1alpha1"
#: Of a set: it then lets go of its applications before it is deleted itself.
_LETS_GO = "resources-finalizer.argocd.argoproj.io"
_BACKGROUND = f"{_LETS_GO}/background"
_ABOUT_OPTIONS = (
    "Deletions run in the background, as platforms may not notice others; objects are applied only "
    "if they differ, so that what a platform writes into one stays until Git changes it; they are "
    "compared by the API server, which knows the defaults of its CRDs. Never set Replace=true: it "
    "takes away what platforms note in their objects; nor RespectIgnoreDifferences=true: it keeps "
    "the whole of a list that has an ignored field, whatever Git says."
)
_ABOUT_FOLDERS = (
    "An application for each folder ENVIRONMENT/DESTINATION of the rendered tree, also for a new "
    "one, which the project permits once this is written again."
)
_ABOUT_LIST = "An application for each destination; write this again when one comes or goes."
_ABOUT_SET = (
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


class Wanted(NamedTuple):
    """Applications of some places, from a source, with the kinds of objects that may be theirs.

    With an `image` of the plugin, Argo CD renders the specs itself.
    """

    places: Sequence[Place]
    source: RepositorySource
    kinds: Sequence[StoredKind]
    image: str = ""


def values_of(place: Place, source: RepositorySource) -> Values:
    server = place.said("server")
    return Values(
        place.environment,
        place.destination.name,
        "" if server else place.destination.cluster_name,
        server,
        place.said("project") or source.name,
    )


def argocd_object(kind: str, metadata: dict[str, Plain], spec: Plain) -> dict[str, Plain]:
    about: Plain = {**metadata, "namespace": NAMESPACE}
    return {"apiVersion": _VERSION, "kind": kind, "metadata": about, "spec": spec}


def applications(wanted: Wanted) -> Iterator[Document]:
    """An application for each place."""
    about = _ABOUT_OPTIONS
    for place in wanted.places:
        spec = _spec(wanted._replace(kinds=stored_kinds([place])), values_of(place, wanted.source))
        name = f"{wanted.source.prefix}{place.name}"
        whole = argocd_object("Application", _metadata(name), spec)
        yield Document(f"Applies {place.folder}. {about}".strip(), whole)
        about = ""


def application_set(wanted: Wanted) -> Document:
    """A set that makes them, of the folders that it finds or of the places that are known."""
    about = f"{_ABOUT_LIST if wanted.image else _ABOUT_FOLDERS} {_ABOUT_SET} {_ABOUT_OPTIONS}"
    template: Plain = {
        "metadata": _metadata(f"{wanted.source.prefix}{_PARAMETERS[0]}-{_PARAMETERS[1]}"),
        "spec": _spec(wanted, _PARAMETERS),
    }
    spec: Plain = {
        "goTemplate": True,
        "goTemplateOptions": ["missingkey=error"],
        "syncPolicy": {"applicationsSync": "create-update"},
        "ignoreApplicationDifferences": [{"jsonPointers": ["/spec/syncPolicy/automated"]}],
        "generators": [_listed(wanted)] if wanted.image else [*_folders(wanted)],
        "template": template,
    }
    metadata: dict[str, Plain] = {"name": wanted.source.name, "finalizers": [_LETS_GO]}
    return Document(about, argocd_object("ApplicationSet", metadata, spec))


def _spec(wanted: Wanted, values: Values) -> Plain:
    """What an application says, of a place or in terms of a set's parameters."""
    cluster: dict[str, Plain] = {"name": values.cluster, "server": values.server}
    ignored: Plain = [_ignored(kind) for kind in wanted.kinds if kind.ignored_differences]
    spec: dict[str, Plain] = {
        "project": values.project,
        "source": _source(wanted, values),
        "destination": {key: value for key, value in cluster.items() if value},
        "ignoreDifferences": ignored,
        "syncPolicy": _SYNC_POLICY,
    }
    return {key: value for key, value in spec.items() if value}


def _ignored(kind: StoredKind) -> Plain:
    expressions: Plain = [*kind.ignored_differences]
    return {"group": kind.group, "kind": kind.kind, "jqPathExpressions": expressions}


def _source(wanted: Wanted, values: Values) -> Plain:
    source: dict[str, Plain] = {
        "repoURL": wanted.source.url,
        "targetRevision": wanted.source.revision,
    }
    if wanted.image:
        use = plugin.use(values.environment, values.destination)
        return {**source, "path": wanted.source.specs.rstrip("/") or ".", "plugin": use}
    path = f"{wanted.source.rendered}/{values.environment}/{values.destination}"
    return {**source, "path": path}


def _listed(wanted: Wanted) -> Plain:
    """The destinations themselves: where nothing is rendered, there are no folders to look at."""
    values = [values_of(place, wanted.source).plain() for place in wanted.places]
    return {"list": {"elements": [{"values": item} for item in values]}}


def _folders(wanted: Wanted) -> Iterator[Plain]:
    """All folders by one rule, and by themselves those of which the destination says more."""
    depth = wanted.source.rendered.count("/") + 1
    name = "{{ .path.basename }}"
    project = wanted.source.name
    usual = Values(f"{{{{ index .path.segments {depth} }}}}", name, name, "", project)
    known = {place.folder: values_of(place, wanted.source) for place in wanted.places}
    special = {
        f"{wanted.source.rendered}/{folder}": values
        for folder, values in known.items()
        if not values.is_usual(project)
    }
    every: Plain = {"path": f"{wanted.source.rendered}/*/*"}
    hidden = f"{wanted.source.rendered}/*/.*"  # inventories, where repo servers show such folders
    others: list[Plain] = [{"path": path, "exclude": True} for path in (hidden, *special)]
    yield _generator(wanted, [every, *others], usual)
    for path, values in special.items():
        yield _generator(wanted, [{"path": path}], values)


def _generator(wanted: Wanted, folders: list[Plain], values: Values) -> Plain:
    source: dict[str, Plain] = {"repoURL": wanted.source.url, "revision": wanted.source.revision}
    return {"git": {**source, "directories": folders, "values": values.plain()}}

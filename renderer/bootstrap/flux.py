"""What Flux is given: a source, and two Kustomizations for each destination."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from renderer.bootstrap.documents import Document, text_of
from renderer.bootstrap.health import expressions
from renderer.bootstrap.places import Place, refuse_one_cluster, stored_kinds
from renderer.bootstrap.sources import RepositorySource
from renderer.errors import RendererError
from renderer.manifests.gitops import FLUX_FIRST, FLUX_THEN
from renderer.values.objects import StoredKind
from renderer.values.tree import Plain

_NAMESPACE = "flux-system"
_FIRST = "-prerequisites"
#: Flux notes the name of a Kustomization in a label of each object.
_LONGEST = 63
_FIX = "give each its own `kubeconfig_secret`, or both one `cluster` if they are one"


class _Wanted(NamedTuple):
    """What is to be written: for which places, and from where Flux takes the rendered tree."""

    places: Sequence[Place]
    source: RepositorySource
    is_oci: bool

    def first(self, place: Place) -> str:
        """What the Kustomization of a place's prerequisites is called."""
        return f"{self.then(place)}{_FIRST}"

    def then(self, place: Place) -> str:
        """What the Kustomization of all else is called."""
        return f"{self.source.prefix}{place.name}"

    def source_name(self, environment: str) -> str:
        """A registry has an artifact for each environment."""
        return f"{self.source.name}-{environment}" if self.is_oci else self.source.name


def flux_files(
    places: Sequence[Place], source: RepositorySource, kind: str = "git"
) -> dict[str, str]:
    """The texts of all files by their names; `kind` is one of the sources that there are."""
    refuse_one_cluster(places, _cluster, "Flux", _FIX)
    wanted = _Wanted(places, source, kind == "oci")
    _refuse_odd_names(wanted)
    pairs = (document for place in places for document in _of_place(wanted, place))
    return {"source.yaml": text_of(_sources(wanted)), "kustomizations.yaml": text_of(pairs)}


def _cluster(place: Place) -> str:
    secret = place.said("kubeconfig_secret")
    return f"the cluster of the Secret {secret!r}" if secret else "the cluster that it runs in"


def _refuse_odd_names(wanted: _Wanted) -> None:
    """Names that Flux does not take, or that two Kustomizations would have."""
    known: dict[str, str] = {}
    for place in wanted.places:
        for name in (wanted.first(place), wanted.then(place)):
            if len(name) > _LONGEST:
                what = f"the Kustomization {name!r} has more than {_LONGEST} characters"
                raise RendererError(f"{what}, which Flux refuses; rename {place.folder}")
            if other := known.get(name):
                what = f"Kustomizations of {other} and {place.folder} would both be called"
                raise RendererError(f"{what} {name!r}; rename one of the destinations")
            known[name] = place.folder


def _check(kind: StoredKind) -> dict[str, Plain]:
    """How Flux judges objects of a kind."""
    version = f"{kind.group}/{kind.version}"
    return {"apiVersion": version, "kind": kind.kind, **expressions(kind)}


def _sources(wanted: _Wanted) -> Iterator[Document]:
    source = wanted.source
    if not wanted.is_oci:
        about = "Where Flux finds the rendered tree. Private: name a Secret in `secretRef`."
        spec: dict[str, Plain] = {"url": source.url, "ref": {"branch": source.revision}}
        yield Document(about, _source("GitRepository", source.name, spec))
        return
    for environment in dict.fromkeys(place.environment for place in wanted.places):
        about = f"What `servingctl bundle --env {environment}` made and somebody pushed."
        spec = {"url": f"{source.url}/{environment}", "ref": {"tag": source.revision}}
        yield Document(about, _source("OCIRepository", wanted.source_name(environment), spec))


def _source(kind: str, name: str, spec: dict[str, Plain]) -> dict[str, Plain]:
    return {
        "apiVersion": "source.toolkit.fluxcd.io/v1",
        "kind": kind,
        "metadata": {"name": name, "namespace": _NAMESPACE},
        "spec": {"interval": "1m", **spec},
    }


def _of_place(wanted: _Wanted, place: Place) -> Iterator[Document]:
    yield Document(
        f"What others in {place.folder} need: applied before them.",
        _kustomization(wanted.first(place), _common(wanted, place, FLUX_FIRST)),
    )
    spec = _common(wanted, place, FLUX_THEN)
    spec["dependsOn"] = [
        {"name": wanted.first(item)} for item in wanted.places if item.serves(place)
    ]
    spec["healthCheckExprs"] = [_check(kind) for kind in stored_kinds([place]) if kind.health]
    yield Document(f"The rest of {place.folder}.", _kustomization(wanted.then(place), spec))


def _kustomization(name: str, spec: dict[str, Plain]) -> dict[str, Plain]:
    return {
        "apiVersion": "kustomize.toolkit.fluxcd.io/v1",
        "kind": "Kustomization",
        "metadata": {"name": name, "namespace": _NAMESPACE},
        "spec": spec,
    }


def _common(wanted: _Wanted, place: Place, folder: str) -> dict[str, Plain]:
    """What both say; a Kustomization that waits holds the next revision up until its timeout."""
    kind = "OCIRepository" if wanted.is_oci else "GitRepository"
    top = place.destination.name if wanted.is_oci else f"{wanted.source.rendered}/{place.folder}"
    spec: dict[str, Plain] = {
        "interval": "10m",
        "retryInterval": "1m",
        "timeout": "5m",
        "prune": True,
        "wait": True,
        "path": f"./{top}/{folder}",
        "sourceRef": {"kind": kind, "name": wanted.source_name(place.environment)},
    }
    secret = place.said("kubeconfig_secret")
    return spec | ({"kubeConfig": {"secretRef": {"name": secret}}} if secret else {})

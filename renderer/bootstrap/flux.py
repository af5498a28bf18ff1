"""What Flux is given: a source, Kustomizations for each destination, and perhaps a role."""

from collections.abc import Iterator, Sequence

from renderer.backends.kinds import require_kind
from renderer.bootstrap.documents import CommentedObject, expressions, text_of
from renderer.bootstrap.flux_role import flux_role
from renderer.bootstrap.places import AppliedFolder, refuse_one_cluster, stored_kinds
from renderer.bootstrap.sources import RepositorySource
from renderer.bootstrap.teams import account_files, teams_of
from renderer.errors import RendererError, UsageError
from renderer.manifests.gitops import FLUX_FIRST, FLUX_LAST, FLUX_THEN
from renderer.text.expressions import expression
from renderer.values.kinds import DECRYPTION, Stage
from renderer.values.named_tuple import NamedTuple
from renderer.values.objects import StoredKind
from renderer.values.tree import Plain

_NAMESPACE = "flux-system"
_FIRST, _LAST = "-prerequisites", "-dependents"
#: Where Flux finds the private keys (`*.agekey`, `*.asc`) that decrypt what SOPS encrypted.
_BY_FLUX, _KEYS = "flux", "sops-age"
#: Flux notes the name of a Kustomization in a label of each object.
_LONGEST = 63
#: What Flux may wait for, beside what others need.
EVERYTHING, PREREQUISITES = "all", "prerequisites"
_APPLIED: dict[str, Plain] = {"current": "true"}
_DURATION = expression(r"([1-9][0-9]{0,5}(ms|s|m|h))+")
_FIX = "give each its own `kubeconfig_secret`, or both one `cluster` if they are one"


class FluxWishes(NamedTuple):
    """How long Flux waits for what it applied, and for what; whether teams have accounts.

    If it `waits` for prerequisites only, the rest counts as soon as it is applied; so do jobs of
    which it does not await the end.
    """

    timeout: str = "5m"
    waits: str = EVERYTHING
    awaits_jobs: bool = True
    has_teams: bool = False


_USUAL = FluxWishes()
#: What comes into a folder; what is last is among the rest where there is no last stage.
_STAGES = {
    FLUX_FIRST: (Stage.FIRST,),
    FLUX_THEN: (Stage.MAIN, Stage.LAST),
    FLUX_LAST: (Stage.LAST,),
}


class _KustomizationPlan(NamedTuple):
    """What is to be written: for which places, and from where Flux takes the rendered tree."""

    places: Sequence[AppliedFolder]
    source: RepositorySource
    is_oci: bool
    wishes: FluxWishes

    def first(self, place: AppliedFolder) -> str:
        """What the Kustomization of a place's prerequisites is called."""
        return f"{self.then(place)}{_FIRST}"

    def then(self, place: AppliedFolder) -> str:
        """What the Kustomization of all else is called."""
        return f"{self.source.prefix}{place.name}"

    def last(self, place: AppliedFolder) -> str:
        """What the Kustomization is called of what is applied after all else."""
        return f"{self.then(place)}{_LAST}"

    def names(self, place: AppliedFolder) -> list[str]:
        """Of all Kustomizations of a place."""
        last = [self.last(place)] if place.has_last_stage else []
        return [self.first(place), self.then(place), *last]

    def source_name(self, environment: str) -> str:
        """A registry has an artifact for each environment."""
        return f"{self.source.name}-{environment}" if self.is_oci else self.source.name


def flux_files(
    places: Sequence[AppliedFolder],
    source: RepositorySource,
    kind: str = "git",
    wishes: FluxWishes = _USUAL,
) -> dict[str, str]:
    """The texts of all files by their names; `kind` is one of the sources that there are."""
    refuse_one_cluster(places, _cluster, "Flux", _FIX)
    _refuse_odd_timeout(wishes.timeout)
    plan = _KustomizationPlan(places, source, kind == "oci", wishes)
    _refuse_odd_names(plan)
    pairs = (document for place in places for document in _kustomizations(plan, place))
    files = {"source.yaml": text_of(_sources(plan)), "kustomizations.yaml": text_of(pairs)}
    teams = teams_of(places, source.name) if wishes.has_teams else []
    accounts = account_files(teams, source.prefix, _NAMESPACE)
    files |= {name: text_of(documents) for name, documents in accounts.items()}
    role = flux_role(places, source.name)
    return files | ({"role.yaml": text_of([role])} if role else {})


def _refuse_odd_timeout(timeout: str) -> None:
    if not _DURATION.fullmatch(timeout):
        raise UsageError(f"--timeout {timeout!r} is no duration; write 30m, or 1h30m")


def _cluster(place: AppliedFolder) -> str:
    secret = place.setting("kubeconfig_secret")
    return f"the cluster of the Secret {secret!r}" if secret else "the cluster that it runs in"


def _refuse_odd_names(plan: _KustomizationPlan) -> None:
    """Names that Flux does not take, or that two Kustomizations would have."""
    known: dict[str, str] = {}
    for place in plan.places:
        for name in plan.names(place):
            if len(name) > _LONGEST:
                what = f"the Kustomization {name!r} has more than {_LONGEST} characters"
                raise RendererError(f"{what}, which Flux refuses; rename {place.folder}")
            if other := known.get(name):
                what = f"Kustomizations of {other} and {place.folder} would both be called"
                raise RendererError(f"{what} {name!r}; rename one of the destinations")
            known[name] = place.folder


def _check(kind: StoredKind, wishes: FluxWishes) -> dict[str, Plain]:
    """How Flux judges objects of a kind."""
    version = f"{kind.group}/{kind.version}"
    given = expressions(kind) if wishes.awaits_jobs or not kind.ends else _APPLIED
    return {"apiVersion": version, "kind": kind.kind, **given}


def _judged_kinds(place: AppliedFolder, folder: str) -> list[StoredKind]:
    """Those of which objects may be in a folder, and that we say how to judge."""
    stages = _STAGES[folder]
    stored = (kind for kind in stored_kinds([place]) if kind.health)
    return [kind for kind in stored if require_kind(kind.spec).stage in stages]


def _sources(plan: _KustomizationPlan) -> Iterator[CommentedObject]:
    source = plan.source
    if not plan.is_oci:
        comment = "Where Flux finds the rendered tree. Private: name a Secret in `secretRef`."
        spec: dict[str, Plain] = {"url": source.url, "ref": {"branch": source.revision}}
        yield CommentedObject(comment, _source("GitRepository", source.name, spec))
        return
    for environment in dict.fromkeys(place.environment for place in plan.places):
        comment = f"What `servingctl bundle --env {environment}` made, pushed to a registry."
        spec = {"url": f"{source.url}/{environment}", "ref": {"tag": source.revision}}
        yield CommentedObject(
            comment, _source("OCIRepository", plan.source_name(environment), spec)
        )


def _source(kind: str, name: str, spec: dict[str, Plain]) -> dict[str, Plain]:
    return {
        "apiVersion": "source.toolkit.fluxcd.io/v1",
        "kind": kind,
        "metadata": {"name": name, "namespace": _NAMESPACE},
        "spec": {"interval": "1m", **spec},
    }


def _kustomizations(plan: _KustomizationPlan, place: AppliedFolder) -> Iterator[CommentedObject]:
    yield CommentedObject(
        f"What others in {place.folder} need: applied before them.",
        _kustomization(plan.first(place), _spec(plan, place, FLUX_FIRST)),
    )
    former = [plan.first(item) for item in plan.places if item.serves(place)]
    spec = _spec(plan, place, FLUX_THEN, former)
    yield CommentedObject(f"The rest of {place.folder}.", _kustomization(plan.then(place), spec))
    if place.has_last_stage:
        former = [plan.then(item) for item in plan.places if item.serves(place)]
        spec = _spec(plan, place, FLUX_LAST, former)
        comment = f"What goes with others in {place.folder}: applied after them."
        yield CommentedObject(comment, _kustomization(plan.last(place), spec))


def _kustomization(name: str, spec: dict[str, Plain]) -> dict[str, Plain]:
    return {
        "apiVersion": "kustomize.toolkit.fluxcd.io/v1",
        "kind": "Kustomization",
        "metadata": {"name": name, "namespace": _NAMESPACE},
        "spec": spec,
    }


def _spec(
    plan: _KustomizationPlan, place: AppliedFolder, folder: str, former: Sequence[str] = ()
) -> dict[str, Plain]:
    """One that waits holds the next revision up until its timeout; `former` are applied before."""
    kind = "OCIRepository" if plan.is_oci else "GitRepository"
    top = place.destination.name if plan.is_oci else f"{plan.source.rendered}/{place.folder}"
    spec: dict[str, Plain] = {
        "interval": "10m",
        "retryInterval": "1m",
        "timeout": plan.wishes.timeout,
        "prune": True,
        "wait": folder == FLUX_FIRST or plan.wishes.waits == EVERYTHING,
        "path": f"./{top}/{folder}",
        "sourceRef": {"kind": kind, "name": plan.source_name(place.environment)},
    }
    if place.setting(DECRYPTION) == _BY_FLUX:
        spec["decryption"] = {"provider": "sops", "secretRef": {"name": _KEYS}}
    if plan.wishes.has_teams and (project := place.setting("project")):
        spec["serviceAccountName"] = f"{plan.source.prefix}{project}"
    if secret := place.setting("kubeconfig_secret"):
        spec["kubeConfig"] = {"secretRef": {"name": secret}}
    if former:
        spec["dependsOn"] = [{"name": name} for name in former]
    judged = _judged_kinds(place, folder) if spec["wait"] else []
    if judged:
        spec["healthCheckExprs"] = [_check(kind, plan.wishes) for kind in judged]
    return spec

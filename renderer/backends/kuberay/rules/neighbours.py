"""Specs of one namespace: the names that they need there, and the clusters that jobs use."""

from collections.abc import Iterator

from renderer.backends.fields import is_true, text
from renderer.backends.kuberay.rules import NAMES
from renderer.backends.kuberay.settings import PLATFORM
from renderer.backends.kuberay.vocabulary import CLUSTER, JOB, SELECTED, SERVICE
from renderer.text.wording import suggest
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source
from renderer.values.model import Environment, Fleet, Summary
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

_SERVES = ("annotations", "ray.io/enable-serve-service")
_INCREMENTAL = "NewClusterWithIncrementalUpgrade"


class _Place(NamedTuple):
    """Where a spec goes: a Kubernetes cluster and a namespace in it."""

    cluster: str
    namespace: str


@rule("RAY180", Severity.ERROR, "Fleet")
def services_have_their_own_names(fleet: Fleet) -> Iterator[Finding]:
    """No two specs of a namespace need a Service of the same name.

    A RayCluster and a RayService have the Service NAME-head-svc, and those that serve have
    NAME-serve-svc, unless they say another name. The operator gives it to the first one; the second
    takes it over, or fails again and again.
    """
    first: dict[tuple[_Place, str], Summary] = {}
    reported: set[tuple[object, object]] = set()
    for place, summary in _placed_specs(fleet, (CLUSTER, SERVICE)):
        for name in _service_names(summary):
            known = first.setdefault((place, name), summary)
            is_same = (known.kind, known.name.value) == (summary.kind, summary.name.value)
            if is_same or (known.key, summary.key) in reported:
                continue  # a rule of the core reports two specs of one kind and name
            reported.add((known.key, summary.key))
            yield Finding(
                (),
                f"the Service {name!r} in {place.namespace!r} is that of {known} too",
                "give one of the two another name",
                origin=summary.name.origin,
                environments=(known.environment, summary.environment),
                related=(*known.files, *summary.files),
            )


@rule("RAY181", Severity.WARNING, "Fleet")
def selected_cluster_is_there(fleet: Fleet) -> Iterator[Finding]:
    """The cluster that a job selects is one of its namespace.

    The operator looks for a RayCluster of that name where the job is, and without one the job
    waits until one is made. If it is made outside of this repository, ignore this.
    """
    known, unplaced = _clusters(fleet)
    for place, job, chosen in _selections(fleet):
        name, there = str(chosen.value), known.get(place, {})
        if name in there or name in unplaced[job.environment]:
            continue
        elsewhere = [(at, names[name]) for at, names in known.items() if name in names]
        here = [at for at, item in elsewhere if item.environment == job.environment]
        where = f" ({_whereabouts(place, here[0])})" if here else ""
        if elsewhere and not here:
            where = f" (the environment {elsewhere[0][1].environment!r} has one)"
        is_moved = here and here[0].namespace != place.namespace and text(job.fields, "namespace")
        fix = f"delete namespace, or write {here[0].namespace}" if is_moved else ""
        yield Finding(
            (),
            f"there is no RayCluster {name!r} in {place.namespace!r}{where}",
            fix or suggest(name, there, "add it, or give the job a cluster of its own"),
            origin=chosen.origin,
            environments=(job.environment,),
            related=job.files,
        )


@rule("RAY280", Severity.WARNING, "Fleet", since="0.2.0")
def selected_cluster_runs(fleet: Fleet) -> Iterator[Finding]:
    """The cluster that a job selects is not suspended.

    A cluster with `suspend: true` has no pods (observed), and a job that selects it waits until it
    is resumed (inferred).
    """
    known, _ = _clusters(fleet)
    for place, job, chosen in _selections(fleet):
        there = known.get(place, {}).get(str(chosen.value))
        if there and is_true(there.fields, "suspend"):
            yield Finding(
                (),
                f"the RayCluster {chosen.value!r} is suspended: the job waits until it is resumed",
                "write suspend: false in the cluster, or select another one",
                origin=chosen.origin,
                environments=(job.environment,),
                related=(*job.files, *there.files),
            )


def _selections(fleet: Fleet) -> Iterator[tuple[_Place, Summary, Node]]:
    """The jobs that select a cluster: where they go, and the name that they select."""
    for place, job in _placed_specs(fleet, (JOB,)):
        chosen = job.fields.get(*SELECTED)
        if chosen and chosen.value and isinstance(chosen.value, str):
            yield place, job, chosen


def _clusters(fleet: Fleet) -> tuple[dict[_Place, dict[str, Summary]], dict[str, set[str]]]:
    """The clusters of each place by name; by environment, those that may be anywhere.

    Of the latter a file cannot be read, or does not say which destination it is for.
    """
    known: dict[_Place, dict[str, Summary]] = {}
    unplaced = {item.name: {*item.unread} for item in fleet.environments}
    for environment in fleet.environments:
        for summary in (item for item in fleet.summaries_of(environment) if item.kind == CLUSTER):
            places = [*_places(summary, environment)]
            for place in places:
                known.setdefault(place, {})[str(summary.name.value)] = summary
            if not places:
                unplaced[environment.name].add(str(summary.name.value))
    return known, unplaced


def _whereabouts(place: _Place, elsewhere: _Place) -> str:
    if elsewhere.namespace != place.namespace:
        return f"one is in {elsewhere.namespace!r}"
    return f"one is in the Kubernetes cluster {elsewhere.cluster!r}"


def _placed_specs(fleet: Fleet, kinds: tuple[str, ...]) -> Iterator[tuple[_Place, Summary]]:
    """The specs of some kinds, and where each of them goes."""
    for environment in fleet.environments:
        for summary in fleet.summaries_of(environment):
            if summary.kind in kinds:
                for place in _places(summary, environment):
                    yield place, summary


def _places(summary: Summary, environment: Environment) -> Iterator[_Place]:
    """Where a spec is meant to go, even if something is wrong with it: other rules say so."""
    for item in environment.destinations_by_fields(PLATFORM, summary.fields):
        yield _Place(item.cluster, text(summary.fields, "namespace") or item.namespace)


def _service_names(summary: Summary) -> Iterator[str]:
    """The Services that the operator makes under a name that is known before."""
    fields, name = summary.fields, summary.name.value
    if summary.kind == CLUSTER:
        own = text(fields, "headGroupSpec", "headService", "metadata", "name")
        yield own or f"{name}-head-svc"
        if text(fields, *_SERVES) == "true":
            yield f"{name}-serve-svc"
        return
    yield f"{name}-head-svc"
    if text(fields, "upgradeStrategy", "type") != _INCREMENTAL:
        yield text(fields, "serveService", "metadata", "name") or f"{name}-serve-svc"


RULES = rules_with_source(
    (services_have_their_own_names, selected_cluster_is_there, selected_cluster_runs), NAMES
)

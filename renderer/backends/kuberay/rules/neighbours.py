"""Specs of one namespace: the names that they need there, and the clusters that jobs use."""

from collections.abc import Iterator
from typing import NamedTuple

from renderer.backends.fields import text
from renderer.backends.kuberay.rules.sources import NAMES
from renderer.backends.kuberay.vocabulary import CLUSTER, JOB, SELECTED, SERVICE
from renderer.text.wording import suggest
from renderer.values.diagnostics import Finding, Severity, rule, sourced
from renderer.values.model import Environment, Fleet, Summary

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
    told: set[tuple[object, object]] = set()
    for place, summary in _placed(fleet, (CLUSTER, SERVICE)):
        for name in _services(summary):
            known = first.setdefault((place, name), summary)
            is_same = (known.kind, known.name.value) == (summary.kind, summary.name.value)
            if is_same or (known.key, summary.key) in told:
                continue  # two specs of one kind and name are found as such
            told.add((known.key, summary.key))
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
    waits, for ever if nobody makes it. It may be made elsewhere: then ignore this.
    """
    known: dict[_Place, list[str]] = {}
    for place, summary in _placed(fleet, (CLUSTER,)):
        known.setdefault(place, []).append(str(summary.name.value))
    unread = {item.name: item.unread for item in fleet.environments}
    for place, job in _placed(fleet, (JOB,)):
        chosen = job.fields.get(*SELECTED)
        there = known.get(place, [])
        if not chosen or chosen.value in (*there, "", *unread[job.environment]):
            continue
        name = str(chosen.value)
        elsewhere = next((at for at, names in known.items() if name in names), None)
        where = f" ({_other(place, elsewhere)})" if elsewhere else ""
        yield Finding(
            (),
            f"there is no RayCluster {name!r} in {place.namespace!r}{where}",
            suggest(name, there, "" if there else "add it, or give the job a cluster of its own"),
            origin=chosen.origin,
            environments=(job.environment,),
            related=job.files,
        )


def _other(place: _Place, elsewhere: _Place) -> str:
    if elsewhere.namespace != place.namespace:
        return f"one is in {elsewhere.namespace!r}"
    return f"one is in the Kubernetes cluster {elsewhere.cluster!r}"


def _placed(fleet: Fleet, kinds: tuple[str, ...]) -> Iterator[tuple[_Place, Summary]]:
    """The specs of some kinds, and where each of them goes."""
    for environment in fleet.environments:
        for summary in fleet.of(environment):
            if summary.kind in kinds:
                for place in _places(summary, environment):
                    yield place, summary


def _places(summary: Summary, environment: Environment) -> Iterator[_Place]:
    for item in environment.destinations:
        if item.name in summary.own:
            yield _Place(item.cluster, text(summary.fields, "namespace") or item.namespace)


def _services(summary: Summary) -> Iterator[str]:
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


RULES = sourced((services_have_their_own_names, selected_cluster_is_there), NAMES)

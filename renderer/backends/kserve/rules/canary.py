"""The predictors of `canary`, which get a part of the requests in Standard mode."""

from collections.abc import Iterator

from renderer.backends.fields import elements, text
from renderer.backends.kserve.dialect import STANDARD
from renderer.backends.kserve.inference_service import PlacelessService
from renderer.backends.kserve.model import MODEL, find_models, own_uri
from renderer.backends.kserve.rules.sources import CONTROLLER, WEBHOOK
from renderer.backends.kserve.rules.versions import has_field
from renderer.backends.kserve.runtimes import SERVING_CONTAINER
from renderer.backends.kserve.selection import Request, unfit_reason
from renderer.text.wording import listed
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

_ROUTED_SINCE = (0, 21, 0)
_PERCENT = 100
#: What a canary takes from the stable predictor, or does not have at all.
_FORBIDDEN = ("workerSpec", "maxReplicas", "scaleTarget", "scaleMetric", "autoScaling")


@rule("KSV160", Severity.ERROR, "InferenceService")
def canary_is_of_standard(service: PlacelessService) -> Iterator[Finding]:
    """`canary` is for Standard mode, and came with KServe 0.20.

    KServe's webhook refuses it in other modes; there, `canaryTrafficPercent` splits requests.
    Older versions do not know the field.

    Fails:
        annotations: {serving.kserve.io/deploymentMode: Knative}
        canary:
          - {trafficPercent: 10, predictor: {name: next, model: {modelFormat: {name: sklearn}}}}
    Passes:
        canary:
          - {trafficPercent: 10, predictor: {name: next, model: {modelFormat: {name: sklearn}}}}
    """
    if not elements(service.tree, "canary"):
        return
    dialect = service.settings.dialect
    if not _has_canaries(service):
        message = f"KServe {dialect} knows no canary, which came with 0.20"
        yield Finding(("canary",), message, "delete it", at_key=True)
    elif service.mode != STANDARD:
        message = f"{service.mode} mode has no canary"
        fix = "write canaryTrafficPercent in the predictor, or use Standard mode"
        yield Finding(("canary",), message, fix, at_key=True)


def _has_canaries(service: PlacelessService) -> bool:
    return has_field(service.settings.dialect, service.spec.kind, ("canary",))


@rule("KSV161", Severity.ERROR, "InferenceService", reads=("canary", "predictor.name"))
def canaries_have_names(service: PlacelessService) -> Iterator[Finding]:
    """Each canary's predictor has a name of its own, which the stable predictor does not have.

    KServe's webhook refuses others, as the objects that it makes would have one name.

    Fails:
        predictor: {name: blue}
        canary:
          - {trafficPercent: 10, predictor: {name: blue, model: {modelFormat: {name: sklearn}}}}
    Passes with:
        canary:
          - trafficPercent: 10
            predictor: {name: green, model: {modelFormat: {name: sklearn}}}
    """
    seen = {service.predictor.name}
    for canary in service.canaries:
        path = (*canary.path, "name")
        if not canary.name:
            yield Finding(path, "the predictor of a canary has no name", "add name")
        elif canary.name in seen:
            message = f"there is a predictor {canary.name!r} already"
            yield Finding(path, message, "write another name")
        seen.add(canary.name)


@rule("KSV162", Severity.ERROR, "InferenceService")
def canaries_share_the_whole(service: PlacelessService) -> Iterator[Finding]:
    """The canaries together get at most 100 percent of the requests.

    KServe's webhook refuses more. What they do not get goes to the stable predictor.

    Fails:
        canary:
          - {trafficPercent: 60, predictor: {name: next, model: {modelFormat: {name: sklearn}}}}
          - trafficPercent: 60
            predictor: {name: after, model: {modelFormat: {name: sklearn}}}
    Passes:
        canary:
          - {trafficPercent: 60, predictor: {name: next, model: {modelFormat: {name: sklearn}}}}
    """
    total = 0
    for index, item in enumerate(elements(service.tree, "canary")):
        node = item.get("trafficPercent")
        total += node.value if node and isinstance(node.value, int) else 0
        if total > _PERCENT:
            message = f"with this one, the canaries get {total} percent"
            fix = "write percentages that are 100 or less together"
            yield Finding(("canary", index, "trafficPercent"), message, fix)
            return


@rule("KSV163", Severity.ERROR, "InferenceService")
def canaries_do_not_scale(service: PlacelessService) -> Iterator[Finding]:
    """The number of a canary's replicas is fixed: no autoscaling, no workers.

    KServe's webhook refuses workerSpec, maxReplicas, scaleTarget, scaleMetric and autoScaling, and
    a minReplicas above that of the stable predictor, which is 1 if it does not say it.

    Fails:
        canary:
          - trafficPercent: 10
            predictor: {name: next, minReplicas: 2, model: {modelFormat: {name: sklearn}}}
    Passes with: predictor: {minReplicas: 4}
    """
    given = service.predictor.number("minReplicas")
    stable = 1 if given is None else given
    for canary in service.canaries:
        for key in _FORBIDDEN:
            node = canary.node.get(key)
            if node is not None and (key, node.value) != ("maxReplicas", 0):
                fix = "delete it" if key == "workerSpec" else "write minReplicas, or nothing"
                yield Finding((*canary.path, key), f"a canary has no {key}", fix, at_key=True)
        own = canary.number("minReplicas")
        if own is not None and own > stable:
            message = f"the canary has {own} replicas, and the stable predictor {stable}"
            yield Finding((*canary.path, "minReplicas"), message, f"write {stable} or less")


@rule("KSV164", Severity.ERROR, "InferenceService", reads=("canary", "predictor"))
def canaries_run_something(service: PlacelessService) -> Iterator[Finding]:
    """A canary runs one thing, and the stable predictor has a model.

    KServe's webhook refuses a canary with neither a model nor containers, or with more than one,
    and canaries beside containers that have no STORAGE_URI.

    Fails: canary: [{trafficPercent: 10, predictor: {name: next}}]
    Passes:
        canary:
          - trafficPercent: 10
            predictor:
              name: next
              model: {modelFormat: {name: sklearn}, storageUri: 's3://models/iris/v2'}
    """
    is_custom = service.model is None and bool(service.predictor.containers)
    if service.canaries and is_custom and own_uri(service.predictor) is None:
        message = "the predictor has no model that a canary could be compared with"
        yield Finding(("canary",), message, "delete it, or use a model", at_key=True)
    for canary in service.canaries:
        found = [str(model.path[-1]) for model in find_models(canary.node)]
        names = [text(item, "name") for item in canary.containers]
        found += ["containers"] * names.count(SERVING_CONTAINER)
        if not found and not canary.containers:
            message = "there is nothing to run in the canary"
            yield Finding(canary.path, message, "add model, as in the predictor", at_key=True)
        elif len(found) > 1:
            message = f"a canary runs one thing, and there are {listed(found)}"
            yield Finding((*canary.path, found[-1]), message, "delete one of them", at_key=True)


@rule("KSV165", Severity.WARNING, "InferenceService")
def canaries_get_requests(service: PlacelessService) -> Iterator[Finding]:
    """KServe 0.20 makes canaries and sends them nothing.

    Neither an Ingress nor an HTTPRoute of 0.20.0 leads to a canary, whatever its trafficPercent
    (observed); routes with weights came later. Its own Service can be asked all the same.

    Fails:
        canary:
          - {trafficPercent: 10, predictor: {name: next, model: {modelFormat: {name: sklearn}}}}
    Passes: predictor: {canaryTrafficPercent: 10}
    """
    dialect = service.settings.dialect
    if service.mode != STANDARD or dialect.knows(_ROUTED_SINCE) or not _has_canaries(service):
        return
    for index, item in enumerate(elements(service.tree, "canary")):
        if text(item, "trafficPercent") not in ("", "0"):
            message = f"KServe {dialect} sends no requests to a canary"
            fix = "ask it by its own Service, or use Knative mode and canaryTrafficPercent"
            yield Finding(("canary", index, "trafficPercent"), message, fix)


@rule("KSV166", Severity.ERROR, "InferenceService", reads=("canary", "predictor"))
def canaries_fit_the_runtime(service: PlacelessService) -> Iterator[Finding]:
    """A canary that names no runtime has a format and a protocol of the predictor's runtime.

    It gets the runtime that was found for the predictor, and is never made otherwise (observed for
    formats, inferred from the source for protocols).

    Fails:
        canary:
          - {trafficPercent: 10, predictor: {name: next, model: {modelFormat: {name: xgboost}}}}
    Passes:
        canary:
          - {trafficPercent: 10, predictor: {name: next, model: {modelFormat: {name: sklearn}}}}
    """
    runtime, stable = service.runtime, service.request
    if runtime is None or stable is None or unfit_reason(stable, runtime):
        return
    for canary in service.canaries:
        request = service.canary_request(canary)
        if request is None or text(canary.node, MODEL, "runtime"):
            continue
        for keys, asked in _runtime_requests(stable, request):
            node = canary.node.get(MODEL, *keys)
            if node is not None and (reason := unfit_reason(asked, runtime)):
                message = f"the runtime of the predictor, {runtime.name!r}, does not fit: {reason}"
                fix = f"write what it takes, as the predictor does ({stable}), or name a runtime"
                yield Finding((*canary.path, MODEL, *keys), message, fix)
                break


def _runtime_requests(stable: Request, own: Request) -> Iterator[tuple[tuple[str, ...], Request]]:
    """The fields by which a runtime is judged, each with what is asked for up to it."""
    name, version = ("modelFormat", "name"), ("modelFormat", "version")
    yield name, own._replace(version="", protocol="")
    yield from ((keys, own._replace(protocol="")) for keys in (version, name))
    yield ("protocolVersion",), stable._replace(protocol=own.protocol)


RULES = (
    *rules_with_source(
        (
            canary_is_of_standard,
            canaries_have_names,
            canaries_share_the_whole,
            canaries_do_not_scale,
            canaries_run_something,
        ),
        WEBHOOK,
    ),
    *rules_with_source((canaries_get_requests, canaries_fit_the_runtime), CONTROLLER),
)

"""Annotations and labels of services: which count, and which restart pods."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from renderer.backends.fields import members, text
from renderer.backends.kserve.components import FORMAT, FROZEN, MODE, STOP, Component
from renderer.backends.kserve.dialect import KNATIVE, MODEL_MESH, STANDARD, parse_mode
from renderer.backends.kserve.inference_service import PlacelessService, probable_mode
from renderer.backends.kserve.rules.sources import RECONCILERS, WEBHOOK
from renderer.text.expressions import expression
from renderer.text.wording import did_you_mean, listed
from renderer.values.diagnostics import Finding, Path, Severity, rule, rules_with_source

if TYPE_CHECKING:
    from renderer.values.tree import Node

FROZEN_SINCE = (0, 16, 0)
#: Ends of keys whose values are others with each commit.
_KEYS = expression(
    r"(?:^|[/._-])(?:(?:git|vcs)?[-_.]?(?:commit|revision|sha|ref)(?:[-_.]?(?:id|hash|sha))?"
    r"|(?:build|run|pipeline|job)[-_.]?(?:id|number|url)?"
    r"|(?:rendered|generated|deployed|updated|built|created)[-_.]?(?:at|by|on)?"
    r"|time[-_.]?stamp|restarted[-_.]?at)$",
    2,
)
_VALUES = expression(r"[0-9a-f]{40}|[0-9a-f]{64}|\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*")
#: What KServe reads of the service itself.
_SERVICE_KEYS = frozenset((MODE, STOP, FROZEN))
#: What KServe keeps out of pods, whatever its value.
_HARMLESS = ("kubectl.kubernetes.io/last-applied-configuration", "modelFormat")


@rule("KSV220", Severity.WARNING, "InferenceService")
def mode_is_known(service: PlacelessService) -> Iterator[Finding]:
    """The annotation `serving.kserve.io/deploymentMode` is Standard, Knative or ModelMesh.

    The older names RawDeployment and Serverless will do. KServe's controller ignores others, and
    takes the default of the cluster; its webhook then checks as for Knative. Other rules read a
    mode that is nearly right as the one that was probably meant.

    Fails: annotations: {serving.kserve.io/deploymentMode: standard}
    Passes: annotations: {serving.kserve.io/deploymentMode: Standard}
    """
    given = service.tree.get("annotations", MODE)
    if given is not None and not parse_mode(str(given.value)):
        dialect, default = service.settings.dialect, service.settings.default_mode
        known = [dialect.spelling(item) for item in (STANDARD, KNATIVE)]
        message = f"there is no mode {str(given.value)!r}: KServe takes {default}"
        meant = probable_mode(str(given.value))
        otherwise = f"write {listed([*known, MODEL_MESH], 'or')}"
        fix = did_you_mean(dialect.spelling(meant) if meant else "") or otherwise
        yield Finding(("annotations", MODE), message, fix)


@rule("KSV221", Severity.INFO, "InferenceService")
def mode_is_spelt_as_the_version_does(service: PlacelessService) -> Iterator[Finding]:
    """The mode is called as the KServe of the environment calls it.

    Since 0.16 the names are Standard and Knative, before they were RawDeployment and Serverless.
    It is rendered with the right one, so that the cluster and Git agree.

    Fails: annotations: {serving.kserve.io/deploymentMode: RawDeployment}
    Passes: annotations: {serving.kserve.io/deploymentMode: Standard}
    """
    given, dialect = text(service.tree, "annotations", MODE), service.settings.dialect
    mode = parse_mode(given)
    if mode and given != dialect.spelling(mode):
        message = (
            f"KServe {dialect} calls {given} {dialect.spelling(mode)}, and it is rendered that way"
        )
        yield Finding(("annotations", MODE), message, f"write {dialect.spelling(mode)}")


@rule("KSV222", Severity.WARNING, "InferenceService")
def service_follows_git(service: PlacelessService) -> Iterator[Finding]:
    """A service does not have the annotation `serving.kserve.io/disable-auto-update`.

    With "true", KServe ignores every edit once the service is ready: neither a new version of
    its runtime nor any commit of yours (since 0.16).

    Fails: annotations: {serving.kserve.io/disable-auto-update: 'true'}
    Passes with: annotations: null
    """
    knows = service.settings.dialect.knows(FROZEN_SINCE)
    if knows and text(service.tree, "annotations", FROZEN) == "true":
        message = "once the service is ready, no commit reaches it any more"
        yield Finding(("annotations", FROZEN), message, "delete it", at_key=True)


@rule("KSV223", Severity.WARNING, "InferenceService")
def metadata_does_not_restart_pods(service: PlacelessService) -> Iterator[Finding]:
    """Labels and annotations of a service do not change with every commit.

    KServe copies them to pods, in either mode: a commit's hash, a build number or a time of day in
    one of them restarts all pods with every commit, whatever it changed.

    Fails: annotations: {example.com/git-commit: 3f2c9a1b}
    Passes: annotations: {example.com/owner: iris-team}
    """
    holders: list[tuple[Path, Node]] = [((), service.tree)]
    holders += [(item.path, item.node) for item in service.components]
    for path, node in holders:
        for field in ("labels", "annotations"):
            for key, value in members(node, field).items():
                is_hash = isinstance(value.value, str) and _VALUES.fullmatch(value.value)
                if key not in _HARMLESS and (is_hash or _KEYS.search(key)):
                    message = f"pods restart whenever {key} changes"
                    fix = "delete it; servingctl trace shows where a value comes from"
                    yield Finding((*path, field, key), message, fix, at_key=True)


@rule("KSV224", Severity.INFO, "InferenceService")
def framework_is_a_format(service: PlacelessService) -> Iterator[Finding]:
    """A model is described by `model`, not by the old field of its framework.

    KServe's webhook turns the one into the other. It is rendered in the new form, so that the
    cluster and Git agree.

    Fails: predictor: {sklearn: {storageUri: 's3://models/iris/v1'}}
    Passes: predictor: {model: {storageUri: 's3://models/iris/v1'}}
    """
    model = service.model
    if model and model.framework and service.mode != MODEL_MESH:
        message = f"{model.framework} is rendered as model, which KServe makes of it"
        fix = f"write model, with modelFormat: {{name: {model.framework}}}"
        yield Finding(model.path, message, fix, at_key=True)


@rule("KSV225", Severity.WARNING, "InferenceService")
def format_is_noted_right(service: PlacelessService) -> Iterator[Finding]:
    """The annotation `modelFormat`, if there is one, is the format of the model.

    KServe writes it where it is missing (since 0.17), and leaves another value as it is; runtimes
    for several formats take the format from it.

    Fails: annotations: {modelFormat: xgboost}
    Passes: annotations: {modelFormat: sklearn}
    """
    given = text(service.tree, "annotations", FORMAT)
    if given and service.model and service.model.format not in ("", given):
        message = f"the model is {service.model.format}, and not {given}"
        yield Finding(
            ("annotations", FORMAT), message, f"write {service.model.format}, or delete it"
        )


@rule("KSV226", Severity.ERROR, "InferenceService", since="0.2.0")
def component_has_the_mode(service: PlacelessService) -> Iterator[Finding]:
    """In Standard mode, no component has the annotation of another mode.

    The controller reads the mode of a component's Deployment there, makes nothing of another one,
    and the service is never ready (observed). In Knative mode nothing reads it.

    Fails:
        annotations: {serving.kserve.io/deploymentMode: Standard}
        predictor: {annotations: {serving.kserve.io/deploymentMode: Knative}}
    Passes: annotations: {serving.kserve.io/deploymentMode: Standard}
    """
    for component in service.components:
        if _has_other_mode(component, service):
            path = (*component.path, "annotations", MODE)
            message = f"the service is in {service.mode} mode, and so are its components"
            yield Finding(path, message, "delete it, or write it at the service")


def _has_other_mode(component: Component, service: PlacelessService) -> bool:
    own = text(component.node, "annotations", MODE)
    is_stable = service.mode == STANDARD and not component.is_canary
    return bool(own) and is_stable and parse_mode(own) != STANDARD


@rule("KSV365", Severity.WARNING, "InferenceService")
def annotations_are_where_they_count(service: PlacelessService) -> Iterator[Finding]:
    """What KServe reads of the service's annotations is not among those of a component.

    That is the mode, stop and disable-auto-update: on a component they reach pods only, and stop
    deletes what is made of it (observed for predictors), while the service itself is not stopped.
    The class of the autoscaler counts there as well, unchecked by the webhook.

    Fails: predictor: {annotations: {serving.kserve.io/deploymentMode: Standard}}
    Passes: annotations: {serving.kserve.io/deploymentMode: Standard}
    """
    for component in service.components:
        for key in members(component.node, "annotations"):
            if key in _SERVICE_KEYS and not (key == MODE and _has_other_mode(component, service)):
                message = f"{key} counts on the service alone, and has no effect here"
                if key == STOP and text(component.node, "annotations", STOP).lower() == "true":
                    message = f"the {component.kind} alone is stopped"
                path = (*component.path, "annotations", key)
                yield Finding(path, message, "move it up, to the service", at_key=True)


RULES = (
    *rules_with_source((annotations_are_where_they_count,), WEBHOOK),
    *rules_with_source(
        (mode_is_known, mode_is_spelt_as_the_version_does, framework_is_a_format), WEBHOOK
    ),
    *rules_with_source(
        (
            component_has_the_mode,
            service_follows_git,
            metadata_does_not_restart_pods,
            format_is_noted_right,
        ),
        RECONCILERS,
    ),
)

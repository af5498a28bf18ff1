"""The KubeRay that an environment declares: its version, its Ray, its feature gates."""

from collections.abc import Iterator

from renderer.backends.fields import members, text
from renderer.backends.kuberay.dialect import NEWEST, Dialect, Version, parse_version, version_text
from renderer.backends.kuberay.rules import FEATURES
from renderer.backends.kuberay.settings import GATES, KubeRaySettings
from renderer.text.wording import suggest
from renderer.values.diagnostics import Finding, Severity, rule
from renderer.values.model import Environment

_KUBERAY = "kuberay"
#: The first version whose custom resources are rendered here.
_OLDEST: Version = (1, 0, 0)
#: The oldest Ray that a version of KubeRay is tested with.
_LEAST: tuple[tuple[Version, Version], ...] = (
    ((1, 3, 0), (2, 38, 0)),
    ((1, 1, 0), (2, 8, 0)),
    ((0, 0, 0), (2, 0, 0)),
)


@rule("RAY450", Severity.WARNING, "Environment")
def version_of_kuberay_is_known(environment: Environment) -> Iterator[Finding]:
    """`kuberay.version` is a version whose behaviour is known here.

    What a later one brings is taken for unknown, and its rules for those of the newest known one.
    Before 1.0 there was no `ray.io/v1`, which is what is rendered.

    Fails: kuberay: {version: 9.0.0}
    Passes: kuberay: {version: 1.6.1}
    """
    given = parse_version(text(environment.tree, _KUBERAY, "version"))
    path = (_KUBERAY, "version")
    if given and given > NEWEST:
        message = (
            f"KubeRay {version_text(given)} is newer than {version_text(NEWEST)}, the newest known"
        )
        yield Finding(path, message, "look for a newer servingctl")
    elif given and given < _OLDEST:
        message = f"KubeRay {version_text(given)} does not know ray.io/v1, which is rendered"
        yield Finding(path, message, "use KubeRay 1.0 or later")


@rule("RAY451", Severity.WARNING, "Environment")
def version_of_ray_is_supported(environment: Environment) -> Iterator[Finding]:
    """`kuberay.ray_version` is a version of Ray that the KubeRay of the environment works with.

    KubeRay 1.3 and later are for Ray 2.38 and later, 1.1 and 1.2 for Ray 2.8 and later.

    Fails: kuberay: {version: 1.6.1, ray_version: 2.9.0}
    Passes with: kuberay: {ray_version: 2.52.0}
    """
    settings = KubeRaySettings.of(environment)
    least = next(ray for since, ray in _LEAST if settings.dialect.knows(since))
    if settings.ray_version and settings.ray_version < least:
        version = version_text(settings.ray_version)
        message = (
            f"KubeRay {settings.dialect} is for Ray {version_text(least)} and later, not {version}"
        )
        yield Finding((_KUBERAY, "ray_version"), message, f"use Ray {version_text(least)} or later")


@rule("RAY452", Severity.ERROR, "Environment")
def feature_gates_are_known(environment: Environment) -> Iterator[Finding]:
    """The features in `kuberay.feature_gates` are those of this version of KubeRay.

    An operator that is started with the name of another does not start, so the setting cannot be
    what the clusters have.

    Fails: kuberay: {feature_gates: {RayJobDeletionPolice: true}}
    Passes: kuberay: {feature_gates: {RayJobDeletionPolicy: true}}
    """
    dialect = Dialect.of(text(environment.tree, _KUBERAY, "version"))
    known = [name for name, gate in GATES.items() if gate.is_known(dialect)]
    for name in members(environment.tree, _KUBERAY, "feature_gates"):
        if name not in known and dialect.version <= NEWEST:
            message = f"KubeRay {dialect} has no feature gate {name!r}"
            path = (_KUBERAY, "feature_gates", name)
            yield Finding(path, message, suggest(name, known), at_key=True)


RULES = (
    version_of_kuberay_is_known,
    version_of_ray_is_supported,
    feature_gates_are_known._replace(source=FEATURES),
)

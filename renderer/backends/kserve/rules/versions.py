"""What the KServe of an environment does not know yet."""

from collections.abc import Iterator

from renderer.backends.kserve.dialect import Dialect, Version
from renderer.backends.kserve.inference_service import InferenceService
from renderer.backends.kserve.model import models_of
from renderer.backends.kserve.rules.deciding_settings import setting
from renderer.backends.kserve.rules.sources import WEBHOOK
from renderer.backends.kserve.runtime_view import RuntimeView
from renderer.values.diagnostics import Finding, Path, Severity, rule, rules_with_source

#: Fields of components, and the version that brought them.
_FIELDS: dict[tuple[str, ...], Version] = {
    ("labels",): (0, 11, 0),
    ("annotations",): (0, 11, 0),
    ("huggingface",): (0, 12, 0),
    ("deploymentStrategy",): (0, 13, 0),
    ("workerSpec",): (0, 14, 0),
    ("autoScaling",): (0, 15, 0),
    ("scaleMetricType",): (0, 15, 0),
    ("storageUris",): (0, 16, 0),
    ("logger", "storage"): (0, 16, 0),
    ("name",): (0, 20, 0),
    ("storageContainerName",): (0, 20, 0),
}
#: The same for fields of models.
_RUNTIME_FIELDS: dict[str, Version] = {"resourceClaims": (0, 21, 0)}
_MODEL_FIELDS: dict[tuple[str, ...], Version] = {("confidential",): (0, 20, 0)}


@rule("KSV170", Severity.ERROR, "InferenceService")
def fields_are_of_the_version(service: InferenceService) -> Iterator[Finding]:
    """A field is one that the KServe of the environment (`kserve.version`) knows.

    The API server drops an unknown field without a word, or refuses the object if it is asked to
    be strict: either way it does not do what is written.

    Fails: predictor: {storageUris: [{uri: 's3://models/iris/v1'}]}
    Passes: predictor: {model: {storageUri: 's3://models/iris/v1'}}
    """
    dialect, said = service.settings.dialect, setting(service, "version")
    for component in service.components:
        if component.is_canary and not dialect.knows(_FIELDS[("name",)]):
            continue
        found = [(*component.path, *key) for key in _FIELDS if component.node.get(*key) is not None]
        yield from _too_new(found, len(component.path), _FIELDS, dialect, said)
        for model in models_of(component.node)[:1]:
            path = (*component.path, model.path[-1])
            inner = [(*path, *key) for key in _MODEL_FIELDS if model.node.get(*key) is not None]
            yield from _too_new(inner, len(path), _MODEL_FIELDS, dialect, said)


def _too_new(
    paths: list[Path],
    depth: int,
    fields: dict[tuple[str, ...], Version],
    dialect: Dialect,
    said: str = "kserve.version",
) -> Iterator[Finding]:
    for path in paths:
        key = tuple(map(str, path[depth:]))
        if not dialect.knows(fields[key]):
            since = ".".join(map(str, fields[key][:2]))
            message = f"KServe {dialect} does not know {'.'.join(key)}, which came with {since}"
            yield Finding(path, message, f"delete it, or change {said}", at_key=True)


@rule("MAN200", Severity.ERROR, "ServingRuntime", since="0.2.0")
def fields_of_runtimes_are_of_the_version(view: RuntimeView) -> Iterator[Finding]:
    """A field of a runtime is one that the KServe of the environment (`kserve.version`) knows.

    The schemas of releases up to 0.20 have no `resourceClaims` in runtimes (observed): the API
    server drops the field without a word, or refuses the object if it is asked to be strict.

    Fails: resourceClaims: [{name: gpu, resourceClaimTemplateName: gpus}]
    Passes: schedulerName: volcano
    """
    found: list[Path] = [(key,) for key in _RUNTIME_FIELDS if view.spec.tree.get(key) is not None]
    fields: dict[tuple[str, ...], Version] = {(key,): v for key, v in _RUNTIME_FIELDS.items()}
    yield from _too_new(found, 0, fields, view.settings.dialect)


RULES = rules_with_source((fields_are_of_the_version,), WEBHOOK)
RUNTIME_RULES = rules_with_source((fields_of_runtimes_are_of_the_version,), WEBHOOK)

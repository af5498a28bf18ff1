"""Fields that are newer than the KServe of an environment."""

from collections.abc import Iterator

from renderer.backends.kserve.dialect import Dialect
from renderer.backends.kserve.inference_service import PlacelessService
from renderer.backends.kserve.model import FRAMEWORKS, MODEL
from renderer.backends.kserve.rules.sources import WEBHOOK, setting
from renderer.backends.kserve.serving_runtime import RuntimeView
from renderer.schema.versions import Span, VersionedSchema, VersionedValue
from renderer.values.diagnostics import Finding, Path, Severity, rule, rules_with_source
from renderer.values.kinds import Kind
from renderer.values.model import PlacelessSpec


@rule("KSV170", Severity.ERROR, "InferenceService")
def fields_are_of_the_version(service: PlacelessService) -> Iterator[Finding]:
    """A field is one that the KServe of the environment (`kserve.version`) knows.

    The API server drops an unknown field without a word, or refuses the object if it is asked to
    be strict: either way it does not do what is written.

    Fails: predictor: {storageUris: [{uri: 's3://models/iris/v1'}]}
    Passes: predictor: {model: {storageUri: 's3://models/iris/v1'}}
    """
    dialect, said = service.settings.dialect, setting(service, "version")
    has_canaries = has_field(dialect, service.spec.kind, ("canary",))
    for path, _, span in unknown_fields(dialect, service.spec):
        if path[0] != "canary":
            yield _too_new(path, _name_in_component(path[1:]), span, dialect, said)
        elif has_canaries:  # else KSV160 reports them
            yield _too_new(path, _name_in_component(path[3:]), span, dialect, said)


def _name_in_component(path: Path) -> str:
    is_of_model = len(path) > 1 and path[0] in (MODEL, *FRAMEWORKS)
    return ".".join(map(str, path[1:] if is_of_model else path))


def _too_new(path: Path, name: str, span: Span, dialect: Dialect, said: str) -> Finding:
    since = span.since.rpartition(".")[0]
    message = f"KServe {dialect} does not know {name}, which came with {since}"
    return Finding(path, message, f"delete it, or change {said}", at_key=True)


@rule("MAN200", Severity.ERROR, "ServingRuntime", since="0.2.0")
def fields_of_runtimes_are_of_the_version(view: RuntimeView) -> Iterator[Finding]:
    """A field of a runtime is one that the KServe of the environment (`kserve.version`) knows.

    The CRDs of releases up to 0.20 have no `resourceClaims` in runtimes: the API server drops the
    field without a word, or refuses the object if it is asked to be strict.

    Fails: resourceClaims: [{name: gpu, resourceClaimTemplateName: gpus}]
    Passes: schedulerName: volcano
    """
    dialect = view.settings.dialect
    for path, _, span in unknown_fields(dialect, view.spec):
        yield _too_new(path, ".".join(map(str, path)), span, dialect, "kserve.version")


def has_field(dialect: Dialect, kind: Kind, path: Path) -> bool:
    return dialect.knows(_schema(kind).span_of(path).first)


def unknown_fields(dialect: Dialect, spec: PlacelessSpec) -> Iterator[VersionedValue]:
    """The fields of a spec that a version does not have, parents first."""
    found = _schema(spec.kind).values_in(spec.tree)
    return (item for item in found if not dialect.knows(item.span.first))


def _schema(kind: Kind) -> VersionedSchema:
    return VersionedSchema("KServe", kind.schema)


RULES = rules_with_source((fields_are_of_the_version,), WEBHOOK)
RUNTIME_RULES = rules_with_source((fields_of_runtimes_are_of_the_version,), WEBHOOK)

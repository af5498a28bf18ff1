"""Which fields of specs a version of KServe has, as their schemas say."""

from collections.abc import Iterator

from renderer.backends.kserve.dialect import Dialect
from renderer.schema.versions import VersionedSchema, VersionedValue
from renderer.values.diagnostics import Path
from renderer.values.model import Kind, Spec


def has_field(dialect: Dialect, kind: Kind, path: Path) -> bool:
    return dialect.knows(_schema(kind).span_of(path).first)


def unknown_fields(dialect: Dialect, spec: Spec) -> Iterator[VersionedValue]:
    """The fields of a spec that a version does not have, parents first."""
    found = _schema(spec.kind).values_in(spec.tree)
    return (item for item in found if not dialect.knows(item.span.first))


def _schema(kind: Kind) -> VersionedSchema:
    return VersionedSchema("KServe", kind.schema)

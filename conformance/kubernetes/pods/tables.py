"""What the tables beside say: pods to begin with, values by what they mean, and where."""

from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

import yaml

from conformance.kubernetes.places import HERE
from conformance.kubernetes.pods.fields import Field, fields_of

_FAMILIES = {"boolean": "flag", "int32": "signed", "int64": "signed", "quantity": "quantity"}
_LABELS = {"keys": "label_key", "values": "text"}


def table(name: str) -> Any:
    return yaml.safe_load((HERE / f"pods/{name}.yaml").read_text("utf-8"))


class Tables(NamedTuple):
    """`samples.yaml`, `values.yaml` and `meanings.yaml`, for the fields of one document."""

    fields: Mapping[str, Field]
    samples: dict[str, Any]
    families: dict[str, dict[str, Any]]
    sets: dict[str, list[str]]
    meanings: dict[str, Any]

    @property
    def pod(self) -> Any:
        """The small pod."""
        return self.samples["pod"]

    def needs(self, place: str) -> dict[str, Any]:
        found: dict[str, Any] = self.samples["needs"].get(place, {})
        return found

    def members(self, field: Field) -> tuple[str, ...]:
        """What excludes each other in a value of this type."""
        given = self.samples["unions"].get(field.type, ())
        if given == "*":
            return tuple(key for key in field.properties if key != "name")
        return tuple(given)

    def sample(self, field: Field) -> Any:
        """Something that is right there."""
        if field.place in self.samples["places"]:
            return self.samples["places"][field.place]
        if field.properties:
            one = self.samples["types"].get(field.type, {})
        elif field.type == "map":
            one = {}
        else:
            one = next(iter(self.values(self.meaning(field)).values()))
        return [one] if field.is_list else one

    def meaning(self, field: Field) -> Any:
        """The last line of the table that has the place; for a map, of its keys and values."""
        given = [
            meaning
            for pattern, meaning in self.meanings.items()
            if fnmatchcase(field.place, pattern)
        ]
        by_type = _LABELS if field.type == "map" else _FAMILIES.get(field.type, "text")
        return given[-1] if given else by_type

    def values(self, meaning: str) -> dict[str, Any]:
        if meaning in self.sets:
            return _values_of_set(self.sets[meaning])
        return {str(label): value for label, value in self.families[meaning].items()}


def read_tables(document: Any) -> Tables:
    fields = {field.place: field for field in fields_of(document)}
    values = table("values")
    return Tables(fields, table("samples"), values["families"], values["sets"], table("meanings"))


def _values_of_set(members: list[str]) -> dict[str, Any]:
    first = members[0]
    swapped = first.lower() if first != first.lower() else first.upper()
    return {
        **{member: member for member in members},
        "in the wrong case": swapped,
        "with a space": f"{first} ",
        "nonsense": "Nonsense",
        "empty": "",
    }

"""Bare data of objects: read without asking whether it is there."""

from collections.abc import Mapping

from renderer.values.tree import Plain

Data = dict[str, Plain]


def mapping(data: Mapping[str, Plain], *path: str) -> Data:
    """The mapping at a path; empty where there is none."""
    found: Plain = dict(data)
    for key in path:
        found = found.get(key) if isinstance(found, dict) else None
    return found if isinstance(found, dict) else {}


def items(data: Mapping[str, Plain], key: str) -> list[Data]:
    """The mappings in a list; none where there is no list."""
    found = data.get(key)
    return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []


def number(data: Mapping[str, Plain], key: str) -> int | None:
    found = data.get(key)
    return found if isinstance(found, int) and not isinstance(found, bool) else None


def texts(data: Mapping[str, Plain], key: str) -> dict[str, str]:
    """Labels or annotations; texts stay what they are, as they may know where they came from."""
    given = mapping(data, key).items()
    return {name: value if isinstance(value, str) else str(value) for name, value in given}


def words(data: Mapping[str, Plain], key: str) -> list[str]:
    """A list of texts, such as arguments."""
    found = data.get(key)
    listing = found if isinstance(found, list) else []
    return [item if isinstance(item, str) else str(item) for item in listing]


def variable(container: Mapping[str, Plain], name: str) -> str | None:
    """The value of a variable of a container; nothing if it has none."""
    found = (item for item in items(container, "env") if item.get("name") == name)
    return next((str(item.get("value") or "") for item in found), None)


def container_named(containers: list[Data], name: str) -> Data | None:
    return next((item for item in containers if item.get("name") == name), None)


def replace_container(containers: list[Data], changed: Data) -> list[Plain]:
    """The containers with one of them changed."""
    return [changed if item.get("name") == changed.get("name") else item for item in containers]

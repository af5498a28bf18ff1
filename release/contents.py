"""The list of what an installed release consists of (an SBOM), in the form of CycloneDX."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import NamedTuple
from uuid import NAMESPACE_URL, uuid5

from cyclonedx.factory.license import LicenseFactory
from cyclonedx.model import HashAlgorithm, HashType, Property
from cyclonedx.model.bom import Bom, BomMetaData
from cyclonedx.model.component import Component, ComponentScope, ComponentType
from cyclonedx.model.license import License
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL
from packaging.metadata import RawMetadata, parse_email
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from release.origin import Origin, Refusal

#: The extras that a user installs, as opposed to those of people who change the code.
EXTRAS = ("crds", "kubernetes")


class _Part(NamedTuple):
    """A package that is installed along, and what it needs itself."""

    name: str
    distribution: Distribution
    needs: tuple[str, ...]


def contents(wheel: Path, metadata: bytes, digest: str, origin: Origin) -> str:
    """The text of the list, of the wheel and of the packages that are installed beside it here."""
    raw, _ = parse_email(metadata)
    requirements = [Requirement(text) for text in raw.get("requires_dist", ())]
    needed = _names(requirements, ("",))
    usual, every = _closure(needed), _closure(_names(requirements, ("", *EXTRAS)))
    root = _root(raw, wheel.name, digest)
    components = {
        name: _component(part, optional=name not in usual) for name, part in every.items()
    }
    bom = Bom(
        serial_number=uuid5(NAMESPACE_URL, f"{wheel.name}:{digest}"),
        components=components.values(),
        metadata=BomMetaData(
            component=root,
            timestamp=datetime.fromtimestamp(origin.seconds, UTC),
            properties=[Property(name="servingctl:commit", value=origin.commit)],
        ),
    )
    direct = _names(requirements, ("", *EXTRAS))
    bom.register_dependency(root, [components[name] for name in direct])
    for name, part in every.items():
        bom.register_dependency(components[name], [components[item] for item in part.needs])
    return f"{JsonV1Dot6(bom).output_as_string(indent=2)}\n"


def _names(requirements: Iterable[Requirement], extras: Iterable[str]) -> list[str]:
    """What is asked for here, of Python and system, with any of the extras."""
    known = tuple(extras)
    return sorted(
        {
            canonicalize_name(item.name)
            for item in requirements
            if not item.marker or any(item.marker.evaluate({"extra": extra}) for extra in known)
        }
    )


def _closure(names: Iterable[str]) -> dict[str, _Part]:
    """These packages and all that they need, by their names."""
    found: dict[str, _Part] = {}
    waiting = [*names]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = _part(name)
            waiting.extend(found[name].needs)
    return dict(sorted(found.items()))


def _part(name: str) -> _Part:
    try:
        installed = distribution(name)
    except PackageNotFoundError as error:
        raise Refusal(f"{name} is not installed, so its version is not known") from error
    requirements = [Requirement(text) for text in installed.requires or ()]
    return _Part(name, installed, tuple(_names(requirements, ("",))))


def _root(raw: RawMetadata, wheel: str, digest: str) -> Component:
    name, version = raw.get("name", ""), raw.get("version", "")
    url = PackageURL("pypi", None, name, version, {"file_name": wheel})
    return Component(
        name=name,
        version=version,
        type=ComponentType.APPLICATION,
        bom_ref=url.to_string(),
        purl=url,
        description=raw.get("summary"),
        licenses=_licenses(raw.get("license_expression", "")),
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=digest)],
    )


def _component(part: _Part, *, optional: bool) -> Component:
    url = PackageURL("pypi", None, part.name, part.distribution.version)
    return Component(
        name=part.name,
        version=part.distribution.version,
        type=ComponentType.LIBRARY,
        bom_ref=url.to_string(),
        purl=url,
        scope=ComponentScope.OPTIONAL if optional else ComponentScope.REQUIRED,
        licenses=_licenses(_expression(part.distribution)),
    )


def _expression(package: Distribution) -> str:
    raw, _ = parse_email(package.read_text("METADATA") or "")
    return raw.get("license_expression", "")


def _licenses(expression: str | None) -> Iterator[License]:
    if expression:
        yield LicenseFactory().make_from_string(expression)

"""What the configuration managers of the domains must provide, for a whole environment."""

from typing import NamedTuple

from renderer.backends.kuscia.appimage import AppImage
from renderer.backends.kuscia.configtemplates.files import ConfigFile, config_files
from renderer.backends.kuscia.configtemplates.parsing import Template
from renderer.backends.kuscia.serving import Serving
from renderer.values.model import Environment


class ConfigKey(NamedTuple):
    """A key, whether `kuscia.config_keys` declares it, and who needs it for what."""

    name: str
    declared: bool
    domains: tuple[str, ...]
    files: tuple[str, ...]


def config_keys(environment: Environment) -> tuple[ConfigKey, ...]:
    """The keys that the environment's servings need, by name.

    A file is given as `AppImage: key`. Variables that may come from an `envFrom` are left
    out, and so are those that Kuscia would not fetch.
    """
    domains: dict[str, set[str]] = {}
    files: dict[str, set[str]] = {}
    declared: frozenset[str] = frozenset()
    for image, users in _users(environment).values():
        declared = image.config_keys
        for file in config_files(image):
            for name in missing(file):
                domains.setdefault(name, set()).update(users)
                files.setdefault(name, set()).add(f"{image.name}: {file.key}")
    return tuple(
        ConfigKey(name, name in declared, tuple(sorted(domains[name])), tuple(sorted(files[name])))
        for name in sorted(domains)
    )


def missing(file: ConfigFile) -> set[str]:
    """The variables of a file that Kuscia asks the configuration manager for."""
    if file.has_unknown_env or not isinstance(file.parsed, Template):
        return set()
    asked = {mention.name for mention in file.mentions} & file.parsed.needed
    return {name for name in asked if not file.knows(name)}


def _users(environment: Environment) -> dict[str, tuple[AppImage, set[str]]]:
    """The AppImages that servings use, with the domains that use them."""
    found: dict[str, tuple[AppImage, set[str]]] = {}
    for spec in environment.specs:
        parties = () if spec.kind.prerequisite else Serving.of(spec, environment).parties
        for party in parties:
            used = environment.named("AppImage", party.image_name)
            if used and party.image_name not in found:
                found[party.image_name] = (AppImage.of(used, environment), set())
            if used:
                found[party.image_name][1].add(party.domain)
    return found

"""Runtime environments of jobs and of replicas: where they stand, and what Ray takes in them."""

from collections.abc import Iterator, Mapping
from functools import cache
from urllib.parse import urlsplit

from renderer.backends.fields import elements
from renderer.backends.kuberay.dialect import Version, version_text
from renderer.backends.kuberay.messages.workloads import plain_runtime_env
from renderer.backends.kuberay.serve_config.applications import (
    applications_of,
    runtime_environments,
)
from renderer.backends.kuberay.serve_config.view import serve_config_of
from renderer.backends.kuberay.vocabulary import JOB, SERVICE, is_placeholder
from renderer.backends.kuberay.workloads import PlacelessWorkload
from renderer.backends.kuberay.yaml_config import Subject, YamlConfig, read_config
from renderer.schema.bundle import Schema, bundled_schema
from renderer.text.wording import listed
from renderer.values.diagnostics import Path
from renderer.values.identity_cache import cached_by_identity
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

_RUNTIME, _MESSAGE_RUNTIME = "runtimeEnvYAML", "runtimeEnv"
_SUBJECT = Subject("the runtime environment", "write a mapping, such as pip: [requests]")
#: Each of these installs packages, and Ray takes one of them.
_INSTALLERS = ("pip", "uv", "conda")
#: What goes with an image, and nothing else does.
_IMAGE_COMPANIONS = frozenset(("config", "env_vars"))
#: How files are called that list packages.
_FILES = (".txt", ".in", ".toml", ".yaml", ".yml")
_SCHEMES = ("https", "s3", "gs", "azure", "abfss", "file", "http")
#: The last version that was observed not to take http, and the first one that was observed to take
#: it, and no wheel as working_dir. Between them, both are taken. Tar came on its own.
_OLD, _NEW = (2, 52), (2, 60, 0)
_FIRST_WITH_TAR: Version = (2, 56, 0)
_ARCHIVES, _TARS, _WHEEL = (".zip",), (".tar.gz", ".tgz", ".tar.xz"), ".whl"


class RuntimeEnv(NamedTuple):
    """A runtime environment, its path in a config, and that of the application around it."""

    config: YamlConfig
    path: Path
    node: Node
    outer: Node | None = None

    @property
    def keys(self) -> dict[str, Node]:
        """What it has together with what it gets from its application."""
        around = self.outer.items if self.outer else {}
        both = {**around, **self.node.items}
        return {key: node for key, node in both.items() if node.value is not None}


@cached_by_identity
def runtime_env_of(workload: PlacelessWorkload) -> YamlConfig | None:
    """The runtime environment of a job; nothing if there is none, or only a placeholder."""
    key = _MESSAGE_RUNTIME if workload.is_message else _RUNTIME
    given = workload.spec.tree.get(key) if workload.kind == JOB else None
    if given is None or not given.value or is_placeholder(str(given.value)):
        return None
    plain = plain_runtime_env(given)
    if isinstance(plain.value, str) and not plain.value.strip():
        return None
    config = read_config(plain, (key,), _SUBJECT)
    return config if plain.value == given.value else _locate_as_whole(config)


def _locate_as_whole(config: YamlConfig) -> YamlConfig:
    """One whose text is not in the file as it is read: only the whole of it has a place there."""
    problems = (item._replace(inside=None) for item in config.problems)
    return config._replace(is_converted=True, problems=tuple(problems))


@cached_by_identity
def runtime_envs(workload: PlacelessWorkload) -> tuple[RuntimeEnv, ...]:
    """All of a job or service that can be read."""
    return tuple(_runtime_envs(workload))


def _runtime_envs(workload: PlacelessWorkload) -> Iterator[RuntimeEnv]:
    if config := runtime_env_of(workload):
        yield RuntimeEnv(config, (), config.tree)
    served = serve_config_of(workload) if workload.kind == SERVICE else None
    if served is None:
        return
    for application in applications_of(served):
        outer = application.node.items.get("runtime_env")
        for path, node in runtime_environments(application):
            is_outer = path[:-1] == application.path
            yield RuntimeEnv(served, path, node, None if is_outer else outer)


@cache
def runtime_env_schema(*, has_plugins: bool) -> Schema:
    """What Ray knows; with plugins, other keys may have a meaning."""
    found = {"$ref": "#/definitions/RayRuntimeEnv", **bundled_schema("shared/ray-runtime-env.json")}
    if not has_plugins:
        return found
    definitions = found["definitions"]
    open_one = {**definitions["RayRuntimeEnv"], "additionalProperties": True}
    return {**found, "definitions": {**definitions, "RayRuntimeEnv": open_one}}


def conflicting_keys(environment: RuntimeEnv) -> Iterator[tuple[str, str]]:
    """Pairs of keys of which Ray takes only one: one of the environment's own, and the other."""
    own, keys = environment.node.items, environment.keys
    for key, other in _conflicts(keys):
        if key in own or other in own:
            yield (key, other) if key in own else (other, key)


def _conflicts(keys: Mapping[str, Node]) -> Iterator[tuple[str, str]]:
    installers = [key for key in keys if key in _INSTALLERS]
    yield from ((key, installers[0]) for key in installers[1:])
    for image in ("container", "image_uri"):
        if image in keys and keys[image].value:
            others = (key for key in keys if key not in _IMAGE_COMPANIONS and key != image)
            yield from ((key, image) for key in others)


def code_addresses(node: Node) -> Iterator[tuple[Path, Node]]:
    """Where an environment has its code."""
    if given := node.items.get("working_dir"):
        yield ("working_dir",), given
    for index, item in enumerate(elements(node, "py_modules")):
        yield ("py_modules", index), item


def is_local(value: str) -> bool:
    """Whether it is a path, and no address."""
    return not urlsplit(value).scheme


def address_problem(key: str, value: str, version: Version | None) -> str:
    """What is wrong with an address of code, or nothing."""
    scheme, path = urlsplit(value).scheme, urlsplit(value).path
    is_old = version is not None and version[:2] <= _OLD
    if scheme not in _SCHEMES or "://" not in value or (scheme == "http" and is_old):
        known = listed(_SCHEMES[:-1] if is_old else _SCHEMES)
        return f"is no address that Ray can fetch: it takes {known}"
    is_module = key == "py_modules" or version is None or version < _NEW
    has_tar = version is None or version >= _FIRST_WITH_TAR
    endings = (*_ARCHIVES, *(_TARS if has_tar else ()), *((_WHEEL,) if is_module else ()))
    if path.endswith(endings):
        return ""
    what = f"is tar, which came with Ray {version_text(_FIRST_WITH_TAR)}"
    name = f"Ray {version_text(version)}" if version else "Ray"
    problem = what if path.endswith(_TARS) else "is no archive"
    return f"{problem}: {name} takes {listed(endings, 'or')}"


def local_files(node: Node) -> Iterator[tuple[Path, str]]:
    """Files of packages that an environment names by a relative path."""
    for path in (*((key,) for key in _INSTALLERS), ("pip", "packages")):
        given = node.get(*path)
        value = given.value if given else None
        if isinstance(value, str) and value.endswith(_FILES) and not value.startswith("/"):
            yield path, value

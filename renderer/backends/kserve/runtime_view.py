"""A runtime of the repository in view of its environment and of the services that use it."""

from collections.abc import Sequence
from typing import NamedTuple

from renderer.backends.kserve.runtimes import Runtime
from renderer.backends.kserve.settings import KServeSettings
from renderer.values.model import Environment, Spec, Summary


class RuntimeView(NamedTuple):
    """What the rules of a ServingRuntime or ClusterServingRuntime are given."""

    spec: Spec
    environment: Environment
    settings: KServeSettings
    runtime: Runtime
    users: tuple[Summary, ...] = ()


def view(spec: Spec, environment: Environment, users: Sequence[Summary]) -> RuntimeView:
    settings = KServeSettings.of(environment)
    return RuntimeView(spec, environment, settings, Runtime.of(spec), tuple(users))

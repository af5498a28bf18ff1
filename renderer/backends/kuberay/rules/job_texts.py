"""Texts of jobs that hold data: the runtime environment, and what the entrypoint reserves."""

import json
from collections.abc import Iterator

from renderer.backends.kuberay.messages.jobs import plain_runtime_env
from renderer.backends.kuberay.rules.sources import VALIDATION
from renderer.backends.kuberay.runtime_env import runtime_env_of
from renderer.backends.kuberay.vocabulary import JOB, is_placeholder
from renderer.backends.kuberay.workloads import Workload
from renderer.text.wording import visible
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source
from renderer.values.tree import Node

_MESSAGE_RUNTIME = "runtimeEnv"
_RESOURCES = "entrypointResources"


@rule("RAY360", Severity.ERROR, JOB)
def runtime_environment_is_a_mapping(workload: Workload) -> Iterator[Finding]:
    """The runtime environment of a job is a mapping, or text that is one in YAML.

    The operator refuses the job otherwise. A mapping is checked here and written as text.

    Fails: runtimeEnvYAML: 'pip: [requests'
    Passes: runtimeEnvYAML: 'pip: [requests]'
    """
    config = runtime_env_of(workload)
    yield from config.problems if config else ()


@rule("RAY361", Severity.INFO, JOB)
def runtime_environment_is_plain(workload: Workload) -> Iterator[Finding]:
    """The runtime environment of a message is plain YAML, not base64.

    Old clients of the API server sent it in base64. It is rendered as what it means, and easier to
    review if it is written so.

    Fails:
        clusterSpec: {}
        runtimeEnv: cGlwOiBbcmVxdWVzdHNd
    Passes with: runtimeEnv: {pip: [requests]}
    """
    given = workload.spec.tree.get(_MESSAGE_RUNTIME)
    if given and plain_runtime_env(given).value != given.value:
        message = "the runtime environment is base64, and rendered as plain YAML"
        yield Finding((_MESSAGE_RUNTIME,), message, "write it as a mapping")


@rule("RAY362", Severity.ERROR, JOB)
def entrypoint_reserves_numbers(workload: Workload) -> Iterator[Finding]:
    """What the entrypoint of a job reserves (`entrypointResources`) are numbers by name.

    They are a mapping, or text that is one in JSON. Ray refuses to take the job otherwise, when its
    cluster is there already.

    Fails: entrypointResources: '{"Custom": "1"}'
    Passes: entrypointResources: '{"Custom": 1}'
    """
    given = workload.fields.get(_RESOURCES)
    if given is None or not isinstance(given.value, str) or is_placeholder(given.value):
        return
    message = _wrong_resources(given)
    if given.value.strip() and message:
        yield workload.wrong((_RESOURCES,), message, 'write a mapping, such as {"Custom": 1}')


def _wrong_resources(given: Node) -> str:
    try:
        data = json.loads(str(given.value))
    except (ValueError, RecursionError):
        return f"{visible(str(given.value))!r} is no JSON"
    if not isinstance(data, dict):
        return "the resources are no mapping"
    wrong = [
        key for key, n in data.items() if isinstance(n, bool) or not isinstance(n, int | float)
    ]
    return f"{visible(wrong[0])!r} is given no number" if wrong else ""


RULES = rules_with_source(
    (runtime_environment_is_a_mapping, runtime_environment_is_plain, entrypoint_reserves_numbers),
    VALIDATION,
)

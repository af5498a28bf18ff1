"""Texts of jobs that hold data: the runtime environment, and what the entrypoint reserves."""

import json
from collections.abc import Iterator

from renderer.backends.kuberay.messages.jobs import plain_runtime_env
from renderer.backends.kuberay.rules.placeholders import is_placeholder
from renderer.backends.kuberay.rules.sources import VALIDATION
from renderer.backends.kuberay.vocabulary import JOB
from renderer.backends.kuberay.workloads import Workload
from renderer.text.wording import LINE_END, visible
from renderer.text.yaml_reader import read
from renderer.values.diagnostics import Finding, Severity, rule, sourced
from renderer.values.tree import Node

_RUNTIME, _MESSAGE_RUNTIME = "runtimeEnvYAML", "runtimeEnv"
_RESOURCES = "entrypointResources"
_MAPPING = "write a mapping, such as pip: [requests]"


@rule("RAY360", Severity.ERROR, JOB)
def runtime_environment_is_a_mapping(workload: Workload) -> Iterator[Finding]:
    """The runtime environment of a job is a mapping, or text that is one in YAML.

    The operator refuses the job otherwise. A mapping is checked here and written as text.

    Fails:

        runtimeEnvYAML: 'pip: [requests'
        entrypoint: python train.py

    Passes:

        runtimeEnvYAML: 'pip: [requests]'
        entrypoint: python train.py
    """
    key = _MESSAGE_RUNTIME if workload.is_message else _RUNTIME
    given = workload.spec.tree.get(key)
    text = plain_runtime_env(given).value if given else None
    if given is None or not isinstance(text, str) or is_placeholder(text) or not text.strip():
        return
    reading = read(text.encode("utf-8", "replace"), "")
    for problem in reading.problems:
        message = f"the runtime environment is no clear YAML: {problem.message}"
        inside = _index(text, problem.line, problem.column) if text == given.value else None
        yield Finding((key,), message.replace("the file", "the text"), problem.fix, inside=inside)
    tree = reading.document.tree
    if tree and not isinstance(tree.value, dict) and not reading.problems:
        yield Finding((key,), "the runtime environment is no mapping", _MAPPING)


@rule("RAY361", Severity.INFO, JOB)
def runtime_environment_is_plain(workload: Workload) -> Iterator[Finding]:
    """The runtime environment of a message is plain YAML, not base64.

    Old clients of the API server sent it in base64. It is rendered as what it means, and easier to
    review if it is written so.

    Fails:

        clusterSpec: {}
        entrypoint: python train.py
        runtimeEnv: cGlwOiBbcmVxdWVzdHNd

    Passes:

        clusterSpec: {}
        entrypoint: python train.py
        runtimeEnv: {pip: [requests]}
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

    Fails:

        entrypointResources: '{"Custom": "1"}'
        entrypoint: python train.py

    Passes:

        entrypointResources: '{"Custom": 1}'
        entrypoint: python train.py
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


def _index(text: str, line: int, column: int) -> int:
    """The index of a line and column of a text."""
    starts = [0, *(end.end() for end in LINE_END.finditer(text))]
    return starts[min(line, len(starts)) - 1] + column - 1


RULES = sourced(
    (runtime_environment_is_a_mapping, runtime_environment_is_plain, entrypoint_reserves_numbers),
    VALIDATION,
)

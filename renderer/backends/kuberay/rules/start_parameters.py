"""The parameters of `ray start`, which a shell reads before Ray does."""

import json
from collections.abc import Iterator
from shlex import split

from renderer.backends.kuberay.dialect import version_text
from renderer.backends.kuberay.rules import PODS, START, VALIDATION
from renderer.backends.kuberay.start_params import FLAG, NUMBER, START_OPTIONS
from renderer.backends.kuberay.workloads import Group, PlacelessWorkload
from renderer.text.expressions import expression
from renderer.text.wording import did_you_mean, listed, nearest, visible
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

_FIELD = "rayStartParams"
#: What the group's own `resources` say, and what Ray has parameters of their own for.
_AMOUNTS = ("num-cpus", "num-gpus", "memory", "resources")
_OWN_PARAMETERS = {
    "CPU": "num-cpus",
    "GPU": "num-gpus",
    "memory": "memory",
    "object_store_memory": "object-store-memory",
}
#: What a shell does not pass on as it is, outside of quotes.
_SHELL = expression(
    r"""(?:[^\\'";&|<>()`\n]|\\.|\$\([A-Za-z_][A-Za-z0-9_]*\)|'[^']*'|"(?:[^"\\`]|\\.)*")*"""
)
#: Commands whose output a shell puts in their place: in `$(…)`, with one more pair inside, or `…`.
_SUBSTITUTION = expression(
    r"""\$\((?:[^()'"]|'[^']*'|"[^"]*"|\((?:[^()'"]|'[^']*'|"[^"]*")*\))*\)|`[^`]*`"""
)
_NUMBER = expression(r"[+-]?[0-9]+")
#: Ports of the head that others have to know; for most of the rest, 0 is any that is free.
_PORTS = ("port", "dashboard-port", "ray-client-server-port", "metrics-export-port")
_LAST_PORT = 65535
_EXAMPLE = """write "'{\\"Custom\\": 1}'": single quotes for the shell, inside those of YAML"""


@rule("RAY220", Severity.ERROR, "RayCluster")
def labels_are_said_of_the_group(workload: PlacelessWorkload) -> Iterator[Finding]:
    """Labels of Ray nodes are set by the group's `labels`, not by a start parameter.

    The operator refuses the cluster since 1.5 (1.6.1 was observed), which is also when groups got
    labels.

    Fails: workerGroupSpecs: [{groupName: small, rayStartParams: {labels: zone=east}}]
    Passes: workerGroupSpecs: [{groupName: small, labels: {zone: east}}]
    """
    for group in workload.groups:
        if "labels" in group.start_params and workload.has_field((*group.path, "labels")):
            message = f"the operator refuses labels among the start parameters of {group.title}"
            path = (*group.path, _FIELD, "labels")
            fix = "delete it" if workload.is_message else "write labels of the group instead"
            yield workload.wrong(path, message, fix, at_key=True)


@rule("RAY221", Severity.ERROR, "RayCluster")
def amounts_are_said_once(workload: PlacelessWorkload) -> Iterator[Finding]:
    """What a group offers is set by its `resources` or by start parameters, not by both.

    The operator refuses the cluster (observed) for num-cpus, num-gpus, memory or resources among
    the start parameters of a group with resources.

    Fails:
        workerGroupSpecs:
          - {groupName: small, resources: {CPU: "1"}, rayStartParams: {num-cpus: "1"}}
    Passes: workerGroupSpecs: [{groupName: small, resources: {CPU: "1"}}]
    """
    for group in workload.groups:
        own = group.node.get("resources")
        is_known = workload.has_field((*group.path, "resources"))
        if own is None or not own.items or not is_known:
            continue
        twice = [name for name in _AMOUNTS if group.start_params.get(name)]
        if twice:
            message = f"{group.title} has resources, and {listed(twice)} among its start parameters"
            path = (*group.path, _FIELD, twice[0])
            yield workload.wrong(path, message, "keep one of the two", at_key=True)


@rule("RAY222", Severity.ERROR, "RayCluster")
def values_are_one_word(workload: PlacelessWorkload) -> Iterator[Finding]:
    """The value of a start parameter is one word to a shell.

    The operator writes it into a command line as it is (observed). Quotes that do not close end the
    command in an error, and what follows a blank is no part of the value: `ray start` refuses it.
    The output of a command, as in `$(hostname -i | cut -d ' ' -f 1)`, is taken to be one word.

    Fails: headGroupSpec: {rayStartParams: {node-name: the head}}
    Passes: headGroupSpec: {rayStartParams: {node-name: "'the head'"}}
    """
    for group, name, value in _parameters(workload):
        words = _words(value)
        if name == "resources" or (words is not None and len(words) < 2):  # noqa: PLR2004
            continue
        message = f"a shell reads the value of {name} as {len(words or ())} words"
        if words is None:
            message = f"the quotes in the value of {name} do not close"
        fix = "write it in single quotes, inside those of YAML"
        yield workload.wrong((*group.path, _FIELD, name), message, fix)


@rule("RAY223", Severity.ERROR, "RayCluster")
def resources_are_json(workload: PlacelessWorkload) -> Iterator[Finding]:
    """The start parameter `resources` is a JSON object of numbers, in quotes for a shell.

    A shell takes the quotes of JSON away, and Ray does not start. Ray refuses CPU, GPU and memory
    here too, which have parameters of their own.

    Fails: workerGroupSpecs: [{groupName: small, rayStartParams: {resources: '{"Custom": 1}'}}]
    Passes:
        workerGroupSpecs: [{groupName: small, rayStartParams: {resources: "'{\\"Custom\\": 1}'"}}]
    """
    for group, name, value in _parameters(workload):
        if name == "resources" and value:
            problem = _resources_problem(value)
            if problem:
                yield workload.wrong((*group.path, _FIELD, name), *problem)


def _resources_problem(value: str) -> tuple[str, str] | None:
    """What is wrong with resources once a shell has read them, and how to write them."""
    words = _words(value)
    try:
        amounts = json.loads(words[0]) if words and len(words) == 1 else None
    except ValueError:
        amounts = None
    if not isinstance(amounts, dict):
        return f"what a shell leaves of {visible(value)} is no JSON object", _EXAMPLE
    wrong = [key for key, n in amounts.items() if type(n) not in (int, float)]
    if wrong:
        return f"the amount of {visible(wrong[0])!r} is no number", "write a number"
    own = next((key for key in amounts if key in _OWN_PARAMETERS), "")
    return (f"Ray does not take {own} here", f"write {_OWN_PARAMETERS[own]}") if own else None


@rule("RAY224", Severity.WARNING, "RayCluster")
def values_have_no_commands(workload: PlacelessWorkload) -> Iterator[Finding]:
    """The value of a start parameter has nothing in it that a shell takes as a command.

    The operator writes it into a command line as it is (observed): behind `;`, `&` or `|` another
    command begins, and `<` and `>` read and write files. Commands in `$(…)` are taken to be meant.

    Fails: headGroupSpec: {rayStartParams: {node-name: a&b}}
    Passes: headGroupSpec: {rayStartParams: {node-name: "'a&b'"}}
    """
    for group, name, value in _parameters(workload):
        kept = _replace_substitutions(value)
        if name != "resources" and len(_words(value) or ()) == 1 and not _SHELL.fullmatch(kept):
            message = f"a shell reads a command in the value of {name}"
            fix = "write it in single quotes, inside those of YAML"
            yield workload.wrong((*group.path, _FIELD, name), message, fix)


@rule("RAY225", Severity.WARNING, "RayCluster")
def parameters_are_known(workload: PlacelessWorkload) -> Iterator[Finding]:
    """A start parameter is an option of `ray start`, in the version of Ray that runs.

    Ray does not start with an option that it does not know. They are written without dashes.

    Fails: headGroupSpec: {rayStartParams: {turbo: fast}}
    Passes with: headGroupSpec: {rayStartParams: {turbo: null}}
    """
    version = workload.ray_version
    for group, name, _ in _parameters(workload):
        option = START_OPTIONS.get(name)
        if (option and option.is_in(version)) or meant_option(name):
            continue
        if option is None:
            message = f"ray start has no option --{visible(name)}"
        elif version is not None:
            begins = option.since is not None and version < option.since
            what, when = ("came with", option.since) if begins else ("went with", option.until)
            history = f"{what} {version_text(when or version)}"
            message = f"Ray {version_text(version)} has no --{name}, which {history}"
        yield workload.wrong((*group.path, _FIELD, name), message, "delete it", at_key=True)


@rule("RAY277", Severity.ERROR, "RayCluster", since="0.2.0")
def parameters_are_not_misspelt(workload: PlacelessWorkload) -> Iterator[Finding]:
    """No start parameter is nearly called like an option of `ray start`.

    Ray does not start with an option that it does not know, such as one with an underscore, and the
    pod starts again and again (inferred).

    Fails: headGroupSpec: {rayStartParams: {num_cpus: "0"}}
    Passes: headGroupSpec: {rayStartParams: {num-cpus: "0"}}
    """
    for group, name, _ in _parameters(workload):
        if meant := meant_option(name):
            message = f"ray start has no option --{visible(name)}"
            path = (*group.path, _FIELD, name)
            yield workload.wrong(path, message, did_you_mean(meant), at_key=True)


def meant_option(name: str) -> str:
    """The option that a misspelt parameter means; nothing if it is one, or none is near."""
    return "" if name in START_OPTIONS else nearest(name, START_OPTIONS)


@rule("RAY226", Severity.ERROR, "RayCluster")
def values_are_what_options_take(workload: PlacelessWorkload) -> Iterator[Finding]:
    """Numbers are whole numbers, ports 1 to 65535, and flags are true or false.

    Ray does not start otherwise: --num-cpus takes no fraction, --memory no unit, and a flag no
    value. The operator writes a flag that is true without one, and leaves out one that is false.

    Fails: headGroupSpec: {rayStartParams: {memory: 4Gi}}
    Passes: headGroupSpec: {rayStartParams: {memory: "4294967296"}}
    """
    for group, name, value in _parameters(workload):
        words, takes = _words(value), START_OPTIONS[name].takes if name in START_OPTIONS else ""
        if words is None or len(words) != 1 or "$" in value:
            continue
        path = (*group.path, _FIELD, name)
        if takes == NUMBER and not _NUMBER.fullmatch(words[0]):
            message = f"--{name} takes a whole number, not {visible(value)!r}"
            yield workload.wrong(path, message, "write digits only, in quotes")
        elif name in _PORTS and not 1 <= int(words[0]) <= _LAST_PORT:
            message = f"--{name} takes the number of a port, not {visible(value)!r}"
            yield workload.wrong(path, message, f"write 1 to {_LAST_PORT}, in quotes")
        elif takes == FLAG and value.lower() not in ("true", "false"):
            message = f"--{name} takes no value, as in {visible(value)!r}"
            yield workload.wrong(path, message, 'write "true", or delete it')


@rule("RAY227", Severity.WARNING, "RayCluster")
def block_is_forced(workload: PlacelessWorkload) -> Iterator[Finding]:
    """`block` is left out, as the operator always sets it.

    It writes --block whatever the group has (observed): otherwise the container would end as soon
    as Ray runs.

    Fails: headGroupSpec: {rayStartParams: {block: "false"}}
    Passes: headGroupSpec: {rayStartParams: {block: "true"}}
    """
    for group, name, value in _parameters(workload):
        if name == "block" and value.lower() == "false":
            message = "the operator starts Ray with --block all the same"
            yield workload.wrong((*group.path, _FIELD, name), message, "delete it", at_key=True)


def _parameters(workload: PlacelessWorkload) -> Iterator[tuple[Group, str, str]]:
    for group in workload.groups:
        for name, value in group.start_params.items():
            yield group, name, value


def _words(value: str) -> list[str] | None:
    """What a shell makes of a text; nothing if it cannot."""
    try:
        return split(_replace_substitutions(value))
    except ValueError:
        return None


def _replace_substitutions(value: str) -> str:
    """A text with a variable in place of each command whose output it takes."""
    return _SUBSTITUTION.sub("$OUTPUT", value)


RULES = (
    *rules_with_source((labels_are_said_of_the_group, amounts_are_said_once), VALIDATION),
    *rules_with_source((values_are_one_word, values_have_no_commands, block_is_forced), PODS),
    *rules_with_source((resources_are_json, parameters_are_known), START),
    *rules_with_source((parameters_are_not_misspelt, values_are_what_options_take), START),
)

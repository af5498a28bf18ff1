"""The variables of containers: where their values come from."""

from collections.abc import Callable, Iterator

from renderer.kubernetes.downward_api import (
    AMOUNTS,
    FIELDS_OF_VARIABLES,
    UNITS_OF_CPU,
    divides,
    is_amount,
    is_field,
)
from renderer.kubernetes.names import (
    CONFIG_KEY,
    DNS_NAME,
    is_config_key,
    is_dns_name,
    is_dns_prefix,
    is_variable,
)
from renderer.kubernetes.pods import POD, SOURCE, Field, Pod
from renderer.text.wording import did_you_mean, listed, misspelt, suggest, visible
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

SOURCES = ("configMapKeyRef", "secretKeyRef", "fieldRef", "resourceFieldRef")
#: A source that only newer clusters know.
_NEWER = "fileKeyRef"
_KEYED = {"configMapKeyRef": "ConfigMap", "secretKeyRef": "Secret"}
_WHOLE = {"configMapRef": "ConfigMap", "secretRef": "Secret"}


@rule("MAN101", Severity.ERROR, POD)
def variables_take_known_fields(pod: Pod) -> Iterator[Finding]:
    """A variable is taken from a field of the pod that variables can be taken from.

    Kubernetes knows a few of them, and a label or an annotation by its key; it refuses the pod
    for any other.

    Fails:
        containers:
          - {name: a, env: [{name: POD, valueFrom: {fieldRef: {fieldPath: metadata.labels}}}]}
    Passes:
        containers:
          - name: a
            env: [{name: POD, valueFrom: {fieldRef: {fieldPath: "metadata.labels['app']"}}}]
    """
    for source in _sources(pod):
        yield from _known_field(source)


def _known_field(source: Field) -> Iterator[Finding]:
    field = source.get("fieldRef", "fieldPath")
    version = source.get("fieldRef", "apiVersion")
    if version and version.text not in ("", "v1"):
        message = f"there are no pods of version {visible(version.text)!r}"
        yield version.wrong(message, "write v1, or delete it")
    elif field and not is_field(field.text):
        fix = suggest(field.text, FIELDS_OF_VARIABLES, f"write {listed(FIELDS_OF_VARIABLES, 'or')}")
        yield field.wrong(f"no variable can be taken from {visible(field.text)!r}", fix)


@rule("MAN102", Severity.ERROR, POD)
def variables_take_known_amounts(pod: Pod) -> Iterator[Finding]:
    """A variable that holds a request or limit names one that exists, in a valid unit.

    Kubernetes knows cpu, memory, ephemeral-storage and hugepages; cpu is given in 1 or 1m, all else
    in 1 or in a unit such as 1Mi. It refuses the pod otherwise.

    Fails:
        containers:
          - name: a
            env: [{name: CORES, valueFrom: {resourceFieldRef: {resource: limits.gpu}}}]
    Passes:
        containers:
          - name: a
            env: [{name: CORES, valueFrom: {resourceFieldRef: {resource: limits.cpu}}}]
    """
    for source in _sources(pod):
        yield from _known_amount(source)


def _known_amount(source: Field) -> Iterator[Finding]:
    amount = source.get("resourceFieldRef", "resource")
    divisor = source.get("resourceFieldRef", "divisor")
    if not amount:
        return
    if not is_amount(amount.text):
        known = f"write {listed(AMOUNTS, 'or')}"
        fix = did_you_mean(misspelt(amount.text, AMOUNTS)) or known
        yield amount.wrong(f"there is no request or limit {visible(amount.text)!r}", fix)
    elif divisor and not divides(str(divisor.node.value), amount.text):
        units = UNITS_OF_CPU if amount.text.endswith(".cpu") else ("1", "1k", "1Ki", "1M", "1Mi")
        message = f"{amount.text} is not given in units of {divisor.node.value}"
        yield divisor.wrong(message, f"write {listed(units, 'or')}")


@rule("MAN103", Severity.ERROR, POD)
def variables_name_a_key(pod: Pod) -> Iterator[Finding]:
    """A variable that is taken from a ConfigMap or Secret says its name and a key of it.

    Both have to be names that such an object and its keys can have. Kubernetes refuses the pod
    otherwise.

    Fails:
        containers:
          - name: a
            env: [{name: A, valueFrom: {secretKeyRef: {name: My_Secret, key: token}}}]
    Passes with:
        containers: [{name: a, env: [{name: A, valueFrom: {secretKeyRef: {name: my-secret}}}]}]
    """
    for source in _sources(pod):
        yield from _known_key(source)


def _known_key(source: Field) -> Iterator[Finding]:
    for name, kind in _KEYED.items():
        if chosen := source.get(name):
            yield from _check_name(chosen, kind, is_dns_name)
            key = chosen.get("key")
            if key and not is_config_key(key.text):
                message = f"{visible(key.text)!r} cannot be a key of a {kind}"
                yield key.wrong(message, f"write 1 to 253 {CONFIG_KEY}, not '..' first")


def source_findings(source: Field) -> Iterator[Finding]:
    """What is wrong with where a variable is taken from; a controller makes the variable."""
    for look in (_known_field, _known_amount, _known_key):
        yield from look(source)


def _check_name(source: Field, kind: str, fits: Callable[[str], bool]) -> Iterator[Finding]:
    """Whether a ConfigMap or Secret is named, by what the API server takes for a name there."""
    name = source.get("name")
    if name is None:
        yield source.wrong_key(f"the {kind} has no name", "add name")
    elif not fits(name.text):
        message = f"{visible(name.text)!r} cannot be the name of a {kind}"
        yield name.wrong(message, f"write 1 to 253 {DNS_NAME}")


@rule("MAN104", Severity.ERROR, POD)
def variables_come_from_one_object(pod: Pod) -> Iterator[Finding]:
    """An entry of envFrom names one ConfigMap or one Secret.

    Kubernetes refuses the pod if it names none, both, or what cannot be the name of one.

    Fails: containers: [{name: a, envFrom: [{prefix: APP_}]}]
    Passes: containers: [{name: a, envFrom: [{prefix: APP_, configMapRef: {name: app}}]}]
    """
    for entry in pod.container_items("envFrom"):
        given = entry.present(_WHOLE)
        if not given:
            fix = f"add {listed(_WHOLE, 'or')}"
            yield entry.wrong("the entry names neither a ConfigMap nor a Secret", fix)
        for source in given:
            yield from _check_name(
                source, _WHOLE[source.name], is_dns_prefix
            )  # as the API server has it
        if len(given) > 1:
            message = "an entry takes variables from one object, and this is the second"
            yield given[1].wrong_key(message, "make two entries of it")


@rule("MAN105", Severity.ERROR, POD)
def variables_have_a_prefix_that_fits(pod: Pod) -> Iterator[Finding]:
    """A prefix of variables is what a name of a variable can begin with.

    Kubernetes takes printable ASCII characters but `=`; before 1.32 only letters, digits, `_`, `-`
    and `.`, not a digit first. It refuses the pod otherwise.

    Fails: containers: [{name: a, envFrom: [{prefix: A=B, configMapRef: {name: app}}]}]
    Passes: containers: [{name: a, envFrom: [{prefix: A_B, configMapRef: {name: app}}]}]
    """
    for entry in pod.container_items("envFrom"):
        prefix = entry.get("prefix")
        if prefix and prefix.text and not is_variable(prefix.text, relaxed=pod.relaxed_variables):
            message = f"no variable can begin with {visible(prefix.text)!r}"
            yield prefix.wrong(message, "write letters, digits and _")


@rule("MAN106", Severity.WARNING, POD)
def words_have_no_nul(pod: Pod) -> Iterator[Finding]:
    """No word of a command and no value of a variable has a NUL character.

    Kubernetes stores it, but programs are given texts that end at the first NUL, so no process can
    be started with it.

    Fails: containers: [{name: a, args: ["a\\0b"]}]
    Passes: containers: [{name: a, args: ["a b"]}]
    """
    for container in pod.containers():
        values = (variable.get("value") for variable in container.each("env"))
        words = (*container.each("command"), *container.each("args"), *filter(None, values))
        for word in words:
            if "\0" in word.text:
                yield word.wrong("no process can be given a NUL character", "delete it")


@rule("MAN155", Severity.ERROR, POD)
def variables_are_given_once(pod: Pod) -> Iterator[Finding]:
    """A variable has a value, or one source that it is taken from.

    Kubernetes refuses the pod otherwise (observed).

    Fails:
        containers:
          - name: a
            env: [{name: A, value: x, valueFrom: {fieldRef: {fieldPath: metadata.name}}}]
    Passes with: containers: [{name: a, env: [{name: A, value: null}]}]
    """
    for variable in pod.container_items("env"):
        name = variable.get("name")
        yield from variable_sources(variable, name.text if name else "")


def variable_sources(variable: Field, name: str) -> Iterator[Finding]:
    """Whether a variable has a value, or one source that it is taken from."""
    source, value = variable.get("valueFrom"), variable.get("value")
    if not source:
        return
    given = source.present((*SOURCES, _NEWER))
    if not given:
        fix = f"add {listed(SOURCES, 'or')}, or write value instead"
        yield source.wrong_key(f"{name!r} is taken from nowhere", fix)
    elif value and value.text:
        message = f"{name!r} has a value, and is taken from {given[0].name} too"
        yield source.wrong_key(message, "delete one of the two")
    elif len(given) > 1:
        names = listed(item.name for item in given)
        yield given[1].wrong_key(f"{name!r} is taken from {names}", "keep one")


def _sources(pod: Pod) -> Iterator[Field]:
    for variable in pod.container_items("env"):
        if source := variable.get("valueFrom"):
            yield source


RULES = rules_with_source(
    (
        variables_take_known_fields,
        variables_take_known_amounts,
        variables_name_a_key,
        variables_come_from_one_object,
        variables_have_a_prefix_that_fits,
        words_have_no_nul,
        variables_are_given_once,
    ),
    SOURCE,
)

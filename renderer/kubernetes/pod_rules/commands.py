"""The words that containers are started with: how they are split, and what stands for variables."""

from collections.abc import Iterator

from renderer.kubernetes.pods import POD, PROBES, Field, Pod
from renderer.text.expressions import expression
from renderer.text.wording import misspelt, visible
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

_KUBELET = "kubernetes/kubernetes: pkg/kubelet"
_EXPANDED = expression(r"(?<!\$)\$\(([A-Za-z_][A-Za-z0-9_]{0,250})\)")
#: Variables that Kubernetes itself gives to containers, one set for each Service.
_SERVICE_VARIABLES = expression(r"[A-Z0-9_]+_(?:SERVICE_HOST|SERVICE_PORT\w*|PORT|PORT_[0-9]+_\w+)")
_HANDLERS = ("postStart", "preStop")
#: An option and, behind a blank, its value. What begins with one dash may be a text or a number
#: unless it is the only argument.
_LONG_OPTION = expression(r"--[A-Za-z][\w-]* +\S")
_OPTION = expression(r"-[^\s=]* +\S")


@rule("MAN210", Severity.WARNING, POD, reads=("containers.env",), since="0.2.0")
def variables_are_spelt_as_defined(pod: Pod) -> Iterator[Finding]:
    """What stands for a variable has the name of one that the container has.

    Kubernetes leaves `$(NAME)` as it is where there is no such variable. Only a name that is nearly
    that of a variable in `env`, or of one that the platform gives, is found: an image may have
    others.

    Fails:
        containers:
          - name: a
            env: [{name: DB_ADDRESS, value: 'db:5432'}]
            args: ['--database=$(DB_ADRESS)']
    Passes with: containers: [{name: a, args: ['--database=$(DB_ADDRESS)']}]
    """
    for container in _whole_containers(pod):
        known = sorted({*_own_names(container), *pod.variables})
        values = (value for item in container.each("env") if (value := item.get("value")))
        for word in (*container.each("command"), *container.each("args"), *values):
            for name in _names(word):
                meant = "" if name in known else misspelt(name, known)
                if meant and not name.islower():  # which is a command of a shell
                    message = f"there is no variable {name}: $({name}) stays as it is"
                    yield word.wrong(message, f"did you mean $({meant})?")


@rule("MAN211", Severity.WARNING, POD, reads=("containers.env",), since="0.2.0")
def variables_are_defined_above(pod: Pod) -> Iterator[Finding]:
    """A variable that stands in the value of another one is defined above it.

    Kubernetes goes through `env` from the top, and leaves `$(NAME)` as it is if the variable comes
    only later.

    Fails:
        containers:
          - name: a
            env: [{name: URL, value: 'http://$(HOST)/v1'}, {name: HOST, value: models}]
    Passes:
        containers:
          - name: a
            env: [{name: HOST, value: models}, {name: URL, value: 'http://$(HOST)/v1'}]
    """
    for container in _whole_containers(pod):
        defined, above = _own_names(container), set[str]()
        for variable in container.each("env"):
            named, value = variable.get("name"), variable.get("value")
            own = named.text if named else ""
            for name in _names(value) if value else ():
                if name in defined and name not in above and not _SERVICE_VARIABLES.fullmatch(name):
                    yield _undefined_variables(value or variable, name, is_own=own == name)
            above.add(own)


def _undefined_variables(value: Field, name: str, *, is_own: bool) -> Finding:
    if is_own:
        message = f"{name} is not defined above: $({name}) stays as it is"
        return value.wrong(message, "write the whole value")
    message = f"{name} is defined below: $({name}) stays as it is"
    return value.wrong(message, f"move {name} above this variable")


@rule("MAN212", Severity.ERROR, POD, since="0.2.0")
def commands_are_lists_of_words(pod: Pod) -> Iterator[Finding]:
    """Each word of a command is an item by itself.

    No shell splits a command at blanks: the node looks for a program whose name has the blanks in
    it, and never starts the container. A probe fails always.

    Fails: containers: [{name: a, command: [python -m server]}]
    Passes: containers: [{name: a, command: [python, -m, server]}]
    """
    for container in pod.containers():
        is_joined = container.path == pod.joined
        lists = [] if is_joined else [list(container.each("command"))]
        lists += (list(probe.each("exec", "command")) for probe in container.present(PROBES))
        lists += (list(container.each("lifecycle", key, "exec", "command")) for key in _HANDLERS)
        for words in lists:
            if len(words) == 1 and _is_a_line(words[0].text):
                message = f"there is no program {visible(words[0].text)!r}, with blanks in its name"
                yield words[0].wrong(message, "write each word as an item, or [sh, -c, …]")


@rule("MAN213", Severity.WARNING, POD, since="0.2.0")
def options_and_values_are_two_words(pod: Pod) -> Iterator[Finding]:
    """An option and its value are two arguments, or one with `=`.

    No shell splits arguments at blanks: a program is given `--port 8080` as one word, which is no
    option of it.

    Fails: containers: [{name: b, image: 'example/b:v1', args: ['--port 8080']}]
    Passes with: containers: [{name: b, args: [--port, '8080']}]
    """
    for container in pod.containers():
        command, words = list(container.each("command")), list(container.each("args"))
        has_shell = container.path == pod.joined or any(word.text == "-c" for word in command)
        for word in () if has_shell else (*command, *words):
            form = _OPTION if words == [word] else _LONG_OPTION
            if form.match(word.text.strip()):
                message = f"{visible(word.text)!r} is one argument, with the blank in it"
                yield word.wrong(message, "write two arguments, or one with =")


def _is_a_line(text: str) -> bool:
    """Whether a text is more than a program: a path may have a blank in the name of a folder."""
    first, *rest = [word for word in text.split(" ") if word] or [""]
    is_path = "/" in first and any("/" in word[1:] and word[0] not in "/-." for word in rest)
    return bool(rest) and "\\" not in text and not is_path


def _whole_containers(pod: Pod) -> Iterator[Field]:
    """The containers all of whose variables are in the spec."""
    merged = {container.path for container in pod.others}
    for container in pod.containers():
        if container.path not in merged and not container.get("envFrom"):
            yield container


def _own_names(container: Field) -> list[str]:
    return [name.text for item in container.each("env") if (name := item.get("name"))]


def _names(word: Field) -> Iterator[str]:
    return (found[1] for found in _EXPANDED.finditer(word.text))


RULES = rules_with_source(
    (
        variables_are_spelt_as_defined,
        variables_are_defined_above,
        commands_are_lists_of_words,
        options_and_values_are_two_words,
    ),
    _KUBELET,
)

"""What Kuscia and Kubernetes insert into files and arguments: that it arrives as it is meant."""

from collections.abc import Iterator

from renderer.backends.fields import elements, text
from renderer.backends.kuscia.app_image import AppImage
from renderer.backends.kuscia.config_templates.config_files import ConfigFile, config_files
from renderer.backends.kuscia.config_templates.json_files import looks_like_json
from renderer.backends.kuscia.config_templates.template import Template
from renderer.backends.kuscia.deploy_template import Container, DeployTemplate, ports
from renderer.backends.kuscia.pod_variables import (
    OF_SERVINGS,
    is_built_in,
    is_port_variable,
    port_variable,
)
from renderer.backends.kuscia.rules.sources import CONFIG, KUBERNETES
from renderer.kubernetes.pods import Field
from renderer.text.expressions import expression
from renderer.text.wording import misspelt, nearest
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

#: Variables whose values are JSON, and so have quotes in them.
_JSON = frozenset(("ALLOCATED_PORTS", "CLUSTER_DEFINE", "INPUT_CONFIG"))
_YAML = (".yaml", ".yml")
_YAML_KEY = expression(r"\s*(?:- +)*[\w.\"-]+: *")
_ONE_BRACE = expression(r"(?<!\{)\{ *\.([A-Z][A-Z0-9_]{1,250}) *\}(?!\})")
_EXPANDED = expression(r"(?<!\$)\$\(([A-Za-z_][A-Za-z0-9_]{0,250})\)")
_OF_SHELLS = expression(r"(?<!\$)\$(?:\{([A-Z][A-Z0-9_]{1,250})\}|([A-Z][A-Z0-9_]{1,250}))")
_SHELLS = frozenset(("sh", "bash", "ash", "dash", "zsh", "busybox", "env"))


@rule("KUS529", Severity.WARNING, "AppImage", since="0.2.0")
def inserted_json_is_quoted(image: AppImage) -> Iterator[Finding]:
    """JSON that is inserted by two braces stands between double quotes.

    Kuscia puts a backslash before each quote of the value. Between single quotes, and without any
    in YAML, the backslashes stay, and what reads the file finds no JSON in it. Files that are JSON
    themselves are judged by KUS608.

    Fails: configTemplates: {app.yaml: "config: '{{.INPUT_CONFIG}}'"}
    Passes: configTemplates: {app.yaml: 'config: "{{.INPUT_CONFIG}}"'}
    """
    for file in config_files(image):
        template = file.parsed
        if not isinstance(template, Template) or looks_like_json(template) or file.json:
            continue
        for field in template.fields:
            name = field.names[0] if len(field.names) == 1 else ""
            if name in _JSON and (where := _wrong_quotes(file, field.offset)):
                message = f"{where}, the backslashes that Kuscia puts into {name} stay there"
                yield file.finding(field.offset, message, f'write "{{{{.{name}}}}}"')


def _wrong_quotes(file: ConfigFile, offset: int) -> str:
    """How a placeholder stands that is not between double quotes; nothing if it may be right."""
    start, end = file.text.rfind("{{", 0, offset + 2), file.text.find("}}", offset) + 2
    before = file.text[file.text.rfind("\n", 0, start) + 1 : start]
    after = file.text[end:].partition("\n")[0]
    is_in_double = before.count('"') % 2 == 1
    if before.count("'") % 2 == 1 and "'" in after and not is_in_double:
        return "between single quotes"
    is_bare = file.key.endswith(_YAML) and _YAML_KEY.fullmatch(before) and not after.strip()
    return "without quotes" if is_bare else ""


@rule("KUS530", Severity.WARNING, "AppImage", since="0.2.0")
def variables_have_two_braces(image: AppImage) -> Iterator[Finding]:
    """A variable in a config template stands between two braces, or three.

    Kuscia leaves what stands between one as it is.

    Fails: configTemplates: {app.conf: "id={.SERVING_ID}"}
    Passes: configTemplates: {app.conf: "id={{.SERVING_ID}}"}
    """
    for file in config_files(image):
        for found in _ONE_BRACE.finditer(file.text):
            if file.knows(found[1]) or found[1] in file.config_keys:
                message = f"Kuscia inserts nothing for {found[0]}"
                yield file.finding(found.start(), message, f"write {{{{.{found[1]}}}}}")


@rule("KUS531", Severity.WARNING, "AppImage", since="0.2.0")
def arguments_are_expanded(image: AppImage) -> Iterator[Finding]:
    """A variable of Kuscia in arguments is written $(NAME), and that of a port has its port.

    Kubernetes leaves ${NAME} as it is: only a shell reads that. It leaves the variable of a port as
    it is, too, if no container of the template has such a port.

    Fails: containers: [{name: scorer, command: [/bin/app, '--id=${SERVING_ID}']}]
    Passes: containers: [{name: scorer, command: [/bin/app, '--id=$(SERVING_ID)']}]
    """
    for container in image.containers():
        field = Field(container.path, container.node)
        known = _variables(image.templates[int(container.path[1])], container)
        for word in (*field.each("command"), *field.each("args")):
            if not elements(container.node, "envFrom"):  # which may have any variable
                yield from _variables_of_no_port(word, known)
            if not _has_shell(container):
                yield from _shell_variables(word)


def _variables(template: DeployTemplate, container: Container) -> set[str]:
    """The variables of a container that are known: Kuscia's, and its own."""
    own = (text(item, "name") for item in elements(container.node, "env"))
    return {*OF_SERVINGS, *map(port_variable, ports(template.node)), *own}


def _variables_of_no_port(word: Field, known: set[str]) -> Iterator[Finding]:
    """What stands for a port that is not there; MAN210 finds names that are misspelt."""
    for found in _EXPANDED.finditer(word.text):
        name = found[1]
        if is_port_variable(name) and name not in known and not misspelt(name, known):
            meant = nearest(name, known)
            fix = f"did you mean $({meant})?" if meant else "add the port, or write another name"
            yield word.wrong(f"there is no variable {name}: $({name}) stays as it is", fix)


def _shell_variables(word: Field) -> Iterator[Finding]:
    """What only a shell reads."""
    for found in _OF_SHELLS.finditer(word.text):
        name = found[1] or found[2]
        if is_built_in(name):
            message = f"no shell reads this: {found[0]} stays as it is"
            yield word.wrong(message, f"write $({name})")


def _has_shell(container: Container) -> bool:
    """Whether a shell may read the arguments: one is called, or what is called is not known."""
    words = [str(item.value) for item in elements(container.node, "command")]
    return not words or any(word.rpartition("/")[2] in {*_SHELLS, "-c"} for word in words)


RULES = (
    *rules_with_source((inserted_json_is_quoted, variables_have_two_braces), CONFIG),
    *rules_with_source((arguments_are_expanded,), KUBERNETES),
)

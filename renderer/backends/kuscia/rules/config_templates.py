"""Config templates: that Kuscia can read them, and finds what they insert."""

from collections.abc import Iterator
from itertools import islice

from renderer.backends.kuscia.app_image import AppImage
from renderer.backends.kuscia.config_templates.config_files import ConfigFile, Mention, config_files
from renderer.backends.kuscia.config_templates.template import Template
from renderer.backends.kuscia.config_templates.tokens import TemplateFault
from renderer.backends.kuscia.pod_variables import (
    OF_NODES,
    OF_SERVINGS,
    is_port_variable,
    port_of,
    port_variable,
)
from renderer.backends.kuscia.rules.sources import CONFIG
from renderer.text.expressions import expression
from renderer.text.wording import listed, misspelt, nearest
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source
from renderer.values.named_tuple import NamedTuple

_MOST = 100
_OURS = expression(r"(?<!\$)\$\{vars\.[^}\n]{1,253}\}")
_SENSIBLE = 20_000
_DECLARE = "add it to the env of the container, or to kuscia.config_keys"


@rule("KUS601", Severity.ERROR, "AppImage")
def config_template_parses(image: AppImage) -> Iterator[Finding]:
    """A config template is one that Kuscia can parse.

    Kuscia parses it as a Go template when a container is to start. An error stops the container,
    while the serving may go on saying that it is available.

    Fails: configTemplates: {app.conf: "id={{SERVING_ID}}"}
    Passes: configTemplates: {app.conf: "id={{.SERVING_ID}}"}
    """
    for file in config_files(image):
        if isinstance(fault := file.parsed, TemplateFault):
            message = f"Kuscia cannot parse this config template: {fault.message}"
            fix = fault.fix or "mend it; Kuscia knows {{.NAME}} and {{{.NAME.path}}}"
            yield file.finding(fault.offset, message, fix)


@rule("KUS602", Severity.ERROR, "AppImage")
def path_has_three_braces(image: AppImage) -> Iterator[Finding]:
    """A path into a variable stands between three braces.

    Between two braces a variable is text, and text has no fields: Kuscia fails to render the file
    and the container never starts.

    Fails: configTemplates: {app.conf: "ports={{.ALLOCATED_PORTS.ports}}"}
    Passes: configTemplates: {app.conf: "ports={{{.ALLOCATED_PORTS.ports}}}"}
    """
    for file in config_files(image):
        for mention in (mention for mention in file.mentions if mention.path):
            path = ".".join((mention.name, *mention.path))
            message = f"{mention.name} is text between two braces, so .{path} stops the container"
            yield file.finding(mention.offset, message, f"write {{{{{{.{path}}}}}}}")


@rule("SEC003", Severity.ERROR, "AppImage")
def variables_are_named(image: AppImage) -> Iterator[Finding]:
    """Three braces name the variable that they insert.

    A path of dots alone inserts every variable of the container, the token of Kuscia's API among
    them, into a file that applications read and may log (inferred from the code of the renderer).

    Fails: configTemplates: {app.conf: "all={{{..}}}"}
    Passes: configTemplates: {app.conf: "id={{{.SERVING_ID}}}"}
    """
    for file in config_files(image):
        queries = file.parsed.queries if isinstance(file.parsed, Template) else ()
        for query in queries:
            if not query.segments:
                message = "this inserts every variable of the container, tokens included"
                yield file.finding(query.offset, message, "name the variable, as in {{{.NAME}}}")


@rule("KUS604", Severity.ERROR, "AppImage")
def job_variables_stay_in_jobs(image: AppImage) -> Iterator[Finding]:
    """The AppImage of a serving does not use the variables of jobs.

    `TASK_ID` and the like exist in the pods of jobs only. In a serving they are empty, without a
    message.

    Fails: configTemplates: {app.conf: "id={{.TASK_ID}}"}
    Passes: configTemplates: {app.conf: "id={{.SERVING_ID}}"}
    """
    instead = {"TASK_ID": "SERVING_ID", "TASK_CLUSTER_DEFINE": "CLUSTER_DEFINE"}
    of_jobs = [item for item in _mentions(image) if item[0].is_of_jobs(item[1].name)]
    served = image.served_templates() if of_jobs else ()
    for file, mention in of_jobs:
        if any(template in served for template in file.users):
            use = instead.get(mention.name, "INPUT_CONFIG")
            message = f"{mention.name} does not exist in a serving, so nothing is inserted"
            yield file.finding(mention.offset, message, f"use {use}")


@rule("KUS605", Severity.ERROR, "AppImage")
def variables_in_capitals(image: AppImage) -> Iterator[Finding]:
    """The variables of Kuscia and of the container are written in capitals.

    Kuscia turns their names into capitals before it looks one up, those of `env` too. A name with
    small letters can be a key of the configuration manager only, and is empty otherwise.

    Fails: configTemplates: {app.conf: "id={{.serving_id}}"}
    Passes: configTemplates: {app.conf: "id={{.SERVING_ID}}"}
    """
    for file, mention in _mentions(image):
        if file.is_small(mention.name):
            capitals = mention.name.upper()
            message = f"{mention.name!r} is not found: the variable is called {capitals}"
            yield file.finding(mention.offset, message, f"write {capitals}")


@rule("KUS606", Severity.WARNING, "AppImage")
def config_template_port_exists(image: AppImage) -> Iterator[Finding]:
    """A port that a config template asks for is a port of the deploy template.

    Kuscia inserts nothing, without a message, for the number of a port that does not exist.

    Fails: configTemplates: {app.conf: "listen {{{.ALLOCATED_PORTS.ports[name=web].port}}};"}
    Passes: configTemplates: {app.conf: "listen {{{.ALLOCATED_PORTS.ports[name=service].port}}};"}
    """
    for missing in _missing_ports(image):
        if not missing.is_slip:
            yield missing.finding


@rule("KUS616", Severity.ERROR, "AppImage")
def production_has_no_misspelt_ports(image: AppImage) -> Iterator[Finding]:
    """Where `production: true`, no port of a config template is nearly the name of a known one.

    Kuscia inserts nothing, without a message, for the number of a port that does not exist.

    Fails: configTemplates: {app.conf: "listen {{{.ALLOCATED_PORTS.ports[name=srvice].port}}};"}
    Passes: configTemplates: {app.conf: "listen {{{.ALLOCATED_PORTS.ports[name=service].port}}};"}
    """
    for missing in _missing_ports(image):
        if missing.is_slip:
            yield missing.finding


class _MissingPort(NamedTuple):
    """The finding about a port that is not there, and whether it is a slip in production."""

    finding: Finding
    is_slip: bool


def _missing_ports(image: AppImage) -> Iterator[_MissingPort]:
    in_production = bool(image.environment and image.environment.is_production)
    for file, mention in _mentions(image):
        elsewhere = mention.name in file.env or mention.name in file.config_keys
        if elsewhere or not mention.port:
            continue
        is_variable = is_port_variable(mention.name)
        asked = port_of(mention.port) if is_variable else mention.port
        for template, ports in zip(file.users, file.ports, strict=True):
            known = sorted({port_variable(name) for name in ports} if is_variable else ports)
            if mention.port not in known:
                hint = nearest(asked, ports)
                meant = port_variable(hint) if hint and is_variable else hint
                some = f"use {listed(known, 'or')}" if known else "add the port to a container"
                message = f"the deploy template {template.name!r} has no port for {mention.port!r}"
                fix = f"did you mean {meant!r}?" if meant else some
                is_slip = in_production and bool(misspelt(asked, ports))
                yield _MissingPort(file.finding(mention.offset, message, fix), is_slip)
                break


@rule("KUS614", Severity.ERROR, "AppImage")
def config_template_has_no_variables_of_ours(image: AppImage) -> Iterator[Finding]:
    """A config template has no `${vars.NAME}`, which is replaced everywhere but there.

    Config templates are taken byte for byte, so the application would read the reference itself.

    Fails: configTemplates: {app.conf: "level=${vars.level}"}
    Passes:
        configTemplates: {app.conf: "level={{.LEVEL}}"}
        deployTemplates:
          - name: host
            spec: {containers: [{name: scorer, env: [{name: LEVEL, value: info}]}]}
    """
    for file in config_files(image):
        for match in islice(_OURS.finditer(file.text), _MOST):
            message = f"{match[0]} is not replaced in a config template"
            fix = "put it into the env of the container, and write {{.NAME}} here"
            yield file.finding(match.start(), message, fix)


def _mentions(image: AppImage) -> Iterator[tuple[ConfigFile, Mention]]:
    for file in config_files(image):
        yield from ((file, mention) for mention in file.mentions)


@rule("KUS603", Severity.WARNING, "AppImage")
def config_variable_is_known(image: AppImage) -> Iterator[Finding]:
    """A variable of a config template comes from somewhere.

    Variables come from Kuscia, from the `env` of the container, or from the configuration managers
    of the domains, whose keys `kuscia.config_keys` declares. Kuscia inserts nothing, without a
    message, for one that it does not find (observed).

    Fails: configTemplates: {app.conf: "level={{.LOG_LEVEL}}"}
    Passes with:
        deployTemplates:
          - name: host
            spec: {containers: [{name: scorer, env: [{name: LOG_LEVEL, value: info}]}]}
          - name: guest
            spec: {containers: [{name: scorer, env: [{name: LOG_LEVEL, value: info}]}]}
    """
    for file, mention in _strangers(image):
        hint = _likeliest(file, mention.name)
        if mention.name in file.needed and not _is_slip(image, mention.name, hint):
            message = f"nothing here provides the variable {mention.name!r}"
            fix = f"did you mean {hint!r}? Otherwise {_DECLARE}" if hint else _DECLARE
            yield file.finding(mention.offset, message, fix)


@rule("KUS615", Severity.ERROR, "AppImage")
def production_has_no_misspelt_variables(image: AppImage) -> Iterator[Finding]:
    """Where `production: true`, no variable of a config template is nearly the name of a known one.

    Kuscia inserts nothing, without a message, for a variable that it does not find (observed). One
    that is right all the same is a key of the configuration managers: `kuscia.config_keys`.

    Fails: configTemplates: {app.conf: "id={{.SERVNG_ID}}"}
    Passes: configTemplates: {app.conf: "id={{.SERVING_ID}}"}
    """
    for file, mention in _strangers(image):
        hint = _likeliest(file, mention.name)
        if _is_slip(image, mention.name, hint):
            message = f"nothing provides {mention.name!r}, and production would run without it"
            yield file.finding(mention.offset, message, f"write {hint}, or else {_DECLARE}")


@rule("KUS607", Severity.WARNING, "AppImage")
def config_key_is_fetched(image: AppImage) -> Iterator[Finding]:
    """A key of the configuration manager is written without blanks, as `{{.NAME}}`.

    Kuscia fetches only what it finds written like that, or between three braces. Written with
    blanks, in a condition or with a function, a variable that the container does not have is empty.

    Fails: configTemplates: {app.conf: "level={{ .LOG_LEVEL }}"}
    Passes: configTemplates: {app.conf: "level={{.LOG_LEVEL}}"}
    """
    for file, mention in _strangers(image):
        hint = _likeliest(file, mention.name)
        if mention.name not in file.needed and not _is_slip(image, mention.name, hint):
            message = f"Kuscia does not fetch {mention.name!r} in this form, so it is empty"
            otherwise = f"did you mean {hint!r}? Otherwise " if hint else ""
            yield file.finding(mention.offset, message, f"{otherwise}write {{{{.{mention.name}}}}}")


def _strangers(image: AppImage) -> Iterator[tuple[ConfigFile, Mention]]:
    """The first mention of each variable that the container does not provide for certain."""
    for file in config_files(image):
        seen = set[str]()
        for mention in () if file.has_unknown_env else file.mentions:
            name = mention.name
            declared = name in file.config_keys and name in file.needed
            explained = declared or file.is_of_jobs(name) or file.is_small(name)
            if name not in seen and not file.knows(name) and not explained:
                seen.add(name)
                yield file, mention


def _is_slip(image: AppImage, name: str, hint: str) -> bool:
    """Whether a name in production is so like a known one that it was meant."""
    if not hint or not image.environment or not image.environment.is_production:
        return False
    return bool(misspelt(name, (hint,)))


def _likeliest(file: ConfigFile, name: str) -> str:
    """The variable that was probably meant; looked for in files of a sensible size only."""
    if len(file.text) > _SENSIBLE:
        return ""
    return misspelt(name, sorted({*OF_SERVINGS, *OF_NODES, *file.env, *file.config_keys}))


RULES = rules_with_source(
    (
        config_template_parses,
        path_has_three_braces,
        variables_are_named,
        job_variables_stay_in_jobs,
        variables_in_capitals,
        config_template_port_exists,
        production_has_no_misspelt_ports,
        config_template_has_no_variables_of_ours,
        config_variable_is_known,
        production_has_no_misspelt_variables,
        config_key_is_fetched,
    ),
    CONFIG,
)

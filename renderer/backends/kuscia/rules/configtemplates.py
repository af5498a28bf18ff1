"""Config templates: that Kuscia can read them, and that they insert what is meant."""

from collections.abc import Iterator

from renderer.backends.kuscia.appimage import AppImage
from renderer.backends.kuscia.configtemplates.faults import TemplateFault
from renderer.backends.kuscia.configtemplates.files import config_files
from renderer.backends.kuscia.configtemplates.parsing import Template
from renderer.values.diagnostics import Finding, Severity, rule


@rule("KUS601", Severity.ERROR, "AppImage")
def config_template_parses(image: AppImage) -> Iterator[Finding]:
    """A config template is one that Kuscia can parse.

    Kuscia parses it as a Go template when a container is to start. An error stops the container,
    while the serving may go on saying that it is available.

    Fails:

        configTemplates:
          app.conf: "id={{SERVING_ID}}"

    Passes:

        configTemplates:
          app.conf: "id={{.SERVING_ID}}"
    """
    for file in config_files(image):
        if isinstance(fault := file.parsed, TemplateFault):
            message = f"Kuscia cannot parse this config template: {fault.message}"
            fix = fault.fix or "mend it; Kuscia knows {{.NAME}} and {{{.NAME.path}}}"
            yield file.at(fault.offset, message, fix)


@rule("KUS602", Severity.ERROR, "AppImage")
def path_has_three_braces(image: AppImage) -> Iterator[Finding]:
    """A path into a variable stands between three braces.

    Between two braces a variable is text, and text has no fields: Kuscia fails to render the file
    and the container never starts.

    Fails:

        configTemplates:
          app.conf: "ports={{.ALLOCATED_PORTS.ports}}"

    Passes:

        configTemplates:
          app.conf: "ports={{{.ALLOCATED_PORTS.ports}}}"
    """
    for file in config_files(image):
        for mention in (mention for mention in file.mentions if mention.path):
            path = ".".join((mention.name, *mention.path))
            message = f"{mention.name} is text between two braces, so .{path} stops the container"
            yield file.at(mention.offset, message, f"write {{{{{{.{path}}}}}}}")


@rule("SEC003", Severity.ERROR, "AppImage")
def variables_are_named(image: AppImage) -> Iterator[Finding]:
    """Three braces name the variable that they insert.

    A path of dots alone inserts every variable of the container, the token of Kuscia's API among
    them, into a file that applications read and may log (inferred from the code of the renderer).

    Fails:

        configTemplates:
          app.conf: "all={{{..}}}"

    Passes:

        configTemplates:
          app.conf: "id={{{.SERVING_ID}}}"
    """
    for file in config_files(image):
        queries = file.parsed.queries if isinstance(file.parsed, Template) else ()
        for query in queries:
            if not query.segments:
                message = "this inserts every variable of the container, tokens included"
                yield file.at(query.offset, message, "name the variable, as in {{{.NAME}}}")


RULES = (config_template_parses, path_has_three_braces, variables_are_named)

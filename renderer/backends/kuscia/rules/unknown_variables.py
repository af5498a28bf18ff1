"""Variables of config templates that nothing here provides."""

from collections.abc import Iterator

from renderer.backends.kuscia.app_image import AppImage
from renderer.backends.kuscia.config_templates.config_files import ConfigFile, Mention, config_files
from renderer.backends.kuscia.config_templates.template import Template
from renderer.backends.kuscia.pod_variables import OF_NODES, OF_SERVINGS
from renderer.backends.kuscia.rules.sources import CONFIG
from renderer.text.wording import misspelt
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

_SENSIBLE = 20_000
_DECLARE = "add it to the env of the container, or to kuscia.config_keys"


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
        if mention.name in _needed(file) and not _is_slip(image, mention.name, hint):
            message = f"nothing here provides the variable {mention.name!r}"
            fix = f"did you mean {hint!r}? Otherwise {_DECLARE}" if hint else _DECLARE
            yield file.at(mention.offset, message, fix)


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
            yield file.at(mention.offset, message, f"write {hint}, or else {_DECLARE}")


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
        if mention.name not in _needed(file) and not _is_slip(image, mention.name, hint):
            message = f"Kuscia does not fetch {mention.name!r} in this form, so it is empty"
            otherwise = f"did you mean {hint!r}? Otherwise " if hint else ""
            yield file.at(mention.offset, message, f"{otherwise}write {{{{.{mention.name}}}}}")


def _strangers(image: AppImage) -> Iterator[tuple[ConfigFile, Mention]]:
    """The first mention of each variable that the container does not provide for certain."""
    for file in config_files(image):
        seen = set[str]()
        for mention in () if file.has_unknown_env else file.mentions:
            name = mention.name
            declared = name in file.config_keys and name in _needed(file)
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


def _needed(file: ConfigFile) -> frozenset[str]:
    return file.parsed.needed if isinstance(file.parsed, Template) else frozenset()


RULES = rules_with_source(
    (config_variable_is_known, production_has_no_misspelt_variables, config_key_is_fetched), CONFIG
)

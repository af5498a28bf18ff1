"""Config files filled with the values of a serving."""

from collections.abc import Iterator

from renderer.backends.kuscia.app_image import SECRETFLOW_SERVING, AppImage
from renderer.backends.kuscia.rules.sources import CONFIG
from renderer.backends.kuscia.serving import FIELD, Serving, input_config_text
from renderer.text.expressions import expression
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source
from renderer.values.identity_cache import cached_by_identity

#: What no serving with a plain input config can break.
_QUOTED = expression(r'"\{\{\.[A-Za-z0-9_]+\}\}"')
_DOUBTFUL = expression(r"\{\{\{|\b(?:INPUT_CONFIG|KUSCIA_DOMAIN_ID|SERVING_ID)\b")
_PATH = "INPUT_CONFIG."


@rule("KUS611", Severity.ERROR, "Serving", reads=("serving_input_config",))
def config_file_is_json_for_the_serving(serving: Serving) -> Iterator[Finding]:
    """A config file that is JSON stays JSON with the values of a serving, such as its input config.

    A path that leads nowhere inserts nothing, and text with quotes ends a JSON string: the
    application cannot read its file.

    Fails:
        serving_input_config: {model: {name: glm}}
        parties: [{domain_id: alice, app_image: templated}]
    Passes with: serving_input_config: {limits: {rows: [1]}, model: null}
    """
    if not _is_plain(serving) or any(map(_is_doubtful, serving.images)):
        from renderer.backends.kuscia.rules.json_files import breaking_values

        yield from breaking_values(serving)


def _is_plain(serving: Serving) -> bool:
    """Whether Go and JSON escape the input config alike; KUS526 checks secretflow-serving's."""
    given = serving.tree.get(FIELD)
    if serving.app == SECRETFLOW_SERVING or not given or given.value is None:
        return True
    text = input_config_text(given)
    return text.isprintable() and not text.startswith('"') and not text.endswith('"')


@cached_by_identity
def _is_doubtful(image: AppImage) -> bool:
    """Whether a value of a serving is inserted in another way than as a whole JSON string."""
    files = image.tree.get("configTemplates")
    texts = (str(node.value) for node in files.items.values()) if files else ()
    return any(_DOUBTFUL.search(_QUOTED.sub("", text)) for text in texts)


@rule("KUS617", Severity.WARNING, "Serving", reads=(FIELD,))
def input_path_is_not_misspelt(serving: Serving) -> Iterator[Finding]:
    """A path into the input config names no key that is nearly one of its keys.

    Kuscia inserts nothing, without a message, for a path that leads nowhere.
    """
    return iter(()) if serving.environment.is_production else _slips(serving)


@rule("KUS618", Severity.ERROR, "Serving", reads=(FIELD,))
def production_has_no_misspelt_input_paths(serving: Serving) -> Iterator[Finding]:
    """Where `production: true`, no path into the input config is nearly one that leads somewhere.

    Kuscia inserts nothing, without a message, for a path that leads nowhere.
    """
    return _slips(serving) if serving.environment.is_production else iter(())


def _slips(serving: Serving) -> Iterator[Finding]:
    given = serving.tree.get(FIELD)
    if given and given.value is not None and any(map(_has_paths, serving.images)):
        from renderer.backends.kuscia.config_templates.known_values import slips

        for image in serving.images:
            for file, slip in slips(image, input_config_text(given)):
                message = f"{slip.path} leads nowhere in the input config of {serving.name!r}"
                found = file.finding(slip.offset, message, f"did you mean {slip.meant!r}?")
                yield found._replace(tree=image.tree)


@cached_by_identity
def _has_paths(image: AppImage) -> bool:
    """Whether a path is there at all; a quick look, as most AppImages have none."""
    files = image.tree.get("configTemplates")
    return any(_PATH in str(node.value) for node in files.items.values()) if files else False


RULES = rules_with_source(
    (
        config_file_is_json_for_the_serving,
        input_path_is_not_misspelt,
        production_has_no_misspelt_input_paths,
    ),
    CONFIG,
)

"""Config files filled with the values of a serving."""

from collections.abc import Iterator

from renderer.backends.kuscia.app_image import AppImage
from renderer.backends.kuscia.rules.sources import CONFIG
from renderer.backends.kuscia.serving import Serving
from renderer.text.expressions import expression
from renderer.values.diagnostics import Finding, Severity, rule, sourced
from renderer.values.identity_cache import cached_by_identity

#: What no serving can break: its names are plain, and KUS526 looks at the input config.
_QUOTED = expression(r'"\{\{\.[A-Za-z0-9_]+\}\}"')
_DOUBTFUL = expression(r"\{\{\{|\b(?:INPUT_CONFIG|KUSCIA_DOMAIN_ID|SERVING_ID)\b")


@rule("KUS611", Severity.ERROR, "Serving", reads=("serving_input_config",))
def config_file_is_json_for_the_serving(serving: Serving) -> Iterator[Finding]:
    """A config file that is JSON stays JSON with the values of a serving, such as its input config.

    A path that leads nowhere inserts nothing, and text with quotes ends a JSON string: the
    application cannot read its file.

    Fails:

        serving_input_config: {model: {name: glm}}
        parties: [{domain_id: alice, app_image: templated}]

    Passes:

        serving_input_config: {limits: {rows: [1]}}
        parties: [{domain_id: alice, app_image: templated}]
    """
    if any(_is_doubtful(party.image) for party in serving.parties if party.image):
        from renderer.backends.kuscia.rules.json_files import breaking_values

        yield from breaking_values(serving)


@cached_by_identity
def _is_doubtful(image: AppImage) -> bool:
    """Whether a value of a serving is inserted in another way than as a whole JSON string."""
    files = image.tree.get("configTemplates")
    texts = (str(node.value) for node in files.items.values()) if files else ()
    return any(_DOUBTFUL.search(_QUOTED.sub("", text)) for text in texts)


RULES = sourced((config_file_is_json_for_the_serving,), CONFIG)

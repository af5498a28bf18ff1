"""Paths of config templates into the input config of a serving."""

from collections.abc import Iterator

from renderer.backends.kuscia.app_image import AppImage
from renderer.backends.kuscia.rules.sources import CONFIG
from renderer.backends.kuscia.serving import FIELD, Serving, input_config_text
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source
from renderer.values.identity_cache import cached_by_identity

_PATH = "INPUT_CONFIG."


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
        from renderer.backends.kuscia.config_templates.input_paths import slips

        for image in serving.images:
            for file, slip in slips(image, input_config_text(given)):
                message = f"{slip.path} leads nowhere in the input config of {serving.name!r}"
                found = file.at(slip.offset, message, f"did you mean {slip.meant!r}?")
                yield found._replace(tree=image.tree)


@cached_by_identity
def _has_paths(image: AppImage) -> bool:
    """Whether a path is there at all; a quick look, as most AppImages have none."""
    files = image.tree.get("configTemplates")
    return any(_PATH in str(node.value) for node in files.items.values()) if files else False


RULES = rules_with_source(
    (input_path_is_not_misspelt, production_has_no_misspelt_input_paths),
    CONFIG,
)

"""What the version of Kuscia that an environment runs does not know."""

from collections.abc import Iterator

from renderer.backends.kuscia.serving import Serving, text
from renderer.backends.kuscia.versions import Version, parse
from renderer.values.diagnostics import Finding, Severity, rule
from renderer.values.model import Environment

_PRESENT_FORM = "0.14.0b0"
_DEFAULT_AFFINITY = "1.0.0b0"
_AFFINITY_MODE = "1.1.0b0"


@rule("KUS204", Severity.ERROR, "Environment")
def kuscia_has_the_present_form(environment: Environment) -> Iterator[Finding]:
    """The control planes run Kuscia 0.14.0b0 or newer.

    KusciaDeployment and AppImage have had their present form since then; an older Kuscia drops or
    refuses parts of what is rendered here, and gives ports another meaning.

    Fails:

        kuscia: {version: 0.9.0b0}

    Passes:

        kuscia: {version: 1.1.0b0}
    """
    version = _version(environment)
    if version and not version.knows(_PRESENT_FORM):
        message = f"Kuscia {version.text} is older than {_PRESENT_FORM}"
        yield Finding(("kuscia", "version"), message, "upgrade the control planes first")


@rule("KUS312", Severity.WARNING, "Serving")
def affinity_mode_is_heard(serving: Serving) -> Iterator[Finding]:
    """`affinity_mode: none` needs Kuscia 1.1.0b0.

    Kuscia 1.0 spreads the pods of a party whatever the mode says: it has the default, and does not
    know the annotation that turns it off.

    Fails:

        affinity_mode: none

    Passes:

        affinity_mode: anti-affinity
    """
    version = _version(serving.environment)
    if version is None or version.knows(_AFFINITY_MODE) or not version.knows(_DEFAULT_AFFINITY):
        return
    if text(serving.tree, "affinity_mode") == "none":
        message = f"Kuscia {version.text} does not know the mode none, and spreads the pods"
        yield Finding(("affinity_mode",), message, f"leave it out, or run {_AFFINITY_MODE}")


def _version(environment: Environment) -> Version | None:
    """The version that the environment names; nothing for the newest."""
    given = environment.setting("kuscia", "version")
    return parse(given) if isinstance(given, str) else None


RULES = (kuscia_has_the_present_form, affinity_mode_is_heard)

"""What an environment says of the KServe of its clusters."""

from collections.abc import Iterator

from renderer.backends.fields import elements, text
from renderer.backends.kserve.catalogue import shipped
from renderer.backends.kserve.dialect import Dialect
from renderer.text.wording import suggest
from renderer.values.diagnostics import Finding, Severity, rule
from renderer.values.model import Environment


@rule("KSV119", Severity.ERROR, "Environment")
def listed_runtime_is_shipped(environment: Environment) -> Iterator[Finding]:
    """A runtime that `kserve.runtimes` names is one that this version of KServe ships.

    One that is kept elsewhere is described by a mapping: its name, and what it supports.

    Fails:

        kserve: {runtimes: [kserve-sklearnsrver]}

    Passes:

        kserve: {runtimes: [kserve-sklearnserver, {name: ours, supportedModelFormats: []}]}
    """
    given = environment.tree.get("kserve")
    if given is None:
        return
    dialect = Dialect.of(text(given, "version"))
    known = shipped(dialect.version)
    for index, item in enumerate(elements(given, "runtimes")):
        if isinstance(item.value, str) and item.value not in known:
            message = f"KServe {dialect} ships no runtime {item.value!r}"
            yield Finding(("kserve", "runtimes", index), message, suggest(item.value, list(known)))


RULES = (listed_runtime_is_shipped,)

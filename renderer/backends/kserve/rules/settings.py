"""The settings of an environment for KServe."""

from collections.abc import Iterator

from renderer.backends.fields import elements, text
from renderer.backends.kserve.catalogue import shipped
from renderer.backends.kserve.dialect import Dialect, parse_mode
from renderer.text.wording import suggest
from renderer.values.diagnostics import Finding, Path, Severity, rule
from renderer.values.model import Environment
from renderer.values.tree import Node


@rule("KSV119", Severity.ERROR, "Environment")
def listed_runtime_is_shipped(environment: Environment) -> Iterator[Finding]:
    """A runtime that `kserve.runtimes` names is one that this version of KServe ships.

    One that is kept elsewhere is described by a mapping: its name, and what it supports.

    Fails: kserve: {runtimes: [kserve-sklearnserver, kserve-xgbsrver]}
    Passes: kserve: {runtimes: [kserve-sklearnserver, kserve-xgbserver]}
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


@rule("KSV350", Severity.WARNING, "Environment")
def default_mode_is_of_the_version(environment: Environment) -> Iterator[Finding]:
    """`kserve.default_mode` is called as `kserve.version` calls it.

    Before 0.16 the modes Standard and Knative were called RawDeployment and Serverless, and KServe
    refuses other names in its configuration: one of the two settings is not what the clusters have.
    Later versions know the old names as well.

    Fails: kserve: {version: 0.15.2, default_mode: Standard}
    Passes with: kserve: {default_mode: RawDeployment}
    """
    given = environment.tree.get("kserve")
    if given is None or given.get("version") is None:
        return
    dialect, name = Dialect.of(text(given, "version")), text(given, "default_mode")
    right = dialect.spelling(parse_mode(name))
    if parse_mode(name) == name and name != right:  # new versions know the old names too
        message = f"KServe {dialect} has no mode {name!r}"
        yield Finding(("kserve", "default_mode"), message, f"write {right}, or another version")


@rule("KSV249", Severity.WARNING, "Environment", since="0.2.0")
def version_is_known(environment: Environment) -> Iterator[Finding]:
    """`kserve.version` is a version of KServe that servingctl knows.

    The oldest is 0.7, and what came after the newest that is known here is not checked: services
    are judged by what the newest does.

    Fails: kserve: {version: 0.99.0}
    Passes: kserve: {version: 0.20.0}
    """
    given = text(environment.tree, "kserve", "version")
    dialect = Dialect.of(given)
    if given and not dialect.is_known:
        message = f"servingctl knows KServe 0.7 to {Dialect()}, and not {given}"
        fix = "write the version that the clusters run, or take a newer servingctl"
        yield Finding(("kserve", "version"), message, fix)


@rule("KSV351", Severity.ERROR, "Environment")
def runtimes_are_listed_once(environment: Environment) -> Iterator[Finding]:
    """`kserve.runtimes` says of each runtime once what it is.

    Two objects of one name cannot be in a cluster, so one of the two descriptions is wrong.

    Fails: kserve: {runtimes: [kserve-sklearnserver, {name: kserve-sklearnserver}]}
    Passes: kserve: {runtimes: [kserve-sklearnserver, {name: ours}]}
    """
    seen: set[str] = set()
    for index, item in enumerate(elements(environment.tree, "kserve", "runtimes")):
        name = text(item, "name") or str(item.value if isinstance(item.value, str) else "")
        if name and name in seen:
            message = f"the runtime {name!r} is listed already"
            yield Finding(("kserve", "runtimes", index), message, "delete one of them")
        seen.add(name)


@rule("KSV598", Severity.ERROR, "Environment", since="0.3.0")
def listed_presets_are_shipped(environment: Environment) -> Iterator[Finding]:
    """A configuration that `kserve.llm_configs` names is one that this version of KServe ships.

    Others belong into the repository, or are named by services in `baseRefs`.

    Fails: kserve: {llm_configs: [kserve-config-llm-template, kserve-config-llm-ruoter-route]}
    Passes: kserve: {llm_configs: [kserve-config-llm-template, kserve-config-llm-router-route]}
    """
    for path, settings in _settings(environment):
        listed = elements(settings, "llm_configs")
        if listed:
            from renderer.backends.kserve.llm.presets import presets

            dialect = Dialect.of(text(environment.tree, "kserve", "version"))
            known = presets(str(dialect))
            for index, item in enumerate(listed):
                if known and str(item.value) not in known:
                    message = f"KServe {dialect} ships no configuration {item.value!r}"
                    where = (*path, "llm_configs", index)
                    yield Finding(where, message, suggest(str(item.value), list(known)))


@rule("KSV599", Severity.ERROR, "Environment", since="0.3.0")
def cluster_configuration_is_legible(environment: Environment) -> Iterator[Finding]:
    """`kserve.config` is the ConfigMap inferenceservice-config, with JSON in each of its texts.

    KServe does not start with one that it cannot read.

    Fails: kserve: {config: 'data: {ingress: not json}'}
    Passes: kserve: {config: 'data: {ingress: "{}"}'}
    """
    for path, settings in _settings(environment):
        if config := settings.get("config"):
            from renderer.backends.kserve.llm.cluster import unreadable_part

            if isinstance(config.value, str) and (fault := unreadable_part(config)):
                fix = "give what `kubectl get configmap inferenceservice-config -o yaml` prints"
                yield Finding((*path, "config"), fault, fix)


def _settings(environment: Environment) -> Iterator[tuple[Path, Node]]:
    """What an environment and its destinations say of KServe."""
    if given := environment.tree.get("kserve"):
        yield ("kserve",), given
    for index, item in enumerate(elements(environment.tree, "destinations")):
        if given := item.get("kserve"):
            yield ("destinations", index, "kserve"), given


RULES = (
    listed_runtime_is_shipped,
    default_mode_is_of_the_version,
    version_is_known,
    runtimes_are_listed_once,
    listed_presets_are_shipped,
    cluster_configuration_is_legible,
)

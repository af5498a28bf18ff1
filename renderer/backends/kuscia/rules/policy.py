"""What is fine while trying things out, and an error in production."""

from collections.abc import Iterator

from renderer.backends.fields import text
from renderer.backends.kuscia.input_config.document import party_configs, runs_secretflow_serving
from renderer.backends.kuscia.rules.amounts import blame_amount, effective_amount, party_containers
from renderer.backends.kuscia.rules.sources import CONTROLLER
from renderer.backends.kuscia.serving import Serving
from renderer.backends.kuscia.settings import PLATFORM, KusciaSettings
from renderer.kubernetes.quantities import billionths, is_split_byte
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source
from renderer.values.model import Environment

_FLOOR = "512Mi"


@rule("POL003", Severity.WARNING, "Serving")
def memory_is_enough(serving: Serving) -> Iterator[Finding]:
    """The memory limit of secretflow-serving is at least 512Mi.

    Limits copied from Kuscia's API sample (100Mi) are too small for secretflow-serving, whose pods
    then never become available (inferred from reports).

    Fails:
        app: secretflow-serving
        parties: [{domain_id: alice, resources: [{max_memory: 100Mi}]}]
    Passes with: parties: [{domain_id: alice, resources: [{max_memory: 2Gi}]}]
    """
    floor = billionths(_FLOOR) or 0
    for index, party, container in party_containers(serving):
        given = party.amounts_of(container.name)
        limit = effective_amount(given, container, "limits", "memory")
        given_limit = str(limit.node.value) if limit else ""
        amount = None if is_split_byte(given_limit) else billionths(given_limit)
        if limit and amount is not None and amount < floor and runs_secretflow_serving(serving):
            message = f"the memory limit of {container.name!r} is {limit.node.value}"
            fix = f"write {_FLOOR} or more; 2Gi is usual"
            yield blame_amount(serving, index, (limit,), f"{message}, less than {_FLOOR}", fix)


@rule("POL005", Severity.WARNING, "Serving")
def features_are_real(serving: Serving) -> Iterator[Finding]:
    """The features of a party come from a real source, not from `mockOpts`.

    Predictions on mocked features look like real ones.

    Fails: serving_input_config: {partyConfigs: {alice: {featureSourceConfig: {mockOpts: {}}}}}
    Passes:
        serving_input_config:
          partyConfigs: {alice: {featureSourceConfig: {httpOpts: {endpoint: 'features:8000'}}}}
    """
    for item in party_configs(serving):
        source = item.section.message("feature_source_config")
        if source and source.get("mock_opts"):
            message = f"the party {item.party.domain!r} predicts on mocked features"
            yield Finding(source.path_of("mock_opts"), message, "name the real source", at_key=True)


@rule("POL006", Severity.WARNING, "Serving")
def models_have_a_checksum(serving: Serving) -> Iterator[Finding]:
    """A model has a checksum.

    Without `sourceSha256` the package is fetched again at every start and never verified.

    Fails: serving_input_config: {partyConfigs: {alice: {modelConfig: {sourceSha256: null}}}}
    Passes:
        serving_input_config:
          partyConfigs:
            alice:
              modelConfig:
                sourceSha256: c6308af488bcd6c54a48a145af17aa209dec463b5cb44d83c6b58195818c10a0
    """
    for item in party_configs(serving):
        if item.model and item.model.lacks("source_sha256"):
            message = f"the model of {item.party.domain!r} has no checksum"
            name = item.model.spelled("source_sha256")
            fix = f"add {name}: the SHA-256 of the package in lower-case hex"
            yield Finding(item.model.path, message, fix, at_key=True)


@rule("POL007", Severity.WARNING, "Serving")
def processes_do_not_meet(serving: Serving) -> Iterator[Finding]:
    """Under runp a party has one replica, and is updated by Recreate.

    Replicas are processes that share the node's address and their port numbers: two of them, or the
    old and the new one of a rolling update, collide on one node (inferred).

    Fails: parties: {replicas: 2}
    Passes: parties: {replicas: 1, update_strategy: {type: Recreate}}
    """
    if not serving.settings.dialect.shares_ports:
        return
    for index, party in enumerate(serving.parties):
        replicas = party.node.get("replicas")
        if replicas and isinstance(replicas.value, int) and replicas.value > 1:
            message = f"{replicas.value} replicas of {party.domain!r} may collide on one node"
            yield Finding(("parties", index, "replicas"), message, "write 1")
        if text(party.node, "update_strategy", "type") != "Recreate":
            message = f"a rolling update of {party.domain!r} may collide with itself on one node"
            fix = "add update_strategy: {type: Recreate}"
            yield Finding(("parties", index, "update_strategy"), message, fix)


@rule("POL008", Severity.INFO, "Environment")
def images_are_named_by_content(environment: Environment) -> Iterator[Finding]:
    """In production the names of AppImages end in a hash of their content.

    Kuscia does not watch AppImages, and may still see the old one when it looks at the serving: of
    12 edits under a plain name it took over 12, while busy 8, and 6 where the serving came first
    (observed). An AppImage of a new name cannot be taken for the old one: 12 of 12, busy or not,
    if the AppImage comes first. This is advice: it is no error, in production either.

    Fails: production: true
    Passes with: kuscia: {appimage_naming: hashed}
    """
    if not environment.is_production or not environment.platform_destinations(PLATFORM):
        return
    if not KusciaSettings.of(environment).names_images_by_content:
        message = "an edit of an AppImage under a plain name may be missed by what runs"
        fix = "set kuscia.appimage_naming to hashed"
        yield Finding(("kuscia", "appimage_naming"), message, fix)


RULES = rules_with_source(
    (
        memory_is_enough,
        features_are_real,
        models_have_a_checksum,
        processes_do_not_meet,
        images_are_named_by_content,
    ),
    CONTROLLER,
)

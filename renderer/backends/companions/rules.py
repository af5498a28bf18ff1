"""What is asked of companions, whichever kind of object they are."""

from collections.abc import Iterator

from renderer.backends.base import OBJECT
from renderer.backends.companions import api_versions, encrypted_files, selectors, values
from renderer.backends.companions.objects import NAMED_BY_CONTENT, CompanionView
from renderer.text.wording import listed, suggest
from renderer.values.diagnostics import Finding, Rule, Severity, rule
from renderer.values.kinds import NAMING, STEERING, WITH
from renderer.values.model import Environment

#: The kind whose objects may have a digest of their content in their names.
_PLAIN_DATA = ("data", "stringData")


@rule("ENV036", Severity.ERROR, OBJECT, since="0.2.0")
def kind_is_allowed(view: CompanionView) -> Iterator[Finding]:
    """A companion is of a kind that people may add.

    By default these are the kinds that belong to a namespace, without workloads, webhooks, what
    grants rights and what GitOps controllers read (an Application, a Kustomization). `companions:
    {allow: [KINDS]}` in `servingctl.yaml` or in the description of an environment says which ones
    they are instead, and what GitOps controllers are permitted to apply follows from it.

    Fails:

        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRole
        rules: []

    Passes:

        apiVersion: v1
        kind: ServiceAccount
    """
    kind = view.spec.kind
    if not view.settings.allows(kind):
        allowed = view.settings.allow
        instead = f": {listed(sorted(allowed))}" if allowed else ""
        message = f"{kind.name} is not among the kinds that may be added{instead}"
        fix = f"add {kind.name} to companions.allow of the environment or of servingctl.yaml"
        yield Finding(("kind",), message, fix)


@rule("SEC005", Severity.ERROR, "Secret", since="0.2.0")
def secret_without_data(view: CompanionView) -> Iterator[Finding]:
    """A Secret in Git holds no data.

    Base64 hides nothing: whoever reads the repository reads the secret. Let a controller make the
    Secret of what is kept elsewhere (ExternalSecret), or keep it encrypted (SealedSecret, SOPS).

    Fails:

        apiVersion: v1
        kind: Secret
        data: {note: aGVsbG8=}

    Passes:

        apiVersion: external-secrets.io/v1
        kind: ExternalSecret
        spec:
          secretStoreRef: {name: vault}
          data: [{secretKey: token, remoteRef: {key: models/hub}}]
    """
    for place in () if view.spec.source else _PLAIN_DATA:
        node = view.spec.tree.get(place)
        if node and node.value:
            fix = "write an ExternalSecret or a SealedSecret instead, which makes this Secret"
            message = f"the {place} of a Secret can be read by everyone who reads the repository"
            yield Finding((place,), message, fix, at_key=True)


@rule("MAN222", Severity.ERROR, "ConfigMap", since="0.2.0")
def config_map_holds_texts(view: CompanionView) -> Iterator[Finding]:
    """Every value of a ConfigMap is a text.

    Its data are files or variables, so the API server refuses numbers, booleans, lists and
    mappings. `{file: PATH}` is the text of a file; it counts in the file of a ConfigMap, and not in
    `defaults` of an environment.

    Fails:

        apiVersion: v1
        kind: ConfigMap
        data: {workers: 4}

    Passes:

        apiVersion: v1
        kind: ConfigMap
        data: {workers: "4"}
    """
    data = view.spec.tree.get("data")
    for key, node in (data.items if data else {}).items():
        if not isinstance(node.value, str):
            message, fix = f"the value of {key} is not a text", "write it in quotes"
            is_own = node.origin.file in view.spec.files
            if not is_own and node.get("file"):
                message = f"{key} in defaults takes no text from a file"
                fix = "write {file: PATH} in the file of the ConfigMap, or the text itself here"
            elif is_own:
                fix = f"{fix}, or as {{file: PATH}}"
            yield Finding(("data", key), message, fix)


@rule("ENV037", Severity.ERROR, OBJECT, since="0.2.0")
def last_stage_is_there(view: CompanionView) -> Iterator[Finding]:
    """An object that goes with specs is in an environment that has a stage for it.

    Flux applies it by a Kustomization of its own, which looks at a list of its own. Both are there
    if `companions` is in the environment or in `servingctl.yaml`, even as `companions: {}`; they
    stay when the last such object leaves, so that Flux deletes it. Argo CD needs neither.
    """
    if WITH in view.spec.tree.items and not view.settings.are_given:
        name = view.environment.name
        message = f"it is applied after others, and {name} has no settings of companions"
        fix = "add `companions: {}` to servingctl.yaml, and run `servingctl bootstrap flux` again"
        yield Finding((WITH,), message, fix, at_key=True)


@rule("ENV041", Severity.ERROR, OBJECT, since="0.2.0")
def steering_is_known(view: CompanionView) -> Iterator[Finding]:
    """A key that begins with `$` is a setting of a companion.

    No object has such a field. One that is misspelt would be rendered, and the API server would
    drop it or refuse the object.

    Fails:

        apiVersion: v1
        kind: ServiceAccount
        $destinations: east

    Passes:

        apiVersion: v1
        kind: ServiceAccount
        $destination: east
    """
    for key in view.spec.tree.items:
        if key.startswith("$") and key not in STEERING:
            message = f"{key} is neither a field of an object nor a setting of a companion"
            yield Finding((key,), message, suggest(key, STEERING), at_key=True)


@rule("ENV046", Severity.ERROR, OBJECT, since="0.2.0")
def naming_is_of_config_maps(view: CompanionView) -> Iterator[Finding]:
    """Only a ConfigMap may be named by its content.

    `$naming: hashed` gives it another name with every edit, and pods follow the name. Of other
    kinds a new name is another object: a claim without data, an account without rights.

    Fails:

        apiVersion: v1
        kind: ServiceAccount
        $naming: hashed

    Passes:

        apiVersion: v1
        kind: ConfigMap
        $naming: hashed
        data: {workers: "4"}
    """
    if NAMING in view.spec.tree.items and view.spec.kind.name != NAMED_BY_CONTENT:
        message = f"{NAMING} is for a {NAMED_BY_CONTENT}, and this is {view.spec.kind.name}"
        yield Finding((NAMING,), message, f"delete {NAMING}", at_key=True)


@rule("ENV038", Severity.INFO, "Environment", since="0.2.0")
def kinds_are_described(environment: Environment) -> Iterator[Finding]:
    """servingctl knows the fields and the scope of every kind of companion.

    A kind that is neither built in nor described by a CRD in `schemas/crds/` is assumed to belong
    to a namespace; an override replaces its lists as a whole, and its fields are not checked.
    Reported once for each kind, at the first of its files.
    """
    first = {spec.kind.name: spec for spec in reversed(environment.specs) if spec.kind.is_open}
    for name, spec in sorted(first.items()):
        if not spec.kind.is_described:
            message = f"nothing is known of {name}: it is taken for a kind of a namespace"
            fix = f"put the CRD of {name} into schemas/crds/"
            yield Finding(("kind",), message, fix, tree=spec.tree)


def rules() -> tuple[Rule, ...]:
    """Those of companions of every kind, and of one alone."""
    return (
        kind_is_allowed,
        secret_without_data,
        config_map_holds_texts,
        last_stage_is_there,
        steering_is_known,
        naming_is_of_config_maps,
        values.value_is_taken,
        values.fields_go_together,
        selectors.selector_matches_template,
        api_versions.api_version_is_served,
        api_versions.api_version_stays,
        *encrypted_files.RULES,
    )


def environment_rules() -> tuple[Rule, ...]:
    return (
        kinds_are_described,
        api_versions.schemas_are_installed,
        *encrypted_files.ENVIRONMENT_RULES,
    )

"""Environments: that they exist, where their output goes, and what they define."""

from collections.abc import Iterator

from renderer.kubernetes.versions import RECORDED, VERSION_PATH, shown, version_of
from renderer.text.expressions import expression
from renderer.text.wording import listed, visible
from renderer.values.diagnostics import Finding, Path, Severity, documented_rule, rule
from renderer.values.model import Environment
from renderer.values.tree import Node, walk

_MARK = "${vars."
_VARIABLE = expression(r"(?<!\$)\$\{vars\.([^}]*)\}")

NO_ENVIRONMENT = documented_rule(
    "ENV001",
    "environment-is-described",
    """Every folder of `environments/` has one spec of kind Environment.

    It says where the output of the folder goes.
    """,
)
FOLDER_NAME = documented_rule(
    "ENV002",
    "environment-name",
    """The folder of an environment is a lower-case name of letters, digits and `-`.

    It becomes a folder of the output and part of what GitOps controllers call the application.
    """,
)
OUTSIDE_ENVIRONMENTS = documented_rule(
    "ENV003",
    "spec-in-an-environment",
    """Spec files lie in the folder of an environment.

    A file directly in `environments/` belongs to none and would be ignored.
    """,
)
UNUSED = documented_rule(
    "ENV004",
    "prerequisite-is-used",
    """A spec that only others need is used by one of them.

    It is not rendered: it would go nowhere.
    """,
    Severity.WARNING,
)


NO_ROUTE = documented_rule(
    "ENV007",
    "spec-has-a-destination",
    """A spec that does not say where it goes can go to only one destination.
    """,
)
COPIED_ALONE = documented_rule(
    "ENV051",
    "encrypted-file-is-not-composed",
    """A spec that SOPS encrypted consists of one file.

    It is copied as it is, because its checksum covers all of it: neither a file of the same name in
    another environment of the chain nor `defaults` can be laid below or over it. A file that says
    only `$disabled: true` takes it out of an environment.
    """,
    since="0.2.0",
)
NOT_DECRYPTED = documented_rule(
    "ENV052",
    "destination-decrypts",
    """A destination of a file that SOPS encrypted can decrypt it.

    `decryption: flux` of a destination says that its Kustomizations do, `decryption: plugin` that a
    plugin of Argo CD does. Otherwise the encrypted texts themselves would become the values of the
    Secret.
    """,
    since="0.2.0",
)
UNKNOWN_PARENT = documented_rule(
    "ENV005",
    "parent-exists",
    """The environment that `extends` names is a folder of `environments/`.

    Fails: extends: bass
    Passes: extends: base
    """,
)
CYCLE = documented_rule(
    "ENV006",
    "no-environment-extends-itself",
    """No environment is its own ancestor.

    Fails: extends: dev
    Passes: extends: base
    """,
)
UNDEFINED = documented_rule(
    "ENV011",
    "variable-is-defined",
    """Every `${vars.NAME}` is defined in the environment or one that it extends.

    What is not replaced would reach the platform as it stands. `$${vars.` writes the text itself.

    Fails: annotations: {example.com/team: "${vars.team}"}
    Passes: annotations: {example.com/team: risk}
    """,
)
UNUSED_VARIABLE = documented_rule(
    "ENV012",
    "variable-is-used",
    """A variable is used by a spec of an environment that has it.

    Fails: vars: {bucket: models}
    Passes: vars: {}
    """,
    Severity.WARNING,
)
ADDED = documented_rule(
    "ENV014",
    "override-changes-what-is-there",
    """An override changes items that its ancestors have.

    An item with another key is added beside them. That is usually a typo, and the item that was
    meant stays unchanged. It is an error where the name of something that runs is nearly that of
    another, or where the item by itself is not complete.
    """,
    Severity.WARNING,
)

BROADCAST_WITHOUT_ITEMS = documented_rule(
    "ENV015",
    "word-is-heard",
    """A mapping in the place of a list changes at least one item, and `$remove` removes one.

    Otherwise it has no effect, and nothing else says so.
    """,
    Severity.WARNING,
)
NO_OUTPUT = documented_rule(
    "ENV016",
    "environment-is-used",
    """An environment has destinations, or another one extends it.

    Otherwise nothing is rendered of it, and its specs are hardly checked.
    """,
    Severity.WARNING,
)
LENT = documented_rule(
    "ENV017",
    "destination-is-not-lent",
    """An environment does not share the destinations of one that it extends.

    The output of both may go to one place, where each would overwrite what the other has. The
    `cluster` of a destination says which place it is.
    """,
    Severity.WARNING,
)
MISNAMED = documented_rule(
    "ENV018",
    "override-has-the-name",
    """An override is called like the file that it changes.

    A file with another name is a spec of its own and has to be complete. So is one whose spec was
    renamed or deleted in the environments above.
    """,
)
DEEP = documented_rule(
    "ENV019",
    "few-ancestors",
    """An environment has at most 100 ancestors.

    Each of them is looked at for every spec, and nobody could say what comes from where.
    """,
)
MISNAMED_DESTINATION = documented_rule(
    "ENV020",
    "destination-has-the-name",
    """A change to an inherited destination uses the name of that destination.

    A destination with another name is a new one and has to be complete.
    """,
)
SAME_PLACES = documented_rule(
    "ENV021",
    "environment-has-its-own-places",
    """An environment that extends another does not render the same objects to the same clusters.

    Two GitOps applications would own each of them: they overwrite each other's changes, and either
    may delete what the other needs.
    """,
)
MISNAMED_VARIABLE = documented_rule(
    "ENV022",
    "variable-has-the-name",
    """A change to an inherited variable uses the name of that variable.

    A variable with another name is a new one that nothing uses, and specs get the inherited value:
    perhaps the model of another environment. In production it is an error.
    """,
    Severity.WARNING,
    since="0.2.0",
)
NO_REFERENCE = documented_rule(
    "ENV023",
    "reference-is-one",
    """A reference to a variable is written `${vars.NAME}`.

    Any other form is left unchanged and reaches the platform: a bucket is then called
    `${bucket}`. `${NAME}` counts where neither a shell nor the platform has placeholders.

    Fails: annotations: {example.com/team: "${var.team}"}
    Passes: annotations: {example.com/team: risk}
    """,
    since="0.2.0",
)


@rule("ENV010", Severity.ERROR, "Environment")
def destination_once(environment: Environment) -> Iterator[Finding]:
    """A destination's name stands once in its environment.

    The name is the folder of its output; two would overwrite each other.

    Fails: destinations: [{name: east}, {name: east}]
    Passes: destinations: [{name: east}]
    """
    seen: set[str] = set()
    for index, destination in enumerate(environment.destinations):
        if destination.name in seen:
            message = f"a second destination is called {destination.name!r}"
            yield Finding(("destinations", index, "name"), message, "rename one of the two")
        seen.add(destination.name)


@rule("ENV013", Severity.ERROR, "Environment")
def variables_are_for_specs(environment: Environment) -> Iterator[Finding]:
    """Variables are used in specs and defaults, not in the description of an environment.

    Elsewhere `${vars.NAME}` is not replaced and would be taken as it stands.

    Fails: vars: {region: east, bucket: "models-${vars.region}"}
    Passes with: vars: {bucket: models-east}
    """
    for path, name in described_variables(environment.tree):
        message = f"${{vars.{name}}} is not replaced here"
        yield Finding(path, message, "write the value itself")


def described_variables(tree: Node) -> Iterator[tuple[Path, str]]:
    """The variables that the description of an environment mentions outside its defaults."""
    for path, node in walk(tree):
        if path[:1] != ("defaults",) and isinstance(node.value, str) and _MARK in node.value:
            closed = node.value[: node.value.rfind("}") + 1]
            yield from ((path, name) for name in _VARIABLE.findall(closed))


RETIRED_CODE = documented_rule(
    "ENV026",
    "codes-are-current",
    """A setting or an ignore comment names a rule by the code that it has today.

    Rules on pods that each platform had for itself became one rule with a new code. The old code
    still works, but findings and the list of rules show the new one.
    """,
    Severity.INFO,
    since="0.2.0",
)


REFERENCE_CYCLE = documented_rule(
    "ENV039",
    "references-end",
    """References between objects do not form a circle.

    A prerequisite goes where its users are, and is applied before them. Two that need each other,
    by references or by `$with`, would each have to come first.
    """,
    since="0.2.0",
)
UNKNOWN_COMPANY = documented_rule(
    "ENV040",
    "company-exists",
    """`$with` names specs of the environment, each by its kind and the stem of its file.

    The object goes where these specs go, and is applied after them.
    """,
    since="0.2.0",
)
FIXED_USER = documented_rule(
    "ENV047",
    "users-of-content-names-roll",
    """What refers to an object with `$naming: hashed` replaces its pods when the name changes.

    An edit gives the object another name, and what refers to it gets the new one. Pods that are not
    replaced for that keep the old name: they never see the edit, and after the next one nothing has
    the old name any more, so that a container that restarts then does not start.
    """,
    since="0.2.0",
)


@rule("ENV035", Severity.INFO, "Environment", since="0.2.0")
def kubernetes_is_known(environment: Environment) -> Iterator[Finding]:
    """The answers of `kubernetes.version` are recorded.

    What Kubernetes refuses changes from version to version. For a version without recorded answers
    it is inferred from those that have them.

    Fails: kubernetes: {version: "1.12"}
    Passes: kubernetes: {version: "1.33"}
    """
    places = enumerate(node.elements if (node := environment.tree.get("destinations")) else ())
    paths: list[Path] = [VERSION_PATH, *(("destinations", n, *VERSION_PATH) for n, _ in places)]
    known = listed(shown(version) for version in RECORDED)
    for path in paths:
        given = environment.tree.get(*path)
        if given and version_of(str(given.value)) not in RECORDED:
            message = f"what Kubernetes {visible(str(given.value))} refuses in pods is inferred"
            fix = "try fields of pods that are new to you on such a cluster first"
            yield Finding(path, f"{message} from the recorded answers of {known}", fix)


RULES = (
    NO_ENVIRONMENT,
    FOLDER_NAME,
    OUTSIDE_ENVIRONMENTS,
    UNUSED,
    UNKNOWN_PARENT,
    CYCLE,
    NO_ROUTE,
    destination_once,
    UNDEFINED,
    UNUSED_VARIABLE,
    variables_are_for_specs,
    ADDED,
    BROADCAST_WITHOUT_ITEMS,
    NO_OUTPUT,
    LENT,
    MISNAMED,
    DEEP,
    MISNAMED_DESTINATION,
    SAME_PLACES,
    MISNAMED_VARIABLE,
    NO_REFERENCE,
    RETIRED_CODE,
    kubernetes_is_known,
    REFERENCE_CYCLE,
    UNKNOWN_COMPANY,
    FIXED_USER,
    COPIED_ALONE,
    NOT_DECRYPTED,
)

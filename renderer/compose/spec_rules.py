"""What makes a file a spec, and what it may take from other files."""

from renderer.values.diagnostics import Severity, documented_rule

NOT_A_SPEC = documented_rule(
    "SPC001",
    "is-a-spec",
    """A spec is a mapping with `apiVersion: serving.gitops/v1`, or an object of Kubernetes.

    An object has its own `apiVersion`. One of a platform whose kinds servingctl has is written as a
    spec of that kind.

    Fails: - apiVersion: serving.gitops/v1
    Passes:
        apiVersion: serving.gitops/v1
        kind: Environment
    """,
)
UNKNOWN_KIND = documented_rule(
    "SPC002",
    "known-kind",
    """The kind of a spec is one that servingctl knows.

    Fails:
        apiVersion: serving.gitops/v1
        kind: Deployment
    Passes:
        apiVersion: serving.gitops/v1
        kind: Environment
    """,
)
SAME_STEM = documented_rule(
    "SPC003",
    "one-file-per-spec",
    """An environment has one file for each kind and name.

    A spec is known by its kind and the name of its file; with two of them it is not clear which
    one an inheriting environment would change.
    """,
)
TEXT_FILE = documented_rule(
    "SPC004",
    "text-file-exists",
    """The file that `{file: …}` names can be read, beside the spec or among the templates.

    Fails: app.conf: {file: ../../../etc/passwd}
    Passes: app.conf: "{}"
    """,
)
UNUSED_TEMPLATE = documented_rule(
    "SPC005",
    "template-overrides-something",
    """A template in the repository has the path of a bundled one.

    A template of any other path is never used.
    """,
    Severity.WARNING,
)

SAME_NAME = documented_rule(
    "SPC006",
    "one-spec-per-name",
    """Two specs of one kind do not have the same name in an environment.

    It would not be clear which one others refer to. Kinds that say their namespace may have one
    name in each, unless other specs refer to them.
    """,
)
UNUSED_IGNORE = documented_rule(
    "SPC090",
    "ignore-is-needed",
    """An ignore comment hides a finding.

    One that hides nothing now would hide a later mistake.

    Fails: production: false  # servingctl: ignore[ENV012] just in case
    Passes: production: false
    """,
)
BAD_IGNORE = documented_rule(
    "SPC091",
    "ignore-is-well-formed",
    """An ignore comment names codes that can be ignored, and a reason.

    The reason is what a reviewer needs to agree. Findings about reading and shape cannot be
    ignored.

    Fails: vars: {bucket: models}  # servingctl: ignore[ENV012]
    Passes: vars: {bucket: models}  # servingctl: ignore[ENV012] the next spec needs it
    """,
)

UNKNOWN_RULE = documented_rule(
    "SPC092",
    "rule-exists",
    """A severity is set for a rule that exists.

    A misspelt code would change nothing, and the rule that was meant would go on as before.
    """,
)
NOT_READ = documented_rule(
    "ENV024",
    "file-is-read",
    """A file below `environments/` that looks like a spec has an ending that is read.

    Only `.yaml`, `.yml` and `.json` are. An override in a file `flowers.ymal` changes nothing.
    Files from which specs take texts, and files under `ignore` in `servingctl.yaml`, are left out.
    """,
    Severity.WARNING,
    since="0.2.0",
)
OTHER_KIND = documented_rule(
    "ENV025",
    "override-has-the-kind",
    """An override has the kind of the spec that it changes.

    A file of another kind is a new spec, and the inherited one stays unchanged. Reported for kinds
    with nearly the same fields, which are easily confused.
    """,
    Severity.WARNING,
    since="0.2.0",
)

RULES = (
    NOT_A_SPEC,
    UNKNOWN_KIND,
    SAME_STEM,
    TEXT_FILE,
    UNUSED_TEMPLATE,
    SAME_NAME,
    UNUSED_IGNORE,
    BAD_IGNORE,
    UNKNOWN_RULE,
    NOT_READ,
    OTHER_KIND,
)

"""What can be wrong with the files of rules that a repository has."""

from renderer.values.diagnostics import Severity, documented_rule

NOT_A_RULE = documented_rule(
    "SPC020",
    "policy-file-is-a-rule",
    """A file in a folder of policies is one `Rule`, or has admission policies of the cluster.

    A rule has `apiVersion: serving.gitops/v1` and `kind: Rule`. Beside ValidatingAdmissionPolicies
    and their bindings lie the objects that have their parameters. Other files would look like rules
    that hold, and nobody would ask them.
    """,
    since="0.3.0",
    is_about_new_files=True,
)
SAME_CODE = documented_rule(
    "SPC021",
    "rule-has-its-own-code",
    """A code is that of one rule.

    Comments and settings name rules by their codes, so that two of one code could not be told
    apart.
    """,
    since="0.3.0",
    is_about_new_files=True,
)
NOT_COMPILED = documented_rule(
    "SPC022",
    "rule-can-be-evaluated",
    """The expressions of a rule can be compiled.

    They are written in CEL, over the variables that there are for what the rule is `on`.
    """,
    since="0.3.0",
    is_about_new_files=True,
)
EXAMPLE = documented_rule(
    "SPC023",
    "example-of-rule-holds",
    """A rule passes the examples that it should pass, and finds those that it should find.

    A rule whose examples do not hold finds something else than it says.
    """,
    since="0.3.0",
    is_about_new_files=True,
)
NO_FOLDER = documented_rule(
    "SPC024",
    "policy-folder-is-there",
    """A folder that the setting `policies` names is there.

    If it is not, its rules are not asked, and everything seems to pass them.
    """,
    since="0.3.0",
    is_about_new_files=True,
)
NOT_TAKEN = documented_rule(
    "SPC025",
    "admission-policy-is-taken",
    """An admission policy is one that a cluster takes, and so is its binding.

    Each has a name of its own, validates or audits something, and says one thing only: a binding
    denies or warns, and its parameters are those of a name or of a selector.
    """,
    since="0.3.0",
    is_about_new_files=True,
)
NOT_EVALUATED = documented_rule(
    "POL013",
    "policy-is-evaluated",
    """What a rule or a policy of the cluster asks for is evaluated.

    Some of it cannot be known before it is applied: who applies it (`request.userInfo`,
    `authorizer`), labels of a namespace that is neither a companion nor among
    `references.provided`, parameters that do not lie here, webhooks and policies that change
    objects. That nothing was found then does not mean that the cluster takes an object.
    """,
    Severity.WARNING,
    since="0.3.0",
    is_about_new_files=True,
)
DENIED = documented_rule(
    "POL014",
    "admission-policy-is-kept",
    """An object keeps the admission policies of the cluster that lie in the policy folders.

    It is an error where a binding says `Deny`, a warning where it says `Warn`, and an info where it
    says `Audit`. What an expression says when it fails is decided by `failurePolicy`. Objects that
    a platform makes are looked at as well.
    """,
    since="0.3.0",
    is_about_new_files=True,
)
MATCHES_NOTHING = documented_rule(
    "POL015",
    "rule-matches-something",
    """What a rule matches by is there: kinds, platforms, environments and destinations.

    A rule about a kind or an environment of another name is never asked, and everything seems to
    keep it. Of several names, those are reported that look like a slip of one that is there.
    """,
    Severity.WARNING,
    since="0.3.0",
    is_about_new_files=True,
)
CRD_RULE = documented_rule(
    "MAN019",
    "object-meets-rules-of-the-crd",
    """A rendered object meets the rules in CEL of its CRD in `schemas/crds/`.

    The API server asks these rules (`x-kubernetes-validations`) when an object is created or
    changed, and refuses it if one does not hold. What they compare with the former object is
    asked in `diff`.

    Fails:

        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: scalers.example.com}
        spec:
          group: example.com
          scope: Namespaced
          names: {kind: Scaler, plural: scalers}
          versions:
            - name: v1
              served: true
              storage: true
              schema:
                openAPIV3Schema:
                  type: object
                  properties:
                    spec:
                      type: object
                      properties: {least: {type: integer}, most: {type: integer}}
                      x-kubernetes-validations: [{rule: self.least <= self.most}]
        ---
        apiVersion: example.com/v1
        kind: Scaler
        metadata: {name: flowers}
        spec: {least: 3, most: 2}

    Passes with:

        apiVersion: example.com/v1
        kind: Scaler
        metadata: {name: flowers}
        spec: {least: 2, most: 3}
    """,
    since="0.3.0",
)
CRD_RULES_UNEVALUATED = documented_rule(
    "MAN020",
    "rules-of-the-crd-are-evaluated",
    """The rules in CEL of a CRD in `schemas/crds/` are evaluated.

    That takes the extra `servingctl[cel]`; without it this is said once, at the first CRD that has
    rules. One that the engine cannot compile is named at its line. That nothing else was found
    does not mean that the cluster takes an object.
    """,
    Severity.INFO,
    since="0.3.0",
)
RULES = (
    NOT_A_RULE, SAME_CODE, NOT_COMPILED, EXAMPLE, NO_FOLDER, NOT_TAKEN, NOT_EVALUATED, DENIED,
    MATCHES_NOTHING, CRD_RULE, CRD_RULES_UNEVALUATED,
)  # fmt: skip

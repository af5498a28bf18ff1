"""References to objects of the cluster: that something makes these, and has the keys they need."""

from renderer.values.diagnostics import Severity, documented_rule

MISSING_OBJECT = documented_rule(
    "REF001",
    "referenced-object-is-there",
    """What specs and companions refer to is made here, or provided, where references are closed.

    Pods that name an object which is not there do not start, and controllers that do so wait: both
    without a word in the object that is at fault. A companion of that cluster and namespace makes
    it, a controller makes it of one (an ExternalSecret, a SealedSecret, a Certificate…), or the
    environment says under `references.provided` that it is there already.

    Fails: predictor: {serviceAccountName: reader}
    Passes: predictor: {serviceAccountName: default}
    """,
    since="0.2.0",
)
MISSING_KEY = documented_rule(
    "REF002",
    "referenced-key-is-there",
    """A Secret or ConfigMap has the keys that are needed of it, where its keys are known.

    Pods wait for a key that is missing, and start without it only if the reference is optional. The
    keys of a ConfigMap in Git are known, those that an ExternalSecret, SealedSecret or Certificate
    makes, and those that an environment says an object has. It is a warning where references are
    not closed.

    Fails:

        predictor: {model: {env: [{name: A, valueFrom: {secretKeyRef: {name: hub, key: tokn}}}]}}

    Passes:

        predictor: {model: {env: [{name: A, valueFrom: {secretKeyRef: {name: hub, key: token}}}]}}
    """,
    since="0.2.0",
)
OPEN_REFERENCES = documented_rule(
    "REF003",
    "references-are-known",
    """All that specs and companions refer to is made here, or provided.

    Where references are not closed, this lists what nothing here makes, to be put under
    `references.provided` of the environment; with `closed: true` a misspelt name is an error. It
    is said where there are companions, or settings of companions or references.
    """,
    Severity.INFO,
    since="0.2.0",
)
UNNEEDED = documented_rule(
    "REF004",
    "provided-object-is-needed",
    """Something refers to an object that an environment says is there already.

    Otherwise its name is perhaps misspelt, or what needed it has gone.
    """,
    Severity.INFO,
    since="0.2.0",
)
MADE_TWICE = documented_rule(
    "REF005",
    "provided-object-is-not-made-here",
    """What an environment says is there already is not made here as well.

    If both are true, two owners write one object, and the last one wins.
    """,
    Severity.WARNING,
    since="0.2.0",
)
MISFIT = documented_rule(
    "REF006",
    "provided-object-fits-its-kind",
    """An entry of `references.provided` fits its kind.

    Secrets and ConfigMaps have `keys`, Namespaces have `labels`, and what belongs to a whole
    cluster has no `namespace`. Its destination is one of the environment. A kind that servingctl
    does not know is written with its group, as `Kind.group`.

    Fails:

        references: {provided: [{kind: ServiceAccount, name: reader, keys: [token]}]}

    Passes:

        references: {provided: [{kind: ServiceAccount, name: reader}]}
    """,
    since="0.2.0",
)
RULES = (MISSING_OBJECT, MISSING_KEY, OPEN_REFERENCES, UNNEEDED, MADE_TWICE, MISFIT)

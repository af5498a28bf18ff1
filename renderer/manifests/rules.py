"""What can be wrong with a rendered object."""

from renderer.values.diagnostics import Severity, documented_rule

TEMPLATE = documented_rule(
    "MAN001",
    "template-works",
    """A template can be read and uses only what it is given.

    Templates place values; the language has loops and conditions and nothing that computes.
    """,
)
NOT_YAML = documented_rule(
    "MAN002",
    "template-makes-yaml",
    """What a template makes is one YAML mapping, with nothing in it that readers dispute.
    """,
)
OBJECT_SHAPE = documented_rule(
    "MAN003",
    "object-fits",
    """A rendered object has the shape that the platform stores.

    The platform drops or rejects what does not fit; the specs were checked before, so the
    template is at fault.
    """,
)
CRD_SHAPE = documented_rule(
    "MAN004",
    "object-fits-the-crd",
    """A rendered object fits the CRD that the repository keeps in `schemas/crds/`.

    The cluster that the CRD was taken from would reject the object or drop parts of it.
    """,
)
KUBERNETES_SHAPE = documented_rule(
    "MAN017",
    "object-fits-kubernetes",
    """An object beside a spec fits the schema of the Kubernetes that it goes to.

    The API server refuses values of another type and objects that lack a field, and drops fields
    that it does not know. The version is that of the destination, or of its environment
    (`kubernetes: {version: "1.33"}`), else the newest that is known here. Checked where the extra
    `servingctl[kubernetes]` is installed; custom kinds are checked against `schemas/crds/`.

    Fails:

        apiVersion: v1
        kind: Service
        spec: {ports: [{port: 80, prot: TCP}]}

    Passes:

        apiVersion: v1
        kind: Service
        spec: {ports: [{port: 80, protocol: TCP}]}
    """,
    since="0.2.0",
)
SAME_OBJECT = documented_rule(
    "MAN006",
    "object-once",
    """Two specs do not render to the same object.

    The second would overwrite the first.
    """,
)
DISPUTED = documented_rule(
    "MAN007",
    "one-meaning-of-output",
    """Every reader gets the same data from a rendered file.
    """,
)

SAME_CLUSTER = documented_rule(
    "MAN008",
    "object-once-per-cluster",
    """An object is rendered once for a cluster, whatever the number of its destinations.

    Two GitOps applications would own it: each overwrites the other's changes, and either may delete
    it.
    """,
)
SHARED = documented_rule(
    "MAN009",
    "prerequisite-once-per-cluster",
    """What several environments need in one cluster comes from one of them.

    Two GitOps applications would own it, and either may delete it while the other needs it.
    """,
    Severity.WARNING,
)

CHANGED_VALUE = documented_rule(
    "MAN012",
    "template-keeps-what-was-checked",
    """A template of the repository's own writes the names that the spec says.

    They were checked in the spec, and what else is rendered depends on them: an object that names
    others is checked by nobody.
    """,
)
APPLIED_OTHERWISE = documented_rule(
    "MAN016",
    "template-keeps-the-order",
    """A template of the repository's own does not change how or when its object is applied.

    Prerequisites are applied before what refers to them; hooks, sync waves and marks of kustomize
    or Flux in a template must not change that, as they must not in a spec (SPC007).
    """,
)
ANNOTATIONS_SIZE = documented_rule(
    "MAN013",
    "annotations-fit",
    """The annotations of an object have 256 KiB together at most, their keys included.

    The API server refuses the object otherwise.
    """,
)
OBJECT_SIZE = documented_rule(
    "MAN014",
    "object-can-be-stored",
    """An object has about 1.5 MiB at most.

    etcd takes no larger request by default, and the API server stores the object there.
    """,
)
LAST_APPLIED_SIZE = documented_rule(
    "MAN015",
    "object-can-be-applied-by-clients",
    """An object that is applied client-side fits into an annotation.

    Client-side apply, the way of `kubectl apply` and of Argo CD unless told otherwise, copies the
    whole object into the annotation `last-applied-configuration`, and all annotations together have
    256 KiB at most. Server-side apply copies nothing.
    """,
    Severity.WARNING,
)

RULES = (
    TEMPLATE,
    NOT_YAML,
    OBJECT_SHAPE,
    CRD_SHAPE,
    KUBERNETES_SHAPE,
    SAME_OBJECT,
    DISPUTED,
    SAME_CLUSTER,
    SHARED,
    CHANGED_VALUE,
    APPLIED_OTHERWISE,
    ANNOTATIONS_SIZE,
    OBJECT_SIZE,
    LAST_APPLIED_SIZE,
)

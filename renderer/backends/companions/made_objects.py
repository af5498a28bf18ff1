"""What is there because of companions, and in every cluster: tables of kinds, names and keys."""

from collections.abc import Iterator

from renderer.backends.companions.kinds import row_of
from renderer.backends.companions.mentions import path
from renderer.backends.companions.table import ROWS, Path
from renderer.backends.fields import text
from renderer.kubernetes.mentions import named_nodes
from renderer.text.expressions import expression
from renderer.values.model import Spec
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

#: The policy of what adds its keys to those of an object that something else makes.
_ADDS = "Merge"
#: Claims of so many pods at most are looked at by their names.
_MOST_CLAIMS = 1000


class MadeObject(NamedTuple):
    """What a controller makes of a companion: its kind, and where it takes the name from.

    Without a name at the first of these places it has that of the companion. If it is one `of_each`
    item of a list, the name is in the item. `keys` lead to names of its keys, `members` to
    mappings whose keys it has; `fixed` are keys that it always has. If something is at one of the
    `open_at`, or if it only adds to what is there, as the word at `adds_at` says, there may be
    others.
    """

    kind: str
    names: tuple[Path, ...] = ()
    of_each: Path = ()
    keys: tuple[Path, ...] = ()
    members: tuple[Path, ...] = ()
    fixed: tuple[str, ...] = ()
    open_at: tuple[Path, ...] = ()
    adds_at: Path = ()


def _paths(*texts: str) -> tuple[Path, ...]:
    return tuple(map(path, texts))


_EXTERNAL = "spec.externalSecretSpec"
MADE: dict[str, MadeObject] = {
    "ConfigMap": MadeObject("ConfigMap", members=_paths("data", "binaryData")),
    "Secret": MadeObject("Secret", members=_paths("data", "stringData")),
    "ExternalSecret": MadeObject(
        "Secret",
        _paths("spec.target.name"),
        keys=_paths("spec.data.*.secretKey"),
        open_at=_paths("spec.dataFrom", "spec.target.template"),
        adds_at=path("spec.target.creationPolicy"),
    ),
    "ClusterExternalSecret": MadeObject(
        "Secret",
        _paths(f"{_EXTERNAL}.target.name", "spec.externalSecretName"),
        keys=_paths(f"{_EXTERNAL}.data.*.secretKey"),
        open_at=_paths(f"{_EXTERNAL}.dataFrom", f"{_EXTERNAL}.target.template"),
        adds_at=path(f"{_EXTERNAL}.target.creationPolicy"),
    ),
    "SealedSecret": MadeObject(
        "Secret",
        _paths("spec.template.metadata.name"),
        members=_paths("spec.encryptedData", "spec.template.data"),
    ),
    "SecretProviderClass": MadeObject(
        "Secret", _paths("secretName"), path("spec.secretObjects"), open_at=_paths("spec")
    ),
    "Certificate": MadeObject(
        "Secret",
        _paths("spec.secretName"),
        fixed=("tls.crt", "tls.key", "ca.crt"),
        open_at=_paths("spec.keystores", "spec.additionalOutputFormats"),
    ),
}
#: Kinds of objects that controllers name after a companion, in their own ways.
_DERIVED = {"Gateway.gateway.networking.k8s.io": frozenset({"Service", "Deployment"})}
#: What can be said of what is there already.
_SAID_OF = {"Secret": ("keys",), "ConfigMap": ("keys",), "Namespace": ("labels",)}
#: What every cluster has, or makes in every namespace: patterns of whole names by kind.
_ALWAYS = {
    "ServiceAccount": "default",
    "ConfigMap": r"kube-root-ca\.crt",
    "PriorityClass": "system-.+",
    "Namespace": "default|kube-.+",
    "ClusterRole": "admin|cluster-admin|edit|view|system:.+",
    "Service": "kubernetes",
}


def makes(spec: Spec) -> Iterator[tuple[str, str]]:
    """The kinds and names of the objects that are there because of a companion."""
    yield spec.kind.name, spec.name
    made = MADE.get(spec.kind.name)
    if made and made.of_each:
        listing = spec.tree.get(*made.of_each)
        for item in listing.elements if listing else ():
            yield from ((made.kind, name) for name in _given(item, made))
    elif made:
        yield made.kind, next(_given(spec.tree, made), spec.name)
    yield from (("PersistentVolumeClaim", name) for name in _claims(spec))


def _given(tree: Node, made: MadeObject) -> Iterator[str]:
    return filter(None, (text(tree, *place) for place in made.names))


def _claims(spec: Spec) -> Iterator[str]:
    """The claims that the pods of a set have each for itself."""
    listing = spec.tree.get("spec", "volumeClaimTemplates")
    names = [text(item, "metadata", "name") for item in (listing.elements if listing else ())]
    pods, start = (
        spec.tree.get("spec", *steps) for steps in (("replicas",), ("ordinals", "start"))
    )
    first = start.value if start and isinstance(start.value, int) else 0
    number = pods.value if pods and isinstance(pods.value, int) else 1
    for ordinal in range(first, first + min(number, _MOST_CLAIMS)) if names else ():
        yield from (f"{name}-{spec.name}-{ordinal}" for name in names)


def made_keys(spec: Spec, kind: str) -> frozenset[str] | None:
    """The keys of the Secret or ConfigMap that is there because of a companion, if they are known.

    A Secret whose text is encrypted has its keys in plain sight; of one without any data, a
    controller knows them.
    """
    made = MADE.get(spec.kind.name)
    if made is None or made.kind != kind:
        return None
    is_added = bool(made.adds_at) and text(spec.tree, *made.adds_at) == _ADDS
    if is_added or any(spec.tree.get(*place) for place in made.open_at):
        return None
    found = {*made.fixed}
    found.update(str(node.value) for place in made.keys for node in named_nodes(spec.tree, place))
    for place in made.members:
        node = spec.tree.get(*place)
        found.update(node.items if node else ())
    is_known = found or spec.kind.name in _MAY_BE_EMPTY
    return frozenset(found) if is_known else None


_MAY_BE_EMPTY = frozenset({"ConfigMap"})


def derives(kind: str) -> frozenset[str]:
    """The kinds of what controllers make of companions and name after them, somehow."""
    return _DERIVED.get(kind, frozenset())


def is_always_there(kind: str, name: str) -> bool:
    """Whether every cluster has such an object, and every namespace of it."""
    form = _ALWAYS.get(kind)
    return bool(form and expression(form).fullmatch(name))


def provided_fields(kind: str) -> frozenset[str]:
    """What may be said of an object of a kind that is there already, beside its kind and name."""
    row = row_of(kind)
    fields = {"destination", *(("namespace",) if row.is_namespaced else ())}
    return frozenset((*fields, *_SAID_OF.get(kind, ())))


def known_kinds() -> list[str]:
    """The kinds that the table has, to find one that is misspelt."""
    return [row.kind for row in ROWS]


def group_of(kind: str) -> str:
    """The group of a kind by the name that its specs have."""
    return row_of(kind).group

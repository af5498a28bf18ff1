"""The rights that Flux needs where it is said which kinds may be added."""

from collections.abc import Iterable, Sequence
from functools import reduce

from renderer.bootstrap.documents import CommentedObject
from renderer.bootstrap.places import AppliedFolder, stored_kinds
from renderer.values.objects import ObjectType, PermittedKinds
from renderer.values.tree import Plain

#: Words that are plurals already.
_PLURALS = ("endpoints",)
_VOWELS = "aeiou"
_VERBS = ("get", "list", "watch", "create", "patch", "delete")
_COMMENT = (
    "What an account needs that applies these destinations: the kinds of platforms, and those of "
    "`companions.allow`. Nobody has it by this: bind it in each cluster to whom the kubeconfig "
    "names, or to the account of `serviceAccountName`."
)


def flux_role(places: Sequence[AppliedFolder], name: str) -> CommentedObject | None:
    """A ClusterRole, where all environments list the kinds that people may add.

    Rights only add, so that "all kinds but these", which holds without such a list, is not to be
    said in one.
    """
    permitted = reduce(PermittedKinds.joined, (place.permitted for place in places))
    given = permitted.namespaced | permitted.cluster_wide
    if permitted.refused is not None or not given:
        return None
    own = {ObjectType(item.group, item.kind) for item in stored_kinds(places)}
    role: dict[str, Plain] = {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "ClusterRole",
        "metadata": {"name": name},
        "rules": rules_of(own | given),
    }
    return CommentedObject(_COMMENT, role)


def rules_of(types: Iterable[ObjectType]) -> list[Plain]:
    """What an account needs to apply, judge and prune objects: a rule for each group."""
    by_group: dict[str, list[Plain]] = {}
    for item in sorted(types):
        by_group.setdefault(item.group, []).append(plural(item.kind))
    return [
        {"apiGroups": [group], "resources": names, "verbs": list(_VERBS)}
        for group, names in by_group.items()
    ]


def plural(kind: str) -> str:
    """By the rule that nearly all kinds follow; a CRD may say otherwise."""
    word = kind.lower()
    if word in _PLURALS:
        return word
    if word.endswith("s"):
        return f"{word}es"
    if word.endswith("y") and word[-2:-1] not in _VOWELS:
        return f"{word[:-1]}ies"
    return f"{word}s"

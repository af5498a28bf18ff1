"""Kinds of companions: by their names, and as the objects in files say."""

from functools import cache

from renderer.backends.companions.list_keys import list_keys
from renderer.backends.companions.table import (
    COMPLETE_GROUPS,
    FORMER_GROUPS,
    ROWS,
    TOOL_GROUPS,
    ObjectKind,
)
from renderer.text.expressions import expression
from renderer.values.kinds import DROP, CopiedFiles, Kind, TextFiles

SCHEMA = "spec/companion.json"
#: What SOPS adds to a file: how it is encrypted, and a checksum of its values.
SOPS = "sops"
#: Where an environment steers what has no words of ours in it.
STEERED_AT = ("companions", "specs")
_KIND = expression(r"[A-Z][A-Za-z0-9]{0,62}")
_GROUP = expression(r"[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)+")
_BY_NAME = {(row.kind, row.group): row for row in ROWS}
#: What these kinds have below certain keys is the user's own, and encrypted.
_DATA_KEYS = {
    ("SealedSecret", "bitnami.com"): frozenset(("encryptedData",)),
    ("Secret", ""): frozenset((SOPS,)),
}
#: Of these kinds, files that SOPS encrypted are copied.
_COPIED = {("Secret", ""): CopiedFiles(SOPS, STEERED_AT)}
#: Texts of files for the data of these kinds.
_TEXTS = {
    ("ConfigMap", ""): (TextFiles(("data", "*"), "companions/config", has_variables=True),),
}


@cache
def find(kind: str, group: str | None) -> Kind | None:
    """A kind of object; without a group, the only one that has this name in the table."""
    if group is None:
        rows = [row for row in ROWS if row.kind == kind]
        return _known_kind(rows[0]) if len(rows) == 1 else None
    row = _BY_NAME.get((kind, group))
    if row is not None:
        return _known_kind(row)
    if group in FORMER_GROUPS and any(row.kind == kind for row in ROWS):
        return _kind(ObjectKind(kind, group))
    if group in COMPLETE_GROUPS or group in TOOL_GROUPS:
        return None
    is_named = _KIND.fullmatch(kind) and _GROUP.fullmatch(group)
    return _kind(ObjectKind(kind, group))._replace(is_described=False) if is_named else None


@cache
def row_of(name: str) -> ObjectKind:
    """What the table says of a kind by the name that its specs have."""
    kind, _, group = name.partition(".")
    rows = [row for row in ROWS if row.kind == kind and (row.group == group or name == kind)]
    return rows[0] if rows else ObjectKind(kind, group)


def _known_kind(row: ObjectKind) -> Kind:
    return _kind(row)._replace(list_keys=list_keys(row))


def _kind(row: ObjectKind) -> Kind:
    return Kind(
        name_of(row),
        SCHEMA,
        prerequisite=True,
        cluster_wide=not row.is_namespaced,
        metadata=("metadata",),
        drops=(DROP,),
        data_keys=_DATA_KEYS.get((row.kind, row.group), frozenset()),
        text_files=_TEXTS.get((row.kind, row.group), ()),
        is_open=True,
        name_in=("metadata",),
        given_stage=row.stage,
        copied=_COPIED.get((row.kind, row.group)),
    )


def name_of(row: ObjectKind) -> str:
    """The kind alone for core, and where no other group of the table has it."""
    others = [other for other in ROWS if other.kind == row.kind and other.group != row.group]
    is_alone = row in ROWS and not others
    return row.kind if not row.group or is_alone else f"{row.kind}.{row.group}"

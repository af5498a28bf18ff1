"""Kuscia's table: kinds of change with their sentences, and the rows of edits."""

from collections.abc import Mapping

from renderer.backends.kuscia.app_image import APP_IMAGE
from renderer.backends.kuscia.behaviour import app_image_rows, serving_rows
from renderer.backends.kuscia.behaviour.app_image_change_kinds import IMAGE_CHANGES
from renderer.backends.kuscia.behaviour.change_kinds import OBJECT_CHANGES, SERVING_CHANGES
from renderer.backends.kuscia.behaviour.situations import is_followed_now, party_sort, settings_of
from renderer.backends.kuscia.dialect import NEWEST
from renderer.derive.behaviour import Behaviour, ChangeKind, Setting, Situation
from renderer.derive.pods import surge_of
from renderer.values.changes import Effect

_COLLIDES = (
    " Under runp a new pod cannot start beside the old one on a node (inferred): it may never end."
)
#: Maps of files, by names that anybody may choose.
FREE_KEYS = frozenset(("configTemplates",))
_INSTEAD = " Change the strategy to Recreate first."


def _warn_of_collision(kind: ChangeKind) -> ChangeKind:
    """The kind with room for a warning, where pods are replaced: both must fit on a node."""
    if not kind.replaces_pods or kind.effect is Effect.BREAKS:
        return kind
    said = kind.consequence
    seen = said if "{observed}" in said else f"{said.removesuffix('.')}{{observed}}."
    return kind._replace(
        consequence=f"{seen}{{collides}}", advice=f"{kind.advice}{{collides_advice}}"
    )


#: The controller never recomputes a Deployment: it compares a handful of fields and leaves the
#: rest, and Services and ConfigMaps that exist, as they are.
KINDS = {
    name: _warn_of_collision(kind)
    for name, kind in {**OBJECT_CHANGES, **SERVING_CHANGES, **IMAGE_CHANGES}.items()
}

ROWS = (*serving_rows.ROWS, *app_image_rows.ROWS)


def _words(situation: Situation) -> Mapping[str, str]:
    unit = situation.new_unit or situation.old_unit
    surges = unit is not None and any(surge_of(pods, 1) for pods in unit.pods)
    collides = settings_of(situation).dialect.shares_ports and surges
    return {
        "collides": _COLLIDES if collides else "",
        "collides_advice": _INSTEAD if collides else "",
        "race": "",
    }


def _setting(situation: Situation) -> Setting:
    """An edit of an AppImage does more where its serving is updated as well."""
    is_updated = situation.source == APP_IMAGE and is_followed_now(situation)
    version = settings_of(situation).dialect.version or NEWEST
    mode = "updated" if is_updated else ""
    return Setting("kuscia", version, mode, party_sort(situation), FREE_KEYS)


def behaviour() -> Behaviour:
    """How Kuscia follows an edit of a serving or of an AppImage that it uses."""
    return Behaviour(KINDS, ROWS, _setting, _words)

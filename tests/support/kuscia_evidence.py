"""What recordings show of edits at Kuscia: of servings, and of the AppImages that they use."""

from renderer import render
from renderer.backends.kuscia.behaviour.table import FREE_KEYS
from renderer.changes.objects import changed_objects
from renderer.derive.behaviour import NOTHING
from renderer.derive.evidence import edit_text
from renderer.values.objects import Output
from tests.support.evidence import Evidence
from tests.support.kuscia_edits import NAMES, described, sides_of, units_of

#: The release whose controllers are those that ran.
_VERSION = "1.1.0b0"
_PARTIES, _WHOLE = ("spec", "parties"), 3
_SERVING, _IMAGE = "Serving", "AppImage"


def evidence(names=NAMES):
    """What each row shows of the parties that its edit concerns."""
    for name in names:
        place = described(name)["destination"]
        sides = (side if isinstance(side, Output) else render(side) for side in sides_of(name))
        changes = [*changed_objects(*(side.manifests for side in sides))]
        servings = [item for item in changes if _kind(item) == _SERVING]
        images = [item for item in changes if _kind(item) == _IMAGE and item.destination == place]
        for change in _edits(servings, images):
            for (stem, party), seen in units_of(name):
                serving = next((item for item in servings if item.manifest.spec.stem == stem), None)
                if _is_concerned(change, serving, party):
                    is_home = serving is None or serving.destination == place
                    yield _evidence(change, serving, seen["classes"], is_home, name)


def _edits(servings, images):
    """The objects of which an edit shows something: one serving, or the AppImage that it uses.

    A serving that only follows its AppImage shows nothing of its own, unless it refers to another.
    """
    if len(servings) == 1 and not (images and _is_update(servings[0])):
        yield servings[0]
    elif len(images) == 1 and all(map(_is_update, servings)):
        yield images[0]
        if images[0].is_renamed and len(servings) == 1:
            yield servings[0]


def _evidence(change, serving, classes, is_home, name):
    is_image = _kind(change) == _IMAGE
    mode = "updated" if is_image and _is_noticed(serving, is_home=is_home) else ""
    is_renamed = change.is_renamed and not is_image
    edit = "(renamed)" if is_renamed else edit_text(change, FREE_KEYS)
    outcomes = ["recreate"] if is_renamed and classes else classes or [NOTHING]
    unit = "party" if is_home else "partner"
    return Evidence(_VERSION, mode, _kind(change), unit, edit, frozenset(outcomes), name)


def _is_update(change):
    return change.before and change.after and not change.is_renamed


def _is_noticed(serving, *, is_home):
    """Whether a Kuscia looks at the serving: partners are sent its spec alone."""
    if serving is None:
        return False
    return is_home or any(item.path[0] == "spec" for item in serving.changes)


def _is_concerned(change, serving, party):
    """Whether the edit is about a party: its own fields, its AppImage, or the whole serving."""
    if _kind(change) == _SERVING:
        return not change.changes or any(
            item.path[:2] != _PARTIES or len(item.path) <= _WHOLE or item.path[2] == f"[{party}]"
            for item in change.changes
        )
    if serving is None:
        return True
    names = {side.tree.plain()["metadata"]["name"] for side in change.sides}
    domain, _, role = party.partition("/")
    return any(
        item["domainID"] == domain
        and item.get("role", "") in ("", role)
        and item["appImageRef"] in names
        for side in serving.sides
        for item in side.tree.plain()["spec"]["parties"]
    )


def _kind(change):
    return change.manifest.spec.kind.name

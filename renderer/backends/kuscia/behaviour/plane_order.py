"""AppImages that must be at other control planes before a KusciaDeployment is applied.

Each control plane has a GitOps controller of its own, and none waits for another. A partner's copy
that comes before its AppImage fails, and is not looked at again when the AppImage comes (observed).
"""

from collections.abc import Iterable

from renderer.backends.kuscia.app_image import APP_IMAGE
from renderer.backends.kuscia.behaviour.situations import new_party, settings_of
from renderer.backends.kuscia.derive.planes import Plane
from renderer.backends.kuscia.derive.problems import PlaneView, plane_views
from renderer.derive.behaviour import Situation
from renderer.text.wording import listed
from renderer.values.derivations import Applied


def order_of_creation(situation: Situation) -> str:
    """What the control plane of a new unit must have: the AppImages of all parties."""
    after = situation.after
    views = [view for view in _other_views(after) if situation.unit in view.own]
    if after is None or not views:
        return ""
    images = (party.image_name for party in views[0].serving.parties)
    return _advice(situation, images, [views[0].plane])


def order_of_reference(situation: Situation) -> str:
    """Where else the AppImage must be that a party refers to now.

    Of a partner that runs the same image, this is said with the partner's own unit.
    """
    party = new_party(situation)
    if party is None:
        return ""
    image, unit = party.image_name, situation.unit
    planes = [
        view.plane
        for view in _other_views(situation.after)
        if not _had_image(situation.before, view.plane, image)
        and (view.plane.is_ours or unit in view.own or not _runs(view, image))
    ]
    return _advice(situation, [image], planes)


def _other_views(after: Applied | None) -> list[PlaneView]:
    """The control planes that are sent a copy."""
    views = plane_views(after) if after else ()
    return [view for view in views if after and view.plane.cluster != after.cluster]


def _runs(view: PlaneView, image: str) -> bool:
    return any(party.image_name == image for party in view.own.values())


def _had_image(before: Applied | None, plane: Plane, image: str) -> bool:
    """Whether it was at a control plane; of a partner's, nothing is known but what ran."""
    if before is None:
        return False
    if plane.is_ours:
        return (APP_IMAGE, "", image) in before.needed.get(plane.cluster, {})
    return any(
        party.image_name == image for view in plane_views(before) for party in view.own.values()
    )


def _advice(situation: Situation, images: Iterable[str], planes: list[Plane]) -> str:
    if not planes:
        return ""
    names = list(dict.fromkeys(images))
    what = f"AppImage{'s' if len(names) > 1 else ''} {listed(f'`{name}`' for name in names)}"
    places = listed(f"`{name}`" for name in dict.fromkeys(map(_title, planes)))
    return (
        f"The {what} must be at {places} before the KusciaDeployment is applied, or the copy there "
        f"stays failed until it is touched itself: {_way(situation, planes)}."
    )


def _title(plane: Plane) -> str:
    """The destination that a control plane is, or the partner's domain."""
    return next(filter(None, plane.places.values()), "") or next(iter(plane.places))


def _way(situation: Situation, planes: list[Plane]) -> str:
    """How to keep the order; a name by content comes with the commit that refers to it."""
    if not any(plane.is_ours for plane in planes):
        return "ask the partner first"
    if settings_of(situation).names_images_by_content:
        return "let the controller there apply this commit first"
    return "merge the AppImage in a commit before"

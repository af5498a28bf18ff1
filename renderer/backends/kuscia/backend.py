"""Kuscia's functions for each of its kinds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from renderer.backends.base import BackendFunctions, Importer, KindFunctions, lazy
from renderer.backends.kuscia import app_image, plans, serving
from renderer.backends.kuscia.rules.registry import app_image_rules, serving_rules
from renderer.backends.kuscia.settings import KusciaSettings, control_planes
from renderer.text.wording import listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from renderer.backends.kuscia.api.app_images import export as export_image
    from renderer.backends.kuscia.api.servings import export as export_serving
    from renderer.backends.kuscia.behaviour.table import behaviour
    from renderer.backends.kuscia.derive.units import derive
    from renderer.backends.kuscia.imports.amounts import amounts_to
    from renderer.backends.kuscia.imports.conversion import convert, destinations
    from renderer.backends.kuscia.picture import draw_serving, known_places
    from renderer.backends.kuscia.skeletons import app_image as image_skeleton
    from renderer.backends.kuscia.skeletons import serving as serving_skeleton
    from renderer.backends.kuscia.status.serving_status import related, status
    from renderer.values.diagnostics import Rule
    from renderer.values.model import Environment, Spec
else:
    _HERE = "renderer.backends.kuscia"
    (export_image,) = lazy(f"{_HERE}.api.app_images", "export")
    (export_serving,) = lazy(f"{_HERE}.api.servings", "export")
    (amounts_to,) = lazy(f"{_HERE}.imports.amounts", "amounts_to")
    convert, destinations = lazy(f"{_HERE}.imports.conversion", "convert", "destinations")
    draw_serving, known_places = lazy(f"{_HERE}.picture", "draw_serving", "known_places")
    (behaviour,) = lazy(f"{_HERE}.behaviour.table", "behaviour")
    (derive,) = lazy(f"{_HERE}.derive.units", "derive")
    image_skeleton, serving_skeleton = lazy(f"{_HERE}.skeletons", "app_image", "serving")
    related, status = lazy(f"{_HERE}.status.serving_status", "related", "status")


def _image_rules() -> tuple[Rule, ...]:
    return (*serving_rules(), *app_image_rules())


def _names_by_content(_spec: Spec, environment: Environment) -> bool:
    """A new name is what makes Kuscia look at an AppImage again, at partners too."""
    return KusciaSettings.of(environment).names_images_by_content


def _needs(environment: Environment) -> Iterator[str]:
    """What the configuration managers of the domains must provide."""
    from renderer.backends.kuscia.config_templates.config_files import config_keys

    for key in config_keys(environment):
        state = "declared" if key.declared else "not declared in kuscia.config_keys"
        yield f"configuration {key.name} in {', '.join(key.domains)} ({state})"


def _order(environment: Environment) -> Iterator[str]:
    """A copy whose AppImage comes later stays failed until somebody touches it (observed)."""
    planes = [plane.title for plane in control_planes(environment, ())]
    if len(planes) > 1:
        yield (
            f"AppImages must be at {listed(planes)} before a KusciaDeployment uses them, and no "
            "controller waits for another: add one in one commit, use it in the next"
        )


FUNCTIONS = BackendFunctions(
    kinds={
        "Serving": KindFunctions(
            rules=serving_rules,
            view=serving.view,
            pods=serving.pods,
            plan=plans.plan_serving,
            references=serving.references,
            route=serving.placement,
            derive=derive,
            behaviour=behaviour,
            picture=draw_serving,
            skeleton=serving_skeleton,
            export=export_serving,
            related=related,
            status=status,
        ),
        "AppImage": KindFunctions(
            rules=_image_rules,
            view=app_image.view,
            pods=app_image.pods,
            plan=plans.plan_app_image,
            named_by_content=_names_by_content,
            skeleton=image_skeleton,
            export=export_image,
        ),
    },
    environment_rules=serving_rules,
    needs=_needs,
    order=_order,
    places=known_places,
    importer=Importer(convert, amounts_to, destinations),
)

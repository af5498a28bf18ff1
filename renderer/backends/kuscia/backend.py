"""Kuscia's functions for each of its kinds; what few commands need is imported when it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from renderer.backends.base import BackendFunctions, Importer, KindFunctions
from renderer.backends.kuscia import app_image, app_image_plan, serving, serving_plan
from renderer.backends.kuscia.rules.registry import app_image_rules, serving_rules
from renderer.backends.kuscia.settings import KusciaSettings

if TYPE_CHECKING:  # of other commands than most
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from renderer.values.changes import Change, Demand, Impact, ObjectChange, State, UnitImpacts
    from renderer.values.diagnostics import Rule
    from renderer.values.imports import Imported, Skipped, Source, Surroundings
    from renderer.values.live import Query
    from renderer.values.model import Environment, Spec
    from renderer.values.picture import Picture
    from renderer.values.previews import Applied, UnitPreview
    from renderer.values.requests import ApiRequest, ExportRequest
    from renderer.values.statuses import ObjectStatus, Observed
    from renderer.values.tree import Node, Plain


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


def _picture(spec: Spec, environment: Environment) -> Picture:
    """A serving with its parties and their control planes."""
    from renderer.backends.kuscia.picture import draw_serving

    return draw_serving(spec, environment)


def _overview(environment: Environment) -> Picture:
    """The control planes, their domains, and the servings between them."""
    from renderer.backends.kuscia.overview import draw_environment

    return draw_environment(environment)


def _preview(applied: Applied, options: Mapping[str, tuple[str, ...]]) -> Iterator[UnitPreview]:
    """The parties of a serving, each at the control plane that runs it."""
    from renderer.backends.kuscia.preview.units import preview_units

    return preview_units(applied, options["config-key"])


def _serving_impacts(
    change: ObjectChange, before: State, after: State
) -> Iterator[tuple[Change | None, Impact]]:
    from renderer.backends.kuscia.impact import servings

    return servings.impacts(change, before, after)


def _image_impacts(
    change: ObjectChange, before: State, after: State
) -> Iterator[tuple[Change | None, Impact]]:
    from renderer.backends.kuscia.impact import app_images

    return app_images.impacts(change, before, after)


def _settle(impact: Impact, together: Collection[Impact]) -> Impact:
    from renderer.backends.kuscia.impact import blocking

    return blocking.settle(impact, together)


def _demands(
    change: ObjectChange, impacts: UnitImpacts, before: State, after: State
) -> Iterator[Demand]:
    from renderer.backends.kuscia.impact import demand

    return demand.demands(change, impacts, before, after)


def _serving_skeleton(name: str, environment: Environment) -> str:
    from renderer.backends.kuscia.skeletons import serving

    return serving(name, environment)


def _image_skeleton(name: str, environment: Environment) -> str:
    from renderer.backends.kuscia.skeletons import app_image

    return app_image(name, environment)


def _export_serving(wanted: ExportRequest) -> ApiRequest:
    from renderer.backends.kuscia.api import servings

    return servings.export(wanted)


def _export_image(wanted: ExportRequest) -> ApiRequest:
    from renderer.backends.kuscia.api import app_images

    return app_images.export(wanted)


def _convert(source: Source, around: Surroundings) -> Iterator[Imported | Skipped]:
    from renderer.backends.kuscia.imports.conversion import convert

    return convert(source, around)


def _amounts_to(tree: Node, environment: Environment) -> Node:
    from renderer.backends.kuscia.imports.amounts import amounts_to

    return amounts_to(tree, environment)


def _destinations(specs: Sequence[Imported]) -> list[Plain]:
    from renderer.backends.kuscia.imports.conversion import destinations

    return destinations(specs)


def _related(applied: Applied, destination: str) -> Iterator[Query]:
    from renderer.backends.kuscia.status.serving_status import related

    return related(applied, destination)


def _status(observed: Observed) -> ObjectStatus:
    """What Kuscia says of a serving, and whether that is true."""
    from renderer.backends.kuscia.status.serving_status import status

    return status(observed)


FUNCTIONS = BackendFunctions(
    kinds={
        "Serving": KindFunctions(
            rules=serving_rules,
            view=serving.view,
            plan=serving_plan.plan,
            references=serving.references,
            route=serving.place,
            units=serving.units,
            impacts=_serving_impacts,
            settle=_settle,
            demands=_demands,
            preview=_preview,
            picture=_picture,
            skeleton=_serving_skeleton,
            export=_export_serving,
            related=_related,
            status=_status,
        ),
        "AppImage": KindFunctions(
            rules=_image_rules,
            view=app_image.view,
            pods=app_image.pods,
            plan=app_image_plan.plan,
            named_by_content=_names_by_content,
            impacts=_image_impacts,
            settle=_settle,
            demands=_demands,
            skeleton=_image_skeleton,
            export=_export_image,
        ),
    },
    environment_rules=serving_rules,
    needs=_needs,
    overview=_overview,
    importer=Importer(_convert, _amounts_to, _destinations),
)

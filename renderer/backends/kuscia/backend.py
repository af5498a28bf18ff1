"""Kuscia as a backend: its kinds, and where the rest is to be found when it is needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from renderer.backends.base import BackendFunctions, KindFunctions
from renderer.values.model import (
    Environment,
    Placement,
    Reference,
    Render,
    Scene,
    Spec,
    Summary,
    Unit,
)

if TYPE_CHECKING:  # of other commands than most
    from collections.abc import Iterator, Mapping, Sequence

    from renderer.values.changes import Change, Demand, Impact, ObjectChange, State, UnitImpacts
    from renderer.values.diagnostics import Rule
    from renderer.values.picture import Picture
    from renderer.values.previews import Applied, UnitPreview
    from renderer.values.tree import Node


def _serving_rules() -> tuple[Rule, ...]:
    from renderer.backends.kuscia.rules import servings

    return servings.RULES


def _image_rules() -> tuple[Rule, ...]:
    from renderer.backends.kuscia.rules import appimages, servings

    return (*servings.RULES, *appimages.RULES)


def _serving_view(spec: Spec, environment: Environment, users: Sequence[Summary]) -> object:  # noqa: ARG001
    from renderer.backends.kuscia.serving import Serving

    return Serving.of(spec, environment)


def _image_view(spec: Spec, environment: Environment, users: Sequence[Summary]) -> object:
    from renderer.backends.kuscia.appimage import AppImage

    return AppImage.of(spec, environment, users)


def references(spec: Spec) -> Iterator[Reference]:
    """The AppImages of a serving's parties."""
    common = spec.tree.get("app_image")
    for index, party in enumerate(_parties(spec)):
        own = party.get("app_image")
        node = own or common
        if node and isinstance(node.value, str):
            path = ("parties", index, "app_image") if own else ("app_image",)
            yield Reference("AppImage", str(node.value), path, index)


def units(spec: Spec) -> Iterator[Unit]:
    """The parties of a serving, named by domain and, where there is one, role."""
    for index, party in enumerate(_parties(spec)):
        named = (party.get("domain_id"), party.get("role"))
        name = "/".join(str(node.value) for node in named if node and node.value)
        yield Unit(name, ("parties", index))


def place(spec: Spec, environment: Environment) -> Placement:
    """The deployment goes to the initiator's control plane, its images to every party's."""
    from renderer.backends.kuscia.serving import owners, text

    owned = owners(environment)
    domains = (text(party, "domain_id") for party in _parties(spec))
    needed = {item.name: item for domain in domains for item in owned.get(domain, ())}
    return Placement(owned.get(text(spec.tree, "initiator"), ()), tuple(needed.values()))


def needs(environment: Environment) -> Iterator[str]:
    """What the configuration managers of the domains must provide."""
    from renderer.backends.kuscia.configtemplates.needs import config_keys

    for key in config_keys(environment):
        state = "declared" if key.declared else "not declared in kuscia.config_keys"
        yield f"configuration {key.name} in {', '.join(key.domains)} ({state})"


def _is_hashed(environment: Environment) -> bool:
    """A new name is what makes Kuscia look at an AppImage again, at partners too."""
    return environment.setting("kuscia", "appimage_naming") == "hashed"


def _plan_serving(spec: Spec, scene: Scene) -> Iterator[Render]:
    from renderer.backends.kuscia.deployments import kuscia_deployment

    yield kuscia_deployment(spec, scene)


def _plan_image(spec: Spec, scene: Scene) -> Iterator[Render]:
    from renderer.backends.kuscia.appimages import app_image

    yield app_image(spec, scene)


def picture(spec: Spec, environment: Environment) -> Picture:
    """A serving with its parties and their control planes."""
    from renderer.backends.kuscia.picture import serving_picture

    return serving_picture(spec, environment)


def overview(environment: Environment) -> Picture:
    """The control planes, their domains, and the servings between them."""
    from renderer.backends.kuscia.overview import environment_picture

    return environment_picture(environment)


def preview(applied: Applied, options: Mapping[str, tuple[str, ...]]) -> Iterator[UnitPreview]:
    """The parties of a serving, each at the control plane that runs it."""
    from renderer.backends.kuscia.preview.units import units

    return units(applied, options["config-key"])


def impacts(
    change: ObjectChange, before: State, after: State
) -> Iterator[tuple[Change | None, Impact]]:
    from renderer.backends.kuscia.impact import judging

    return judging.impacts(change, before, after)


def demands(
    change: ObjectChange, impacts: UnitImpacts, before: State, after: State
) -> Iterator[Demand]:
    from renderer.backends.kuscia import demand

    return demand.demands(change, impacts, before, after)


def _parties(spec: Spec) -> tuple[Node, ...]:
    parties = spec.tree.get("parties")
    return parties.elements if parties else ()


FUNCTIONS = BackendFunctions(
    kinds={
        "Serving": KindFunctions(
            rules=_serving_rules,
            view=_serving_view,
            plan=_plan_serving,
            references=references,
            route=place,
            units=units,
            impacts=impacts,
            demands=demands,
            preview=preview,
            picture=picture,
        ),
        "AppImage": KindFunctions(
            rules=_image_rules,
            view=_image_view,
            plan=_plan_image,
            named_by_content=_is_hashed,
            impacts=impacts,
            demands=demands,
        ),
    },
    environment_rules=_serving_rules,
    needs=needs,
    overview=overview,
)

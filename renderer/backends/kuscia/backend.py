"""Kuscia as a backend: its kinds, and where the rest is to be found when it is needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from renderer.values.model import (
    Environment,
    Kind,
    Option,
    Placement,
    Reference,
    Render,
    Scene,
    Spec,
    Stored,
    TextFiles,
    Unit,
)

if TYPE_CHECKING:  # of other commands than most
    from collections.abc import Iterator, Mapping

    from renderer.values.changes import Change, Demand, Impact, ObjectChange, State, UnitImpacts
    from renderer.values.diagnostics import Rule
    from renderer.values.picture import Picture
    from renderer.values.previews import Applied, UnitPreview
    from renderer.values.tree import Node

KINDS: tuple[Kind, ...] = (
    Kind(
        "Serving",
        "spec/serving.json",
        name_field="serving_id",
        routes_itself=True,
        data_keys=frozenset(("featureMapping", "feature_mapping")),
        face=(
            ("serving_id",),
            ("initiator",),
            ("app_image",),
            ("parties", "*", "domain_id"),
            ("parties", "*", "role"),
            ("parties", "*", "app_image"),
            ("parties", "*", "service_name_prefix"),
        ),
    ),
    Kind(
        "AppImage",
        "spec/appimage.json",
        prerequisite=True,
        text_files=(TextFiles(("configTemplates", "*"), "kuscia/config"),),
    ),
)
STORED: tuple[Stored, ...] = (
    Stored(
        "kuscia.secretflow",
        "KusciaDeployment",
        "manifests/kuscia/kusciadeployment.json",
        "Serving",
    ),
    Stored("kuscia.secretflow", "AppImage", "manifests/kuscia/appimage.json", "AppImage"),
)
DESTINATION_SCHEMA = "destination/kuscia.json"
SETTINGS_SCHEMA = "environment/kuscia.json"
PREVIEW_OPTIONS: tuple[Option, ...] = (
    Option(
        "config-key",
        "NAME=VALUE",
        "What a domain's configuration manager has under NAME; may be given several times.",
    ),
)


def rules(kind: str = "") -> tuple[Rule, ...]:
    from renderer.backends.kuscia.rules import servings

    if kind not in ("", "AppImage"):
        return servings.RULES
    from renderer.backends.kuscia.rules import appimages

    return (*servings.RULES, *appimages.RULES)


def view(spec: Spec, environment: Environment) -> object:
    from renderer.backends.kuscia.appimage import AppImage
    from renderer.backends.kuscia.serving import Serving

    make = AppImage.of if spec.kind.prerequisite else Serving.of
    return make(spec, environment)


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


def names_by_content(kind: Kind, environment: Environment) -> bool:
    """A new name is what makes Kuscia look at an AppImage again, at partners too."""
    return kind.prerequisite and environment.setting("kuscia", "appimage_naming") == "hashed"


def plan(spec: Spec, scene: Scene) -> Iterator[Render]:
    from renderer.backends.kuscia.appimages import app_image
    from renderer.backends.kuscia.deployments import kuscia_deployment

    yield app_image(spec, scene) if spec.kind.prerequisite else kuscia_deployment(spec, scene)


def picture(spec: Spec, environment: Environment) -> Picture | None:
    """A serving with its parties and their control planes."""
    from renderer.backends.kuscia.picture import serving_picture

    return None if spec.kind.prerequisite else serving_picture(spec, environment)


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

"""Kuscia as a backend: its kinds, and where the rest is to be found when it is needed."""

from collections.abc import Iterator

from renderer.diagnostics import Rule
from renderer.model import (
    Environment,
    Kind,
    Placement,
    Reference,
    Render,
    Scene,
    Spec,
    TextFiles,
    Unit,
)
from renderer.tree import Node

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
DESTINATION_SCHEMA = "destination/kuscia.json"
SETTINGS_SCHEMA = "environment/kuscia.json"


def rules() -> tuple[Rule, ...]:
    from renderer.backends.kuscia.rules import RULES

    return RULES


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
    from renderer.backends.kuscia.serving import Serving

    serving = Serving.of(spec, environment)
    owners = (item for party in serving.parties for item in serving.owners(party.domain))
    needed = {item.name: item for item in owners}
    return Placement(serving.owners(serving.initiator), tuple(needed.values()))


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


def _parties(spec: Spec) -> tuple[Node, ...]:
    parties = spec.tree.get("parties")
    return parties.elements if parties else ()

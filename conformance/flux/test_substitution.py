"""Texts that look like variables of Flux stay as they are, also where it is told to fill them."""

from pathlib import Path

import pytest
import yaml

from conformance.flux.records import compare
from conformance.flux.repository import listed
from conformance.flux.scene import Scene
from conformance.kubernetes.client import Object

_DESTINATION = "prod/alice"
_FIRST = "prod-alice-prerequisites"
_OPTION = "kustomize.toolkit.fluxcd.io/substitute"
_VARIABLES = {"spec": {"postBuild": {"substitute": {"JAVA_OPTS": "by-flux"}}}}


def image_in(rendered: Path) -> Object:
    """The one whose command has variables of a shell."""
    images = listed(rendered, _DESTINATION, "prerequisites")
    return next(item for item in images if "${" in str(item))


def command_of(image: Object) -> str:
    found: str = image["spec"]["deployTemplates"][0]["spec"]["containers"][0]["command"][-1]
    return found


def test_variables_of_a_shell_are_left_alone(scene: Scene, pytestconfig: pytest.Config) -> None:
    rendered = scene.repository.render()
    image = image_in(rendered)
    client = scene.stage.first.client
    found = {"rendered": command_of(image)}
    scene.publish(rendered)
    scene.settle()
    found["stored"] = command_of(client.request("GET", client.path_of(image)).body)
    scene.stage.change(_FIRST, _VARIABLES)
    scene.reconcile([_FIRST])
    found["stored, with variables"] = command_of(client.request("GET", client.path_of(image)).body)
    assert {*found.values()} == {command_of(image)}
    del image["metadata"]["annotations"][_OPTION]
    name = image["metadata"]["name"]
    path = rendered / _DESTINATION / "appimages" / f"{name}.yaml"
    path.write_text(yaml.safe_dump(image), "utf-8")
    scene.publish(rendered)
    scene.settle()
    stored = command_of(client.request("GET", client.path_of(image)).body)
    found["stored, with variables and without the annotation"] = stored
    compare("substitution", found, update=pytestconfig.getoption("--update-observed"))

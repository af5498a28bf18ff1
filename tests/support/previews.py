"""A repository to preview, and its preview as data."""

from renderer import load, render
from renderer.inspect.preview import preview
from tests.support.repositories import HEADER

IMAGE = "environments/dev/appimages/scorer.yaml"
SPEC = "environments/dev/servings/risk.yaml"
DESCRIPTION = "environments/dev/environment.yaml"
ENVIRONMENT = HEADER.format("Environment") + "destinations:\n"
EAST = "  - {name: east, platform: kuscia, domains: [alice, bob]}\n"
ALICE = "  - {name: a, platform: kuscia, domains: [alice]}\n"
BOB = "  - {name: b, platform: kuscia, domains: [bob]}\n"
PORTS = (
    "ports: [{name: service, scope: Domain}, {name: peer, scope: Cluster, protocol: GRPC}, "
    "{name: own-one}]"
)


def image(container=PORTS, template="", more=""):
    """An AppImage with one container; what is given is added to it."""
    lines = [
        "image: {name: example/scorer, tag: v1}",
        more,
        "deployTemplates:",
        "  - name: scorer",
        "    replicas: 3",
        *(f"    {line}" for line in template.splitlines()),
        "    spec:",
        "      containers:",
        "        - name: scorer",
        "          workingDir: /app",
        *(f"          {line}" for line in container.splitlines()),
    ]
    return HEADER.format("AppImage") + "\n".join(line for line in lines if line.strip()) + "\n"


def serving(more="", parties=("{domain_id: alice}", "{domain_id: bob}")):
    lines = ["app: other", "initiator: alice", "app_image: scorer", more, "parties:"]
    lines += [f"  - {party}" for party in parties]
    return HEADER.format("Serving") + "\n".join(line for line in lines if line.strip()) + "\n"


def files(image=None, serving=None, destinations=EAST, settings=""):
    return {
        "servingctl.yaml": "rules: {POL004: ignore}\n",
        DESCRIPTION: ENVIRONMENT + destinations + settings,
        IMAGE: image,
        SPEC: serving,
    }


def previewed(root, config=(), spec="risk"):
    """The units of a preview by destination and name; whatever the rules say."""
    project = load(root)
    (environment,) = project.environments
    found = next(item for item in environment.specs if item.stem == spec)
    options = {"config-key": tuple(config)}
    made = preview(project, render(project), environment, found, options)
    return {(unit.destination, unit.unit): unit for unit in made.units}


def objects(unit):
    """The objects of a unit with markers, by kind and name."""
    found = [unit.marked_data(piece.content) for piece in unit.objects]
    return {(item["kind"], item["metadata"]["name"]): item for item in found}


def container(unit, name="risk"):
    """The first container of the Deployment."""
    return objects(unit)["Deployment", name]["spec"]["template"]["spec"]["containers"][0]


def variables(unit, name="risk"):
    return {item["name"]: item.get("value") for item in container(unit, name)["env"]}

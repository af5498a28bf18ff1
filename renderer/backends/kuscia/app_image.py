"""An AppImage in Kuscia's terms, and how the servings of its environment use it."""

from collections.abc import Iterator, Sequence

from renderer.backends.fields import members, text
from renderer.backends.kuscia.deploy_template import (
    Container,
    DeployTemplate,
    choose_template,
    containers,
    deploy_templates,
    ports,
)
from renderer.backends.kuscia.pod_variables import OF_SERVINGS, port_variable
from renderer.backends.kuscia.settings import KusciaSettings
from renderer.backends.kuscia.summaries import ServingSummary, read_summaries
from renderer.kubernetes.pods import Field, Pod
from renderer.kubernetes.stored_pods import each
from renderer.kubernetes.versions import OLDEST
from renderer.values.diagnostics import FIRST_VERSION
from renderer.values.identity_cache import cached_by_identity
from renderer.values.model import Environment, Spec, Summary
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node, drop_paths, walk

APP_IMAGE = "AppImage"
#: The Kubernetes whose answers about images are recorded.
_VERSIONS = (OLDEST,)
#: What containers of an AppImage do not have: files are mounted, and the image is named, elsewhere.
_NO_CONTAINER_FIELDS = frozenset([("volumeMounts",), ("image",)])
#: Rules that were Kuscia's own in the version before, and rules that are new to its pods.
_SINCE = {"MAN192": FIRST_VERSION, "MAN193": FIRST_VERSION, "POL012": "0.2.0"}
SECRETFLOW_SERVING = "secretflow-serving"


class AppImage(NamedTuple):
    """The parts of an AppImage that a serving depends on."""

    tree: Node
    name: str
    templates: tuple[DeployTemplate, ...]
    environment: Environment | None = None
    users: tuple[ServingSummary, ...] = ()

    @classmethod
    @cached_by_identity
    def of(cls, spec: Spec, environment: Environment | None = None) -> "AppImage":
        return cls.read(spec.tree, spec.name, environment)

    @classmethod
    def read(cls, tree: Node, name: str, environment: Environment | None = None) -> "AppImage":
        """From the fields of a spec, or of the object that is rendered from it."""
        return cls(tree, name, deploy_templates(tree), environment)

    @property
    def settings(self) -> KusciaSettings:
        return KusciaSettings.of(self.environment)

    @property
    def is_named_serving(self) -> bool:
        """Whether the image is called as those of secretflow-serving are."""
        return text(self.tree, "image", "name").rpartition("/")[2].startswith("serving")

    @property
    def runs_secretflow_serving(self) -> bool:
        """Whether a serving runs secretflow-serving with it; if none uses it, its name decides."""
        stated = {serving.app for serving in self.users} or {""}
        return SECRETFLOW_SERVING in stated or ("" in stated and self.is_named_serving)

    @property
    def config_templates(self) -> dict[str, Node]:
        """The texts of the config templates by file name."""
        given = members(self.tree, "configTemplates")
        return {key: node for key, node in given.items() if isinstance(node.value, str)}

    def containers(self) -> Iterator[Container]:
        """The containers of all deploy templates, with their paths in the spec."""
        for index, template in enumerate(self.templates):
            for item in containers(template.node):
                yield item._replace(path=("deployTemplates", index, *item.path))

    def served_templates(self) -> tuple[DeployTemplate, ...]:
        """The templates that parties of the environment's servings get; others are for jobs."""
        found = (self.template_for(role) for role in self.roles())
        return tuple(template for template in found if template)

    def partner_roles(self) -> set[str]:
        """The roles of all parties of the servings that use this image."""
        return {party.role for serving in self.users for party in serving.parties}

    def roles(self) -> set[str]:
        """The roles of the parties that use this image."""
        parties = (party for serving in self.users for party in serving.parties)
        return {party.role for party in parties if party.image_name == self.name}

    def template_for(self, role: str) -> DeployTemplate | None:
        return choose_template(self.templates, role)


def view(spec: Spec, environment: Environment, users: Sequence[Summary]) -> AppImage:
    """What the rules of an AppImage are given."""
    return AppImage.of(spec, environment)._replace(users=read_summaries(users))


def pods(image: AppImage) -> Iterator[Pod]:
    """The pods of the deploy templates, as far as they reach Kubernetes."""
    relaxed = image.settings.dialect.relaxed_variables
    tag = image.tree.get("image", "tag")
    tags = (Field(("image", "tag"), tag),) if tag else ()
    for index, template in enumerate(image.templates):
        if pod := template.node.get("spec"):
            field = Field(("deployTemplates", index, "spec"), _kubernetes_pod(pod))
            found = Pod(field, relaxed, versions=_VERSIONS, tags=tags, since=_SINCE)
            given = OF_SERVINGS.union(map(port_variable, ports(template.node)))
            yield found._replace(variables=given, has_final_amounts=False)


def _kubernetes_pod(pod: Node) -> Node:
    """The pod without what Kuscia does not hand on, or replaces: mounts, selectors, restarts.

    Of ports it hands on the names; of two with one name, which it refuses, the first.
    """
    seen: set[object] = set()
    pod = drop_paths(pod, frozenset([("restartPolicy",)]))
    pod = each(pod, ("containers",), lambda item: _kubernetes_container(item, seen))
    affinity = pod.get("affinity")
    if not affinity:
        return pod
    return pod.with_members({**pod.items, "affinity": drop_selectors(affinity)})


def drop_selectors(affinity: Node) -> Node:
    """An affinity without the selectors of its terms, which Kuscia overwrites with its own."""
    terms = (path for path, _ in walk(affinity) if path[-1:] == ("labelSelector",))
    return drop_paths(affinity, frozenset(terms))


def _kubernetes_container(container: Node, seen: set[object]) -> Node:
    container = drop_paths(container, _NO_CONTAINER_FIELDS)
    listing = container.get("ports")
    if listing is None:
        return container
    kept = []
    for port in listing.elements:
        name = port.get("name")
        if name and name.value not in seen:
            seen.add(name.value)
            kept.append(port.with_members({"name": name}))
    return container.with_members({**container.items, "ports": listing.with_members(tuple(kept))})


def image_named(name: str, environment: Environment) -> AppImage | None:
    """The AppImage of an environment by its name, if there is one and nothing of it is missing."""
    spec = environment.spec_named(APP_IMAGE, name)
    return AppImage.of(spec) if spec and not spec.unreliable else None


def templates_with_blanks(image: AppImage, role: str) -> Iterator[DeployTemplate]:
    """The templates that would be for a role if there were no blanks in their lists."""
    for template in image.templates:
        if any(item.strip() == role != item for item in template.roles):
            yield template

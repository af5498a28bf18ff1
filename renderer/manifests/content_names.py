"""Names that end in a digest of what an object holds, and references that follow them."""

from collections.abc import Iterator, Mapping

from renderer.backends.kinds import functions_of, references_of
from renderer.compose.environment_rules import FIXED_USER
from renderer.manifests.prerequisite_places import Place, is_sent_to, meant_specs
from renderer.manifests.templates import content, find
from renderer.text.digests import name_by_content
from renderer.values.diagnostics import Diagnostic, Path
from renderer.values.identity_cache import cached_by_identity
from renderer.values.kinds import NAMING
from renderer.values.model import Environment, Reference, Spec
from renderer.values.named_tuple import NamedTuple
from renderer.values.objects import Scene
from renderer.values.tree import Node, put_texts

Identity = tuple[str, str]
#: What says which object it is, and nothing of what it holds.
_HEAD = ("apiVersion", "kind", "metadata")


class ContentName(NamedTuple):
    """The name of a spec that is named by its content, or why it has none."""

    name: str = ""
    diagnostics: tuple[Diagnostic, ...] = ()

    def names(self, spec: Spec) -> dict[Identity, str]:
        """The name for whom it may concern; none if it is the spec's own."""
        return {(spec.kind.name, spec.name): self.name} if self.name else {}


@cached_by_identity
def general_name(spec: Spec, environment: Environment, templates: Mapping[str, str]) -> ContentName:
    """Name a spec by what it holds before any destination changes it, if its kind wants that."""
    if not functions_of(spec.kind.name).named_by_content(spec, environment):
        return ContentName()
    return content_name(spec, Scene(environment, None, {}, {}), templates)


def content_name(spec: Spec, scene: Scene, templates: Mapping[str, str]) -> ContentName:
    """The name of a spec by what its object holds in a scene."""
    name = ""
    for plan in functions_of(spec.kind.name).plan(spec, scene):
        tree, found = content(plan, find(plan.template, templates))
        if tree is None:
            about = (item.about(scene.environment.name, related=spec.files) for item in found)
            return ContentName("", tuple(about))
        name = name_by_content(spec.name, _held(tree).plain())
    return ContentName(name)


def _held(tree: Node) -> Node:
    """What an object holds, whatever it is called and labelled."""
    others = {key: node for key, node in tree.items.items() if key not in _HEAD}
    return tree.get("spec") or tree.with_members(others)


class FollowingSpec(NamedTuple):
    """A spec whose references have the names that objects are rendered with."""

    spec: Spec
    diagnostics: tuple[Diagnostic, ...] = ()


def follow_names(
    spec: Spec, environment: Environment, place: Place, templates: Mapping[str, str]
) -> FollowingSpec:
    """The spec as it is rendered at a place, where others are named by their content.

    The place has the namespace of the spec, if it has one of its own.
    """
    if not _has_content_names(environment):
        return FollowingSpec(spec)
    uses = list(_uses(spec, environment, place))
    texts: dict[Path, str] = {}
    for use, target in uses:
        texts[use.path] = general_name(target, environment, templates).name or use.name
    fixed = functions_of(spec.kind.name).fixed_pods(spec) if uses else ""
    found = [_fixed_user(spec, *pair, fixed) for pair in uses] if fixed else []
    followed = spec._replace(tree=put_texts(spec.tree, texts)) if texts else spec
    return FollowingSpec(followed, tuple(found))


def follow_rendered(spec: Spec, scene: Scene) -> Spec:
    """The same for a scene that knows under which names objects were rendered."""
    environment = scene.environment
    texts = {
        use.path: name
        for use in references_of(spec, environment)
        if (name := scene.name_of(use.kind, use.name)) != use.name
        and any(target.kind.is_open for target in environment.named_specs(use))
    }
    return spec._replace(tree=put_texts(spec.tree, texts)) if texts else spec


@cached_by_identity
def _has_content_names(environment: Environment) -> bool:
    return any(NAMING in s.tree.items for s in environment.specs if s.kind.is_open)


def _uses(spec: Spec, environment: Environment, place: Place) -> Iterator[tuple[Reference, Spec]]:
    """The references that mean an object which is named by its content and goes there, too."""
    for use in references_of(spec, environment):
        for target in meant_specs(environment, use, place.named_place(use).namespace):
            is_itself = (target.kind.name, target.name) == (use.kind, use.name)
            if (
                is_itself
                and target.kind.is_open
                and functions_of(target.kind.name).named_by_content(target, environment)
                and is_sent_to(target, environment, place.destination)
            ):
                yield use, target


def _fixed_user(spec: Spec, use: Reference, target: Spec, reason: str) -> Diagnostic:
    message = f"the name of {target} changes with its content, and {reason}"
    fix = f"write `{NAMING}: plain` in {target.file}, and restart by hand what reads it"
    finding = FIXED_USER.at(spec.tree.locate(use.path), message, fix)
    return finding.about(spec.environment, related=(*spec.files, *target.files))

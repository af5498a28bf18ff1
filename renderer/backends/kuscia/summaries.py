"""What other specs may see of a serving: its name, its initiator, and who takes part."""

from collections.abc import Iterable

from renderer.backends.fields import elements, text
from renderer.values.diagnostics import Origin
from renderer.values.identity_cache import cached_by_identity
from renderer.values.model import Environment, Spec, Summary
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

SERVING = "Serving"


class PartySummary(NamedTuple):
    """A party of a serving: its own AppImage or else the serving's, and where its domain stands."""

    domain: str
    role: str
    image_name: str
    service_prefix: str
    origin: Origin


class ServingSummary(NamedTuple):
    """A serving as others see it, and its identity among them."""

    environment: str
    stem: str
    files: tuple[str, ...]
    name: str
    initiator: str
    parties: tuple[PartySummary, ...]
    app: str = ""

    def __str__(self) -> str:
        return f"{SERVING}/{self.stem}"

    @property
    def key(self) -> tuple[str, str]:
        return self.environment, self.stem

    @classmethod
    def of(cls, summary: Summary) -> "ServingSummary":
        """From the fields that the kind declares."""
        who = summary.environment, summary.stem, summary.files
        return cls._read(who, str(summary.name.value), summary.fields)

    @classmethod
    def read_spec(cls, spec: Spec) -> "ServingSummary":
        """The same of a whole spec."""
        return cls._read((spec.environment, spec.stem, spec.files), spec.name, spec.tree)

    @classmethod
    def _read(
        cls, who: tuple[str, str, tuple[str, ...]], name: str, tree: Node
    ) -> "ServingSummary":
        common = text(tree, "app_image")
        parties = tuple(_party(node, common) for node in elements(tree, "parties"))
        return cls(*who, name, text(tree, "initiator"), parties, text(tree, "app"))


def read_summaries(summaries: Iterable[Summary]) -> tuple[ServingSummary, ...]:
    """The servings among some summaries, in their order."""
    return tuple(ServingSummary.of(item) for item in summaries if item.kind == SERVING)


@cached_by_identity
def serving_summaries(environment: Environment) -> tuple[ServingSummary, ...]:
    """The servings of an environment that has all of its specs, in its order."""
    specs = (spec for spec in environment.specs if spec.kind.name == SERVING)
    return tuple(ServingSummary.read_spec(spec) for spec in specs)


def unit_name(domain: str, role: str) -> str:
    """A party as users call it: `alice`, or `alice/guest`."""
    return f"{domain}/{role}" if role and domain else domain or role


def _party(node: Node, common: str) -> PartySummary:
    return PartySummary(
        text(node, "domain_id"),
        text(node, "role"),
        text(node, "app_image") or common,
        text(node, "service_name_prefix"),
        node.locate(("domain_id",)),
    )

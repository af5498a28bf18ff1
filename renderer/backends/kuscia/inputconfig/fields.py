"""Fields of an input config by name, in whichever spelling they were written."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from renderer.backends.kuscia.inputconfig.messages import PARTY, Message, camel
from renderer.backends.kuscia.inputconfig.messages import SERVING as ROOT
from renderer.backends.kuscia.inputconfig.reading import input_config
from renderer.backends.kuscia.serving import FIELD, Party, Serving
from renderer.diagnostics import Path
from renderer.tree import Node
from renderer.wording import nearest


class Place(NamedTuple):
    """A message in an input config, and its path in the spec."""

    node: Node
    path: Path
    kind: Message

    def get(self, name: str) -> Node | None:
        """A field that is set; nothing if both spellings are, for then it is not clear to what."""
        return self.node.items[self.spelled(name)] if len(self._written(name)) == 1 else None

    def _written(self, name: str) -> list[str]:
        members = self.node.items
        forms = [form for form in {name: 0, camel(name): 0} if form in members]
        forms = forms if len(forms) < 2 else [key for key in members if key in forms]  # noqa: PLR2004
        return [form for form in forms if members[form].value is not None]

    def spelled(self, name: str) -> str:
        """The name as it is spelled, or else as its neighbours are."""
        if written := self._written(name):
            return written[-1]
        return name if any("_" in other for other in self.node.items) else camel(name)

    def at(self, name: str) -> Path:
        return (*self.path, self.spelled(name))

    def message(self, name: str) -> "Place | None":
        """A field that is a message, if it is one."""
        node, field = self.get(name), self.kind.fields[name]
        if not node or not isinstance(field.type, Message) or not isinstance(node.value, Mapping):
            return None
        return Place(node, self.at(name), field.type)

    def lacks(self, name: str) -> bool:
        """Whether a field is missing, and not only misspelt."""
        unknown = (item for item in self.node.items if not self.kind.field(item))
        misspelt = any(nearest(word, self.kind.fields) == name for word in unknown)
        return not self._written(name) and not misspelt


class Configured(NamedTuple):
    """What the input config says of a party."""

    party: Party
    place: Place

    @property
    def model(self) -> Place | None:
        return self.place.message("model_config")


def root(serving: Serving) -> Place | None:
    """The whole input config, if it could be read."""
    config = input_config(serving)
    return Place(config.tree, (FIELD,), ROOT) if config and not config.unreadable else None


def configured(serving: Serving) -> Iterator[Configured]:
    """The parties that have an entry, each domain once."""
    top = root(serving)
    entries = top.get("party_configs") if top else None
    parties = {party.domain: party for party in serving.parties}
    for domain, node in (entries.items if entries else {}).items():
        if top and domain in parties and (node.value is None or isinstance(node.value, Mapping)):
            path = (*top.at("party_configs"), domain)
            yield Configured(parties[domain], Place(node, path, PARTY))


def models(serving: Serving) -> Iterator[tuple[Configured, Place]]:
    """The parties whose entry describes a model."""
    for item in configured(serving):
        if model := item.model:
            yield item, model

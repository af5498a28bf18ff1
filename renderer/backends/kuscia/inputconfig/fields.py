"""Fields of an input config by name, in whichever spelling they were written."""

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from renderer.backends.kuscia.inputconfig.messages import PARTY, Message, camel
from renderer.backends.kuscia.inputconfig.messages import SERVING as ROOT
from renderer.backends.kuscia.inputconfig.reading import input_config
from renderer.backends.kuscia.serving import FIELD, Party, Serving
from renderer.text.wording import nearest
from renderer.values.diagnostics import Path
from renderer.values.tree import Node


class Place(NamedTuple):
    """A message in an input config, and its path in the spec.

    `written` are the fields that are set, as they were last spelled. One in both spellings is
    neither among the `fields` nor among the `messages`, for it is not clear to what it is set.
    """

    node: Node
    path: Path
    kind: Message
    written: Mapping[str, str]
    fields: Mapping[str, Node]
    messages: "Mapping[str, Place]"

    @classmethod
    def of(cls, node: Node, path: Path, kind: Message) -> "Place":
        written: dict[str, str] = {}
        fields: dict[str, Node] = {}
        for spelling, child in node.items.items():
            name = kind.spellings.get(spelling)
            if name and child.value is not None:
                if name in written:
                    del fields[name]
                else:
                    fields[name] = child
                written[name] = spelling
        messages = {
            name: cls.of(fields[name], (*path, written[name]), of_field)
            for name, of_field in kind.messages.items()
            if name in fields and isinstance(fields[name].value, dict)
        }
        return cls(node, path, kind, written, fields, messages)

    def get(self, name: str) -> Node | None:
        """A field that is set."""
        return self.fields.get(name)

    def message(self, name: str) -> "Place | None":
        """A field that is a message, if it is one."""
        return self.messages.get(name)

    def spelled(self, name: str) -> str:
        """The name as it is spelled, or else as its neighbours are."""
        if name in self.written:
            return self.written[name]
        return name if any("_" in other for other in self.node.items) else camel(name)

    def at(self, name: str) -> Path:
        return (*self.path, self.spelled(name))

    def lacks(self, name: str) -> bool:
        """Whether a field is missing, and not only misspelt."""
        if name in self.written:
            return False
        unknown = (item for item in self.node.items if not self.kind.field(item))
        return not any(nearest(word, self.kind.fields) == name for word in unknown)


class Configured(NamedTuple):
    """What the input config says of a party."""

    party: Party
    place: Place

    @property
    def model(self) -> Place | None:
        return self.place.message("model_config")


@lru_cache(maxsize=1)
def root(serving: Serving) -> Place | None:
    """The whole input config, if it could be read."""
    config = input_config(serving)
    return Place.of(config.tree, (FIELD,), ROOT) if config and not config.unreadable else None


@lru_cache(maxsize=1)
def configured(serving: Serving) -> tuple[Configured, ...]:
    """The parties that have an entry, each domain once."""
    top = root(serving)
    entries = top.get("party_configs") if top else None
    if not top or not entries:
        return ()
    path = top.at("party_configs")
    parties = {party.domain: party for party in serving.parties}
    return tuple(
        Configured(parties[domain], Place.of(node, (*path, domain), PARTY))
        for domain, node in entries.items.items()
        if domain in parties and (node.value is None or isinstance(node.value, dict))
    )


def models(serving: Serving) -> list[tuple[Configured, Place]]:
    """The parties whose entry describes a model."""
    return [(item, model) for item in configured(serving) if (model := item.model)]

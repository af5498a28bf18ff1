"""The input config of a serving as a tree, and its fields in whichever spelling was used."""

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NoReturn

from renderer.backends.kuscia.app_image import SECRETFLOW_SERVING
from renderer.backends.kuscia.input_config.messages import PARTY, SERVING, MessageType
from renderer.backends.kuscia.input_config.protobuf_json import ReadingProblem, check
from renderer.backends.kuscia.serving import FIELD, Party, Serving
from renderer.text.expressions import expression
from renderer.text.json_reader import TOO_DEEP, fault_of, json_fault
from renderer.text.wording import camel_case, misspelt, nearest
from renderer.values.diagnostics import Finding, Origin, Path
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

_STANDARD = "write standard JSON, or a mapping instead of the text"
_STRANGE = (
    "the image, whose name begins with 'serving', is taken for secretflow-serving, "
    "and this input config has none of its fields"
)
_OTHER = "write app: other if it is another application, or write partyConfigs"
_MISSING = "secretflow-serving does not start without an input config"
_EMPTY = "the input config is empty, and secretflow-serving does not start with an empty one"
_ADD = f"write {FIELD} with partyConfigs, an entry for each party"
_ELSE = ", or app: other if it is another application"
_JSON = expression(r'\s*(?:\{\s*"|\[\s*(?:\{|"[^"\n]*"\s*,|-?[0-9.]+\s*,))')  # no [section]
_NOWHERE = Origin("")


class InputConfig(NamedTuple):
    """What was read: a tree, what kept it from being read, and keys that stand twice.

    It is strange if it has nothing of secretflow-serving and only an image's name speaks for it.
    """

    tree: Node
    unreadable: Finding | None
    repeated: tuple[Path, ...] = ()
    problems: tuple[ReadingProblem, ...] = ()
    is_strange: bool = False


class _Pairs(list[tuple[str, Any]]):
    """The members of a JSON object in order, repeated keys included."""


@lru_cache(maxsize=1)
def read_input_config(serving: Serving) -> InputConfig | None:
    """The input config of a serving that runs secretflow-serving; nothing for any other."""
    if serving.app != SECRETFLOW_SERVING:
        return None
    given = serving.tree.get(FIELD)
    value = given.value if given else None
    if given is None or value is None or not str(value).strip():
        return _nothing(serving, _MISSING if value is None else _EMPTY)
    repeated: list[Path] = []
    if isinstance(given.value, str):
        try:
            tree = _tree(_parsed(given.value), (FIELD,), repeated)
        except json.JSONDecodeError as error:
            return _refused(*fault_of(error))
        except ValueError as error:
            return _refused(str(error), 0)
        except RecursionError:
            return _refused(TOO_DEEP, 0)
    else:
        tree = given
    if not isinstance(tree.value, Mapping):
        return _refused("it is no object", 0)
    if not tree.value:
        return _nothing(serving, _EMPTY)
    if serving.is_guessed and _is_strange(tree):
        return InputConfig(tree, Finding((FIELD,), _STRANGE, _OTHER, at_key=True), is_strange=True)
    problems = check(tree, SERVING, serving.version, (FIELD,))
    return InputConfig(tree, None, tuple(repeated), tuple(problems))


def runs_secretflow_serving(serving: Serving) -> bool:
    """Whether it is a serving of secretflow-serving, and nothing speaks against it."""
    config = read_input_config(serving)
    return config is not None and not config.is_strange


def foreign_fault(serving: Serving) -> tuple[str, int] | None:
    """Why and where the text of another application is no JSON, if it begins as JSON does."""
    given = serving.tree.get(FIELD)
    text = given.value if given else None
    if serving.app == SECRETFLOW_SERVING or not isinstance(text, str) or not _JSON.match(text):
        return None
    fault = json_fault(text)
    return fault if fault and fault[0] != TOO_DEEP else None  # which another reader may take


def _is_strange(tree: Node) -> bool:
    """Whether there are fields, and none is like one of secretflow-serving's."""
    if any(name in SERVING.spellings for name in tree.items):
        return False
    return bool(tree.items) and not any(nearest(name, SERVING.fields) for name in tree.items)


def _nothing(serving: Serving, message: str) -> InputConfig:
    """That there is no input config; only an image's name may say that there should be."""
    fix = f"{_ADD}{_ELSE if serving.is_guessed else ''}"
    return InputConfig(Node({}, _NOWHERE), Finding((FIELD,), message, fix))


def _refused(reason: str, index: int | None) -> InputConfig:
    message = f"the input config is not JSON: {reason}"
    finding = Finding((FIELD,), message, _STANDARD, inside=index)
    return InputConfig(Node({}, _NOWHERE), finding)


def _parsed(text: str) -> Any:
    return json.loads(text, object_pairs_hook=_Pairs, parse_constant=_no_constant)


def _no_constant(_name: str) -> NoReturn:
    raise ValueError("NaN and Infinity are not JSON")


def _tree(value: Any, path: Path, repeated: list[Path]) -> Node:
    """Parsed JSON as nodes; their places are found when there is something to say."""
    if isinstance(value, _Pairs):
        members: dict[str, Node] = {}
        for key, child in value:
            if key in members:
                repeated.append((*path, key))
            members[key] = _tree(child, (*path, key), repeated)
        return Node(members, _NOWHERE)
    if isinstance(value, list):
        items = (_tree(item, (*path, index), repeated) for index, item in enumerate(value))
        return Node(tuple(items), _NOWHERE)
    return Node(value, _NOWHERE)


class Section(NamedTuple):
    """A message in an input config, and its path in the spec.

    `written` are the fields that are set, as they were last spelled. One in both spellings is
    neither among the `fields` nor among the `messages`, for it is not clear to what it is set.
    """

    node: Node
    path: Path
    kind: MessageType
    written: Mapping[str, str]
    fields: Mapping[str, Node]
    messages: "Mapping[str, Section]"

    @classmethod
    def of(cls, node: Node, path: Path, kind: MessageType) -> "Section":
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

    def message(self, name: str) -> "Section | None":
        """A field that is a message, if it is one."""
        return self.messages.get(name)

    def spelled(self, name: str) -> str:
        """The name as it is spelled, or else as its neighbours are."""
        if name in self.written:
            return self.written[name]
        return name if any("_" in other for other in self.node.items) else camel_case(name)

    def path_of(self, name: str) -> Path:
        return (*self.path, self.spelled(name))

    def lacks(self, name: str) -> bool:
        """Whether a field is missing, and not only misspelt."""
        if name in self.written:
            return False
        unknown = (item for item in self.node.items if not self.kind.field(item))
        return not any(nearest(word, self.kind.fields) == name for word in unknown)


class PartyConfig(NamedTuple):
    """What the input config says of a party."""

    party: Party
    section: Section

    @property
    def model(self) -> Section | None:
        return self.section.message("model_config")


@lru_cache(maxsize=1)
def root_section(serving: Serving) -> Section | None:
    """The whole input config, if it could be read."""
    config = read_input_config(serving)
    return Section.of(config.tree, (FIELD,), SERVING) if config and not config.unreadable else None


@lru_cache(maxsize=1)
def party_configs(serving: Serving) -> tuple[PartyConfig, ...]:
    """The parties that have an entry, each domain once."""
    top = root_section(serving)
    entries = top.get("party_configs") if top else None
    if not top or not entries:
        return ()
    path = top.path_of("party_configs")
    parties = {party.domain: party for party in serving.parties}
    return tuple(
        PartyConfig(parties[domain], Section.of(node, (*path, domain), PARTY))
        for domain, node in entries.items.items()
        if domain in parties and (node.value is None or isinstance(node.value, dict))
        if not has_misnamed_model(domain, entries, serving)
    )


def has_misnamed_model(domain: str, entries: Node, serving: Serving) -> bool:
    """Whether a party's entry has no model because that is in one with a misspelt name."""
    entry = entries.items.get(domain)
    if entry is None or not Section.of(entry, (), PARTY).lacks("model_config"):
        return False
    domains = {party.domain for party in serving.parties}
    return any(misspelt(name, [domain]) for name in entries.items if name not in domains)


def models(serving: Serving) -> list[tuple[PartyConfig, Section]]:
    """The parties whose entry describes a model."""
    return [(item, model) for item in party_configs(serving) if (model := item.model)]

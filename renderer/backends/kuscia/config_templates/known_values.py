"""The values of a config file's variables, as far as they can be known before it is filled in."""

from collections.abc import Iterator

from renderer.backends.kuscia.app_image import AppImage
from renderer.backends.kuscia.config_templates.config_files import ConfigFile, config_files
from renderer.backends.kuscia.config_templates.go_text import Data, NotPreviewed, read_json
from renderer.backends.kuscia.config_templates.json_files import Placeholder
from renderer.backends.kuscia.config_templates.template import Query
from renderer.backends.kuscia.deploy_template import ports, served_ports
from renderer.backends.kuscia.pod_variables import (
    cluster_definition,
    cluster_party,
    given_variables,
)
from renderer.backends.kuscia.serving import FIELD, Party, Serving, input_config_text
from renderer.text.wording import misspelt
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Plain

_OF_ONE_SERVING = frozenset(("INPUT_CONFIG", "KUSCIA_DOMAIN_ID", "SERVING_ID"))
_FIRST_NUMBER = 20000
_ENDINGS = (".conf", ".json")
_SENSIBLE = 20_000


def differs_by_serving(placeholder: Placeholder) -> bool:
    """Whether what is inserted depends on the serving, and not on the AppImage alone."""
    part = placeholder.part
    if not isinstance(part, Query):
        return part.names[0] in _OF_ONE_SERVING
    is_path = len(part.segments) > 1 or "[" in part.path
    within_cluster = part.variable == "CLUSTER_DEFINE" and is_path
    return part.variable in _OF_ONE_SERVING or within_cluster or "#" in part.path


def values_anywhere(file: ConfigFile) -> dict[str, str]:
    """Values like those that every container has which gets the file."""
    given = {name: port for user in file.users for name, port in ports(user.node).items()}
    numbers = {name: _FIRST_NUMBER + index for index, name in enumerate(given)}
    someone = cluster_party("alice", "", {"service": "serving-service.alice.svc"})
    own = given_variables("", cluster_definition([someone], 0), "", given.values(), numbers)
    known = {name: value for name, value in own.items() if name not in _OF_ONE_SERVING}
    return {**_literal(file), **known}


def serving_values(party: Party, serving: Serving) -> dict[str, str]:
    """What differs from serving to serving; an input that Kubernetes alters is unknown."""
    config = serving.tree.get(FIELD)
    text = input_config_text(config) if config and config.value is not None else ""
    known = {"KUSCIA_DOMAIN_ID": party.domain, "SERVING_ID": serving.name}
    return known if "$(" in text or "$$" in text else {**known, "INPUT_CONFIG": text}


def values_of(file: ConfigFile, party: Party, serving: Serving) -> dict[str, str]:
    """All values that the containers of a party have, as far as they are known.

    Domain ports of partners are listed though only their own control plane sees them.
    """
    given = ports(party.template.node) if party.template else {}
    numbers = {name: _FIRST_NUMBER + index for index, name in enumerate(given)}
    cluster = cluster_definition([_cluster_party(item) for item in serving.parties], party.number)
    known = given_variables(party.domain, cluster, "", given.values(), numbers)
    del known["INPUT_CONFIG"]
    return {**_literal(file), **known, **serving_values(party, serving)}


def _literal(file: ConfigFile) -> dict[str, str]:
    return {name: value for name, value in file.env.items() if value is not None}


def _cluster_party(party: Party) -> Plain:
    names = served_ports(party.template.node) if party.template else ()
    return cluster_party(
        party.domain, party.role, {name: f"{name}.{party.domain}.svc" for name in names}
    )


class InputSlip(NamedTuple):
    """A path, where it stands, and the key that was probably meant."""

    path: str
    offset: int
    meant: str


def slips(image: AppImage, text: str) -> Iterator[tuple[ConfigFile, InputSlip]]:
    """The paths that miss a key of an input config by a slip; for text that is no JSON none.

    They are looked for in files of a sensible size only.
    """
    data = _loaded(text)
    for file in config_files(image) if isinstance(data, dict) else ():
        for query in _paths(file) if len(file.text) <= _SENSIBLE else ():
            if meant := _meant(query, data):
                path = query.path.replace("#", ".").strip(".")
                yield file, InputSlip(path, query.offset, meant)


def _paths(file: ConfigFile) -> Iterator[Query]:
    """Paths into the input config; KUS611 reports those that leave a hole in JSON."""
    whole = file.json if file.key.endswith(_ENDINGS) else None
    reported = {item.offset for item in whole.placeholders if not item.in_string} if whole else ()
    for mention in file.mentions:
        if mention.query and mention.name == "INPUT_CONFIG" and mention.offset not in reported:
            yield mention.query


def _meant(query: Query, data: Data) -> str:
    """The key that a path misses by a slip, as far as keys lead; nothing if it misses none."""
    for segment in query.segments[1:]:
        key = segment.partition("[")[0]
        if not isinstance(data, dict):
            return ""
        if key not in data:
            return misspelt(key, data)
        if key != segment:
            return ""
        data = data[key]
    return ""


def _loaded(text: str) -> Data:
    try:
        return read_json(text) if "$(" not in text and "$$" not in text else None
    except (ValueError, NotPreviewed):
        return None

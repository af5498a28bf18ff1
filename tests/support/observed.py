"""What the real Kuscia controllers made of specs, to compare a preview with.

`tests/observed/kuscia/README.md` says what has no order there, and what the API server adds.
"""

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import yaml

from tests.support.places import ROOT

FOLDER = ROOT / "tests/observed/kuscia"
_ACCESS = "kuscia.secretflow/access-domain"
#: A port or a Service in JSON, which may itself be text in JSON, and several of them in a row.
_PORT = r'\{[^][{}]*\bport(?:Name)?\\*"[^][{}]*(?:\[[^][{}]*\][^][{}]*)?\}'
_PORTS = re.compile(rf"{_PORT}(?:,{_PORT})+")
_SINGLE = re.compile(_PORT)


@dataclass(frozen=True)
class ObservedCase:
    """A folder of `preview/`."""

    folder: Path

    @property
    def id(self):
        return self.folder.name

    @cached_property
    def says(self):
        return yaml.load((self.folder / "case.yaml").read_text("utf-8"), yaml.CSafeLoader)

    @property
    def repository(self):
        return self.folder / "repo"

    @property
    def config_keys(self):
        return tuple(f"{name}={value}" for name, value in self.says["config_keys"].items())

    def objects(self, name):
        """The objects of one of its files, by kind, namespace and name."""
        text = (self.folder / name).read_text("utf-8")
        return by_identity(yaml.load_all(text, yaml.CSafeLoader))

    @property
    def files(self):
        """The texts of config files by unit, container, path and source."""
        return {
            (item["unit"], item["container"], item["path"], item["source"]): (
                self.folder / item["file"]
            ).read_text("utf-8")
            for item in self.says["files"]
        }


CASES = [ObservedCase(path) for path in sorted((FOLDER / "preview").iterdir())]


def by_identity(objects):
    found = {}
    for item in objects:
        about = item["metadata"]
        key = item["kind"], about.get("namespace", ""), about["name"]
        assert key not in found, f"{key} is there twice"
        found[key] = item
    return found


class Comparison(NamedTuple):
    """How many fields were predicted, and those that came out otherwise."""

    fields: int
    wrong: list[str]


def compared(predicted, live, path=()):
    """Each field that was predicted with what it is; what is only in life is a default."""
    if isinstance(predicted, dict) and isinstance(live, dict):
        pairs = [(key, value, live.get(key)) for key, value in predicted.items()]
    elif isinstance(predicted, list) and isinstance(live, list) and len(predicted) == len(live):
        both = zip(_in_order(predicted), _in_order(live), strict=True)
        pairs = [(index, *pair) for index, pair in enumerate(both)]
    else:
        alike = (predicted, live) == ("", None) or _plain(path, predicted) == _plain(path, live)
        where = "/".join(map(str, path))
        return Comparison(1, [] if alike else [f"{where}: {predicted!r}, and it is {live!r}"])
    found = [compared(mine, theirs, (*path, key)) for key, mine, theirs in pairs]
    return Comparison(
        sum(item.fields for item in found), [text for item in found for text in item.wrong]
    )


def in_order(text):
    """A text with the ports and Services of Kuscia's variables in a fixed order."""
    return _PORTS.sub(lambda run: ",".join(sorted(_SINGLE.findall(run[0]))), text)


def _in_order(items):
    """A list of variables with those of ports by name, which stand together in any order."""
    ports = iter(sorted(filter(_is_port_variable, items), key=lambda item: item["name"]))
    return [next(ports) if _is_port_variable(item) else item for item in items]


def _is_port_variable(item):
    name = item.get("name", "") if isinstance(item, dict) else ""
    return name.startswith("KUSCIA_PORT_") and name.endswith("_NUMBER")


def _plain(path, value):
    if not isinstance(value, str):
        return value
    return sorted(value.split(",")) if path[-1] == _ACCESS else in_order(value)

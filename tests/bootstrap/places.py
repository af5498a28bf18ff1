"""Destinations to bootstrap, of environments that exist in memory only."""

import yaml

from renderer.bootstrap.places import places_of
from renderer.bootstrap.sources import RepositorySource
from tests.support.memory import project

SOURCE = RepositorySource("https://git.example/specs", "main")
_HEAD = "apiVersion: serving.gitops/v1\nkind: Environment\n"


def places(**environments):
    """Of environments by name, each a list of destinations; a name alone is a cluster.

    An environment that is a mapping has other settings beside its destinations.
    """
    files = {"servingctl.yaml": ""}
    for name, items in environments.items():
        settings = items if isinstance(items, dict) else {"destinations": items}
        described = [_described(item) for item in settings["destinations"]]
        text = _HEAD + yaml.safe_dump({**settings, "destinations": described})
        files[f"environments/{name.replace('_', '-')}/environment.yaml"] = text
    return places_of(project(files).shared.environments)


def _described(item):
    usual = {"platform": "kubernetes"}
    return {**usual, **(item if isinstance(item, dict) else {"name": item})}

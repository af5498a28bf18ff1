"""What comes of importing objects as they were given, and as the platform stored them."""

import json

import yaml

from tests.support.adoption import imported, in_memory, manifests_of, with_import
from tests.support.stored_rows import stored


def repository(settings):
    """An empty repository with one environment, which has one cluster."""
    environment = {
        "apiVersion": "serving.gitops/v1",
        "kind": "Environment",
        "destinations": [{"name": "east", "platform": "kubernetes"}],
        **settings,
    }
    return {"environments/e/environment.yaml": environment}


def sound_rows(files, rows):
    """The rows whose manifests have no errors as specs."""
    wrong = {item.file for item in _adopted(files, [row["given"] for row in rows]).errors}
    return [row for number, row in enumerate(rows) if _file(number) not in wrong]


def given_and_stored(files, rows):
    """What is rendered of the manifests of rows, and of the objects that were stored."""
    return (
        _rendered(files, [row["given"] for row in rows]),
        _rendered(files, [stored(row) for row in rows]),
    )


def _file(number):
    return f"{number}.json"


def _adopted(files, objects):
    texts = {_file(number): json.dumps(item, indent=1) for number, item in enumerate(objects)}
    return imported(files, texts, "e")


def _rendered(files, objects):
    adoption = _adopted(files, objects)
    assert not adoption.errors, adoption.errors
    assert not adoption.differences, adoption.differences
    made = manifests_of(in_memory(with_import(files, adoption)), "e")
    return {path: yaml.safe_load(text) for path, text in made.items()}

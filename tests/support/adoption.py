"""Repositories in memory, and what comes of them when their objects are imported again."""

import json

from renderer.adopt.adoption import adopt
from renderer.adopt.sources import ForeignText
from renderer.evaluate.run import render
from tests.support.memory import project


def in_memory(files):
    """A repository of texts by path; what is no text is written as JSON, which is YAML as well."""
    texts = {k: v if isinstance(v, str) else json.dumps(v) for k, v in files.items()}
    return project({"servingctl.yaml": "", **texts})


def manifests_of(opened, environment):
    """The texts of an environment's objects by path, which must have no errors."""
    rendering = render(opened, [environment])
    assert rendering.is_sound, [item.message for item in rendering.diagnostics]
    return {item.path: item.text for item in rendering.manifests}


def imported(files, given, environment, **wishes):
    """What an import into a repository comes to."""
    opened = in_memory(files)
    texts = [ForeignText(name, text.encode()) for name, text in given.items()]
    return adopt(texts, opened, opened.environment(environment), **wishes)


def with_import(files, adoption):
    """A repository with the files of an import in place."""
    done = {**files, **{file.path: file.text for file in adoption.files}}
    return {path: text for path, text in done.items() if text is not None}


def import_again(files, environment):
    """What is rendered of a repository, and of what importing that into an empty one gives."""
    before = manifests_of(in_memory(files), environment)
    empty = {path: text for path, text in files.items() if not _is_spec(path, text)}
    adoption = imported(empty, before, environment)
    assert not adoption.unreadable
    assert not adoption.errors, [item.message for item in adoption.errors]
    assert not adoption.differences, adoption.differences
    return before, manifests_of(in_memory(with_import(empty, adoption)), environment)


def _is_spec(path, text):
    """Whether a file is a spec, and not the description of an environment or a template."""
    return path.startswith("environments/") and "Environment" not in str(text)

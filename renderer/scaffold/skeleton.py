"""The file of a new spec: where it goes and what it begins with."""

from collections.abc import Iterator

from renderer.backends.kind_schemas import name_schema
from renderer.backends.kinds import API_VERSION, ENVIRONMENT, folder_of, functions_of, kind_named
from renderer.errors import UsageError
from renderer.evaluate.inputs import kind_of, read_source
from renderer.evaluate.project import Project
from renderer.schema.validation import check
from renderer.values.diagnostics import Origin
from renderer.values.kinds import Kind
from renderer.values.model import Environment, environment_of, stem_of
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node


class NewSpec(NamedTuple):
    """A spec that is not there yet."""

    path: str
    text: str


def new_spec(project: Project, word: str, name: str, environment: Environment) -> NewSpec:
    """A spec of the kind that a word means, with what is obvious from its environment.

    Of one that the environment inherits there is nothing to be said yet.
    """
    kind = _spec_kind(word)
    _refuse_name(kind, name)
    path = f"environments/{environment.name}/{folder_of(kind.name)}/{name}.yaml"
    head = f"apiVersion: {API_VERSION}\nkind: {kind.name}\n"
    chain = [folder.name for folder in project.shared.layers[environment.name].chain]
    for file in _files_of(project, kind, name):
        if environment_of(file) == environment.name:
            raise UsageError(f"there is {file} already; nothing was written")
    above = {environment_of(file): file for file in _files_of(project, kind, name)}
    inherited = [above[folder] for folder in chain if folder in above]
    if inherited:
        about = f"# What {environment.name} has beyond {inherited[-1]}: only what differs.\n"
        return NewSpec(path, f"{about}{head}")
    about, _, fields = _first_fields(project, kind, name, environment).partition("\n")
    return NewSpec(path, f"{about}\n{head}{fields}")


def _first_fields(project: Project, kind: Kind, name: str, environment: Environment) -> str:
    """A comment, and the fields that a new spec of the kind begins with."""
    skeleton = functions_of(kind.name).skeleton
    if skeleton is None:
        return f"# `servingctl schema {kind.name}` describes the fields.\n"
    return skeleton(name, _environment_with_output(project, environment))


def _spec_kind(word: str) -> Kind:
    kind = kind_named(word)
    if kind is ENVIRONMENT:
        what = "an environment is a folder with a file environment.yaml"
        raise UsageError(f"{what}; write environments/NAME/environment.yaml")
    return kind


def _refuse_name(kind: Kind, name: str) -> None:
    """The name of the file is that of the object, unless the spec says otherwise."""
    nowhere = Origin("")
    tree = Node({kind.name_field: Node(name, nowhere)}, nowhere)
    for found in check(tree, name_schema(kind.name)):
        what = f"{name!r} cannot be the name of a file of the kind {kind.name}"
        raise UsageError(f"{what}; {found.fix or found.message}")


def _files_of(project: Project, kind: Kind, name: str) -> Iterator[str]:
    """The files that say something of a spec, or may do so if they could be read."""
    for path in project.inputs.digests:
        if stem_of(path) == name and environment_of(path):
            found = kind_of(read_source(project.files, path))
            if found in (kind.name, ""):
                yield path


def _environment_with_output(project: Project, environment: Environment) -> Environment:
    """The environment, or one with output that inherits from it: production, if there is one."""
    if environment.destinations:
        return environment
    heirs = [
        item
        for item in project.environments
        if item.destinations
        and environment.name in (f.name for f in project.shared.layers[item.name].chain)
    ]
    return max(heirs, key=lambda item: item.is_production, default=environment)

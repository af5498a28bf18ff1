"""Shared inputs: what any spec may use, read and composed once.

Environments with their chains, prerequisites, templates, CRDs, settings, and every file whose kind
cannot be told from its first lines.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from renderer.assets import TEMPLATES
from renderer.compose.chains import chain_of, check_bases, check_chains
from renderer.compose.environment_rules import NO_ENVIRONMENT
from renderer.compose.environments import Layers
from renderer.compose.other_kinds import other_kind
from renderer.compose.parts import Parts, folders_of, misnamed, parts_of, same_stems
from renderer.compose.settings import read_settings, unreadable
from renderer.compose.spec_rules import SAME_NAME
from renderer.evaluate.documents import Documents, read_documents
from renderer.evaluate.inputs import SPEC_ENDINGS, Inputs, digest_of, find_inputs, read_source
from renderer.schema.crds import CRD_LIMITS, Crd, collect
from renderer.text import rules as problems
from renderer.text import yaml_reader
from renderer.text.decoder import SPEC_LIMITS, decode
from renderer.text.digests import blake2b
from renderer.values.diagnostics import Diagnostic, Origin
from renderer.values.files import Files, Unreadable
from renderer.values.model import Document, Environment, Part, Reference, Settings, Spec


class Shared(NamedTuple):
    """What any spec may use. The specs of its environments are prerequisites only.

    `variables` are those that they use, by environment. `reads` has a digest of every file that
    was read, `digest` is one of everything, and `common_digest` leaves out the files of
    prerequisites that could be composed.
    """

    settings: Settings
    environments: tuple[Environment, ...]
    layers: Mapping[str, Layers]
    parts: tuple[Part, ...]
    documents: Mapping[str, Document]
    templates: Mapping[str, str]
    crds: Mapping[tuple[str, str], Crd]
    diagnostics: tuple[Diagnostic, ...]
    variables: Mapping[str, frozenset[str]]
    reads: Mapping[str, bytes]
    digest: bytes
    common_digest: bytes

    def digest_of(self, kind: str, name: str) -> bytes:
        """Of the specs that a reference means, in all environments."""
        total = blake2b(digest_size=20)
        for environment in self.environments:
            total.update(f"\0\0{environment.name}".encode())
            for spec in environment.meant(Reference(kind, name, ())):
                _add_files(total.update, spec.files, self.reads)
        return total.digest()


def _add_files(
    add: Callable[[bytes], None], files: Iterable[str], reads: Mapping[str, bytes]
) -> None:
    for file in files:
        add(f"\0{file}\0".encode("utf-8", "surrogateescape"))
        add(reads.get(file, b""))


def _digest(start: str, files: Iterable[str], reads: Mapping[str, bytes]) -> bytes:
    total = blake2b(start.encode("utf-8", "surrogateescape"), digest_size=20)
    _add_files(total.update, sorted(files), reads)
    return total.digest()


def read_shared(files: Files) -> tuple[Shared, Inputs]:
    """Read what is shared, and find the files of every group."""
    recorded = _Recorded(files)
    settings, found = read_settings(recorded)
    inputs = find_inputs(files, settings)
    documents = read_documents((read_source(recorded, path) for path in inputs.shared), recorded)
    taken = documents.taken
    inputs = _without(inputs, taken)
    read = (*inputs.diagnostics, *documents.diagnostics)
    found += (item for item in read if item.file not in taken)
    if not inputs.digests and not found:
        found.append(_nothing())
    templates = dict(_templates(recorded, found))
    crds, unusable = collect(tuple(_crds(recorded, found)))
    composed = _Composition(documents, inputs.folders)
    diagnostics = (*found, *composed.diagnostics, *unusable)
    reads, start = recorded.reads, repr((sorted(inputs.folders), diagnostics))
    own = {file for item in composed.environments for spec in item.specs for file in spec.files}
    shared = Shared(
        settings,
        tuple(composed.environments),
        composed.layers,
        composed.parts.parts,
        documents.by_file,
        templates,
        crds,
        diagnostics,
        composed.variables,
        reads,
        _digest(start, reads, reads),
        _digest(start, reads.keys() - own, reads),
    )
    return shared, inputs


class _Recorded:
    """Files, with a note of what was read: a digest by path."""

    def __init__(self, files: Files) -> None:
        self.root = files.root
        self.reads: dict[str, bytes] = {}
        self.names, self.entries, self.exists = files.names, files.entries, files.exists
        self._files = files

    def read(self, path: str, limit: int) -> bytes:
        data = self._files.read(path, limit)
        self.reads[path] = digest_of(data)
        return data


def _without(inputs: Inputs, taken: set[str]) -> Inputs:
    """Texts that specs take from files are no specs, whatever they look like."""
    if taken.isdisjoint(inputs.digests):
        return inputs
    groups = {
        stem: tuple(path for path in paths if path not in taken)
        for stem, paths in inputs.groups.items()
    }
    return inputs._replace(
        groups={stem: paths for stem, paths in groups.items() if paths},
        digests={path: digest for path, digest in inputs.digests.items() if path not in taken},
    )


def _nothing() -> Diagnostic:
    message = "there are no environments"
    fix = "add environments/<name>/environment.yaml and specs beside it"
    return NO_ENVIRONMENT.at(Origin("environments"), message, fix)


class _Composition:
    """The environments of the shared files, each with its prerequisites."""

    def __init__(self, documents: Documents, names: Iterable[str]) -> None:
        taken = documents.taken
        self.documents = documents.by_file
        untaken = (item for file, item in documents.by_file.items() if file not in taken)
        self.parts: Parts = parts_of(untaken, documents.texts)
        sorting = folders_of(names, self.parts)
        prerequisites = (part for part in self.parts.parts if part.kind.prerequisite)
        self.diagnostics = [*self.parts.diagnostics, *sorting.diagnostics]
        self.diagnostics += same_stems(prerequisites)
        self.diagnostics += check_chains(sorting.folders, sorting.undescribed)
        chains = (chain_of(name, sorting.folders) for name in sorting.folders)
        self.variables: dict[str, frozenset[str]] = {}
        self.layers = {chain[-1].name: Layers(chain) for chain in chains if chain}
        self.environments = [self._environment(item) for item in self.layers.values()]
        self.diagnostics += check_bases(self.environments, sorting.folders)

    def _environment(self, layers: Layers) -> Environment:
        unread = {stem for folder in layers.chain for stem in folder.unread}
        strays: set[str] = set()
        specs: list[Spec] = []
        found: list[Diagnostic] = [*layers.found]
        used: set[str] = set()
        keys = {key for folder in layers.chain for key in folder.specs}
        for kind, stem in sorted(keys):
            said = [f.specs[kind, stem] for f in layers.chain if (kind, stem) in f.specs]
            if stem in unread or not said[0].kind.prerequisite:
                continue
            made = layers.spec(said[0].kind, stem, said, self.documents)
            used |= made.used
            odd = other_kind(said[0], layers.chain, made.missing) if made.spec else None
            is_whole = not made.missing
            wrong = odd or misnamed(said[0].file, kind, made.missing, self._inherited(layers, kind))
            found += (wrong,) if wrong else ()
            found += made.diagnostics if is_whole or not wrong else ()
            strays |= {stem} if wrong and not is_whole else set()
            specs += [made.spec] if made.spec and (is_whole or not wrong) else []
        self.variables[layers.name] = frozenset(used)
        environment = layers.environment(tuple(specs), frozenset(unread | strays))
        if environment.destinations:  # what is only inherited is bound by its heirs
            about, files = environment.name, environment.files
            self.diagnostics += (item.about(about, related=files) for item in found)
            self.diagnostics += _same_names(environment)
        return environment

    def _inherited(self, layers: Layers, kind: str) -> Iterator[str]:
        """The stems of a kind that the environments above have."""
        keys = {key for folder in layers.chain[:-1] for key in folder.specs}
        return (stem for of_kind, stem in keys if of_kind == kind)


def _same_names(environment: Environment) -> Iterator[Diagnostic]:
    for spec in environment.specs:
        known = environment.by_name[spec.kind.name, spec.name]
        if known is not spec:
            message = f"{known.file} is called {spec.name!r} already"
            fix = "give one of the two another name"
            finding = SAME_NAME.at(spec.name_node.origin, message, fix)
            yield finding.about(environment.name, related=(*spec.files, *known.files))


def _templates(files: Files, found: list[Diagnostic]) -> Iterator[tuple[str, str]]:
    """The repository's own templates, unless they are the bundled ones themselves."""
    if os.path.realpath(f"{files.root}/templates") == os.path.realpath(TEMPLATES):
        return
    for path, data in _contents(files, "templates", (".j2",), SPEC_LIMITS.size, found):
        text, faults = decode(data, path, SPEC_LIMITS)
        found += faults
        if not faults:
            yield path.removeprefix("templates/"), text


def _crds(files: Files, found: list[Diagnostic]) -> Iterator[Document]:
    ours = {problems.AMBIGUOUS.code, problems.KEY.code}
    for path, data in _contents(files, "schemas/crds", SPEC_ENDINGS, CRD_LIMITS.size, found):
        reading = yaml_reader.read(data, path, CRD_LIMITS, several=True)
        serious = [item for item in reading.problems if item.code not in ours]
        found += serious
        if not serious:
            yield reading.document


def _contents(
    files: Files, folder: str, endings: tuple[str, ...], limit: int, found: list[Diagnostic]
) -> Iterator[tuple[str, bytes]]:
    """The files of a folder that have one of these endings."""
    for entry in files.entries(folder):
        if entry.problem:
            found.append(unreadable(entry.path, entry.problem))
        if entry.is_folder or not entry.path.endswith(endings):
            continue
        try:
            yield entry.path, files.read(entry.path, limit)
        except Unreadable as error:
            found.append(unreadable(entry.path, error))

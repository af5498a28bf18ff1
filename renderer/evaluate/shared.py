"""Shared inputs: what any spec may use, read and composed once.

Environments with their chains, prerequisites, templates, CRDs, settings, and every file whose kind
is not known from its first lines.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping

from renderer.assets import TEMPLATES
from renderer.backends.kinds import selections_in
from renderer.compose.chains import chain_of, check_bases, check_chains, other_kind
from renderer.compose.environment_rules import NO_ENVIRONMENT
from renderer.compose.environments import Layers
from renderer.compose.parts import Parts, folders_of, misnamed_finding, parts_of, same_stems
from renderer.compose.settings import read_settings, repository_settings, unreadable
from renderer.compose.spec_rules import SAME_NAME
from renderer.evaluate.documents import Documents, read_documents
from renderer.evaluate.inputs import (
    SPEC_ENDINGS,
    InputFile,
    Inputs,
    digest_of,
    find_inputs,
    read_source,
)
from renderer.policies.admission_files import NAMESPACE, kind_of
from renderer.policies.rule_files import Policies, places_of_on, rules_in
from renderer.policies.rules import NO_FOLDER
from renderer.schema.crds import CRD_LIMITS, Crd, collect
from renderer.text import rules as problems
from renderer.text import yaml_reader
from renderer.text.decoder import SPEC_LIMITS, Limits, decode
from renderer.text.digests import blake2b
from renderer.values.diagnostics import Diagnostic, Origin
from renderer.values.files import Files
from renderer.values.model import Document, Environment, Reference, Settings, Spec, SpecPart
from renderer.values.named_tuple import NamedTuple


class Shared(NamedTuple):
    """What any spec may use. The specs of its environments are prerequisites only.

    `variables` are those that they use, by environment. `reads` has a digest of every file that
    was read, `digest` is one of everything, `ruleless_digest` leaves out the files of rules, and
    `common_digest` those of prerequisites that could be composed as well.
    """

    settings: Settings
    environments: tuple[Environment, ...]
    layers: Mapping[str, Layers]
    parts: tuple[SpecPart, ...]
    documents: Mapping[str, Document]
    templates: Mapping[str, str]
    crds: Mapping[tuple[str, str], Crd]
    policies: Policies
    diagnostics: tuple[Diagnostic, ...]
    variables: Mapping[str, frozenset[str]]
    reads: Mapping[str, bytes]
    digest: bytes
    ruleless_digest: bytes
    common_digest: bytes

    @property
    def rule_digests(self) -> dict[str, bytes]:
        """Of each rule of the repository, of its file."""
        return {rule.file: self.reads[rule.file] for rule in self.policies.rules}

    @property
    def has_crd_rules(self) -> bool:
        """Whether a CRD has rules in CEL."""
        return any(crd.ruled for crd in self.crds.values())

    def digest_of(self, kind: str, name: str) -> bytes:
        """Of the specs that a reference means, in all environments."""
        total = blake2b(digest_size=20)
        for environment in self.environments:
            total.update(f"\0\0{environment.name}".encode())
            for spec in environment.referenced_specs(Reference(kind, name, ())):
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
    recorded = _RecordingFiles(files)
    settings, found = read_settings(recorded)
    inputs = find_inputs(files, settings)
    documents = read_documents((read_source(recorded, path) for path in inputs.shared), recorded)
    text_files = documents.text_files
    inputs = _drop_texts(inputs, text_files)
    read = (*inputs.diagnostics, *documents.diagnostics)
    found += (item for item in read if item.file not in text_files)
    if not inputs.digests and not found:
        found.append(_no_environments())
    templates, bad_templates = _templates(recorded)
    crd_documents, bad_documents = _crds(recorded)
    crds, unusable = collect(crd_documents)
    composed = _compose(documents, inputs.folders, crds, settings)
    policies = read_policies(recorded, settings)
    found += (*bad_templates, *bad_documents, *policies.diagnostics)
    diagnostics = (*found, *composed.diagnostics, *unusable)
    # Where specs of open kinds begin to be there, all others are asked what they name, and where
    # one of them selects what runs by others, these are asked what runs.
    named = [
        (item.name, selections_in(item) is not None)
        for item in composed.environments
        if item.made is not None
    ]
    codes = sorted(policies.codes)  # any comment may name them
    reads, start = recorded.reads, repr((sorted(inputs.folders), diagnostics, named, codes))
    ruleless = reads.keys() - {rule.file for rule in policies.rules}
    own = set(_files_for_their_users(composed.environments, policies))
    shared = Shared(
        settings,
        composed.environments,
        composed.layers,
        composed.parts.parts,
        documents.by_file,
        templates,
        crds,
        policies,
        diagnostics,
        composed.variables,
        reads,
        _digest(start, reads, reads),
        _digest(start, ruleless, reads),
        _digest(start, ruleless - own, reads),
    )
    return shared, inputs


def _files_for_their_users(
    environments: Iterable[Environment], policies: Policies
) -> Iterator[str]:
    """The files of prerequisites that only those depend on who refer to them.

    Policies of clusters read namespaces and parameters wherever an object is.
    """
    kinds = {NAMESPACE, *policies.admission.param_kinds} if policies.admission.policies else ()
    specs = [spec for item in environments for spec in item.specs]
    read = {file for spec in specs if kind_of(spec.tree) in kinds for file in spec.files}
    yield from (file for spec in specs for file in spec.files if file not in read)


class _RecordingFiles:
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


def _drop_texts(inputs: Inputs, text_files: set[str]) -> Inputs:
    """Texts that specs take from files are no specs, whatever they look like."""
    if text_files.isdisjoint(inputs.digests):
        return inputs
    groups = {
        stem: tuple(path for path in paths if path not in text_files)
        for stem, paths in inputs.groups.items()
    }
    return inputs._replace(
        groups={stem: paths for stem, paths in groups.items() if paths},
        digests={path: digest for path, digest in inputs.digests.items() if path not in text_files},
    )


def _no_environments() -> Diagnostic:
    message = "there are no environments"
    fix = "add environments/<name>/environment.yaml and specs beside it"
    return NO_ENVIRONMENT.at(Origin("environments"), message, fix)


class _Composition(NamedTuple):
    """The environments of the shared files, each with its prerequisites."""

    parts: Parts
    layers: Mapping[str, Layers]
    environments: tuple[Environment, ...]
    variables: Mapping[str, frozenset[str]]
    diagnostics: tuple[Diagnostic, ...]


def _compose(
    documents: Documents,
    names: Iterable[str],
    crds: Mapping[tuple[str, str], Crd],
    settings: Settings,
) -> _Composition:
    text_files = documents.text_files
    untaken = (item for file, item in documents.by_file.items() if file not in text_files)
    parts = parts_of(untaken, documents.texts, crds)
    sorting = folders_of(names, parts)
    chains = (chain_of(name, sorting.folders) for name in sorting.folders)
    common = repository_settings(settings)
    layers = {chain[-1].name: Layers(chain, common) for chain in chains if chain}
    composed = [_compose_environment(item, documents.by_file) for item in layers.values()]
    environments = tuple(item.environment for item in composed)
    diagnostics = (
        *parts.diagnostics,
        *sorting.diagnostics,
        *same_stems(part for part in parts.parts if part.kind.prerequisite),
        *check_chains(sorting.folders, sorting.undescribed),
        *(one for item in composed for one in item.diagnostics),
        *check_bases(environments, sorting.folders),
    )
    variables = {item.environment.name: item.variables for item in composed}
    return _Composition(parts, layers, environments, variables, diagnostics)


class _ComposedEnvironment(NamedTuple):
    """An environment with its prerequisites, and the variables that these use."""

    environment: Environment
    variables: frozenset[str]
    diagnostics: tuple[Diagnostic, ...]


def _compose_environment(layers: Layers, documents: Mapping[str, Document]) -> _ComposedEnvironment:
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
        made = layers.spec(said[0].kind, stem, said, documents)
        used |= made.used
        odd = other_kind(said[0], layers.chain, made.missing) if made.spec else None
        is_whole = not made.missing
        wrong = odd or misnamed_finding(
            said[0].file, kind, made.missing, _inherited_stems(layers, kind)
        )
        found += (wrong,) if wrong else ()
        found += made.diagnostics if is_whole or not wrong else ()
        strays |= {stem} if wrong and not is_whole else set()
        specs += [made.spec] if made.spec and (is_whole or not wrong) else []
    environment = layers.environment(tuple(specs), frozenset(unread | strays))
    diagnostics: tuple[Diagnostic, ...] = ()
    if environment.destinations:  # an inherited one is bound, and judged, in its heirs
        about, files = environment.name, environment.files
        in_specs = (item.about(about, related=files) for item in found)
        diagnostics = (*in_specs, *_same_names(environment))
    return _ComposedEnvironment(environment, frozenset(used), diagnostics)


def _inherited_stems(layers: Layers, kind: str) -> Iterator[str]:
    """The stems of a kind that the environments above have."""
    keys = {key for folder in layers.chain[:-1] for key in folder.specs}
    return (stem for of_kind, stem in keys if of_kind == kind)


def _same_names(environment: Environment) -> Iterator[Diagnostic]:
    for spec in (spec for spec in environment.specs if not spec.kind.is_open):
        known = environment.by_name[spec.kind.name, spec.name]
        if known is not spec:
            message = f"{known.file} is called {spec.name!r} already"
            fix = "give one of the two another name"
            finding = SAME_NAME.at(spec.name_node.origin, message, fix)
            yield finding.about(environment.name, related=(*spec.files, *known.files))


def _templates(files: Files) -> tuple[dict[str, str], list[Diagnostic]]:
    """The repository's own templates, unless they are the bundled ones themselves."""
    if os.path.realpath(f"{files.root}/templates") == os.path.realpath(TEMPLATES):
        return {}, []
    sources = list(_sources(files, "templates", (".j2",), SPEC_LIMITS))
    decoded = [
        (item.path, *decode(item.data, item.path, SPEC_LIMITS)) for item in _readable(sources)
    ]
    found = [*_unreadable_findings(sources), *(fault for *_, faults in decoded for fault in faults)]
    texts = {path: text for path, text, faults in decoded if not faults}
    return {path.removeprefix("templates/"): text for path, text in texts.items()}, found


def _crds(files: Files) -> tuple[tuple[Document, ...], list[Diagnostic]]:
    ours = {problems.AMBIGUOUS.code, problems.KEY.code}
    sources = list(_sources(files, "schemas/crds", SPEC_ENDINGS, CRD_LIMITS))
    documents: list[Document] = []
    found = list(_unreadable_findings(sources))
    for item in _readable(sources):
        reading = yaml_reader.read(item.data, item.path, CRD_LIMITS, several=True)
        serious = [problem for problem in reading.problems if problem.code not in ours]
        found += serious
        if not serious:
            documents.append(reading.document)
    return tuple(documents), found


def read_policies(files: Files, settings: Settings) -> Policies:
    """The repository's own rules, and what is wrong with their files."""
    found: list[Diagnostic] = []
    documents: list[Document] = []
    for folder, origin in _policy_folders(settings):
        sources = list(_sources(files, folder, SPEC_ENDINGS, SPEC_LIMITS))
        if origin and not (sources or files.exists(folder)):
            message = f"there is no folder {folder!r}"
            found.append(NO_FOLDER.at(origin, message, "add it, or delete this line"))
        found += _unreadable_findings(sources)
        for item in _readable(sources):
            reading = yaml_reader.read(item.data, item.path, SPEC_LIMITS, several=True)
            own_keys = places_of_on(reading.document)
            problems_here = [one for one in reading.problems if one.place not in own_keys]
            found += problems_here
            documents += [] if problems_here else [reading.document]
    policies = rules_in(documents)
    return policies._replace(diagnostics=(*found, *policies.diagnostics))


def _policy_folders(settings: Settings) -> Iterator[tuple[str, Origin | None]]:
    """Each folder, and where a setting names it."""
    given = settings.tree.get("policies") if settings.tree else None
    places = {str(node.value).rstrip("/"): node.origin for node in given.elements} if given else {}
    return ((folder, places.get(folder)) for folder in settings.policies)


def _sources(
    files: Files, folder: str, endings: tuple[str, ...], limits: Limits
) -> Iterator[InputFile]:
    """The files of a folder that have one of these endings, and what else cannot be read there."""
    for entry in files.entries(folder):
        if entry.problem:
            yield InputFile(entry.path, problem=entry.problem)
        if not entry.is_folder and entry.path.endswith(endings):
            yield read_source(files, entry.path, limits)


def _readable(sources: Iterable[InputFile]) -> Iterator[InputFile]:
    return (item for item in sources if item.problem is None)


def _unreadable_findings(sources: Iterable[InputFile]) -> Iterator[Diagnostic]:
    return (unreadable(item.path, item.problem) for item in sources if item.problem)

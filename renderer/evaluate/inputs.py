"""The files of a repository: which are shared by all specs, and which form a group."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from renderer.backends.kinds import ENVIRONMENT, KINDS
from renderer.compose.settings import unreadable
from renderer.compose.spec_rules import NOT_READ
from renderer.text import rules as problems
from renderer.text.decoder import SPEC_LIMITS, Limits, hidden_characters
from renderer.text.digests import blake2b
from renderer.text.wording import mistaken, visible
from renderer.values.diagnostics import Diagnostic, Origin
from renderer.values.files import Files, Unreadable
from renderer.values.model import Settings, environment_of, stem_of
from renderer.values.named_tuple import NamedTuple

SPEC_ENDINGS = (".yaml", ".yml", ".json")
#: Endings that are those of other formats, however near they are.
_OTHER_FORMATS = frozenset(("jsonc", "jsonl", "jsonp"))
#: Kinds whose specs no other spec depends on, and which take no text from other files.
GROUPED = frozenset(
    kind.name
    for kind in KINDS.values()
    if kind is not ENVIRONMENT and not kind.prerequisite and not kind.text_files
)
#: A kind is recognised if it stands at the top, behind nothing but comments and the `apiVersion`.
_NOTHING = rb"(?:[ \t]*(?:#[^\r\n]*)?\r?\n|---[ \t]*\r?\n)*"
_REST = rb"(?:[ \t]+#[^\r\n]*|[ \t]*)\r?"
_VERSION = rb"(?:apiVersion:[ \t]+[A-Za-z0-9./-]+%s\n%s)?" % (_REST, _NOTHING)
_KIND = re.compile(_NOTHING + _VERSION + rb"kind:[ \t]+([A-Za-z]+)%s(?:\n|$)" % _REST)
_JSON_KIND = re.compile(
    rb'\s*\{\s*(?:"apiVersion"\s*:\s*"[^"\\]*"\s*,\s*)?"kind"\s*:\s*"([A-Za-z]+)"\s*[,}]'
)


class Inputs(NamedTuple):
    """Spec files by the stem of their group, those that are shared, and a digest of each.

    `folders` are the names of the environments' folders.
    """

    groups: Mapping[str, tuple[str, ...]]
    shared: tuple[str, ...]
    folders: frozenset[str]
    digests: Mapping[str, bytes]
    diagnostics: tuple[Diagnostic, ...]


class InputFile(NamedTuple):
    """A file: its bytes, or why it cannot be read."""

    path: str
    data: bytes = b""
    problem: Unreadable | None = None

    @property
    def digest(self) -> bytes:
        return digest_of(self.data if self.problem is None else f"\0{self.problem}".encode())


def digest_of(data: bytes) -> bytes:
    return blake2b(data, digest_size=20).digest()


def read_source(files: Files, path: str, limits: Limits = SPEC_LIMITS) -> InputFile:
    try:
        return InputFile(path, files.read(path, limits.size))
    except Unreadable as error:
        return InputFile(path, problem=error)


def find_inputs(files: Files, settings: Settings) -> Inputs:
    """Look at every spec file once."""
    groups: dict[str, list[str]] = {}
    shared: list[str] = []
    digests: dict[str, bytes] = {}
    entries = list(_spec_files(files, settings))
    found = tuple(item for item in entries if isinstance(item, Diagnostic))
    for path in (item for item in entries if isinstance(item, str)):
        source = read_source(files, path)
        digests[path] = source.digest
        if environment_of(path) and kind_of(source) in GROUPED:
            groups.setdefault(stem_of(path), []).append(path)
        else:
            shared.append(path)
    names = {environment_of(path) for path in digests} - {""}
    by_stem = {stem: tuple(paths) for stem, paths in groups.items()}
    return Inputs(by_stem, tuple(shared), frozenset(names), digests, found)


def kind_of(source: InputFile) -> str:
    """The kind that a file must be of if it is a spec at all; nothing if that is not known.

    Nothing behind the first lines can make it another one: a key that stands twice is an error.
    """
    form = _JSON_KIND if source.path.endswith(".json") else _KIND
    match = form.match(source.data)
    return match[1].decode() if match else ""


def _spec_files(files: Files, settings: Settings) -> Iterator[str | Diagnostic]:
    """The files below `environments/` that are to be read, and what is odd about others."""
    ignored = list(_matchers(settings.ignore))
    for entry in files.entries("environments"):
        if any(matches(entry.path) for matches in ignored):
            continue
        if entry.problem:
            yield _tie_to_environment(unreadable(entry.path, entry.problem), entry.path)
        elif not entry.path.lower().endswith(SPEC_ENDINGS):
            yield from () if entry.is_folder else _near_misses(entry.path)
        elif not entry.path.endswith(SPEC_ENDINGS):
            odd = Unreadable("its ending is not in lower case", "write .yaml, .yml or .json")
            yield unreadable(entry.path, odd)
        elif hidden_characters(entry.path):
            message = "the name of a file holds a control character"
            why = "It would be shown wrongly, or steer the terminal that shows it."
            yield problems.KEY.at(Origin(visible(entry.path)), message, "rename it", why)
        elif entry.is_folder:
            yield unreadable(entry.path, Unreadable("it is a folder", "rename it"))
        else:
            yield entry.path


def _near_misses(path: str) -> Iterator[Diagnostic]:
    """That a file is not read, if its ending is a slip for one that is."""
    stem, _, written = path.rpartition("/")[2].rpartition(".")
    ending, known = written.lower(), [item[1:] for item in SPEC_ENDINGS]
    swapped = (item for item in known if sorted(item) == sorted(ending))
    meant = next(swapped, "") or mistaken(ending, known)
    is_near = meant[:1] == ending[:1] and ending not in _OTHER_FORMATS
    if stem and meant and is_near:
        fix = f"did you mean {visible(stem)}.{meant}? Then rename it"
        finding = NOT_READ.at(Origin(visible(path)), "this file is not read", fix)
        yield _tie_to_environment(finding, path)


def _matchers(patterns: Iterable[str]) -> Iterator[Callable[[str], object]]:
    if patterns:
        from fnmatch import translate

        yield from (re.compile(translate(pattern)).match for pattern in patterns)


def _tie_to_environment(finding: Diagnostic, path: str) -> Diagnostic:
    environment = environment_of(path)
    return finding.about(environment) if environment else finding

"""Spec files as documents: read, and with the texts that they take from other files."""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from renderer.backends.kinds import kind_of_tree
from renderer.compose.settings import unreadable
from renderer.compose.text_files import resolve
from renderer.evaluate.inputs import InputFile
from renderer.text import yaml_reader
from renderer.text.decoder import Reading
from renderer.values.diagnostics import Diagnostic
from renderer.values.files import Files
from renderer.values.model import Document, environment_of
from renderer.values.named_tuple import NamedTuple

_CACHE_SIZE = (
    32  # of two states that are compared, a group is looked at in one and then in the other
)


class Documents(NamedTuple):
    """Documents by file, the files that each took texts from, and what is wrong with them."""

    by_file: Mapping[str, Document]
    texts: Mapping[str, tuple[str, ...]]
    diagnostics: tuple[Diagnostic, ...]

    @property
    def text_files(self) -> set[str]:
        """The files that are texts of specs, and so no specs themselves."""
        return {text for texts in self.texts.values() for text in texts}


def read_documents(sources: Iterable[InputFile], files: Files | None = None) -> Documents:
    """Parse files; `{file: …}` is looked up in `files`, if their kinds may have it."""
    by_file: dict[str, Document] = {}
    texts: dict[str, tuple[str, ...]] = {}
    diagnostics: list[Diagnostic] = []
    for source in sources:
        environment = environment_of(source.path)
        document, found = _readable(source)
        if files is not None and document.tree is not None:
            document, texts[source.path], missing = _insert_texts(files, document)
            found = (*found, *missing)
        by_file[source.path] = document
        about = (environment,) if environment else ()
        diagnostics += (item.about(*about) for item in found)
    return Documents(by_file, texts, tuple(diagnostics))


def _readable(source: InputFile) -> tuple[Document, tuple[Diagnostic, ...]]:
    if source.problem is not None:
        return Document(source.path, "", None), (unreadable(source.path, source.problem),)
    reading = parse_file(source.data, source.path)
    return reading.document, tuple(reading.problems)


@lru_cache(maxsize=_CACHE_SIZE)
def parse_file(data: bytes, path: str) -> Reading:
    """A file by itself, as its ending says that it is written."""
    if not path.endswith(".json"):
        return yaml_reader.read(data, path)
    from renderer.text import json_reader

    return json_reader.read(data, path)


def _insert_texts(
    files: Files, document: Document
) -> tuple[Document, tuple[str, ...], tuple[Diagnostic, ...]]:
    """The document with every `{file: …}` of its kind replaced by the text of that file."""
    kind = kind_of_tree(document.tree) if document.tree else None
    if not kind or not document.tree:
        return document, (), ()
    resolution = resolve(files, document.file, document.tree, kind)
    return document._replace(tree=resolution.tree), resolution.files, resolution.found

"""Cases in YAML: a repository, what is changed in it, and what must be found, and where.

A file of cases names the repository that its cases start from, and each case what it changes:

- `change`: in a file, one text by another (the first, of several);
- `append`: a text at the end of a file;
- `merge`: data into those of a file, which is written anew; null takes a key away;
- `add`: whole files, or, if null, files that are left out;
- `then`: the same again, for a second state; what is found is found in comparing the two.

`found` is all that is found, in its order; `among` is a part of it. A finding is a code, its place
and, where they matter, parts of its words, its severity, its environments. Its file is the one that
was changed unless it says another one; `at` is what stands at its place. `absent` are codes that
are not found, `remedy` is said somewhere, `never` nowhere.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from renderer import check, compare, load
from renderer.values.diagnostics import Diagnostic
from tests.support.memory import project
from tests.support.places import ROOT
from tests.support.repositories import SMALL

FOLDER = ROOT / "tests/cases"
WORDS = ("message", "fix", "why")
OPERATIONS = {"add", "change", "append", "merge"}
KEYS = {"id", "then", "found", "among", "absent", "remedy", "never", *OPERATIONS}


def _repository(root: Path) -> dict[str, str]:
    paths = [root / "servingctl.yaml", *sorted((root / "environments").rglob("*"))]
    return {p.relative_to(root).as_posix(): p.read_text("utf-8") for p in paths if p.is_file()}


_GOLDEN = ROOT / "tests/golden/companions"
_REPOSITORIES = {
    "small": SMALL,
    "example": _repository(ROOT),
    "team-argocd": _repository(_GOLDEN / "team-argocd"),
    "team-flux": _repository(_GOLDEN / "team-flux"),
}


@dataclass(frozen=True)
class Case:
    """One case, with what its file says for all of them."""

    id: str
    files: dict[str, str]
    says: dict[str, Any]
    #: Only findings of these codes count.
    family: tuple[str, ...] = ()
    #: The file, and the key in it, whose value is given as a JSON text.
    as_text: tuple[str, str] | None = None
    #: Whether the files are written and read again: what lies around them matters.
    on_disk: bool = False

    def told(self, folders: pytest.TempPathFactory) -> list[Diagnostic]:
        """What is found, if it counts."""
        files = self.changed(self.files, self.says)
        if "then" in self.says:
            later = self.changed(files, self.says["then"])
            found = list(compare(project(files), project(later), ()).findings)
        else:
            found = check(_written(files, folders) if self.on_disk else project(files))
        return [item for item in found if not self.family or item.code.startswith(self.family)]

    def changed(self, files: dict[str, str], says: dict[str, Any]) -> dict[str, str]:
        files = dict(files)
        for path, replacements in says.get("change", {}).items():
            for old, new in replacements.items():
                assert old in files[path], f"{old!r} is not in {path}"
                files[path] = files[path].replace(old, new, 1)
        for path, text in says.get("append", {}).items():
            files[path] += text
        for path, data in says.get("merge", {}).items():
            files[path] = _dumped(_merged(_loaded(files[path]), data))
        files = {p: t for p, t in (files | says.get("add", {})).items() if t is not None}
        if self.as_text:
            path, key = self.as_text
            data = _loaded(files[path])
            files[path] = _dumped({**data, key: json.dumps(data[key])})
        return files

    @property
    def file(self) -> str:
        """The file that is changed, if it is one."""
        says = [self.says, self.says.get("then", {})]
        paths = {path for part in says for name in OPERATIONS for path in part.get(name, ())}
        return paths.pop() if len(paths) == 1 else ""


def _written(files: dict[str, str], folders: pytest.TempPathFactory) -> Any:
    root = folders.mktemp("case")
    for path, content in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(content if isinstance(content, bytes) else content.encode())
    return load(root)


def _loaded(text: str) -> Any:
    return yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))


class _Plain(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):
    """Writes what is there twice, twice."""

    def ignore_aliases(self, _data: Any) -> bool:
        return True


def _dumped(data: Any) -> str:
    return yaml.dump(data, Dumper=_Plain, sort_keys=False, allow_unicode=True, width=10_000)


def _merged(below: Any, above: Any) -> Any:
    if not isinstance(below, dict) or not isinstance(above, dict):
        return above
    both = below | {key: _merged(below.get(key), value) for key, value in above.items()}
    return {key: value for key, value in both.items() if value is not None}


def cases() -> list[Case]:
    """The cases of all files; those of some files twice, the second time with a value as text."""
    return [case for path in sorted(FOLDER.glob("*.yaml")) for case in _of_file(path)]


def _of_file(path: Any) -> list[Case]:
    said = _loaded(path.read_text("utf-8"))
    files = said["files"]
    base = _REPOSITORIES[files] if isinstance(files, str) else files
    family = tuple(said.get("family", "").split())
    found = []
    for case in said["cases"]:
        assert case.keys() <= KEYS, f"{path.name}: {case}"
        assert case.keys() & {"found", "among", "absent"}, f"{path.name}: {case}"
        name = f"{path.stem}-{case['id']}"
        found.append(Case(name, base, case, family, on_disk=said.get("on_disk", False)))
        if as_text := said.get("also_as_text"):
            (place,) = as_text.items()
            found.append(Case(f"{name}-as text", base, case, family, place))
    return found

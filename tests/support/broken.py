"""Repositories of all platforms, and edits of their files that mostly break something."""

from collections.abc import Callable
from random import Random

from tests.support.places import ROOT

Files = dict[str, str]
_VALUES = ("nothing", "-1", "[]", "{}", "null", "${vars.none}", "hunter22", "Ab_c", "99999", "true")
_IGNORE = "# servingctl: ignore[KUS103,RAY500,SEC001,ENV014] a reason"


def _files_below(folder) -> Files:
    found = (folder / name for name in ("servingctl.yaml", "environments", "templates"))
    paths = [path for top in found for path in (top, *sorted(top.rglob("*"))) if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in paths}


def repositories() -> dict[str, Files]:
    """The example, without templates of its own, and what golden cases begin with."""
    example = {
        name: text for name, text in _files_below(ROOT).items() if not name.startswith("templates/")
    }
    cases = sorted((ROOT / "tests/golden").glob("k*/*"))
    return {"example": example, **{case.name: _files_below(case) for case in cases}}


def _line(change: Callable[[Random, list[str], int, Files], None]):
    """An edit of one line of a file."""

    def edit(chance: Random, files: Files, name: str) -> None:
        lines = files[name].split("\n")
        change(chance, lines, chance.randrange(len(lines)), files)
        files[name] = "\n".join(lines)

    return edit


def _set_value(chance: Random, lines: list[str], number: int, files: Files) -> None:
    key, colon, _ = lines[number].partition(": ")
    stems = [path.rpartition("/")[2].removesuffix(".yaml") for path in files]
    if colon:
        lines[number] = f"{key}: {chance.choice((*_VALUES, *stems))}"


def _misspell(chance: Random, lines: list[str], number: int, files: Files) -> None:
    lines[number] = lines[number].replace("name", "nmae").replace("s:", "z:", 1)


def _rename(chance: Random, files: Files, name: str) -> None:
    files[f"{name.removesuffix('.yaml')}{chance.choice('xs2')}.yaml"] = files.pop(name)


def _copy(chance: Random, files: Files, name: str) -> None:
    files[name.replace(".yaml", "-copy.yaml")] = files[name]


_EDITS = (
    _line(lambda chance, lines, number, files: lines.pop(number)),
    _line(lambda chance, lines, number, files: lines.insert(number, lines[number])),
    _line(lambda chance, lines, number, files: lines.insert(number, _IGNORE)),
    _line(_set_value),
    _line(_set_value),
    _line(_misspell),
    _rename,
    _copy,
    lambda chance, files, name: files.pop(name),
)


def edited(files: Files, chance: Random, times: int) -> Files:
    """The files after so many random edits."""
    files = dict(files)
    for _ in range(times):
        if names := [name for name in files if name.startswith("environments/")]:
            chance.choice(_EDITS)(chance, files, chance.choice(names))
    return files

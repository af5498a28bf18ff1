"""Programs of a copy of KServe that differs from it in few lines, which are all here."""

import re
import shutil
from collections.abc import Mapping
from pathlib import Path

from conformance.kserve.installation import RELEASES, SOURCE
from conformance.kserve.places import HERE
from conformance.operators.installation import build as build_program

RELEASE = RELEASES[0]
NAME = "github.com/kserve/kserve"
_BUILD = HERE / "build"
#: KServe draws two keys for each LLM service; of 4096 bits that takes longer than all the rest, and
#: nobody looks at them. The agent of a node deletes what it does not know below a folder that has
#: a fixed place on the machine: here it has a folder of its own.
_CHANGES: Mapping[str, tuple[str, str]] = {
    "pkg/controller/v1alpha2/llmisvc/workload_tls_self_signed.go": (
        "rsa.GenerateKey(rand.Reader, 4096)",
        "rsa.GenerateKey(rand.Reader, 1024)",
    ),
    "pkg/controller/v1alpha1/localmodelnode/controller.go": (
        'filepath.Join(MountPath, "models")',
        'os.Getenv("MODELS_FOLDER")',
    ),
}
_REQUIRED = re.compile(r"^\t([^\s=]+) (v\S+)", re.MULTILINE)


def build(go: str, package: str) -> Path:
    """The program of one of our folders."""
    source, copied = RELEASE.module(go, NAME), _BUILD / "kserve"
    for name in ("pkg", "go.mod"):
        if not (copied / name).exists():
            _copy(source / name, copied / name)
    for path, (old, new) in _CHANGES.items():
        text = (source / path).read_text("utf-8")
        assert old in text
        _write(copied / path, text.replace(old, new))
    modules = _BUILD / "copied.mod"
    _write(modules, _modules(source, copied))
    sums = {line for folder in (SOURCE, source) for line in _lines(folder / "go.sum")}
    _write(modules.with_suffix(".sum"), "".join(sorted(sums)))
    program = _BUILD / f"{package}-{RELEASE.version}"
    return build_program(go, SOURCE, program, "../build/copied.mod", f"./{package}")


def _modules(source: Path, copied: Path) -> str:
    """Our list of modules, what else KServe requires, and the copy in place of KServe."""
    own = (SOURCE / "go.mod").read_text("utf-8")
    known = set(_REQUIRED.findall(own))
    theirs = _REQUIRED.findall((source / "go.mod").read_text("utf-8"))
    more = "".join(f"\t{name} {version}\n" for name, version in theirs if name not in dict(known))
    return f"{own}\nrequire (\n{more})\n\nreplace {NAME} => {copied}\n"


def _lines(path: Path) -> list[str]:
    return path.read_text("utf-8").splitlines(keepends=True)


def _write(path: Path, text: str) -> None:
    """What is there already stays as it is: Go looks at times first."""
    if not path.exists() or path.read_text("utf-8") != text:
        path.write_text(text, "utf-8")


def _copy(source: Path, place: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, place, copy_function=shutil.copyfile)
        return
    shutil.copyfile(source, place)

"""The package as others get it: wheel, wheel from sdist, editable, and a bare checkout."""

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from renderer import __version__
from tests.support.places import ROOT

pytestmark = [
    pytest.mark.process,
    pytest.mark.slow,
    pytest.mark.network,
]
EXPECTED = "dev/east/kusciadeployments/risk.yaml"


def call(*command, cwd, **environment):
    clean = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env={**clean, **environment},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """A clean copy of what git tracks or would track."""
    folder = tmp_path_factory.mktemp("checkout")
    listed = call("git", "ls-files", "-co", "--exclude-standard", cwd=ROOT).splitlines()
    for name in listed:
        source, target = ROOT / name, folder / name
        if source.is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(source.read_bytes())
    return folder


@pytest.fixture(scope="module")
def wheel(checkout):
    """As `make release` builds it, by way of the sdist, with the builder that is installed."""
    call("make", "release", "STAMP=", f"BIN={Path(sys.executable).parent}", cwd=checkout)
    (built,) = (checkout / "dist").glob("*.whl")
    return built


@pytest.fixture(scope="module")
def empty(tmp_path_factory):
    """An environment that sees our dependencies but not our package."""
    folder = tmp_path_factory.mktemp("env")
    venv.create(folder, with_pip=False, symlinks=True)
    return folder


def install(environment, *arguments):
    call(sys.executable, "-m", "pip", "--python", environment / "bin/python", "install",
         "--quiet", "--no-build-isolation", "--no-deps", *arguments, cwd=environment)  # fmt: skip


def dependencies(environment):
    """The folder of our own environment's packages, for the ones that are not ours."""
    site = next((environment / "lib").glob("python*/site-packages"))
    own = Path(next(p for p in sys.path if p.endswith("site-packages")))
    names = ("click", "jinja2", "markupsafe", "jsonschema", "jsonschema_specifications",
             "referencing", "rpds", "attrs", "attr", "typing_extensions.py", "yaml", "_yaml",
             "hatchling", "packaging", "pathspec", "pluggy", "trove_classifiers")  # fmt: skip
    for name in names:
        if (own / name).exists() and not (site / name).exists():
            (site / name).symlink_to(own / name)


def test_wheel_renders_elsewhere(wheel, empty, repository):
    dependencies(empty)
    install(empty, wheel)
    root = repository()
    call(empty / "bin/servingctl", "render", cwd=root)
    assert (root / "rendered" / EXPECTED).is_file()
    assert "Serving" in call(empty / "bin/servingctl", "schema", "Serving", cwd="/")
    call(empty / "bin/servingctl", "init", root / "new", cwd="/")
    assert "<style>#p-picture text{" in call(
        empty / "bin/servingctl", "graph", "--env", "dev", "--format", "svg", cwd=root
    )
    call(empty / "bin/servingctl", "render", cwd=root / "new")


def test_a_release_has_checksums(wheel):
    told = call("sha256sum", "--check", "SHA256SUMS", cwd=wheel.parent).splitlines()
    assert sorted(told) == [f"{wheel.name}: OK", f"servingctl-{__version__}.tar.gz: OK"]


def test_wheel_holds_templates_and_schemas_once(wheel):
    import zipfile

    names = zipfile.ZipFile(wheel).namelist()
    assert "renderer/templates/kuscia/kusciadeployment.yaml.j2" in names
    assert "renderer/schemas/spec/serving.json" in names
    bundled = [path for path in (ROOT / "templates").rglob("*") if path.is_file()]
    files = {f"renderer/{path.relative_to(ROOT)}" for path in bundled}
    assert "renderer/templates/starter/common/.pre-commit-config.yaml" in files
    assert "renderer/templates/outputs/page.css" in files
    assert files == {name for name in names if name.startswith("renderer/templates/")}
    assert not [name for name in names if name.startswith(("tests/", "environments/"))]
    assert len(names) == len(set(names))


def test_bare_checkout_renders(checkout, repository):
    root = repository()
    call(sys.executable, "-m", "renderer", "render", cwd=root, PYTHONPATH=str(checkout))
    assert (root / "rendered" / EXPECTED).is_file()


def test_editable_install_renders(checkout, tmp_path_factory, repository):
    folder = tmp_path_factory.mktemp("editable")
    venv.create(folder, with_pip=False, symlinks=True)
    dependencies(folder)
    install(folder, "--editable", checkout)
    root = repository()
    call(folder / "bin/servingctl", "render", cwd=root)
    assert (root / "rendered" / EXPECTED).is_file()

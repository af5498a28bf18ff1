"""The package as others get it: wheel, wheel from sdist, editable, and a bare checkout."""

import hashlib
import json
import os
import subprocess
import sys
import tomllib
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
    commit(folder)
    return folder


def commit(folder):
    """As a release is made of a commit. Its address holds a secret, which nobody may publish."""
    git = ("git", "-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "gc.auto=0")
    call("git", "init", "--quiet", cwd=folder)
    call("git", "remote", "add", "origin", "https://me:hunter2@git.example/specs", cwd=folder)
    call("git", "add", "--all", cwd=folder)
    call(*git, "commit", "--quiet", "--message", "all", cwd=folder)


@pytest.fixture(scope="module")
def wheel(checkout):
    """As `make release` builds it, by way of the sdist, with the builder that is installed."""
    pytest.importorskip("cyclonedx", reason="`pip install --editable '.[dev]'` brings it")
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


def test_a_release_has_checksums_of_all_that_is_published(wheel):
    said = call("sha256sum", "--check", "SHA256SUMS", cwd=wheel.parent).splitlines()
    begin = f"servingctl-{__version__}"
    names = [wheel.name, f"{begin}.cdx.json", f"{begin}.intoto.json", f"{begin}.tar.gz"]
    assert said == [f"{name}: OK" for name in names]
    assert sorted(path.name for path in wheel.parent.iterdir()) == ["SHA256SUMS", *names]


def test_the_statement_is_about_the_files_and_their_commit(wheel, checkout):
    (path,) = wheel.parent.glob("*.intoto.json")
    statement = json.loads(path.read_text())
    sums = (wheel.parent / "SHA256SUMS").read_text().splitlines()
    digests = dict(reversed(line.split("  ")) for line in sums if not line.endswith(path.name))
    assert {item["name"]: item["digest"]["sha256"] for item in statement["subject"]} == digests
    assert statement["_type"] == "https://in-toto.io/Statement/v1"
    definition = statement["predicate"]["buildDefinition"]
    assert definition["resolvedDependencies"][0] == {
        "uri": "git+https://git.example/specs",
        "digest": {"gitCommit": call("git", "rev-parse", "HEAD", cwd=checkout).strip()},
    }


def test_the_list_of_contents_is_cyclonedx_and_names_what_is_needed(wheel):
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator

    (path,) = wheel.parent.glob("*.cdx.json")
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(path.read_text()) is None
    listed = json.loads(path.read_text())
    scopes = {item["name"]: item["scope"] for item in listed["components"]}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    for scope, texts in (
        ("required", project["dependencies"]),
        ("optional", project["optional-dependencies"]["crds"]),
    ):
        assert {scopes[text.split(">")[0].replace(".", "-")] for text in texts} == {scope}
    assert "pytest" not in scopes
    (digest,) = listed["metadata"]["component"]["hashes"]
    assert digest["content"] == hashlib.sha256(wheel.read_bytes()).hexdigest()


def test_a_commit_gives_the_same_bytes_elsewhere_at_another_time(wheel, checkout, tmp_path):
    call("git", "clone", "--quiet", checkout, tmp_path / "clone", cwd=tmp_path)
    origin = call("git", "config", "remote.origin.url", cwd=checkout).strip()
    call("git", "remote", "set-url", "origin", origin, cwd=tmp_path / "clone")
    (tmp_path / "clone/README.md").chmod(0o600)
    call(sys.executable, "-m", "release", tmp_path / "out", cwd=tmp_path / "clone", TZ="Asia/Tokyo")
    again = (tmp_path / "out/SHA256SUMS").read_text()
    assert again == (wheel.parent / "SHA256SUMS").read_text()


def test_edits_that_are_not_committed_are_not_released(wheel, checkout, tmp_path):
    call("git", "clone", "--quiet", checkout, tmp_path / "clone", cwd=tmp_path)
    (tmp_path / "clone/new.txt").write_text("")
    done = subprocess.run(
        [sys.executable, "-m", "release", tmp_path / "out"],
        cwd=tmp_path / "clone",
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (
        1,
        "no release: uncommitted changes (?? new.txt); a release is built from a commit\n",
    )


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

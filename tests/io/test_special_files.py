"""A pipe, a socket or a folder wherever a file is read: never waited for, never taken for one."""

import os
import signal
import stat
import threading

import pytest

from renderer.cli.render_request import RenderRequest, render
from renderer.cli.validate_request import ValidateRequest, validate
from renderer.errors import RendererError, UsageError
from renderer.io import baseline
from renderer.io.states import named_state
from renderer.io.store import texts_in
from renderer.io.worktree import Worktree
from renderer.publish.journal import WORK
from renderer.values.files import Unreadable
from tests.support.repositories import RISK

KINDS = ["pipe", "socket", "folder"]
MANIFEST = "rendered/dev/east/kusciadeployments/risk.yaml"


@pytest.fixture(autouse=True)
def _impatient():
    """Who waits for a pipe waits for ever."""

    def fail(*_):
        raise AssertionError("it waits")

    before = signal.signal(signal.SIGALRM, fail)
    signal.alarm(20)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture(params=KINDS)
def put(request):
    """Replaces what is at a path."""

    def replace(path):
        path.unlink(missing_ok=True)
        path.parent.mkdir(parents=True, exist_ok=True)
        match request.param:
            case "pipe":
                os.mkfifo(path)
            case "socket":
                os.mknod(path, stat.S_IFSOCK | 0o600)
            case "folder":
                path.mkdir()
        return path

    return replace


@pytest.fixture
def root(repository, monkeypatch, tmp_path_factory):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
    return repository()


def rendered(root):
    assert render(root, RenderRequest(jobs=1)) == 0
    return root


def test_the_cache(root, put, capsys):
    rendered(root)
    [cache] = (root.parent / os.environ["XDG_CACHE_HOME"] / "servingctl").iterdir()
    put(cache)
    assert validate(root, ValidateRequest()) == 0
    assert render(root, RenderRequest(check=True)) == 0


@pytest.mark.parametrize(
    "path",
    [
        RISK,
        "environments/dev/environment.yaml",
        "environments/dev/appimages/scorer.yaml",
        "templates/kuscia/kusciadeployment.yaml.j2",
        "schemas/crds/kuscia.yaml",
        "servingctl.yaml",
    ],
)
def test_what_is_rendered(path, root, put, capsys):
    """A link to such a thing is read no more than the thing itself."""
    if put(root / path).is_dir() and not path.startswith(("environments", "servingctl")):
        return  # a folder among folders, whatever its name ends in
    assert validate(root, ValidateRequest()) == 1
    assert f"{path}:1:1: error: the file is not read: it is " in capsys.readouterr().out
    (root / path).rename(root / "elsewhere")
    (root / path).symlink_to(root / "elsewhere")
    assert validate(root, ValidateRequest()) == 1
    assert f"{path}:1:1: error: " in capsys.readouterr().out


def test_what_was_a_file_when_the_folder_was_listed(root, put):
    files = Worktree(root)
    assert RISK in {entry.path for entry in files.entries("environments")}
    put(root / RISK)
    with pytest.raises(Unreadable):
        files.read(RISK, 100)


@pytest.mark.parametrize("name", ["journal", "committed"])
def test_the_record_of_a_dead_run(name, root, put):
    put(rendered(root) / f"rendered/{WORK}/{name}")
    for check in (True, False):
        with pytest.raises(RendererError, match="an interrupted run left this"):
            render(root, RenderRequest(check=check))


def test_an_inventory(root, put):
    [inventory] = (rendered(root) / "rendered/dev/.inventory").iterdir()
    put(inventory)
    with pytest.raises(RendererError, match="not a regular file; remove it to render here"):
        render(root, RenderRequest())
    with pytest.raises((RendererError, Unreadable)):
        named_state(root, "rendered")


def test_a_rendered_file(root, put, capsys):
    put(rendered(root) / MANIFEST)
    assert render(root, RenderRequest(to_stdout=True)) == 0
    assert render(root, RenderRequest(check=True)) == 1
    with pytest.raises(RendererError, match="is in the way; remove it to render here"):
        render(root, RenderRequest())
    assert named_state(root, "rendered").state.diagnostics[0].code == "YML015"
    assert texts_in(root / "rendered")(MANIFEST.removeprefix("rendered/"), "") is None


def test_a_baseline(root, put):
    with pytest.raises(UsageError):
        baseline.read(put(root / "accepted.json"))


@pytest.mark.parametrize("device", ["/dev/null", "/dev/zero", "/dev/tty"])
def test_a_baseline_is_no_device(device, tmp_path):
    (tmp_path / "accepted.json").symlink_to(device)
    with pytest.raises(UsageError, match=r"accepted\.json is not read"):
        baseline.read(tmp_path / "accepted.json")


def test_a_baseline_may_come_through_a_pipe(tmp_path):
    """As `--baseline <(git show main:accepted.json)` does."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    writing = os.open(pipe, os.O_WRONLY)

    def write():
        os.write(writing, b'{"format": 1, ')
        os.write(writing, b'"accepted": [["a", "KUS101", "error", "x"]]}')
        os.close(writing)

    later = threading.Timer(0.2, write)
    later.start()
    assert list(baseline.read(pipe)) == ["x"]
    later.join()
    os.close(reading)

"""No network: in the tests, in the processes they start, and in the system calls of a command."""

import os
import re
import shutil
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from tests.offline.sitecustomize import LOG, NetworkAttempted
from tests.support.counting import count
from tests.support.git import try_git as git
from tests.support.samples import sample

pytestmark = pytest.mark.process

ATTEMPTS = {
    "socket": socket.socket,
    "inet6": lambda: socket.socket(socket.AF_INET6, socket.SOCK_DGRAM),
    "connect": lambda: socket.create_connection(("192.0.2.1", 80), timeout=1),
    "name": lambda: socket.getaddrinfo("example.com", 443),
    "url": lambda: urllib.request.urlopen("http://example.com/schema.json", timeout=1),
}


@pytest.fixture
def attempts(tmp_path, monkeypatch):
    """The note of attempts, apart from the one that fails the test."""
    monkeypatch.setenv(LOG, str(tmp_path / "attempts"))
    return tmp_path / "attempts"


@pytest.mark.parametrize("name", ATTEMPTS)
def test_the_tests_cannot_reach_the_network(name, attempts):
    with pytest.raises((NetworkAttempted, OSError), match="may not use the network"):
        ATTEMPTS[name]()
    assert attempts.read_text().startswith("socket.")
    count("attempts at the network refused")


SWALLOWED = "import socket\ntry: socket.socket()\nexcept OSError: pass"


@pytest.mark.parametrize("path", ["inherited", "handed on"])
def test_a_process_of_a_test_cannot_either_and_cannot_hide_it(path, attempts):
    own = {"PYTHONPATH": os.pathsep.join(sys.path)} if path == "handed on" else {}
    done = subprocess.run([sys.executable, "-c", SWALLOWED], env={**os.environ, **own})
    assert done.returncode == 0
    assert "socket.__new__" in attempts.read_text()
    count("attempts at the network refused")


@pytest.mark.long
def test_an_attempt_fails_its_test(pytester_run):
    done = pytester_run("def test_hidden():\n    import subprocess, sys\n"
                        f"    subprocess.run([sys.executable, '-c', {SWALLOWED!r}])\n")  # fmt: skip
    assert "1 passed, 1 error" in done
    assert "the network was asked for" in done


@pytest.fixture
def pytester_run(tmp_path):
    """A test in a run of its own that has our conftest."""

    def run(text):
        (tmp_path / "conftest.py").write_text("from tests.conftest import _no_network, _offline\n")
        (tmp_path / "test_it.py").write_text(text)
        options = ["-p", "no:cacheprovider", "-c", os.devnull, f"--rootdir={tmp_path}"]
        command = [sys.executable, "-m", "pytest", *options, str(tmp_path)]
        own = {"PYTHONPATH": os.pathsep.join(sys.path), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        done = subprocess.run(command, env={**os.environ, **own}, capture_output=True, text=True)
        return done.stdout

    return run


def test_sockets_of_this_machine_still_work():
    one, other = socket.socketpair()
    one.send(b"x")
    assert other.recv(1) == b"x"
    one.close()
    other.close()


COMMANDS = [
    "validate --format sarif", "render --jobs 4", "diff --from HEAD", "graph --env dev",
    "preview risk --env dev", "trace risk initiator --env dev", "rules", "schema Serving",
    "explain KUS101", "status --env dev --from live.json", "bootstrap argocd", "bootstrap flux",
    "argocd generate", "bundle --env dev --output x.tar.gz",
]  # fmt: skip


@pytest.mark.skipif(not shutil.which("strace"), reason="strace is not installed")
@pytest.mark.parametrize("command", sample(COMMANDS, "schema Serving"))
def test_no_command_opens_a_socket(command, repository, tmp_path_factory):
    """As the kernel sees it, so git and other helpers of a command count as well."""
    root = repository({"live.json": '{"kind": "List", "items": []}'})
    git("init", cwd=root)
    git("add", "--all", cwd=root)
    git("commit", "--message", "first", cwd=root)
    log = tmp_path_factory.mktemp("trace") / "log"
    traced = ["strace", "-f", "-qq", "-o", str(log), "-e", "trace=socket,connect"]
    path = {"PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [*traced, sys.executable, "-m", "renderer", *command.split()],
        cwd=root, env={**os.environ, **path}, capture_output=True, text=True,
    )  # fmt: skip
    if "ptrace" in done.stderr:
        pytest.skip("strace may not trace here")
    nothing_is_there = command.startswith("status")
    assert done.returncode == int(nothing_is_there), done.stderr
    assert not re.findall(r".*AF_(?!UNIX).*", Path(log).read_text())

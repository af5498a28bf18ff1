"""Kubectl that takes its time, or is not what it seems."""

import sys
import time

import pytest

from renderer.errors import RendererError
from renderer.io import kubectl, live_objects
from renderer.values.live import Query
from renderer.values.model import Destination
from renderer.values.tree import constant

pytestmark = pytest.mark.process

EAST = Destination("east", "kubernetes", "e/east", constant({}, "x"))
MANY = [Query("east", "v1", "Pod", f"space-{number}") for number in range(20)]


@pytest.fixture
def program(tmp_path, monkeypatch):
    """Puts a program called kubectl on the path."""

    def write(code):
        path = tmp_path / "kubectl"
        path.write_text(f"#!{sys.executable}\n{code}\n")
        path.chmod(0o755)
        monkeypatch.setenv("PATH", str(tmp_path))

    return write


def test_one_that_never_answers(program, monkeypatch):
    """It is given up, and none of those that were started is left."""
    program("import time; time.sleep(60)")
    monkeypatch.setattr(kubectl, "_PATIENCE", 0.3)
    begin = time.monotonic()
    with pytest.raises(RendererError, match="did not answer within"):
        kubectl.read_cluster(MANY, [EAST])
    assert time.monotonic() - begin < 30


def test_one_that_is_no_program(tmp_path, monkeypatch):
    (tmp_path / "kubectl").write_text("words")
    (tmp_path / "kubectl").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(RendererError, match="kubectl does not start"):
        kubectl.read_cluster(MANY[:1], [EAST])


def test_the_lines_of_its_log_are_no_complaint(program):
    program(
        "import sys\n"
        "sys.stderr.write('E1117 08:00:00.1 1 memcache.go:265] no\\n"
        "error: it is so\\n')\nsys.exit(1)"
    )
    with pytest.raises(RendererError, match="cannot list Pod at the context 'east'; it is so"):
        kubectl.read_cluster(MANY[:1], [EAST])


PODS = """
import json, sys
pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "", "managedFields": ["x"] * 99},
       "spec": {"containers": [{"name": "c"}] * 20}, "status": {"phase": "Running"}}
sys.stdout.write('{"items": [')
for number in range(1000):
    pod["metadata"]["name"] = f"pod-{number}"
    sys.stdout.write(json.dumps(pod) + (", " if number < 999 else "]}"))
"""


@pytest.mark.parametrize(
    ("bounds", "reads", "complaint"),
    [
        ((1 << 19, 1 << 20), (("status",),), "is larger than 524,288 bytes; name the specs"),
        ((8 << 20, 20_000), (), "holds more than can be kept in memory"),
        ((8 << 20, 20_000), (("status", "phase"),), ""),
    ],
    ids=["size", "values", "only-what-is-asked-for"],
)
def test_answers_are_bounded(program, monkeypatch, bounds, reads, complaint):
    """By what is printed, and by what is kept of it: no matter how much else objects say."""
    program(PODS)
    monkeypatch.setattr(live_objects.Bounds.__init__, "__defaults__", bounds)
    asked = MANY[0]._replace(reads=reads)
    if complaint:
        with pytest.raises(
            RendererError, match=f"printed of Pod at the context 'east'.*{complaint}"
        ):
            kubectl.read_cluster([asked], [EAST])
        return
    found = kubectl.read_cluster([asked], [EAST])["east"].objects
    assert len(found) == 1000
    assert found[7].tree.plain() == {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "pod-7"},
        "status": {"phase": "Running"},
    }


def test_the_context_of_a_cluster():
    named = EAST._replace(tree=constant({"cluster": "k3s-east"}, "x"))
    assert (EAST.cluster_name, named.cluster_name) == ("east", "k3s-east")


def test_names_alone_are_asked_for_where_they_are_enough(program):
    """What holds secrets is not read."""
    program(
        "import sys\n"
        "words = sys.argv[1:]\n"
        "assert words[words.index('--output') + 1] == 'name', words\n"
        "assert words[3] == 'localqueue.kueue.x-k8s.io', words\n"
        "print('localqueue.kueue.x-k8s.io/gpus')"
    )
    query = Query("east", "kueue.x-k8s.io/", "LocalQueue", "models", are_names_enough=True)
    found = kubectl.read_cluster([query], [EAST])["east"]
    assert found.find("LocalQueue", "models", "gpus", "kueue.x-k8s.io")


@pytest.mark.parametrize(
    ("code", "version"),
    [
        ('print(\'{"gitVersion": "v1.33.2"}\')', "v1.33.2"),
        ("print('[]')", ""),
        ("import sys; sys.exit(1)", ""),
    ],
)
def test_the_version_of_an_api_server(program, code, version):
    program(code)
    assert kubectl.server_versions([EAST]) == {"east": version}

"""Objects that are too large: found at the line that makes them so, with the way out."""

from renderer import check
from tests.support.memory import project
from tests.support.repositories import IMAGE, RISK, SERVING, SMALL

KIB = 1 << 10
NAMES = ("a.conf", "b.conf")
FIRST = "environments/dev/appimages/a.conf"
FILES = ", ".join(f"{{mountPath: /{name}, subPath: {name}}}" for name in NAMES)


def annotated(**sizes):
    lines = (f"  {name}: {'x' * size}\n" for name, size in sizes.items())
    return {**SMALL, RISK: f"{SERVING}annotations:\n{''.join(lines)}"}


def configured(*sizes):
    """Config templates of these sizes, each in a file."""
    mounted = SMALL[IMAGE].replace("/work, ", f"/work, configVolumeMounts: [{FILES}], ")
    lines = (f"  {name}: {{file: {name}}}\n" for name in NAMES)
    texts = {
        f"environments/dev/appimages/{name}": "x" * size
        for name, size in zip(NAMES, sizes, strict=True)
    }
    return {**SMALL, **texts, IMAGE: f"{mounted}configTemplates:\n{''.join(lines)}"}


def told(files):
    return [(i.code, i.file, i.line, i.column, str(i.severity)) for i in check(project(files))]


class TestAnnotations:
    def test_too_many_are_told_at_the_largest(self):
        found = told(annotated(a=100 * KIB, b=120 * KIB, c=40 * KIB))
        assert found == [("MAN013", RISK, 9, 6, "error")]

    def test_the_copy_of_client_side_apply_counts(self):
        found = told(annotated(a=120 * KIB, b=20 * KIB))
        assert found == [("MAN015", RISK, 8, 6, "warning")]
        assert told(annotated(a=100 * KIB)) == []


class TestObjects:
    def test_too_large_for_etcd(self):
        files = configured(900 * KIB, 1)
        files[IMAGE] = files[IMAGE].replace(
            "workingDir: /work", f"workingDir: /{'w' * 700 * KIB}", 1
        )
        assert told(files) == [("MAN014", FIRST, 1, 1, "error")]

    def test_config_templates_fit_a_config_map(self):
        assert told(configured(600 * KIB, 424 * KIB)) == [("MAN015", FIRST, 1, 1, "warning")]
        found = told(configured(600 * KIB, 424 * KIB + 1))
        assert found == [("KUS772", FIRST, 1, 1, "error")]

    def test_the_way_out_is_said(self):
        [found] = check(project(configured(400 * KIB, 1)))
        assert found.code == "MAN015"
        assert "--server-side" in found.fix
        assert "ServerSideApply=true" in found.fix

    def test_an_object_that_is_applied_by_the_server(self):
        files = configured(400 * KIB, 1)
        files[IMAGE] += "annotations: {argocd.argoproj.io/sync-options: ServerSideApply=true}\n"
        assert told(files) == []

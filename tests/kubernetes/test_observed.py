"""What the API server answered to single mutations of specs: `validate` says the same of each.

Each row becomes a spec of its own in one repository, so that those of a table are checked at once.
`tests/observed/kubernetes/README.md` says how the answers came about.
"""

import pytest
import yaml

from conformance.kubernetes.mutations import Mutation, mutated
from conformance.kubernetes.places import OBSERVED, PROJECT
from renderer import check
from renderer.text.yaml_reader import read
from renderer.values.diagnostics import Severity
from tests.support.memory import project
from tests.support.places import ROOT

TABLES = sorted(path.stem for path in OBSERVED.glob("*.yaml"))
FOLDERS = {"AppImage": "environments/dev/appimages", "Serving": "environments/dev/servings"}
Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
#: Rows of which only a rule speaks that Kubernetes does not have, by its code: the form of what is
#: named there is not judged beside it.
ASIDE = {
    "MAN193": (  # a probe of a port that is not declared, which never succeeds
        "containers: probe of a port of the other",
        "probes: port that the container lacks",
        "probes: port of 15 letters",
        "readiness probe: port that the container lacks",
        "startup probe: port that the container lacks",
    ),
    "KUS705": (  # a file that is no config template, for which the node makes a folder
        "configVolumeMounts: absolute file",
        "configVolumeMounts: file upwards",
        "configVolumeMounts: file with two dots in it",
        "configVolumeMounts: file in a folder",
        "configVolumeMounts: file upwards in a folder",
        "configVolumeMounts: file with a folder of two dots",
        "configVolumeMounts: file of one dot",
        "configVolumeMounts: file that is no config template",
    ),
    "KUS310": (  # an amount beyond 63 bits, for which another one is stored
        "resources: exponent that is large",
        "resources: more than 63 bits",
        "resources: far more than 63 bits",
    ),
    # memory in parts of a byte, which no process can run in
    "KUS313": ("resources of a serving: memory in thousandths",),
    "MAN192": (
        "resources: memory in thousandths",
        "resources: ephemeral storage in thousandths",
    ),
    "MAN190": ("security: root that must not be root",),  # no node starts the container
}
CODES = {name: code for code, names in ASIDE.items() for name in names}
#: Rows of which we say something else, and why.
OTHERWISE = {
    "ports: empty": "Kuscia knows a port by its name",
    "configVolumeMounts: empty file": "the same as a file that is no config template",
    "size of a config template: just within 1 MiB": "too much for one of our own files",
    "size of annotations: just within 256 KiB": "the annotation that says the order is added",
    "restartPolicy: nonsense": "a pod of a job gets it, and is refused for it",
    "image: both empty": "cannot be pulled",
    "image: empty tag": "cannot be pulled",
    "image: with NUL": "cannot be pulled",
}


class Lines(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):
    """Writes every value in a line of its own, and texts in quotes."""

    def ignore_aliases(self, _data):
        return True


Lines.add_representer(
    str, lambda dumper, text: dumper.represent_scalar("tag:yaml.org,2002:str", text, style='"')
)


def loaded(path):
    return yaml.load(path.read_bytes(), Loader)


def dumped(tree):
    return yaml.dump(tree, Dumper=Lines, sort_keys=False, default_flow_style=False, width=10**7)


def base():
    """The files of the small project, and the trees of its specs by their kinds."""
    paths = sorted(PROJECT.rglob("*.yaml"))
    files = {path.relative_to(PROJECT).as_posix(): path.read_text("utf-8") for path in paths}
    return files, {tree["kind"]: tree for tree in map(loaded, paths) if tree}


def file_of(number, row):
    return f"{FOLDERS[row['spec']]}/row-{number}.yaml"


def files_of(number, row, trees):
    """The spec of a row with its value in it, and a serving for an image that is one."""
    spec, path, times = row["spec"], tuple(row["path"]), row.get("times", 1)
    value = Mutation("", row["name"], spec, path, row["value"], times).whole_value
    files = {file_of(number, row): dumped(mutated(trees[spec], path, value))}
    if spec == "AppImage":
        user = {**trees["Serving"], "app_image": f"row-{number}"}
        files[f"{FOLDERS['Serving']}/row-{number}.yaml"] = dumped(user)
    return files


def errors_in(files):
    """By file."""
    found = {}
    for item in check(project(files)):
        if item.severity is Severity.ERROR:
            found.setdefault(item.file, []).append(item)
    return found


def span(text, path):
    """The first and the last line of the value at a path, its key included."""
    tree = read(text.encode(), "x").document.tree
    if tree is None:
        return 1, 1
    node = tree.get(*path)
    lines, waiting = [(node.key or node.origin).line], [node]
    while waiting:
        node = waiting.pop()
        lines.append(node.origin.line)
        waiting += [*node.items.values(), *node.elements]
    return min(lines), max(lines)


def agrees(row, told, text):
    """Whether what is said of a row's spec, and where, is what the API server said."""
    if row["accepted"]:
        return not told
    first, last = span(text, row["path"])
    return any(first <= item.line <= last and item.code not in ASIDE for item in told)


def is_as_expected(row, told, text):
    if row["name"] in CODES:
        return {item.code for item in told} == {CODES[row["name"]]}
    return agrees(row, told, text) is (row["name"] not in OTHERWISE)


@pytest.mark.parametrize("table", TABLES)
def test_rows(table):
    rows = dict(enumerate(loaded(OBSERVED / f"{table}.yaml")))
    files, trees = base()
    for number, row in rows.items():
        files |= files_of(number, row, trees)
    errors = errors_in(files)
    wrong = {}
    for number, row in rows.items():
        told = errors.get(file_of(number, row), [])
        if not is_as_expected(row, told, files[file_of(number, row)]):
            wrong[row["name"]] = [f"{item.code}:{item.line} {item.message}" for item in told]
    assert wrong == {}


def test_exceptions_are_of_rows_and_the_rest_is_counted():
    names = [row["name"] for table in TABLES for row in loaded(OBSERVED / f"{table}.yaml")]
    assert [name for name in (*OTHERWISE, *CODES) if names.count(name) != 1] == []
    alike = len(names) - len(OTHERWISE) - len(CODES)
    figure = f"of {alike} of the {len(names)} mutations `validate` says the same"
    assert figure in (ROOT / "docs/conformance.md").read_text("utf-8")

"""What Ray was observed to refuse is an error, in every form it is written in; the rest is none."""

from fnmatch import fnmatchcase
from zlib import crc32

import pytest

from conformance.ray.mutations import read_mutations
from conformance.ray.records import count, read_rows
from conformance.ray.wheels import VERSIONS
from renderer import check
from renderer.values.diagnostics import Severity
from tests.support.memory import project
from tests.support.places import ROOT
from tests.support.ray_answers import forms, repository

ROWS = read_rows()
#: Options that a version does not have are told as warnings, as an image may have another version.
TOLD_AS_WARNING = ("RAY225",)
#: Subjects whose older answers count for older versions; others are told as the newest has them.
BY_VERSION = ("runtime_env", "start")
_IGNORED = "a key that Ray does not know is ignored, without a word"
_LATER = "Ray does not look at it here: what uses it fails"
_IMAGE = "the file or folder may be in the image"
_READ_AS = "Ray makes a number or a truth value of it; a spec says what it means"
_LEFT_OUT = "the operator leaves out what is false, so that it has no effect"
_PORT = "nobody can listen there, or find it"
_SERVES = "it has no effect, or another one than what is written"
_OPERATOR = "KubeRay refuses it before Ray sees it"
_JOINS = "Ray starts, but not as a worker of the cluster"
_VERSION = "other versions of Ray say otherwise"
#: Where we say something else, and why: the subject, the form and the name of rows.
OTHERWISE = {
    "serve/mapping/*deployments: an empty mapping": "it means all deployments, and there are none",
    "serve/*/*target_ongoing_requests: null": "only some paths of the code fail on it",
    **dict.fromkeys(
        [
            *(f"runtime_env/*/{key}: *" for key in ("container", "image_uri", "java_jars")),
            *(f"runtime_env/*/{key}: *" for key in ("nsight", "rocprof_sys", "py_executable")),
            "runtime_env/*/worker_process_setup_hook: *",
            "runtime_env/*/another profile of nsight",
            "runtime_env/*/jars as text",
            "runtime_env/*/code at a gcs address",
            "runtime_env/*/code at an address without slashes",
            "runtime_env/*/code at an address with one slash",
            "runtime_env/*/pip with a number as a package",
            "runtime_env/service */working_dir: an empty text",
            "runtime_env/*/env_vars: an empty *",
            "serve/*/a path that is a file",
            "serve/*/a path with a slash",
        ],
        _LATER,
    ),
    **dict.fromkeys(
        [
            "runtime_env/*/*beside config",
            "runtime_env/*/an unknown key of config",
            "runtime_env/*/config: a mapping of *",
            "runtime_env/*/* camelCase",
            "runtime_env/*/variables as env",
            "runtime_env/*/environment_variables",
            "runtime_env/*/packages of pip under another name",
            "runtime_env/*/requirements",
            "runtime_env/*/dependencies",
            "runtime_env/*/a misspelt *",
            "runtime_env/*/py_module",
            "runtime_env/*/exclude",
            "runtime_env/*/image",
            "runtime_env/*/runtime_env within itself",
            "job/job/runtime_env: a mapping of *",
            "serve/*/an unknown key*",
            "serve/*/an actor that asks for a name",
            "serve/*/an actor with an unknown option",
            "serve/*/an actor with max_restarts",
            "serve/*/location among the options",
            "serve/*/*_options: a mapping of *",
            "serve/*/*autoscaling_config: a mapping of *",
            "serve/*/*runtime_env: a mapping of *",
        ],
        _IGNORED,
    ),
    **dict.fromkeys(
        [
            "runtime_env/message */a relative folder",
            "runtime_env/message */this folder",
            "runtime_env/message */an absolute folder",
            "runtime_env/message */a folder at home",
            "runtime_env/message */a local archive",
            "runtime_env/message */a module *",
            "runtime_env/message */working_dir: *",
            "runtime_env/message */py_modules: a list of texts",
            "runtime_env/*/a conda *",
            "start/*/*labels-file: *",
        ],
        _IMAGE,
    ),
    **dict.fromkeys(
        [
            "serve/*/*: digits",
            "serve/*/*: true",
            "serve/*/*enable_access_log: ?",
            "serve/*/*external_scaler_enabled: ?",
            "job/job/entrypoint_num_?pus: true",
        ],
        _READ_AS,
    ),
    **dict.fromkeys(
        [
            "serve/*/http_options.port: *",
            "serve/*/grpc_options.port: *",
            "start/*/*dashboard-port: *",
            "start/*/*metrics-export-port: *",
            "start/*/head port: *",
        ],
        _PORT,
    ),
    **dict.fromkeys(
        [
            "serve/*/no applications",
            "serve/*/applications: an empty list",
            "serve/*/one deployment twice",
            "serve/*/a key without its certificate",
            "serve/*/http_options.ssl_keyfile: *",
            "serve/*/*deployments.0.name: an empty text",
            "serve/*/*_s: -1",
            "job/job/entrypoint: an empty text",
            "start/*/*system-config: 0",
        ],
        _SERVES,
    ),
    **dict.fromkeys(["start/*/*: false", "job/job/*: an empty text"], _LEFT_OUT),
    **dict.fromkeys(["start/*/*redis-*", "start/*/*labels: *"], _OPERATOR),
    **dict.fromkeys(["start/*/worker address: *", "start/*/worker head: true"], _JOINS),
    **dict.fromkeys(
        [
            "start/*/*no-redirect-output: true",
            "start/*/*runtime-env-agent-port: 0",
            "start/*/*system-reserved-*: 0",
            "start/*/worker temp-dir: *",
            "serve/*/http_options.keep_alive_timeout_s: a fraction",
        ],
        _VERSION,
    ),
}


def asked(rows):
    """Specs by name, each with its row's key and the version it is for."""
    *older, newest = VERSIONS
    for number, (subject, row) in enumerate(rows):
        for place, (form, spec) in enumerate(forms(subject, row["given"], newest).items()):
            yield f"x{number}-{place}", spec, f"{subject}/{form}/{row['name']}", newest, row
        for version in older if subject in BY_VERSION else ():
            form, spec = next(iter(forms(subject, row["given"], version).items()), ("", None))
            if spec:
                key = f"{subject}/{form}/{row['name']}"
                yield f"x{number}-{version.replace('.', '-')}", spec, key, version, row


def disagreements(rows):
    """What is an error and was not refused, or the other way round."""
    some = list(asked(rows))
    found = check(project(repository({name: spec for name, spec, *_ in some})))
    told = {}
    for item in found:
        if item.severity is Severity.ERROR or item.code in TOLD_AS_WARNING:
            told.setdefault(item.file.split("/")[-1].removesuffix(".yaml"), []).append(item)
    return {
        (key, version): [f"{item.code} {item.message}" for item in told.get(name, ())]
        for name, _, key, version, row in some
        if bool(told.get(name)) != (version in row["refused"])
    }


def reason(key):
    return next((why for pattern, why in OTHERWISE.items() if fnmatchcase(key, pattern)), "")


def every_row():
    return [(subject, row) for subject, rows in ROWS.items() for row in rows]


def unexplained(rows):
    return {key: said for key, said in disagreements(rows).items() if not reason(key[0])}


def test_one_row_in_eighty():
    rows = [(subject, row) for subject, row in every_row() if crc32(row["name"].encode()) % 80 == 0]
    assert len(rows) > 20
    assert unexplained(rows) == {}


@pytest.mark.long
def test_every_row():
    found = disagreements(every_row())
    assert {key: said for key, said in found.items() if not reason(key[0])} == {}
    unused = [p for p in OTHERWISE if not any(fnmatchcase(key, p) for key, _ in found)]
    assert unused == []


def test_every_question_is_recorded_as_it_is_written():
    table = {}
    for item in read_mutations():
        table.setdefault(item.subject, []).append((item.name, item.given))
    assert {s: [(r["name"], r["given"]) for r in rows] for s, rows in ROWS.items()} == table


def test_the_documentation_counts_them():
    assert count(ROWS) in (ROOT / "docs/conformance.md").read_text("utf-8")

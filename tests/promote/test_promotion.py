"""What is written to bring one environment's specs to another, and what it comes to."""

import json

import pytest

from renderer.changes.environments import compare_environments
from renderer.errors import UsageError
from renderer.promote.draft import Attempt, Draft
from renderer.promote.promotion import promote
from renderer.values.diagnostics import Origin
from renderer.values.tree import Node, uniform_tree
from tests.support.memory import project
from tests.support.promotion import FILES, INHERITS
from tests.support.repositories import HEADER, PAIR, SCORER, SERVING

STAGING, PROD = "environments/staging", "environments/prod"
RISK, IMAGE = "servings/risk.yaml", "appimages/scorer.yaml"


def of(environment, text, path=RISK, kind="Serving"):
    return {f"environments/{environment}/{path}": HEADER.format(kind) + text}


def image(environment, text):
    return of(environment, text, IMAGE, "AppImage")


def promoted(files, specs=(), **more):
    """The promotion, and the same repository with its files written."""
    given = {**FILES, **files, **more}
    found = promote(project(given), "staging", "prod", specs)
    return found, {**given, **{path: data.decode() for path, data in found.files.items()}}


def texts(found):
    return {path: data.decode() for path, data in found.files.items()}


def not_carried(found):
    return [(i.spec, i.change and ".".join(map(str, i.change.path))) for i in found.not_carried]


def body(text):
    """A file without its head."""
    return text.split("\n", 2)[2]


def ports(items):
    """An override of the ports of a container."""
    container = f"{{name: scorer, ports: [{items}]}}"
    return f"deployTemplates: [{{name: guest, spec: {{containers: [{container}]}}}}]\n"


DATA, SYNC = "{name: data, scope: Domain}", "{name: sync, scope: Cluster}"
CASES = {
    "an override goes": (
        image("prod", "image: {tag: v0}  # frozen\n"),
        {IMAGE: ""},
    ),
    "an override goes, what is beside it stays": (
        of("prod", "# of prod\nlabels:\n  a: b  # why\n\nparties: {replicas: 4} # many\n"),
        {RISK: "# of prod\n\nparties: {replicas: 4} # many\n"},
    ),
    "a new file has what differs": (
        image("staging", "# why\nimage: {tag: v2}\n"),
        {IMAGE: "image:\n  tag: v2\n"},
    ),
    "a value is set where it stands": (
        {
            **image("staging", "image: {tag: v2}\n"),
            **image("prod", "# of prod\nimage: {tag: 'v0'}  # since May\n"),
        },
        {IMAGE: "# of prod\nimage: {tag: 'v2'}  # since May\n"},
    ),
    "an item of a keyed list": (
        of("staging", "parties: [{domain_id: bob, app_image: scorer}]\n"),
        {RISK: "parties:\n  - domain_id: bob\n    app_image: scorer\n"},
    ),
    "an item beside one that is kept": (
        {
            **of("staging", "parties: [{domain_id: bob, app_image: scorer}]\n"),
            **of("prod", "parties:\n# many\n- domain_id: bob\n  replicas: 4\n"),
        },
        {RISK: "parties:\n# many\n- domain_id: bob\n  replicas: 4\n  app_image: scorer\n"},
    ),
    "an item goes that others inherit": (
        {
            **of("staging", "parties: [{domain_id: bob, $remove: true}]\n"),
        },
        {RISK: "parties:\n  - domain_id: bob\n    $remove: true\n"},
    ),
    "an item comes back": (
        of("prod", "parties: [{domain_id: bob, $remove: true}]\n"),
        {RISK: ""},
    ),
    "an item of its own goes": (
        of(
            "prod",
            "parties:\n  - {domain_id: partner, app_image: pair}\n"
            "  - domain_id: bob\n    replicas: 3\n",
        ),
        {RISK: "parties:\n  - domain_id: bob\n    replicas: 3\n"},
    ),
    "an item comes": (
        of("staging", "parties: [{domain_id: partner, app_image: pair, replicas: 3}]\n"),
        {RISK: "parties:\n  - domain_id: partner\n    app_image: pair\n    replicas: 3\n"},
    ),
    "two items in the order of the source": (
        of(
            "staging",
            "parties:\n  - {domain_id: partner, app_image: pair}\n"
            "  - {domain_id: alice, role: guest, app_image: scorer}\n",
        ),
        {
            RISK: "parties:\n  - domain_id: partner\n    app_image: pair\n"
            "  - domain_id: alice\n    role: guest\n    app_image: scorer\n"
        },
    ),
    "an inherited item under another name": (
        of(
            "staging",
            "parties: [{domain_id: bob, $remove: true}, {domain_id: partner, app_image: pair}]\n",
        ),
        {
            RISK: "parties:\n  - domain_id: bob\n    $remove: true\n"
            "  - domain_id: partner\n    app_image: pair\n"
        },
    ),
    "an item of an item under another name": (
        {**image("staging", ports(DATA)), **image("prod", ports(DATA.replace("data", "old")))},
        {IMAGE: ports(DATA)},
    ),
    "items of an item in another order": (
        {
            **image("staging", ports(f"{DATA}, {SYNC}")),
            **image("prod", ports(f"{SYNC}, {DATA}")),
        },
        {IMAGE: ports(f"{DATA}, {SYNC}")},
    ),
    "an item of which nothing is left goes": (
        of(
            "prod",
            "parties:\n  - {domain_id: bob, service_name_prefix: x}\n"
            "  - {domain_id: alice, replicas: 3}\n",
        ),
        {RISK: "parties:\n  - {domain_id: alice, replicas: 3}\n"},
    ),
    "an item of which something is left stays": (
        of("prod", "parties: [{domain_id: bob, replicas: 3, service_name_prefix: x}]\n"),
        {RISK: "parties: [{domain_id: bob, replicas: 3}]\n"},
    ),
    "a list of which nothing is left goes": (
        of("prod", "parties:\n  - {domain_id: bob, service_name_prefix: x}\n# end\n"),
        {RISK: "# end\n"},
    ),
    "a key without a value": (
        {**of("prod", "labels:\n"), **of("staging", "labels: {a: b}\n")},
        {RISK: "labels:\n  a: b\n"},
    ),
    "a number as it is written": (
        of("staging", "app: other\nserving_input_config: {a: 1.10}\n"),
        {RISK: "app: other\nserving_input_config:\n  a: 1.10\n"},
    ),
    "a value goes that others inherit": (
        image("staging", "deployTemplates: [{name: guest, role: null}]\n"),
        {IMAGE: "deployTemplates:\n  - name: guest\n    role: null\n"},
    ),
    "a word to all items": (
        {
            **of("staging", "parties: {service_name_prefix: a}\n"),
            **of("prod", "parties: {replicas: 4, service_name_prefix: b}\n"),
        },
        {RISK: "parties: {replicas: 4, service_name_prefix: a}\n"},
    ),
    "a word to all items, of which one differs": (
        {
            **of("staging", "parties: [{domain_id: bob, service_name_prefix: b}]\n"),
            **of("prod", "parties: {replicas: 4}\n"),
        },
        {
            RISK: "parties:\n  - domain_id: alice\n    replicas: 4\n"
            "  - domain_id: bob\n    replicas: 4\n    service_name_prefix: b\n"
        },
    ),
    "a new file in the order of the source": (
        of("staging", "labels: {b: '1', a: '2'}\napp_version: 1.0.0\nannotations: {c: d}\n"),
        {
            RISK: 'labels:\n  b: "1"\n  a: "2"\napp_version: "1.0.0"\nannotations:\n  c: d\n',
        },
    ),
    "a text that holds data": (
        {
            **of("staging", "app: other\nserving_input_config: '{\"a\": 1}'\n"),
            **of("prod", 'app: other\nserving_input_config: \'{"a": 2, "b": 3}\'\n'),
        },
        {RISK: "app: other\nserving_input_config: '{\"a\": 1}'\n"},
    ),
    "data by its leaves": (
        {
            **of("staging", "app: other\nserving_input_config: {a: {b: 1, c: [1, 2]}}\n"),
            **of(
                "prod",
                "app: other\nserving_input_config:\n  a: # of it\n    b: 1  # one\n    c: [1]\n",
            ),
        },
        {RISK: "app: other\nserving_input_config:\n  a: # of it\n    b: 1  # one\n    c: [1, 2]\n"},
    ),
}


@pytest.mark.parametrize(("files", "expected"), CASES.values(), ids=CASES)
def test_what_is_written(files, expected):
    found, after = promoted(files)
    assert not found.not_carried
    assert {
        path.removeprefix(f"{PROD}/"): body(text) for path, text in texts(found).items()
    } == expected
    assert_done(found, after)


def assert_done(found, after):
    again = promote(project(after), "staging", "prod")
    assert not again.files
    assert not again.carried
    compared = compare_environments(project(after), ("staging", "prod"))
    assert [i.change.path for i in compared.differences if not i.reason] == []
    assert {path.split("/")[1] for path in found.files} == {"prod"}


VARIABLE = {
    "environments/base/appimages/scorer.yaml": SCORER.replace("tag: v1", "tag: '${vars.tag}'")
}


DESCRIPTION = HEADER.format("Environment")


def described(environment, text):
    return {f"environments/{environment}/environment.yaml": INHERITS + text}


def test_a_variable_of_the_source():
    files = {**VARIABLE, **described("staging", "vars: {tag: v2}\n")}
    found, after = promoted(files)
    assert texts(found) == {f"{PROD}/environment.yaml": INHERITS + "vars:\n  tag: v2\n"}
    assert_done(found, after)


def test_a_variable_beside_others():
    """Of two in one text, only the one that differs is carried."""
    files = {
        "environments/base/appimages/scorer.yaml": SCORER.replace(
            "tag: v1", "tag: '${vars.build}-${vars.tag}'"
        ),
        "environments/base/environment.yaml": DESCRIPTION + "vars: {tag: v1, build: b7}\n",
        **described("staging", "vars: {tag: v2}\n"),
        **described("prod", "vars: {other: z} # its own\n"),
    }
    found, after = promoted(files)
    assert texts(found) == {
        f"{PROD}/environment.yaml": INHERITS + "vars: {other: z, tag: v2} # its own\n"
    }
    assert [item.name for item in found.variables] == ["tag"]
    assert_done(found, after)


def test_a_description_that_cannot_be_edited():
    files = {
        **VARIABLE,
        **described("staging", "vars: {tag: v2}\n"),
        **described("prod", "vars: &x {other: a}\ndefaults: {Serving: {labels: *x}}\n"),
    }
    found, _ = promoted(files)
    assert not found.files
    assert not_carried(found) == [("vars.tag", None), ("AppImage/scorer", "image.tag")]
    assert "the description of prod cannot be edited" in found.not_carried[0].reason


def test_a_variable_of_the_target_stays():
    """What refers to it is carried as a reference, whatever its value is in the source."""
    files = {
        **VARIABLE,
        **image("staging", "image: {tag: '${vars.tag}-gpu'}\n"),
        **described("staging", "vars: {tag: v2}\n"),
        **described("prod", "vars:\n  tag: v0 # its own\n"),
    }
    found, after = promoted(files)
    assert texts(found) == {
        f"{PROD}/{IMAGE}": HEADER.format("AppImage") + "image:\n  tag: ${vars.tag}-gpu\n"
    }
    assert [(str(i.reason), i.change.after.value) for i in found.kept] == [
        ("variable of the target", "v0-gpu")
    ]
    assert [i.change.path for i in found.carried] == [("image", "tag")]
    assert not found.variables
    assert not promote(project(after), "staging", "prod").files


def test_an_override_gives_way_to_a_reference():
    files = {
        **VARIABLE,
        **image("prod", "image: {tag: v9}\n"),
        **described("prod", "vars: {tag: v0}\n"),
    }
    found, _ = promoted(files)
    assert texts(found) == {f"{PROD}/{IMAGE}": HEADER.format("AppImage")}


def test_a_new_spec_refers_to_variables_of_the_target():
    files = {
        **of("staging", SCORER.replace("tag: v1", "tag: '${vars.tag}'").split("\n", 2)[2],
             "appimages/more.yaml", "AppImage"),
        **of("staging", "parties: [{domain_id: bob, app_image: more}]\n"),
        **described("staging", "vars: {tag: v2}\n"),
        **described("prod", "vars: {tag: v0}\n"),
    }  # fmt: skip
    found, _ = promoted(files)
    assert "tag: '${vars.tag}'" in texts(found)[f"{PROD}/appimages/more.yaml"]
    assert f"{PROD}/environment.yaml" not in found.files


def test_a_number_that_is_a_text_elsewhere_stays_as_it_is_written():
    """Without quotes 1.10 is a number, and a part of a text all the same."""
    base = {
        "environments/base/appimages/scorer.yaml": SCORER.replace(
            "tag: v1", "tag: 'v${vars.number}'"
        )
    }
    files = {
        **base,
        "environments/base/environment.yaml": DESCRIPTION + "vars: {number: 1.20}\n",
        **described("staging", "vars: {number: 1.10}\n"),
    }
    found, after = promoted(files)
    assert texts(found) == {f"{PROD}/environment.yaml": INHERITS + "vars:\n  number: 1.10\n"}
    assert_done(found, after)


@pytest.mark.parametrize(("spec", "other"), [("scorer", "pair"), ("pair", "scorer")])
def test_whom_a_variable_reaches(spec, other):
    files = {
        **VARIABLE,
        "environments/base/appimages/other.yaml": SCORER.replace("tag: v1", "tag: '${vars.tag}'"),
        **of("prod", "image: {tag: v1}\n", "appimages/other.yaml", "AppImage"),
        "environments/base/appimages/pair.yaml": PAIR.replace("tag: v1", "tag: '${vars.tag}'"),
        **described("staging", "vars: {tag: v2}\n"),
    }
    found, _ = promoted(files, [spec])
    (variable,) = found.variables
    assert variable[:3] == ("tag", (f"AppImage/{other}",), ("AppImage/other",))


def test_a_variable_that_is_kept():
    base = SCORER.replace("tag: v1", "tag: '${vars.tag}'").replace(
        "example/scorer", "'${vars.registry}/scorer'"
    )
    files = {
        "environments/base/appimages/scorer.yaml": base,
        "servingctl.yaml": "promote: {keep: [vars.registry]}\n",
        "environments/base/environment.yaml": DESCRIPTION + "vars: {tag: v1, registry: real}\n",
        **described("staging", "vars: {tag: v2, registry: try}\n"),
    }
    found, after = promoted(files)
    assert texts(found) == {f"{PROD}/environment.yaml": INHERITS + "vars:\n  tag: v2\n"}
    assert [str(item.reason) for item in found.kept] == ["promote.keep"]
    assert_done(found, after)


def test_what_is_written_around_a_variable_that_is_kept():
    base = SCORER.replace("example/scorer", "'${vars.registry}/scorer'")
    files = {
        "environments/base/appimages/scorer.yaml": base,
        "servingctl.yaml": "promote: {keep: [vars.registry]}\n",
        **image("staging", "image: {name: '${vars.registry}/better'}\n"),
        **described("staging", "vars: {registry: try}\n"),
        **described("prod", "vars: {registry: real}\n"),
    }
    found, after = promoted(files)
    assert texts(found) == {
        f"{PROD}/{IMAGE}": HEADER.format("AppImage") + "image:\n  name: ${vars.registry}/better\n"
    }
    assert_done(found, after)


def test_a_variable_that_only_the_source_has():
    files = {
        **image("staging", "image: {tag: '${vars.build}'}\n"),
        **described("staging", "vars: {build: b7}\n"),
    }
    found, after = promoted(files)
    assert body(texts(found)[f"{PROD}/{IMAGE}"]) == "image:\n  tag: ${vars.build}\n"
    assert texts(found)[f"{PROD}/environment.yaml"].endswith("vars:\n  build: b7\n")
    assert_done(found, after)


def test_items_in_another_order_keep_what_may_differ():
    kept = DATA.replace("}", ", protocol: GRPC}")
    files = {
        "servingctl.yaml": "promote: {keep: [ports.protocol]}\n",
        **image("staging", ports(f"{DATA.replace('}', ', protocol: HTTP}')}, {SYNC}")),
        **image("prod", ports(f"{SYNC}, {kept}")),
    }
    found, after = promoted(files)
    assert {path: body(text) for path, text in texts(found).items()} == {
        f"{PROD}/{IMAGE}": ports(f"{kept}, {SYNC}")
    }
    assert_done(found, after)


def test_a_text_of_the_source_is_not_made_a_variable():
    """Only where both say the same text, the variable in it is what differs."""
    files = {
        **VARIABLE,
        **image("staging", "image: {tag: '${vars.tag}-gpu'}\n"),
        **described("staging", "vars: {tag: v2}\n"),
    }
    found, after = promoted(files)
    assert {path: body(text) for path, text in texts(found).items()} == {
        f"{PROD}/{IMAGE}": "image:\n  tag: v2-gpu\n"
    }
    assert_done(found, after)


def test_variables_of_specs_with_errors_are_not_carried():
    """Those of the other specs are, be they in a spec that only the target has."""
    files = {
        **VARIABLE,
        **of("staging", "labels: {a: '${vars.build}'}\n", "appimages/pair.yaml", "AppImage"),
        **of("prod", "labels: {a: '${vars.nowhere}'}\n", "appimages/pair.yaml", "AppImage"),
        f"{PROD}/churn.yaml": CHURN + "labels: {a: '${vars.tag}'}\n",
        **described("staging", "vars: {tag: v2, build: b7}\n"),
    }
    found, _ = promoted(files)
    assert [item[:2] for item in found.variables] == [("tag", ("Serving/churn",))]
    assert not_carried(found) == [("AppImage/pair", None)]


def test_a_variable_behind_what_may_differ():
    files = {
        "environments/base/servings/risk.yaml": SERVING
        + "annotations: {a: b}\nlabels: {note: '${vars.note}'}\n",
        "servingctl.yaml": "promote: {keep: [annotations]}\n",
        "environments/base/environment.yaml": DESCRIPTION + "vars: {note: b}\n",
        **of("prod", "annotations: {a: c}\n"),
        **described("staging", "vars: {note: a}\n"),
    }
    found, after = promoted(files)
    assert texts(found) == {f"{PROD}/environment.yaml": INHERITS + "vars:\n  note: a\n"}
    assert_done(found, after)


def noted(label, own=""):
    """A variable in an annotation and in a label, which may differ."""
    return {
        "environments/base/servings/risk.yaml": SERVING
        + f"annotations: {{note: '${{vars.note}}'}}\nlabels: {{site: '{label}'}}\n",
        "servingctl.yaml": "promote: {keep: [labels]}\n",
        "environments/base/environment.yaml": DESCRIPTION + "vars: {note: b, site: north}\n",
        **described("staging", "vars: {note: a}\n"),
        **described("prod", own),
    }


def test_a_variable_beside_what_may_differ():
    found, after = promoted({**noted("${vars.site}"), **of("prod", "labels: {site: south}\n")})
    assert texts(found) == {f"{PROD}/environment.yaml": INHERITS + "vars:\n  note: a\n"}
    assert_done(found, after)


@pytest.mark.parametrize(
    "files", [noted("${vars.note}"), noted("${vars.note}-${vars.site}", "vars: {site: south}\n")]
)
def test_a_variable_of_what_may_differ_stays(files):
    """The value is written where it counts instead."""
    found, after = promoted(files)
    assert {path: body(text) for path, text in texts(found).items()} == {
        f"{PROD}/{RISK}": "annotations:\n  note: a\n"
    }
    assert_done(found, after)


CONFIG = "configTemplates: {a.conf: {file: a.conf}}\n"


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (
            {**image("staging", CONFIG), f"{STAGING}/appimages/a.conf": "new\n"},
            {"appimages/a.conf": "new\n", IMAGE: "configTemplates:\n  a.conf:\n    file: a.conf\n"},
        ),
        (
            {
                **image("staging", CONFIG),
                f"{STAGING}/appimages/a.conf": "new\n",
                **image("prod", CONFIG.replace("file: a", "file: b")),
                f"{PROD}/appimages/b.conf": "old\n",
            },
            {"appimages/b.conf": "new\n"},
        ),
        (
            {**image("staging", CONFIG), "templates/kuscia/config/a.conf": "all\n"},
            {IMAGE: "configTemplates:\n  a.conf:\n    file: a.conf\n"},
        ),
        (
            {
                **image("staging", "configTemplates: {a.conf: inline}\n"),
                **image("prod", CONFIG),
                "templates/kuscia/config/a.conf": "all\n",
            },
            {IMAGE: "configTemplates: {a.conf: inline}\n"},
        ),
        (
            {
                **image("staging", CONFIG.replace("}}", "}, b.conf: {file: b.conf}}")),
                f"{STAGING}/appimages/a.conf": "new",
                f"{STAGING}/appimages/b.conf": "same",
                **image("prod", "configTemplates: {b.conf: same}\n"),
            },
            {
                "appimages/a.conf": "new",
                IMAGE: "configTemplates: {b.conf: same, a.conf: {file: a.conf}}\n",
            },
        ),
        (
            {
                **image("staging", CONFIG),
                f"{STAGING}/appimages/a.conf": "new",
                f"{PROD}/appimages/a.conf": "of prod",
            },
            {IMAGE: "configTemplates:\n  a.conf: new\n"},
        ),
    ],
    ids=[
        "copied",
        "into its own file",
        "from the templates",
        "inline",
        "beside one that is the same",
        "beside a file of that name",
    ],
)
def test_texts_that_are_taken_from_files(files, expected):
    found, after = promoted(files)
    assert {
        path.removeprefix(f"{PROD}/"): text if path.endswith(".conf") else body(text)
        for path, text in texts(found).items()
    } == expected
    assert not found.not_carried
    assert_done(found, after)


def shared_text():
    config = CONFIG.replace("file: a", "file: b")
    return {
        **image("staging", CONFIG),
        f"{STAGING}/appimages/a.conf": "new\n",
        **image("prod", config),
        **of("prod", config, "appimages/pair.yaml", "AppImage"),
        f"{PROD}/appimages/b.conf": "old\n",
    }


def test_a_text_that_others_take_too_is_not_edited():
    found, _ = promoted(shared_text(), ["scorer"])
    assert {path.removeprefix(f"{PROD}/") for path in found.files} == {IMAGE, "appimages/a.conf"}


def test_nothing_is_written_if_others_would_change(monkeypatch):
    monkeypatch.setattr(Draft, "used_elsewhere", lambda *_: False)
    found, _ = promoted(shared_text(), ["scorer"])
    assert not found.files
    assert not_carried(found) == [("AppImage/pair", None)]


def test_what_may_differ_in_a_list_that_is_taken_whole():
    """To carry the one value would be to carry the other too."""
    place = "destinations: [{name: %s, platform: kubernetes, namespace: models}]\n"
    service = HEADER.format("InferenceService") + "predictor:\n"
    service += "  tolerations: [{key: a, operator: Equal, value: %s, effect: %s}]\n"
    service += "  model: {modelFormat: {name: sklearn}, storageUri: 'pvc://models/v1'}\n"
    head = HEADER.format("Environment")
    files = {
        "servingctl.yaml": "promote: {keep: [tolerations.effect]}\n",
        "environments/lab/environment.yaml": head + place % "lab",
        "environments/lab/iris.yaml": service % ("v2", "NoSchedule"),
        "environments/live/environment.yaml": head + place % "live",
        "environments/live/iris.yaml": service % ("v1", "NoExecute"),
    }
    found = promote(project(files), "lab", "live")
    assert not found.files
    assert not_carried(found) == [("InferenceService/iris", "predictor.tolerations.0.value")]


LABELS = uniform_tree({"a": "${vars.b}"}, Origin(""))
CHURN = SERVING.replace("kind: Serving\n", "kind: Serving  # new\nserving_id: churn\n")


def test_a_spec_that_only_the_source_has():
    found, after = promoted({f"{STAGING}/a/churn.yaml": CHURN})
    assert texts(found) == {f"{PROD}/a/churn.yaml": CHURN}
    assert found.created == ("Serving/churn",)
    assert_done(found, after)


def test_a_new_spec_has_no_place_yet():
    """Where it goes is for the target to say."""
    place = "destinations: [{name: %s, platform: kubernetes, namespace: %s}]\n"
    service = HEADER.format("InferenceService") + "namespace: lab\ndestination: lab\npredictor:\n"
    service += "  model: {modelFormat: {name: sklearn}, storageUri: 'pvc://models/v1'}\n"
    head = HEADER.format("Environment")
    files = {
        "environments/lab/environment.yaml": head + place % ("lab", "lab"),
        "environments/lab/iris.yaml": service,
        "environments/live/environment.yaml": head + place % ("live", "models"),
    }
    found = promote(project({"servingctl.yaml": "", **files}), "lab", "live")
    assert texts(found) == {
        "environments/live/iris.yaml": service.replace("namespace: lab\ndestination: lab\n", "")
    }
    assert not found.findings


def new_image(text):
    return of("staging", body(SCORER) + text, "appimages/more.yaml", "AppImage")


def test_a_new_spec_with_a_variable_that_only_the_source_has():
    files = {
        **new_image("labels: {build: '${vars.build}'}\n"),
        **described("staging", "vars: {build: b7}\n"),
    }
    found, after = promoted(files)
    assert [item.name for item in found.variables] == ["build"]
    assert texts(found)[f"{PROD}/environment.yaml"] == INHERITS + "vars:\n  build: b7\n"
    assert_done(found, after)


@pytest.mark.parametrize(
    ("texts_there", "copied"),
    [
        ({f"{STAGING}/appimages/conf/a.conf": "x\n"}, {f"{PROD}/appimages/conf/a.conf": "x\n"}),
        ({"templates/kuscia/config/conf/a.conf": "all\n"}, {}),
    ],
    ids=["beside it", "from the templates"],
)
def test_a_new_spec_with_a_text(texts_there, copied):
    files = {**new_image("configTemplates: {a.conf: {file: conf/a.conf}}\n"), **texts_there}
    found, after = promoted(files)
    path = f"{PROD}/appimages/more.yaml"
    assert texts(found) == {path: files[path.replace(PROD, STAGING)], **copied}
    assert_done(found, after)


OTHER = HEADER.format("AppImage") + "disabled: true\n"


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({f"{PROD}/a/churn.yaml": OTHER}, "is there already, and is not this spec"),
        ({f"{PROD}/a/churn.yaml": "a: [\n"}, "it cannot be read in prod"),
    ],
    ids=["another spec", "not readable"],
)
def test_a_file_in_the_place_of_a_new_spec(files, reason):
    found, _ = promoted({f"{STAGING}/a/churn.yaml": CHURN, **files})
    assert not found.files
    assert not_carried(found) == [("Serving/churn", None)]
    assert reason in found.not_carried[0].reason


def test_the_only_spec_cannot_be_read():
    found, _ = promoted({f"{PROD}/{IMAGE}": "a: [\n"}, ["scorer"])
    assert not_carried(found) == [("AppImage/scorer", None)]


@pytest.mark.parametrize("environment", [STAGING, PROD])
def test_an_environment_that_cannot_be_read(environment):
    broken = {f"{environment}/environment.yaml": INHERITS.replace("base", "nowhere")}
    found, _ = promoted({**broken, **of("staging", "labels: {a: b}\n")})
    assert not found.files
    assert [item.code for item in found.findings] == ["ENV005"]


def test_a_new_spec_with_the_defaults_of_the_source():
    files = {
        f"{STAGING}/churn.yaml": CHURN,
        **described("staging", "defaults: {Serving: {labels: {tier: gold}}}\n"),
        **described("prod", "defaults: {Serving: {labels: {tier: gold}}}\n"),
    }
    found, after = promoted(files)
    assert texts(found) == {f"{PROD}/churn.yaml": CHURN}
    files |= described("prod", "")
    found, after = promoted(files)
    assert texts(found)[f"{PROD}/churn.yaml"] == CHURN + "labels:\n  tier: gold\n"
    assert_done(found, after)


def test_a_new_spec_of_several_layers():
    files = {
        f"{STAGING}/environment.yaml": INHERITS.replace("extends: base", "extends: lab"),
        "environments/lab/environment.yaml": HEADER.format("Environment") + "extends: base\n",
        "environments/lab/churn.yaml": CHURN,
        f"{STAGING}/churn.yaml": HEADER.format("Serving") + "labels: {a: b}\n",
    }
    found, after = promoted(files)
    assert list(found.files) == [f"{PROD}/churn.yaml"]
    assert_done(found, after)


def test_specs_that_stay_alone():
    files = {
        **of("prod", "disabled: true\n"),
        f"{PROD}/churn.yaml": CHURN,
    }
    found, _ = promoted(files)
    assert not found.files
    assert [(item.spec, item.environment) for item in found.left] == [
        ("Serving/risk", "staging"),
        ("Serving/churn", "prod"),
    ]
    assert f"{PROD}/{RISK}:3" in found.left[0].reason
    files |= image("prod", "disabled: true\n")
    files |= of("prod", "disabled: true\n", "appimages/pair.yaml", "AppImage")
    found, _ = promoted(files)
    names = ["AppImage/pair", "AppImage/scorer", "Serving/risk", "Serving/churn"]
    assert [item.spec for item in found.left] == names


def test_prerequisites_go_with_their_users():
    files = {
        **image("staging", "image: {tag: v2}\n"),
        **of("staging", "labels: {a: b}\n"),
        **of("staging", "image: {tag: v3}\n", "appimages/extra.yaml", "AppImage"),
    }
    found, _ = promoted(files, ["risk"])
    assert {*found.files} == {f"{PROD}/{IMAGE}", f"{PROD}/{RISK}"}
    assert found.specs == ("AppImage/pair", "AppImage/scorer", "Serving/risk")


def test_an_environment_that_extends_the_source():
    files = {
        f"{PROD}/environment.yaml": INHERITS.replace("extends: base", "extends: staging"),
        **image("staging", "image: {tag: v2}\n"),
        **image("prod", "image: {tag: v1}\n"),
    }
    found, after = promoted(files)
    assert texts(found) == {f"{PROD}/{IMAGE}": HEADER.format("AppImage")}
    assert_done(found, after)


def test_an_environment_is_not_promoted_to_itself():
    with pytest.raises(UsageError, match="'prod' cannot be promoted to itself"):
        promote(project(FILES), "prod", "prod")


@pytest.mark.parametrize("names", [("nowhere", "prod"), ("staging", "nowhere")])
def test_an_environment_that_is_not_there(names):
    with pytest.raises(UsageError, match="there is no environment 'nowhere'"):
        promote(project(FILES), *names, ())


def test_a_spec_with_errors_in_the_target():
    broken = of("prod", 'initiator: "${vars.nowhere}"\n')
    found, _ = promoted({**broken, **image("staging", "image: {tag: v9}\n")})
    assert [(i.spec, i.change, i.reason) for i in found.not_carried] == [
        ("Serving/risk", None, "it has errors in prod")
    ]
    assert [*found.files] == [f"{PROD}/{IMAGE}"], "what has none is carried"


def test_an_environment_that_others_extend():
    files = {"environments/eu/environment.yaml": INHERITS.replace("base", "prod")}
    with pytest.raises(UsageError, match="'eu' extends 'prod'"):
        promoted(files)


@pytest.mark.parametrize(
    ("specs", "reason"), [(["rsk"], "did you mean 'risk'?"), (["churn"], "in 'staging'")]
)
def test_specs_that_are_not_there(specs, reason):
    with pytest.raises(UsageError, match=reason.replace("?", r"\?")):
        promoted({f"{PROD}/churn.yaml": CHURN}, specs)


def test_a_draft_has_its_edits_and_what_it_inherits():
    files = {**FILES, **VARIABLE, **image("prod", "labels: {old: gone}\n")}
    draft, identity = Draft(project(files), "prod"), ("AppImage", "scorer")
    own = draft.own_file(identity)
    draft.take(identity, Attempt(Node({**own.tree.items, "labels": LABELS}, own.tree.origin)))
    tree = draft.unbound_tree(identity).plain()
    assert tree["labels"] == {"a": "${vars.b}"}
    assert tree["image"]["tag"] == "${vars.tag}"


def test_a_file_of_json():
    text = json.dumps(
        {"apiVersion": "serving.gitops/v1", "kind": "AppImage", "image": {"tag": "v0"}}, indent=4
    )
    files = {f"{PROD}/appimages/scorer.json": text + "\n", **image("staging", "image: {tag: v2}\n")}
    found, after = promoted(files)
    assert texts(found) == {f"{PROD}/appimages/scorer.json": text.replace("v0", "v2") + "\n"}
    assert_done(found, after)
    more = image("staging", "image: {tag: v2}\nlabels: {team: risk}\n")
    [text] = texts(promoted({**files, **more})[0]).values()
    assert json.loads(text)["labels"] == {"team": "risk"}


def test_keys_in_another_spelling():
    """A file of KubeRay's messages may write snake_case, and goes on doing so."""
    head = HEADER.format("Environment")
    place = "destinations: [{name: %s, platform: kubernetes, namespace: models}]\n"
    template = HEADER.format("ComputeTemplate") + "cpu: 2\nmemory: 4\n"
    files = {
        "servingctl.yaml": "",
        "environments/lab/environment.yaml": head + place % "lab",
        "environments/lab/big.yaml": template + "gpu: 1\ngpuAccelerator: amd.com/gpu\n",
        "environments/live/environment.yaml": head + place % "live",
        "environments/live/big.yaml": template + "gpu: 1\ngpu_accelerator: nvidia.com/gpu  # a\n",
    }
    found = promote(project(files), "lab", "live")
    assert texts(found) == {
        "environments/live/big.yaml": template + "gpu: 1\ngpu_accelerator: amd.com/gpu  # a\n"
    }


def test_an_anchor_is_left_alone():
    files = {
        **of("prod", "annotations: &same {a: b}\nlabels: *same\n"),
        **of("staging", "labels: {a: c}\nannotations: {a: b}\n"),
    }
    found, _ = promoted(files)
    assert not found.files
    (item,) = found.not_carried
    assert "cannot be edited: the value is named by an anchor" in item.reason
    assert (found.carried, found.kept) == ((), ())


def test_the_order_of_what_is_inherited():
    files = {
        **of("staging", "parties: null\n"),
        f"{STAGING}/servings/risk.yaml": SERVING.replace("kind: Serving\n", "kind: Serving\n"),
        "environments/prod/environment.yaml": INHERITS.replace("extends: base", "extends: other"),
        "environments/other/environment.yaml": HEADER.format("Environment") + "extends: base\n",
        "environments/base/servings/risk.yaml": None,
        "environments/base/servings/risk.yml": None,
        "environments/other/servings/risk.yaml": SERVING.replace(
            "  - {domain_id: alice, app_image: scorer}\n  - {domain_id: bob, app_image: pair}\n",
            "  - {domain_id: bob, app_image: pair}\n  - {domain_id: alice, app_image: scorer}\n",
        ),
    }
    found, _ = promoted(files)
    assert not_carried(found) == [("Serving/risk", "parties")]
    assert "the order" in found.not_carried[0].reason


def test_errors_of_the_source_are_not_carried():
    found, _ = promoted(of("staging", "initiator: nobody\n"))
    assert not found.files
    assert found.findings


def test_errors_of_specs_that_are_not_asked_for():
    broken = SERVING.replace("scorer", "pair").replace("initiator: alice", "initiator: nobody")
    files = {f"{STAGING}/churn.yaml": broken, **image("staging", "image: {tag: v2}\n")}
    found, _ = promoted(files, ["scorer"])
    assert [*found.files] == [f"{PROD}/{IMAGE}"]


def test_errors_of_the_target_are_no_result_of_nothing():
    latest = {f"environments/base/{IMAGE}": SCORER.replace("tag: v1", "tag: latest")}
    found, _ = promoted({**latest, **described("prod", "production: true\n")})
    assert not found.files
    assert not found.findings


def test_errors_of_the_result():
    files = {
        **image("staging", "image: {tag: latest}\n"),
        **described("prod", "production: true\n"),
    }
    found, _ = promoted(files)
    assert found.files
    assert found.findings


def test_what_is_not_spoken_of_stays():
    """Nothing but the spec that is asked for changes in the target."""
    files = {**of("staging", "labels: {a: b}\n"), f"{STAGING}/churn.yaml": CHURN}
    found, after = promoted(files, ["risk"])
    before, done = (project(item) for item in ({**FILES, **files}, after))
    trees = [
        {s.identity: s.tree.plain() for i in p.environments if i.name == "prod" for s in i.specs}
        for p in (before, done)
    ]
    assert {key for key in trees[1] if trees[0].get(key) != trees[1][key]} == {("Serving", "risk")}
    assert found.created == ()

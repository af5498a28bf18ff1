"""Which objects of two states are the same one, and which files reach them."""

from renderer import compare, render
from renderer.changes.objects import changed_objects
from renderer.values.diagnostics import Origin
from renderer.values.objects import Output
from renderer.values.tree import uniform_tree
from tests.support.memory import project
from tests.support.repositories import IMAGE, PAIR, RISK, SCORER, SERVING, SMALL

FRAUD, CHURN = (RISK.replace("risk", name) for name in ("fraud", "churn"))
OTHER = SERVING.replace("initiator: alice", "initiator: bob")
SECOND = IMAGE.replace("scorer", "pair")
BOTH = {**SMALL, **{path.replace("/dev/", "/prod/"): text for path, text in SMALL.items()}}


def servings(before, after):
    """Every serving that differs, by its names before and after."""
    found = compare(
        project({**SMALL, RISK: None, **before}), project({**SMALL, RISK: None, **after})
    )
    changes = (
        item.change for item in found.objects if "Serving/" in str(item.change.manifest.spec)
    )
    return {tuple(side and side.spec.stem for side in (one.before, one.after)) for one in changes}


def test_one_of_two_that_are_alike_is_not_said_to_be_renamed():
    found = servings({RISK: SERVING, CHURN: SERVING}, {FRAUD: SERVING})
    assert found == {("risk", None), ("churn", None), (None, "fraud")}


def test_the_one_that_is_alike_was_renamed():
    found = servings({RISK: SERVING, CHURN: OTHER}, {FRAUD: SERVING})
    assert found == {("risk", "fraud"), ("churn", None)}


def test_one_with_another_file_and_another_name_was_renamed():
    texts = [f"{SERVING}serving_id: {name}\n" for name in "ab"]
    assert servings({RISK: texts[0]}, {FRAUD: texts[1]}) == {("risk", "fraud")}


def test_objects_without_specs_are_not_alike():
    """Rendered files do not say what they were made of."""
    bare = uniform_tree({}, Origin(""))
    sides = (
        [
            item._replace(spec=item.spec._replace(tree=bare))
            for item in render(project({**SMALL, RISK: None, path: SERVING})).manifests
            if item.spec.kind.name == "Serving"
        ]
        for path in (RISK, FRAUD)
    )
    assert [len(item.sides) for item in changed_objects(*sides)] == [1, 1]


def test_a_comment_in_a_rendered_file_is_no_change():
    made = render(project(SMALL)).manifests
    output = Output(tuple(item._replace(text=f"# a word\n{item.text}") for item in made))
    assert not compare(output, project(SMALL)).objects


def test_an_edit_is_at_its_key():
    found = compare(project(SMALL), project({**SMALL, RISK: f"{SERVING}labels:\n  team: a\n"}))
    place = found.edits[0].origin
    assert (place.file, place.line) == (RISK, SERVING.count("\n") + 1)


def reached(before, after):
    found = compare(project(before), project(after)).reach
    return {item.file: {(one.environment, one.spec) for one in item.specs} for item in found}


def test_a_file_reaches_specs_of_its_own_environment():
    paths = RISK, RISK.replace("/dev/", "/prod/")
    assert reached(BOTH, {**BOTH, **dict.fromkeys(paths, OTHER)}) == {
        paths[0]: {("dev", "Serving/risk")},
        paths[1]: {("prod", "Serving/risk")},
    }


def test_a_prerequisite_reaches_its_users_and_no_other_prerequisite():
    after = {
        IMAGE: SCORER.replace("tag: v1", "tag: v2"),
        SECOND: PAIR.replace("tag: v1", "tag: v2"),
    }
    assert reached(SMALL, {**SMALL, **after}) == {
        IMAGE: {("dev", "AppImage/scorer"), ("dev", "Serving/risk")},
        SECOND: {("dev", "AppImage/pair"), ("dev", "Serving/risk")},
    }

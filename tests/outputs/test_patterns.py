"""Edits whose values differ in the same way are one edit, in every format for people."""

import pytest

from renderer.outputs.diff import FORMATS, stat
from renderer.outputs.diff.causes import joined_causes
from renderer.outputs.diff.patterns import common_pattern, form_with_variables, has_form
from renderer.outputs.diff.report import ShownEdit
from renderer.outputs.layout import Layout
from renderer.values.changes import EditKind, Effect, How
from renderer.values.diagnostics import Origin
from tests.support.diffreports import change, impact, report, shown

PATH = "predictor.model.storageUri"


def fleet(pairs, path=PATH, effect=Effect.ROLLING, **rest):
    """A report of edits, each in a file of its own, and of the object that it changes."""
    edits, objects = [], []
    for number, (before, after) in enumerate(pairs):
        name, known = f"s{number:04}", {"before": before, "after": after, **rest}
        words = {"consequence": f"The pods of `{name}` are replaced.", "advice": ""}
        hit = impact(effect, "predictor", spec=f"InferenceService/{name}", **words)
        origin = Origin(f"environments/base/services/{name}.yaml", 10, 3)
        edits.append(ShownEdit(EditKind.EDIT, change(path, impacts=(), origin=origin, **known)))
        made = change(f"spec.{path}", impacts=(hit,), causes=(number,), **known)
        objects.append(shown(name, made, kind="InferenceService"))
    return report(*objects)._replace(edits=tuple(edits), production=frozenset(["prod"]))


def uris(number, before="v1", after="v2"):
    return [(f"s3://m/s{n}/{before}/x", f"s3://m/s{n}/{after}/x") for n in range(number)]


@pytest.mark.parametrize(
    ("pairs", "said"),
    [
        (uris(3), "v1 → v2"),
        ([("a:1.2.3", "a:1.2.4"), ("b/c:1.2.3", "b/c:1.2.4")], "1.2.3 → 1.2.4"),
        ([("a/v3", "a/v4"), ("b/v7", "b/v8")], "v+1"),
        ([(1, 2), (4, 5)], "+1"),
        ([(0.1, 0.3), (0.5, 0.7)], "+0.2"),
        ([("a", "hub/a"), ("b", "hub/b")], "nothing → hub/"),
        ([("a-gpu", "a"), ("b", "c")], None),
        ([(True, False), (False, True)], None),
    ],
    ids=["part", "tag", "own version", "number", "fraction", "prefix", "different", "switch"],
)
def test_what_edits_have_in_common(pairs, said):
    found = common_pattern(change(before=before, after=after) for before, after in pairs)
    assert (found and found.text) == said


def test_what_is_added_everywhere_is_one_edit():
    pairs = [(None, f"team-{n}") for n in range(5)]
    (cause,) = joined_causes(fleet(pairs, "labels.team", how=How.ADDED, has_before=False))
    assert cause.pattern.text == "added"


def test_a_few_are_shown_one_by_one():
    assert len(joined_causes(fleet(uris(2)))) == 2
    (cause,) = joined_causes(fleet(uris(3)))
    assert len(cause.edits) == 3


def test_an_exception_is_told_apart():
    most, odd = joined_causes(fleet([*uris(30), *uris(1, after="v3")]))
    assert [len(most.edits), len(odd.edits)] == [30, 1]


def test_two_versions_are_two_edits_and_many_are_one():
    two = [*uris(5), *uris(5, "v2", "v3")]
    assert [len(item.edits) for item in joined_causes(fleet(two))] == [5, 5]
    many = [pair for n in range(9) for pair in uris(2, f"v{n}", f"v{n + 1}")]
    (cause,) = joined_causes(fleet(many))
    assert cause.pattern.text == "v+1"


def test_a_thousand_edits_fit_on_a_screen():
    text = FORMATS["text"](fleet(uris(1000)), Layout(width=80))
    lines = text.splitlines()
    assert len(lines) <= 12
    assert max(map(len, lines)) <= 80
    assert "v1 → v2 in 1,000 places" in lines[0]
    assert text.count("environments/base/services/") == 2
    assert "rolling: 1,000 units" in text


def test_all_are_listed_where_all_is_asked_for():
    text = FORMATS["text"](fleet(uris(30)), Layout(width=80, all_names=True))
    assert text.count("environments/base/services/") == 30


@pytest.mark.parametrize("show", [FORMATS["markdown"], FORMATS["html"], stat.show])
def test_every_format_for_people_says_it_once(show):
    text = show(fleet(uris(300)), Layout()).replace("&#8594;", "→")
    assert "v1 → v2" in text
    assert "299 more" in text or "298 more" in text


def test_every_edit_is_in_the_data():
    text = FORMATS["json"](fleet(uris(30)), Layout())
    assert all(f"environments/base/services/s{n:04}.yaml" in text for n in range(30))


@pytest.mark.parametrize("form", ["text", "markdown", "html"])
def test_nothing_is_said_where_there_is_no_advice(form):
    """Sentences that differ in names alone are joined, and so is their advice, if there is any."""
    said = FORMATS[form](fleet(uris(3)), Layout())
    assert "nothing" not in said.partition("<style>")[0] + said.rpartition("</script>")[2]


def test_a_sentence_is_said_once():
    """Two edits with the same consequence for different units: the second one names the first."""
    words = {"consequence": "Pods are not replaced.", "advice": "Delete them."}
    edits, changes = [], []
    for number, unit in enumerate(("head", "workers")):
        known = {"before": "ray:1", "after": "ray:2"}
        path, origin = f"{unit}.image", Origin("environments/base/a.yaml", 10 + number, 3)
        edits.append(ShownEdit(EditKind.EDIT, change(path, impacts=(), origin=origin, **known)))
        hit = impact(Effect.IGNORED, unit, spec="RayCluster/a", **words)
        changes.append(change(f"spec.{path}", impacts=(hit,), causes=(number,), **known))
    said = FORMATS["text"](report(shown("a", *changes))._replace(edits=tuple(edits)), Layout())
    assert said.count("Pods are not replaced.") == said.count("Delete them.") == 1
    assert "[ignored] RayCluster/a: workers" in said
    assert "The same as with head.image, above." in said


def test_an_object_repeats_the_edit_with_its_variables_replaced():
    """`s3://${vars.b}/v1` becomes v2, and so does `s3://models-prod/v1` in the object."""
    edit, object_ = [(f"s3://{b}/{v}/x" for v in ("v1", "v2")) for b in ("${vars.b}", "models")]
    before, after = edit
    origin = Origin("environments/base/a.yaml", 10, 3)
    edits = (ShownEdit(EditKind.EDIT, change(PATH, before=before, after=after, origin=origin)),)
    before, after = object_
    hit = impact(Effect.ROLLING, "predictor", spec="InferenceService/a")
    known = {"impacts": (hit,), "causes": (0,), "before": before}
    for value, repeats in ((after, True), ("s3://models/v3/x", False)):
        made = report(shown("a", change(f"spec.{PATH}", after=value, **known)))
        (cause,) = joined_causes(made._replace(edits=edits))
        assert [item.repeats_edit for item in cause.differences] == [repeats]


@pytest.mark.parametrize(
    ("before", "after", "is_edit"),
    [
        ("ray:${vars.v}", "ray:${vars.v}-gpu", True),
        ("ray:${vars.v}", "ray:2.54.0", False),
        ("ray:2.53.0", "ray:2.53.0-gpu", False),
        ("${vars.v}${vars.v}", "${vars.v}-gpu", False),
    ],
)
def test_an_object_change_is_the_edit_with_the_values_of_variables(before, after, is_edit):
    form = form_with_variables(change(before=before, after=after))
    found = form and has_form(change(before="ray:2.53.0", after="ray:2.53.0-gpu"), form)
    assert bool(found) is is_edit


def test_a_form_with_many_variables_is_not_searched():
    text = "".join(f"${{vars.v{number}}}" for number in range(9))
    assert form_with_variables(change(before=text, after=f"{text}x")) is None

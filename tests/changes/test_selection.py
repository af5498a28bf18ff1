"""`diff SPEC`: only what is about some specs."""

import pytest

from renderer import compare, render
from renderer.errors import UsageError
from renderer.evaluate.question import Shard
from renderer.values.objects import Output
from tests.support.memory import project
from tests.support.repositories import IMAGE, RISK, SCORER, SERVING, SMALL

CHURN = RISK.replace("risk", "churn")
TWO = {**SMALL, CHURN: SERVING}
MORE = SERVING.replace("app_image: scorer", "app_image: scorer, replicas: 4")
EDITED = {**TWO, RISK: MORE, CHURN: MORE, IMAGE: SCORER.replace("tag: v1", "tag: v2")}


def told(specs, after=EDITED):
    return compare(project(TWO), project(after), specs=specs)


def names(found):
    return {str(item.change.manifest.spec) for item in found.objects}


def test_the_objects_of_a_spec_and_what_others_do_to_it():
    found = told(["risk"])
    assert names(found) == {"Serving/risk", "AppImage/scorer"}
    assert len(found.objects) == 2
    assert {impact.spec for item in found.objects for _, impact in item.impacts} == {"Serving/risk"}
    assert {one.spec for item in found.reach for one in item.specs} >= {"Serving/risk"}
    assert "Serving/churn" not in {one.spec for item in found.reach for one in item.specs}
    amounts = {item[:4]: item.after for item in found.capacity}
    assert all(item.after > amounts.get(item[:4], 0) for item in told([]).capacity)


def test_a_prerequisite_with_all_that_it_does():
    found = told(["AppImage/scorer"])
    assert names(found) == {"AppImage/scorer"}
    assert len({impact.spec for item in found.objects for _, impact in item.impacts}) == 2


def test_errors_of_others_are_not_told():
    after = {**EDITED, CHURN: "a: [\n"}
    assert told([], after).findings
    assert not told(["risk"], after).findings
    assert told(["churn"], after).findings


def test_errors_of_another_kind_under_the_same_name_are_not_told():
    files = {IMAGE.replace("scorer", "risk"): SCORER.replace("tag: v1", "tag: 'no tag'")}
    assert told(["AppImage/risk"], {**EDITED, **files}).findings
    assert not told(["Serving/risk"], {**EDITED, **files}).findings


def test_specs_of_rendered_output():
    output = Output(render(project(TWO)).manifests)
    assert names(compare(output, project(EDITED), specs=["risk"])) >= {"Serving/risk"}
    found = compare(output, Output(()), specs=["churn"])
    assert names(found) == {"Serving/churn"}
    with pytest.raises(UsageError, match="did you mean 'risk'"):
        compare(output, Output(()), specs=["rsk"])


def test_rendered_output_has_no_shards():
    with pytest.raises(UsageError, match="--shard is for two states"):
        compare(project(TWO), Output(()), shard=Shard(1, 2))


def part_of(name, after=EDITED):
    """The part of a comparison that has a group."""
    shard = next(one for n in range(5) if (one := Shard(n + 1, 5)).owns_group(name))
    return compare(project(TWO), project(after), shard=shard)


def test_a_part_has_what_prerequisites_do_to_its_own_specs():
    for name in ("risk", "churn"):
        found = part_of(name)
        assert names(found) == {f"Serving/{name}", "AppImage/scorer"}
        reached = {impact.spec for item in found.objects for _, impact in item.impacts}
        assert reached == {f"Serving/{name}"}


def test_a_part_has_the_errors_of_its_own_files():
    after = {**EDITED, CHURN: SERVING.replace("initiator: alice", "initiator: eve")}
    assert not part_of("risk", after).findings
    assert {item.file for item in part_of("churn", after).findings} == {CHURN}


def test_a_spec_that_does_not_change_or_was_deleted():
    assert not told(["AppImage/pair"]).objects
    gone = {path: text for path, text in TWO.items() if path != CHURN}
    assert names(told(["churn"], gone)) == {"Serving/churn"}


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("rsk", "there is no spec 'rsk'; did you mean 'risk'?"),
        ("AppImage/risk", "there is no spec 'AppImage/risk'"),
    ],
)
def test_unknown_names(name, message):
    with pytest.raises(UsageError) as caught:
        told([name])
    assert message in str(caught.value)


def test_ambiguous_names():
    path = IMAGE.replace("scorer", "risk")
    with pytest.raises(UsageError, match="'risk' is ambiguous; say AppImage/risk or Serving/risk"):
        told(["risk"], {**EDITED, path: SCORER})


def test_what_edits_break_is_told_of_the_chosen_specs():
    after = {**TWO, IMAGE: "a: [\n"}
    assert {item.spec for item in told([], after).broken} == {"Serving/risk", "Serving/churn"}
    assert {item.spec for item in told(["risk"], after).broken} == {"Serving/risk"}

"""Two environments side by side: what differs, what may, and what only one of them has."""

import pytest

from renderer.changes.environments import compare_environments, kept_variables
from renderer.errors import UsageError
from renderer.outputs.environments import stat
from renderer.outputs.environments.report import build_report
from renderer.values.environments import Reason
from tests.support.memory import project
from tests.support.promotion import FILES, INHERITS, prod
from tests.support.repositories import HEADER, SCORER, SERVING


def compared(files, specs=(), names=("staging", "prod")):
    return compare_environments(project({**FILES, **files}), names, specs)


def paths(found, reason):
    return [".".join(map(str, i.change.path)) for i in found.differences if i.reason is reason]


def test_what_both_inherit_is_the_same():
    found = compared({})
    assert found.is_as_expected
    assert (found.compared, found.differences, found.alone) == (3, (), ())
    assert not found.findings


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        (prod("serving_id: risk-prod\n"), Reason.NAME),
        (prod("parties: {replicas: 4}\n"), Reason.KEPT),
        (
            prod("parties: [{domain_id: alice, resources: {max_cpu: '2', min_cpu: '1'}}]\n"),
            Reason.KEPT,
        ),
        (prod("labels: {tier: gold}\n"), None),
        (prod("serving_input_config: {replicas: 3, resources: {a: 1}}\napp: other\n"), None),
        (prod("image: {tag: v2}\n", "appimages/scorer.yaml", "AppImage"), None),
    ],
)
def test_what_may_differ(files, reason):
    found = compared(files)
    assert {item.reason for item in found.differences} == {reason}
    assert found.is_as_expected is (reason is not None)


def test_what_only_the_first_has_may_be_missing_in_the_second():
    files = prod("parties: [{domain_id: alice, resources: {max_cpu: '2', min_cpu: '1'}}]\n")
    found = compared(files, names=("prod", "staging"))
    assert {item.reason for item in found.differences} == {Reason.KEPT}


def test_differences_are_sorted_by_spec():
    names = ["churn", "credit", "fraud", "risk", "scores"]
    base = {f"environments/base/servings/{name}.yaml": SERVING for name in names}
    own = [prod("labels: {tier: gold}\n", f"servings/{name}.yaml") for name in names]
    found = compared({**base, **{path: text for some in own for path, text in some.items()}})
    assert [item.spec for item in found.differences] == [f"Serving/{name}" for name in names]


def test_bounds_of_replicas_may_differ():
    service = HEADER.format("InferenceService") + "predictor: {maxReplicas: %s, minReplicas: 1, "
    service += "model: {modelFormat: {name: sklearn}, storageUri: 'pvc://models/v1'}}\n"
    files = {
        "environments/staging/iris.yaml": service % 2,
        "environments/prod/iris.yaml": service % 8,
    }
    found = compared(files)
    assert paths(found, Reason.KEPT) == ["predictor.maxReplicas"]
    assert found.is_as_expected


def test_a_reference_to_the_same_spec_under_another_name():
    """The AppImage has another name in prod, and so has what refers to it."""
    image = "appimages/scorer.yaml"
    found = compared(
        {
            **prod("name: scorer-prod\n", image, "AppImage"),
            **prod("parties: [{domain_id: alice, app_image: scorer-prod}]\n"),
        }
    )
    assert paths(found, Reason.NAME) == ["name", "parties.[alice].app_image"]
    assert found.is_as_expected
    other = compared(prod("parties: [{domain_id: alice, app_image: pair}]\n"))
    assert paths(other, None) == ["parties.[alice].app_image"]


def test_variables_of_the_settings():
    """What differs only by a variable may; what else is written around it may not."""
    image = SCORER.replace("example/scorer, tag: v1", "'${vars.place}/scorer', tag: v1")
    files = {
        "environments/base/appimages/scorer.yaml": image,
        "environments/staging/environment.yaml": INHERITS + "vars: {place: lab}\n",
        "environments/prod/environment.yaml": INHERITS + "vars: {place: live}\n",
    }
    assert paths(compared(files), None) == ["image.name"]
    files["servingctl.yaml"] = "promote: {keep: [vars.place]}\n"
    found = compared(files)
    assert paths(found, Reason.KEPT) == ["image.name"]
    assert found.is_as_expected
    better = prod("image: {name: '${vars.place}/better'}\n", "appimages/scorer.yaml", "AppImage")
    assert paths(compared({**files, **better}), None) == ["image.name"]


def test_paths_of_the_settings():
    files = prod("labels: {tier: gold}\nparties: {replicas: 4}\n")
    keep = "promote: {keep: [labels.tier, nothing]}\n"
    found = compared({**files, "servingctl.yaml": keep})
    assert paths(found, Reason.KEPT) == ["labels"]
    assert paths(found, None) == ["parties.[alice].replicas", "parties.[bob].replicas"]


def test_specs_that_one_of_them_has():
    found = compared({"environments/prod/servings/churn.yaml": SERVING, **prod("disabled: true\n")})
    assert [(item.spec, item.environment) for item in found.alone] == [
        ("Serving/churn", "prod"),
        ("Serving/risk", "staging"),
    ]
    assert not found.is_as_expected


def test_a_file_that_cannot_be_read_is_not_missing():
    found = compared({"environments/prod/servings/risk.yaml": "a: [\n"})
    assert not found.alone
    assert {item.file for item in found.findings} == {"environments/prod/servings/risk.yaml"}
    assert not found.incomparable


def test_an_environment_that_cannot_be_composed():
    found = compared({"environments/prod/environment.yaml": INHERITS + "vars: 3\nextends: prod\n"})
    assert found.findings
    assert found.compared == 0
    some = compared({"environments/prod/environment.yaml": "a: [\n"}, ["risk"])
    assert some.findings
    assert some.compared == 0


def test_errors_of_the_specs_that_are_named():
    found = compared(prod("a: [\n"), ["risk"])
    assert {item.file for item in found.findings} == {"environments/prod/servings/risk.yaml"}
    assert not compared(prod("a: [\n"), ["scorer"]).findings


def test_some_specs():
    files = {**prod("labels: {a: b}\n"), "environments/prod/servings/bad.yaml": "a: [\n"}
    found = compared(files, ["AppImage/pair"])
    assert (found.compared, found.differences, found.alone, found.findings) == (1, (), (), ())
    same_stem = {"environments/base/appimages/risk.yaml": SCORER}
    with pytest.raises(UsageError, match="ambiguous; say AppImage/risk or Serving/risk"):
        compared(same_stem, ["risk"])
    with pytest.raises(UsageError, match="no spec 'rsk'; did you mean 'risk'"):
        compared({}, ["rsk"])


def test_unknown_environments():
    with pytest.raises(UsageError, match="no environment 'prd'; did you mean 'prod'"):
        compared({}, names=("staging", "prd"))


def test_an_error_in_what_both_inherit_is_told_once():
    wrong = SCORER.replace("scope: Domain", "scope: domain")
    found = compared({"environments/base/appimages/scorer.yaml": wrong})
    assert {item.code for item in found.findings} == {"SPC014"}
    assert not found.incomparable


def test_an_error_of_the_settings_is_told_once():
    found = compared({"servingctl.yaml": "output: 7\n"})
    assert [item.code for item in found.findings] == ["SPC013"]
    assert not found.incomparable


def test_a_line_for_each_error():
    found = compared({"servingctl.yaml": "output: 7\n"})
    shown = stat.show(build_report(found, {}))
    assert shown.startswith("error  1  output is written 7, ")
    assert " [SPC013]  servingctl.yaml:1\n" in shown


def test_variables_among_the_paths_that_are_kept():
    given = project({**FILES, "servingctl.yaml": "promote: {keep: [labels, vars.place]}\n"})
    assert kept_variables(given.settings) == {"place"}

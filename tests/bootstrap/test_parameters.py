"""What an application asks of the plugin, by the contract of Argo CD."""

import json

import pytest

from renderer.bootstrap.plugin import RenderParameters, render_parameters
from renderer.errors import UsageError

PARAMETERS = [
    {"name": "environment", "string": "prod"},
    {"name": "destination", "string": "east"},
    {"name": "other", "array": ["x"]},
    {"name": "more", "map": {"a": "b"}},
]


def given(parameters, **variables):
    return {"ARGOCD_APP_PARAMETERS": json.dumps(parameters), **variables}


def test_parameters():
    assert render_parameters(given(PARAMETERS)) == RenderParameters(
        "prod", "east", allow_empty=False
    )


def test_variables_instead():
    variables = {"ARGOCD_ENV_ENVIRONMENT": "dev", "ARGOCD_ENV_ALLOW_EMPTY": "true"}
    assert render_parameters(variables) == RenderParameters("dev", "", allow_empty=True)


def test_parameters_say_more_than_variables():
    found = render_parameters(
        given(PARAMETERS[:1], ARGOCD_ENV_ENVIRONMENT="dev", ARGOCD_ENV_DESTINATION="b")
    )
    assert (found.environment, found.destination) == ("prod", "b")


@pytest.mark.parametrize(
    "parameters", [{}, None, 3, ["x"], [{"name": 1, "string": "x"}], [{"name": "environment"}]]
)
def test_what_is_of_another_shape_says_nothing(parameters):
    assert render_parameters(given(parameters)) == RenderParameters("", "", allow_empty=False)


@pytest.mark.parametrize("text", ["{", "prod", "[" * 100_000])
def test_what_is_not_json_is_refused(text):
    with pytest.raises(UsageError, match="ARGOCD_APP_PARAMETERS is not JSON"):
        render_parameters({"ARGOCD_APP_PARAMETERS": text})


def test_emptiness_is_allowed_in_so_many_words():
    with pytest.raises(UsageError, match="true or false, not 'yes'"):
        render_parameters({"ARGOCD_ENV_ALLOW_EMPTY": "yes"})

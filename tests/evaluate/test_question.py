"""Which spec a name on the command line means."""

import pytest

from renderer.errors import UsageError
from renderer.evaluate.question import spec_named

SERVICE, ACCOUNT = ("InferenceService", "chat"), ("ServiceAccount", "chat")
BUDGET = ("PodDisruptionBudget", "chat")


def test_a_stem_alone_means_the_serving():
    assert spec_named("chat", [ACCOUNT, SERVICE, BUDGET]) == SERVICE


def test_what_lies_beside_it_is_named_with_its_kind():
    assert spec_named("ServiceAccount/chat", [ACCOUNT, SERVICE]) == ACCOUNT


def test_a_companion_alone_needs_no_kind():
    assert spec_named("chat", [ACCOUNT]) == ACCOUNT


@pytest.mark.parametrize(
    "known", [[ACCOUNT, BUDGET], [SERVICE, ("RayService", "chat"), ACCOUNT]], ids=["beside", "two"]
)
def test_otherwise_it_is_ambiguous(known):
    with pytest.raises(UsageError, match="'chat' is ambiguous"):
        spec_named("chat", known)

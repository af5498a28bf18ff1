"""Previews of language models, field by field, against what the real KServe made of them."""

from tests.support.llm_objects import difference, previewed
from tests.support.llm_rows import ASKED, evaluated
from tests.support.replay import assert_agreement, every_row, shares

_COMMANDS = "the commands of the containers that hold a model are not shown"
#: Where something else is previewed than was made, and why.
OTHERWISE = {
    "confidential-with-an-image": _COMMANDS,
    "object-name-long-nodes": "the name of the binding has the true namespace of the row in it",
    "uri-image": _COMMANDS,
}
#: All is made, or all is taken away.
_MADE = ("True", "False Stopped", "False ScaledObjectProgressing", "False WaitingForGateway")


def is_compared(row):
    """Whether KServe made all of a service, though others have not done their part of it."""
    ready = row.get("status", {}).get("conditions", {}).get("Ready", "")
    return "objects" in row and ready.startswith(_MADE)


@shares
def test_what_is_previewed_is_what_was_made(share):
    found = {name: row for name, row in evaluated(share).items() if is_compared(ASKED[name])}
    made = {name: row for name, row in found.items() if not row.errors}
    assert_agreement(
        (name, name in OTHERWISE, bool(difference(previewed(row), ASKED[name]["objects"])))
        for name, row in made.items()
    )
    assert len(made) >= 180 or share is not every_row

"""Values as data for JSON and back; data that are none of a type are refused."""

import json
from collections.abc import Mapping
from decimal import Decimal
from enum import Enum
from typing import NamedTuple

import pytest

from renderer.values.codec import Decoder, encode


class Level(Enum):
    LOW = "low"
    HIGH = "high"


class Step(NamedTuple):
    name: str
    number: int = 0


class Journey(NamedTuple):
    steps: tuple[Step, ...]
    span: tuple[int, str]
    level: Level
    places: frozenset[str]
    last: Step | None
    path: tuple[str | int, ...]
    notes: Mapping[str, tuple[Step, ...]]
    cost: Decimal


JOURNEY = Journey(
    (Step("a"), Step("b", 2)),
    (3, "days"),
    Level.HIGH,
    frozenset({"y", "x"}),
    None,
    ("steps", 1),
    {"first": (Step("c"),)},
    Decimal("1.50"),
)
DECODER = Decoder({Decimal: Decimal})


def test_a_value_comes_back_as_it_was():
    data = json.loads(json.dumps(encode(JOURNEY)))
    assert data[3] == ["x", "y"]
    assert DECODER.decode(Journey, data) == JOURNEY
    assert DECODER.decode(Journey, json.loads(json.dumps(JOURNEY, default=encode))) == JOURNEY


@pytest.mark.parametrize(
    ("field", "data"),
    [
        (0, "ab"),
        (0, [["a"]]),
        (0, [[1, 2]]),
        (0, [["a", 1, 2]]),
        (1, [3]),
        (2, "middle"),
        (4, [None, 1]),
        (5, [1.5]),
        (6, {"first": [["c", "d"]]}),
    ],
)
def test_data_of_another_type(field, data):
    whole = json.loads(json.dumps(encode(JOURNEY)))
    whole[field] = data
    with pytest.raises((TypeError, ValueError)):
        DECODER.decode(Journey, whole)

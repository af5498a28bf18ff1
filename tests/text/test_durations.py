"""Durations are read as Go reads them."""

import pytest

from renderer.kubernetes.quantities import HOUR, SECOND, nanoseconds


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0", 0),
        ("60s", 60 * SECOND),
        ("1h30m", HOUR + HOUR // 2),
        ("1.5h", HOUR + HOUR // 2),
        (".5s", SECOND // 2),
        ("1.s", SECOND),
        ("-5s", -5 * SECOND),
        ("+100ms", SECOND // 10),
        *((text, None) for text in ("", "60", "s", ".s", "15min", "1 s", "6s0", "--5s", "1e3s")),
    ],
)
def test_duration(text, expected):
    assert nanoseconds(text) == expected

"""Durations as Go reads them: `90s`, `1h30m`, `1.5h`."""

from renderer.text.expressions import expression

SECOND = 10**9
HOUR = 3600 * SECOND
_UNITS = {
    "ns": 1, "us": 1000, "µs": 1000, "μs": 1000, "ms": 10**6, "s": SECOND, "m": 60 * SECOND,
    "h": HOUR,
}  # fmt: skip
_PART = expression(r"(?=\.?[0-9])([0-9]{0,18})\.?([0-9]{0,18})(ns|us|µs|μs|ms|s|m|h)")


def nanoseconds(text: str) -> int | None:
    """How long a duration is; nothing if the text is none. Only 0 needs no unit."""
    sign, rest = (-1, text[1:]) if text[:1] == "-" else (1, text.removeprefix("+"))
    if rest == "0":
        return 0
    total = place = 0
    while found := _PART.match(rest, place):
        whole, fraction, unit = found[1] or "0", found[2] or "0", _UNITS[found[3]]
        total += int(whole) * unit + int(fraction) * unit // 10 ** len(fraction)
        place = found.end()
    return sign * total if rest and place == len(rest) else None

"""The colours of a drawing, for light and for dark surroundings, as a style sheet."""

from collections.abc import Iterator
from typing import NamedTuple

_SANS = "system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',Helvetica,Arial,sans-serif"
_MONO = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace"


class Colour(NamedTuple):
    """One colour of each palette."""

    light: str
    dark: str


_PAGE = Colour("#ffffff", "#0d1117")
_INK = Colour("#1f2328", "#e6edf3")
_SOFT = Colour("#57606a", "#9da7b3")
_PLACE = Colour("#f3f5f8", "#161b22")
_RIM = Colour("#c4ccd6", "#3d444d")
_CARD = Colour("#ffffff", "#0d1117")
_SYNC = Colour("#6639ba", "#bc8cff")
_HUES = (
    Colour("#0550ae", "#79c0ff"),
    Colour("#9a4a00", "#ffa657"),
    Colour("#116329", "#56d364"),
    Colour("#a40e4c", "#ff8fb8"),
    Colour("#00626b", "#4fd1d9"),
    Colour("#6b5600", "#e3c04b"),
)
_TINTS = {
    "anywhere": (Colour("#ffe3e0", "#4a1512"), Colour("#a40e26", "#ffa198")),
    "others": (Colour("#dbeafe", "#0f2d55"), Colour("#0550ae", "#a5d6ff")),
    "inside": (Colour("#dcf5e3", "#0f3320"), Colour("#116329", "#7ee787")),
    "nowhere": (Colour("#e6e9ed", "#2d333b"), Colour("#424a53", "#c3ccd6")),
    "plain": (Colour("#e6e9ed", "#2d333b"), Colour("#424a53", "#c3ccd6")),
}


def style_sheet(scope: str) -> str:
    """Rules that hold below an element only, so that several drawings can share a page."""
    light = "".join(_scoped(rule, scope) for rule in (*_shapes(), *_colours(dark=False)))
    dark = "".join(_scoped(rule, scope) for rule in _colours(dark=True))
    return f"{light}@media (prefers-color-scheme:dark){{{dark}}}"


def _scoped(rule: str, scope: str) -> str:
    selectors, _, body = rule.partition("{")
    return ",".join(f"#{scope} {item}" for item in selectors.split(",")) + "{" + body


def _shapes() -> Iterator[str]:
    """Sizes and strokes, which do not depend on the surroundings."""
    yield f"text{{font-family:{_SANS};font-size:12px}}"
    yield f".mono{{font-family:{_MONO};font-size:11.5px}}"
    yield ".head{stroke:none}"
    yield ".title{font-size:15px;font-weight:600}"
    yield ".heading{font-size:20px;font-weight:600}"
    yield ".port{font-size:13px;font-weight:600}"
    yield ".label{font-size:12.5px;font-weight:600}"
    yield "text.pill{font-size:11px;font-weight:500}"
    yield ".line{stroke-width:2;stroke-linecap:round}"
    yield ".casing{stroke-width:7}"
    yield ".foreign,.line.sync{stroke-dasharray:6 4}"


def _colours(*, dark: bool) -> Iterator[str]:
    def of(colour: Colour) -> str:
        return colour.dark if dark else colour.light

    yield f".page{{fill:{of(_PAGE)}}}"
    yield f".casing{{stroke:{of(_PAGE)}}}"
    yield f".hole{{fill:{of(_CARD)}}}"
    yield f".title,.heading,.port{{fill:{of(_INK)}}}"
    yield f".note,.mono{{fill:{of(_SOFT)}}}"
    yield f".group{{fill:{of(_PLACE)};stroke:{of(_RIM)}}}"
    yield f".card,.door{{fill:{of(_CARD)};stroke:{of(_RIM)}}}"
    yield f".edge{{stroke:{of(_RIM)}}}"
    for reach, (ground, word) in _TINTS.items():
        yield f"rect.{reach}{{fill:{of(ground)}}}"
        yield f"text.{reach}{{fill:{of(word)}}}"
    hues = {"sync": _SYNC, "inside": _TINTS["inside"][1]}
    hues |= {f"hue{number}": colour for number, colour in enumerate(_HUES)}
    for name, colour in hues.items():
        yield f".line.{name}{{stroke:{of(colour)}}}"
        yield f".dot.{name},.head.{name},.word-{name}{{fill:{of(colour)}}}"

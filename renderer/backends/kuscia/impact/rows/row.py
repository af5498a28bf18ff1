"""A kind of change, what Kuscia makes of it, and what to do about that."""

from typing import NamedTuple

from renderer.values.changes import Effect

AGAIN = "Add the serving under a new serving_id and switch its callers"
LATER = "when something else touches the serving there: a pod restart, an edit, a new controller"
STUCK = "Kuscia then updates none of its parties here, and keeps saying Available"
HASHED = "set kuscia.appimage_naming to hashed, so that edits reach every party at once"
TOUCH = "restart one of the party's pods there, so that Kuscia looks"


class Row(NamedTuple):
    """A kind of change: its effect, a sentence of consequence and one of advice."""

    effect: Effect
    consequence: str
    advice: str = ""

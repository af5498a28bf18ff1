"""A backend with two kinds, one of them a prerequisite, and all that a kind may have."""

from pathlib import Path

from renderer.backends.base import Backend, BackendFunctions
from renderer.values.kinds import Kind, Verb
from renderer.values.model import Option
from renderer.values.objects import StoredKind

HERE = Path(__file__).resolve().parent
SCHEMAS = HERE / "schemas"


def _load() -> BackendFunctions:
    from tests.toys.predictors.backend import FUNCTIONS

    return FUNCTIONS


PREDICTORS = Backend(
    "predictors",
    platform="kubernetes",
    place="cluster",
    maker="the toy",
    codes=("TOY101",),
    kinds=(
        Kind(
            "Predictor",
            f"{SCHEMAS}/predictor.json",
            summary=(("name",), ("checkpoint",), ("components", "*", "name")),
            verbs=(Verb("put", compares=True), Verb("show", takes_several=True)),
        ),
        Kind("Checkpoint", f"{SCHEMAS}/checkpoint.json", prerequisite=True),
    ),
    stored=(
        StoredKind("toys.example", "Predictor", f"{SCHEMAS}/stored-predictor.json", "Predictor"),
        StoredKind("toys.example", "Checkpoint", f"{SCHEMAS}/stored-checkpoint.json", "Checkpoint"),
    ),
    destination_schema=f"{SCHEMAS}/destination.json",
    settings_schema=f"{SCHEMAS}/settings.json",
    preview_options=(Option("pool", "NAME", "The pool of nodes that components run on."),),
    load=_load,
)

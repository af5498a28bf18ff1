"""Which backends the program has: its own, the toys, or both."""

import renderer.backends
from tests.toys.batches import BATCHES
from tests.toys.models import MODELS
from tests.toys.predictors import PREDICTORS

KNOWN = {item.name: item for item in (*renderer.backends.BACKENDS, PREDICTORS, BATCHES, MODELS)}


def choose(names: str) -> None:
    """To be called before anything of the program is imported that reads the registry."""
    renderer.backends.BACKENDS = tuple(KNOWN[name] for name in names.split("+"))

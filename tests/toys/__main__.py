"""`python -m tests.toys predictors+batches validate`: the command line with other backends."""

import sys

import renderer.backends
from tests.toys.batches import BATCHES
from tests.toys.predictors import PREDICTORS

KNOWN = {item.name: item for item in (*renderer.backends.BACKENDS, PREDICTORS, BATCHES)}

if __name__ == "__main__":
    names = sys.argv.pop(1)
    renderer.backends.BACKENDS = tuple(KNOWN[name] for name in names.split("+"))
    from renderer.cli import main

    main()

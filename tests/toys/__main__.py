"""`python -m tests.toys predictors+batches validate`: the command line with other backends."""

import sys

from tests.toys.choice import choose

if __name__ == "__main__":
    choose(sys.argv.pop(1))
    from renderer.cli import main

    main()

"""`python -m renderer` is the same as `servingctl`."""

from renderer.cli import main

if __name__ == "__main__":
    main()

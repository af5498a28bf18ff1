"""Writes docs/rules.md: what `servingctl rules --format markdown` prints."""

from pathlib import Path

from renderer.cli.rules import rulebook
from renderer.outputs.rulebook import show_page

PAGE = Path(__file__).with_name("rules.md")


def page() -> str:
    return show_page(rulebook())


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")

"""A pattern and how far it has been read."""

import re


class Reader:
    """The text of a pattern, taken piece by piece."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.place = 0

    @property
    def is_done(self) -> bool:
        return self.place >= len(self.text)

    def sees(self, word: str) -> bool:
        return self.text.startswith(word, self.place)

    def takes(self, word: str) -> bool:
        """Go past a word if it comes next."""
        found = self.sees(word)
        self.place += len(word) if found else 0
        return found

    def take(self, form: re.Pattern[str]) -> re.Match[str] | None:
        """Go past what has a form if it comes next."""
        found = form.match(self.text, self.place)
        self.place = found.end() if found else self.place
        return found

    def next(self) -> str:
        """Go past one character."""
        self.place += 1
        return self.text[self.place - 1]

    def rest(self, length: int = 20) -> str:
        """Some of what comes next, to be shown."""
        return self.text[self.place : self.place + length]

"""Command lines of vLLM, read as its own parser reads them; what is wrong with one is data.

The parser is argparse: options may be abbreviated, `--x=1` is `--x 1`, the last of two counts. Its
behaviour is that of Python 3.12, which the images of vLLM have.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from renderer.engines.conversions import Wrong, converted
from renderer.engines.flexible import Files, Given, Prepared, Token, prepare
from renderer.engines.problems import Parsed, Problem, Value
from renderer.engines.tables import Argument, History, ServerArguments, Table
from renderer.text.expressions import expression
from renderer.text.wording import nearest

_NEGATIVE_NUMBER = expression(r"-[0-9]+|-[0-9]*\.[0-9]+")
_IGNORES = "ignores-unknown"
_MOST_NAMED = 100
_HELP = frozenset(("-h", "--help"))


def no_files(_: str) -> Mapping[str, Any] | None:
    """For callers that cannot see the files of a container."""
    return None


def parse(
    table: Table, words: Sequence[Given], *, is_serve: bool = True, files: Files = no_files
) -> Parsed:
    """Read the words behind `vllm serve`, or else behind `python -m` and the server's module."""
    if table.own:
        return _parse_several_times(table, table.own, words)
    prepared = prepare(words, table.reading, files, is_serve=is_serve)
    given = [item for item in table.given if is_serve or not item.is_of_command]
    return _Parser(table, given, prepared).run()


def _parse_several_times(table: Table, own: ServerArguments, words: Sequence[Given]) -> Parsed:
    """Read words as a model server does: parsers with few arguments go before the whole one.

    `parse_known_args` does nothing to the words, and leaves those that it does not know. A name
    that is the beginning of two for an earlier parser ends it, whatever the last one knows.
    """
    plain = Prepared([Token(word.text, (word,)) for word in words], [])
    last = _Parser(table, own.arguments, plain).run()
    problems = [*last.problems]
    for given in own.earlier:
        earlier = _Parser(table, given, plain, is_last=False).run()
        for problem in earlier.problems:
            if all((item.kind, item.token) != problem[:2] for item in problems):
                problems.append(problem)
    return last._replace(problems=problems)


class _Parser:
    """One run of argparse over the words of a command line."""

    def __init__(
        self, table: Table, given: Sequence[Argument], prepared: Prepared, *, is_last: bool = True
    ) -> None:
        self.table, self.prepared, self.is_last = table, prepared, is_last
        self.tokens = prepared.tokens
        self._ignores = _IGNORES in table.reading
        self.options = {name: item for item in given for name in item.names}
        self.positionals = [item for item in given if not item.names]
        self.values: list[Value] = []
        self.problems: list[Problem] = []

    def run(self) -> Parsed:
        for kind, token in self.prepared.problems:
            self.problems.append(Problem(kind, token, flag=token.text))
        is_open = any(token.unknown for token in self.tokens) or self.prepared.unread is not None
        number, has_ended = 0, False
        while number < len(self.tokens):
            token = self.tokens[number]
            if token.text in _HELP and not has_ended:
                break
            if token.text == "--" and not has_ended:
                has_ended, number = True, number + 1
            elif not has_ended and self._is_option(token):
                number = self._take_option(number)
            else:
                number = self._take_words(number, has_ended=has_ended)
        if not is_open:
            self._find_missing()
        values = _counted(self.values)
        self._find_needs(values, is_open=is_open)
        self._find_excluded(values)
        return Parsed(values, self.problems, self.prepared.unread, is_open)

    # Options.

    def _is_option(self, token: Token) -> bool:
        """Whether argparse takes a word for an option, of whatever name."""
        text = token.text
        if not text.startswith("-") or text == "-":
            return False
        if text in self.options or text.partition("=")[0] in self.options:
            return True
        if self._abbreviated(text):
            return True
        return not (_NEGATIVE_NUMBER.fullmatch(text) or " " in text)

    def _abbreviated(self, text: str) -> list[tuple[str, str | None]]:
        """The options that a word is the beginning of, each with what follows it in the word."""
        name, sign, value = text.partition("=")
        if text.startswith("--"):
            return [
                (item, value if sign else None) for item in self.options if item.startswith(name)
            ]
        short, rest = text[:2], text[2:]
        found: list[tuple[str, str | None]] = [(short, rest)] if short in self.options else []
        return [
            *found,
            *((item, None) for item in self.options if item != short and item.startswith(text)),
        ]

    def _take_option(self, number: int) -> int:
        token = self.tokens[number]
        name, sign, given = token.text.partition("=")
        value: str | None = given if sign else None
        if token.text in self.options:
            name, value = token.text, None
        elif name not in self.options:
            found = self._abbreviated(token.text)
            if len(found) != 1:
                end = self._skip_values(number + 1)
                words = [given] if sign else [item.text for item in self.tokens[number + 1 : end]]
                self._refuse_option(token, name, [item for item, _ in found], (*words, "")[0])
                return end
            name, value = found[0]
        return self._read_option(number, self.options[name], name, value)

    def _refuse_option(self, token: Token, name: str, candidates: list[str], value: str) -> None:
        if token.words[-1].unknown and not name.strip("-"):
            return
        if candidates:
            self._add("ambiguous", token, flag=name, expected=tuple(candidates))
            return
        if not self.is_last:  # the one that knows more says what becomes of it
            return
        dest = name.lstrip("-").partition(".")[0].replace("-", "_")
        positive = dest.removeprefix("no_")
        history = self.table.history(dest)
        if history is None and (other := self.table.history(positive)):
            history = other._replace(replaced={})  # what takes its place means the opposite
        if dest in self.table.arguments or positive in self.table.arguments:
            history = None  # it has the argument: by another name, or in another parser
        known = [item for item in self.options if item.startswith("--")]
        near = nearest(name, known) if len(self.problems) < _MOST_NAMED else ""
        kind = "ignored" if self._ignores else "unknown"
        self._add(kind, token, flag=name, expected=(value,), near=near, history=history)

    def _skip_values(self, number: int) -> int:
        """Words behind an option that is not known: most likely its value."""
        if number < len(self.tokens) and not self._is_option(self.tokens[number]):
            return number + 1
        return number

    def _read_option(self, number: int, argument: Argument, name: str, value: str | None) -> int:
        token = self.tokens[number]
        if argument.is_switch:
            if value is not None:
                self._add("no-value", token, argument, name)
            else:
                self.values.append(Value(argument, token, (token,), _switched(argument, name)))
            return number + 1
        if value is not None:
            self._set(argument, token, [token._replace(text=value)], name)
            return number + 1
        following = self._following(number + 1)
        taken = _amount(argument.nargs, len(following))
        if taken is None:
            self._add("value", token, argument, name, expected=(argument.nargs or 1,))
            return number + 1 + len(following)
        self._set(argument, token, following[:taken], name)
        return number + 1 + taken

    def _following(self, number: int) -> list[Token]:
        """The words up to the next option."""
        found = []
        for token in self.tokens[number:]:
            if token.text == "--" or self._is_option(token):
                break
            found.append(token)
        return found

    # Words that belong to no option.

    def _take_words(self, number: int, *, has_ended: bool) -> int:
        words = self.tokens[number:] if has_ended else self._following(number)
        for token in words:
            if self.positionals:
                argument = self.positionals.pop(0)
                self._set(argument, token, [token], argument.dest)
            elif self.is_last and not token.unknown:
                self._add("ignored" if self._ignores else "word", token)
        return number + max(1, len(words))

    # Values.

    def _set(self, argument: Argument, token: Token, words: Sequence[Token], name: str) -> None:
        if not words:
            value = True if argument.action == "StoreBoolean" else argument.const
            self.values.append(Value(argument, token, (), value))
            return
        found = [self._converted(argument, word, name) for word in words]
        is_one = argument.nargs in (None, "?")
        self.values.append(Value(argument, token, tuple(words), found[0] if is_one else found))

    def _converted(self, argument: Argument, word: Token, name: str) -> Any:
        if word.unknown:
            return None
        if argument.action in _ACTION_TYPES:
            kind = _ACTION_TYPES[argument.action]
            is_optional = argument.type.startswith("optional ")
            argument = argument._replace(type=f"optional {kind}" if is_optional else kind)
        value, wrong = converted(argument, word.text, self.table)
        if wrong:
            self._add_wrong(wrong, argument, word, name)
        elif argument.choices is not None and value not in argument.choices:
            self._add("choice", word, argument, name, expected=argument.choices)
        return value

    def _add_wrong(self, wrong: Wrong, argument: Argument, word: Token, name: str) -> None:
        if not wrong.mismatches:
            self._add("type", word, argument, name, expected=(wrong.expected,))
        for mismatch in wrong.mismatches:
            problem = Problem("field", word, argument, name, mismatch.expected, mismatch.near)
            self.problems.append(problem._replace(mismatch=mismatch))

    # What is not there.

    def _find_missing(self) -> None:
        given = {item.argument.dest for item in self.values}
        wanted = [*self.positionals, *self.options.values()]
        for argument in dict.fromkeys(item for item in wanted if item.required):
            if argument.dest not in given:
                self._add("required", None, argument, argument.flag)

    def _find_needs(self, values: list[Value], *, is_open: bool) -> None:
        given = {item.argument.dest: item for item in values if item.counts and item.value}
        for first, second in self.table.needs:
            if first in given and second not in given and not is_open:
                other = self.table.arguments.get(second)
                item = given[first]
                self._add(
                    "needs",
                    item.flag,
                    item.argument,
                    item.argument.flag,
                    near=other.flag if other else "",
                )

    def _find_excluded(self, values: list[Value]) -> None:
        given = {item.argument.dest: item for item in values}
        for first, second in self.table.own.excluded if self.table.own else ():
            if first in given and second in given:
                item = given[second]
                other = given[first].argument.flag
                self._add("excludes", item.flag, item.argument, item.argument.flag, near=other)

    def _add(
        self,
        kind: str,
        token: Token | None,
        argument: Argument | None = None,
        flag: str = "",
        expected: tuple[Any, ...] = (),
        near: str = "",
        history: History | None = None,
    ) -> None:
        self.problems.append(Problem(kind, token, argument, flag, expected, near, history))


_ACTION_TYPES = {
    "LoRAParserAction": "adapter",
    "PromptAdapterParserAction": "adapter",
    "StoreBoolean": "truth",
}
_AMOUNTS: dict[Any, Callable[[int], int | None]] = {
    None: lambda given: 1 if given else None,
    "?": lambda given: min(given, 1),
    "*": lambda given: given,
    "+": lambda given: given or None,
}


def _amount(nargs: str | int | None, given: int) -> int | None:
    """How many words an option takes of those that follow it; nothing if it needs more."""
    if isinstance(nargs, int):
        return nargs if given >= nargs else None
    return _AMOUNTS[nargs](given)


def _switched(argument: Argument, name: str) -> bool:
    if argument.action != "BooleanOptionalAction":
        return argument.action == "store_true"
    written = argument.names[: max(1, len(argument.names) // 2)]
    return not (name.startswith("--no-") and name not in written) and not _is_paired(argument, name)


def _is_paired(argument: Argument, name: str) -> bool:
    """Whether a name is the opposite of another one of its argument: `--disable-x`."""
    first = argument.flag
    pairs = (("--enable-", "--disable-"), ("--disable-", "--enable-"))
    return any(first.startswith(a) and name.startswith(b) for a, b in pairs)


def _counted(values: list[Value]) -> list[Value]:
    last = {item.argument.dest: number for number, item in enumerate(values)}
    return [
        item._replace(counts=item.argument.action == "append" or last[item.argument.dest] == number)
        for number, item in enumerate(values)
    ]

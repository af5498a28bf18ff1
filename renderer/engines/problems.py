"""What a parser finds on a command line: values of arguments, and what it refuses."""

from typing import Any

from renderer.engines.flexible import Given, Token
from renderer.engines.shapes import Mismatch
from renderer.engines.tables import Argument, History
from renderer.values.named_tuple import NamedTuple


class Value(NamedTuple):
    """A value that an argument is given: by which name, with which words, and which of them say it.

    `counts` is false for all but the last of one argument, unless it gathers its values.
    """

    argument: Argument
    flag: Token
    words: tuple[Token, ...]
    value: Any
    counts: bool = True


class Problem(NamedTuple):
    """Something that the parser refuses, or that the server refuses before it loads anything.

    `kind` is one of
    `unknown`: no such option (`near` is a flag of this version, `history` what became of it,
    `expected` the value that it has),
    `ambiguous`: the beginning of several (`expected`),
    `word`: a word that no argument takes,
    `value`: an option without the values that it needs,
    `no-value`: a switch that is given a value,
    `type`: a value that is not of the type (`expected`),
    `choice`: a value that is not one of the choices (`expected`),
    `field`: something in a configuration's JSON (`mismatch`),
    `required`: an argument that is not given,
    `needs`: an argument without the one that it needs (`near`),
    `excludes`: an argument with another that it excludes (`near`),
    `model-option`: the model as `--model`, which this version's `vllm serve` refuses,
    `model-missing`: the model is named by nothing but its served name,
    `ignored`: an option or a word that the server drops without a word (`near` as above),
    `repeated`: a second `--config`,
    `file`: a `--config` whose file has no name of a YAML file.
    """

    kind: str
    token: Token | None
    argument: Argument | None = None
    flag: str = ""
    expected: tuple[Any, ...] = ()
    near: str = ""
    history: History | None = None
    mismatch: Mismatch | None = None

    @property
    def word(self) -> Given | None:
        """The word that is at fault, as the caller gave it."""
        if self.token is None:
            return None
        if self.mismatch is not None:
            path = self.mismatch.path
            for length in range(len(path), 0, -1):
                if path[:length] in self.token.inside:
                    return self.token.inside[path[:length]]
        return self.token.words[-1]


class Parsed(NamedTuple):
    """The values in the order in which the parser meets them, and what is wrong.

    `unread` is a file of `--config` that could not be read: arguments in it are not known.
    `is_open` says that words are not known, so that nothing is said to be missing.
    """

    values: list[Value]
    problems: list[Problem]
    unread: Token | None = None
    is_open: bool = False

    def get(self, dest: str) -> Value | None:
        """The value of an argument that counts."""
        found = [item for item in self.values if item.argument.dest == dest and item.counts]
        return found[-1] if found else None

    @property
    def deprecated(self) -> list[Value]:
        """Values of arguments that this version takes, and says it will not take for ever."""
        return [item for item in self.values if item.argument.is_deprecated]

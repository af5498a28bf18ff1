"""Where a text gives a value to what is called a secret: assignments, settings and options."""

from collections.abc import Iterator

from renderer.text.expressions import expression
from renderer.text.secrets.names import is_secret_name, may_name
from renderer.text.secrets.values import NOTHING, PLACE, PLACE_WORD, is_harmless
from renderer.values.named_tuple import NamedTuple

#: From the start of a word and without going back: in linear time.
_ASSIGNED = expression(
    r"""(?<![\w.-])([\w.-]++)["'\\]*+\s*+(?P<sign>(?:[?+]|:{1,3})?=>?(?!=)|:(?!//))\s*+"""
)
_OPTION = expression(r"""(?<![\w.-])(-{1,2}\w[\w.-]*+)["']?(?:[ \t]++|\s*+,\s*+)(?=[^\s,-])""")
_OPTIONS_OF_COMMANDS = expression(
    r"""(?<=\s)(?:(?P<user>-u|--user|--proxy-user)[ =]{0,3}["']?(?=[^\s:'"]{0,200}:[^\s'"])"""
    r"""|-p[ =]?(?=[^\s-])|-a\s+(?=[^\s-]))"""
)
_COMMANDS = ("curl", "sshpass", "redis-cli", "docker login", "mysql")
_OPTIONS = {"-u": _COMMANDS[:1], "-p": ("sshpass", "docker login", "mysql"), "-a": ("redis-cli",)}
#: The two halves of `{name: PASSWORD, value: …}`.
NAME_ENTRY = expression(
    r"""\bname["'\\]*+\s*+:\s*+["'\\]*+([\w./-]++)["'\\]*+(?=\s*+(?:,|\}|$|#))"""
)
VALUE = expression(r"""\bvalue["'\\]*+\s*+:\s*+""")
_QUOTES = ("'", '"')
_QUOTE = expression(r"""\\*+(["'`])""")
_PLAIN = expression(r"[^#,}\]]{0,1000}")
_WORD = expression(r"""(?:\$\([^()\s]{0,200}\)|[^\s"'`;&|,()<>\\]){1,1000}""")
_VALUE_END = expression(r"""["'\\]*+\s*+(?:[,}\])#;&|]|$)""")
#: Words of prose after an option that is only mentioned.
_PROSE = frozenset(
    ("a", "an", "and", "are", "as", "at", "be", "by", "for", "from", "has", "if", "in", "is", "it",
     "must", "not", "of", "on", "only", "option", "or", "should", "the", "then", "to", "was",
     "when", "which", "will", "with")
)  # fmt: skip
_SETTING = expression(r"""\s*+(?:-\s+)*+(?:export\s+|-H\s+)?["'{\[(\\]*+\s*+""")
_OPENING = expression(r"[{\[]|[|>][-+0-9]*$")
_SCHEMES = ("bearer", "basic", "token", "api-token", "apikey")
_NEARBY, _RANDOM_LENGTH = 400, 8


class GivenValue(NamedTuple):
    """A value that a text gives to something: what that is called, and where the value is.

    An option that counts for some commands alone is called with its command: `redis-cli -a`.
    """

    name: str
    start: int
    end: int

    @property
    def command(self) -> str:
        """The command that takes the value as a password, if its option alone does not tell."""
        return self.name.rpartition(" ")[0]


class Start(NamedTuple):
    """Where a value of a line may begin; those of commands are one word.

    After a colon it may be a sentence, unless the name begins the line or stands in braces, and
    right after it the tag of an image, or what a shell takes instead of a variable.
    """

    name: str
    name_at: int
    at: int
    is_word: bool
    has_colon: bool = False
    is_tight: bool = False


def may_give(text: str) -> bool:
    """Whether a text may give a secret to something: a quick look, as most do not."""
    return may_name(text) or any(name in text for name in _COMMANDS)


def given_in(text: str) -> Iterator[GivenValue]:
    """The secrets that a text gives, on whichever line; of sentences only what is surely one."""
    for line, start, given in _lines_given(text):
        if _is_sure(
            line, start, text[given.start : given.end], text[given.start - 1 : given.start]
        ):
            yield given


def every_given(text: str) -> Iterator[GivenValue]:
    """The secrets that a file of settings gives."""
    yield from (given for _, _, given in _lines_given(text))


def _lines_given(text: str) -> Iterator[tuple[str, Start, GivenValue]]:
    begin = 0
    text = text.replace("\\\n", "  ")  # a command that goes on in the next line
    for line in text.splitlines(keepends=True) if may_give(text) else ():
        bare = line.rstrip("\r\n")
        for start, given in _all_given(bare):
            place = given._replace(start=begin + given.start, end=begin + given.end)
            yield bare, start, place
        begin += len(line)


def _all_given(line: str) -> Iterator[tuple[Start, GivenValue]]:
    end = 0
    for start in sorted(starts_in(line), key=lambda start: start.at):
        if start.at >= end and not is_shown(line, start):
            given = GivenValue(start.name, *_extent(line, start))
            end = given.end
            yield start, given


def starts_in(line: str) -> Iterator[Start]:
    """Where the values of secrets begin on a line, harmless ones too."""
    for found in _ASSIGNED.finditer(line):
        name, sign = found[1].lstrip("-."), found["sign"]
        if is_secret_name(name):
            is_word = sign != ":" and not found[0].endswith((" ", "\t"))
            is_tight = found[0].endswith((f"{name}:", ":="))
            yield Start(name, found.start(), found.end(), is_word, sign == ":", is_tight)
    for found in _OPTION.finditer(line):
        name = found[1].lstrip("-")
        if is_secret_name(name):
            yield Start(name, found.start(), found.end(), is_word=True)
    yield from _named_starts(line)
    if any(name in line for name in _COMMANDS):
        for found in _OPTIONS_OF_COMMANDS.finditer(line):
            option = found["user"] or found[0][:2]
            commands = _OPTIONS["-u" if found["user"] else option]
            if command := _command_before(line, found.start(), commands):
                yield Start(f"{command} {option}", found.start(), found.end(), is_word=True)


def _named_starts(line: str) -> Iterator[Start]:
    """Where values begin that have a name beside them."""
    end = 0
    for named in NAME_ENTRY.finditer(line):
        if named.start() >= end and is_secret_name(named[1]):
            value = VALUE.search(line, max(line.rfind("{", end, named.start()), end))
            if not value:
                return
            yield Start(named[1], value.start(), value.end(), is_word=False)
            end = value.end()


def _command_before(line: str, end: int, commands: tuple[str, ...]) -> str:
    """Which of some commands what is written shortly before belongs to, if any."""
    before = line[max(0, end - _NEARBY) : end]
    for mark in ";|&":
        before = before.rpartition(mark)[2]
    return next((name for name in commands if name in before), "")


def is_shown(line: str, start: Start) -> bool:
    """Whether what begins there may be shown: nothing, a reference, a path or a placeholder."""
    if NOTHING.match(line, start.at):
        return True
    place = (PLACE_WORD if start.is_word else PLACE).match(line, start.at)
    if place and is_harmless(place["place"]):
        return True
    begin, end = _extent(line, start)
    is_whole = start.is_word or line[end : end + 1] in _QUOTES or _VALUE_END.match(line, end)
    value = (
        line[begin:end].rpartition(":")[2] if start.name.startswith("curl ") else line[begin:end]
    )
    return bool(is_whole) and is_harmless(value, start.name)


def _extent(line: str, start: Start) -> tuple[int, int]:
    """From where to where a value goes: in quotes, a word, or what is left of the line."""
    if quote := _QUOTE.match(line, start.at):
        end = line.find(quote[1], quote.end())
        return quote.end(), end if end >= 0 else len(line)
    found = (_WORD if start.is_word else _PLAIN).match(line, start.at)
    end = start.at + len(found[0].rstrip() if found else "")
    around = line[start.name_at - 1 : start.name_at]
    closing = line.find(around, start.at, end) if around and around in "\"'" else -1
    return start.at, closing if closing >= 0 else end


def _is_sure(line: str, start: Start, value: str, mark: str) -> bool:
    """Whether it is no sentence that only mentions a secret; `mark` stands before the value."""
    if start.is_tight:
        return False
    if start.is_word:
        return bool(value) and value.lower() not in _PROSE
    words = value.split()
    if _OPENING.match(value):
        return False
    if len(words) > 1 and mark not in "\"'":
        return words[0].lower() in _SCHEMES and len(words) == 2  # noqa: PLR2004
    if not start.has_colon or _is_random(value):
        return bool(words)
    before = line[max(0, start.name_at - _NEARBY) : start.name_at]
    return bool(words) and ("{" in before or bool(_SETTING.fullmatch(before)))


def _is_random(value: str) -> bool:
    has_both = any(map(str.isdigit, value)) and any(map(str.isalpha, value))
    return has_both and len(value) >= _RANDOM_LENGTH

"""What the API server says of an expression that fails, and takes of one that gives a message."""

import re

from renderer.policies.cel import Answer

NO_OVERLOAD = "no such overload"
_WORDS = (
    (re.compile(r"No matching overloads found.*|Applying SELECT.*"), NO_OVERLOAD),
    # optional values, which the library cannot give to a function in Python
    (re.compile(r"Unable to convert .*|.* returned a result with an exception set"), NO_OVERLOAD),
    (re.compile(r"Index error: index=(-?\d+) size=\d+"), r"index out of bounds: \1"),
    (re.compile(r"divide by zero"), "division by zero"),
    (re.compile(r"modulus? by zero"), "modulus by zero"),
    (re.compile(r"Key not found in map : (.*)"), r"no such key: \1"),
    (
        re.compile(r"Index error: expected integer type, got (\w+)"),
        r"unsupported index type '\1' in list",
    ),
    (
        re.compile(r"String to (Duration|Timestamp) conversion failed"),
        r"type conversion error from 'string' to 'google.protobuf.\1'",
    ),
    (re.compile(r"[Tt]ype conversion error from (.*)"), r"type conversion error from \1"),
    (
        re.compile(r"cannot convert string to (int|uint|double)"),
        r"type conversion error from 'string' to '\1'",
    ),
    (re.compile(r"int64 out of uint64 range"), "unsigned integer overflow"),
    (re.compile(r"double out of int64 range"), "integer overflow"),
)


#: Of a message, in bytes, that the API server takes from an expression.
_LONGEST_MESSAGE = 5 << 10


def said(text: Answer | None) -> str:
    """The message that an expression gives; nothing if it is none that the API server takes."""
    given = text.value.strip() if text and isinstance(text.value, str) else ""
    is_short = len(given.encode()) <= _LONGEST_MESSAGE
    return given if is_short and "\n" not in given else ""


def failure_words(answer: Answer) -> str:
    """What the API server says of an expression that fails; our own words where it is unknown."""
    if answer.missing:
        return f"no such key: {answer.missing}"
    for pattern, words in _WORDS:
        if match := pattern.fullmatch(answer.error):
            return match.expand(words)
    return answer.error


def reason_of(answer: Answer) -> str:
    """The same for those who write rules, and need not know the API server."""
    if answer.missing:
        return answer.error
    words = failure_words(answer)
    return (
        f"a value is not of the type that is asked for ({words})" if words == NO_OVERLOAD else words
    )

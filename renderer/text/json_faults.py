"""What Python says of a text that is no JSON, the same in every version of it."""

import json

from renderer.text.expressions import expression

TOO_DEEP = "it is nested too deeply"
_OBJECT = expression(r'\s*\{\s*"')


def begins_as_object(text: str) -> bool:
    """Whether a text begins as an object does that has a first key."""
    return bool(_OBJECT.match(text))


def json_fault(text: str) -> tuple[str, int] | None:
    """Why a text is no JSON, and where; nothing if it is. Numbers may be of any length."""
    try:
        json.loads(text, parse_int=str)
    except json.JSONDecodeError as error:
        return fault_of(error)
    except RecursionError:
        return TOO_DEEP, 0
    return None


def fault_of(error: json.JSONDecodeError) -> tuple[str, int]:
    """What is wrong and where; since Python 3.13 a comma at the end has words of its own."""
    message, index = error.msg, error.pos
    if message.startswith("Illegal trailing comma"):
        rest = error.doc[index + 1 :]
        index += 1 + len(rest) - len(rest.lstrip())
        in_object = rest.lstrip().startswith("}")
        message = "Expecting " + (
            "property name enclosed in double quotes" if in_object else "value"
        )
    return f"{message[:1].lower()}{message[1:]}", index

"""What Python says of a text that is no JSON, the same in every version of it."""

from json import JSONDecodeError


def fault_of(error: JSONDecodeError) -> tuple[str, int]:
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

"""The forms of names: which texts the API server takes as a name, a key or a value of a label."""

from renderer.text.expressions import expression

_LABEL = r"[a-z0-9](?:[-a-z0-9]*[a-z0-9])?"
_DNS_LABEL = expression(_LABEL)
_DNS_NAME = expression(rf"{_LABEL}(?:\.{_LABEL})*")
_QUALIFIED = expression(r"[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?")
_CONFIG_KEY = expression(r"[-._a-zA-Z0-9]+")
_HEADER = expression(r"[-A-Za-z0-9]+")
_VARIABLE = expression(r"[-._a-zA-Z][-._a-zA-Z0-9]*")
_RELAXED_VARIABLE = expression(r"[ -<>-~]+")
_PORT_NAME = expression(r"(?=[-0-9]*[a-z])[a-z0-9]+(?:-[a-z0-9]+)*")
_LONGEST_PORT = 15
_LONGEST_LABEL, _LONGEST_NAME = 63, 253

DNS_NAME = "lower-case letters, digits, '-' and '.', a letter or digit around every dot"
DNS_LABEL = "lower-case letters, digits and '-', a letter or digit at both ends"
LABEL_VALUE = "at most 63 letters, digits, '-', '_' and '.', a letter or digit at both ends"
LABEL_KEY = f"an optional DNS name and '/', then {LABEL_VALUE}"
PORT_NAME = "at most 15 small letters, digits and single '-', a letter among them"
CONFIG_KEY = "letters, digits, '-', '_' and '.'"


def is_dns_label(text: str) -> bool:
    return len(text) <= _LONGEST_LABEL and bool(_DNS_LABEL.fullmatch(text))


def is_dns_name(text: str) -> bool:
    return len(text) <= _LONGEST_NAME and bool(_DNS_NAME.fullmatch(text))


def is_dns_prefix(text: str) -> bool:
    """What a name may begin with: the dash at its end is not the last character then."""
    return is_dns_name(f"{text[:-2]}a" if text[1:].endswith("-") else text)


def is_label_key(text: str) -> bool:
    """Also of an annotation, and of whatever else has a name with a prefix."""
    prefix, slash, name = text.rpartition("/")
    return bool(_QUALIFIED.fullmatch(name)) and (not slash or is_dns_name(prefix))


def is_label_value(text: str) -> bool:
    return not text or bool(_QUALIFIED.fullmatch(text))


def is_port_name(text: str) -> bool:
    return len(text) <= _LONGEST_PORT and bool(_PORT_NAME.fullmatch(text))


def is_config_key(text: str) -> bool:
    """Of a ConfigMap or a Secret."""
    fits = len(text) <= _LONGEST_NAME and bool(_CONFIG_KEY.fullmatch(text))
    return fits and text != "." and not text.startswith("..")


def is_header_name(text: str) -> bool:
    return bool(_HEADER.fullmatch(text))


def is_plain_variable(text: str) -> bool:
    """The name of a variable that every version of Kubernetes takes."""
    fits = bool(_VARIABLE.fullmatch(text))
    return fits and text != "." and not text.startswith("..")


def is_variable(text: str, *, relaxed: bool) -> bool:
    """The name of a variable; since 1.32 Kubernetes is relaxed about them."""
    return bool(_RELAXED_VARIABLE.fullmatch(text)) if relaxed else is_plain_variable(text)

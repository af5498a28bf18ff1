"""The forms of single values: words, names, numbers, amounts, paths, addresses and ports."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from renderer.kubernetes import names
from renderer.kubernetes.downward_api import FIELDS_OF_FILES, is_field
from renderer.kubernetes.quantities import whole_billionths
from renderer.kubernetes.versions import OLDEST, Version
from renderer.text.expressions import expression
from renderer.text.wording import listed
from renderer.values.named_tuple import NamedTuple

#: The codes of the rules, by what is wrong with a field.
WORD, NAME, NUMBER, MISSING, CHOICE, TWICE, AMOUNT, PATH, ADDRESS, PORT, COUNT, TOGETHER, NEWER = (
    f"MAN{number}" for number in range(161, 174)
)
_LAST_PORT, _LAST_ID, _LAST_MODE = 65535, 2**31 - 1, 0o777
_INT32, _INT64 = 2**31 - 1, 2**63 - 1
_SEGMENT = r"[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?"
_SEARCH = expression(r"[_a-z0-9](?:[-_a-z0-9]*[_a-z0-9])?(?:\.[_a-z0-9](?:[-_a-z0-9]*[_a-z0-9])?)*")
_SYSCTL = expression(rf"{_SEGMENT}(?:[./]{_SEGMENT})*")
_ISCSI = expression(
    r"iqn\.[0-9]{4}-[0-9]{2}\.[A-Za-z0-9.-]+:[^,;*&$|\s]+|eui.[A-Za-z0-9]{16}|naa.[A-Za-z0-9]{32}"
)
_OTHERS = expression(r"[^a-z0-9]+")
_LONGEST_AMOUNT, _MOST_DIGITS = 64, 1000
_LONGEST_NAME, _LONGEST_DRIVER, _LONGEST_HOST = 253, 63, 64


class Form(NamedTuple):
    """What a value has to be, the rule that says so, and since which Kubernetes it is asked for.

    `words` are all that there are. An empty text stands for nothing, unless it is `judged_empty`.
    Values that are not of its `types` are the schema's. `mend` gives what to write, if it can.
    """

    code: str
    fits: Callable[[Any], object]
    expects: str
    words: tuple[str, ...] = ()
    judged_empty: bool = False
    since: Version = OLDEST
    types: tuple[type, ...] = (str,)
    mend: Callable[[Any], str] | None = None

    def strict(self) -> "Form":
        """The same where an empty text is a value like any other."""
        return self._replace(judged_empty=True)


def words(*known: str) -> Form:
    return Form(WORD, frozenset(known).__contains__, f"one of {listed(known)}", known)


def name(fits: Callable[[str], bool], expects: str) -> Form:
    return Form(NAME, fits, f"a name of {expects}")


def number(least: int, most: int) -> Form:
    expects = f"a whole number from {least} to {most}"
    return Form(NUMBER, lambda value: least <= value <= most, expects, types=(int,))


def is_descending(path: str) -> bool:
    return not path.startswith("/") and not has_backsteps(path)


def has_backsteps(path: str) -> bool:
    return ".." in path.split("/")


def _is_file(path: str) -> bool:
    return is_descending(path) and not path.startswith("..")


@lru_cache(maxsize=256)
def _is_address(text: str) -> bool:
    """An address in a form that every program reads alike."""
    import ipaddress

    try:
        found = ipaddress.ip_address(text)
    except ValueError:
        return False
    return "%" not in text and not (found.version == 6 and found.ipv4_mapped)  # noqa: PLR2004


def _is_loose_address(text: str) -> bool:
    """One that may have leading zeros, which older API servers take for nothing."""
    head, dot, _ = text.partition(".")
    if dot and ":" not in head:
        parts = text.split(".")
        bare = (part.lstrip("0") or "0" if part.isdigit() else part for part in parts)
        return _is_address(".".join(bare))
    import ipaddress

    try:
        ipaddress.IPv6Address(text)
    except ValueError:
        return False
    return "%" not in text


def _is_port(port: object) -> bool:
    if isinstance(port, int):
        return 1 <= port <= _LAST_PORT
    return isinstance(port, str) and names.is_port_name(port)


def _is_search(text: str) -> bool:
    """A suffix of names to look up, which may have underscores and a dot at its end."""
    bare = text.removesuffix(".")
    return text == "." or (len(bare) <= _LONGEST_NAME and bool(_SEARCH.fullmatch(bare)))


def _is_driver(text: str) -> bool:
    return len(text) <= _LONGEST_DRIVER and names.is_dns_name(text.lower())


def _is_amount(value: object) -> bool:
    """Whether it is one that a server reads in no time; the schema says how it is written."""
    text = str(value)
    if len(text) > _LONGEST_AMOUNT:
        return text.isdigit() and len(text) <= _MOST_DIGITS
    amount = whole_billionths(text)
    return amount is not None and amount >= 0


def _is_some(value: object) -> bool:
    return (whole_billionths(str(value)) or 0) > 0


def _octal(value: int) -> str:
    """What the digits mean to chmod, as the number that Kubernetes takes."""
    digits = str(value)
    meant = int(digits, 8) if digits.isdigit() and not {*digits} & {"8", "9"} else _LAST_MODE + 1
    if meant > _LAST_MODE:
        return "write a number up to 511: other bits than rwx for user, group and others cannot be"
    return f"write {meant}: what chmod calls {digits} is one number here, not three digits"


def _dashed(text: str) -> str:
    """The nearest text that is a label of DNS."""
    near = _OTHERS.sub("-", text.lower()).strip("-")
    return f"write {near}" if names.is_dns_label(near) else ""


DNS_LABEL = name(names.is_dns_label, f"at most 63 {names.DNS_LABEL}")._replace(mend=_dashed)
DNS_NAME = name(names.is_dns_name, f"at most 253 {names.DNS_NAME}")._replace(mend=_dashed)
HOST_NAME = name(
    lambda text: len(text) <= _LONGEST_HOST and names.is_dns_name(text),
    f"at most 64 {names.DNS_NAME}",
)
LABEL_KEY = name(names.is_label_key, names.LABEL_KEY)
LABEL_VALUE = name(names.is_label_value, names.LABEL_VALUE)
ANNOTATION_KEY = name(lambda text: names.is_label_key(text.lower()), names.LABEL_KEY)
HEADER = name(names.is_header_name, "letters, digits and '-'")
VARIABLE = name(
    lambda text: names.is_variable(text, relaxed=True), "printable ASCII characters but '='"
)
SEARCH = name(_is_search, f"{names.DNS_NAME}; '_' is allowed, and '.' at the end")
SYSCTL = name(
    lambda text: len(text) <= _LONGEST_NAME and bool(_SYSCTL.fullmatch(text)),
    "the form net.core.somaxconn",
)
FIELD_OF_FILE = name(
    lambda text: is_field(text, FIELDS_OF_FILES),
    f"{listed(FIELDS_OF_FILES)}, or a label by its key",
)
DRIVER = name(_is_driver, f"at most 63 {names.DNS_NAME}")
ISCSI_NAME = name(
    lambda text: bool(_ISCSI.fullmatch(text)),
    "the form iqn.2001-04.com.example:disk, eui.… or naa.…",
)
AMOUNT_FORM = Form(
    AMOUNT,
    _is_amount,
    "an amount that Kubernetes can read, such as 500m or 1Gi",
    types=(str, int, float),
)
ANY_AMOUNT = AMOUNT_FORM._replace(
    fits=lambda value: whole_billionths(str(value)) is not None
).strict()
SOME_AMOUNT = Form(AMOUNT, _is_some, "an amount above 0, such as 1Gi", types=(str, int, float))
DESCENDING = Form(PATH, is_descending, "a relative path without '..'")
FILE = Form(
    PATH, _is_file, "a path that begins neither with '/' nor with '..', and has no part '..'"
)
NO_BACKSTEPS = Form(PATH, lambda text: not has_backsteps(text), "a path without '..'")
ABSOLUTE = Form(PATH, lambda text: text.startswith("/"), "an absolute path, which begins with '/'")
IP = Form(ADDRESS, _is_loose_address, "an IP address such as 192.0.2.1 or 2001:db8::1").strict()
PLAIN_IP = Form(
    ADDRESS, _is_address, "an IP address without leading zeros, such as 192.0.2.1", since=(1, 36)
)
PORT_FORM = Form(
    PORT,
    _is_port,
    f"a number from 1 to 65535, or a name of {names.PORT_NAME}",
    types=(str, int),
).strict()
PORT_NUMBER = number(1, _LAST_PORT)
MODE = number(0, _LAST_MODE)._replace(
    expects="the rights of a file, from 0 to 511 (0o777 as a number)", mend=_octal
)
ID = number(0, _LAST_ID)
INT32 = number(-_INT32 - 1, _INT32)
INT64 = number(-_INT64 - 1, _INT64)
COUNT32 = number(0, _INT32)

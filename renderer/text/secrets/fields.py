"""What a value in data is called: by its key, by a name beside it, or by the option before it."""

import re
from collections.abc import Iterable, Sequence

from renderer.text.expressions import expression
from renderer.text.secrets.names import is_secret_name, option_name
from renderer.text.secrets.values import is_entry

_PLURAL = expression(r"(?:password|key)s$", re.IGNORECASE)
_ENTRIES = ("secretkey", "secret_key", "secret-key")
_USERS = ("-u", "--user", "--proxy-user")
_SIBLING_REFERENCES = ("remoteref", "secretname", "secret_name", "secret-name")


def name_of_member(
    key: str, value: object, name: object, beside: Iterable[str], parent: str
) -> str:
    """What a member of a mapping is called, which may have a `name` among the keys beside it.

    The variable of `{name: PASSWORD, value: …}` is called by its name, the value of
    `redisPassword: {value: …}` by what has it. What names an entry of a Secret is not called so.
    """
    if key == "value":
        return name if isinstance(name, str) else parent
    if key.lower().endswith(_ENTRIES) and _names_entry(key, value, beside, parent):
        return ""
    return key


def _names_entry(key: str, value: object, beside: Iterable[str], parent: str) -> bool:
    """Whether a `secretKey` says which entry of a Secret is meant, not what is in it."""
    prefix, _, last = key.rpartition("/")
    if last.lower() not in _ENTRIES or not isinstance(value, str) or not is_entry(value):
        return False
    if prefix or parent == "storage":
        return True
    return any(name.lower().endswith(_SIBLING_REFERENCES) for name in beside)


def name_of_item(items: Sequence[object], at: int, parent: str) -> str:
    """What an item of a list is called: by the option before it, or by what the list is called."""
    before = items[at - 1] if at else None
    if isinstance(before, str) and before.startswith("-"):
        name = option_name(before) or _user_of_curl(items, at)
        if name:
            return name
    if is_secret_name(parent):
        return parent
    return parent[:-1] if _PLURAL.search(parent) and is_secret_name(parent[:-1]) else ""


def _user_of_curl(items: Sequence[object], at: int) -> str:
    """The name and password after `curl -u`."""
    value = items[at]
    if items[at - 1] not in _USERS or not isinstance(value, str):
        return ""
    has_password = ":" in value.strip(":") and not value.replace(":", "").isdigit()
    calls_curl = any(str(item).rpartition("/")[2] == "curl" for item in items[: at - 1])
    return "userpassword" if has_password and calls_curl else ""

"""The two spellings of a name in protobuf's JSON: `deploy_templates` and `deployTemplates`."""

from functools import lru_cache

from renderer.text.expressions import expression

_CAPITAL = expression(r"(?<=[a-z0-9])([A-Z])")


@lru_cache(maxsize=1024)
def camel_case(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part[:1].upper() + part[1:] for part in rest)


def snake_case(name: str) -> str:
    return _CAPITAL.sub(r"_\1", name).lower()

"""Which variables a config template finds in the pod of a serving."""

from typing import NamedTuple

from renderer.backends.kuscia.configtemplates.parsing import Query, Template
from renderer.text.expressions import expression

#: What Kuscia gives every pod of a serving.
OF_SERVINGS = frozenset(
    ("ALLOCATED_PORTS", "CLUSTER_DEFINE", "INPUT_CONFIG", "KUSCIA_DOMAIN_ID", "SERVING_ID")
)
#: What the node adds when it starts a container.
OF_NODES = frozenset(
    (
        "CLIENT_CERT_FILE",
        "CLIENT_PRIVATE_KEY_FILE",
        "CONTAINER_CPU_LIMIT",
        "CONTAINER_MEM_LIMIT",
        "KUSCIA_API_PROTOCOL",
        "KUSCIA_API_TOKEN",
        "KUSCIA_DOMAIN_KEY_DATA",
        "SERVER_CERT_FILE",
        "SERVER_PRIVATE_KEY_FILE",
        "TRUSTED_CA_FILE",
    )
)
OF_JOBS = "TASK_"
_PORT = expression(r"KUSCIA_PORT_(.+)_NUMBER")
_NAMED_PORT = expression(r"ports\[name=(.+)\]")


class Mention(NamedTuple):
    """A template's use of a variable: by itself, or with a path below it."""

    name: str
    offset: int
    path: tuple[str, ...] = ()
    query: Query | None = None

    @property
    def port(self) -> str:
        """The port whose number is asked for: `ports[name=x]`, or the variable of a port."""
        segments = self.query.segments if self.query else ()
        named = _NAMED_PORT.fullmatch(segments[1]) if len(segments) > 1 else None
        if self.name == "ALLOCATED_PORTS" and named:
            return named[1].replace("#", ".")
        return self.name if is_port_variable(self.name) else ""


def mentions(template: Template) -> list[Mention]:
    """Every use of a variable, in order of place."""
    fields = (Mention(item.names[0], item.offset, item.names[1:]) for item in template.fields)
    queries = (Mention(item.variable, item.offset, query=item) for item in template.queries)
    return sorted((item for item in (*fields, *queries) if item.name), key=lambda m: m.offset)


def is_built_in(name: str) -> bool:
    return name in OF_SERVINGS or name in OF_NODES or is_port_variable(name)


def is_port_variable(name: str) -> bool:
    return bool(_PORT.fullmatch(name))


def port_of(variable: str) -> str:
    """The port that a variable is probably the number of."""
    found = _PORT.fullmatch(variable)
    return found[1].lower().replace("_", "-") if found else ""


def port_variable(port: str) -> str:
    return f"KUSCIA_PORT_{port.upper().replace('-', '_')}_NUMBER"

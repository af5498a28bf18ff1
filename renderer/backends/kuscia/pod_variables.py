"""The variables that the pods of a serving have: their names, and the texts of Kuscia's own."""

import json
from collections.abc import Iterable, Mapping

from renderer.backends.fields import text
from renderer.backends.kuscia.deploy_template import Port
from renderer.text.expressions import expression
from renderer.values.tree import Node, Plain

INPUT_CONFIG = "INPUT_CONFIG"
#: What Kuscia gives every pod of a serving.
OF_SERVINGS = frozenset(
    ("ALLOCATED_PORTS", "CLUSTER_DEFINE", INPUT_CONFIG, "KUSCIA_DOMAIN_ID", "SERVING_ID")
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


def is_overwritten(variable: Node) -> bool:
    """Whether Kuscia puts the serving's text in its place; beside a source no value is taken."""
    return text(variable, "name") == INPUT_CONFIG and not variable.get("valueFrom")


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


def given_variables(
    domain: str, cluster: str, input_config: str, ports: Iterable[Port], numbers: Mapping[str, int]
) -> dict[str, str]:
    """What Kuscia gives to every container, whatever the application."""
    listing = list(ports)
    return {
        "KUSCIA_DOMAIN_ID": domain,
        "CLUSTER_DEFINE": cluster,
        "ALLOCATED_PORTS": _allocated_ports(listing, numbers),
        INPUT_CONFIG: input_config,
        **{port_variable(port.name): str(numbers[port.name]) for port in listing},
    }


def cluster_definition(parties: list[Plain], own: int) -> str:
    """The text of `CLUSTER_DEFINE`, for the party of that number."""
    return _compact({"parties": parties, "selfPartyIdx": own, "selfEndpointIdx": 0})


def cluster_party(name: str, role: str, endpoints: Mapping[str, str]) -> Plain:
    """A party of a cluster definition, with the address of each port."""
    services: list[Plain] = [
        {"portName": port, "endpoints": [address]} for port, address in endpoints.items()
    ]
    return {"name": name, "role": role, "services": services}


def _allocated_ports(ports: Iterable[Port], numbers: Mapping[str, int]) -> str:
    """All ports of a party, those without a Service too."""
    listing: list[Plain] = [
        {
            "name": port.name,
            "port": numbers[port.name],
            "scope": port.scope,
            "protocol": port.protocol,
        }
        for port in ports
    ]
    return _compact({"ports": listing})


def _compact(data: Plain) -> str:
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False)

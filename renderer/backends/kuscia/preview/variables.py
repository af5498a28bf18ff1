"""The variables that Kuscia gives to the containers of a party."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from renderer.backends.kuscia.configtemplates.variables import port_variable
from renderer.backends.kuscia.preview.definitions import allocated_ports, cluster_define

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from renderer.backends.kuscia.pods import Port
    from renderer.backends.kuscia.preview.planes import Kit, Plane

_SERVING = "serving"


@lru_cache(maxsize=1)
def variables(plane: Plane, kit: Kit) -> Mapping[str, str]:
    """In the order in which they follow the template's own."""
    known = given(
        kit.domain,
        cluster_define(plane, kit),
        plane.input_config,
        kit.ports.values(),
        kit.numbers,
    )
    return {**known, "SERVING_ID": plane.serving.name} if plane.app_type == _SERVING else known


def given(
    domain: str,
    cluster: str,
    input_config: str,
    ports: Iterable[Port],
    numbers: Mapping[str, int],
) -> dict[str, str]:
    """What every container gets, whatever the application."""
    listing = list(ports)
    return {
        "KUSCIA_DOMAIN_ID": domain,
        "CLUSTER_DEFINE": cluster,
        "ALLOCATED_PORTS": allocated_ports(listing, numbers),
        "INPUT_CONFIG": input_config,
        **{port_variable(port.name): str(numbers[port.name]) for port in listing},
    }

"""The functions of companions, which are the same for every kind of object."""

from typing import TYPE_CHECKING

from renderer.backends.base import BackendFunctions, KindFunctions, lazy, no_pods
from renderer.backends.companions import objects, rules
from renderer.backends.companions.mentions import makes, mentions
from renderer.backends.companions.settings import permits

if TYPE_CHECKING:
    from renderer.backends.companions.behaviour import behaviour
else:
    (behaviour,) = lazy("renderer.backends.companions.behaviour", "behaviour")

FUNCTIONS = BackendFunctions(
    kinds={},
    any_kind=KindFunctions(
        rules=rules.rules,
        view=objects.view,
        pods=no_pods,
        plan=objects.plan,
        mentions=mentions,
        makes=makes,
        behaviour=behaviour,
    ),
    environment_rules=rules.environment_rules,
    permits=permits,
)

"""The functions of companions, which are the same for every kind of object."""

from typing import TYPE_CHECKING

from renderer.backends.base import BackendFunctions, Importer, KindFunctions, Selections, lazy
from renderer.backends.companions import objects, rules
from renderer.backends.companions.kinds import name_of
from renderer.backends.companions.made_objects import (
    derives,
    group_of,
    is_always_there,
    known_kinds,
    made_keys,
    makes,
    provided_fields,
)
from renderer.backends.companions.mentions import mentions
from renderer.backends.companions.settings import permits
from renderer.backends.companions.table import ROWS
from renderer.backends.companions.workloads import fixed_pods, pods

_HERE = "renderer.backends.companions"
if TYPE_CHECKING:
    from renderer.backends.companions.behaviour import behaviour, workload_behaviour
    from renderer.backends.companions.derive import derive, own_workload
    from renderer.backends.companions.imports import amounts_to, convert, destinations
    from renderer.backends.companions.listings import listed_object
    from renderer.backends.companions.running import running
    from renderer.backends.companions.selections import (
        check_selections,
        is_selecting,
        selection_rules,
    )
    from renderer.backends.companions.status import status
else:
    behaviour, workload_behaviour = lazy(f"{_HERE}.behaviour", "behaviour", "workload_behaviour")
    derive, own_workload = lazy(f"{_HERE}.derive", "derive", "own_workload")
    (status,) = lazy(f"{_HERE}.status", "status")
    (listed_object,) = lazy(f"{_HERE}.listings", "listed_object")
    (running,) = lazy(f"{_HERE}.running", "running")
    check_selections, is_selecting, selection_rules = lazy(
        f"{_HERE}.selections", "check_selections", "is_selecting", "selection_rules"
    )
    convert, amounts_to, destinations = lazy(
        f"{_HERE}.imports", "convert", "amounts_to", "destinations"
    )

_ANY_KIND = KindFunctions(
    rules=rules.rules,
    view=objects.view,
    pods=pods,
    plan=objects.plan,
    mentions=mentions,
    makes=makes,
    named_by_content=objects.names_by_content,
    fixed_pods=fixed_pods,
    made_keys=made_keys,
    derives=derives,
    behaviour=behaviour,
    status=status,
)
_WORKLOAD = _ANY_KIND._replace(
    status=None, derive=derive, behaviour=workload_behaviour, workloads=own_workload
)
FUNCTIONS = BackendFunctions(
    kinds={},
    any_kind=_ANY_KIND,
    open_kinds=tuple((name_of(row), _WORKLOAD) for row in ROWS if row.numbers),
    environment_rules=rules.environment_rules,
    importer=Importer(convert, amounts_to, destinations, listed_object),
    permits=permits,
    is_always_there=is_always_there,
    provided_fields=provided_fields,
    known_kinds=known_kinds,
    group_of=group_of,
    selections=Selections(selection_rules, is_selecting, running, check_selections),
)

"""Objects as clusters have them: what was observed of Kuscia, with numbers for its ports."""

import json
import re

from renderer import render
from renderer.evaluate.question import find_spec
from renderer.io.live_objects import Bounds, Selection, read_objects
from renderer.live.expectation import expectations, queries, rendered_objects
from renderer.live.status import judge
from renderer.values.live import LiveObject, LiveObjects
from renderer.values.tree import uniform_tree
from tests.support.observed import ObservedCase

_MARKER = re.compile(r"<port:(?:([^>]+)/)?([^>/]+)>")
_PORTS = "kuscia.secretflow/allocated-ports"
_DEPLOYMENT = "kuscia.secretflow/deployment-name"
_NUMBERS = ("containerPort", "port")


class Ports:
    """A number for each port of each unit, always the same one."""

    def __init__(self):
        self._drawn = {}

    def of(self, unit, name):
        return self._drawn.setdefault((unit, name), 20000 + len(self._drawn))

    def placed(self, data, unit, key=""):
        """Data of an object of a unit with numbers for markers."""
        if isinstance(data, dict):
            return {name: self.placed(value, unit, name) for name, value in data.items()}
        if isinstance(data, list):
            return [self.placed(item, unit, key) for item in data]
        if not isinstance(data, str):
            return data
        text = _MARKER.sub(lambda match: str(self.of(match[1] or unit, match[2])), data)
        return int(text) if text != data and key in _NUMBERS else text


def unit_of(item, serving):
    about = item["metadata"]
    role = about["labels"][_DEPLOYMENT].removeprefix(serving).removeprefix("-")
    return f"{about['namespace']}/{role}" if role else about["namespace"]


def live_objects(case: ObservedCase, phase="Available", party_phase="Available"):
    """What a control plane has after an observed case: a list of objects."""
    ports, serving = Ports(), case.says["object"]
    made = list(case.objects("live.yaml").values())
    derived = [ports.placed(item, unit_of(item, serving)) for item in made]
    stored = list(case.objects("stored.yaml").values())
    for item in stored:
        if item["kind"] == "KusciaDeployment":
            _draw(item, ports)
            _tell(item, derived, phase, party_phase)
    return [*stored, *derived]


def _draw(deployment, ports):
    notes = deployment["metadata"]["annotations"]
    if _PORTS not in notes:
        return
    entries = json.loads(notes[_PORTS])
    for entry in entries:
        unit = "/".join(filter(None, (entry["domainID"], entry.get("role"))))
        entry["namedPort"] = {name: ports.of(unit, name) for name in entry["namedPort"]}
    notes[_PORTS] = json.dumps(entries)


def _tell(deployment, derived, phase, party_phase):
    """A status as the controller writes it."""
    told = {}
    for item in derived:
        if item["kind"] == "Deployment":
            wanted = item["spec"]["replicas"]
            ready = wanted if party_phase == "Available" else 0
            about = {"phase": party_phase, "replicas": wanted, "updatedReplicas": wanted}
            about |= {"availableReplicas": ready, "unavailableReplicas": wanted - ready}
            about |= {"creationTimestamp": "2026-01-17T10:18:02Z"}
            item["status"] = _deployment_status(wanted, ready)
            domain = item["metadata"]["namespace"]
            told.setdefault(domain, {})[item["metadata"]["name"]] = about
    deployment["metadata"]["creationTimestamp"] = "2026-01-17T10:18:02Z"
    deployment["status"] = {
        "phase": phase,
        "totalParties": len(deployment["spec"]["parties"]),
        "availableParties": sum(map(len, told.values())),
        "partyDeploymentStatuses": told,
    }


def _deployment_status(wanted, ready):
    """As Kubernetes writes it of a Deployment whose first rollout is over, or goes on."""
    reason = "NewReplicaSetAvailable" if ready >= wanted else "ReplicaSetUpdated"
    counts = {"replicas": wanted, "updatedReplicas": wanted, "availableReplicas": ready}
    return {**counts, "conditions": [{"type": "Progressing", "status": "True", "reason": reason}]}


def as_list(objects):
    """As kubectl prints several objects."""
    return json.dumps({"apiVersion": "v1", "kind": "List", "items": list(objects)})


def found(objects, unread=None):
    """Objects as they were read from somewhere."""
    data = as_list(objects).encode()
    read = read_objects(iter([data]), "objects.json", Selection(), Bounds())
    return LiveObjects(tuple(read), unread or {})


def status_of(project, environment, live, specs=()):
    """How an environment fares, given what is live at its destinations."""
    return status_in(render(project, [environment]), project.environment(environment), live, specs)


def status_in(rendering, environment, live, specs=()):
    """The same for what has been rendered already."""
    wanted = [find_spec(environment, name) for name in specs]
    expected = expectations(rendering, environment, wanted)
    here = [item for item in expected if item.manifest.destination in live]
    rendered = rendered_objects(rendering, environment)
    status = judge(environment.name, here, live, rendered)
    asked = {name: [q for q in queries(here) if q.destination == name] for name in live}
    kept = {name: _kept(found, asked[name]) for name, found in live.items()}
    assert judge(environment.name, here, kept, rendered) == status, (
        "Query.reads leaves something out"
    )
    return status


def _kept(found, asked):
    """Objects as they are read for some queries."""
    selection = Selection(asked)
    trees = [
        uniform_tree(selection.reduce(item.tree.plain()), item.tree.origin)
        for item in found.objects
    ]
    return LiveObjects(tuple(map(LiveObject, trees)), found.unread)

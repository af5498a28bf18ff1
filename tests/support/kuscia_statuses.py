"""KusciaDeployments as they were after what was observed, with the statuses of their parties.

The records have what Kuscia said of the whole, and of each Deployment how many replicas it had.
What Kuscia says of the parties follows from these, as `refreshPartyDeploymentStatus` writes it.
"""

from functools import cache

import yaml

from renderer import render
from tests.support.memory import project
from tests.support.observed import CASES, FOLDER
from tests.support.replacements import edited, files_below

_KIND = "KusciaDeployment"
_SELF = "kuscia.secretflow/interconn-self-parties"
_MADE = {"type": "Available", "status": "True", "reason": "MinimumReplicasAvailable"}
_DONE = {"type": "Progressing", "status": "True", "reason": "NewReplicaSetAvailable"}
_EDITS = FOLDER / "edits"
_CAME_OR_WENT = (("created", "after"), ("deleted", "before"))


def kuscia_objects():
    """As recorded, without statuses of parties; and with these, as they must have been."""
    for name, found, replicas in (*_of_previews(), *_of_edits()):
        yield f"observed/kuscia/{name}", found
        yield f"made/kuscia/{name}", told(found, replicas)


def told(found, replicas):
    """The object with the statuses of its parties, whose Deployments have so many replicas."""
    parties = {}
    for (domain, deployment), count in replicas.items():
        parties.setdefault(domain, {})[deployment] = party_status(count)
    return {**found, "status": {**found["status"], "partyDeploymentStatuses": parties}}


def party_status(count):
    """Of a Deployment all pods of which are there and available."""
    return {
        "phase": "Available" if count else "Progressing",
        "replicas": count,
        "updatedReplicas": count,
        "availableReplicas": count,
        "unavailableReplicas": 0,
        "conditions": [_MADE, _DONE],
    }


def _of_previews():
    for case in CASES:
        (found,) = (o for (kind, *_), o in case.objects("stored.yaml").items() if kind == _KIND)
        made = case.objects("live.yaml").items()
        replicas = {
            (namespace, name): item["spec"]["replicas"]
            for (kind, namespace, name), item in made
            if kind == "Deployment"
        }
        yield f"preview/{case.id}", {**found, "status": _status(case.says["status"])}, replicas


def _of_edits():
    """The states before and after each edit that were recorded of an object."""
    for path in sorted(_EDITS.glob("*.yaml")):
        case = yaml.load(path.read_text("utf-8"), yaml.CSafeLoader)
        files = edited(_base(case["base"]), case["before"])
        after = files if "by_hand" in case else edited(files, case["edit"])
        states = {"before": files, "after": after}
        for when, repository in states.items():
            rendered = _rendered(tuple(repository.items()), case["environment"])
            for name, status in case["status"][when].items():
                replicas = _replicas(case, rendered[name], when)
                found = {**_annotated(rendered[name], replicas), "status": _status(status)}
                yield f"edits/{path.stem}/{name}/{when}", found, replicas


def _status(recorded):
    return {key: value for key, value in recorded.items() if value != ""}


def _replicas(case, found, when):
    """By domain and Deployment; what Kuscia forgets to delete is still told of."""
    serving, counts = found["metadata"]["name"], {}
    for item in case["observed"]:
        if item["serving"] != serving:
            continue
        domain, _, role = item["unit"].partition("/")
        if (item["deployment"], when) in _CAME_OR_WENT:
            count = _wanted(found, domain, role)
        else:
            count = item.get("replicas", {}).get(when)  # of one that is absent, none
        if count is not None:
            counts[domain, f"{serving}-{role}" if role else serving] = count
    return counts


def _wanted(found, domain, role):
    """The number of a Deployment that was made or deleted, of which no record has one."""
    for party in found["spec"]["parties"]:
        if (party["domainID"], party.get("role", "")) == (domain, role):
            return party["template"].get("replicas", 1)
    return None


def _annotated(found, replicas):
    """With what Kuscia notes on it of its own parties."""
    own, about = {domain for domain, _ in replicas}, found["metadata"]
    domains = (party["domainID"] for party in found["spec"]["parties"])
    notes = {**about.get("annotations", {}), _SELF: "_".join(d for d in domains if d in own)}
    return {**found, "metadata": {**about, "annotations": notes}}


@cache
def _base(name):
    return files_below(_EDITS / "bases" / name)


@cache
def _rendered(files, environment):
    """The KusciaDeployments of an environment by name; a partner's copy is the initiator's."""
    manifests = render(project(dict(files)), [environment]).manifests
    objects = (yaml.load(item.text, yaml.CSafeLoader) for item in manifests)
    return {item["metadata"]["name"]: item for item in objects if item["kind"] == _KIND}

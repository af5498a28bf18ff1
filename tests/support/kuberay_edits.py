"""Small repositories of KubeRay specs, before and after an edit, compared."""

import copy
import json

from renderer import compare
from tests.support.memory import project
from tests.support.repositories import HEADER

FOLDERS = {
    "ComputeTemplate": "computetemplates",
    "RayCluster": "rayclusters",
    "RayJob": "rayjobs",
    "RayService": "rayservices",
}
TEMPLATE = {"cpu": 2, "memory": 4}
APPLICATION = {"name": "app", "import_path": "fruit:app", "route_prefix": "/"}
MESSAGE = {
    "headGroupSpec": {"computeTemplate": "small", "rayStartParams": {"num-cpus": "0"}},
    "workerGroupSpec": [
        {
            "groupName": "small",
            "computeTemplate": "small",
            "replicas": 1,
            "minReplicas": 1,
            "maxReplicas": 3,
            "rayStartParams": {"block": "true"},
        }
    ],
}


def container(name, tag="2.52.0", cpu="2", **more):
    amounts = {"cpu": cpu, "memory": "4Gi"}
    resources = {"requests": amounts, "limits": amounts}
    return {"name": name, "image": f"rayproject/ray:{tag}", "resources": resources, **more}


def group(name="small", replicas=1, **more):
    """A group of workers in the words of the custom resource."""
    return {
        "groupName": name,
        "replicas": replicas,
        "minReplicas": 0,
        "maxReplicas": 5,
        "rayStartParams": {},
        "template": {"spec": {"containers": [container("ray-worker")]}},
        **more,
    }


RESOURCE = {
    "rayVersion": "2.52.0",
    "headGroupSpec": {
        "rayStartParams": {"num-cpus": "0"},
        "template": {"spec": {"containers": [container("ray-head", cpu="1")]}},
    },
    "workerGroupSpecs": [group()],
}
_MESSAGE_HEAD = {"user": "ann", "version": "2.52.0"}
#: By kind and vocabulary.
SPECS = {
    ("RayCluster", "message"): {**_MESSAGE_HEAD, "clusterSpec": MESSAGE},
    ("RayCluster", "resource"): RESOURCE,
    ("RayJob", "message"): {**_MESSAGE_HEAD, "entrypoint": "python a.py", "clusterSpec": MESSAGE},
    ("RayJob", "resource"): {"entrypoint": "python a.py", "rayClusterSpec": RESOURCE},
    ("RayService", "message"): {
        **_MESSAGE_HEAD,
        "serveConfigV2": {"applications": [APPLICATION]},
        "clusterSpec": MESSAGE,
    },
    ("RayService", "resource"): {
        "serveConfigV2": {"applications": [APPLICATION]},
        "rayClusterConfig": RESOURCE,
    },
}


def edited(spec, edits):
    """A spec with values set at paths, or with None, removed there; callables get the old value."""
    found = copy.deepcopy(spec)
    for path, value in edits.items():
        *steps, last = [int(step) if step.isdigit() else step for step in path.split("/")]
        node = found
        for step in steps:
            node = node[step] if isinstance(node, list) else node.setdefault(step, {})
        if callable(value):
            node[last] = value(node[last])
        elif value is None:
            del node[last]
        else:
            node[last] = value
    return found


def files_of(specs, *, version="1.7.0", gates=None, template=None, **described):
    """A repository with an environment, a template, and some specs by kind and name."""
    settings = {"version": version, "feature_gates": gates or {}}
    place = {"platform": "kubernetes", "namespace": "ray"}
    places = [{"name": name, **place} for name in ("east", "west")]
    environment = {"destinations": places, "kuberay": settings, **described}
    files = {
        "servingctl.yaml": "",
        "environments/dev/environment.yaml": _document("Environment", environment),
        "environments/dev/computetemplates/small.yaml": _document(
            "ComputeTemplate", template or TEMPLATE
        ),
    }
    for (kind, name), spec in specs.items():
        where = f"environments/dev/{FOLDERS[kind]}/{name}.yaml"
        files[where] = _document(kind, {"destination": "east", **spec})
    return files


def write(root, specs, **environment):
    for path, content in files_of(specs, **environment).items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(content)


def _document(kind, data):
    lines = (f"{key}: {json.dumps(value)}" for key, value in data.items())
    return HEADER.format(kind) + "\n".join(lines) + "\n"


def compared(before, after, **environment):
    """Two repositories compared; each is the specs by kind and name."""
    both = environment.pop("both", None) or ({}, {})
    sides = [
        project(files_of(specs, **{**environment, **more}))
        for specs, more in zip((before, after), both, strict=True)
    ]
    return compare(*sides)


def effects(comparison):
    """The effects by unit."""
    found = {}
    for item in comparison.objects:
        for _, impact in item.impacts:
            found.setdefault(impact.unit, set()).add(str(impact.effect))
    return {unit: " ".join(sorted(names)) for unit, names in found.items()}


def said(comparison):
    every = (impact for item in comparison.objects for _, impact in item.impacts)
    return " ".join(f"{item.consequence} {item.advice}" for item in every)

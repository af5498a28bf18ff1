"""The containers of a party's pods."""

from renderer.backends.kuscia.names import config_map_name
from renderer.backends.kuscia.pods import PROBES, Container, containers
from renderer.backends.kuscia.preview.metadata import DEPLOYMENT, PREFIX
from renderer.backends.kuscia.preview.planes import Kit, Plane
from renderer.backends.kuscia.preview.variables import variables
from renderer.backends.kuscia.serving import text
from renderer.values.tree import Plain

VOLUME = "config-template"
_AS_WRITTEN = ("resources", *PROBES)
_TERMS = {
    "preferredDuringSchedulingIgnoredDuringExecution": "podAffinityTerm",
    "requiredDuringSchedulingIgnoredDuringExecution": "",
}


def image(kit: Kit) -> str:
    tree = kit.party.image.tree if kit.party.image else kit.template
    return f"{text(tree, 'image', 'name')}:{text(tree, 'image', 'tag')}"


def pod(plane: Plane, kit: Kit) -> dict[str, Plain]:
    """The pod's spec; what it does not say has the default of Kubernetes."""
    all_containers = containers(kit.template)
    made: list[Plain] = [_container(item, plane, kit) for item in all_containers]
    spec: dict[str, Plain] = {
        "schedulerName": "kuscia-scheduler",
        "automountServiceAccountToken": False,
        "nodeSelector": {f"{PREFIX}namespace": kit.domain},
        "tolerations": [
            {"key": f"{PREFIX}agent", "operator": "Exists", "effect": "NoSchedule"},
        ],
        "containers": made,
    }
    if kind := affinity(plane, kit):
        spec["affinity"] = kind
    if mounts_files(kit):
        name = config_map_name(kit.deployment)
        spec["volumes"] = [{"name": VOLUME, "configMap": {"name": name}}]
    return spec


def mounts_files(kit: Kit) -> bool:
    return any(item.mounts for item in containers(kit.template))


def affinity(plane: Plane, kit: Kit) -> dict[str, Plain]:
    """The party's or the template's; without one, the pods of a Deployment are spread."""
    selector: Plain = {"matchLabels": {DEPLOYMENT: kit.deployment}}
    given = kit.template.get("spec", "affinity")
    if given is None:
        return {} if plane.affinity_mode == "none" else _spread(selector)
    found = given.plain()
    kinds = found if isinstance(found, dict) else {}
    return {key: _selecting(key, value, selector) for key, value in kinds.items()}


def _spread(selector: Plain) -> dict[str, Plain]:
    term: Plain = {"labelSelector": selector, "topologyKey": "kubernetes.io/hostname"}
    preferred: list[Plain] = [{"weight": 100, "podAffinityTerm": term}]
    return {"podAntiAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": preferred}}


def _selecting(kind: str, value: Plain, selector: Plain) -> Plain:
    """Every term about pods with Kuscia's selector instead of its own."""
    if kind not in ("podAffinity", "podAntiAffinity") or not isinstance(value, dict):
        return value
    done = dict(value)
    for key, inner in _TERMS.items():
        terms = value.get(key)
        if isinstance(terms, list):
            done[key] = [_term(item, inner, selector) for item in terms]
    return done


def _term(term: Plain, inner: str, selector: Plain) -> Plain:
    if not isinstance(term, dict):
        return term
    if inner:
        return {**term, inner: _term(term.get(inner) or {}, "", selector)}
    return {**term, "labelSelector": selector}


def _container(container: Container, plane: Plane, kit: Kit) -> dict[str, Plain]:
    node = container.node
    made: dict[str, Plain] = {"name": container.name, "image": image(kit)}
    for key in ("command", "args", "workingDir"):
        if (given := node.get(key)) and given.value:
            made[key] = given.plain()
    ports: list[Plain] = [
        {"name": port.name, "containerPort": kit.numbers[port.name], "protocol": "TCP"}
        for port in container.ports
    ]
    mounts: list[Plain] = [
        {"name": VOLUME, "mountPath": mount.path, "subPath": mount.key}
        for mount in container.mounts
    ]
    made |= {"ports": ports} if ports else {}
    made |= {"envFrom": given.plain()} if (given := node.get("envFrom")) else {}
    made["env"] = env(container, plane, kit)
    made |= {"volumeMounts": mounts} if mounts else {}
    made |= {key: found.plain() for key in _AS_WRITTEN if (found := node.get(key))}
    made["imagePullPolicy"] = text(node, "imagePullPolicy") or "IfNotPresent"
    made |= {"securityContext": given.plain()} if (given := node.get("securityContext")) else {}
    return {**made, "terminationMessagePolicy": "FallbackToLogsOnError"}


def env(container: Container, plane: Plane, kit: Kit) -> list[Plain]:
    """The template's own variables, then Kuscia's."""
    own = container.node.get("env")
    given: list[Plain] = [node.plain() for node in (own.elements if own else ())]
    kuscias: list[Plain] = [
        {"name": name, "value": value} for name, value in variables(plane, kit).items()
    ]
    return given + kuscias

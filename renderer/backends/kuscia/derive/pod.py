"""The pods of a party: the variables of their containers, and how they are spread."""

from collections.abc import Mapping

from renderer.backends.fields import elements, text
from renderer.backends.kuscia.deploy_template import Container, Port, containers
from renderer.backends.kuscia.derive.plan import DeploymentPlan, PartyPlan
from renderer.backends.kuscia.derived_objects import DEPLOYMENT_NAME, PREFIX
from renderer.backends.kuscia.pod_variables import (
    INPUT_CONFIG,
    cluster_definition,
    cluster_party,
    given_variables,
    is_overwritten,
)
from renderer.kubernetes.pods import PROBES
from renderer.values.identity_cache import last_result_cached
from renderer.values.tree import Node, Plain

#: The app type whose containers get SERVING_ID.
_SERVING = "serving"
VOLUME = "config-template"
#: Fields of a container that the controller copies as they are.
_AS_WRITTEN = ("resources", *PROBES)
_TERMS = {
    "preferredDuringSchedulingIgnoredDuringExecution": "podAffinityTerm",
    "requiredDuringSchedulingIgnoredDuringExecution": "",
}


@last_result_cached
def kuscia_variables(plan: DeploymentPlan, party: PartyPlan) -> Mapping[str, str]:
    """Kuscia's variables of a container, in their order; they follow the template's own."""
    known = given_variables(
        party.domain,
        _cluster_define(plan, party),
        plan.input_config,
        party.ports.values(),
        party.numbers,
    )
    return {**known, "SERVING_ID": plan.serving.name} if plan.app_type == _SERVING else known


def known_ports(party: PartyPlan, plan: DeploymentPlan) -> list[Port]:
    """The ports that stand in the cluster definition: of a partner, only those for others."""
    partner = party.domain not in plan.domains
    return [port for port in party.served if not partner or port.scope == "Cluster"]


def _cluster_define(plan: DeploymentPlan, party: PartyPlan) -> str:
    """All parties in order, with those of their Services that the control plane knows."""
    names = [(other.domain, other.role) for other in plan.parties]
    return cluster_definition(_parties(plan), names.index((party.domain, party.role)))


@last_result_cached
def _parties(plan: DeploymentPlan) -> list[Plain]:
    """All parties, which are the same for each of them."""
    return [_cluster_party(party, plan) for party in plan.parties]


def _cluster_party(party: PartyPlan, plan: DeploymentPlan) -> Plain:
    endpoints = {port.name: party.endpoint(port) for port in known_ports(party, plan)}
    return cluster_party(party.domain, party.role, endpoints)


def image_reference(party: PartyPlan) -> str:
    tree = party.image.tree if party.image else party.template
    return f"{text(tree, 'image', 'name')}:{text(tree, 'image', 'tag')}"


def make_pod(plan: DeploymentPlan, party: PartyPlan) -> dict[str, Plain]:
    """The pod's spec; what it does not say has the default of Kubernetes."""
    all_containers = containers(party.template)
    made: list[Plain] = [_container(item, plan, party) for item in all_containers]
    spec: dict[str, Plain] = {
        "schedulerName": "kuscia-scheduler",
        "automountServiceAccountToken": False,
        "nodeSelector": {f"{PREFIX}namespace": party.domain},
        "tolerations": [{"key": f"{PREFIX}agent", "operator": "Exists", "effect": "NoSchedule"}],
        "containers": made,
    }
    if kind := make_affinity(plan, party):
        spec["affinity"] = kind
    if mounts_files(party):
        name = party.names.config_map
        spec["volumes"] = [{"name": VOLUME, "configMap": {"name": name}}]
    return spec


def mounts_files(party: PartyPlan) -> bool:
    return any(item.mounts for item in containers(party.template))


def make_affinity(plan: DeploymentPlan, party: PartyPlan) -> dict[str, Plain]:
    """The party's or the template's; without one, the pods of a Deployment are spread."""
    selector: Plain = {"matchLabels": {DEPLOYMENT_NAME: party.names.deployment}}
    given = party.template.get("spec", "affinity")
    if given is None:
        return {} if plan.affinity_mode == "none" else _spread(selector)
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


def _container(container: Container, plan: DeploymentPlan, party: PartyPlan) -> dict[str, Plain]:
    node = container.node
    made: dict[str, Plain] = {"name": container.name, "image": image_reference(party)}
    for key in ("command", "args", "workingDir"):
        if (given := node.get(key)) and given.value:
            made[key] = given.plain()
    ports: list[Plain] = [
        {"name": port.name, "containerPort": party.numbers[port.name], "protocol": "TCP"}
        for port in container.ports
    ]
    mounts: list[Plain] = [
        {"name": VOLUME, "mountPath": mount.path, "subPath": mount.key}
        for mount in container.mounts
    ]
    made |= {"ports": ports} if ports else {}
    made |= {"envFrom": given.plain()} if (given := node.get("envFrom")) else {}
    made["env"] = make_env(container, plan, party)
    made |= {"volumeMounts": mounts} if mounts else {}
    made |= {key: found.plain() for key in _AS_WRITTEN if (found := node.get(key))}
    made["imagePullPolicy"] = text(node, "imagePullPolicy") or "IfNotPresent"
    made |= {"securityContext": given.plain()} if (given := node.get("securityContext")) else {}
    return {**made, "terminationMessagePolicy": "FallbackToLogsOnError"}


def make_env(container: Container, plan: DeploymentPlan, party: PartyPlan) -> list[Plain]:
    """The template's own variables, then Kuscia's; an input config is always the serving's."""
    given: list[Plain] = [_own_variable(node, plan) for node in elements(container.node, "env")]
    kuscias: list[Plain] = [
        {"name": name, "value": value} for name, value in kuscia_variables(plan, party).items()
    ]
    return given + kuscias


def has_overwritten_variable(party: PartyPlan, plan: DeploymentPlan) -> bool:
    """Whether Kuscia changes a variable of the template when it looks at the Deployment again."""
    variables = (node for item in containers(party.template) for node in elements(item.node, "env"))
    return any(
        is_overwritten(node) and text(node, "value") != plan.input_config for node in variables
    )


def _own_variable(node: Node, plan: DeploymentPlan) -> Plain:
    """As the template has it, or with Kuscia's value in its place."""
    return (
        {"name": INPUT_CONFIG, "value": plan.input_config} if is_overwritten(node) else node.plain()
    )

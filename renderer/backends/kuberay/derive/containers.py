"""The containers of a Ray node: the one that runs Ray, and those that the operator adds."""

from collections.abc import Iterator

from renderer.backends.kuberay.derive.plan import RayPlan, ray_container
from renderer.backends.kuberay.derive.variables import (
    TOKEN_MOUNT,
    Variable,
    add_variables,
    cluster_variables,
    field_variable,
    fixed,
    group_variables,
    head_address_variables,
    redis_params,
    token_variables,
)
from renderer.backends.kuberay.serve_config.applications import HTTP_PORT
from renderer.backends.kuberay.serve_config.view import SERVE
from renderer.backends.kuberay.start_params import command_line, start_params
from renderer.backends.kuberay.vocabulary import SERVICE
from renderer.backends.kuberay.workloads import Group
from renderer.kubernetes.data import Data, container_named, items, mapping, number, words
from renderer.values.tree import Plain

OVERWRITE = "ray.io/overwrite-container-cmd"
WAIT = "wait-gcs-ready"
_METRICS: Data = {"name": "metrics", "containerPort": 8080}
_AUTOSCALER = (
    "ray kuberay-autoscaler --cluster-name $(RAY_CLUSTER_NAME) "
    "--cluster-namespace $(RAY_CLUSTER_NAMESPACE)"
)
#: Since when the shell is no login shell, HTTP is probed, and commands can be changed.
#: Recorded: pods-command, pods-ray-2-53, autoscaler-command.
_PLAIN_SHELL, _PROBES_HTTP, _OPEN_COMMANDS = (1, 4, 0), (1, 6, 0), (1, 7, 0)
#: From this rayVersion on the operator asks /api/healthz; older ones it asks by wget.
_ANSWERS_HTTP = (2, 53, 0)


def effective_params(plan: RayPlan, group: Group) -> dict[str, str]:
    """The parameters of `ray start` in the pods of a group."""
    params = start_params(group, f"{plan.head_host}:{plan.gcs_port}")
    if not group.is_head:
        return params
    own = {"no-monitor": "true"} if plan.cluster.is_scaled else {}
    return dict(sorted({**params, **own, **redis_params(plan)}.items()))


def start_command(plan: RayPlan, group: Group) -> str:
    params = effective_params(plan, group)
    return command_line(params, is_head=group.is_head, dialect=plan.dialect)


def make_ray_container(plan: RayPlan, group: Group, notes: dict[str, str]) -> Data:
    """The container of the spec with what the operator adds to it, but for mounts."""
    container = ray_container(group)
    command = start_command(plan, group)
    container_data = add_variables(container, group_variables(plan, group, command))
    if container_named(items(container, "ports"), "metrics") is None:
        container_data["ports"] = [*items(container, "ports"), _METRICS]
    own = (*words(container, "command"), *words(container, "args"))
    own_command = "".join(f" {word} " for word in own)
    if notes.get(OVERWRITE, "").lower() != "true" and "ray start" not in own_command:
        # recorded: pods-command-ray-start, pods-command-overwritten
        files = "${RAY_START_ULIMIT_OPEN_FILES:-65536}"
        limit = files if plan.dialect.knows(_OPEN_COMMANDS) else "65536"
        whole = f"ulimit -n {limit}; {command}"
        container_data |= {
            "command": shell(plan),
            "args": [f"{own_command} && {whole}" if own_command else whole],
        }
    return {**dict(_probes(plan, group, container)), **container_data}


def shell(plan: RayPlan, options: str = "") -> list[Plain]:
    login = "" if plan.dialect.knows(_PLAIN_SHELL) else "l"
    return ["/bin/bash", f"-{login}c{options}", "--"]


def _probes(plan: RayPlan, group: Group, container: Data) -> Iterator[tuple[str, Plain]]:
    """How it is found out that Ray lives and is ready, for what the container does not say."""
    params = effective_params(plan, group)
    agent = _port_number(params, "dashboard-agent-listen-port", 52365)
    commands = [_health_request(2, agent, "api/local_raylet_healthz")]
    if group.is_head:
        commands.append(
            _health_request(10, _port_number(params, "dashboard-port", 8265), "api/gcs_healthz")
        )
    over_http = plan.dialect.knows(_PROBES_HTTP) and (plan.ray_version or (0,)) >= _ANSWERS_HTTP
    by_http: Data = {"httpGet": {"path": "/api/healthz", "port": agent}}
    how = by_http if over_http else _exec_probe(commands)
    times: Data = {"timeoutSeconds": 5 if group.is_head else 2, "periodSeconds": 5}
    always: Data = {**times, "successThreshold": 1}
    yield "livenessProbe", {**how, "initialDelaySeconds": 30, **always, "failureThreshold": 120}
    tolerance = 10
    # the operator always asks the proxy of a service's worker by a command (service-new-ray)
    if plan.kind == SERVICE and not group.is_head:
        port = container_named(items(container, "ports"), SERVE) or {}
        proxy = _health_request(10, number(port, "containerPort") or HTTP_PORT, "-/healthz")
        how, tolerance = _exec_probe([*commands, proxy]), 1
    yield (
        "readinessProbe",
        {
            **how,
            "initialDelaySeconds": 10,
            **always,
            "failureThreshold": tolerance,
        },
    )


def _health_request(seconds: int, port: int, path: str) -> str:
    return f"wget --tries 1 -T {seconds} -q -O- http://localhost:{port}/{path} | grep success"


def _exec_probe(commands: list[str]) -> Data:
    return {"exec": {"command": ["bash", "-c", " && ".join(commands)]}}


def _port_number(params: dict[str, str], name: str, default: int) -> int:
    given = params.get(name, "")
    return int(given) if given.isdecimal() else default


def make_wait_container(plan: RayPlan, group: Group) -> Data:
    """What holds workers back until the head is there; the operator's own script also logs."""
    container = ray_container(group)
    kept = ("image", "imagePullPolicy", "securityContext", "env", "volumeMounts")
    address = f"{plan.head_host}:{plan.gcs_port}"
    amounts: Data = {"cpu": "200m", "memory": "256Mi"}
    waiter: Data = {
        "name": WAIT,
        **{key: container[key] for key in kept if key in container},
        "command": shell(plan),
        "args": [f"until ray health-check --address {address}; do sleep 5; done"],
        "resources": {"limits": amounts, "requests": amounts},
    }
    return mount_token(plan, add_variables(waiter, token_variables(plan)))


def add_head_address(plan: RayPlan, container: Data) -> Data:
    """A container that runs first, with the address of the head."""
    return add_variables(container, head_address_variables(plan))


def mount_token(plan: RayPlan, container: Data) -> Data:
    """A container with the mount of the token that Kubernetes gives, if that is used."""
    mounts = items(container, "volumeMounts")
    if plan.auth.get("enableK8sTokenAuth") is not True or container_named(
        mounts, str(TOKEN_MOUNT["name"])
    ):
        return container
    return {**container, "volumeMounts": [*mounts, TOKEN_MOUNT]}


def make_autoscaler(plan: RayPlan) -> Data:
    """The container beside the head that decides how many workers there are."""
    options = mapping(plan.content, "autoscalerOptions")
    amounts: Data = {"cpu": "500m", "memory": "512Mi"}
    bare: Data = {
        "name": "autoscaler",
        "image": ray_container(plan.cluster.head).get("image"),
        "imagePullPolicy": "IfNotPresent",
        "command": shell(plan),
        "args": [_AUTOSCALER],
        "resources": {"limits": amounts, "requests": amounts},
    }
    made = mount_token(
        plan, add_variables(bare, [*_autoscaler_variables(plan), *token_variables(plan)])
    )
    own = ["image", "imagePullPolicy", "resources", "securityContext"]
    own += ["command", "args"] if plan.dialect.knows(_OPEN_COMMANDS) else []
    lists = ("env", "envFrom", "volumeMounts")
    more: Data = {
        key: [*items(made, key), *items(options, key)] for key in lists if items(options, key)
    }
    return {**made, **{key: options[key] for key in own if options.get(key)}, **more}


def _autoscaler_variables(plan: RayPlan) -> Iterator[Variable]:
    yield from cluster_variables()
    yield field_variable("RAY_HEAD_POD_NAME", "metadata.name")
    yield fixed("KUBERAY_CRD_VER", "v1")
    if plan.dialect.knows(_OPEN_COMMANDS):
        yield fixed("KUBERAY_GEN_AUTOSCALER_START_CMD", _AUTOSCALER)

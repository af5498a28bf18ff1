"""How a job reaches its cluster: a Job of Kubernetes, or a container beside the head."""

import json
from collections.abc import Iterator

from renderer.backends.kuberay.derive.clusters import CREATED_BY, OPERATOR, origin_labels
from renderer.backends.kuberay.derive.containers import mount_token, shell
from renderer.backends.kuberay.derive.plan import (
    DASHBOARD,
    K8S_JOB,
    SIDECAR,
    RayPlan,
    ray_container,
)
from renderer.backends.kuberay.derive.variables import (
    add_variables,
    fixed,
    token_variables,
)
from renderer.backends.kuberay.vocabulary import JOB
from renderer.kubernetes.data import Data, items, mapping, number, texts
from renderer.text.digests import canonical
from renderer.text.yaml_reader import read
from renderer.values.tree import Plain

UNKNOWN_IMAGE = "<image>"
_CONTAINER = "ray-job-submitter"
_AMOUNTS: Data = {
    "limits": {"cpu": "1", "memory": "1Gi"},
    "requests": {"cpu": "500m", "memory": "200Mi"},
}
#: The operator's own `backoffLimit` of the Job (recorded: job).
_RETRIES = 2
_QUIET = (">/dev/null", "2>&1")
#: Since when every submitter waits for the dashboard, and metadata go to any cluster.
_ALWAYS_WAITS = (1, 7, 0)


def job_id(plan: RayPlan) -> str:
    return str(plan.spec.get("jobId") or f"{plan.name}-<job>")


def dashboard_address(plan: RayPlan) -> str:
    """Where the dashboard is asked, as the operator writes it."""
    return f"{plan.head_host}:{plan.ports.get(DASHBOARD, '<port>')}"


def sidecar(plan: RayPlan) -> list[Data]:
    """The container that submits a job from within the head's pod."""
    if plan.kind != JOB or plan.mode != SIDECAR:
        return []
    port = plan.ports.get(DASHBOARD, 8265)
    return [
        _submitter_container(
            plan, _default_container(plan), f"http://127.0.0.1:{port}", is_fixed=True
        )
    ]


def submitter_job(plan: RayPlan) -> Iterator[Data]:
    """The Job that submits, unless the operator or a user does."""
    if plan.mode != K8S_JOB or not plan.reaches_dashboard:
        return
    given = mapping(plan.spec, "submitterPodTemplate")
    bare: Data = {"spec": {"restartPolicy": "Never", "containers": [_default_container(plan)]}}
    template = given or bare
    pod = mapping(template, "spec")
    first, *others = items(pod, "containers") or [_default_container(plan)]
    submitter = _submitter_container(
        plan, first, f"http://{dashboard_address(plan)}", is_fixed=False
    )
    retries = number(mapping(plan.spec, "submitterConfig"), "backoffLimit")
    yield {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {
            "name": plan.name,
            "namespace": plan.namespace,
            "labels": {**origin_labels(plan), CREATED_BY: OPERATOR},
        },
        "spec": {
            "backoffLimit": _RETRIES if retries is None else retries,
            "template": {**template, "spec": {**pod, "containers": [submitter, *others]}},
        },
    }


def _default_container(plan: RayPlan) -> Data:
    image = ray_container(plan.cluster.head).get("image") or UNKNOWN_IMAGE
    return {"name": _CONTAINER, "image": image, "resources": _AMOUNTS}


def _submitter_container(plan: RayPlan, container: Data, address: str, *, is_fixed: bool) -> Data:
    """A container with the command, unless it has its own, and with what the command needs."""
    done = dict(container)
    if is_fixed or not container.get("command"):
        done |= {"command": shell(plan, "e"), "args": [submit_command(plan, address)]}
    variables = [
        fixed("PYTHONUNBUFFERED", "1"),
        fixed("RAY_DASHBOARD_ADDRESS", "" if is_fixed else dashboard_address(plan)),
        fixed("RAY_JOB_SUBMISSION_ID", job_id(plan)),
    ]
    return mount_token(plan, add_variables(done, [*variables, *token_variables(plan)]))


def submit_command(plan: RayPlan, address: str) -> str:
    """Submits, and follows the output; a Job first looks whether an earlier pod of it submitted."""
    identity, is_job = job_id(plan), plan.mode == K8S_JOB
    words = [*_wait_for_dashboard(plan, address)]
    if is_job:
        asked = ("ray", "job", "status", "--address", address, identity)
        words += ["if", "!", *asked, *_QUIET, ";", "then"]
    words += ["ray", "job", "submit", "--address", address, *(["--no-wait"] if is_job else [])]
    words += [*_options(plan), "--", str(plan.spec.get("entrypoint") or "").strip(), ";"]
    if is_job:
        words += ["fi", ";", "ray", "job", "logs", "--address", address, "--follow", identity]
    return " ".join(words)


def _wait_for_dashboard(plan: RayPlan, address: str) -> Iterator[str]:
    if plan.mode == K8S_JOB and not plan.dialect.knows(_ALWAYS_WAITS):
        return
    place = address.replace("127.0.0.1", "localhost")
    asked = f"urllib.request.urlopen('{place}/api/gcs_healthz', timeout=10)"
    check = "exit(0 if b'success' in r.read() else 1)"
    yield f'until python -c "import urllib.request; r={asked}; {check}"'
    yield from (*_QUIET, ";", "do", "echo")
    yield f'"Waiting for Ray Dashboard GCS to become healthy at {address} ..."'
    yield from (";", "sleep", "2", ";", "done", ";")


def _options(plan: RayPlan) -> Iterator[str]:
    spec = plan.spec
    if environment := _yaml_as_json(str(spec.get("runtimeEnvYAML") or "")):
        yield from ("--runtime-env-json", json.dumps(environment, ensure_ascii=False))
    if (metadata := texts(spec, "metadata")) and (plan.is_own or plan.dialect.knows(_ALWAYS_WAITS)):
        yield from ("--metadata-json", json.dumps(_go_json({**metadata}), ensure_ascii=False))
    yield from ("--submission-id", job_id(plan))
    for key, option in (("entrypointNumCpus", "cpus"), ("entrypointNumGpus", "gpus")):
        amount = spec.get(key)
        if isinstance(amount, int | float) and amount > 0:
            yield from (f"--entrypoint-num-{option}", f"{amount:f}")
    if resources := str(spec.get("entrypointResources") or ""):
        yield from ("--entrypoint-resources", json.dumps(resources, ensure_ascii=False))


def _yaml_as_json(text: str) -> str:
    """A YAML text as JSON; empty if there is none."""
    tree = read(text.encode("utf-8", "replace"), "").document.tree if text else None
    return _go_json(tree.plain()) if tree else ""


def _go_json(listing: Plain) -> str:
    """JSON as Go writes it, which is wary of what means something in HTML."""
    found = canonical(listing)
    for sign in "&<>":
        found = found.replace(sign, f"\\u{ord(sign):04x}")
    return found

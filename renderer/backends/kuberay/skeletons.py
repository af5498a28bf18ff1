"""What new specs of Ray begin with, from what their environment has already."""

from textwrap import indent

from renderer.backends.kuberay.settings import PLATFORM
from renderer.backends.object_places import destination_line
from renderer.text.yaml_writer import scalar_text
from renderer.values.model import Environment

_COMPUTE_TEMPLATE = """\
# A size of Ray pods, of no use until a group of a cluster names it as its computeTemplate.
cpu: 4
memory: 16   # gigabytes
"""
_CLUSTER = """\
rayVersion: {version}   # that of the images
headGroupSpec:
{size}  rayStartParams: {{num-cpus: "0"}}   # the head runs no work
  template:
    spec:
      containers:
        - name: ray-head
          image: rayproject/ray:{version}
{resources}workerGroupSpecs:
  - groupName: workers
{size_of_group}    replicas: {replicas}
    minReplicas: {replicas}
    maxReplicas: {most}
    template:
      spec:
        containers:
          - name: ray-worker
            image: rayproject/ray:{version}
{resources_of_group}"""
_RESOURCES = 'resources: {limits: {cpu: "2", memory: 8Gi}}\n'
_VERSION = "2.53.0"


def compute_template(name: str, environment: Environment) -> str:  # noqa: ARG001
    """As large as most workers are."""
    return _COMPUTE_TEMPLATE


def cluster(name: str, environment: Environment) -> str:  # noqa: ARG001
    """A head and one group of workers."""
    about = "# A Ray cluster that stays, in the words of KubeRay's RayCluster.\n"
    return f"{about}{destination_line(environment, PLATFORM)}{_cluster(environment)}"


def job(name: str, environment: Environment) -> str:
    """A command on a cluster of its own, which goes when it is done."""
    return (
        "# A command on a Ray cluster of its own, in the words of KubeRay's RayJob.\n"
        f"{destination_line(environment, PLATFORM)}"
        f"entrypoint: python {name}.py   # yours to fill in\n"
        "shutdownAfterJobFinishes: true\n"
        "ttlSecondsAfterFinished: 600\n"
        f"rayClusterSpec:\n{indent(_cluster(environment), '  ')}"
    )


def service(name: str, environment: Environment) -> str:
    """One application of Ray Serve on a cluster of its own."""
    return (
        "# Ray Serve on a cluster of its own, in the words of KubeRay's RayService.\n"
        f"{destination_line(environment, PLATFORM)}"
        "serveConfigV2:\n"
        "  applications:\n"
        f"    - name: {scalar_text(name)}\n"
        "      import_path: app:deployment   # yours to fill in, as is the code\n"
        f"      route_prefix: /{name}\n"
        f"      runtime_env: {{working_dir: https://example.com/{name}.zip}}\n"
        f"rayClusterConfig:\n{_redis(environment)}{indent(_cluster(environment), '  ')}"
    )


def _redis(environment: Environment) -> str:
    """In production a service must outlive its head, so its state is kept in Redis (RAY314)."""
    place = "  gcsFaultToleranceOptions: {redisAddress: redis:6379}   # yours to fill in\n"
    return place if environment.is_production else ""


def _cluster(environment: Environment) -> str:
    templates = [spec for spec in environment.specs if spec.kind.name == "ComputeTemplate"]
    size = f"computeTemplate: {scalar_text(templates[0].name)}\n" if templates else ""
    resources = "" if templates else _RESOURCES
    replicas = 2 if environment.is_production else 1
    return _CLUSTER.format(
        version=_version(environment),
        size=indent(size, " " * 2),
        size_of_group=indent(size, " " * 4),
        resources=indent(resources, " " * 10),
        resources_of_group=indent(resources, " " * 12),
        replicas=replicas,
        most=2 * replicas,
    )


def _version(environment: Environment) -> str:
    """The variable, if specs share one; else the version that the environment declares."""
    if "ray_version" in environment.variables:
        return "${vars.ray_version}"
    stated = environment.tree.get("kuberay", "ray_version")
    return str(stated.value) if stated else _VERSION

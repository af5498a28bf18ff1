"""Runtime environments that Ray takes, of jobs and of applications: recorded with Ray itself."""

from collections.abc import Iterator

from renderer.backends.kuberay.messages.workloads import plain_runtime_env
from renderer.backends.kuberay.rules import VALIDATION
from renderer.backends.kuberay.runtime_env import (
    RuntimeEnv,
    address_problem,
    code_addresses,
    conflicting_keys,
    is_local,
    local_files,
    runtime_env_of,
    runtime_env_schema,
    runtime_envs,
)
from renderer.backends.kuberay.vocabulary import JOB
from renderer.backends.kuberay.workloads import PlacelessWorkload
from renderer.text.wording import visible
from renderer.values.diagnostics import Finding, Path, Severity, rule, rules_with_source

_SOURCE = "ray-project/ray: python/ray/runtime_env/runtime_env.py, asked of 2.52.1 and 2.60.0"
_MESSAGE_RUNTIME, _READS = "runtimeEnv", ("serveConfigV2",)
_PLUGINS = "RAY_RUNTIME_ENV_PLUGINS"
#: Ways of submission in which Ray gets the environment as it is written.
_UNCHANGED_MODES = ("HTTPMode",)


@rule("RAY360", Severity.ERROR, JOB)
def runtime_environment_is_a_mapping(workload: PlacelessWorkload) -> Iterator[Finding]:
    """The runtime environment of a job is a mapping, or text that is one in YAML.

    The operator refuses the job otherwise. A mapping is checked here and written as text.

    Fails: runtimeEnvYAML: 'pip: [requests'
    Passes: runtimeEnvYAML: 'pip: [requests]'
    """
    config = runtime_env_of(workload)
    yield from config.problems if config else ()


@rule("RAY361", Severity.INFO, JOB)
def runtime_environment_is_plain(workload: PlacelessWorkload) -> Iterator[Finding]:
    """The runtime environment beside `clusterSpec` is plain YAML, not base64.

    Old clients of KubeRay's API server sent it in base64. It is rendered as what it means, and
    easier to review if it is written so.

    Fails:
        clusterSpec: {}
        runtimeEnv: cGlwOiBbcmVxdWVzdHNd
    Passes with: runtimeEnv: {pip: [requests]}
    """
    given = workload.spec.tree.get(_MESSAGE_RUNTIME)
    if given and plain_runtime_env(given).value != given.value:
        message = "the runtime environment is base64, and rendered as plain YAML"
        yield Finding((_MESSAGE_RUNTIME,), message, "write it as a mapping")


@rule("RAY540", Severity.ERROR, JOB, reads=_READS, since="0.2.0")
def runtime_environments_fit(workload: PlacelessWorkload) -> Iterator[Finding]:
    """A runtime environment has the keys and values that Ray knows.

    Ray ignores a key that it does not know, with a warning in the log of an agent, so that packages
    or variables under a misspelt one are missing. It refuses values of other types, such as a
    variable that is a number, when the cluster is there already. Where a container has the variable
    RAY_RUNTIME_ENV_PLUGINS, other keys may be those of plugins.

    Fails: runtimeEnvYAML: {env_vars: {OMP_NUM_THREADS: 4}}
    Passes: runtimeEnvYAML: {env_vars: {OMP_NUM_THREADS: "4"}}
    """
    has_plugins = any(_PLUGINS in group.variables for group in workload.groups)
    for item in runtime_envs(workload):
        yield from item.config.misfits_of(item.node, runtime_env_schema(has_plugins=has_plugins))


@rule("RAY541", Severity.ERROR, JOB, reads=_READS, since="0.2.0")
def runtime_environments_are_made_one_way(workload: PlacelessWorkload) -> Iterator[Finding]:
    """A runtime environment has one of `pip`, `uv` and `conda`, or an image.

    Ray refuses two of them, and beside `image_uri` or `container` everything but `env_vars` and
    `config`. What an application says counts for its deployments too.

    Fails: runtimeEnvYAML: {pip: [requests], conda: {dependencies: [numpy]}}
    Passes: runtimeEnvYAML: {conda: {dependencies: [numpy, pip, {pip: [requests]}]}}
    """
    for item in runtime_envs(workload):
        for key, other in conflicting_keys(item):
            around = "" if other in item.node.items else " of the application"
            message = f"Ray takes {key} or {other}{around}, not both"
            yield item.config.finding(
                (*item.path, key), message, "keep one of the two", at_key=True
            )


@rule("RAY542", Severity.ERROR, JOB, since="0.2.0")
def code_of_jobs_is_at_an_address(workload: PlacelessWorkload) -> Iterator[Finding]:
    """`working_dir` and `py_modules` of a job are addresses of archives.

    In HTTPMode the operator hands them to Ray as they are, and Ray refuses a path. In other modes
    `ray job submit` uploads a folder that is in the image of the submitter.

    Fails: runtimeEnvYAML: {working_dir: "https://github.com/example/train"}
    Passes: runtimeEnvYAML: {working_dir: "https://github.com/example/train/archive/v1.zip"}
    """
    is_uploaded = workload.submission_mode not in _UNCHANGED_MODES
    for item, key, path, value in _code_paths(workload):
        problem = address_problem(key, value, workload.ray_version)
        if problem and not (is_local(value) and is_uploaded):
            fix = "put an archive where the cluster can fetch it, and write its address"
            yield item.config.finding(path, f"{value[:60]!r} {problem}", fix)


@rule("RAY543", Severity.WARNING, JOB, since="0.2.0")
def code_of_jobs_is_not_beside_the_spec(workload: PlacelessWorkload) -> Iterator[Finding]:
    """Files that the runtime environment of a job names are those of an image.

    A relative path is looked for where the submitter runs, in the image that it has, and not in the
    repository of the spec. An absolute path says which one is meant.

    Fails: runtimeEnvYAML: {working_dir: ./src}
    Passes: runtimeEnvYAML: {working_dir: /home/ray/src}
    """
    if workload.submission_mode in _UNCHANGED_MODES:
        return
    for item, _, path, value in _code_paths(workload):
        if is_local(value) and not value.startswith("/"):
            message = f"{value[:60]!r} is looked for in the submitter's image"
            fix = "write the address of an archive, or an absolute path of the image"
            yield item.config.finding(path, message, fix)


@rule("RAY545", Severity.WARNING, JOB, reads=_READS, since="0.2.0")
def lists_of_packages_are_in_the_spec(workload: PlacelessWorkload) -> Iterator[Finding]:
    """A runtime environment lists its packages, and names no file for them.

    A relative path in `pip`, `uv` or `conda` is looked for where the environment is read: where the
    submitter of a job runs, or on the head. It is not a file of the repository of the spec.

    Fails: runtimeEnvYAML: {pip: requirements.txt}
    Passes: runtimeEnvYAML: {pip: [requests==2.32.3]}
    """
    is_job = workload.kind == JOB
    is_submitted = is_job and workload.submission_mode not in _UNCHANGED_MODES
    where = "the submitter's image" if is_submitted else "the image of the head"
    for item in runtime_envs(workload):
        for path, value in local_files(item.node):
            message = f"{visible(value[:60])!r} is looked for in {where}, not beside the spec"
            fix = "list the packages here, or write an absolute path of the image"
            yield item.config.finding((*item.path, *path), message, fix)


def _code_paths(workload: PlacelessWorkload) -> Iterator[tuple[RuntimeEnv, str, Path, str]]:
    """Where the environment of a job has its code: the key, the path, and what stands there."""
    config = runtime_env_of(workload)
    item = RuntimeEnv(config, (), config.tree) if config else None
    for path, node in code_addresses(item.node) if item else ():
        if item and node.value and isinstance(node.value, str):
            yield item, str(path[0]), path, node.value


SHARED = rules_with_source(
    (
        runtime_environments_fit,
        runtime_environments_are_made_one_way,
        lists_of_packages_are_in_the_spec,
    ),
    _SOURCE,
)


RULES = (
    *rules_with_source(
        (runtime_environment_is_a_mapping, runtime_environment_is_plain), VALIDATION
    ),
    *rules_with_source(
        (code_of_jobs_is_at_an_address, code_of_jobs_is_not_beside_the_spec), _SOURCE
    ),
)

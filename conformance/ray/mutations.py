"""The tables of what Ray is asked: what is written down, and every key with every form of value."""

from collections.abc import Iterator, Mapping
from itertools import combinations
from pathlib import Path
from shlex import split
from typing import Any, NamedTuple

import yaml

from conformance.kubernetes.mutations import mutated
from renderer.backends.kuberay.dialect import Dialect
from renderer.backends.kuberay.start_params import START_OPTIONS, command_line

HERE = Path(__file__).resolve().parent
Steps = tuple[str | int, ...]
#: The KubeRay that keeps the values of most options.
_OPERATOR = Dialect.of("1.7.0")


class Mutation(NamedTuple):
    """What is asked about (a function of `program`), a name for it, and what is given."""

    subject: str
    name: str
    given: Any

    @property
    def question(self) -> tuple[str, Any]:
        """The same as the program is asked: parameters of a group as words of a command."""
        if self.subject != "start":
            return self.subject, self.given
        is_head, params = self.given["group"] == "head", {**self.given["params"]}
        if not is_head:
            params.setdefault("address", "head:6379")
        words = command_line(params, is_head=is_head, dialect=_OPERATOR)
        return self.subject, split(words)[2:]


#: Values of every form, by name.
FORMS: dict[str, Any] = {
    "null": None, "true": True, "a number": 3, "a fraction": 1.5, "an empty text": "",
    "a text": "a", "digits": "3", "an empty list": [], "a list of texts": ["a"],
    "a list of numbers": [1], "an empty mapping": {}, "a mapping of texts": {"a": "b"},
    "a mapping of numbers": {"a": 1},
}  # fmt: skip
_NUMBERS: dict[str, Any] = {"-1": -1, "0": 0, "1": 1, "100": 100, "101": 101, "65536": 65536}
#: Each key of a runtime environment, with a value that is right.
_RIGHT: dict[str, Any] = {
    "working_dir": "https://example.com/a.zip",
    "py_modules": ["https://example.com/b.zip"],
    "excludes": ["*.log"],
    "pip": ["a"],
    "uv": ["b"],
    "conda": "c",
    "container": {"image": "example/ray:2.52.0"},
    "image_uri": "example/ray:2.52.0",
    "env_vars": {"A": "b"},
    "config": {"setup_timeout_seconds": 60},
    "nsight": "default",
    "rocprof_sys": "default",
    "worker_process_setup_hook": "a.b",
    "py_executable": "python",
    "java_jars": ["https://example.com/a.jar"],
}
_APP: Steps = ("applications", 0)
_DEPLOYMENT: Steps = (*_APP, "deployments", 0)
#: The places of a serve config whose values are asked about in every form.
_SERVE: dict[Steps, str] = {
    (): "proxy_location http_options grpc_options logging_config applications target_capacity",
    ("http_options",): "host port root_path request_timeout_s keep_alive_timeout_s ssl_keyfile",
    ("grpc_options",): "port grpc_servicer_functions request_timeout_s",
    ("logging_config",): "encoding log_level logs_dir enable_access_log",
    _APP: "name route_prefix import_path runtime_env args deployments autoscaling_policy "
    "logging_config external_scaler_enabled host port",
    _DEPLOYMENT: "name num_replicas max_ongoing_requests max_queued_requests user_config "
    "autoscaling_config graceful_shutdown_wait_loop_s graceful_shutdown_timeout_s "
    "health_check_period_s health_check_timeout_s ray_actor_options placement_group_bundles "
    "placement_group_strategy max_replicas_per_node logging_config request_router_config",
    (*_DEPLOYMENT, "autoscaling_config"): "min_replicas initial_replicas max_replicas "
    "target_ongoing_requests metrics_interval_s look_back_period_s smoothing_factor "
    "upscale_smoothing_factor downscale_smoothing_factor upscaling_factor downscaling_factor "
    "downscale_delay_s downscale_to_zero_delay_s upscale_delay_s aggregation_function policy",
    (*_DEPLOYMENT, "ray_actor_options"): "runtime_env num_cpus num_gpus memory resources "
    "accelerator_type",
}
_WORDS = ("", "1", "0", "-1", "65536", "4Gi", "x", "true", "false")
_JOB = (
    "entrypoint", "submission_id", "runtime_env", "metadata", "entrypoint_num_cpus",
    "entrypoint_num_gpus", "entrypoint_resources",
)  # fmt: skip


def read_mutations() -> Iterator[Mutation]:
    """All of them, by subject, in an order that does not change."""
    yield from (Mutation("runtime_env", *item) for item in _environments())
    yield from (Mutation("serve", *item) for item in _serve_configs())
    yield from (Mutation("job", *item) for item in _jobs())
    yield from (Mutation("start", *item) for item in _starts())


def _table(name: str) -> Mapping[str, Any]:
    found: dict[str, Any] = yaml.safe_load((HERE / f"mutations/{name}.yaml").read_text("utf-8"))
    return found


def _environments() -> Iterator[tuple[str, Any]]:
    yield from _table("runtime_env").items()
    for key in _RIGHT:
        yield from ((f"{key}: {name}", {key: value}) for name, value in FORMS.items())
    for first, second in combinations(_RIGHT, 2):
        yield f"{first} with {second}", {first: _RIGHT[first], second: _RIGHT[second]}


def _serve_configs() -> Iterator[tuple[str, Any]]:
    base = _table("serve")["base"]
    for name, changes in _table("serve")["changes"].items():
        config = base
        for path, value in changes:
            config = mutated(config, tuple(path), value)
        yield name, config
    for path, keys in _SERVE.items():
        for key in keys.split():
            for name, value in (FORMS | _NUMBERS).items():
                place = ".".join(map(str, (*path, key)))
                yield f"{place}: {name}", mutated(base, (*path, key), value)


def _jobs() -> Iterator[tuple[str, Any]]:
    for key in _JOB:
        for name, value in FORMS.items():
            yield f"{key}: {name}", {"entrypoint": "python a.py", key: value}


def _starts() -> Iterator[tuple[str, Any]]:
    for group in ("head", "worker"):
        for name in sorted(START_OPTIONS):
            for value in _WORDS:
                given = {"group": group, "params": {name: value}}
                yield f"{group} {name}: {value or 'empty'}", given

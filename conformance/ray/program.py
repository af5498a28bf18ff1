"""Run by a Python that has Ray: reads questions from its input, and writes what Ray answers.

A question is a list of what is asked about and what is given; the answer to it is nothing if Ray
takes it, or else a text: which step refused it, and the beginning of what it said.
"""

import contextlib
import copy
import importlib
import json
import logging
import os
import re
import sys
import warnings
from collections.abc import Callable
from typing import Any
from unittest import mock

_LONGEST = 60
#: Where Ray looks whether files are there; here, all of them are.
_CHECKS = "ray._private.runtime_env.validation"
_FILES: dict[str, Any] = {
    "validate_path": lambda _: None,
    "_handle_local_deps_requirement_file": lambda _: ["a"],
}
_PLACE = re.compile(r"0x[0-9a-f]+|/\S+/(?=[\w.-]+)")


class _Refused(Exception):
    """Something that Ray does not take."""


class _Started(Exception):
    """As far as `ray start` goes here."""


@contextlib.contextmanager
def _step(name: str) -> Any:
    try:
        yield
    except Exception as error:
        lines = str(error).strip().splitlines() or [""]
        said = " ".join(line.strip() for line in lines)
        raise _Refused(f"{name}: {_PLACE.sub('', said)[:_LONGEST].strip()}") from error


def _of(module: str, name: str) -> Any:
    return getattr(importlib.import_module(module), name)


def runtime_env(given: Any) -> None:
    """As an actor gets it: that of a job, or a replica of Serve."""
    utils = importlib.import_module("ray._private.utils")
    with _step("construction"), mock.patch.multiple(_CHECKS, **_FILES):
        made = _of("ray.runtime_env", "RuntimeEnv")(**copy.deepcopy(given))
    with _step("no local paths"):
        _of("ray.runtime_env.runtime_env", "_validate_no_local_paths")(made)
    with _step("setup"):
        utils.get_runtime_env_info(made, is_job_runtime_env=True, serialize=True)


def job(given: Any) -> None:
    """A request to submit a job."""
    with _step("request"):
        _of("ray.dashboard.modules.job.common", "JobSubmitRequest")(**given)


def serve(given: Any) -> None:
    """A whole serve config: the request, then each application once its code is there."""
    with _step("request"):
        config = _of("ray.serve.schema", "ServeDeploySchema").parse_obj(copy.deepcopy(given))
    for application in config.applications:
        if application.runtime_env:
            runtime_env(application.runtime_env)
        with _step("deployment"):
            _deploy(application)


def _deploy(application: Any) -> None:
    names = {item.name for item in application.deployments} | {"ingress"}
    override = _of("ray.serve._private.application_state", "override_deployment_info")
    made = override({name: _deployment() for name in names}, application)
    for info in made.values():
        if environment := (info.replica_config.ray_actor_options or {}).get("runtime_env"):
            runtime_env(environment)


def _deployment() -> Any:
    config = importlib.import_module("ray.serve._private.config")
    info = _of("ray.serve._private.deployment_info", "DeploymentInfo")
    replica = config.ReplicaConfig.create(_Code)
    about = {"start_time_ms": 0, "deployer_job_id": "", "route_prefix": "/"}
    return info(config.DeploymentConfig(), replica, **about)


class _Code:
    """Stands for the code of a deployment."""

    def __call__(self) -> None:
        """Do nothing."""


def start(given: Any) -> None:
    """The arguments of `ray start`, as far as it gets before it starts anything."""
    command = _of("ray.scripts.scripts", "start")
    with contextlib.ExitStack() as stack:
        for name, stand_in in _STAND_INS.items():
            stack.enter_context(mock.patch(name, stand_in))
        stack.enter_context(contextlib.redirect_stdout(sys.stderr))
        with _step("ray start"), contextlib.suppress(_Started):
            try:
                command.main(args=[*given], standalone_mode=False)
            except SystemExit as error:
                raise RuntimeError("it ended") from error


def _started(*_: Any, **__: Any) -> None:
    raise _Started


_STAND_INS: dict[str, Callable[..., Any]] = {
    "ray._private.node.Node": _started,
    "ray._private.services.canonicalize_bootstrap_address": lambda address, **_: address,
    "ray._private.services.get_node_ip_address": lambda *_, **__: "10.0.0.1",
    "ray._private.services.node_ip_address_from_perspective": lambda *_, **__: "10.0.0.1",
}
ASKED: dict[str, Callable[[Any], None]] = {
    item.__name__: item for item in (runtime_env, job, serve, start)
}


def answer(subject: str, given: Any) -> str | None:
    try:
        ASKED[subject](given)
    except _Refused as refusal:
        return str(refusal)
    return None


def main() -> None:
    """Nothing is fetched, and nobody is told of it."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    questions = json.load(sys.stdin)
    with contextlib.redirect_stdout(sys.stderr):
        answers = [answer(subject, given) for subject, given in questions]
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()

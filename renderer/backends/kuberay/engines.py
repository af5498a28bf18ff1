"""Engines of language models that KubeRay's specs run: configured, in containers, or as a job."""

import json
from typing import TYPE_CHECKING

from renderer.backends.fields import elements, members, text
from renderer.backends.kuberay.pods import pods
from renderer.backends.kuberay.serve_config.applications import CPU
from renderer.backends.kuberay.serve_config.language_models import (
    LanguageModels,
    Model,
    language_models,
)
from renderer.backends.kuberay.serve_config.view import ServeView, model_view
from renderer.backends.kuberay.workloads import Group, Workload
from renderer.engines.marks import names_engine
from renderer.kubernetes.pods import Field
from renderer.text.wording import index_of
from renderer.values.diagnostics import Origin
from renderer.values.tree import Node, Plain, constant

if TYPE_CHECKING:  # most specs run no engine
    from collections.abc import Iterator

    from renderer.backends.kuberay.ray_engines import RayEngine
    from renderer.engines.runs import EngineContainer
    from renderer.engines.shell import Word

_ENTRYPOINT = "entrypoint"
_BY_LOADING = "Ray, from model_loading_config"
_BY_RAY = "Ray"
_EXECUTOR, _ACCELERATOR = "distributed_executor_backend", "accelerator_type"


def engine_containers(workload: Workload) -> "Iterator[EngineContainer]":
    """The engines of a cluster, a job or a service."""
    yield from _own_containers(workload)
    yield from _jobs(workload)
    serve = model_view(workload)
    for found in language_models(serve):
        for model in found.models:
            if not model.has_own_server:
                yield _configured(workload, serve, found, model)


def _own_containers(workload: Workload) -> "Iterator[EngineContainer]":
    """Those of pods; the program of an image is not started where the operator starts Ray."""
    has_own_images = "engines" in workload.environment.tree.items
    for pod in pods(workload):
        if not has_own_images and not any(names_engine(item.node) for item in pod.containers()):
            continue
        from renderer.engines.runs import containers_of

        for found in containers_of(pod):
            is_of_ray = found.place.path == pod.joined
            if not is_of_ray:
                yield found
            elif any(elements(found.container, key) for key in ("command", "args")):
                yield found._replace(pods=None)


def _jobs(workload: Workload) -> "Iterator[EngineContainer]":
    """What a job runs on its cluster, by its entrypoint."""
    given = workload.fields.get(_ENTRYPOINT)
    if given is None or not isinstance(given.value, str) or "vllm" not in given.value:
        return
    from renderer.backends.kuberay.ray_engines import ray_engine
    from renderer.engines.marks import VLLM
    from renderer.engines.releases import Release
    from renderer.engines.runs import EngineContainer

    ray = ray_engine(model_view(workload))
    release = Release(VLLM, ray.engine.version) if ray.is_known and ray.is_certain else None
    shell = (constant("sh", _BY_RAY), constant("-c", _BY_RAY), given)
    head = workload.cluster.head.container
    listed = head.node.items if head else {}
    own: dict[str, Node] = {key: listed[key] for key in ("image", "env") if key in listed}
    container = given.with_members({**own, "command": given.with_members(shell)})
    place = Field((_ENTRYPOINT,), given)
    pod = workload.cluster.head.pod.node
    found = EngineContainer(place, container, pod, workload.fields, pods=None, others=None)
    yield found._replace(release=release)


def _configured(
    workload: Workload, serve: ServeView, found: LanguageModels, model: Model
) -> "EngineContainer":
    """A model that Ray starts an engine for, with what it sets of that itself."""
    from renderer.backends.kuberay.node_accelerators import accelerators_of
    from renderer.backends.kuberay.ray_engines import ray_engine
    from renderer.engines.command_lines import CommandLine
    from renderer.engines.marks import VLLM
    from renderer.engines.releases import Release
    from renderer.engines.runs import EngineContainer

    ray = ray_engine(serve)
    is_stated = ray.is_known and ray.is_certain
    words = (*_given_words(serve, model), *_words_of_ray(ray, model))
    program = f"ray.serve.llm:{found.builder} of Ray {ray.version}"
    place = Field((*(serve.config.path if serve.config else ()), *model.path), model.node)
    asked = model.node.get(_ACCELERATOR)
    if asked and not asked.origin.file:  # it stands in a text
        asked = asked._replace(origin=Origin("", 0, 0, _ACCELERATOR))
    return EngineContainer(
        place,
        _variables(workload, model),
        constant({}, _BY_RAY),
        workload.fields,
        pods=None,
        uri=_uri(model),
        name=text(model.node, "model_loading_config", "model_id"),
        others=None,
        line=CommandLine(VLLM, program, words),
        release=Release(VLLM, ray.engine.version, workload.cluster.node if is_stated else None),
        chosen=accelerators_of(workload, model.accelerator_type, asked),
    )


def _given_words(serve: ServeView, model: Model) -> "Iterator[Word]":
    """The settings of `engine_kwargs` as options, each at its own place."""
    from renderer.engines.shell import Word

    for key, node in members(model.node, "engine_kwargs").items():
        name = key.replace("_", "-")
        flag = f"--no-{name}" if node.value is False else f"--{name}"
        if node.value is None:
            continue
        yield _placed(serve, Word(flag, node), node.key or node.origin)
        if not isinstance(node.value, bool):
            yield _placed(serve, Word(_written(node.plain()), node), node.origin)


def _placed(serve: ServeView, word: "Word", origin: Origin) -> "Word":
    """A word at its place in a file, or in the text of the file that holds the config."""
    config = serve.config
    if config is None or not config.is_text:
        return word._replace(node=word.node._replace(origin=origin))
    inside = index_of(str(config.source.value), origin.line, origin.column)
    return word._replace(node=config.source, inside=inside)


def _written(value: Plain) -> str:
    return json.dumps(value) if isinstance(value, (dict, list)) else str(value)


def _words_of_ray(ray: "RayEngine", model: Model) -> "Iterator[Word]":
    """What Ray adds to them, as its versions since 2.48 do it in one place."""
    from renderer.engines.shell import Word

    loading = model.node.get("model_loading_config") or model.node
    name = text(loading, "model_id")
    source = text(loading, "model_source") or text(loading, "model_source", "bucket_uri") or name
    given = members(model.node, "engine_kwargs")
    if name:
        for key, value in (("--model", source), ("--served-model-name", name)):
            yield Word(key, constant(value, _BY_LOADING))
            yield Word(value, constant(value, _BY_LOADING))
    if _EXECUTOR not in given:
        executor = "mp" if model.hardware == CPU else "ray"
        yield Word("--distributed-executor-backend", constant(executor, _BY_RAY))
        yield Word(executor, constant(executor, _BY_RAY))
    if "enable_log_requests" in ray.engine.fields() and "enable_log_requests" not in given:
        yield Word("--no-enable-log-requests", constant(value=False, reason=_BY_RAY))


def _uri(model: Model) -> Node | None:
    """Where a model comes from; a name alone is one of Hugging Face."""
    loading = model.node.get("model_loading_config") or model.node
    source = text(loading, "model_source") or text(loading, "model_source", "bucket_uri")
    name = source or text(loading, "model_id")
    if not name:
        return None
    return loading.with_value(name if "://" in name or name.startswith("/") else f"hf://{name}")


def _variables(workload: Workload, model: Model) -> Node:
    """A container with the variables that the engine gets: of its nodes, and of `runtime_env`."""
    of_nodes = [item for group in workload.groups for item in _listed_variables(group)]
    given = members(model.node, "runtime_env", "env_vars")
    own = [node.with_value({"name": constant(name, _BY_RAY)}) for name, node in given.items()]
    return model.node.with_members({"env": model.node.with_members((*of_nodes, *own))})


def _listed_variables(group: Group) -> tuple[Node, ...]:
    return elements(group.container.node, "env") if group.container else ()

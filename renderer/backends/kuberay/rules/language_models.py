"""Applications of `ray.serve.llm`: their arguments, as the version of Ray has them."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from renderer.backends.kuberay.serve_config.language_models import LanguageModels, language_models
from renderer.backends.kuberay.serve_config.view import ServeView
from renderer.text.wording import suggest
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

if TYPE_CHECKING:  # most services serve no language models
    from renderer.backends.kuberay.ray_engines import RayEngine
    from renderer.engines.shapes import Mismatch

_FIELD, _KIND = "serveConfigV2", "RayService"
_SOURCE = "ray-project/ray: python/ray/llm/_internal/serve, read and asked by version"
#: The first version that has `ray.serve.llm`.
_FIRST = (2, 44, 0)
#: Kinds of problems that are about a key, and not about its value.
_ABOUT_KEYS = ("unknown", "argument", "forbidden")


@rule("ENG301", Severity.ERROR, _KIND, reads=(_FIELD,), since="0.3.0")
def model_keys_are_known(serve: ServeView) -> Iterator[Finding]:
    """Arguments of `ray.serve.llm` have only keys that this version of Ray knows.

    Ray refuses others when it deploys the application, which stays at DEPLOY_FAILED.

    Fails:
        serveConfigV2:
          applications:
            - import_path: ray.serve.llm:build_openai_app
              args: {llm_configs: [{model_loading_config: {model_id: chat}, engine_args: {}}]}
    Passes:
        serveConfigV2:
          applications:
            - import_path: ray.serve.llm:build_openai_app
              args: {llm_configs: [{model_loading_config: {model_id: chat}, engine_kwargs: {}}]}
    """
    yield from _findings(serve, "unknown", "forbidden")


@rule("ENG302", Severity.ERROR, _KIND, reads=(_FIELD,), since="0.3.0")
def model_values_fit(serve: ServeView) -> Iterator[Finding]:
    """Values of arguments of `ray.serve.llm` are what this version of Ray takes.

    `accelerator_type` is one of those that Ray knows. Ray refuses others when it deploys the
    application.

    Fails:
        serveConfigV2:
          applications:
            - import_path: ray.serve.llm:build_openai_app
              args:
                llm_configs: [{model_loading_config: {model_id: chat}, accelerator_type: H1000}]
    Passes:
        serveConfigV2:
          applications:
            - import_path: ray.serve.llm:build_openai_app
              args:
                llm_configs: [{model_loading_config: {model_id: chat}, accelerator_type: H100}]
    """
    yield from _findings(serve, "type", "choice", "bound", "prefix")


@rule("ENG303", Severity.ERROR, _KIND, reads=(_FIELD,), since="0.3.0")
def models_are_given(serve: ServeView) -> Iterator[Finding]:
    """Arguments of `ray.serve.llm` have what each model needs, and one model at least.

    Ray refuses others when it deploys the application.

    Fails:
        serveConfigV2:
          applications:
            - import_path: ray.serve.llm:build_openai_app
              args: {llm_configs: []}
    Passes:
        serveConfigV2:
          applications:
            - import_path: ray.serve.llm:build_openai_app
              args: {llm_configs: [{model_loading_config: {model_id: chat}}]}
    """
    yield from _findings(serve, "missing", "empty")


@rule("ENG304", Severity.ERROR, _KIND, reads=(_FIELD,), since="0.3.0")
def engine_arguments_are_known(serve: ServeView) -> Iterator[Finding]:
    """`engine_kwargs` are arguments of the vLLM that this version of Ray brings.

    Ray refuses others when it deploys the application.

    Fails:
        serveConfigV2:
          applications:
            - import_path: ray.serve.llm:build_openai_app
              args:
                llm_configs:
                  - {model_loading_config: {model_id: chat}, engine_kwargs: {max_modle_len: 4096}}
    Passes:
        serveConfigV2:
          applications:
            - import_path: ray.serve.llm:build_openai_app
              args:
                llm_configs:
                  - {model_loading_config: {model_id: chat}, engine_kwargs: {max_model_len: 4096}}
    """
    yield from _findings(serve, "argument")


@rule("ENG305", Severity.ERROR, _KIND, reads=(_FIELD,), since="0.3.0")
def models_go_together(serve: ServeView) -> Iterator[Finding]:
    """Models of an application have names of their own, and settings that go together.

    Prefill and decode are of one model. Ray refuses others when it deploys the application.

    Fails:
        serveConfigV2:
          applications:
            - import_path: ray.serve.llm:build_openai_app
              args:
                llm_configs:
                  - {model_loading_config: {model_id: chat}}
                  - {model_loading_config: {model_id: chat}}
    Passes:
        serveConfigV2:
          applications:
            - import_path: ray.serve.llm:build_openai_app
              args:
                llm_configs:
                  - {model_loading_config: {model_id: chat}}
                  - {model_loading_config: {model_id: code}}
    """
    yield from _findings(serve, "repeated", "differs", "excludes")


@rule("ENG307", Severity.WARNING, _KIND, reads=(_FIELD, "rayClusterConfig"), since="0.3.0")
def model_arguments_are_likely(serve: ServeView) -> Iterator[Finding]:
    """The newest Ray that is known takes the arguments of `ray.serve.llm` where none is stated.

    Nothing says the version: no `rayVersion`, no tag of an image of Ray, no `kuberay.ray_version`
    of the environment; or it is one that came later than servingctl.

    Fails:
        rayClusterConfig: {rayVersion: 2.99.0}
        serveConfigV2:
          applications:
            - import_path: ray.serve.llm:build_openai_app
              args: {llm_configs: [{model_loading_config: {model_id: chat}, engine_args: {}}]}
    Passes:
        rayClusterConfig: {rayVersion: 2.99.0}
        serveConfigV2:
          applications:
            - import_path: ray.serve.llm:build_openai_app
              args: {llm_configs: [{model_loading_config: {model_id: chat}, engine_kwargs: {}}]}
    """
    for found, ray in _applications(serve):
        if not ray.is_known:
            for problem in _problems(found, ray):
                finding = _finding(serve, found, ray, problem)
                yield finding._replace(message=f"{finding.message}; {ray.assumption}")


@rule("ENG308", Severity.ERROR, _KIND, reads=(_FIELD, "rayClusterConfig"), since="0.3.0")
def builders_are_known(serve: ServeView) -> Iterator[Finding]:
    """`ray.serve.llm` of this version has the function that an `import_path` names.

    Ray cannot import the application otherwise, which stays at DEPLOY_FAILED.

    Fails:
        rayClusterConfig: {rayVersion: 2.48.0}
        serveConfigV2:
          applications:
            - import_path: ray.serve.llm:build_dp_openai_app
              args: {llm_config: {model_loading_config: {model_id: chat}}}
    Passes with: rayClusterConfig: {rayVersion: 2.52.0}
    """
    for found in language_models(serve):
        from renderer.backends.kuberay.ray_engines import ray_engine
        from renderer.engines.llm_config import builders, versions_with

        ray = ray_engine(serve)
        known, having = builders(ray.facts), versions_with(found.builder)
        is_older = _is_too_old(serve)
        if not found.builder.startswith("build_") or (found.builder in known and not is_older):
            continue
        place = (*found.application.path, "import_path")
        if not having:
            message = f"ray.serve.llm has no {found.builder}"
            yield serve.finding(place, message, suggest(found.builder, known, shown=str))
        elif ray.is_known or is_older:
            message = f"Ray {ray.stated} has no {found.builder}: it came with Ray {having[0]}"
            yield serve.finding(place, message, f"use Ray {having[0]} or later")


def _findings(serve: ServeView, *kinds: str) -> Iterator[Finding]:
    """What Ray's own models refuse, if the version is known that they are of."""
    for found, ray in _applications(serve):
        for problem in _problems(found, ray) if ray.is_known else ():
            if problem.kind in kinds:
                yield _finding(serve, found, ray, problem)


def _applications(serve: ServeView) -> "Iterator[tuple[LanguageModels, RayEngine]]":
    """Those whose builder the version of Ray has, with what is known of that."""
    for found in language_models(serve) if not _is_too_old(serve) else ():
        from renderer.backends.kuberay.ray_engines import ray_engine
        from renderer.engines.llm_config import builders

        ray = ray_engine(serve)
        if found.builder in builders(ray.facts):
            yield found, ray


def _is_too_old(serve: ServeView) -> bool:
    """Whether the version of Ray has nothing for language models."""
    return serve.ray_version is not None and serve.ray_version < _FIRST


def _problems(found: LanguageModels, ray: "RayEngine") -> "Iterator[Mismatch]":
    """What is wrong with the arguments; not what a later vLLM in an own image may have."""
    from renderer.engines.llm_config import config_problems, is_of_server

    for problem in config_problems(ray.facts, found.args.plain(), found.builder, ray.engine):
        name = str(problem.path[-1]) if problem.path else ""
        history = ray.engine.history(name) if problem.kind == "argument" else None
        may_have_come = history is not None and not history.removed
        if ray.is_certain or not may_have_come or is_of_server(ray.engine, name):
            yield problem


def _finding(
    serve: ServeView, found: LanguageModels, ray: "RayEngine", problem: "Mismatch"
) -> Finding:
    from renderer.engines.llm_config_words import explain_config

    arguments = found.args.plain()
    message, fix = explain_config(problem, ray.version, ray.engine, arguments, found.builder)
    path = (*found.path, *problem.path)
    return serve.finding(path, message, fix, at_key=problem.kind in _ABOUT_KEYS)


RULES = rules_with_source(
    (
        model_keys_are_known,
        model_values_fit,
        models_are_given,
        engine_arguments_are_known,
        models_go_together,
        model_arguments_are_likely,
        builders_are_known,
    ),
    _SOURCE,
)

"""The adapters of a model: their names, where they are put, and how many a route can tell apart."""

from collections.abc import Iterator

from renderer.backends.fields import elements, text
from renderer.backends.kserve.llm.rules.layers import cluster, is_elsewhere, layered, root
from renderer.backends.kserve.llm.rules.sources import LORA, ROUTER, VALIDATION
from renderer.backends.kserve.llm.service import LlmView
from renderer.kubernetes.pods import Field
from renderer.text.expressions import expression
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

_SINCE = "0.3.0"
_SERVICE = "LLMInferenceService"
_ADAPTERS = ("model", "lora", "adapters")
_HTTP = ("router", "route", "http")
_NO_FOLDER = expression(r"[^a-zA-Z0-9._-]")
_BY_MODEL = ("annotations", "serving.kserve.io/model-based-routing-enabled")
#: The paths of the shipped route that are told apart by model, and how many matches a rule takes.
_PATHS, _MOST_MATCHES = 8, 64
_MOST_ADAPTERS = _MOST_MATCHES // _PATHS - 1


def _names(view: LlmView) -> Iterator[Field]:
    for adapter in root(view).each(*_ADAPTERS):
        if name := adapter.get("name"):
            yield name


@rule("KSV524", Severity.ERROR, _SERVICE, since=_SINCE)
def adapters_have_names(view: LlmView) -> Iterator[Finding]:
    """The name of an adapter is not empty, and neither `.` nor `..`.

    A folder is called after it. KServe's webhook refuses the object.

    Fails:
        model: {uri: 'hf://acme/chat', lora: {adapters: [{name: .., uri: 'hf://acme/support'}]}}
    Passes:
        model: {uri: 'hf://acme/chat', lora: {adapters: [{name: help, uri: 'hf://acme/support'}]}}
    """
    for name in _names(view):
        if name.text in ("", ".", ".."):
            yield name.wrong(f"an adapter cannot be called {name.text!r}", "write another name")


@rule("KSV525", Severity.ERROR, _SERVICE, since=_SINCE)
def adapters_have_names_of_their_own(view: LlmView) -> Iterator[Finding]:
    """An adapter has another name than the model that it is for, and than other adapters.

    Requests ask for either by its name, which is that of the service where the model has none.
    KServe's webhook refuses the object.

    Fails: model: {name: support, lora: {adapters: [{name: support, uri: 'hf://acme/support'}]}}
    Passes: model: {name: chat, lora: {adapters: [{name: support, uri: 'hf://acme/support'}]}}
    """
    model = text(view.tree, "model", "name") or str(view.spec.name)
    owners = {model: "the model"}
    for name in _names(view):
        if name.text in owners:
            whose = owners[name.text]
            yield name.wrong(
                f"{whose} is called {name.text!r} too", "give the adapter another name"
            )
        owners.setdefault(name.text, "another adapter")


@rule("KSV526", Severity.WARNING, _SERVICE, since=_SINCE)
def adapters_have_folders_of_their_own(view: LlmView) -> Iterator[Finding]:
    """The names of two adapters differ in more than what no folder is called by.

    An adapter lies at `/mnt/lora/NAME`, where every character but letters, digits, `.`, `_` and `-`
    becomes `-`: two adapters in one folder overwrite each other, or are mounted twice (inferred).

    Fails:
        model:
          lora:
            adapters: [{name: a/b, uri: 'hf://acme/one'}, {name: a-b, uri: 'hf://acme/two'}]
    Passes:
        model:
          lora:
            adapters: [{name: a/b, uri: 'hf://acme/one'}, {name: a-c, uri: 'hf://acme/two'}]
    """
    folders: dict[str, str] = {}
    for name in _names(view):
        first = folders.setdefault(_NO_FOLDER.sub("-", name.text), name.text)
        if first != name.text:
            yield name.wrong(
                f"{name.text!r} lies in the folder of {first!r}", "give one of both another name"
            )


@rule("KSV527", Severity.ERROR, _SERVICE, since=_SINCE)
def route_tells_adapters_apart(view: LlmView) -> Iterator[Finding]:
    """A service with the route that KServe ships has at most seven adapters.

    One rule of the route has eight matches for the model and for each of its adapters, and no rule
    takes more than 64: the API server refuses the route (inferred). A cluster whose configuration
    does not route by the names of models has no such limit.

    Fails:
        router: {route: {}}
        model:
          lora:
            adapters:
              - {name: a, uri: 'hf://acme/a'}
              - {name: b, uri: 'hf://acme/b'}
              - {name: c, uri: 'hf://acme/c'}
              - {name: d, uri: 'hf://acme/d'}
              - {name: e, uri: 'hf://acme/e'}
              - {name: f, uri: 'hf://acme/f'}
              - {name: g, uri: 'hf://acme/g'}
              - {name: h, uri: 'hf://acme/h'}
    Passes with: annotations: {serving.kserve.io/model-based-routing-enabled: 'false'}
    """
    adapters = root(view).get(*_ADAPTERS)
    count = len(adapters.node.elements) if adapters else 0
    by_model = layered(view, *_BY_MODEL)
    if adapters is None or count <= _MOST_ADAPTERS or not _has_shipped_route(view):
        return
    where = cluster(view)
    routes_models = where is None or where.routes_models
    if routes_models and (by_model is None or by_model.value == "true"):
        yield adapters.wrong_key(
            f"{count} adapters need {_PATHS * (count + 1)} matches in one rule of the route, "
            f"which takes {_MOST_MATCHES}",
            f"keep {_MOST_ADAPTERS}, or write annotations: {{{_BY_MODEL[1]}: 'false'}}",
        )


def _has_shipped_route(view: LlmView) -> bool:
    is_own = layered(view, *_HTTP, "spec") is not None or layered(view, *_HTTP, "refs") is not None
    return layered(view, *_HTTP[:2]) is not None and not is_own


@rule("KSV528", Severity.WARNING, _SERVICE, since=_SINCE)
def adapters_are_said_once(view: LlmView) -> Iterator[Finding]:
    """Adapters are named in `model.lora`, or by `--lora-modules`, not both.

    Where an argument, the command or VLLM_ADDITIONAL_ARGS of the container `main` names modules,
    KServe adds none of those that `model.lora` lists (inferred).

    Fails:
        model: {lora: {adapters: [{name: support, uri: 'hf://acme/support'}]}}
        template: {containers: [{name: main, args: [--lora-modules=other=/mnt/lora/other]}]}
    Passes: model: {lora: {adapters: [{name: support, uri: 'hf://acme/support'}]}}
    """
    if not elements(view.tree, *_ADAPTERS):
        return
    for container in root(view).each("template", "containers"):
        variables = (item.get("value") for item in container.each("env"))
        given = (*container.each("args"), *container.each("command"), *filter(None, variables))
        named = (item for item in given if "--lora-modules" in item.text)
        if text(container.node, "name") == "main" and (first := next(named, None)):
            yield first.wrong(
                "--lora-modules is given, so that no adapter of model.lora is added",
                "delete it, and list all adapters in model.lora",
            )


@rule("KSV529", Severity.WARNING, _SERVICE, since=_SINCE)
def limits_have_adapters(view: LlmView) -> Iterator[Finding]:
    """`maxRank`, `maxAdapters` and `maxCpuAdapters` stand beside `adapters`.

    KServe passes them on with the adapters, and not by themselves (inferred).

    Fails: model: {lora: {maxRank: 32}}
    Passes: model: {lora: {maxRank: 32, adapters: [{name: support, uri: 'hf://acme/support'}]}}
    """
    lora = root(view).get("model", "lora")
    if lora is None or is_elsewhere(view, *_ADAPTERS):
        return
    for limit in lora.present(("maxRank", "maxAdapters", "maxCpuAdapters")):
        yield limit.wrong_key(
            f"there are no adapters for {limit.name}", "list them in adapters, or delete it"
        )


CONFIG_RULES = rules_with_source((adapters_have_names,), VALIDATION)
RULES = (
    *rules_with_source((adapters_have_names, adapters_have_names_of_their_own), VALIDATION),
    *rules_with_source(
        (adapters_have_folders_of_their_own, adapters_are_said_once, limits_have_adapters), LORA
    ),
    *rules_with_source((route_tells_adapters_apart,), ROUTER),
)

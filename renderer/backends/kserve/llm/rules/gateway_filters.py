"""What the Gateway API asks of the filters of a route, wherever the route stands."""

from collections.abc import Callable, Iterator

from renderer.backends.fields import elements, text, whole_number
from renderer.backends.kserve.llm.rules.layers import route_rules
from renderer.backends.kserve.llm.rules.sources import GATEWAY_API
from renderer.backends.kserve.llm.service import LlmView
from renderer.kubernetes.pods import Field
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

_SINCE = "0.3.0"
_SERVICE = "LLMInferenceService"
_REWRITE, _REDIRECT = "URLRewrite", "RequestRedirect"
#: The field that says more of each type of filter.
_FILTERS = {
    "RequestHeaderModifier": "requestHeaderModifier",
    "ResponseHeaderModifier": "responseHeaderModifier",
    "RequestMirror": "requestMirror",
    _REDIRECT: "requestRedirect",
    _REWRITE: "urlRewrite",
    "ExtensionRef": "extensionRef",
    "CORS": "cors",
    "ExternalAuth": "externalAuth",
}
#: Of these the API server does not compare the field with the type.
_UNCHECKED = frozenset(("externalAuth",))
_ONCE = ("CORS", "RequestHeaderModifier", "ResponseHeaderModifier", _REDIRECT, _REWRITE)
_PREFIX = "ReplacePrefixMatch"
_PATH_FIELDS = {"ReplaceFullPath": "replaceFullPath", _PREFIX: "replacePrefixMatch"}
_AUTH_FIELDS = {"GRPC": "grpc", "HTTP": "http"}


def _filter_lists(view: LlmView) -> Iterator[tuple[Field, Field]]:
    """The rules and their backends that may have filters, each with its rule."""
    for item in route_rules(view):
        yield item, item
        for backend in item.each("backendRefs"):
            yield item, backend


def filters(view: LlmView) -> Iterator[tuple[Field, Field]]:
    """Each filter, with its rule."""
    for item, holder in _filter_lists(view):
        for found in holder.each("filters"):
            yield item, found


def _compare(field: Field, word: str, table: dict[str, str]) -> Iterator[Finding]:
    """The field that belongs to a word must be there, and those of other words must not."""
    for name, key in table.items():
        given = field.get(key)
        if key in _UNCHECKED:
            continue
        if given and name != word:
            yield given.wrong_key(f"{key} belongs to {name}, and not to {word}", f"delete {key}")
        elif name == word and not given:
            yield field.wrong(f"{word} without {key}", f"write {key}")


@rule("KSV542", Severity.ERROR, _SERVICE, since=_SINCE)
def filters_say_what_their_type_is(view: LlmView) -> Iterator[Finding]:
    """A filter has the field that belongs to its `type`, and no other.

    The API server refuses the object.

    Fails:
        router:
          route:
            http:
              spec:
                rules:
                  - backendRefs: [{name: chat, port: 8000}]
                    filters: [{type: URLRewrite, requestHeaderModifier: {remove: [x-team]}}]
    Passes:
        router:
          route:
            http:
              spec:
                rules:
                  - backendRefs: [{name: chat, port: 8000}]
                    filters: [{type: URLRewrite, urlRewrite: {hostname: chat.example.com}}]
    """
    for _, found in filters(view):
        yield from _compare(found, text(found.node, "type"), _FILTERS)


@rule("KSV543", Severity.ERROR, _SERVICE, since=_SINCE)
def filters_do_not_clash(view: LlmView) -> Iterator[Finding]:
    """A rule redirects requests, or sends them on; and it does each of such things once.

    The API server refuses RequestRedirect beside URLRewrite or backends, and most types of filters
    if they are repeated.

    Fails:
        router:
          route:
            http:
              spec:
                rules:
                  - backendRefs: [{name: chat, port: 8000}]
                    filters: [{type: RequestRedirect, requestRedirect: {scheme: https}}]
    Passes:
        router:
          route:
            http:
              spec:
                rules: [{filters: [{type: RequestRedirect, requestRedirect: {scheme: https}}]}]
    """
    for item, holder in _filter_lists(view):
        given = [*holder.each("filters")]
        types = [text(found.node, "type") for found in given]
        for place, (found, kind) in enumerate(zip(given, types, strict=True)):
            if kind in _ONCE and kind in types[:place]:
                yield found.wrong(f"{kind} is there twice", "write one that does what both do")
            elif kind == _REDIRECT and _REWRITE in types:
                yield found.wrong(f"{_REDIRECT} stands beside {_REWRITE}", "delete one of both")
            elif found.get("requestRedirect") and holder is item and _sends_on(item):
                yield found.wrong("requests are redirected, and sent on", "delete one of both")


def _sends_on(item: Field) -> bool:
    return bool(elements(item.node, "backendRefs"))


@rule("KSV544", Severity.ERROR, _SERVICE, since=_SINCE)
def new_paths_are_said_once(view: LlmView) -> Iterator[Finding]:
    """A new path is a whole one or a new prefix; a prefix needs one match of the type PathPrefix.

    The API server refuses the object.

    Fails:
        router:
          route:
            http:
              spec:
                rules:
                  - matches: [{path: {type: Exact, value: /chat}}]
                    backendRefs: [{name: chat, port: 8000}]
                    filters:
                      - type: URLRewrite
                        urlRewrite: {path: {type: ReplacePrefixMatch, replacePrefixMatch: /}}
    Passes:
        router:
          route:
            http:
              spec:
                rules:
                  - matches: [{path: {type: PathPrefix, value: /chat}}]
                    backendRefs: [{name: chat, port: 8000}]
                    filters:
                      - type: URLRewrite
                        urlRewrite: {path: {type: ReplacePrefixMatch, replacePrefixMatch: /}}
    """
    for item, found in filters(view):
        for key in ("requestRedirect", "urlRewrite"):
            if (path := found.get(key, "path")) is None:
                continue
            kind = text(path.node, "type")
            yield from _compare(path, kind, _PATH_FIELDS)
            is_prefix = kind == _PREFIX and path.get(_PATH_FIELDS[_PREFIX])
            if is_prefix and not _has_one_prefix(item):
                yield path.wrong(
                    "the rule does not match by one prefix, which could be replaced",
                    "give the rule one match, with a path of type PathPrefix",
                )


def _has_one_prefix(item: Field) -> bool:
    """What is not said is a match of the prefix `/`."""
    matches = elements(item.node, "matches")
    kinds = [text(match, "path", "type") for match in matches]
    return not item.get("matches") or (len(kinds) == 1 and kinds[0] in ("", "PathPrefix"))


@rule("KSV547", Severity.ERROR, _SERVICE, since=_SINCE)
def parts_of_a_filter_agree(view: LlmView) -> Iterator[Finding]:
    """Fields of a filter that are about one thing agree with each other.

    Requests are copied by `percent` or by a `fraction` that is no more than all; `*` stands alone
    in a list of `cors`; `externalAuth` has the field of its protocol. The API server refuses the
    object otherwise.

    Fails:
        router:
          route:
            http:
              spec:
                rules:
                  - backendRefs: [{name: chat, port: 8000}]
                    filters: [{type: CORS, cors: {allowMethods: [GET, '*']}}]
    Passes:
        router:
          route:
            http:
              spec:
                rules:
                  - backendRefs: [{name: chat, port: 8000}]
                    filters: [{type: CORS, cors: {allowMethods: ['*']}}]
    """
    for _, found in filters(view):
        for key, check in _CHECKS.items():
            if part := found.get(key):
                yield from check(part)


def _check_mirror(mirror: Field) -> Iterator[Finding]:
    percent, fraction = mirror.get("percent"), mirror.get("fraction")
    if percent and fraction:
        yield percent.wrong_key("percent stands beside fraction", "delete one of both")
    above = whole_number(mirror.node, "fraction", "numerator")
    below = whole_number(mirror.node, "fraction", "denominator")
    if fraction and above is not None and above > (100 if below is None else below):
        more = "numerator is larger than denominator, which is more than all requests"
        yield fraction.wrong(more, "write a smaller numerator")


def _check_origins(cors: Field) -> Iterator[Finding]:
    for key in ("allowOrigins", "allowMethods", "allowHeaders"):
        items = [*cors.each(key)]
        for item in items:
            if item.text == "*" and len(items) > 1:
                yield item.wrong(f"'*' stands beside others in {key}", "delete '*', or the others")


def _check_authority(authority: Field) -> Iterator[Finding]:
    yield from _compare(authority, text(authority.node, "protocol"), _AUTH_FIELDS)


_CHECKS: dict[str, Callable[[Field], Iterator[Finding]]] = {
    "requestMirror": _check_mirror,
    "cors": _check_origins,
    "externalAuth": _check_authority,
}
CONFIG_RULES = rules_with_source(
    (
        filters_say_what_their_type_is,
        filters_do_not_clash,
        new_paths_are_said_once,
        parts_of_a_filter_agree,
    ),
    GATEWAY_API,
)
RULES = CONFIG_RULES

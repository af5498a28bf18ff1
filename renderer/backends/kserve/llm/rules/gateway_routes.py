"""What the Gateway API asks of a route, which KServe's schemas ask of one in an LLM service too."""

from collections.abc import Iterator

from renderer.backends.fields import text
from renderer.backends.kserve.llm.rules.gateway_filters import filters
from renderer.backends.kserve.llm.rules.layers import ROUTE_RULES, root, route_rules
from renderer.backends.kserve.llm.rules.sources import GATEWAY_API
from renderer.backends.kserve.llm.service import LlmView
from renderer.kubernetes.pods import Field
from renderer.kubernetes.quantities import nanoseconds
from renderer.text.expressions import expression
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

_SINCE = "0.3.0"
_SERVICE = "LLMInferenceService"
_PATH = expression(r"(?:[-A-Za-z0-9/._~!$&'()*+,;=:@]|%[0-9a-fA-F]{2})+")
_NOT_IN_PATHS = ("//", "/./", "/../", "%2f", "%2F", "#")
_NOT_AT_END = ("/..", "/.")
_MOST_MATCHES = 128


@rule("KSV541", Severity.ERROR, _SERVICE, since=_SINCE)
def backends_have_ports(view: LlmView) -> Iterator[Finding]:
    """A Service that a route leads to stands with its port.

    The same holds for one that gets copies of requests, or decides whether they pass. The API
    server refuses the object.

    Fails:
        router: {route: {http: {spec: {rules: [{backendRefs: [{name: chat}]}]}}}}
    Passes:
        router: {route: {http: {spec: {rules: [{backendRefs: [{name: chat, port: 8000}]}]}}}}
    """
    backends = [backend for item in route_rules(view) for backend in item.each("backendRefs")]
    places = ((key, "backendRef") for key in ("requestMirror", "externalAuth"))
    asked = (found.get(*place) for place in places for _, found in filters(view))
    for backend in (*backends, *filter(None, asked)):
        is_service = text(backend.node, "kind") in ("", "Service")
        if is_service and not text(backend.node, "group") and not backend.get("port"):
            yield backend.wrong(
                f"the Service {text(backend.node, 'name')!r} has no port", "write port: 8000"
            )


@rule("KSV545", Severity.ERROR, _SERVICE, since=_SINCE)
def paths_are_plain(view: LlmView) -> Iterator[Finding]:
    """A path that a rule matches begins with `/`, and has nothing in it that is resolved first.

    Unless it is a regular expression, the API server refuses a path with `//`, `/./`, `/../`, `%2f`
    or `#` and one with other characters than those of paths, braces among them.

    Fails:
        router:
          route:
            http:
              spec:
                rules:
                  - matches: [{path: {value: v1/chat}}]
                    backendRefs: [{name: chat, port: 8000}]
    Passes:
        router:
          route:
            http:
              spec:
                rules:
                  - matches: [{path: {value: /v1/chat}}]
                    backendRefs: [{name: chat, port: 8000}]
    """
    for item in route_rules(view):
        for match in item.each("matches"):
            path = match.get("path", "value")
            is_plain = text(match.node, "path", "type") != "RegularExpression"
            if path and is_plain and (reason := _why_refused(path.text)):
                yield path.wrong(f"the path {path.text!r} {reason}", "write a path such as /v1")


def _why_refused(path: str) -> str:
    if not path.startswith("/"):
        return "does not begin with '/'"
    if part := next((part for part in _NOT_IN_PATHS if part in path), ""):
        return f"has {part!r} in it"
    if end := next((end for end in _NOT_AT_END if path.endswith(end)), ""):
        return f"ends with {end!r}"
    return "" if _PATH.fullmatch(path) else "has characters that no path has"


@rule("KSV546", Severity.ERROR, _SERVICE, since=_SINCE)
def matches_are_few(view: LlmView) -> Iterator[Finding]:
    """The rules of a route have at most 128 matches in all.

    The API server refuses the object.

    Fails:
        router:
          route:
            http:
              spec:
                rules: [
                  {matches: &many [
                    {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},
                    {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},
                    {}, {}, {}, {}]},
                  {matches: *many}, {matches: *many}]
    Passes:
        router:
          route:
            http: {spec: {rules: [{matches: [{}], backendRefs: [{name: chat, port: 8000}]}]}}
    """
    rules = root(view).get(*ROUTE_RULES)
    if rules is None:
        return
    given = [item.get("matches") for item in rules.node.elements]
    count = sum(1 if some is None else len(some.elements) for some in given)
    if count > _MOST_MATCHES:
        yield rules.wrong_key(
            f"the rules have {count} matches, and a route at most {_MOST_MATCHES}",
            "split the route: make another one, and name both in http.refs",
        )


@rule("KSV548", Severity.ERROR, _SERVICE, since=_SINCE)
def times_of_a_route_agree(view: LlmView) -> Iterator[Finding]:
    """A backend has no longer time than the request, and a cookie that lasts has a timeout.

    `cookieConfig` stands where sessions are kept by cookies. The API server refuses the object
    otherwise.

    Fails:
        router:
          route:
            http:
              spec:
                rules:
                  - backendRefs: [{name: chat, port: 8000}]
                    timeouts: {request: 10s, backendRequest: 1m}
    Passes:
        router:
          route:
            http:
              spec:
                rules:
                  - backendRefs: [{name: chat, port: 8000}]
                    timeouts: {request: 1m, backendRequest: 10s}
    """
    for item in route_rules(view):
        yield from _check_timeouts(item)
        yield from _check_sessions(item)


def _check_timeouts(item: Field) -> Iterator[Finding]:
    backend = item.get("timeouts", "backendRequest")
    whole = nanoseconds(text(item.node, "timeouts", "request"))
    part = nanoseconds(backend.text) if backend else None
    if backend and whole and part is not None and part > whole:
        yield backend.wrong(
            "backendRequest is longer than request", "write a shorter one, or a longer request"
        )


def _check_sessions(item: Field) -> Iterator[Finding]:
    sessions = item.get("sessionPersistence")
    cookie = sessions.get("cookieConfig") if sessions else None
    if sessions is None or cookie is None:
        return
    if text(sessions.node, "type") not in ("", "Cookie"):
        yield cookie.wrong_key("cookieConfig belongs to the type Cookie", "delete it")
    is_lasting = text(cookie.node, "lifetimeType") == "Permanent"
    if is_lasting and not sessions.get("absoluteTimeout"):
        yield cookie.wrong_key("a lasting cookie without a timeout", "write absoluteTimeout")


_EVERYWHERE = (backends_have_ports, matches_are_few, times_of_a_route_agree)
CONFIG_RULES = rules_with_source(_EVERYWHERE, GATEWAY_API)
RULES = (*CONFIG_RULES, *rules_with_source((paths_are_plain,), GATEWAY_API))

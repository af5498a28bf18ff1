"""How Argo CD judges live objects, by our scripts and by its own."""

from importlib import import_module

from conformance.argocd.program import Judge
from conformance.kubernetes.client import Object
from conformance.operators.records import Row


def live_objects() -> dict[str, Object]:
    """All objects with a status that health checks are judged on, by their ids."""
    # Tests are not typed, and mypy would ask it of whatever is imported by name.
    found: dict[str, Object] = dict(import_module("tests.support.statuses").objects())
    return found


def judged(judge: Judge, settings: dict[str, str], objects: dict[str, Object]) -> Row:
    """Status and message of each, with these settings in argocd-cm."""
    requests = [{"settings": settings, "object": item} for item in objects.values()]
    return dict(zip(objects, judge.ask("health", requests), strict=True))


def unlike_built_in(judge: Judge, objects: dict[str, Object], ours: Row) -> dict[str, list[str]]:
    """Where Argo CD's own script says something else of objects than ours: by both, the ids."""
    found: dict[str, list[str]] = {}
    for name, answer in judged(judge, {}, objects).items():
        said = answer.get("status", "an error")
        if said != ours[name]["status"]:
            found.setdefault(f"{said} there, {ours[name]['status']} here", []).append(name)
    return {words: sorted(names) for words, names in sorted(found.items())}

"""What the rules on pods find in those of a spec, whichever kind it is of."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache

from renderer.backends.kinds import owner_of
from renderer.kubernetes.pod_rules import pod_rules, replica_rules
from renderer.kubernetes.pods import Pod
from renderer.kubernetes.versions import CLUSTERS, tells_versions, versions_of
from renderer.rules.secrets import RuleFinding
from renderer.values.diagnostics import Check, Finding, Path, Rule
from renderer.values.identity_cache import recent_results_cached
from renderer.values.model import Environment, Spec, Summary
from renderer.values.tree import Node

_MOST = 4096
_MANY = 4
#: Pods by all that rules read of them, in which the rules on pods found nothing.
_faultless: set[object] = set()
#: What says where findings are and since when, and is not looked at by rules as it stands.
_NOT_READ = ("tree", "files", "since")
_READ = tuple(number for number, name in enumerate(Pod._fields) if name not in _NOT_READ)
_WITH_NODES = ("spec", "others", "metadata", "tags")
_NODES = tuple(number for number in _READ if Pod._fields[number] in _WITH_NODES)
_OTHERS = tuple(number for number in _READ if number not in _NODES)


def pod_rule_findings(spec: Spec, pods: Sequence[Pod]) -> Iterator[RuleFinding]:
    """What they find. Most pods are like others, in which nothing was found before."""
    rules = _rules_for_pods(pods)
    is_quick = spec.unreliable or len(rules) < _MANY  # than a look at all that they read
    contents = [None if is_quick else (len(rules), _content(pod)) for pod in pods]
    asked = [number for number, content in enumerate(contents) if content not in _faultless]
    faulty: set[object] = {None}
    for rule, check in rules:
        for number in asked:
            pod = pods[number]
            if can_be_read(spec, rule, pod.spec.path):
                for item in check(pod):
                    faulty.add(contents[number])
                    if _is_certain(spec, item):
                        since = pod.since.get(rule.code) or item.since or pod.since.get("", "")
                        yield RuleFinding(rule, item._replace(tree=pod.tree, since=since))
    if len(_faultless) > _MOST:
        _faultless.clear()
    _faultless.update({contents[number] for number in asked} - faulty)


def _content(pod: Pod) -> object:
    """All that rules read of a pod: its fields, but of places only how specific their files are."""
    fields = [pod[number] for number in _NODES]
    known = _known_looks(*fields)
    if pod.files not in known:
        known[pod.files] = _look(pod, fields)
    return known[pod.files], *(pod[number] for number in _OTHERS)


@recent_results_cached
def _known_looks(*fields: object) -> dict[tuple[str, ...], object]:  # noqa: ARG001
    """By the files of a spec, what there is to see of a pod; filled as it is looked at."""
    return {}


def _look(pod: Pod, fields: Sequence[object]) -> object:
    ranks = {"": -1, **{file: rank for rank, file in enumerate(pod.files)}}

    def look(value: object) -> object:
        if isinstance(value, Node):
            given, rank = value.value, ranks.get(value.origin.file)
            if isinstance(given, dict):
                return rank, dict, tuple((key, look(child)) for key, child in given.items())
            if isinstance(given, tuple):
                return rank, tuple, tuple(map(look, given))
            return rank, type(given), given, value.text
        return tuple(map(look, value)) if isinstance(value, tuple) else value

    return tuple(map(look, fields))


def _rules_for_pods(pods: Sequence[Pod]) -> tuple[tuple[Rule, Check], ...]:
    """The rules on pods and their functions; few where specs say only how many pods they have.

    To import and to ask all of them would cost as much as all other rules of such a spec.
    """
    if any(pod.spec.node.items or pod.others for pod in pods):
        return _checks(pod_rules)
    return _checks(replica_rules) if pods else ()


@cache
def _checks(rules: Callable[[], tuple[Rule, ...]]) -> tuple[tuple[Rule, Check], ...]:
    return tuple((rule, rule.check) for rule in rules() if rule.check)


def pod_in_place(pod: Pod, spec: Spec, environment: Environment, users: Sequence[Summary]) -> Pod:
    """A pod that knows where it comes from and where it goes: files, versions of clusters."""
    pod = pod._replace(files=spec.files, in_production=environment.is_production)
    if owner_of(spec.kind.name).platform != CLUSTERS or not tells_versions(environment):
        return pod
    places = environment.platform_destinations(CLUSTERS)
    needed = {name for user in users for name in user.needs}
    routed = environment.routed_destinations(CLUSTERS, spec) or [
        one for one in places if one.name in needed
    ]
    return pod._replace(versions=versions_of(environment, routed or places))


def can_be_read(spec: Spec, rule: Rule, place: Path = ()) -> bool:
    """Whether what a rule reads, below a place, is what it should be."""
    if not spec.unreliable:
        return True
    start = "".join(f"{part}." for part in place if isinstance(part, str))
    return all(spec.is_reliable(f"{start}{path}".rstrip(".")) for path in rule.reads)


def _is_certain(spec: Spec, finding: Finding) -> bool:
    """Whether what is found at a place may not come from what cannot be read right there."""
    if not spec.unreliable:
        return True
    keys = tuple(part for part in finding.path if isinstance(part, str))
    return not any(keys in (bad, bad[:-1]) for bad in spec.unreliable)

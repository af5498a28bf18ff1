"""What a rule is about, told by a few words on a spec: where it is, its name and its labels."""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cache

from renderer.backends import BACKENDS
from renderer.policies.rule_files import CHANGE, RepositoryRule, names_in
from renderer.policies.rules import MATCHES_NOTHING
from renderer.text.digests import blake2b
from renderer.text.wording import mistaken, suggest
from renderer.values.diagnostics import Diagnostic
from renderer.values.model import Destination, Environment, Spec, SpecKey
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

#: What tells specs at one place apart.
_SINGLE = {"names", "labels"}
_KINDS = "kinds"
#: What a spec that cannot be composed is still known by.
_KNOWN = {"kinds", "environments", "production"}
#: What may be written with `*`, of that which a repository declares.
_PATTERNS = {"environments", "destinations"}


class Facts(NamedTuple):
    """What rules match a spec at a destination by; its kinds are its own and that of its object."""

    environment: str
    production: bool
    destination: str
    platform: str
    kinds: tuple[str, ...]
    name: str
    labels: tuple[tuple[str, str], ...]


def facts_of(
    spec: Spec, environment: Environment, destination: Destination, object_kind: str
) -> Facts:
    labels = ((key, node.value) for key, node in labels_of(spec).items())
    return Facts(
        environment.name,
        environment.is_production,
        destination.name,
        destination.platform,
        tuple(dict.fromkeys((spec.kind.name, *([object_kind] if object_kind else ())))),
        spec.name,
        tuple(sorted((key, value) for key, value in labels if isinstance(value, str))),
    )


def labels_of(spec: Spec) -> Mapping[str, Node]:
    """Those of the object that a spec is rendered to."""
    path = spec.kind.metadata or (("metadata",) if spec.kind.is_open else ())
    found = spec.tree.get(*path, "labels")
    return found.items if found else {}


def matches(rule: RepositoryRule, facts: Facts) -> bool:
    """Whether everything holds that a rule matches by."""
    if rule.match is None:
        return True
    match = rule.match.items
    production, labels = match.get("production"), match.get("labels")
    wanted = (
        ("environments", facts.environment),
        ("destinations", facts.destination),
        ("names", facts.name),
    )
    kinds = names_in(match, "kinds")
    platforms = names_in(match, "platforms")
    return (
        (not kinds or not set(facts.kinds).isdisjoint(kinds))
        and (not platforms or facts.platform in platforms)
        and (production is None or production.value == facts.production)
        and all(_fits(names_in(match, key), name) for key, name in wanted)
        and (labels is None or _has_labels(labels, dict(facts.labels)))
    )


def may_mean(rule: RepositoryRule, key: SpecKey, environment: Environment) -> bool:
    """Whether a rule may be about a spec of which no more is known than what it is, and where."""
    made = (i.kind for backend in BACKENDS for i in backend.stored if i.spec == key.kind)
    kinds = (key.kind, *made)
    facts = Facts(environment.name, environment.is_production, "", "", kinds, "", ())
    known = {k: node for k, node in rule.match.items.items() if k in _KNOWN} if rule.match else {}
    match = rule.match.with_members(known, gone={}) if rule.match and known else None
    return matches(rule._replace(match=match), facts)


def _fits(patterns: Sequence[str], name: str) -> bool:
    return not patterns or any(fnmatchcase(name, pattern) for pattern in patterns)


def _has_labels(wanted: Node, given: Mapping[str, str]) -> bool:
    return all(given.get(key) == node.value for key, node in wanted.items.items())


def match_faults(
    rules: Iterable[RepositoryRule], known: Mapping[str, Collection[str]]
) -> Iterator[Diagnostic]:
    """Names of a `match` that nothing has: all of them, or one that is a slip of a known one.

    `known` are the names that there are, by the keys of `match`. Kinds may be there that nobody
    here knows: only slips of those that are known are faults.
    """
    for rule in rules:
        for key, names in known.items():
            given = rule.match.get(key) if rule.match else None
            nodes = given.elements if given else ()
            wrong = [node for node in nodes if not _is_there(str(node.value), names, key)]
            for node in wrong:
                hint = mistaken(str(node.value), names)
                if hint or (len(wrong) == len(nodes) and key != _KINDS):
                    message = f"{rule.code} matches no {key[:-1]} by {node.value!r}"
                    fix = suggest(str(node.value), names)
                    yield MATCHES_NOTHING.at(node.origin, message, fix)


def _is_there(name: str, known: Collection[str], key: str) -> bool:
    return name in known or (key in _PATTERNS and any(fnmatchcase(one, name) for one in known))


def fact_texts(every: Iterable[Facts]) -> Iterator[str]:
    """Facts as they are remembered, each once: where it is, and which spec on a line of its own."""
    for facts in sorted(set(every)):
        place, single = facts._replace(name="", labels=()), (facts.name, facts.labels)
        yield f"{json.dumps(place)}\n{json.dumps(single)}"


def digest_by_facts(
    rules: Iterable[RepositoryRule], digests: Mapping[str, bytes]
) -> Callable[[str], bytes]:
    """For remembered facts, a digest of the rules that would be asked now, in one state.

    Most rules match by the place alone, which many specs share.
    """
    asked = [rule for rule in rules if rule.on != CHANGE]
    single = [rule for rule in asked if rule.match and _SINGLE & rule.match.items.keys()]
    general = [rule for rule in asked if rule not in single]

    @cache
    def place_digest(text: str) -> bytes:
        return _digest(general, facts_in(text), digests)

    @cache
    def facts_in(text: str) -> Facts:
        environment, production, destination, platform, kinds, *_ = json.loads(text)
        return Facts(environment, production, destination, platform, tuple(kinds), "", ())

    def digest(text: str) -> bytes:
        place, _, spec = text.partition("\n")
        if not single:
            return place_digest(place)
        name, labels = json.loads(spec)
        pairs = tuple((key, value) for key, value in labels)
        facts = facts_in(place)._replace(name=name, labels=pairs)
        return place_digest(place) + _digest(single, facts, digests)

    return digest


def _digest(rules: Iterable[RepositoryRule], facts: Facts, digests: Mapping[str, bytes]) -> bytes:
    total = blake2b(digest_size=20)
    for rule in rules:
        if matches(rule, facts):
            total.update(f"\0{rule.file}\0".encode("utf-8", "surrogateescape"))
            total.update(digests[rule.file])
    return total.digest()

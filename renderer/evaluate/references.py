"""What is wrong with references to objects of the cluster, and with what is said to be there."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from renderer.backends.kinds import (
    NAMESPACES,
    REGISTERED,
    kind_called,
    known_kinds,
    provided_fields,
)
from renderer.manifests.prerequisite_places import PlacedPrerequisites
from renderer.manifests.references import ResolvedReferences, canonical, resolve
from renderer.rules.references import (
    MADE_TWICE,
    MISFIT,
    MISSING_KEY,
    MISSING_OBJECT,
    OPEN_REFERENCES,
    UNNEEDED,
)
from renderer.text.expressions import expression
from renderer.text.wording import (
    counted,
    did_you_mean,
    few_listed,
    listed,
    nearest,
    suggest,
)
from renderer.values.diagnostics import Diagnostic, Origin, Severity
from renderer.values.model import REFERENCES, Environment, Summary, environment_of
from renderer.values.named_tuple import NamedTuple
from renderer.values.references import Need, ProvidedObject, ReferenceSettings

_PLAIN_WORD = expression(r"[A-Za-z][-A-Za-z0-9._/]*")
#: What only some kinds of objects have.
_PARTICULAR = ("keys", "labels", "namespace")
_OTHER_WORDS = frozenset(("true", "false", "null", "yes", "no", "on", "off", "y", "n"))


class CheckedReferences(NamedTuple):
    """What is wrong with those of an environment, and which provided objects nothing needs.

    `needed` are the places of those that something needs: another environment may inherit them.
    """

    environment: Environment
    found: tuple[Diagnostic, ...] = ()
    needed: frozenset[Origin] = frozenset()
    unneeded: tuple[ProvidedObject, ...] = ()


def check_references(
    environment: Environment,
    placed: PlacedPrerequisites,
    every: Sequence[Summary],
    *,
    is_complete: bool,
    has_policies: bool = False,
) -> CheckedReferences:
    """All references of an environment, given where everything goes.

    Unless all specs are known and sound, nothing is said of what seems not to be needed. Where
    there are admission policies of the cluster, these look at the labels of namespaces.
    """
    settings = ReferenceSettings.of(environment)
    resolved = resolve(environment, placed, every)
    names = [item.name for item in environment.destinations]
    misfits = {item.origin for item in settings.provided if [*_entry_misfits(item, names)]}
    wrong = _misfits(environment, settings)
    found = [item.about(environment.name, related=environment.files) for item in wrong]
    found += _made_twice(environment, resolved)
    if not environment.unread:  # else what is missing may stand in a file that cannot be read
        found += _missing(environment, settings, resolved.needs)
        found += _missing_keys(environment, settings, resolved.needs)
    provided = (need.maker.provided for need in resolved.needs if need.maker)
    needed = frozenset(item.origin for item in provided if item)
    known = needed.union(misfits, (item.origin for item, _ in resolved.made_twice))
    # who refers to specs of ours is known to the rules of their backends alone
    known = known.union(i.origin for i in settings.provided if canonical(i.kind) in REGISTERED)
    if has_policies:
        labelled = (item for item in settings.provided if item.node.get("labels"))
        known = known.union(item.origin for item in labelled if item.kind == NAMESPACES)
    unneeded = (item for item in settings.provided if item.origin not in known)
    return CheckedReferences(
        environment, tuple(found), needed, tuple(unneeded) if is_complete else ()
    )


def unneeded_objects(
    checked: Sequence[CheckedReferences], *, is_whole: bool
) -> Iterator[Diagnostic]:
    """Provided objects that nothing needs in any environment that says so of them."""
    needed = {origin for one in checked for origin in one.needed}
    for one in checked:
        for item in one.unneeded:
            own = environment_of(item.origin.file) == one.environment.name
            if item.origin not in needed and (own or is_whole):
                message = f"nothing refers to {item.kind} {item.name!r}"
                fix = "delete it, or correct its name, namespace or destination"
                found = UNNEEDED.at(item.origin, message, fix)
                yield found.about(one.environment.name, related=one.environment.files)


def _missing(
    environment: Environment, settings: ReferenceSettings, needs: Iterable[Need]
) -> Iterator[Diagnostic]:
    missing = [need for need in needs if need.is_missing]
    if not settings.is_closed:
        yield from _open_references(environment, missing)
        return
    for some in _group_by_reference(missing).values():
        first, places = some[0], dict.fromkeys(need.place for need in some)
        message = f"{first.use.kind} {first.use.name!r} is neither made here nor provided"
        found = MISSING_OBJECT.at(
            first.origin, f"{message} in {listed(places)}", _remedy(first, environment)
        )
        yield _add_related(found, first, environment)


def _group_by_reference(needs: Iterable[Need]) -> Mapping[object, list[Need]]:
    """The needs of one reference: it may be needed in several namespaces."""
    found: dict[object, list[Need]] = {}
    for need in needs:
        found.setdefault((need.origin, need.use.kind, need.use.name), []).append(need)
    return found


def _remedy(need: Need, environment: Environment) -> str:
    name = f"{need.use.kind}/{need.use.name}"
    provided = f"{name} to references.provided of {environment.file} if it is there already"
    hints = [did_you_mean(nearest(need.use.name, need.alike))]
    if need.elsewhere:
        hints.append(f"there is one in {few_listed(need.elsewhere, 'other place')}")
    hints.append(f"add a companion that makes it, or add {provided}")
    return "; ".join(filter(None, hints)).replace("?;", "? Otherwise")


def _missing_keys(
    environment: Environment, settings: ReferenceSettings, needs: Iterable[Need]
) -> Iterator[Diagnostic]:
    severity = Severity.ERROR if settings.is_closed else Severity.WARNING
    said: set[tuple[Origin, str]] = set()
    for need in needs:
        for key in need.missing_keys:
            where = need.use.key_origins[need.use.keys.index(key)]
            if (where, key) in said or need.maker is None:
                continue
            said.add((where, key))
            known = sorted(need.maker.keys or ())
            message = f"{need.use.kind} {need.use.name!r} has no key {key!r}"
            message += f"; it has {listed(map(repr, known))}"
            hint = did_you_mean(nearest(key, known))
            fix = f"{hint} Otherwise add it to {need.maker}" if hint else f"add it to {need.maker}"
            found = MISSING_KEY.at(where, message, fix)._replace(severity=severity)
            yield _add_related(found, need, environment)


def _add_related(found: Diagnostic, need: Need, environment: Environment) -> Diagnostic:
    made = (need.maker.file,) if need.maker and need.maker.file else ()
    via = need.use.via
    found = found._replace(via=(via.file, via.line)) if via else found
    return found.about(environment.name, related=(*need.files, *environment.files, *made))


def _open_references(environment: Environment, missing: Sequence[Need]) -> Iterator[Diagnostic]:
    """One finding with all that nothing here makes, as the environment would list it."""
    if not missing:
        return
    entries = list(_entries(environment, missing))
    node = environment.tree.get(REFERENCES)
    where = (node.key or node.origin) if node else Origin(environment.file)
    message = f"{counted(len(entries), 'object')} that specs refer to are neither made here"
    message = message.replace("are", "is", 1) if len(entries) == 1 else message
    found = OPEN_REFERENCES.at(where, f"{message} nor provided")
    fix = f"add what the clusters have already: references: {{provided: [{', '.join(entries)}]}}"
    yield found._replace(fix=fix).about(environment.name, related=environment.files)


def _entries(environment: Environment, missing: Iterable[Need]) -> Iterator[str]:
    """Each object once for each namespace that is not its destination's own."""
    own = {item.name: item.namespace for item in environment.destinations}
    found: dict[tuple[str, str, str], list[Need]] = {}
    for need in missing:
        namespace = "" if need.namespace == own[need.destination] else need.namespace
        found.setdefault((need.use.kind, need.use.name, namespace), []).append(need)
    for (kind, name, namespace), some in sorted(found.items()):
        keys = sorted({key for need in some for key in need.use.keys})
        if not keys and not namespace:
            yield _word(f"{kind}/{name}")
            continue
        parts = {"kind": _word(kind), "name": _word(name)}
        parts |= {"keys": f"[{', '.join(map(_word, keys))}]"} if keys else {}
        parts |= {"namespace": _word(namespace)} if namespace else {}
        yield f"{{{', '.join(f'{key}: {value}' for key, value in parts.items())}}}"


def _word(text: str) -> str:
    """A text as YAML has it, in quotes where it might be read as something else."""
    is_plain = _PLAIN_WORD.fullmatch(text) and text.lower() not in _OTHER_WORDS
    return text if is_plain else f'"{text}"'


def _made_twice(environment: Environment, resolved: ResolvedReferences) -> Iterator[Diagnostic]:
    for item, spec in resolved.made_twice:
        message = f"{item.kind} {item.name!r} is there already, and {spec.file} makes it"
        found = MADE_TWICE.at(item.origin, message, "delete one of the two")
        yield found.about(environment.name, related=(*environment.files, *spec.files))


class _Misfit(NamedTuple):
    """What does not fit of an entry, and how to mend it."""

    origin: Origin
    message: str
    fix: str


def _misfits(environment: Environment, settings: ReferenceSettings) -> Iterator[Diagnostic]:
    for node in settings.misread:
        fix = "write Kind/name, such as Secret/hub-token"
        yield MISFIT.at(node.origin, f"{node.value!r} is no kind and name", fix)
    names = [item.name for item in environment.destinations]
    for item in settings.provided:
        yield from (MISFIT.at(*found) for found in _entry_misfits(item, names))


def _entry_misfits(item: ProvidedObject, destinations: Sequence[str]) -> Iterator[_Misfit]:
    given, kind = item.node.items, canonical(item.kind)
    if kind_called(kind) is None:
        hint = did_you_mean(nearest(item.kind, known_kinds()))
        fix = f"{hint} Otherwise write its group as well: Kind.group".lstrip()
        yield _Misfit(given["kind"].origin, f"there is no kind {item.kind!r}", fix)
        return
    if item.destination and item.destination not in destinations:
        fix = suggest(item.destination, destinations)
        message = f"there is no destination {item.destination!r}"
        yield _Misfit(given["destination"].origin, message, fix)
    for key in _PARTICULAR:
        if key in given and key not in provided_fields(kind):
            where = given[key].key or given[key].origin
            yield _Misfit(where, f"the kind {kind} has no {key}", f"delete {key}")

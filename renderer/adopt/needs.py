"""What imported specs refer to and nothing makes: neither the import nor the environment."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from renderer.adopt.drafts import Draft
from renderer.backends.kinds import functions_of, is_always_there
from renderer.kubernetes.mentions import references
from renderer.manifests.references import canonical
from renderer.text.wording import listed
from renderer.values.model import Environment, Reference, Spec
from renderer.values.references import ReferenceSettings


def missing_objects(drafts: Iterable[Draft], environment: Environment | None) -> tuple[str, ...]:
    """Names of objects that drafts need, each with the specs that refer to it."""
    if environment is None:
        return ()
    specs = {spec.identity: spec for spec in environment.specs}
    users: dict[str, list[str]] = {}
    for draft in drafts:
        for use in _uses(specs[draft.identity]) if draft.identity in specs else ():
            if not _is_there(use, environment):
                users.setdefault(f"{use.kind}/{use.name}", []).append(str(draft))
    return users_text(users)


def users_text(users: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Names of objects, each with all that refer to it."""
    distinct = {name: list(dict.fromkeys(some)) for name, some in sorted(users.items())}
    return tuple(
        f"{name}, to which {listed(some)} refer{'s' if len(some) == 1 else ''}"
        for name, some in distinct.items()
    )


def _uses(spec: Spec) -> Iterator[Reference]:
    functions = functions_of(spec.kind.name)
    return references(spec.tree, functions.mentions(spec.kind.name))


def _is_there(use: Reference, environment: Environment) -> bool:
    given = {(canonical(p.kind), p.name) for p in ReferenceSettings.of(environment).provided}
    is_given = is_always_there(use.kind, use.name) or (canonical(use.kind), use.name) in given
    return use.is_optional or is_given or bool(environment.named_specs(use))

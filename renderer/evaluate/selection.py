"""Finding an environment or a spec by what people call it."""

from collections.abc import Collection

from renderer.errors import UsageError
from renderer.text.wording import listed, suggest
from renderer.values.model import Environment, Project, Spec


def environments(project: Project, names: Collection[str]) -> list[Environment]:
    """The environments of these names, or all of them."""
    known = {environment.name: environment for environment in project.environments}
    broken = {name for item in project.diagnostics for name in item.environments}
    for name in names:
        if name not in known and name not in broken:
            raise UsageError(f"there is no environment {name!r}; {suggest(name, known)}")
    return [item for name, item in known.items() if not names or name in names]


def spec(environment: Environment, name: str) -> Spec:
    """The spec that `[KIND/]STEM` names."""
    kind, _, stem = name.rpartition("/")
    found = [s for s in environment.specs if s.stem == stem and kind in ("", s.kind.name)]
    if len(found) == 1:
        return found[0]
    where = f"in the environment {environment.name!r}"
    if found:
        raise UsageError(f"{name!r} is ambiguous {where}; say {listed(map(str, found), 'or')}")
    known = [item.stem for item in environment.specs]
    raise UsageError(f"there is no spec {name!r} {where}; {suggest(stem, known)}")

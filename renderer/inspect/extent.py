"""What a repository holds, in a few lines."""

from collections.abc import Iterator, Mapping

from renderer.backends.kinds import backends_of
from renderer.evaluate.project import Project
from renderer.evaluate.rendering import Rendering
from renderer.manifests.planned_objects import unit_names
from renderer.text.wording import counted, listed, visible


def extent(counts: Mapping[str, int]) -> str:
    """`3 environments, 7 specs`."""
    return f"{counted(len(counts), 'environment')}, {counted(sum(counts.values()), 'spec')}"


def described(project: Project, rendering: Rendering) -> Iterator[str]:
    """Every spec with its units and the files it is rendered to."""
    for environment in project.environments:
        names = [destination.name for destination in environment.destinations]
        yield f"{environment.name}: {listed(names) if names else 'only inherited from'}"
        for backend in backends_of(environment):
            yield from (f"  needs {line}" for line in backend.load().needs(environment))
        for spec in environment.specs:
            units = unit_names(spec, environment, project.shared.templates)
            yield visible(f"  {spec}" + (f" ({', '.join(units)})" if units else ""))
            for manifest in rendering.manifests:
                if manifest.spec.key == spec.key:
                    yield f"    {manifest.path}"

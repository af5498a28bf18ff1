"""What a repository holds, in a few lines."""

from collections.abc import Collection, Iterator

from renderer.backends import BACKENDS
from renderer.backends.kinds import OWNERS
from renderer.evaluate import selection as selecting
from renderer.evaluate.pipeline import Rendering
from renderer.text.wording import counted, listed, visible
from renderer.values.model import Project


def extent(project: Project, names: Collection[str]) -> str:
    """`3 environments, 7 specs`."""
    chosen = selecting.environments(project, names)
    specs = sum(len(environment.specs) for environment in chosen)
    return f"{counted(len(chosen), 'environment')}, {counted(specs, 'spec')}"


def described(project: Project, rendering: Rendering) -> Iterator[str]:
    """Every spec with its units and the files it is rendered to."""
    for environment in project.environments:
        names = [destination.name for destination in environment.destinations]
        yield f"{environment.name}: {listed(names) if names else 'only inherited from'}"
        for platform in dict.fromkeys(item.platform for item in environment.destinations):
            if platform in BACKENDS:
                yield from (f"  needs {line}" for line in BACKENDS[platform].needs(environment))
        for spec in environment.specs:
            units = [unit.name for unit in OWNERS[spec.kind.name].units(spec)]
            yield visible(f"  {spec}" + (f" ({', '.join(units)})" if units else ""))
            for manifest in rendering.manifests:
                if manifest.spec is spec:
                    yield f"    {manifest.path}"

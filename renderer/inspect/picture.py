"""What a picture is made of: a spec, or all specs of an environment."""

from renderer.backends.kinds import backends_of, functions_of
from renderer.errors import UsageError
from renderer.values.model import Environment, Spec
from renderer.values.picture import Picture, join


def draw_spec(spec: Spec, environment: Environment) -> Picture:
    """One spec, with all that it connects."""
    draw = functions_of(spec.kind.name).picture
    if draw is None:
        raise UsageError(f"{spec} runs nothing by itself; name a spec that uses it")
    return draw(spec, environment)


def draw_environment(environment: Environment) -> Picture:
    """All that runs, on all platforms of the environment."""
    if not environment.destinations:
        reason = "is only inherited from; it has no destinations"
        raise UsageError(f"the environment {environment.name!r} {reason}")
    overviews = (backend.load().overview for backend in backends_of(environment))
    return join(environment.name, (draw(environment) for draw in overviews if draw))

"""What a picture is made of: a spec, or all specs of an environment."""

from renderer.backends import BACKENDS
from renderer.backends.kinds import OWNERS
from renderer.errors import UsageError
from renderer.values.model import Environment, Spec
from renderer.values.picture import Picture, join


def draw_spec(spec: Spec, environment: Environment) -> Picture:
    """One spec, with all that it connects."""
    picture = OWNERS[spec.kind.name].picture(spec, environment)
    if picture is None:
        raise UsageError(f"{spec} runs nothing by itself; name a spec that uses it")
    return picture


def draw_environment(environment: Environment) -> Picture:
    """All that runs, on all platforms of the environment."""
    platforms = dict.fromkeys(item.platform for item in environment.destinations)
    if not platforms:
        reason = "is only inherited from; it has no destinations"
        raise UsageError(f"the environment {environment.name!r} {reason}")
    return join(environment.name, (BACKENDS[name].overview(environment) for name in platforms))

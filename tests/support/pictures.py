"""Pictures of repositories, drawn as `servingctl graph` draws them."""

from renderer.evaluate.question import find_spec
from renderer.evaluate.run import render
from renderer.inspect import picture
from renderer.inspect.applied_specs import derived_spec, derived_specs
from renderer.inspect.company import company_of


def draw_spec(project, name, environment=None):
    """One spec of the only environment, or of the given one."""
    found = environment or project.environments[0]
    rendering = render(project, [found.name])
    derived = derived_spec(project, rendering, found, find_spec(found, name))
    return picture.draw_spec(*derived, company_of(found))


def draw_environment(project, environment=None, rendering=None):
    found = environment or project.environments[0]
    rendering = rendering or render(project, [found.name])
    return picture.draw_environment(found, derived_specs(project, rendering, found))

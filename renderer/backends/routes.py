"""The line of a new spec that says where it goes, for kinds that do not route themselves."""

from renderer.text.wording import listed
from renderer.text.yaml_writer import scalar_text
from renderer.values.model import Environment


def destination_line(environment: Environment, platform: str) -> str:
    """Nothing where there is no choice; a comment where there is no destination yet."""
    names = [item.name for item in environment.platform_destinations(platform)]
    if not names:
        return f"# There is no destination for it yet: add one with platform: {platform}.\n"
    if len(names) == 1:
        return ""
    return f"destination: {scalar_text(names[0])}   # or {listed(names[1:], 'or')}\n"

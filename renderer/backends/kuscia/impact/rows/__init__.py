"""The table of impacts.

The controller never recomputes a Deployment: it compares a handful of fields and leaves the rest,
and Services and ConfigMaps that exist, as they are.
"""

from renderer.backends.kuscia.impact.rows import images, objects, servings

ROWS = {**objects.ROWS, **servings.ROWS, **images.ROWS}

"""What secretflow-serving asks of its input config, in order of the codes."""

from renderer.backends.kuscia.rules.input_config import (
    connections,
    form,
    models,
    parties,
    transport,
)
from renderer.backends.kuscia.rules.sources import SERVING
from renderer.values.diagnostics import rules_with_source

_READ = ("serving_input_config", "parties.domain_id")
RULES = rules_with_source(
    (
        rule._replace(reads=_READ)
        for rule in (
            *form.RULES,
            *parties.RULES,
            *models.RULES,
            *connections.RULES,
            *transport.RULES,
        )
    ),
    SERVING,
)

"""What secretflow-serving asks of its input config, in order of the codes."""

from renderer.backends.kuscia.rules.inputconfig import (
    channels,
    features,
    form,
    models,
    parties,
    transport,
)

_READ = ("serving_input_config", "parties.domain_id")
RULES = tuple(
    rule._replace(reads=_READ)
    for rule in (
        *form.RULES,
        *parties.RULES,
        *models.RULES,
        *features.RULES,
        *channels.RULES,
        *transport.RULES,
    )
)

"""What secretflow-serving asks of its input config, in order of the codes."""

from renderer.backends.kuscia.rules.inputconfig import (
    channels,
    features,
    form,
    models,
    parties,
    transport,
)

RULES = (
    *form.RULES,
    *parties.RULES,
    *models.RULES,
    *features.RULES,
    *channels.RULES,
    *transport.RULES,
)

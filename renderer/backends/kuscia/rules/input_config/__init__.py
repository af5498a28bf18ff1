"""What secretflow-serving asks of its input config."""

from renderer.backends.kuscia.rules.input_config import form, models, parties
from renderer.backends.kuscia.rules.sources import SERVING
from renderer.values.diagnostics import rules_with_source

_READ = ("serving_input_config", "parties.domain_id")
RULES = rules_with_source(
    (rule._replace(reads=_READ) for rule in (*form.RULES, *parties.RULES, *models.RULES)), SERVING
)

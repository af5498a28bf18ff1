"""What can be wrong with the shape of a spec."""

from renderer.values.diagnostics import documented

UNKNOWN_KEY = documented(
    "SPC010",
    "known-keys",
    """Every key is one that the schema knows.

    The platforms drop unknown fields without a message, so a misspelt one changes nothing.

    Fails:

        parties:
          - {domain_id: alice, app_image: scorer, replica: 2}

    Passes:

        parties:
          - {domain_id: alice, app_image: scorer, replicas: 2}
    """,
)
MISSING_KEY = documented(
    "SPC011",
    "complete",
    """Every key that the platform needs is given.

    Fails:

        parties:
          - {app_image: scorer}

    Passes:

        parties:
          - {domain_id: alice, app_image: scorer}
    """,
)
TYPE = documented(
    "SPC012",
    "right-type",
    """A value is of the type the schema wants.

    Fails:

        parties: alice

    Passes:

        parties:
          - {domain_id: alice, app_image: scorer}
    """,
)
TEXT = documented(
    "SPC013",
    "text-in-quotes",
    """Text that looks like a number or a truth value stands in quotes.

    YAML reads `1.10` as the number 1.1 and `true` as a truth value; what was meant is lost.

    Fails:

        parties:
          - {domain_id: alice, app_image: scorer, role: 1.10}

    Passes:

        parties:
          - {domain_id: alice, app_image: scorer}
    """,
)
CHOICE = documented(
    "SPC014",
    "allowed-value",
    """A value is one of those the platform knows.

    Fails:

        affinity_mode: spread

    Passes:

        affinity_mode: anti-affinity
    """,
)
FORM = documented(
    "SPC015",
    "right-form",
    """A name, quantity or path has the form that the platform accepts.

    Fails:

        service_name_prefix: Credit_Risk
        serving_id: Credit_Risk

    Passes:

        serving_id: credit-risk
    """,
)
BOUND = documented(
    "SPC016",
    "within-bounds",
    """Numbers, texts and lists are within their bounds.

    Fails:

        parties:
          - {domain_id: alice, app_image: scorer, replicas: -1}

    Passes:

        parties:
          - {domain_id: alice, app_image: scorer, replicas: 1}
    """,
)

RULES = (UNKNOWN_KEY, MISSING_KEY, TYPE, TEXT, CHOICE, FORM, BOUND)

"""What can be wrong with the shape of a spec."""

from renderer.values.diagnostics import documented_rule

UNKNOWN_KEY = documented_rule(
    "SPC010",
    "known-keys",
    """Every key is one that the schema knows.

    The platforms drop unknown fields without a message, so a misspelt one changes nothing.

    Fails: replica: 2
    Passes: replicas: 2
    """,
)
MISSING_KEY = documented_rule(
    "SPC011",
    "complete",
    """Every key that the platform needs is given.

    Fails: destinations: [{cluster: k3s-east}]
    Passes: destinations: [{name: east, cluster: k3s-east}]
    """,
)
TYPE = documented_rule(
    "SPC012",
    "right-type",
    """A value is of the type the schema wants.

    Fails: replicas: two
    Passes: replicas: 2
    """,
)
TEXT = documented_rule(
    "SPC013",
    "text-in-quotes",
    """Text that looks like a number or a truth value stands in quotes.

    YAML reads `1.10` as the number 1.1 and `true` as a truth value; what was meant is lost.

    Fails: annotations: {example.com/version: 1.10}
    Passes: annotations: {example.com/version: "1.10"}
    """,
)
CHOICE = documented_rule(
    "SPC014",
    "allowed-value",
    """A value is one of those the platform knows.

    Fails: rules: {ENV012: warn}
    Passes: rules: {ENV012: warning}
    """,
)
FORM = documented_rule(
    "SPC015",
    "right-form",
    """A name, quantity or path has the form that the platform accepts.

    Fails: destinations: [{name: east, cluster: K3s_East}]
    Passes: destinations: [{name: east, cluster: k3s-east}]
    """,
)
BOUND = documented_rule(
    "SPC016",
    "within-bounds",
    """Numbers, texts and lists are within their bounds.

    Fails: replicas: -1
    Passes: replicas: 1
    """,
)

RULES = (UNKNOWN_KEY, MISSING_KEY, TYPE, TEXT, CHOICE, FORM, BOUND)

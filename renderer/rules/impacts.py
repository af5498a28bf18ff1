"""What a change may do to what runs that someone should look at first."""

from renderer.values.diagnostics import Severity, documented_rule

BREAKS = documented_rule(
    "IMP001",
    "change-keeps-units-working",
    """A change does not stop the platform from managing what runs.

    After such a change the platform fails whenever it looks at the object: pods that run go on for
    a while, but nothing is mended, scaled or updated any more, and the status may still look fine.
    """,
)
REFUSED = documented_rule(
    "IMP002",
    "change-is-accepted",
    """A change is one that the cluster accepts.

    The cluster refuses to store it: the GitOps controller reports an error at every attempt, and
    what is in Git never becomes what runs.
    """,
)
IGNORED = documented_rule(
    "IMP003",
    "change-takes-effect",
    """A change has an effect on what runs.

    The platform stores it and does nothing: what is in Git and what runs say different things from
    then on, without a message.
    """,
    Severity.WARNING,
)
ORPHANS = documented_rule(
    "IMP004",
    "change-leaves-nothing-behind",
    """A change leaves nothing behind that goes on running.

    What it takes out of Git stays in the cluster, uses resources, and may still answer.
    """,
    Severity.WARNING,
)
RECREATE = documented_rule(
    "IMP005",
    "change-needs-no-new-start",
    """A change reaches what runs without deleting and creating it anew.

    Until someone does that, it has no effect or only a part of it; when someone does, nothing runs
    in the meantime.
    """,
    Severity.WARNING,
)
UNKNOWN = documented_rule(
    "IMP006",
    "change-is-understood",
    """It is known what a change does to what runs.

    Nothing that was recorded of the platform, and nothing that can be worked out, covers this
    change: it may do nothing, or stop what runs.
    """,
    Severity.WARNING,
    since="0.2.0",
)
RULES = (BREAKS, REFUSED, IGNORED, ORPHANS, RECREATE, UNKNOWN)

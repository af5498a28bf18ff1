"""Input that has no effect, although it looks as if it had one."""

from renderer.values.diagnostics import Severity, documented_rule

NOT_READ = documented_rule(
    "ENV024",
    "file-is-read",
    """A file below `environments/` that looks like a spec has an ending that is read.

    Only `.yaml`, `.yml` and `.json` are. An override in a file `flowers.ymal` changes nothing.
    Files that specs take texts from, and those that `ignore` of the settings names, are meant so.
    """,
    Severity.WARNING,
    since="0.2.0",
)
OTHER_KIND = documented_rule(
    "ENV025",
    "override-has-the-kind",
    """An override has the kind of what it changes.

    A file of another kind is a spec of its own: the inherited one stays as it is. It is said of
    kinds that have nearly the same fields, where one is easily taken for the other.
    """,
    Severity.WARNING,
    since="0.2.0",
)

RULES = (NOT_READ, OTHER_KIND)

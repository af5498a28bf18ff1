"""Diffs to be shown, made by hand: ordinary ones, huge ones and hostile ones."""

from decimal import Decimal

from renderer.outputs.diff.report import DiffReport, ShownChange, ShownEdit, ShownObject
from renderer.values.changes import Capacity, EditKind, Effect, How, Impact, Reach, ReachedSpec
from renderer.values.diagnostics import Diagnostic, Origin, Severity

GIB = 2**30
#: What could end a span, a cell, a fence or a fold, call somebody, or steer a terminal.
HOSTILE = (
    "</details></code></pre><script>alert(1)</script><img src=x onerror=alert(1)> | `` ``` ```` "
    "@everyone #1 !2 [a](javascript:x) **b** _c_ ~~d~~ \\| \x1b[31m \x00\u202e\n/close\n# h\n"
    "````\n---\n&lt;b&gt; http://evil.example www.evil.example <!-- "
)


def impact(effect=Effect.ROLLING, unit="alice", destination="east", spec="Serving/risk", **words):
    said = {"consequence": "`image` changed: pods are replaced.", "advice": "Look at `it`."}
    return Impact(effect, destination, spec, unit, *{**said, **words}.values())


def change(path="spec.parties[alice].template.replicas", before=2, after=3, **rest):
    known = {"how": How.CHANGED, "has_before": True, "has_after": True}
    known["impacts"] = (impact(Effect.IN_PLACE),)
    return ShownChange(path=path, before=before, after=after, **{**known, **rest})


def shown(name="risk", *changes, environment="prod", **rest):
    known = {
        "environment": environment,
        "destination": "east",
        "identity": f"kuscia.secretflow/KusciaDeployment/cross-domain/{name}",
        "former": "",
        "spec": f"Serving/{name}",
        "file": f"{environment}/east/kusciadeployments/{name}.yaml",
        "how": How.CHANGED,
        "changes": changes or (change(),),
        "impacts": (),
    }
    return ShownObject(**{**known, **rest})


def report(*objects, **rest):
    known = {
        "before": "HEAD",
        "after": "the work tree",
        "objects": objects,
        "findings": (),
        "incomparable": (),
        "capacity": (),
        "reach": (),
        "sources": {},
    }
    return DiffReport(**{**known, **rest})


def finding(message="it breaks", severity=Severity.ERROR, file="environments/prod/a.yaml"):
    return Diagnostic(file, 3, 5, "IMP001", severity, message, "why", "mend `it`")


def ordinary(**rest):
    """A diff of two servings with one of everything."""
    lines = ("@@ -1,2 +1,2 @@", " {", '-  "a": 1', '+  "a": 2', " }")
    image = shown(
        "secretflow-serving",
        change(
            'spec.configTemplates["a.conf"]',
            "x",
            "y",
            lines=lines,
            impacts=(
                impact(
                    Effect.IGNORED, consequence="`configTemplates` changed: pods keep the old file."
                ),
                impact(
                    Effect.IGNORED,
                    "bob",
                    "west",
                    consequence="`configTemplates` changed: pods keep the old file.",
                ),
            ),
        ),
        spec="AppImage/secretflow-serving",
        file="prod/east/appimages/secretflow-serving.yaml",
    )
    risk = shown(
        "risk",
        change(),
        change(
            "spec.parties[carol]",
            None,
            {"domainID": "carol"},
            how=How.ADDED,
            has_before=False,
            impacts=(impact(Effect.BREAKS, "carol", consequence="The party `carol` was added."),),
        ),
        change(
            "spec.inputConfig",
            "••••••",
            "••••••",
            hidden=True,
            impacts=(impact(), impact(unit="bob", destination="west")),
        ),
        change("spec.x", "a", None, how=How.REMOVED, has_after=False, impacts=()),
        change(
            "spec.y",
            '{"a":1}',
            '{"a": 1}',
            texts_only=True,
            impacts=(impact(unit="dave", destination=""),),
        ),
    )
    fresh = shown(
        "fraud",
        how=How.ADDED,
        changes=(),
        impacts=(impact(Effect.CREATE, spec="Serving/fraud"),),
        environment="staging",
    )
    capacity = (
        Capacity("prod", "east", "alice", "cpu", Decimal(2), Decimal(3), Decimal("4.5")),
        Capacity(
            "prod", "east", "alice", "memory", Decimal(4 * GIB), Decimal(2 * GIB), Decimal(6 * GIB)
        ),
        Capacity("prod", "west", "bob", "nvidia.com/gpu", Decimal(1), Decimal(1), Decimal(2)),
    )
    reach = (
        Reach(
            "environments/base/appimages/secretflow-serving.yaml",
            (
                ReachedSpec("prod", "Serving/risk", ("alice", "bob")),
                ReachedSpec("staging", "Serving/fraud", ("alice",)),
            ),
        ),
    )
    found = (finding(), finding("it is ignored", Severity.WARNING))
    old = (finding("the old state does not load"),)
    return report(
        image, risk, fresh, findings=found, incomparable=old, capacity=capacity, reach=reach, **rest
    )


def hostile(**rest):
    """A diff every text of which is out to do harm."""
    bad = impact(
        unit=HOSTILE, destination=HOSTILE, spec=HOSTILE, consequence=HOSTILE, advice=HOSTILE
    )
    lines = tuple(f"+{line}" for line in HOSTILE.splitlines())
    item = ShownObject(
        HOSTILE,
        HOSTILE,
        HOSTILE,
        HOSTILE,
        HOSTILE,
        HOSTILE,
        How.CHANGED,
        (
            change(HOSTILE, HOSTILE, {HOSTILE: HOSTILE}, impacts=(bad,)),
            change(HOSTILE, HOSTILE, HOSTILE, lines=lines, impacts=(bad,)),
        ),
        (bad,),
    )
    capacity = (Capacity(HOSTILE, HOSTILE, HOSTILE, HOSTILE, *map(Decimal, (1, 2, 2))),)
    reach = (Reach(HOSTILE, (ReachedSpec(HOSTILE, HOSTILE, (HOSTILE,)),)),)
    found = (Diagnostic(HOSTILE, 1, 1, "IMP001", Severity.ERROR, HOSTILE, HOSTILE, HOSTILE),)
    return report(
        item,
        findings=found,
        incomparable=found,
        capacity=capacity,
        reach=reach,
        before=HOSTILE,
        after=HOSTILE,
        **rest,
    )


def huge(objects=400, **rest):
    """More than a comment can hold."""
    names = [f"serving-{number:04}" for number in range(objects)]
    many = [
        shown(
            name,
            *(
                change(f"spec.field{i}", impacts=(impact(spec=f"Serving/{name}"),))
                for i in range(12)
            ),
        )
        for name in names
    ]
    return report(*many, **rest)


def with_edits(given, file="environments/base/environment.yaml"):
    """A report whose changes are each brought about by an edit of their own, in its words."""
    edits = {}

    def number(change):
        words = change.path, repr((change.before, change.after, change.how))
        origin = Origin(file, len(edits) + 1, 1)
        own = ShownEdit(EditKind.EDIT, change._replace(origin=origin, impacts=()))
        return edits.setdefault(words, (len(edits), own))[0]

    whole = change("", None, None, has_before=False, has_after=False)
    objects = []
    for item in given.objects:
        changes = tuple(one._replace(causes=(number(one),)) for one in item.changes)
        causes = tuple(n for one in changes for n in one.causes) or (number(whole),)
        objects.append(item._replace(changes=changes, causes=causes, kind="Object", name=item.spec))
    found = tuple(edit for _, edit in edits.values())
    return given._replace(objects=tuple(objects), edits=found)

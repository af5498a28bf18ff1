"""Two repositories compared: objects, findings, whom edits reach, and that nothing is missed."""

import json
import random

import pytest
import yaml

from renderer import compare, render
from renderer.backends.kinds import functions_of
from renderer.io.worktree import Worktree
from renderer.publish.inventory import Scope
from renderer.publish.publisher import publish
from renderer.publish.rendered_tree import is_rendered, reread
from renderer.values.changes import Comparison, EditKind, Effect, How
from renderer.values.diagnostics import Severity
from renderer.values.model import ANY
from renderer.values.objects import Output
from tests.support.memory import project
from tests.support.places import ROOT
from tests.support.repositories import ENVIRONMENT, HEADER, PAIR, SCORER, SERVING, SMALL
from tests.support.samples import sample

RISK = "environments/dev/servings/risk.yaml"
IMAGE = "environments/dev/appimages/scorer.yaml"
DESCRIPTION = "environments/dev/environment.yaml"
TWO_PLACES = ENVIRONMENT.replace("domains: [alice, bob]", "domains: [alice]").replace(
    "kuscia:", "  - {name: west, platform: kuscia, domains: [bob]}\nkuscia:"
)
EXAMPLE = {
    str(path.relative_to(ROOT)): path.read_text("utf-8")
    for path in [ROOT / "servingctl.yaml", *sorted((ROOT / "environments").rglob("*.yaml"))]
}


def compared(changes, files=SMALL, environments=()):
    return compare(project(files), project({**files, **changes}), environments)


def replaced(path, old, new, files=SMALL):
    assert old in files[path]
    return {path: files[path].replace(old, new)}


def paths(comparison):
    return [
        (item.change.manifest.path, change.path)
        for item in comparison.objects
        for change in item.change.changes
    ]


def effects(comparison):
    return {impact.effect for item in comparison.objects for _, impact in item.impacts}


def codes(comparison):
    return [item.code for item in comparison.findings]


def test_a_state_and_itself_do_not_differ():
    for files in (SMALL, EXAMPLE):
        assert compared({}, files) == Comparison()


def test_a_comment_is_no_difference():
    assert compared({RISK: f"# hello\n{SERVING}"}) == Comparison()


def test_a_changed_value_is_at_its_line():
    found = compared(replaced(RISK, "app_image: scorer", "app_image: scorer, replicas: 4"))
    [item] = found.objects
    [change] = item.change.changes
    assert change.path == ("spec", "parties", "[alice]", "template", "replicas")
    assert (change.how, change.after.value) == (How.ADDED, 4)
    assert item.origins[0][:3] == (RISK, 5, 53)
    assert Effect.IN_PLACE in effects(found)


def test_input_config_is_compared_as_data_and_at_its_line():
    config = "serving_input_config:\n  a:\n    b: {}\n"
    files = {**SMALL, RISK: SERVING + "app: other\n" + config.format(1)}
    found = compared({RISK: SERVING + "app: other\n" + config.format(2)}, files)
    [item] = found.objects
    assert [change.path for change in item.change.changes] == [("spec", "inputConfig", "a", "b")]
    assert item.origins[0][:2] == (RISK, 10)


def test_a_json_text_is_located_within():
    texts = [f'serving_input_config: |\n  {{"a": 1,\n   "b": {n}}}\n' for n in (1, 2)]
    files = {**SMALL, RISK: SERVING + "app: other\n" + texts[0]}
    [item] = compared({RISK: SERVING + "app: other\n" + texts[1]}, files).objects
    assert item.origins[0][:3] == (RISK, 10, 9)


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ("app: other\nlabels: {a: b, c: d}\n", "app: other\nlabels: {a: b}\n", (8, 9)),
        ("app: other\nserving_input_config:\n  a: 1\n  b: 2\n",
         "app: other\nserving_input_config:\n  a: 1\n", (8, 1)),
        ("replicas: 3", "", (5, 17)),
    ],
    ids=["a label", "input config", "replicas"],
)  # fmt: skip
def test_what_is_gone_is_told_at_the_nearest_line_of_the_new_state(old, new, place):
    before = SERVING.replace("app_image: scorer}", f"app_image: scorer, {old}}}")
    files = [before, SERVING] if not new else [SERVING + old, SERVING + new]
    [item] = compared({RISK: files[1]}, {**SMALL, RISK: files[0]}).objects
    assert item.change.changes[0].how is How.REMOVED
    assert item.origins[0].file == RISK
    assert item.origins[0][1:3] == place


def test_what_a_null_takes_away_is_told_at_the_null():
    own = "environments/dev/servings/risk.yaml"
    files = {**BASE, own: HEADER.format("Serving")}
    after = HEADER.format("Serving") + "labels:\n  team: null\n"
    [item] = compared({own: after}, files).objects
    assert item.origins[0][:2] == (own, 4)


def test_the_same_data_in_another_text_rolls():
    texts = [f"app: other\nserving_input_config: '{text}'\n" for text in ('{"a":1}', '{"a": 1}')]
    found = compared({RISK: SERVING + texts[1]}, {**SMALL, RISK: SERVING + texts[0]})
    [item] = found.objects
    assert [change.texts_only for change in item.change.changes] == [True]
    assert effects(found) == {Effect.ROLLING}


def test_an_edit_of_an_image_reaches_its_users():
    found = compared(replaced(IMAGE, "tag: v1", "tag: v2"))
    assert [item.change.manifest.path for item in found.objects] == [
        "dev/east/appimages/scorer.yaml",
        "dev/east/kusciadeployments/risk.yaml",
    ]
    [edited] = found.reach
    assert edited.file == IMAGE
    assert [(one.spec, one.units) for one in edited.specs] == [
        ("AppImage/scorer", ()),
        ("Serving/risk", ("alice", "bob")),
    ]


BASE = {
    "servingctl.yaml": "",
    "environments/base/environment.yaml": HEADER.format("Environment")
    + "vars: {copies: 2, unused: 1}\ndefaults: {Serving: {labels: {team: risk}}}\n",
    "environments/base/appimages/scorer.yaml": SCORER,
    "environments/base/appimages/pair.yaml": PAIR,
    "environments/base/servings/risk.yaml": SERVING.replace(
        "app_image: scorer", "app_image: scorer, replicas: '${vars.copies}'"
    ),
    "environments/base/servings/other.yaml": SERVING,
    "environments/dev/environment.yaml": ENVIRONMENT + "extends: base\n",
    "environments/prod/environment.yaml": ENVIRONMENT + "extends: base\n",
}


@pytest.mark.parametrize(
    ("old", "new", "reached"),
    [
        ("copies: 2", "copies: 3", {("dev", "risk"), ("prod", "risk")}),
        (
            "team: risk",
            "team: fraud",
            {("dev", "risk"), ("prod", "risk"), ("dev", "other"), ("prod", "other")},
        ),
        ("unused: 1", "unused: 2", set()),
    ],
    ids=["a variable", "a default", "nothing"],
)
def test_an_edit_of_the_base_names_everyone_it_reaches(old, new, reached):
    path = "environments/base/environment.yaml"
    found = compared(replaced(path, old, new, BASE), BASE)
    specs = {(one.environment, one.spec) for edited in found.reach for one in edited.specs}
    assert specs == {(environment, f"Serving/{stem}") for environment, stem in reached}
    assert {edited.file for edited in found.reach} == ({path} if reached else set())


@pytest.mark.parametrize("back", [False, True])
def test_a_file_that_disables_a_spec_reaches_it(back):
    own = "environments/prod/servings/risk.yaml"
    off = {**BASE, own: HEADER.format("Serving") + "disabled: true\n"}
    found = compare(*map(project, (off, BASE) if back else (BASE, off)))
    [edited] = found.reach
    assert edited.file == own
    assert [one[:2] for one in edited.specs] == [("prod", "Serving/risk")]


def test_an_override_hides_an_edit_of_the_base():
    own = HEADER.format("Serving") + "labels: {team: fraud}\n"
    files = {**BASE, "environments/dev/servings/risk.yaml": own}
    path = "environments/base/environment.yaml"
    found = compared(replaced(path, "team: risk", "team: other", files), files)
    reached = {(one.environment, one.spec) for one in found.reach[0].specs}
    assert ("dev", "Serving/risk") not in reached
    assert ("prod", "Serving/risk") in reached


def test_only_some_environments():
    path = "environments/base/environment.yaml"
    found = compared(replaced(path, "copies: 2", "copies: 3", BASE), BASE, ["prod"])
    assert {item.change.environment for item in found.objects} == {"prod"}


def test_a_new_name_is_a_rename_of_the_spec():
    [item] = compared({RISK: SERVING + "serving_id: risk-2\n"}).objects
    assert item.change.is_renamed
    assert {impact.effect for _, impact in item.impacts} == {Effect.RECREATE}


def test_a_renamed_file_is_a_rename_of_the_object():
    found = compared({RISK: None, "environments/dev/servings/risk-2.yaml": SERVING})
    [item] = found.objects
    assert item.change.is_renamed
    assert Effect.RECREATE in {impact.effect for _, impact in item.impacts}


def test_a_renamed_file_with_a_fixed_name_changes_nothing():
    named = SERVING + "serving_id: risk\n"
    files = {**SMALL, RISK: named}
    assert not compared({RISK: None, "environments/dev/servings/b.yaml": named}, files).objects


def test_images_that_are_named_by_content_are_the_same_image():
    hashed = ENVIRONMENT.replace("kuscia: {", "kuscia: {appimage_naming: hashed, ")
    files = {**SMALL, DESCRIPTION: hashed}
    found = compared(replaced(IMAGE, "tag: v1", "tag: v2", files), files)
    kinds = {item.change.manifest.spec.kind.name: item.change for item in found.objects}
    assert kinds["AppImage"].is_renamed
    changed = [change.path for change in kinds["Serving"].changes]
    assert changed == [("spec", "parties", "[alice]", "appImageRef")]


def test_a_new_and_a_deleted_spec():
    more = {"environments/dev/servings/more.yaml": SERVING}
    [item] = compared(more).objects
    assert (item.change.before, item.change.after.spec.stem) == (None, "more")
    [item] = compare(project({**SMALL, **more}), project(SMALL)).objects
    assert (item.change.before.spec.stem, item.change.after) == ("more", None)


def test_an_image_goes_when_its_last_user_there_goes():
    """Its other user is not looked at unless the image seems to go."""
    other = SERVING.replace("app_image: pair", "app_image: scorer")
    files = {**SMALL, "environments/dev/servings/other.yaml": other}
    gone = compared({RISK: None}, files)
    assert {item.change.manifest.identity.split("/")[-1] for item in gone.objects} == {
        "pair",
        "risk",
    }


def test_what_breaks_is_an_error_and_can_be_accepted():
    renamed = replaced(IMAGE, "ports: [{name: service,", "ports: [{name: serving,")
    found = compared({IMAGE: renamed[IMAGE] + "# x\n"})
    assert Effect.BREAKS in effects(found)
    assert "IMP001" in codes(found)
    finding = next(item for item in found.findings if item.code == "IMP001")
    assert (finding.file, finding.severity) == (IMAGE, Severity.ERROR)
    softer = {"servingctl.yaml": "rules: {IMP001: warning}\n"}
    found = compared({**renamed, **softer}, {**SMALL, **softer})
    assert {i.severity for i in found.findings if i.code == "IMP001"} == {Severity.WARNING}


def test_what_else_changes_waits_where_something_breaks():
    """At the partner's control plane nothing breaks, and nothing waits."""
    files = {**SMALL, DESCRIPTION: TWO_PLACES, RISK: SERVING + "app: other\n"}
    edits = {
        IMAGE: SCORER.replace("ports: [", "ports: [{name: more, protocol: HTTP, scope: Domain}, "),
        RISK: files[RISK].replace("app_image: scorer", "app_image: scorer, replicas: 5")
        + "labels: {argocd.argoproj.io/x: z}\nserving_input_config: {}\n",
    }
    found = compared(edits, files)
    by_unit = {"alice": set(), "bob": set()}
    for item in found.objects:
        for _, impact in item.impacts:
            by_unit[impact.unit].add(impact.effect)
            waits = "not before what breaks" in impact.consequence
            assert waits is (impact.effect is Effect.DEFERRED)
    assert by_unit["alice"] == {Effect.BREAKS, Effect.DEFERRED, Effect.IN_PLACE}
    assert by_unit["bob"] == {Effect.ROLLING, Effect.IN_PLACE}
    assert not found.capacity


def test_an_ignore_of_the_new_state_counts():
    config = "app: other\nserving_input_config: {}\n"
    before = SERVING + config
    after = before.replace("initiator: alice", "initiator: alice\nannotations: {a.io/b: x}")
    found = compared({RISK: after}, {**SMALL, RISK: before})
    assert codes(found) == ["IMP003"]
    line = "annotations: {a.io/b: x}  # servingctl: ignore[IMP003] a note for people"
    accepted = after.replace("annotations: {a.io/b: x}", line)
    assert codes(compared({RISK: accepted}, {**SMALL, RISK: before})) == []
    assert not render(project({**SMALL, RISK: accepted})).diagnostics


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("app: other", "  - {domain_id: partner, app_image: scorer}\napp: other", 7),
        ("domain_id: bob", "role: guest, domain_id: bob", 6),
    ],
    ids=["a new party", "a new role"],
)
def test_an_impact_is_told_at_the_line_that_changed(old, new, line):
    before = SERVING.replace("app_image: pair", "app_image: scorer") + "app: other\n"
    after = before.replace(old, new)
    found = compared({RISK: after}, {**SMALL, RISK: before})
    assert {(item.file, item.line) for item in found.findings} == {(RISK, line)}
    assert line in {origin.line for item in found.objects for origin in item.origins}
    codes = ",".join(sorted({item.code for item in found.findings}))
    accepted = after.replace("parties:", f"# servingctl: ignore[{codes}] a test\nparties:")
    assert not compared({RISK: accepted}, {**SMALL, RISK: before}).findings


def test_what_no_line_set_is_told_at_the_edit():
    """The list of parties is made anew; what changed of it is the order."""
    before = SERVING.replace("app_image: pair", "app_image: scorer") + "app: other\n"
    head = before.partition("parties:\n")[0]
    first, second = before.splitlines(keepends=True)[4:6]
    swapped = f"{head}parties:\n{second}{first}app: other\n"
    found = compared({RISK: swapped}, {**SMALL, RISK: before})
    assert {(item.code, item.line) for item in found.findings} == {("IMP003", 5)}
    assert {o.line for i in found.objects for o in i.origins if o.file == RISK} == {5}


def test_the_same_words_are_said_once():
    files = {**SMALL, DESCRIPTION: TWO_PLACES, RISK: SERVING + "app: other\n"}
    moved = compared(replaced(RISK, "initiator: alice", "initiator: bob", files), files)
    assert codes(moved) == ["IMP005"]
    amounts = "workingDir: /work, resources: {requests: {cpu: %s, memory: %s}},"
    texts = [SCORER.replace("workingDir: /work,", amounts % pair) for pair in ((1, 1), (2, 2))]
    own = "app_image: scorer, resources: [{min_cpu: '1', min_memory: 1Gi}]"
    files[RISK] = files[RISK].replace("app_image: scorer", own)
    found = compared({IMAGE: texts[1]}, {**files, IMAGE: texts[0]})
    assert codes(found) == ["IMP003"]


def test_errors_of_the_old_state_are_told_apart():
    broken = {**SMALL, RISK: SERVING.replace("initiator: alice", "initiator: nobody")}
    found = compare(project(broken), project(SMALL))
    assert found.incomparable
    assert not found.findings


def test_a_spec_that_had_errors_is_made_and_its_pods_are_not_counted():
    broken = {**SMALL, RISK: SERVING.replace("initiator: alice", "initiator: nobody")}
    found = compare(project(broken), project(SMALL))
    impacts = [impact for item in found.objects for _, impact in item.impacts]
    assert {impact.effect for impact in impacts} == {Effect.CREATE}
    assert all(impact.consequence.startswith("The spec had errors") for impact in impacts)
    assert found.capacity == ()


def test_errors_of_the_new_state_are_no_deletions():
    found = compared({RISK: SERVING.replace("initiator: alice", "initiator: nobody")})
    assert [item.severity for item in found.findings] == [Severity.ERROR]
    assert not found.objects


POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"
TWICE = SCORER.replace("ports: [", "ports: [{name: service, protocol: HTTP, scope: Domain}, ")


@pytest.mark.parametrize("naming", ["plain", "hashed"])
@pytest.mark.parametrize("broken", [{IMAGE: TWICE}, {IMAGE: POINTER}, {RISK: POINTER}])
@pytest.mark.parametrize("back", [False, True])
def test_what_needs_a_spec_with_errors_is_not_known(naming, broken, back):
    described = ENVIRONMENT.replace("kuscia: {", f"kuscia: {{appimage_naming: {naming}, ")
    whole = {**SMALL, DESCRIPTION: described}
    sides = [project(whole), project({**whole, **broken})]
    found = compare(*(reversed(sides) if back else sides))
    is_mended = back and RISK not in broken  # of a file that cannot be read, nothing is said
    stages = [item.change.before is None for item in found.objects]
    assert (stages, found.capacity) == ([True] if is_mended else [], ())
    assert not any(code.startswith("IMP") for code in codes(found))
    assert found.incomparable if back else found.findings


def test_an_environment_that_cannot_be_composed_is_not_deleted():
    found = compared({DESCRIPTION: "a: [\n"})
    assert found.findings
    assert not found.objects


def test_a_template_of_the_repository_changes_everything():
    name = "templates/kuscia/kusciadeployment.yaml.j2"
    bundled = (ROOT / name).read_text("utf-8")
    files = {**SMALL, name: bundled}
    changed = bundled.replace("spec:\n", "  annotations_of_mine: x\nspec:\n", 1)
    found = compared({name: changed}, files)
    assert found.findings or found.objects


def test_capacity_before_after_and_at_the_peak():
    sized = SCORER.replace(
        "workingDir: /work,", "workingDir: /work, resources: {requests: {cpu: 1}},"
    )
    files = {**SMALL, IMAGE: sized}
    party = "{domain_id: alice, app_image: scorer, replicas: 4, role: host}"
    before = SERVING.replace("{domain_id: alice, app_image: scorer}", party)
    files[RISK] = before
    found = compared({RISK: before.replace("replicas: 4", "replicas: 8")}, files)
    [row] = [item for item in found.capacity if item.resource == "cpu"]
    assert (row.unit, row.before, row.after, row.peak) == ("alice/host", 4, 8, 8)
    rolled = compared({IMAGE: sized.replace("tag: v1", "tag: v2")}, files)
    [row] = [item for item in rolled.capacity if item.resource == "cpu"]
    assert (row.before, row.after, row.peak) == (4, 4, 5)


@pytest.mark.parametrize(("cluster", "rows"), [("k3s", []), ("other", ["east", "west"])])
def test_a_renamed_destination_asks_for_nothing_more_of_its_cluster(cluster, rows):
    amounts = "workingDir: /work, resources: {requests: {cpu: 1, memory: 1Gi}},"
    sized = SCORER.replace("workingDir: /work,", amounts)
    described = ENVIRONMENT.replace("name: east", "name: east\n    cluster: k3s")
    moved = described.replace("name: east", "name: west").replace("k3s", cluster)
    files = {**SMALL, DESCRIPTION: described, IMAGE: sized, RISK: SERVING + "app: other\n"}
    found = compared({DESCRIPTION: moved}, files)
    assert sorted({row.destination for row in found.capacity}) == rows


def test_a_renamed_file_asks_for_both_generations():
    sized = SCORER.replace(
        "workingDir: /work,", "workingDir: /work, resources: {requests: {cpu: 1}},"
    )
    renamed = {RISK: None, "environments/dev/servings/risk-2.yaml": SERVING}
    [row] = compared(renamed, {**SMALL, IMAGE: sized}).capacity
    assert (row.unit, row.before, row.after, row.peak) == ("alice", 2, 2, 4)


def test_rendered_output_is_a_state(tmp_path):
    before, after = project(BASE), project({**BASE, RISK: SERVING + "labels: {a: b}\n"})
    publish(tmp_path, render(before).files(), Scope(), allow_empty=False)
    files = Worktree(tmp_path)
    assert is_rendered(files)
    output = reread(files, "rendered")
    assert [item.text for item in output.manifests] == [i.text for i in render(before).manifests]
    assert compare(output, before).objects == compare(before, output).objects == ()
    assert paths(compare(output, after)) == paths(compare(before, after)) != []
    assert effects(compare(output, after)) == effects(compare(before, after))
    assert compare(output, after).findings == compare(before, after).findings
    assert compare(output, Output(())).objects


def test_rendered_files_that_were_edited_by_hand(tmp_path):
    state = project(SMALL)
    publish(tmp_path, render(state).files(), Scope(), allow_empty=False)
    path = "dev/east/kusciadeployments/risk.yaml"
    text = (tmp_path / path).read_text()
    (tmp_path / path).write_text(text.replace("initiator: alice", "initiator: bob"))
    output = reread(Worktree(tmp_path), "rendered")
    assert output.edited == {f"rendered/{path}"}
    for sides in ((output, state), (state, output)):
        found = compare(*sides)
        [cause] = {number for item in found.objects for some in item.causes for number in some}
        edit = found.edits[cause]
        assert (edit.kind, edit.path) == (EditKind.OUTPUT, ("spec", "initiator"))
        assert edit.origin.file == f"rendered/{path}"
        assert text.splitlines()[edit.origin.line - 1].strip() == "initiator: alice"


def full(before, after):
    """What differs in the bytes of two whole renderings; the order of keys apart."""
    sides = [
        {item.path: json.dumps(yaml.safe_load(item.text), sort_keys=True) for item in side}
        for side in (before.manifests, after.manifests)
    ]
    both = sides[0].keys() & sides[1].keys()
    return {path for path in both if sides[0][path] != sides[1][path]}, sides[0].keys() ^ sides[1]


def incomplete(one, rendering):
    """The paths of objects that refer to something with errors."""
    environments = {item.name: item for item in one.environments}
    for item in rendering.manifests:
        environment = environments[item.environment]
        for use in functions_of(item.spec.kind.name).references(item.spec, environment):
            target = environment.spec_named(use.kind, use.name)
            is_missing = not target or target.key in rendering.unsound
            if is_missing and use.name != ANY:
                yield item.path


def leaves(value, path=()):
    if isinstance(value, dict):
        for key, child in value.items():
            yield (*path, key)
            yield from leaves(child, (*path, key))
    elif isinstance(value, list):
        for index, child in enumerate(value):
            yield (*path, index)
            yield from leaves(child, (*path, index))


def mutated(files, chance):
    """The files with one value deleted, changed, doubled or moved."""
    path = chance.choice([path for path in files if path != "servingctl.yaml"])
    if chance.random() < 0.05:
        return {**files, path: None}
    tree = yaml.safe_load(files[path])
    *parents, last = chance.choice(list(leaves(tree)))
    owner = tree
    for segment in parents:
        owner = owner[segment]
    kind = chance.choice(["delete", "change", "change", "change", "reverse", "double"])
    value = owner[last]
    if kind == "delete":
        del owner[last]
    elif isinstance(value, bool):
        owner[last] = not value
    elif isinstance(value, int):
        owner[last] = value + 1
    elif value is None:
        owner[last] = "x"
    elif isinstance(value, str):
        owner[last] = chance.choice([value + "x", value + "-2", "2", value.upper()])
    elif isinstance(value, list):
        owner[last] = value[::-1] if kind == "reverse" else [*value, *value[:1]]
    else:
        value["added"] = "x"
    return {**files, path: yaml.safe_dump(tree, sort_keys=False)}


@pytest.mark.slow
@pytest.mark.parametrize("seed", sample(range(60), 1))
def test_every_change_of_a_mutated_repository_is_reported(seed):
    chance = random.Random(seed)
    files = chance.choice([EXAMPLE, BASE, {**SMALL, DESCRIPTION: TWO_PLACES}])
    before = project(files)
    for _ in range(chance.randint(1, 3)):
        files = mutated({k: v for k, v in files.items() if v is not None}, chance)
    after = project(files)
    there, back = compare(before, after), compare(after, before)
    renderings = render(before), render(after)
    changed, one_sided = full(*renderings)
    changed -= {path for one, side in zip((before, after), renderings, strict=True)
                for path in incomplete(one, side)}  # fmt: skip
    told = {
        side.path
        for item in there.objects
        for side in (item.change.before, item.change.after)
        if side
    }
    assert changed <= told <= changed | one_sided
    if all(rendering.is_sound for rendering in renderings):
        assert told == changed | one_sided
    every = sorted(
        (str((item.change.before or item.change.after).path), str(change.path))
        for item in there.objects
        for change in item.change.changes
    )
    reverse = sorted(
        (str((item.change.after or item.change.before).path), str(change.path))
        for item in back.objects
        for change in item.change.changes
    )
    assert every == reverse

"""Which edits are behind the changes of objects: each once, and nothing that rendering adds."""

import pytest

from renderer import compare, render
from renderer.io.worktree import Worktree
from renderer.outputs.diff import FORMATS
from renderer.outputs.diff.causes import joined_causes
from renderer.outputs.diff.report import build_report
from renderer.publish.inventory import Scope
from renderer.publish.publisher import publish
from renderer.publish.rendered_tree import reread
from renderer.values.changes import TOOL, EditKind, Effect, How
from renderer.values.diagnostics import Origin
from tests.support.memory import project
from tests.support.places import ROOT
from tests.support.repositories import (
    DESCRIPTION,
    ENVIRONMENT,
    HEADER,
    IMAGE,
    RISK,
    SCORER,
    SERVING,
    SMALL,
)

KUSCIA = "kuscia: {external_domains: [partner]"
HASHED = {**SMALL, DESCRIPTION: ENVIRONMENT.replace(KUSCIA, f"{KUSCIA}, appimage_naming: hashed")}
NEW_TAG = {IMAGE: SCORER.replace("tag: v1", "tag: v2")}
RENAMED = {RISK: None, "environments/dev/servings/risk-2.yaml": SERVING}
OBJECT = "dev/east/kusciadeployments/risk.yaml"


def felt(comparison):
    """The edits that any object changes with; nothing changes without one."""
    assert all(all(item.causes) for item in comparison.objects)
    numbers = {n for item in comparison.objects for some in item.causes for n in some}
    return [comparison.edits[number] for number in sorted(numbers)]


def words(comparison):
    return [(edit.kind, ".".join(map(str, edit.path)), edit.how) for edit in felt(comparison)]


def rendered(folder, files, edited=()):
    """The output of a repository, some of whose files were edited: path, text, other text."""
    publish(folder, render(project(files)).files(), Scope(), allow_empty=False)
    for path, old, new in edited:
        text = (folder / path).read_text()
        assert old in text
        (folder / path).write_text(text.replace(old, new))
    return reread(Worktree(folder), "rendered")


class TestRenderedOutput:
    @pytest.mark.parametrize("files", [SMALL, HASHED], ids=["digests", "names by content"])
    @pytest.mark.parametrize("way", [1, -1], ids=["from", "to"])
    def test_what_rendering_adds_is_no_edit(self, files, way, tmp_path):
        sides = (rendered(tmp_path, files), project({**files, **NEW_TAG}))[::way]
        [edit] = felt(compare(*sides))
        assert edit.path == ("spec", "image", "tag")

    @pytest.mark.parametrize("files", [SMALL, HASHED], ids=["digests", "names by content"])
    def test_what_rendering_adds_to_an_edited_file_is_not_by_hand(self, files, tmp_path):
        output = rendered(tmp_path, files, [(OBJECT, "initiator: alice", "initiator: bob")])
        found = compare(output, project({**files, **NEW_TAG}))
        assert [edit.path[-1] for edit in felt(found)] == ["tag", "initiator"]
        assert [edit.kind for edit in felt(found)] == [EditKind.EDIT, EditKind.OUTPUT]

    def test_an_edited_file_whose_object_has_another_name_now(self, tmp_path):
        rendered(tmp_path, HASHED)
        [file] = tmp_path.glob("dev/east/appimages/scorer-*.yaml")
        file.write_text(file.read_text().replace("workingDir: /work", "workingDir: /else"))
        output = reread(Worktree(tmp_path), "rendered")
        found = felt(compare(output, project({**HASHED, **NEW_TAG})))
        assert {edit.path[-1] for edit in found} == {"tag", "workingDir"}
        assert {edit.kind for edit in found} == {EditKind.OUTPUT}

    def test_a_digest_in_a_spec_is_edited_like_any_value(self, tmp_path):
        old, new = ({RISK: f"{SERVING}annotations: {{a: 'sha256:{c * 64}'}}\n"} for c in "12")
        output = rendered(tmp_path, {**SMALL, **old})
        [edit] = felt(compare(output, project({**SMALL, **new})))
        assert edit.path == ("metadata", "annotations", "a")

    @pytest.mark.parametrize("way", [1, -1], ids=["from", "to"])
    def test_a_file_that_is_missing_is_its_own_cause(self, way, tmp_path):
        rendered(tmp_path, SMALL)
        (tmp_path / OBJECT).unlink()
        output = reread(Worktree(tmp_path), "rendered")
        [edit] = felt(compare(*(output, project(SMALL))[::way]))
        assert (edit.kind, edit.origin.file) == (EditKind.OUTPUT, f"rendered/{OBJECT}")

    @pytest.mark.parametrize("way", [1, -1], ids=["from", "to"])
    def test_of_several_edited_files_each_is_the_cause_of_its_own(self, way, tmp_path):
        image = "dev/east/appimages/scorer.yaml"
        rendered(tmp_path, SMALL, [(image, "tag: v1", "tag: v3")])
        (tmp_path / OBJECT).unlink()
        found = compare(*(reread(Worktree(tmp_path), "rendered"), project(SMALL))[::way])
        behind = {
            item.change.manifest.path: [found.edits[n].origin.file for n in item.causes[-1]]
            for item in found.objects
        }
        assert behind == {path: [f"rendered/{path}"] for path in (image, OBJECT)}

    @pytest.mark.parametrize("way", [1, -1], ids=["from", "to"])
    @pytest.mark.parametrize(
        ("old", "new", "line"),
        [
            ("  annotations:\n", "  annotations:\n    extra: a\n", 10),
            ("  initiator: alice\n", "", 1),
        ],
        ids=["more", "less"],
    )
    def test_what_a_hand_adds_or_takes_away(self, old, new, line, way, tmp_path):
        output = rendered(tmp_path, SMALL, [(OBJECT, old, new)])
        [edit] = felt(compare(*(output, project(SMALL))[::way]))
        assert (edit.kind, edit.origin.file) == (EditKind.OUTPUT, f"rendered/{OBJECT}")
        assert edit.origin.line == line

    @pytest.mark.parametrize("way", [1, -1], ids=["from", "to"])
    def test_an_object_that_comes_or_goes_is_behind_the_name_of_its_spec(self, way, tmp_path):
        more = "environments/dev/servings/more.yaml"
        image = "environments/dev/appimages/newer.yaml"
        spec = SERVING.replace("scorer", "newer") + 'serving_id: "${vars.id}"\n'
        new = {more: spec, image: SCORER, DESCRIPTION: HASHED[DESCRIPTION] + "vars: {id: other}\n"}
        sides = (rendered(tmp_path, HASHED), project({**HASHED, **new}))[::way]
        found = felt(compare(*sides))
        assert [edit.origin for edit in found] == [
            Origin(image, 1, 1),
            Origin(DESCRIPTION, 8, 12),
        ]

    def test_one_line_that_reaches_several_objects_is_one_edit(self, tmp_path):
        two = ENVIRONMENT.replace(", bob]", "]\n  - {name: west, platform: kuscia, domains: [bob]}")
        files = {**SMALL, DESCRIPTION: two}
        found = compare(rendered(tmp_path, files), project({**files, **NEW_TAG}))
        assert len(found.objects) > 2
        [edit] = felt(found)
        assert edit.path == ("spec", "image", "tag")

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ("app-type: serving", "app-type: other"),
            ('    kuscia.secretflow/affinity-mode: ""\n', ""),
        ],
        ids=["a constant", "one that is new"],
    )
    def test_what_the_tool_sets_is_its_own(self, old, new, tmp_path):
        output = rendered(tmp_path, SMALL, [(OBJECT, old, new)])._replace(edited=frozenset())
        assert felt(compare(output, project(SMALL))) == [TOOL]

    def test_what_no_spec_can_have_set_was_the_tool(self, tmp_path):
        older = [(OBJECT, "  annotations:\n", "  annotations:\n    serving.gitops/old: a\n")]
        output = rendered(tmp_path, SMALL, older)._replace(edited=frozenset())
        assert felt(compare(output, project(SMALL))) == [TOOL]


class TestRenamedFiles:
    def test_a_renamed_file_is_one_edit(self):
        [edit] = felt(compare(project(SMALL), project({**SMALL, **RENAMED})))
        assert (edit.how, edit.before.value, edit.after.value) == (How.RENAMED, *RENAMED)
        assert edit.origin.file == "environments/dev/servings/risk-2.yaml"

    def test_files_of_the_same_content_may_be_either(self):
        two = {**SMALL, "environments/dev/servings/more.yaml": SERVING}
        renamed = {**RENAMED, "environments/dev/servings/more.yaml": None}
        hows = {edit.how for edit in felt(compare(project(two), project({**two, **renamed})))}
        assert hows == {How.ADDED, How.REMOVED}


class TestTemplates:
    OWN = "templates/kuscia/kusciadeployment.yaml.j2"

    def test_a_new_item_is_told_where_the_spec_has_it(self):
        files = {**SMALL, self.OWN: (ROOT / self.OWN).read_text()}
        one = {RISK: SERVING.replace("  - {domain_id: bob, app_image: pair}\n", "")}
        found = compare(project({**files, **one}), project(files))
        [edit] = felt(found)
        assert edit.path == ("parties", "[bob]")
        [item] = (i for i in found.objects if i.change.changes)
        assert item.carried == (True, False), "the digest is, the party is not"
        assert item.origins[1].place[:2] == (RISK, 6)


class TestOverrides:
    BASE = "environments/base/environment.yaml"
    VARS = HEADER.format("Environment") + "vars: {{tag: {}}}\n"

    def state(self, tag, own="", text="${vars.tag}"):
        files = {
            self.BASE: self.VARS.format(tag),
            DESCRIPTION: f"{ENVIRONMENT}extends: base\n{own}",
            "environments/prod/environment.yaml": f"{ENVIRONMENT}extends: base\n",
        }
        moved = {f.replace("/dev/", "/base/"): SMALL[f] for f in SMALL if f not in files}
        image = IMAGE.replace("/dev/", "/base/")
        return project({**moved, **files, image: SCORER.replace("tag: v1", f'tag: "{text}"')})

    @pytest.mark.parametrize("text", ["${vars.tag}", "v-${vars.tag}"], ids=["all", "a part"])
    def test_an_edit_does_not_reach_where_it_is_overridden(self, text):
        after = self.state("v2", "vars: {tag: v9}\n", text)
        found = compare(self.state("v1", "", text), after)
        behind = {
            item.change.environment: {found.edits[n].origin.file for n in item.causes[-1]}
            for item in found.objects
        }
        assert behind == {"dev": {DESCRIPTION}, "prod": {self.BASE}}

    def test_without_the_override_both_edits_reach(self):
        found = compare(self.state("v1", "vars: {tag: v9}\n"), self.state("v2"))
        [causes] = {i.causes[-1] for i in found.objects if i.change.environment == "dev"}
        assert {found.edits[n].origin.file for n in causes} == {DESCRIPTION, self.BASE}


class TestDigests:
    def test_a_file_that_moves_is_not_behind_a_new_digest(self):
        image = {"environments/base/appimages/scorer.yaml": SCORER}
        files = {**SMALL, "environments/base/environment.yaml": HEADER.format("Environment")}
        files |= {DESCRIPTION: f"{ENVIRONMENT}extends: base\n", IMAGE: None, **image}
        old = {**files, RISK.replace("/dev/", "/base/"): SERVING, RISK: None}
        new = {**files, "environments/base/appimages/scorer.yaml": NEW_TAG[IMAGE]}
        [edit] = felt(compare(project(old), project(new)))
        assert edit.path == ("image", "tag")

    def test_digests_that_go_with_another_naming_are_carried(self):
        found = compare(project(SMALL), project(HASHED))
        [item] = (i for i in found.objects if i.change.manifest.spec.stem == "risk")
        told = zip(item.change.changes, item.carried, strict=True)
        shown = [change.path[-1] for change, is_carried in told if not is_carried]
        assert shown == ["appImageRef", "appImageRef"]


class TestNamesOfItems:
    def found(self):
        renamed = {**SMALL, DESCRIPTION: ENVIRONMENT.replace("east", "west")}
        return compare(project(SMALL), project(renamed))

    def test_a_renamed_item_is_told_by_its_name(self):
        [edit] = felt(self.found())
        assert edit.path == ("destinations", "[east]", "name")
        assert (edit.before.value, edit.after.value, edit.origin.line) == ("east", "west", 4)

    def test_units_that_move_are_counted_once(self):
        [cause] = joined_causes(build_report(self.found(), ("a", "b"), {}))
        assert cause.classes == {Effect.RECREATE: 2}
        assert {unit.destination for item in cause.consequences for unit in item.units} == {"west"}


class TestSeveralEdits:
    BASE = "environments/base/environment.yaml"
    SHARED = RISK.replace("/dev/", "/base/")

    def state(self, files=(), variables="vars: {tag: v1}\n"):
        """Two environments that inherit all specs, the tag of an image by a variable."""
        image = SCORER.replace("tag: v1", 'tag: "${vars.tag}"')
        given = {
            self.BASE: HEADER.format("Environment") + variables,
            **{f.replace("/dev/", "/base/"): SMALL[f] for f in SMALL if f != DESCRIPTION},
            IMAGE.replace("/dev/", "/base/"): image,
            DESCRIPTION: f"{ENVIRONMENT}extends: base\n",
            "environments/prod/environment.yaml": f"{ENVIRONMENT}extends: base\n",
        }
        return project({**given, **dict(files)})

    def causes(self, before, after, environment="dev", stem="risk"):
        """The files behind each change of an object by its last key, and behind it as a whole."""
        found = compare(before, after)
        [item] = (
            i
            for i in found.objects
            if (i.change.environment, i.change.manifest.spec.stem) == (environment, stem)
        )
        keys = [*(change.path[-1] for change in item.change.changes), ""]
        files = ({found.edits[n].origin.file for n in some} for some in item.causes)
        return dict(zip(keys, files, strict=True)), item

    def test_a_variable_in_a_file_that_is_edited_elsewhere(self):
        image = SCORER.replace("tag: v1", 'tag: "${vars.tag}"') + "labels: {a: b}\n"
        file = IMAGE.replace("/dev/", "/base/")
        after = self.state({file: image}, "vars: {tag: v2}\n")
        causes, item = self.causes(self.state(), after, stem="scorer")
        assert causes["tag"] == {self.BASE}
        assert causes[""] == {self.BASE, file}
        assert not item.is_assumed

    @pytest.mark.parametrize("way", [1, -1], ids=["comes", "goes"])
    def test_an_object_and_what_it_refers_to(self, way):
        """It comes or goes with its file, whatever else is edited."""
        more = "environments/dev/servings/more.yaml"
        spec = SERVING + "serving_id: more\n"
        after = self.state({more: spec}, "vars: {tag: v2}\n")
        causes, _ = self.causes(*(self.state(), after)[::way], stem="more")
        assert causes == {"": {more}}

    def test_an_object_that_is_taken_out(self):
        """By a file of its environment; those of others, of other specs, and above are not it."""
        head = HEADER.format("Serving")
        files = {
            RISK: head + "disabled: true\n",
            "environments/prod/servings/risk.yaml": head + "labels: {a: b}\n",
            "environments/dev/appimages/extra.yaml": SCORER,
            self.SHARED: SERVING + "labels: {c: d}\n",
        }
        causes, _ = self.causes(self.state(), self.state(files))
        assert causes == {"": {RISK}}

    def test_a_value_that_an_override_takes_away(self):
        base = {self.SHARED: SERVING + "annotations: {a: b}\n"}
        override = HEADER.format("Serving") + "labels: {c: d}\n"
        before = self.state({**base, RISK: override})
        after = self.state({**base, RISK: override + "annotations: {a: null}\n"})
        causes, _ = self.causes(before, after)
        assert causes["a"] == {RISK}

    def test_a_setting_beside_variables(self):
        """Variables reach objects by their values only."""
        new = HASHED[DESCRIPTION] + "vars: {note: a}\ndefaults: {Serving: {initiator: alice}}\n"
        found = compare(project(SMALL), project({**HASHED, DESCRIPTION: new}))
        assert [edit.path for edit in felt(found)] == [("kuscia", "appimage_naming")]
        assert all(item.is_assumed for item in found.objects)

    def test_names_by_content_are_carried(self):
        found = compare(project(HASHED), project({**HASHED, **NEW_TAG}))
        [item] = (i for i in found.objects if i.change.manifest.spec.stem == "risk")
        assert item.change.changes
        assert all(item.carried)
        assert not item.is_assumed


def test_lines_of_a_text_that_are_other_ones_are_told():
    own = "templates/kuscia/kusciadeployment.yaml.j2"
    text = (ROOT / own).read_text()
    written = "        replicas: {{ party.replicas }}"
    found = compare(
        project({**SMALL, own: text}),
        project({**SMALL, own: text.replace(written, "        replicas: 4")}),
    )
    [edit] = felt(found)
    assert (edit.before.value, edit.after.value) == (written, "        replicas: 4")
    assert text.splitlines()[edit.origin.line - 1] == written
    told = FORMATS["text"](build_report(found, ("a", "b"), {})).splitlines()[0]
    assert told.startswith(f"~ {own}:{edit.origin.line} changed: ")


def test_lines_of_a_text_that_a_spec_takes_from_a_file_are_told():
    conf = "environments/dev/appimages/scorer.conf"
    files = {**SMALL, IMAGE: SCORER + "configTemplates: {a.conf: {file: scorer.conf}}\n"}
    found = compare(
        project({**files, conf: '{\n"a": 1\n}\n'}), project({**files, conf: '{\n"a": 2\n}\n'})
    )
    [edit] = felt(found)
    assert edit.origin[:2] == (conf, 2)
    assert (edit.before.value, edit.after.value) == ('"a": 1', '"a": 2')


class TestRoutes:
    def test_a_variable_in_a_default_destination_moves_what_it_sends(self):
        environment = HEADER.format("Environment") + (
            "destinations:\n"
            "  - {name: east, platform: kubernetes, namespace: models}\n"
            "  - {name: west, platform: kubernetes, namespace: models}\n"
            "defaults: {InferenceService: {destination: '${vars.place}'}}\nvars: {place: PLACE}\n"
        )
        service = HEADER.format("InferenceService") + (
            "predictor: {model: {modelFormat: {name: sklearn}, storageUri: 's3://models/iris'}}\n"
        )
        before, after = (
            project(
                {
                    "servingctl.yaml": "",
                    DESCRIPTION: environment.replace("PLACE", place),
                    "environments/dev/iris.yaml": service,
                }
            )
            for place in ("east", "west")
        )
        found = compare(before, after)
        assert len(found.objects) == 2
        assert [edit.path for edit in felt(found)] == [("vars", "place")]

"""ConfigMaps that are named by their content: names, references to them, and what an edit does."""

import re

from renderer import compare
from renderer.evaluate.run import render
from renderer.inspect.trace import trace_manifests, trace_spec
from renderer.promote.promotion import promote
from tests.support.memory import project

ENVIRONMENT = """\
apiVersion: serving.gitops/v1
kind: Environment
companions: {allow: [ConfigMap, Deployment]}
destinations:
  - {name: east, platform: kubernetes, namespace: models}
  - {name: west, platform: kubernetes, namespace: models}
"""
SETTINGS = "apiVersion: v1\nkind: ConfigMap\n$naming: hashed\ndata: {a: b}\n"
FLOWERS = """\
apiVersion: serving.gitops/v1
kind: InferenceService
destination: east
annotations: {serving.kserve.io/deploymentMode: Standard}
predictor:
  serviceAccountName: reader
  maxReplicas: 2
  model:
    modelFormat: {name: sklearn}
    runtimeVersion: v0.19.0
    storageUri: s3://models/flowers/v1
    envFrom: [{configMapRef: {name: settings}}]
    resources: {limits: {cpu: "1", memory: 1Gi}, requests: {cpu: "1", memory: 1Gi}}
"""
FILES = {
    "servingctl.yaml": "",
    "environments/dev/environment.yaml": ENVIRONMENT,
    "environments/dev/flowers.yaml": FLOWERS,
    "environments/dev/beside/settings.yaml": SETTINGS,
}
_HASHED = re.compile(r"settings-[0-9a-f]{10}")


def manifests(**changes):
    made = render(project({**FILES, **_named(changes)}))
    assert made.is_sound, made.diagnostics
    return {item.path: item for item in made.manifests}


def _named(changes):
    return {f"environments/dev/{name}.yaml": text for name, text in changes.items()}


def names(found):
    """The names of ConfigMaps, and those that other objects refer to, by path."""
    return {path: [*dict.fromkeys(_HASHED.findall(item.text))] for path, item in found.items()}


def test_a_name_is_by_content_alone():
    labels = SETTINGS + "metadata: {labels: {a: b}}\n"
    every = [
        *names(manifests()).values(),
        *names(manifests(**{"beside/settings": labels})).values(),
    ]
    assert len({tuple(some) for some in every}) == 1


def test_of_two_of_a_name_the_one_of_the_namespace_is_meant():
    other = SETTINGS + "metadata: {name: settings, namespace: other}\n"
    found = names(
        manifests(
            **{"beside/more": other.replace("a: b", "a: c")},
            roses=FLOWERS.replace("destination: east", "destination: east\nnamespace: other"),
        )
    )
    (models,) = found["dev/east/inferenceservices/flowers.yaml"]
    (others,) = found["dev/east/inferenceservices/roses.other.yaml"]
    assert models != others
    assert f"dev/east/configmap/{models}.yaml" in found
    assert f"dev/east/configmap/{others}.other.yaml" in found


def test_a_reference_where_it_does_not_go_stays():
    found = names(manifests(**{"beside/settings": SETTINGS + "$destination: west\n"}))
    assert found["dev/east/inferenceservices/flowers.yaml"] == []


def test_an_edit_rolls_the_users_and_is_the_cause():
    edited = SETTINGS.replace("a: b", "a: c")
    after = project({**FILES, "environments/dev/beside/settings.yaml": edited})
    found = compare(project(FILES), after)
    impacts = {
        impact.spec: (impact.effect, {found.edits[number].origin.place for number in numbers})
        for item in found.objects
        for (_, impact), numbers in zip(item.impacts, item.causes, strict=False)
    }
    edit = {("environments/dev/beside/settings.yaml", 4, 8)}
    assert impacts == {
        "ConfigMap/settings": ("replace", edit),
        "InferenceService/flowers": ("rolling", edit),
    }
    (sentence,) = [
        i.consequence for o in found.objects for _, i in o.impacts if i.effect == "replace"
    ]
    assert re.fullmatch(
        r"The name follows the content: a ConfigMap `settings-\w+` is made, and what refers to it "
        r"follows\. `settings-\w+` stays beside it until the content changes again\.",
        sentence,
    )


FROM_FILE = {
    **FILES,
    "environments/prod/environment.yaml": ENVIRONMENT,
    "environments/dev/beside/settings.yaml": (
        "apiVersion: v1\nkind: ConfigMap\n$naming: hashed\ndata: {a: {file: conf/a}}\n"
    ),
    "environments/dev/beside/conf/a": "workers 4\n",
}


def test_a_promotion_carries_the_text_and_the_naming():
    first = promote(project(FROM_FILE), "dev", "prod", ("flowers",))
    assert not first.not_carried
    texts = {path: data.decode() for path, data in first.files.items()}
    assert texts["environments/prod/beside/conf/a"] == "workers 4\n"
    assert "$naming: hashed" in texts["environments/prod/beside/settings.yaml"]
    edited = {**FROM_FILE, **texts, "environments/dev/beside/conf/a": "workers 8\n"}
    again = promote(project(edited), "dev", "prod", ("settings",))
    assert again.files == {"environments/prod/beside/conf/a": b"workers 8\n"}


def test_a_trace_leads_to_the_file_of_a_text():
    opened = project(FROM_FILE)
    made = [item for item in render(opened, ["dev"]).manifests if item.spec.stem == "settings"]
    [event] = trace_spec(made[0].spec, "data.a").events
    assert (event.origin.file, event.value) == ("environments/dev/beside/conf/a", "workers 4\n")
    [trace] = trace_manifests(made, "metadata.name")
    assert _HASHED.fullmatch(trace.value)
    assert trace.events[-1].origin.file == "environments/dev/beside/settings.yaml"

"""The examples in a rule's documentation do what the documentation says."""

from pathlib import PurePath

import yaml

from renderer import check
from renderer.backends.kserve.model import FRAMEWORKS
from renderer.evaluate.rulebook import every_rule
from renderer.kubernetes.pods import POD
from renderer.text.yaml_reader import read
from renderer.values.diagnostics import Rule, Severity
from tests.support.examples import example
from tests.support.memory import project
from tests.support.ray_specs import completed, kind_of
from tests.support.repositories import ENVIRONMENT, HEADER, SCORER, SERVING, SMALL
from tests.support.rows import each

#: Rules about more than one file or state; tests/cases has them.
WITHOUT_EXAMPLES = {
    "YML009", "YML015", "SPC003", "SPC005", "SPC006", "SPC092",
    "ENV001", "ENV002", "ENV003", "ENV004", "ENV007", "ENV014", "ENV015", "ENV016", "ENV017",
    "ENV018", "ENV019", "ENV020", "ENV021", "ENV022", "ENV024", "ENV025",
    "KUS113", "KUS312", "KUS615", "KUS616", "KUS617", "KUS618", "KUS772", "POL007",
    "IMP001", "IMP002", "IMP003", "IMP004", "IMP005", "IMP006",
    "MAN001", "MAN002", "MAN003", "MAN004", "MAN005", "MAN006", "MAN007", "MAN008", "MAN009",
    "MAN010", "MAN011", "MAN012", "MAN013", "MAN014", "MAN015", "MAN016",
    "MAN203",
    "RAY107", "RAY180", "RAY181", "RAY280",
}  # fmt: skip
OF_SECRETFLOW_SERVING = {"KUS609", "KUS610", "KUS613"}
WHOLE_DOCUMENTS = {"SPC001", "SPC002"}
OF_ENVIRONMENTS = {
    "ENV005", "ENV006", "ENV012", "SPC011", "SPC014", "SPC015", "SPC090", "SPC091",
}  # fmt: skip
#: The core's examples name no kind: what they are said of in a spec of this one.
OF_TEXTS = {"SPC004"}
OF_PARTIES = {"SPC010", "SPC012", "SPC016"}
CONTAINER = "- {name: c, spec: {containers: [{name: c, workingDir: /w, %s}]}}"
#: Images that only some examples use.
IMAGES = {
    f"environments/dev/appimages/{name}.yaml": HEADER.format("AppImage")
    + f"image: {{name: example/{name}, tag: v1}}\ndeployTemplates:\n  {CONTAINER % more}\n"
    for name, more in {
        "devices": "resources: {requests: {a.io/gpu: 1}, limits: {a.io/gpu: 1}}",
        "doubled": "env: [{name: INPUT_CONFIG, value: mine}]",
        "ported": "ports: [{name: a-long-portname, scope: Cluster}]",
        "probed": "ports: [{name: rpc}], livenessProbe: {tcpSocket: {port: rpc}}",
        "sized": "resources: {requests: {cpu: 1, memory: 1Gi}, limits: {cpu: 2, memory: 1Gi}}",
    }.items()
} | {
    f"environments/dev/appimages/{name}.yaml": HEADER.format("AppImage")
    + f"image: {{name: example/{name}, tag: v1}}\n"
    + f"configTemplates: {{app.conf: '{template}'}}\n"
    + "deployTemplates:\n  "
    + CONTAINER % "configVolumeMounts: [{mountPath: /a, subPath: app.conf}]"
    + "\n"
    for name, template in {
        "configured": "x={{.INPUT_CONFIG}}",
        "templated": '{"limits": {{{.INPUT_CONFIG.limits}}} }',
    }.items()
}
CASES = {
    f"{rule.code}-{rule.name}-{outcome}": (rule, outcome)
    for rule in every_rule()
    if rule.code not in WITHOUT_EXAMPLES
    for outcome in ("fails", "passes")
}


def merged(base: str, changes: str) -> str:
    if "# servingctl:" in changes:  # comments count: put the text itself into the place
        return f"{base}{changes}"
    return yaml.safe_dump({**yaml.safe_load(base), **yaml.safe_load(changes)}, sort_keys=False)


def with_platform(text: str) -> str:
    """The core's examples name no platform."""
    if "destinations:" not in text:
        return text
    changes = yaml.safe_load(text)
    places = changes["destinations"]
    shares = (["alice"], ["bob"]) if len(places) > 1 else (["alice", "bob"],)
    for item, share in zip(places, shares, strict=True):
        item.setdefault("platform", "kuscia")
        item.setdefault("domains", share)
    return yaml.safe_dump(changes)


#: Examples of pods with fields that images have as well.
OF_APP_IMAGES = {f"MAN{number}" for number in range(101, 145)}


def passed_on(text: str) -> dict[str, object]:
    """The shared examples are pods; in a spec of some kind their containers say a little more."""
    pod = yaml.safe_load(text)
    return {**pod, "containers": [{**item, "workingDir": ""} for item in pod["containers"]]}


def served(text: str) -> str:
    """The pod of an example, as that of a predictor."""
    pod = yaml.safe_load(text)
    containers = [{"image": "example/a:v1", **item} for item in pod["containers"]]
    containers[0] |= {"name": "kserve-container"}
    return yaml.safe_dump({"annotations": MODE, "predictor": {**pod, "containers": containers}})


#: Examples of pods that an operator makes, not a workload.
OF_OPERATORS = {"MAN197", "MAN202", "MAN213", "MAN221"}


def operated(text: str) -> str:
    """The pod of an example, as that of the head of a cluster."""
    pod = yaml.safe_load(text)
    limits = {"limits": {"cpu": 2, "memory": "4Gi"}}
    first = {"image": "rayproject/ray:2.52.0", "resources": limits, **pod["containers"][0]}
    others = [{"image": "example/b:v1", **item} for item in pod["containers"][1:]]
    spec = {**pod, "containers": [first, *others]}
    template = {"metadata": spec.pop("metadata", {}), "spec": spec}
    head = {"rayStartParams": {"num-cpus": "0"}, "template": template}
    return yaml.safe_dump({"rayVersion": "2.52.0", "headGroupSpec": head})


#: What environments are where a rule is about that.
KSERVE_ENVIRONMENTS = {
    **{code: {"production": True} for code in ("KSV139", "KSV211", "KSV311")},
    "KSV170": {"kserve": {"version": "0.15.2"}},
    **{code: {"kubernetes": {"version": "1.33"}} for code in ("MAN173", "MAN189")},
    **{
        code: {"kserve": {"default_mode": "Standard"}}
        for code in ("KSV101", "KSV104", "KSV191", "KSV193")
    },
}


PORTED = """supportedModelFormats: [{name: ported}]
containers:
  - {name: kserve-container, image: 'example/server:v1', args: [--http_port=8080]}
"""


#: Examples that no runtime of the whole cluster can show.
OF_NAMESPACES = {"KSV308"}


MODE = {"serving.kserve.io/deploymentMode": "Standard"}
MODEL = {"modelFormat": {"name": "sklearn"}, "storageUri": "s3://models/iris/v1"}
#: What a predictor with workers has: another model, and no autoscaler.
SHARED_MODEL = {"modelFormat": {"name": "huggingface"}, "storageUri": "pvc://models/llm/v1"}
UNSCALED = {**MODE, "serving.kserve.io/autoscalerClass": "none"}
RUNTIME = {
    "supportedModelFormats": [{"name": "ours"}],
    "containers": [{"name": "kserve-container", "image": "example/server:v1"}],
}


def with_the_rest(kind: str, text: str) -> str:
    """An example, with what every spec of its kind has."""
    spec = yaml.safe_load(text)
    if kind != "InferenceService":
        return yaml.safe_dump({**RUNTIME, **spec}, sort_keys=False)
    given = spec.get("predictor", {})
    if "workerSpec" in given:
        spec.setdefault("annotations", UNSCALED)
    elif "canary" in spec:
        spec.setdefault("annotations", MODE)
    if "modelFormat" not in given.get("model", {}) and not given.keys() & {
        "containers",
        *FRAMEWORKS,
    }:
        rest = SHARED_MODEL if "workerSpec" in given else MODEL
        spec["predictor"] = {**given, "model": {**rest, **given.get("model", {})}}
    return yaml.safe_dump(spec, sort_keys=False)


def of_kserve(rule: Rule, text: str) -> dict[str, str]:
    """A repository with a cluster, two runtimes that nothing tells apart, and the example."""
    places = [{"name": "east", "platform": "kubernetes", "namespace": "models"}]
    changes = {"destinations": places, **KSERVE_ENVIRONMENTS.get(rule.code, {})}
    runtime = "supportedModelFormats: [{name: twice, autoSelect: true}]\n"
    runtime += "containers: [{name: kserve-container, image: 'example/server:v1'}]\n"
    header = HEADER.format("ClusterServingRuntime")
    files = {f"environments/east/{name}.yaml": f"{header}{runtime}" for name in ("one", "two")}
    bare = "supportedModelFormats: [{name: bare, autoSelect: true}]\n"
    bare += "containers: [{name: kserve-container}]\n"
    files["environments/east/bare.yaml"] = header + bare
    if rule.code == "KSV380":
        files["environments/east/ported.yaml"] = header + PORTED
    description = merged(HEADER.format("Environment"), yaml.safe_dump(changes))
    if rule.kind == "Environment":
        return {"environments/east/environment.yaml": merged(description, text)}
    files["environments/east/environment.yaml"] = description
    kind = "ServingRuntime" if rule.code in OF_NAMESPACES else rule.kind
    header = HEADER.format(kind)
    return {**files, "environments/east/iris.yaml": header + with_the_rest(rule.kind, text)}


#: What KubeRay is in environments where a rule is about that.
KUBERAY_SETTINGS: dict[str, dict[str, object]] = {
    "RAY300": {"version": "1.5.0"},
    "RAY313": {"feature_gates": {"GCSFaultToleranceEmbeddedStorage": True}},
    "RAY330": {"feature_gates": {"RayClusterNetworkPolicy": True}},
    "RAY331": {"feature_gates": {"RayClusterMTLS": True}},
    "RAY332": {"feature_gates": {"RayClusterHistoryServer": True}},
    "RAY357": {"version": "1.4.2"},
    "RAY372": {"version": "1.5.2"},
    "RAY407": {"version": "1.6.1"},
    "RAY421": {"version": "1.6.1"},
}
OF_KUBERAY = ("RAY", "POL009", "POL010", "POL011", "POL012")
IN_PRODUCTION = {"RAY314", "RAY411"}


def of_kuberay(rule: Rule, text: str) -> dict[str, str]:
    """A repository with a cluster, a compute template, and the example."""
    places = [{"name": "east", "platform": "kubernetes", "namespace": "ray"}]
    changes = {"destinations": places, "kuberay": KUBERAY_SETTINGS.get(rule.code, {})}
    changes["production"] = rule.code in IN_PRODUCTION
    description = merged(HEADER.format("Environment"), yaml.safe_dump(changes))
    if rule.kind == "Environment":
        return {"environments/east/environment.yaml": merged(description, text)}
    of_cluster = rule.kind != "ComputeTemplate" and rule.code < "RAY350"
    kind = kind_of(yaml.safe_load(text), "RayCluster" if of_cluster else rule.kind)
    template = HEADER.format("ComputeTemplate") + completed("ComputeTemplate", "{}")
    return {
        "environments/east/environment.yaml": description,
        "environments/east/small.yaml": template,
        "environments/east/example.yaml": HEADER.format(kind) + completed(kind, text),
    }


def of_whole_pods(rule: Rule, text: str) -> dict[str, str]:
    """A pod where its rule can speak: of a service, of a cluster, or of a runtime."""
    if rule.code in OF_OPERATORS:
        return of_kuberay(rule._replace(kind="RayCluster"), operated(text))
    if rule.code == "MAN204":  # of services, another rule speaks
        containers = yaml.safe_load(text)["containers"]
        both = [{**RUNTIME["containers"][0]}, {"image": "example/b:v1", **containers[1]}]
        text = yaml.safe_dump({"containers": both})
        return of_kserve(rule._replace(kind="ServingRuntime"), text)
    return of_kserve(rule._replace(kind="InferenceService"), served(text))


def files_of(rule: Rule, text: str) -> dict[str, str]:
    if rule.code.startswith(OF_KUBERAY):
        return of_kuberay(rule, text)
    if rule.code.startswith(("KSV", "MAN200")):
        return of_kserve(rule, text)
    if rule.code in WHOLE_DOCUMENTS:
        return {"environments/dev/document.yaml": text}
    if rule.code in OF_TEXTS:
        text = yaml.safe_dump({"configTemplates": yaml.safe_load(text)})
        return {"environments/dev/appimages/scorer.yaml": merged(SCORER, text)}
    if rule.code in OF_PARTIES:
        party = {"domain_id": "alice", "app_image": "scorer", **yaml.safe_load(text)}
        text = yaml.safe_dump({"parties": [party]})
    if rule.kind == POD and rule.code not in OF_APP_IMAGES:
        return of_whole_pods(rule, text)
    if rule.kind == POD:
        text = yaml.safe_dump({"deployTemplates": [{"name": "a", "spec": passed_on(text)}]})
    if rule.kind in ("AppImage", POD):  # whose serving has no input config, whatever its image is
        more = "disabled: true" if rule.code in OF_SECRETFLOW_SERVING else "app: other"
        return {
            "environments/dev/appimages/scorer.yaml": merged(SCORER, text),
            "environments/dev/servings/risk.yaml": f"{SERVING}{more}\n",
        }
    if rule.kind == "Environment" or rule.code in OF_ENVIRONMENTS:
        environment = merged(ENVIRONMENT, with_platform(text))
        base = HEADER.format("Environment")
        paths = ("environments/dev/environment.yaml", "environments/base/environment.yaml")
        return dict(zip(paths, (environment, base), strict=True))
    return {"environments/dev/servings/risk.yaml": merged(SERVING, text)}


def repository(rule: Rule, text: str) -> dict[str, str]:
    """An example with what it needs: all that it does not say itself."""
    files = files_of(rule, text)
    if "environments/east/environment.yaml" in files:
        return {"servingctl.yaml": "", **files}
    images = {path: image for path, image in IMAGES.items() if PurePath(path).stem in text}
    return {**SMALL, **images, **files}


@each("rule outcome", CASES)
def test_example(rule, outcome):
    text = example(rule, outcome)
    if rule.code.startswith("YML"):
        found = read(text.encode("latin-1" if rule.code == "YML002" else "utf-8"), "x").problems
    else:
        found = check(project(repository(rule, text)))
    codes = {item.code for item in found}
    if outcome == "fails":
        assert rule.code in codes
    elif rule.code in WHOLE_DOCUMENTS | {"ENV013", "SPC091"}:
        assert rule.code not in codes
    else:
        assert not [item for item in found if item.severity is Severity.ERROR]


def test_every_rule_is_documented():
    for rule in every_rule():
        assert rule.summary.endswith("."), rule.code
        assert rule.code in WITHOUT_EXAMPLES or "Passes:" in rule.doc, rule.code

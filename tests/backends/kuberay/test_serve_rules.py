"""Rules about serve configs: what is told where."""

import pytest

from renderer.backends.fields import elements, text
from renderer.backends.kuberay.rules import serve_applications, serve_config, serve_replicas
from renderer.backends.kuberay.serve_config.deployment_graph import convert_graph
from renderer.backends.kuberay.serve_config.document import read_serve_config
from renderer.backends.kuberay.serve_config.view import NodeSize, ServeView
from renderer.text.embedded import place
from renderer.text.yaml_reader import read

RULES = (*serve_config.RULES, *serve_applications.RULES, *serve_replicas.RULES)
FIELD, GRAPH = ("serveConfigV2",), ("serveDeploymentGraphSpec",)
FILE = "environments/dev/scorer.yaml"


def document_of(source):
    found = read(source.encode(), FILE)
    assert not found.problems
    return found.document


def sizes(tree):
    """The groups of an example, by the limits of their containers."""
    for group in elements(tree, "rayClusterConfig", "workerGroupSpecs"):
        limits = group.get("template", "spec", "containers", 0, "resources", "limits")
        cpus, gpus = (float(text(limits, key)) for key in ("cpu", "nvidia.com/gpu"))
        yield NodeSize(text(group, "groupName"), int(text(group, "maxReplicas")), cpus, gpus)


def serve_of(tree, **more):
    graph, given = tree.get(*GRAPH), tree.get(*FIELD)
    config = convert_graph(graph, GRAPH, None) if graph else read_serve_config(given, FIELD)
    numbers = text(tree, "rayClusterConfig", "rayVersion")
    version = tuple(map(int, numbers.split("."))) if numbers else None
    known = {"ray_version": version, "serve_port": 8000, "nodes": tuple(sizes(tree))}
    excluded = tree.get("excludeHeadPodFromServeSvc")
    known["is_head_excluded"] = bool(excluded and excluded.value)
    return ServeView(config, **{**known, **more})


def found(source, **more):
    """The code of each finding with its place."""
    document = document_of(source)
    serve = serve_of(document.tree, **more)
    return [
        (rule.code, (finding.origin or place(document.tree, finding, {FILE: document}))[1:3])
        for rule in RULES
        for finding in rule.check(serve)
    ]


def deployment(options, top=""):
    """A text with a deployment, whose options stand in line 6 from column 10 on."""
    return (
        f"serveConfigV2: |\n  applications:\n  - import_path: a:b\n{top or '    args: {}'}\n"
        f"    deployments:\n    - {{name: A, {options}}}\n"
    )


def test_codes_are_those_of_serve_configs():
    codes = [rule.code for rule in RULES]
    assert len({*codes}) == len(codes)
    assert all("RAY500" <= code < "RAY550" for code in codes)


@pytest.mark.parametrize(
    ("version", "options", "is_told"),
    [
        (None, "max_concurrent_queries: 1", False),
        ((2, 32, 1), "max_concurrent_queries: 1", False),
        ((2, 33, 0), "max_concurrent_queries: 1", True),
        ((2, 9, 3), "max_ongoing_requests: 1", True),
        ((2, 10, 0), "max_ongoing_requests: 1", False),
        ((2, 9, 3), "num_replicas: auto", True),
        ((2, 9, 3), "num_replicas: 1", False),
        ((2, 24, 0), "ray_actor_options: {object_store_memory: 1}", False),
        ((2, 30, 0), "ray_actor_options: {object_store_memory: 1}", True),
        ((2, 9, 3), "autoscaling_config: {target_ongoing_requests: 1}", True),
        ((2, 40, 0), "autoscaling_config: {target_ongoing_requests: 1}", False),
    ],
)
def test_keys_that_versions_have(version, options, is_told):
    codes = found(deployment(options), ray_version=version)
    column = deployment(options).split("\n")[5].rfind("{") + 2 if "{" in options else 17
    assert codes == ([("RAY507", (6, column))] if is_told else [])


def test_what_came_with_a_version():
    text = deployment("num_replicas: 1", "    external_scaler_enabled: true")
    assert found(text, ray_version=(2, 52, 1)) == [("RAY507", (4, 5))]
    assert found(text, ray_version=(2, 53, 0)) == []


def test_ports_differ():
    given = deployment("num_replicas: 1").replace("applic", "http_options: {port: 81}\n  applic", 1)
    assert found(given, serve_port=8000) == [("RAY508", (2, 24))]
    assert found(given, serve_port=81) == []
    assert found(given, serve_port=None) == []
    [(code, (line, _))] = found(deployment("num_replicas: 1"), serve_port=81)
    assert (code, line) == ("RAY508", 2)


@pytest.mark.parametrize(
    ("location", "more", "is_told"),
    [
        ("HeadOnly", {}, True),
        ("Disabled", {"kuberay_version": (1, 7, 0)}, True),
        ("HeadOnly", {"kuberay_version": (1, 0, 0)}, False),
        ("HeadOnly", {"probe_proxies": False}, False),
        ("EveryNode", {}, False),
    ],
)
def test_proxies(location, more, is_told):
    given = deployment("num_replicas: 1").replace("applic", f"proxy_location: {location}\n  applic")
    assert found(given, **more) == ([("RAY509", (2, 19))] if is_told else [])


@pytest.mark.parametrize(
    ("scaling", "is_told"),
    [
        ("min_replicas: 1, max_replicas: 1", False),
        ("min_replicas: 0, initial_replicas: 0, max_replicas: 1", False),
        ("min_replicas: 2, max_replicas: 1", True),
        ("initial_replicas: 2", True),
        ("initial_replicas: 0", True),
        ("max_replicas: 3", False),
    ],
)
def test_orders_of_numbers(scaling, is_told):
    told = found(deployment(f"autoscaling_config: {{{scaling}}}"))
    assert [code for code, _ in told] == ["RAY521"] * is_told


def test_replicas_of_auto_have_room():
    assert found(deployment("num_replicas: auto, autoscaling_config: {min_replicas: 9}")) == []


@pytest.mark.parametrize(
    ("address", "is_told"),
    [
        ("https://example.com/a.zip", False),
        ("s3://bucket/a.zip", False),
        ("file:///models/a.zip", False),
        ("/models", True),
        (".", True),
        ("ftp://a/b.zip", True),
        ("https://", True),
    ],
)
def test_addresses_of_code(address, is_told):
    told = found(
        deployment(
            f"ray_actor_options: {{runtime_env: {{py_modules: ['{address}']}}}}",
            f"    runtime_env: {{working_dir: '{address}'}}",
        )
    )
    assert [(code, line) for code, (line, _) in told] == [("RAY505", 4), ("RAY505", 6)] * is_told


HEAD = NodeSize("head", 1, 0, 0, 8 << 30)
WORKERS = NodeSize("workers", 2, 4, 1, 16 << 30, {"TPU": 4})
UNKNOWN = NodeSize("unknown", 2)


@pytest.mark.parametrize(
    ("options", "nodes", "code"),
    [
        ("num_gpus: 1", (HEAD, WORKERS), ""),
        ("num_gpus: 2", (HEAD, WORKERS), "RAY530"),
        ("num_gpus: 2", (HEAD, WORKERS, UNKNOWN), ""),
        ("num_gpus: 2", (HEAD, WORKERS, NodeSize("off", 0, 8, 8)), "RAY530"),
        ("num_gpus: 2", (), ""),
        ("num_cpus: 4, num_gpus: 1", (HEAD, WORKERS), ""),
        ("num_cpus: 5", (HEAD, WORKERS), "RAY530"),
        (f"memory: {32 << 30}", (HEAD, WORKERS), "RAY530"),
        ("resources: {TPU: 4}", (HEAD, WORKERS), ""),
        ("resources: {other: 1}", (HEAD, WORKERS, UNKNOWN), "RAY530"),
    ],
)
def test_a_replica_fits_on_a_node(options, nodes, code):
    told = found(deployment(f"ray_actor_options: {{{options}}}"), nodes=nodes)
    assert told == ([(code, (6, 7))] if code else [])


@pytest.mark.parametrize(
    ("options", "is_told"),
    [
        ("num_replicas: 2, ray_actor_options: {num_gpus: 1}", False),
        ("num_replicas: 3, ray_actor_options: {num_gpus: 1}", True),
        ("num_replicas: 4, ray_actor_options: {num_gpus: 0.5}", False),
        ("autoscaling_config: {max_replicas: 9}, ray_actor_options: {num_gpus: 1}", False),
        ("autoscaling_config: {min_replicas: 3, max_replicas: 9}, "
         "ray_actor_options: {num_cpus: 4}", True),
        ("placement_group_bundles: [{GPU: 1}, {GPU: 1}, {GPU: 1}]", True),
        (f"num_replicas: 9, ray_actor_options: {{memory: {10 << 30}}}", True),
    ],
)  # fmt: skip
def test_all_replicas_fit_in_the_cluster(options, is_told):
    told = found(deployment(options), nodes=(HEAD, WORKERS))
    assert told == ([("RAY531", (2, 3))] if is_told else [])


def test_memory_is_told_in_gibibytes():
    document = document_of(deployment(f"ray_actor_options: {{memory: {32 << 30}}}"))
    serve = serve_of(document.tree, nodes=(HEAD, WORKERS))
    [finding] = serve_replicas.replicas_fit_on_a_node.check(serve)
    assert "asks for 32Gi of memory" in finding.message


def test_without_a_config_there_is_nothing_to_say():
    serve = ServeView(None, (2, 49, 0), None, 8000, (WORKERS,))
    assert [finding for rule in RULES for finding in rule.check(serve)] == []

"""Engines that Ray starts: their settings, the lines that set them, and whether models fit."""

import pytest
import yaml

from renderer import check, compare
from renderer.engines.accelerators import known_accelerators
from renderer.engines.llm_config import ray_facts
from renderer.errors import UsageError
from renderer.evaluate.question import find_spec
from renderer.inspect.engine_lines import engine_lines, trace_argument
from renderer.outputs import diff
from renderer.outputs.diff.report import build_report
from renderer.outputs.preview.engines import argument_rows, engine_title, remarks
from tests.support.memory import project
from tests.support.places import ROOT
from tests.support.rows import each

HERE = ROOT / "tests/golden/kuberay/language-models/environments/dev"
CHAT = (HERE / "chat.yaml").read_text("utf-8")
SIZES = (
    "models:\n"
    "  - {name: llama, match: ['hf://meta-llama/*'], weights: 60Gi, layers: 32, kv_heads: 8,"
    " head_size: 128, heads: 32, context: 8192}\n"
)
ENVIRONMENT = (HERE / "environment.yaml").read_text("utf-8") + SIZES
FILES = {
    "servingctl.yaml": "",
    "environments/dev/environment.yaml": ENVIRONMENT,
    "environments/dev/chat.yaml": CHAT,
}
FILE = "environments/dev/chat.yaml"


def mapping():
    """The same config as a mapping, which layers can be laid over."""
    tree = yaml.safe_load(CHAT)
    tree["serveConfigV2"] = yaml.safe_load(tree["serveConfigV2"])
    return yaml.safe_dump(tree, sort_keys=False)


def changed(text, *pairs):
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new, 1)
    return text


def lines(files=FILES, name="chat", environment="dev"):
    found = project(files)
    where = found.environment(environment)
    return engine_lines(find_spec(where, name), where, found.documents)


def told(files):
    return [(item.code, item.line, item.message, item.fix) for item in check(project(files))]


def test_settings_are_shown_with_what_set_them():
    first, second = lines()
    assert engine_title(first) == (
        "vllm 0.11.0 at serveConfigV2.applications.0.args.prefill_config, "
        "by ray.serve.llm:build_pd_openai_app of Ray 2.52.0"
    )
    assert list(argument_rows(first)) == [
        ("tensor_parallel_size: 2", f"spec, {FILE}:12"),
        (
            'kv_transfer_config: {"kv_connector": "NixlConnector", "kv_role": "kv_both"}',
            f"spec, {FILE}:13",
        ),
        ("model: meta-llama/Meta-Llama-3-8B", "Ray, from model_loading_config"),
        ("served_model_name: chat", "Ray, from model_loading_config"),
        ("distributed_executor_backend: ray", "Ray"),
        ("enable_log_requests: false", "Ray"),
    ]
    assert next(argument_rows(second)) == ("tensor_parallel_size: 2", f"spec, {FILE}:18")


def test_what_a_model_needs_is_explained():
    said = "\n".join(remarks(lines()[0]))
    assert "weights 30.0 Gi on each accelerator" in said
    assert "cache 0.5 Gi for one request of 8192 tokens" in said
    assert "H100: 90% of 79.6 Gi is 71.7 Gi, by accelerator_type" in said


def test_a_switch_that_is_off_and_a_setting_that_ray_leaves():
    settings = "tensor_parallel_size: 2\n            enable_prefix_caching: false\n"
    settings += (
        "            enable_log_requests: true\n            distributed_executor_backend: ray"
    )
    (first, _) = lines({**FILES, FILE: changed(CHAT, ("tensor_parallel_size: 2", settings))})
    texts = [text for text, _ in argument_rows(first)]
    assert texts.count("enable_prefix_caching: false") == 1
    assert texts.count("enable_log_requests: true") == 1
    assert [text for text in texts if "executor" in text] == ["distributed_executor_backend: ray"]


@pytest.fixture
def layered():
    """A base, and an environment that says one setting anew."""
    over = {
        "apiVersion": "serving.gitops/v1",
        "kind": "RayService",
        "serveConfigV2": {
            "applications": [
                {"name": "chat", "args": {"decode_config": {"engine_kwargs": {}}}},
            ]
        },
    }
    kwargs = over["serveConfigV2"]["applications"][0]["args"]["decode_config"]["engine_kwargs"]
    kwargs["tensor_parallel_size"] = 4
    return {
        "servingctl.yaml": "",
        "environments/base/environment.yaml": (
            "apiVersion: serving.gitops/v1\nkind: Environment\n"
        ),
        "environments/base/chat.yaml": mapping(),
        "environments/dev/environment.yaml": changed(
            ENVIRONMENT, ("kind: Environment\n", "kind: Environment\nextends: base\n")
        ),
        FILE: yaml.safe_dump(over, sort_keys=False),
    }


def test_of_two_layers_the_later_one_counts(layered):
    first, second = lines(layered)
    assert first.place == "serveConfigV2.applications.0.args.prefill_config"
    rows = [row for row in argument_rows(second) if row[0].startswith("tensor")]
    assert [text for text, _ in rows] == ["tensor_parallel_size: 2", "tensor_parallel_size: 4"]
    assert rows[0][1].startswith("spec, environments/base/chat.yaml:")
    assert rows[0][1].endswith("; does not count: a later one does")
    assert rows[1][1] == f"spec, {FILE}:9"


@pytest.mark.parametrize(
    "path",
    [
        "decode_config.engine_kwargs.tensor_parallel_size",
        "decode_config.engine_kwargs[tensor_parallel_size]",
        "decode_config.args[--tensor-parallel-size]",
        "serveConfigV2.applications.0.args.decode_config.args[--tensor-parallel-size]",
    ],
)
def test_a_setting_is_followed_through_layers(layered, path):
    found = project(layered)
    where = found.environment("dev")
    trace = trace_argument(find_spec(where, "chat"), where, path, found.documents)[-1]
    assert [(event.origin.file, event.wins) for event in trace.events] == [
        ("environments/base/chat.yaml", False),
        (FILE, True),
    ]


def test_which_of_two_models_is_meant_must_be_said(layered):
    found = project(layered)
    where = found.environment("dev")
    path, place = "engine_kwargs.tensor_parallel_size", "serveConfigV2.applications.0.args"
    with pytest.raises(UsageError) as caught:
        trace_argument(find_spec(where, "chat"), where, path, found.documents)
    assert f"'{place}.prefill_config.{path}' or '{place}.decode_config.{path}'" in str(caught.value)


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("engine_kwargs.tensor_size", "given tensor_size; did you mean 'tensor_parallel_size'"),
        ("args[--tensor-size]", "given --tensor-size; did you mean '--tensor-parallel-size'"),
        ("engine_kwargs.tensor_parallel_size", "several engines .* given tensor_parallel_size; "),
    ],
)
def test_a_setting_that_is_not_clear(path, words):
    where = project(FILES).environment("dev")
    with pytest.raises(UsageError, match=words):
        trace_argument(find_spec(where, "chat"), where, path)


@pytest.mark.parametrize("source", [CHAT, mapping()], ids=["a text", "a mapping"])
def test_a_diff_names_the_setting(source):
    before, after = ({**FILES, FILE: changed(source, ("size: 2", f"size: {n}"))} for n in (2, 4))
    found = compare(project(before), project(after), ())
    shown = diff.FORMATS["text"](build_report(found, ("a", "b"), {}))
    assert ".prefill_config.engine_kwargs.tensor_parallel_size: 2 → 4" in shown


BROKEN = {
    "weights that do not fit": (
        [("tensor_parallel_size: 2", "tensor_parallel_size: 1"), ("H100", "L4")],
        ("ENG200", 12, "60.0 Gi of weights do not fit in 20.2 Gi of L4", "(tensor_parallel_size)"),
    ),
    "a share of the memory": (
        [("tensor_parallel_size: 2", "gpu_memory_utilization: 90")],
        ("ENG130", 12, "not 90", "write 0.9 for 90 %"),
    ),
    "a context": (
        [("tensor_parallel_size: 2", "max_model_len: 9000")],
        ("ENG131", 12, "9000 tokens is longer than the 8192", "write 8192"),
    ),
    "heads": (
        [("tensor_parallel_size: 2", "tensor_parallel_size: 3")],
        ("ENG122", 12, "3 does not divide the 32", "write 2"),
    ),
    "a type of numbers": (
        [("tensor_parallel_size: 2", "dtype: bfloat16"), ("H100", "V100")],
        ("ENG140", 12, "has no bfloat16", "write half"),
    ),
    "limits of adapters": (
        [("tensor_parallel_size: 2", "max_lora_rank: 64")],
        ("ENG174", 12, "max_lora_rank has no effect without enable_lora", "add enable_lora"),
    ),
}


@each("pairs expected", BROKEN)
def test_settings_are_judged_as_options_are(pairs, expected):
    code, line, *words = expected
    found = told({**FILES, FILE: changed(CHAT, *pairs)})
    assert any(
        item[:2] == (code, line) and all(a in b for a, b in zip(words, item[2:], strict=True))
        for item in found
    ), found


def test_a_variable_of_runtime_env_lets_contexts_be_longer():
    long = changed(CHAT, ("tensor_parallel_size: 2", "max_model_len: 9000"))
    variables = "runtime_env: {env_vars: {VLLM_ALLOW_LONG_MAX_MODEL_LEN: '1'}}\n          "
    free = changed(long, ("accelerator_type", f"{variables}accelerator_type"))
    assert "ENG131" in [item[0] for item in told({**FILES, FILE: long})]
    assert "ENG131" not in [item[0] for item in told({**FILES, FILE: free})]


NEW, OLD = (
    ("rayVersion: 2.52.0", "rayVersion: 2.60.0"),
    ("rayVersion: 2.52.0", "rayVersion: 2.50.0"),
)
TYPE, SIZE = "accelerator_type: H100", "tensor_parallel_size: 2"
GROUP = "placement_group_config: {bundles: "
SCALED = "          deployment_config: {autoscaling_config: {max_replicas"
REPLICAS = "          deployment_config: {num_replicas"
#: What of two nodes with four GPUs is said: of room, of growth, of accelerators.
ROOM = {
    "a replica over both nodes": ([(SIZE, "tensor_parallel_size: 6")], []),
    "not so by an early Ray": ([(SIZE, "tensor_parallel_size: 6"), OLD], ["ENG306"]),
    "unless it is cut in two": (
        [(SIZE, "tensor_parallel_size: 3\n            pipeline_parallel_size: 2"), OLD], [],
    ),
    "bundles of two sizes": (
        [(TYPE, f"{GROUP}[{{GPU: 1}}, {{GPU: 2}}]}}\n{REPLICAS}: 3}}")],
        ["ENG306"],
    ),
    "more of them than there can be": (
        [(TYPE, f"{GROUP}[{{GPU: 1}}, {{GPU: 2}}]}}\n{SCALED}: 3}}}}")], ["ENG309"],
    ),
    "bundles for each worker": (
        [NEW, (TYPE, "placement_group_config: {bundle_per_worker: {GPU: 3}}")], [],
    ),
    "of which there are too many": (
        [NEW, (TYPE, "placement_group_config: {bundle_per_worker: {GPU: 3}}"),
         (SIZE, "tensor_parallel_size: 3")],
        ["ENG306"],
    ),
    "half of a GPU": (
        [(TYPE, f"{GROUP}[{{GPU: 0.5}}]}}\n{REPLICAS}: 12}}")], [],
    ),
    "a replica for each shard": (
        [("build_pd", "build_dp"), ("prefill_config", "llm_config"),
         (SIZE, "data_parallel_size: 9")],
        ["ENG306"],
    ),
    "no GPUs": (
        [NEW, (TYPE, "accelerator_config: {kind: cpu}"), (SIZE, "tensor_parallel_size: 9")], [],
    ),
    "a server of its own": (
        [NEW, (TYPE, "server_cls: a.b:C"), (SIZE, "tensor_parallel_size: 9")], [],
    ),
    "a bundle that asks for memory": (
        [(TYPE, f"{GROUP}[{{GPU: 1, memory: 900000000000}}]}}")], ["ENG306"],
    ),
    "a word for the number of replicas": (
        [(TYPE, "deployment_config: {num_replicas: auto}")], [],
    ),
    "another accelerator than the nodes have": (
        [("        spec:\n          containers:\n            - name: ray-worker",
          "        spec:\n          nodeSelector: {nvidia.com/gpu.product: NVIDIA-L4}\n"
          "          containers:\n            - name: ray-worker"),
         (TYPE, "accelerator_type: L4")],
        ["ENG310"],
    ),
}  # fmt: skip


@each("pairs codes", ROOM)
def test_room_for_models(pairs, codes):
    found = [item[0] for item in told({**FILES, FILE: changed(CHAT, *pairs)})]
    assert [code for code in found if code in ("ENG306", "ENG309", "ENG310")] == codes


def test_an_engine_on_cpus_has_processes_of_its_own():
    given = changed(CHAT, NEW, (TYPE, "accelerator_config: {kind: cpu}"))
    rows = [text for line in lines({**FILES, FILE: given}) for text, _ in argument_rows(line)]
    assert [text for text in rows if "executor" in text] == [
        "distributed_executor_backend: mp",
        "distributed_executor_backend: ray",
    ]


def test_a_server_of_its_own_is_no_engine_of_vllm():
    given = changed(CHAT, NEW, (TYPE, "server_cls: a.b:C"))
    (line,) = lines({**FILES, FILE: given})
    assert line.place.endswith("decode_config")


def test_which_size_of_an_accelerator_the_nodes_have():
    """Ray has one name for both, and the node selector tells which it is."""
    place = "        spec:\n          containers:\n            - name: ray-worker"
    label = "nodeSelector: {nvidia.com/gpu.product: NVIDIA-A100-SXM4-80GB}"
    of_any = CHAT.replace(TYPE, "accelerator_type: A100")
    of_one = changed(of_any, (place, place.replace("containers", f"{label}\n          containers")))
    any_size, one_size = (
        "\n".join(remarks(lines({**FILES, FILE: text})[0])) for text in (of_any, of_one)
    )
    assert "A100-40G: 90% of 40.0 Gi" in any_size
    assert "may get A100-80G as well" in any_size
    assert "A100-80G: 90% of 80.0 Gi" in one_size


@pytest.mark.parametrize("size", ["0", "-1", "x", "10000000000000000000000000000000", "2.5", "[]"])
def test_sizes_that_make_no_sense(size):
    given = changed(CHAT, ("tensor_parallel_size: 2", f"tensor_parallel_size: {size}"))
    assert "ENG306" not in [item[0] for item in told({**FILES, FILE: given})]


def test_production_runs_no_code_of_models():
    named = changed(ENVIRONMENT, ("kind: Environment\n", "kind: Environment\nproduction: true\n"))
    code = changed(CHAT, ("tensor_parallel_size: 2", "trust_remote_code: true"))
    given = {**FILES, "environments/dev/environment.yaml": named, FILE: code}
    assert ("ENG150", 12) in [item[:2] for item in told(given)]


def test_the_program_of_an_image_is_not_started_beside_ray():
    """The operator starts Ray there."""
    named = f"{ENVIRONMENT}engines: [{{image: 'example.com/own*', name: vllm, version: 0.11.0}}]\n"
    own = CHAT.replace("rayproject/ray-llm:", "example.com/own:")
    given = {**FILES, "environments/dev/environment.yaml": named, FILE: own}
    assert "ENG121" not in [item[0] for item in told(given)]
    assert len(lines(given)) == 2


JOB = """\
apiVersion: serving.gitops/v1
kind: RayJob
entrypoint: |
  export MODEL=acme/tiny
  vllm serve $MODEL --tensor-parallel-size 8 --max-modle-len 4096
rayClusterSpec:
  rayVersion: 2.52.0
  headGroupSpec:
    rayStartParams: {}
    template: {spec: {containers: [{name: head, image: 'rayproject/ray-llm:2.52.0'}]}}
"""


def test_a_job_that_starts_an_engine():
    given = {**FILES, "environments/dev/batch.yaml": JOB}
    (line,) = lines(given, "batch")
    assert engine_title(line) == "vllm 0.11.0 at entrypoint, by vllm serve"
    assert [text for text, _ in argument_rows(line)] == [
        "acme/tiny", "--tensor-parallel-size 8", "--max-modle-len 4096",
    ]  # fmt: skip
    assert [place for _, place in argument_rows(line)][1:] == [
        "spec, environments/dev/batch.yaml:5"
    ] * 2
    codes = [item[:2] for item in told(given) if item[0].startswith("ENG")]
    assert codes == [("ENG101", 5)]


def choices(version):
    shape = ray_facts(version).config("LLMConfig").fields["accelerator_type"]["shape"]
    return {name for part in shape[1:] if isinstance(part, list) for name in part[1:]}


#: What Ray knows, and the table has no memory of.
WITHOUT_MEMORY = (
    "A100-40G", "A100-80G", "A10", "AMD-", "Apple-", "Ascend", "FURIOSA", "GB300", "Intel-", "K80",
    "M1", "M2", "M3", "MOBILINT", "MXC", "P100", "P4", "RTX-PRO", "TPU-", "aws-",
)  # fmt: skip


def test_accelerators_are_those_that_ray_knows():
    """Or a new one of Ray would be without its memory, and nobody would notice."""
    known = choices("2.60.0")
    named = {item.ray_type for item in known_accelerators()} - {""}
    assert named <= known
    assert [name for name in sorted(known - named) if not name.startswith(WITHOUT_MEMORY)] == []


@pytest.mark.parametrize(
    ("version", "name", "is_known"),
    [("2.44.0", "H20", False), ("2.45.0", "H20", True), ("2.48.0", "B200", False),
     ("2.49.0", "B200", True), ("2.57.1", "GB300", False), ("2.58.0", "GB300", True)],
)  # fmt: skip
def test_which_version_knows_an_accelerator(version, name, is_known):
    assert (name in choices(version)) is is_known

"""The command line as it will run: in previews, in traces, and in what differs."""

import json
import re
from html import unescape

import pytest

from renderer import compare
from renderer.errors import UsageError
from renderer.evaluate.question import find_spec
from renderer.inspect.engine_lines import engine_lines, trace_argument
from renderer.outputs import diff
from renderer.outputs.diff.arguments import changed_arguments
from renderer.outputs.diff.report import build_report
from renderer.outputs.preview.engines import argument_rows, engine_data, remarks
from tests.support.memory import project
from tests.support.rows import each

ENVIRONMENT = """\
apiVersion: serving.gitops/v1
kind: Environment
destinations: [{name: east, platform: kubernetes, namespace: models}]
kserve: {default_mode: Standard}
models:
  - {name: tiny, match: ['hf://acme/tiny*'], weights: 16Gi, layers: 32, kv_heads: 8, head_size: 128}
"""
SPEC = """\
apiVersion: serving.gitops/v1
kind: InferenceService
predictor:
  nodeSelector: {nvidia.com/gpu.product: NVIDIA-L4}
  model:
    modelFormat: {name: vLLM}
    runtimeVersion: v0.11.0
    storageUri: hf://acme/tiny:v1
    args: [--port=8080, --max-model-len, '4096', --tensor-parallel-size=2]
    resources: {limits: {nvidia.com/gpu: 2}}
"""
FILES = {
    "servingctl.yaml": "",
    "environments/dev/environment.yaml": ENVIRONMENT,
    "environments/dev/chat.yaml": SPEC,
}


def chat(files=FILES):
    environment = project(files).environment("dev")
    return find_spec(environment, "chat"), environment


def test_arguments_are_shown_in_their_order_with_what_set_them():
    (line,) = engine_lines(*chat())
    assert (line.engine, line.version, line.place) == ("vllm", "0.11.0", "predictor.model")
    rows = list(argument_rows(line))
    assert [text for text, _ in rows] == [
        "--port=8080",
        "--served-model-name=chat",
        "--model=/mnt/models",
        "--port=8080",
        "--max-model-len 4096",
        "--tensor-parallel-size=2",
    ]
    assert "does not count" in rows[0][1]
    assert "ships it" in rows[0][1]
    assert rows[3][1] == rows[4][1] == "spec, environments/dev/chat.yaml:9"


def test_what_a_model_needs_is_explained():
    (line,) = engine_lines(*chat())
    said = "\n".join(remarks(line))
    assert "weights 8.0 Gi on each accelerator, by environments/dev/environment.yaml:6" in said
    assert "cache 0.2 Gi for one request of 4096 tokens" in said
    assert "L4: 90% of 22.5 Gi is 20.2 Gi, by environments/dev/chat.yaml:4" in said


def test_secrets_are_hidden():
    text = SPEC.replace("--port=8080, --max", "--api-key, kT7mPq2xWz9, --max")
    (line,) = engine_lines(*chat({**FILES, "environments/dev/chat.yaml": text}))
    assert "kT7mPq2xWz9" not in json.dumps(engine_data(line))
    assert "--api-key" in json.dumps(engine_data(line))


@pytest.mark.parametrize("path", ["args[--port]", "predictor.model.args[--port]"])
def test_an_argument_is_followed_to_its_lines(path):
    (trace,) = trace_argument(*chat(), path)
    first, second = trace.events
    assert (first.wins, second.wins) == (False, True)
    assert (first.origin.file, second.origin.place) == ("", ("environments/dev/chat.yaml", 9, 12))


ENGINES = {
    "own": """\
apiVersion: serving.gitops/v1
kind: InferenceService
predictor:
  containers:
    - {name: first, image: 'vllm/vllm-openai:v0.11.0', args: [--model=m, --port=8080]}
    - {name: second, image: 'vllm/vllm-openai:v0.11.0', args: [--model=m, --port=8081, --seed=1]}
""",
    "workload": """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: workload}
spec:
  selector: {matchLabels: {app: engine}}
  template:
    metadata: {labels: {app: engine}}
    spec:
      containers: [{name: engine, image: x, command: [sh, -c, 'vllm serve m --port 8082']}]
""",
    "llm": """\
apiVersion: serving.gitops/v1
kind: LLMInferenceService
model: {uri: hf://acme/tiny, name: tiny}
template: {containers: [{name: main, args: [--seed=3, --max-num-seqs=8]}]}
prefill: {template: {containers: [{name: main, args: [--seed=4]}]}}
""",
    "ray": """\
apiVersion: serving.gitops/v1
kind: RayCluster
rayVersion: 2.52.0
headGroupSpec:
  template: {spec: {containers: [{name: head, image: rayproject/ray:2.52.0}]}}
workerGroupSpecs:
  - groupName: gpu
    template:
      spec: {containers: [{name: worker, image: ray-llm, command: [vllm, serve, m, --port=8083]}]}
""",
}
FOLLOWED = {
    "the only one that has it": ("own", "args[--seed]", "--seed=1"),
    "by the name of its container": ("own", "second.args[--port]", "--port=8081"),
    "by the end of a path": ("own", "containers[second].args[--port]", "--port=8081"),
    "by a path": ("own", "predictor.containers[first].args[--port]", "--port=8080"),
    "by a path with a number": ("own", "predictor.containers.0.args[--port]", "--port=8080"),
    "in the text of a shell": ("workload", "args[--port]", "--port 8082"),
    "in a role": ("llm", "args[--max-num-seqs]", "--max-num-seqs=8"),
    "in one of two roles": ("llm", "template.args[--seed]", "--seed=3"),
    "in the other role": ("llm", "prefill.template.containers[main].args[--seed]", "--seed=4"),
    "in a group of workers": ("ray", "worker.args[--port]", "--port=8083"),
}
AMBIGUOUS = {
    "two containers": (
        "own", "args[--port]",
        "several engines of InferenceService/own are given --port; write "
        "'predictor.containers[first].args[--port]' or 'predictor.containers[second].args[--port]'",
    ),
    "two of one name": (
        "llm", "main.args[--seed]",
        "several engines of LLMInferenceService/llm are given --seed; write "
        "'template.containers[main].args[--seed]' or "
        "'prefill.template.containers[main].args[--seed]'",
    ),
    "a container that there is not": (
        "workload", "other.args[--port]",
        "no engine runs at other; write 'spec.template.spec.containers[engine].args[--port]'",
    ),
}  # fmt: skip


def some(name):
    settings = ENVIRONMENT + "companions: {allow: [Deployment]}\n"
    files = {"servingctl.yaml": "", "environments/dev/environment.yaml": settings}
    environment = project(
        files | {f"environments/dev/{stem}.yaml": text for stem, text in ENGINES.items()}
    ).environment("dev")
    return find_spec(environment, name), environment


@each("name path text", FOLLOWED)
def test_an_argument_is_followed_wherever_an_engine_is_met(name, path, text):
    (trace,) = trace_argument(*some(name), path)
    assert trace.value == text


@each("name path message", AMBIGUOUS)
def test_which_engine_is_meant_must_be_said(name, path, message):
    with pytest.raises(UsageError) as caught:
        trace_argument(*some(name), path)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("path", "message"),
    [("args[--max-modle-len]", "'--max-model-len'"), ("transformer.args[--port]", "no engine")],
)
def test_an_argument_that_is_not_there(path, message):
    with pytest.raises(UsageError, match=message):
        trace_argument(*chat(), path)


CHANGED = {
    "a value": ("--a=1 --b 2", "--a=1 --b 3", "--b 2 → 3"),
    "another form": ("--a=1 --b 2", "--a 1 --b 3", "--b 2 → 3"),
    "one more": ("--a=1", "--x --a=1 --b 3", "--x added; --b 3 added"),
    "one less": ("--a=1 --b 3", "--a=1", "--b 3 removed"),
    "a word before them": ("serve --a=1", "serve --a=2", "--a 1 → 2"),
    "another word before them": ("m --a=1", "n --a=2", ""),
    "the same twice": ("--a=1 --a=2", "--a=1 --a=3", ""),
    "no options": ("a b", "a c", ""),
}


@each("before after text", CHANGED)
def test_changes_go_by_the_names_of_arguments(before, after, text):
    found = changed_arguments(("args",), before.split(), after.split())
    assert sorted(found.split("; ")) == sorted(text.split("; "))
    assert not changed_arguments(("other",), before.split(), after.split())


@pytest.mark.parametrize("form", ["text", "markdown", "html"])
def test_a_diff_says_them(form):
    later = {**FILES, "environments/dev/chat.yaml": SPEC.replace("'4096'", "'8192'")}
    found = compare(project(FILES), project(later), ())
    shown = unescape(diff.FORMATS[form](build_report(found, ("a", "b"), {})))
    assert "--max-model-len 4096 → 8192" in re.sub(r"&#[0-9]+;|<[^>]*>", "", shown)

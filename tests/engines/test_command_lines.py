"""The words that an engine is started with, and where each of them stands."""

import pytest

from renderer.engines.command_lines import command_line
from renderer.engines.marks import HUGGINGFACE, VLLM
from renderer.engines.releases import release_of
from renderer.values.diagnostics import Origin
from renderer.values.tree import uniform_tree
from tests.support.rows import each


def line_of(image_program="", **container):
    return command_line(uniform_tree(container, Origin("x.yaml")), image_program)


def texts(line):
    return [word.text for word in line.words]


ENGINE = ["--model", "m", "--max-model-len=4096"]
STARTS = {
    "the program": ({"command": ["vllm", "serve", *ENGINE]}, "vllm serve"),
    "with a path": ({"command": ["/opt/venv/bin/vllm", "serve"], "args": ENGINE}, "vllm serve"),
    "a module": (
        {"command": ["python3", "-m", "vllm.entrypoints.openai.api_server"], "args": ENGINE},
        "python -m vllm.entrypoints.openai.api_server",
    ),
    "a module, unbuffered": (
        {"command": ["python3.12", "-u", "-m", "vllm.entrypoints.openai.api_server", *ENGINE]},
        "python -m vllm.entrypoints.openai.api_server",
    ),
    "the image": (
        {"image": "vllm/vllm-openai:v0.11.0", "args": ENGINE},
        "the program of the image",
    ),
    "an image of a registry": (
        {"image": "hub.example:5000/vllm/vllm-openai@sha256:0", "args": ENGINE},
        "the program of the image",
    ),
    "a shell": ({"command": ["sh", "-c", "exec vllm serve " + " ".join(ENGINE)]}, "vllm serve"),
    "a shell with options": (
        {"command": ["/bin/bash", "-euxc"], "args": ["cd /app && vllm serve " + " ".join(ENGINE)]},
        "vllm serve",
    ),
    "arguments of a shell": (
        {"command": ["bash", "-c", 'exec vllm serve "$@"', "start"], "args": ENGINE},
        "vllm serve",
    ),
    "numbered arguments": (
        {"command": ["bash", "-c", "vllm serve --model $1 --max-model-len=$2", "-", "m", "4096"]},
        "vllm serve",
    ),
    "continued lines": (
        {
            "command": [
                "sh",
                "-c",
                "vllm serve \\\n  --model m \\\n --max-model-len=4096 2>&1 | tee x",
            ]
        },
        "vllm serve",
    ),
    "quotes": (
        {"command": ["sh", "-c", "vllm serve '--model' \"m\" --max-model-len='4096'"]},
        "vllm serve",
    ),
    "eval": (
        {"command": ["sh", "-c", 'eval "vllm serve --model m --max-model-len=4096"']},
        "vllm serve",
    ),
    "variables of the shell": (
        {
            "command": [
                "sh",
                "-c",
                "LEN=4096; export NAME=m\nvllm serve --model $NAME --max-model-len=${LEN}",
            ]
        },
        "vllm serve",
    ),
    "defaults": (
        {"command": ["sh", "-c", "vllm serve --model ${NAME:-m} --max-model-len=${LEN:-4096}"]},
        "vllm serve",
    ),
    "several words of a variable": (
        {
            "command": ["sh", "-c", "vllm serve ${ARGS}"],
            "env": [{"name": "ARGS", "value": "--model m --max-model-len=4096"}],
        },
        "vllm serve",
    ),
    "variables of Kubernetes": (
        {
            "command": ["vllm", "serve", "--model", "$(NAME)", "--max-model-len=$(LEN)"],
            "env": [{"name": "NAME", "value": "m"}, {"name": "LEN", "value": "4096"}],
        },
        "vllm serve",
    ),
    "before it and after it": (
        {
            "command": [
                "sh",
                "-c",
                "ray start & env A=b vllm serve --model m --max-model-len=4096; wait",
            ]
        },
        "vllm serve",
    ),
}


@each("container program", STARTS)
def test_an_engine_is_found(container, program):
    line = line_of(**container)
    assert (line.engine, line.program, texts(line)) == (VLLM, program, ENGINE)
    assert not line.unchecked


def test_the_server_of_transformers_is_found():
    for given in (
        {"image": "kserve/huggingfaceserver:v0.20.0-gpu"},
        {"command": ["python", "-m", "huggingfaceserver"]},
    ):
        line = line_of(**given, args=["--model_name=m"])
        assert (line.engine, texts(line)) == (HUGGINGFACE, ["--model_name=m"])


def test_an_own_image_is_known_by_the_environment():
    assert line_of(image="acme/llm:1", args=ENGINE) is None
    assert texts(line_of("vllm", image="acme/llm:1", args=ENGINE)) == ENGINE


OTHERS = {
    "nothing": {},
    "another program": {"image": "vllm/vllm-openai:v0.11.0", "command": ["sleep", "1"]},
    "another command of it": {"command": ["vllm", "bench", "serve"]},
    "another module": {"command": ["python", "-m", "vllm.tools", "serve"]},
    "a script": {"command": ["bash", "/start-vllm.sh"]},
    "a router": {"command": ["/app/sidecar"], "args": ["--vllm-port=8001"]},
    "words in quotes": {"command": ["sh", "-c", "echo 'vllm serve --model m'"]},
    "a comment": {"command": ["sh", "-c", "# vllm serve\nsleep 1"]},
}


@each("container", OTHERS)
def test_what_is_no_engine_has_no_command_line(container):
    assert line_of(**container) is None


UNKNOWN = {
    "of the image": (["sh", "-c", "vllm serve $MORE"], "$MORE", True),
    "of a Secret": (["sh", "-c", "vllm serve --api-key=$KEY"], "$KEY", False),
    "for Kubernetes": (["vllm", "serve", "--api-key=$(KEY)"], "$(KEY)", False),
    "of a program": (["sh", "-c", "vllm serve --host $(hostname -i)"], "$(hostname -i)", True),
    "set in a branch": (
        ["sh", "-c", "if true; then X=1; else X=2; fi\nvllm serve --tensor-parallel-size ${X}"],
        "${X}",
        True,
    ),
}


@each("command unknown may_be_many", UNKNOWN)
def test_what_only_a_container_can_tell_is_unchecked(command, unknown, may_be_many):
    env = [{"name": "KEY", "valueFrom": {"secretKeyRef": {"name": "a", "key": "b"}}}]
    (word,) = line_of(command=command, env=env).unchecked
    assert (word.unknown, word.may_be_many) == (unknown, may_be_many)


def test_words_know_their_place_in_a_text():
    script = 'set -e\nexec vllm serve \\\n  --max-model-len 4096 "--seed=1" $A'
    line = line_of(command=["sh", "-c", script], env=[{"name": "A", "value": " --x  --y"}])
    found = {word.text: str(word.node.value)[word.inside :][:6] for word in line.words}
    assert found == {
        "--max-model-len": "--max-",
        "4096": '4096 "',
        "--seed=1": "--seed",
        "--x": "--x  -",
        "--y": "--y",
    }


@pytest.mark.parametrize(
    "text", ["vllm serve ${" * 400, "`" * 999, '"' * 999, "vllm serve $(" * 400]
)
def test_texts_that_end_too_early_are_read(text):
    line_of(command=["sh", "-c", text])


def test_words_that_eval_lays_together_keep_their_places():
    script = 'A="--seed=1"\neval "exec vllm serve m ${A} --name "x" $@"'
    line = line_of(command=["bash", "-c", script, "--"], args=["--one=1", "--two='a b'"])
    assert texts(line) == ["m", "--seed=1", "--name", "x", "--one=1", "--two=a b"]
    assert [str(word.node.value) for word in line.words[-2:]] == ["--one=1", "--two='a b'"]
    assert [word.inside for word in line.words[-2:]] == [0, 0]


RELEASES = {
    "its own": ("vllm/vllm-openai:v0.11.0", "0.11.0"),
    "another image with it": ("hub.example/llm-d/llm-d-cuda:v0.8.0", "0.23.0"),
    "not known": ("hub.example/llm-d/llm-d-cuda:v0.7.0", ""),
    "none": ("vllm/vllm-openai:latest", ""),
}


@each("image version", RELEASES)
def test_images_say_their_version(image, version):
    container = uniform_tree({"image": image}, Origin("x.yaml"))
    assert release_of(VLLM, container).version == version


DOUBLED = "".join(f'V{n}="$V{n - 1}$V{n - 1}"\n' for n in range(1, 60))
HOSTILE = {
    "variables that double": {
        "command": ["bash", "-c", f"V0=aaaaaaaaaa\n{DOUBLED}vllm serve m --seed $V59"]
    },
    "variables of the container that double": {
        "command": ["vllm", "serve", "m"],
        "args": ["--seed=$(V60)"],
        "env": [
            {"name": "V0", "value": "aaaaaaaaaa"},
            *({"name": f"V{n}", "value": f"$(V{n - 1})$(V{n - 1})"} for n in range(1, 61)),
        ],
    },
    "arguments many times": {
        "command": ["bash", "-c", "exec vllm serve m " + '"$@" ' * 16_000, "--", *["x"] * 9_000]
    },
    "arguments many times in a word": {
        "command": ["bash", "-c", "exec vllm serve m " + "$@" * 16_000, "--", *["x"] * 9_000]
    },
}


@each("container", HOSTILE)
def test_what_grows_is_not_known(container):
    """Nothing of it is worked out: no program is started with such words."""
    line = line_of(**container)
    assert line.words[-1].unknown
    assert len(line.words) < 6_000
    assert sum(len(word.text) for word in line.words) < 200_000

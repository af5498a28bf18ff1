"""A command imports what it needs: which modules are absent on each command's path."""

import os
import subprocess
import sys

import pytest

from benchmarks.repositories import edit, write
from tests.support.places import ROOT

pytestmark = pytest.mark.process

HEAVY = {"click", "jinja2", "jsonschema", "yaml", "ruamel", "deepdiff", "re2", "importlib.metadata"}

NEVER = {"asyncio", "ssl", "socket", "multiprocessing", "logging", "secrets"}

OF_IMAGES = {
    "renderer.backends.kuscia.rules.containers",
    "renderer.backends.kuscia.rules.mounts",
    "renderer.backends.kuscia.config_templates.config_files",
}

#: What only environments need that ask for the objects which specs name.
OF_REFERENCES = (
    "renderer.kubernetes.mentions",
    "renderer.values.references",
    "renderer.manifests.references",
    "renderer.evaluate.references",
)


def loaded(*arguments, cwd=ROOT, **environment):
    """The modules that a command has imported when it has ended well."""
    code = (
        "import sys; from renderer.cli import main\n"
        "try: main()\n"
        "finally: sys.stderr.write('\\nMODULES\\n' + '\\n'.join(sys.modules))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=cwd,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
    )
    said, _, modules = done.stderr.partition("\nMODULES\n")
    assert done.returncode == 0, said
    found = set(modules.splitlines())
    assert "renderer.cli" in found
    return found


#: What only containers need that run an engine of language models.
OF_ENGINES = {
    "renderer.engines.tables",
    "renderer.engines.rules",
    "renderer.engines.command_lines",
    "renderer.engines.accelerators",
}


@pytest.mark.parametrize(
    ("arguments", "absent"),
    [
        (["--version"], {*HEAVY, "dataclasses", "typing", "pathlib"}),
        (["--help"], {"ruamel", "deepdiff"}),
        (["schema", "Serving"], {"jinja2", "jsonschema", "yaml", "ruamel", "deepdiff"}),
        (["list"], {*HEAVY - {"yaml", "click"}, *NEVER}),
        (["validate"], {*HEAVY - {"yaml"}, *NEVER, "pathlib"}),
        (["validate", "environments/base"], {*HEAVY - {"yaml"}, *NEVER, "pathlib"}),
        (["validate", "--strict"], {*HEAVY - {"yaml", "click"}, *NEVER}),
        (
            ["preview", "credit-risk", "--env", "dev"],
            {*NEVER, "renderer.backends.kserve.llm.picture"},
        ),
        (["import", "rendered/dev/master", "--env", "dev"], {"jinja2", "jsonschema", *NEVER}),
        (
            ["export", "credit-risk", "--env", "dev", "--as", "create"],
            {"renderer.io.states", "renderer.backends.kuberay.api_requests"},
        ),
        (["status", "--help"], {"jinja2", "jsonschema", "subprocess", *NEVER}),
        (
            ["graph", "--env", "prod"],
            {"renderer.outputs.picture.svg", "renderer.outputs.picture.mermaid", "ssl"},
        ),
        (["diff", "--from", ".", "--to", "."], {"ruamel", "deepdiff", "asyncio", "ssl", "socket"}),
        (
            ["promote", "flowers", "--from", "dev", "--to", "prod"],
            {"ruamel", "jinja2", "asyncio", "ssl", "socket"},
        ),
        (["bootstrap", "argocd"], {*HEAVY - {"yaml", "click"}, *NEVER}),
        (["render", "--check"], {*HEAVY - {"yaml"}, *NEVER}),
        (["render", "--check", "--jobs", "2"], {*HEAVY - {"yaml"}, *NEVER}),
        (["render", "--stdout"], {*HEAVY - {"yaml", "click"}, *NEVER}),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_absent_modules(arguments, absent):
    assert not loaded(*arguments) & absent


@pytest.mark.parametrize("command", [["validate"], ["render", "--stdout"], ["list"]])
def test_a_repository_without_language_models(command):
    found = loaded(*command, cwd=ROOT / "tests/golden/kserve/scaling")
    assert "renderer.backends.kserve.backend" in found
    assert {name for name in found if name in OF_ENGINES or ".kserve.llm" in name} == set()


@pytest.mark.parametrize("command", [["validate"], ["render"]])
def test_a_backend_that_nothing_uses(tmp_path, command):
    """Its line of the registry is all that is known of it, whatever codes are spoken of."""
    write(tmp_path / "fleet", 2)
    (tmp_path / "fleet/servingctl.yaml").write_text("rules: {KUS307: warning, POL004: ignore}\n")
    found = loaded(*command, cwd=tmp_path / "fleet")
    platforms = ("kserve", "kuberay", "companions", *OF_REFERENCES)
    others = {name for name in found if any(one in name for one in platforms)}
    lines = ("kserve", "kuberay", "companions")
    assert others == {f"renderer.backends.{name}" for name in lines}


@pytest.mark.parametrize("command", [["validate"], ["render"], ["graph", "--env", "dev"]])
def test_a_backend_of_a_platform_that_another_one_uses(tmp_path, command):
    """Two backends serve clusters; of the one without specs only its line is there."""
    folder = tmp_path / "environments/dev"
    folder.mkdir(parents=True)
    (tmp_path / "servingctl.yaml").touch()
    (folder / "environment.yaml").write_text(
        "apiVersion: serving.gitops/v1\nkind: Environment\n"
        "destinations: [{name: east, platform: kubernetes, namespace: models}]\n"
    )
    (folder / "flowers.yaml").write_text(
        "apiVersion: serving.gitops/v1\nkind: InferenceService\n"
        "predictor: {model: {modelFormat: {name: sklearn}, storageUri: 's3://models/flowers/v1'}}\n"
    )
    unused = ("kuberay", "companions", *OF_REFERENCES)
    found = {name for name in loaded(*command, cwd=tmp_path) if any(one in name for one in unused)}
    assert found == {"renderer.backends.kuberay", "renderer.backends.companions"}


def test_a_serving_that_changed(tmp_path):
    """What was found of images is remembered, and nothing is wrong that has to be explained."""
    file = write(tmp_path / "fleet", 6)[0]
    remembering = {"XDG_CACHE_HOME": str(tmp_path / "cache"), "CI": ""}
    hook = {"cwd": tmp_path / "fleet", **remembering}
    assert loaded("validate", str(file), **hook) >= OF_IMAGES
    edit(file, 1)
    assert not loaded("validate", str(file), **hook) & {
        *OF_IMAGES,
        "difflib",
        "hashlib",
        "click",
        "pathlib",
        *NEVER,
    }

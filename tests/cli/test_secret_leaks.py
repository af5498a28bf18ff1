"""No command shows a secret in any format, whatever it is called and wherever it stands."""

from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from renderer import check, load
from tests.support.git import commit, git
from tests.support.processes import run

pytestmark = pytest.mark.process

WORDS = ("password", "passwd", "secret", "token", "api_key", "private_key", "storage_key", "pwd")
OWNERS = ("", "db", "aws_s3", "client", "oauth2", "jwt2", "hf", "x", "my_app", "redis")
ENDS = ("", "_v2", "_1", "_prod")
SHAPES = (
    "nvapi-{0}{0}",
    "sk-{0}{0}",
    "xoxb-{0}-{0}",
    "gsk_{0}{0}",
    "glpat-{0}{0}",
    "dckr_pat_{0}{0}",
)


def _styled(words, style):
    parts = [part for part in words.split("_") if part]
    if style == "camel":
        return parts[0] + "".join(part.title() for part in parts[1:])
    joined = {"snake": "_", "kebab": "-", "glued": "", "capitals": "_", "shouted": ""}[style].join(
        parts
    )
    return joined.upper() if style in ("capitals", "shouted") else joined


STYLES = ("camel", "snake", "kebab", "glued", "capitals", "shouted")
NAMES = st.builds(
    lambda owner, word, end, style: _styled(f"{owner}_{word}{end}", style),
    *map(st.sampled_from, (OWNERS, WORDS, ENDS, STYLES)),
)
VALUES = st.from_regex(r"[A-Z][a-z]{3}[0-9][a-z0-9]{7}[A-Z][0-9]", fullmatch=True)


NUMBER = "8675309417"


class Secrets(NamedTuple):
    """What is drawn for one repository: names and values, in the order of their places."""

    names: list[str]
    values: list[str]
    shapes: list[str]


SECRETS = st.builds(
    Secrets,
    st.lists(NAMES, min_size=30, max_size=30),
    st.lists(VALUES, min_size=40, max_size=40, unique=True),
    st.lists(st.sampled_from(SHAPES), min_size=4, max_size=4),
)

ENVIRONMENT = """\
apiVersion: serving.gitops/v1
kind: Environment
destinations:
  - {{name: {name}, platform: kubernetes, namespace: models}}
vars: {{hidden: {v[0]}, plain: 5}}
rules: {rules}
"""
SERVICE = """\
apiVersion: serving.gitops/v1
kind: InferenceService
annotations:
  serving.kserve.io/deploymentMode: Standard
  example.com/{n[0]}: {v[1]}
  example.com/odd: '{{"{n[1]}": "{v[2]}"}}'
  example.com/shaped: see {s[0]}
predictor:
  containers:
    - name: kserve-container
      image: example/server:{tag}
      command: [sh, -c, '{n[2]}={v[3]} python serve.py --{n[3]} {v[4]} --x {s[1]}']
      args:
        - --{n[4]}
        - {v[5]}
        - --{n[5]}={v[6]}
        - curl -u user:{v[7]} https://user:{v[8]}@example.com/x?token={v[9]}
        - |
          set -e
          export {n[6]}={v[10]}
          echo {s[2]} \\
            --{n[7]} "{v[11]}"
      env:
        - {{name: {n[8]}, value: {v[12]}}}
        - {{value: {v[13]}, name: {n[9]}}}
        - name: {n[10]}
          # a comment between them
          value: >-
            {v[14]}
        - name: "{n[11]}"
          value: "{v[15]}"
        - {{name: {n[12]}2, value: '${{vars.hidden}}'}}
        - {{name: STORE, value: 'AccountName=a;AccountKey={v[16]};Password={v[17]};'}}
        - {{name: SHARED, value: &shared {v[18]}}}
        - {{name: {n[13]}3, value: *shared}}
      readinessProbe:
        httpGet: {{port: 8080, httpHeaders: [{{name: Authorization, value: Bearer {v[19]}}}]}}
"""
RAY = """\
apiVersion: serving.gitops/v1
kind: RayService
rayClusterConfig:
  rayVersion: 2.52.0
  gcsFaultToleranceOptions:
    redisAddress: redis:6379
    redisPassword: {{value: {v[20]}}}
  headGroupSpec:
    rayStartParams: {{}}
    template:
      spec:
        containers:
          - name: ray-head
            image: rayproject/ray:2.52.0
            resources: {{limits: {{cpu: 1, memory: 2Gi}}}}
serveConfigV2: |
  applications:
    - name: shop
      import_path: shop:app
      route_prefix: /{tag}
      runtime_env:
        env_vars:
          {n[14]}: {v[21]}
          "{n[15]}x_token": "{v[22]}"
          START: "{n[16]}={v[23]} run {s[3]}"
          PIN_PASSWORD: {number}
"""


def written(drawn, rules, tag="v1"):
    """The files of a repository of two environments, with all secrets in one of them."""
    shaped = [
        shape.format(value) for shape, value in zip(drawn.shapes, drawn.values[30:], strict=False)
    ]
    words = {
        "n": drawn.names,
        "v": drawn.values,
        "s": shaped,
        "tag": tag,
        "rules": rules,
        "number": NUMBER,
    }
    files = {"servingctl.yaml": ""}
    for name in ("dev", "prod"):
        text = ENVIRONMENT.format(name=f"east-{name}", **words)
        files[f"environments/{name}/environment.yaml"] = text
    files["environments/dev/iris.yaml"] = SERVICE.format(**words)
    files["environments/dev/shop.yaml"] = RAY.format(**words)
    return files


def put(root, files):
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, "utf-8")


FINDINGS = ("text", "json", "github", "gitlab", "sarif", "junit")
SOME = (
    ("validate",),
    ("preview", "shop", "--env", "dev"),
    ("trace", "iris", "predictor", "--env", "dev", "--format", "json"),
)
TRACED = (
    "predictor", "annotations", "spec.predictor", "predictor.containers[kserve-container].args[1]",
    "predictor.containers[kserve-container].command", "predictor.containers[kserve-container].env",
)  # fmt: skip
BOTH = ("text", "json")
PROMOTE = ("promote", "--all", "--from", "dev", "--to", "prod")
MORE = (
    *(("validate", "--format", form) for form in (*FINDINGS, "baseline")),
    ("render",),
    ("render", "--check"),
    *(("diff", "--format", form) for form in ("text", "markdown", "json", "html")),
    ("diff", "--stat"),
    ("diff", "--from", "env:dev", "--to", "env:prod"),
    *(("preview", name, "--env", "dev", "--format", f) for name in ("iris", "shop") for f in BOTH),
    *(("trace", "iris", path, "--env", "dev", "--format", f) for path in TRACED for f in BOTH),
    ("trace", "shop", "serveConfigV2", "--env", "dev"),
    *((*PROMOTE, "--format", form) for form in BOTH),
    *(("list", "--format", form) for form in BOTH),
    ("graph", "--env", "dev"),
    ("import", "foreign.yaml", "--env", "prod"),
    ("status", "--env", "dev", "--from", "live.yaml"),
)


#: Which values stand under a plain name and are secrets by way of another place alone.
ELSEWHERE = (0, 18)
IGNORED = "{SEC001: ignore, SEC002: ignore, SEC004: ignore}"


def leaks(root, drawn, commands, exempt=()):
    """Commands that show a secret, which one it is, and what is before it."""
    own = [value for at, value in enumerate(drawn.values[:24]) if at not in exempt]
    for words in commands:
        done = run(*words, cwd=root)
        text = done.stdout + done.stderr
        for secret in (*own, *drawn.values[30:34], NUMBER):
            if secret in text:
                at = text.index(secret)
                yield words, secret, text[max(0, at - 100) : at]


def prepared(root, drawn, rules):
    """A repository whose older state, with other secrets, is in Git, and an object from outside."""
    older = Secrets(drawn.names, [value[::-1] for value in drawn.values], drawn.shapes)
    git(root, "init", "--quiet")
    put(root, written(older, rules, "v0"))
    commit(root)
    files = written(drawn, rules)
    put(root, files)
    spec = (
        files["environments/dev/iris.yaml"]
        .partition("predictor:")[2]
        .replace("curl -u", "get --password")
    )
    meta = "metadata: {name: iris, namespace: models}\nspec:\n  predictor:"
    head = f"apiVersion: serving.kserve.io/v1beta1\nkind: InferenceService\n{meta}"
    put(root, dict.fromkeys(("foreign.yaml", "live.yaml"), head + spec.replace("\n", "\n  ")))


def once(examples):
    return settings(
        max_examples=examples,
        derandomize=True,
        deadline=None,
        database=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )


@once(1)
@given(SECRETS)
def test_no_command_shows_a_secret(tmp_path_factory, drawn):
    root = tmp_path_factory.mktemp("leaks")
    put(root, written(drawn, "{}"))
    assert not list(leaks(root, drawn, SOME))


@pytest.mark.long
@once(12)
@given(SECRETS)
def test_no_format_of_any_command_shows_a_secret(tmp_path_factory, drawn):
    root = tmp_path_factory.mktemp("leaks")
    prepared(root, drawn, "{}")
    assert {"SEC001", "SEC002", "SEC004"} <= {item.code for item in check(load(root))}
    assert not list(leaks(root, drawn, MORE))


@pytest.mark.long
@once(6)
@given(SECRETS)
def test_nor_one_that_is_accepted(tmp_path_factory, drawn):
    """Objects that hold it are compared, previewed and traced; only variables tell nothing."""
    root = tmp_path_factory.mktemp("leaks")
    prepared(root, drawn, IGNORED)
    assert not [item for item in check(load(root)) if item.code.startswith("SEC")]
    assert not list(leaks(root, drawn, MORE, exempt=ELSEWHERE))

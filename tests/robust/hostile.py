"""Repositories that mean harm: what is changed, which command meets it, and what it must say."""

# ruff: noqa: E501 - a table
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from tests.support.repositories import ENVIRONMENT, HEADER, SCORER, SERVING

RISK = "environments/dev/servings/risk.yaml"
IMAGE = "environments/dev/appimages/scorer.yaml"
DEV = "environments/dev/environment.yaml"
TEMPLATE = "templates/kuscia/kusciadeployment.yaml.j2"
CRD = "schemas/crds/thing.yaml"
INVENTORY = "rendered/dev/.inventory/east"
JOURNAL = "rendered/.servingctl-work/journal"
MARKER = "servingctl.yaml"
NOTHING = "environments/none/environment.yaml"
MANY = 20_000


class Link(NamedTuple):
    """A symbolic link in the place of a file."""

    target: str


class Special(NamedTuple):
    """A pipe or a socket in the place of a file."""

    kind: str


class Sparse(NamedTuple):
    """A file that is large without taking room."""

    size: int


class Case(NamedTuple):
    """A change of the small repository; `words` are what the command says, among others."""

    files: dict[str, object]
    code: int = 1
    words: tuple[str, ...] = ()
    command: str = "render"


def put(root: Path, files: dict[str, object]) -> None:
    """Write the files of a case."""
    for name, content in files.items():
        path = os.path.join(os.fsencode(root), os.fsencode(name))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if os.path.lexists(path):
            os.unlink(path)
        _put_one(path, content)


def _put_one(path: bytes, content: object) -> None:
    match content:
        case None:
            return
        case Link(target):
            os.symlink(os.fsencode(target), path)
        case Special("pipe"):
            os.mkfifo(path)
        case Special("socket"):
            os.mknod(path, stat.S_IFSOCK | 0o600)
        case Sparse(size):
            with open(path, "wb") as stream:
                stream.truncate(size)
        case bytes():
            Path(os.fsdecode(path)).write_bytes(content)
        case _:
            Path(os.fsdecode(path)).write_text(str(content), "utf-8")


def bomb(levels: int = 9) -> str:
    """Aliases of aliases: nine levels are a billion values."""
    lines = ['a0: &a0 ["lol"]']
    lines += [f"a{n}: &a{n} [{','.join([f'*a{n - 1}'] * 10)}]" for n in range(1, levels + 1)]
    return "\n".join(lines) + "\n"


def wide_bomb() -> str:
    """One large value, and many aliases to it."""
    return "a: &a [" + "1," * 5000 + "1]\nb: [" + "*a," * 5000 + "*a]\n"


def lines(form: str, number: int = MANY) -> str:
    return "".join(form.format(n=n) for n in range(number))


def _serving(*parts: str) -> str:
    return SERVING + "".join(parts)


def _readers() -> dict[str, Case]:
    """What a reader of YAML meets, in every file that is one."""
    texts: dict[str, tuple[object, str]] = {
        "alias-bomb": (bomb(), "YML007"),
        "wide-alias-bomb": (wide_bomb(), "YML007"),
        "alias-of-itself": ("a: &a {b: *a}\n", "YML007"),
        "deep-flow": ("[" * 200_000, "YML008"),
        "deep-block": ("".join(f"{' ' * n}k:\n" for n in range(1000)), "YML008"),
        "deep-dashes": ("- " * 100_000, "YML008"),
        "large": ("# x\n" * 300_000, "YML009"),
        "huge": (Sparse(8 << 30), "YML009"),
        "many-documents": ("---\n" * 200_000, "YML006"),
        "directives": ("%YAML 1.1\n" * 50_000 + "---\na: 1\n", "YML012"),
        "tag-that-calls": ("a: !!python/object/apply:os.system [id]\n", "YML012"),
        "nul": ("a: \x00\n", "YML003"),
        "escape-sequence": ("a: \x1b]0;title\x07\n", "YML003"),
        "byte-order-mark": (b"\xff\xfea\x00", "YML002"),
        "not-utf-8": (b"a: \xff\xfe\n", "YML002"),
        "link-out": (Link("/etc/passwd"), "YML015"),
        "link-to-itself": (Link("risk.yaml"), "YML015"),
        "device": (Link("/dev/zero"), "YML015"),
        "pipe": (Special("pipe"), "YML015"),
        "socket": (Special("socket"), "YML015"),
    }
    places = {"serving": RISK, "environment": DEV, "crd": CRD}
    several = {"many-documents", "large", "alias-bomb"}  # a CRD file may be longer, and a list
    cases = {
        f"{place}-{name}": Case({path: content}, 1, (code,))
        for place, path in places.items()
        for name, (content, code) in texts.items()
        if not (place == "crd" and name in several)
        and not (name == "link-to-itself" and place != "serving")
    }
    settings = {name: texts[name] for name in ("alias-bomb", "deep-flow", "huge", "nul")}
    return cases | {
        f"settings-{name}": Case({MARKER: content}, 1, (code,))
        for name, (content, code) in settings.items()
    }


def _specs() -> dict[str, Case]:
    """What stands in a spec that can be read."""
    long = "a" * 200_000
    many = lines("  - {{domain_id: d{n}, app_image: scorer}}\n", 5000)
    return {
        "unknown-keys": Case({RISK: _serving(lines("k{n}: 1\n"))}, 1, ("SPC010",)),
        "unknown-domains": Case({RISK: HEADER.format("Serving") + "initiator: d1\nparties:\n" + many, DEV: ENVIRONMENT.replace("[alice, bob]", "[" + lines("x{n}, ", 5000) + "]")}, 1, ("KUS",)),
        "undefined-variables": Case({RISK: _serving("labels:\n", lines("  k{n}: '${{vars.y{n}}}'\n", 5000)), DEV: ENVIRONMENT + "vars:\n" + lines("  v{n}: a\n", 5000)}, 1, ("ENV011",)),
        "same-keys": Case({RISK: _serving("labels:\n", lines("  a: b\n"))}, 1, ("YML005",)),
        "ambiguous": Case({RISK: _serving("labels:\n", lines("  k{n}: yes\n"))}, 1, ("YML010",)),
        "anchors": Case({RISK: _serving("labels:\n", lines("  k{n}: &a{n} v\n"))}, 0),
        "long-name": Case({RISK: _serving(f"serving_id: {long}\n")}, 1, ("risk.yaml",)),
        "long-key": Case({RISK: _serving(f"{long}: 1\n")}, 1, ("YML001",)),
        "long-almost-a-name": Case({RISK: _serving(f"serving_id: {long}!\n")}, 1, ()),
        "long-label": Case({RISK: _serving(f"labels: {{a: {long}}}\n")}, 1, ()),
        "long-domain": Case({RISK: SERVING.replace("bob", long)}, 1, ()),
        "number": Case({RISK: SERVING.replace("app_image: pair", f"app_image: pair, replicas: {'9' * 100_000}")}, 1, ("YML013",)),
        "exponent": Case({RISK: SERVING.replace("app_image: pair", "app_image: pair, replicas: 1e999999999")}, 1, ("YML010",)),
        "parties": Case({RISK: HEADER.format("Serving") + "initiator: d1\nparties:\n" + many}, 1, ()),
        "quantity": Case({RISK: SERVING.replace("app_image: pair", f"app_image: pair, resources: [{{container_name: first, min_cpu: '1{'0' * 100_000}', max_memory: 1e9999999}}]")}, 1, ()),
        "input-deep": Case({RISK: _serving(f"serving_input_config: '{'[' * 100_000}'\n")}, (0, 1)),
        "input-deep-object": Case({RISK: _serving("serving_input_config: '", '{"a":' * 50_000, "'\n")}, (0, 1)),
        "input-number": Case({RISK: _serving(f"serving_input_config: '{{\"a\": {'9' * 100_000}}}'\n")}, (0, 1)),
        "variables": Case({RISK: _serving("labels: {a: '", "${vars.x}" * 20_000, "'}\n")}, 1, ()),
        "variables-open": Case({RISK: _serving("labels: {a: '", "${vars." * 50_000, "'}\n")}, 1, ()),
        "ignores": Case({RISK: _serving(lines("# servingctl: ignore[KUS101,KUS102] because {n}\n"))}, 1, ()),
        "input-open-quotes": Case({RISK: _serving("serving_input_config: '${vars.x}\"", '\\\\"' * 90_000, "'\n")}, (0, 1)),
        "assigned-dashes": Case({RISK: _serving("k: '", "-" * 400_000, "'\n")}, 1),
        "assigned-quotes": Case({RISK: _serving("k: 'token: ", "\\" * 400_000, "'\n")}, 1),
        "web-tokens": Case({RISK: _serving("k: '", "eyJabcdefghijk-" * 40_000, "'\n")}, 1),
        "ignore-long": Case({RISK: _serving("# servingctl: ignore[", "KUS101," * 50_000, "] x\n")}, 1, ()),
        "secrets": Case({RISK: _serving("labels:\n", lines("  password{n}: hunter2hunter2\n", 3000))}, (0, 1)),
        "secret-shapes": Case({RISK: _serving("labels: {a: '", "-----BEGIN " * 40_000, "'}\n")}, 1, ()),
        "assignments": Case({RISK: _serving("labels: {a: '", "password=" * 50_000, "'}\n")}, 1, ()),
        "config-template": Case({IMAGE: SCORER + "configTemplates: {a: '" + "{{" * 100_000 + "'}\n"}, 1, ()),
        "config-template-blocks": Case({IMAGE: SCORER + "configTemplates: {a: '" + "{{if .A}}" * 20_000 + "'}\n"}, 1, ()),
        "config-template-json": Case({IMAGE: SCORER + "configTemplates: {a.json: '" + "[" * 100_000 + "'}\n"}, 1),
        "config-template-parentheses": Case({IMAGE: SCORER + "configTemplates: {a: '{{" + "(" * 50_000 + "'}\n"}, 1, ()),
        "remove": Case({RISK: _serving("$remove: true\n")}, 1, ()),
        "null": Case({RISK: "null\n"}, 1, ()),
        "many-specs": Case({f"environments/dev/s{n}.yaml": "kind: Nope\n" for n in range(2000)}, 1, ("SPC",)),
    }  # fmt: skip


def _json() -> dict[str, Case]:
    """The same for specs in JSON."""
    path = "environments/dev/servings/more.json"
    texts = {
        "deep": ("[" * 200_000, "YML008"),
        "deep-objects": ('{"a":' * 100_000, "YML008"),
        "large": (" " * (2 << 20), "YML009"),
        "twice": ('{"a": 1, "a": 2}', "YML005"),
        "keys": ("{" + ",".join(f'"k{n}": 1' for n in range(MANY)) + "}", "SPC"),
        "number": (f'{{"a": {"9" * 200_000}}}', "YML"),
        "exponent": ('{"a": 1e999999999}', "YML013"),
        "half-a-pair": ('{"a": "\\ud800"}', "YML"),
        "nul": ("{\x00}", "YML003"),
        "not-a-number": ('{"a": NaN}', "YML001"),
        "text": ('"' + "\\u0041" * 150_000 + '"', "SPC"),
        "open": ('{"a": "' + "\\" * 100_001, "YML001"),
    }
    return {name: Case({path: content}, 1, (code,)) for name, (content, code) in texts.items()}


def _environments() -> dict[str, Case]:
    chain = {
        f"environments/e{n}/environment.yaml": HEADER.format("Environment")
        + (f"extends: e{n + 1}\n" if n < 1500 else "")
        for n in range(1501)
    }
    cycle = {
        f"environments/e{n}/environment.yaml": HEADER.format("Environment")
        + f"extends: e{(n + 1) % 1500}\n"
        for n in range(1500)
    }
    orphans = {path: text.replace("extends: e", "extends: f") for path, text in cycle.items()}
    destinations = "destinations:\n" + lines(
        "  - {{name: d{n}, platform: kuscia, domains: [x{n}]}}\n", 3000
    )
    variables = "vars:\n  v0: lol\n" + "".join(
        f"  v{n}: '{f'${{vars.v{n - 1}}}' * 10}'\n" for n in range(1, 12)
    )
    return {
        "chain": Case(chain, 1, ("ENV019",)),
        "cycle": Case(cycle, 1, ("ENV006",)),
        "orphans": Case(orphans, 1, ("ENV005",)),
        "of-itself": Case({DEV: ENVIRONMENT + "extends: dev\n"}, 1, ("ENV",)),
        "parent-outside": Case({DEV: ENVIRONMENT + "extends: ../../etc\n"}, 1, ("ENV",)),
        "destinations": Case({DEV: HEADER.format("Environment") + destinations}, 1, ()),
        "variables-bomb": Case({DEV: ENVIRONMENT + variables, RISK: _serving("labels: {a: '${vars.v11}'}\n")}, 1, ()),
        "variables-cycle": Case({DEV: ENVIRONMENT + "vars: {a: '${vars.b}', b: '${vars.a}'}\n", RISK: _serving("labels: {a: '${vars.a}'}\n")}, 1, ()),
        "defaults-deep": Case({DEV: ENVIRONMENT + "defaults: {Serving: " + "{a: " * 60 + "1" + "}" * 61 + "\n"}, 1, ()),
    }  # fmt: skip


def _settings() -> dict[str, Case]:
    outputs = {
        "above": "../out", "root": "/", "git": ".git", "sources": "environments/x",
        "itself": ".", "home": "/root/../etc/x/..", "nul": '"a\\0b"', "long": "x" * 5000,
        "escape": '"\\e[31m"',
    }  # fmt: skip
    codes = {
        "above": (1, 2),
        "root": (1, 2),
        "home": (1, 2),
        "nul": (1, 2, 3),
        "long": (1, 2, 3),
        "escape": (1, 2),
    }
    cases = {
        f"output-{name}": Case({MARKER: f"output: {value}\n"}, codes.get(name, (1, 2)))
        for name, value in outputs.items()
    }
    glob = "environments/" + "*a" * 200 + "b"
    return cases | {
        "glob": Case({MARKER: f'ignore: ["{glob}"]\n', f"environments/dev/{'a' * 200}.yaml": ""}, 1),
        "globs": Case({MARKER: "ignore:\n" + lines('  - "x{n}/**/[a-z]*"\n')}, (0, 1)),
        "bracket": Case({MARKER: 'ignore: ["[[[[!]-"]\n'}, (0, 1)),
        "version": Case({MARKER: f'required_version: "{">=" * 10_000}1"\n'}, (1, 2, 3)),
        "version-number": Case({MARKER: f'required_version: ">={"9" * 100_000}"\n'}, (1, 2, 3)),
        "rules": Case({MARKER: "rules:\n" + lines("  KUS{n}: error\n")}, 1),
    }  # fmt: skip


ESCAPES = [
    "{{ ''.__class__.__mro__[1].__subclasses__() }}",
    "{{ serving.__class__ }}",
    "{{ serving['__class__'] }}",
    "{{ serving.node.origin }}",
    "{{ self.__init__.__globals__ }}",
    "{{ self._TemplateReference__context }}",
    "{{ cycler.__init__.__globals__.os.popen('id').read() }}",
    "{{ lipsum.__globals__['os'] }}",
    "{{ namespace.__init__ }}",
    "{{ get_flashed_messages.__globals__ }}",
    "{{ config }}",
    "{{ _placed }}",
    "{{ _placed.values }}",
    "{{ ''|attr('__class__') }}",
    "{{ '%s'|format(serving) }}",
    "{{ serving|map(attribute='__class__')|list }}",
    "{{ ().__class__ }}",
    "{{ [].append(1) }}",
    "{{ (1).bit_length() }}",
    "{{ 'a'.format(serving) }}",
    "{{ counted }}",
    "{{ serving | counted }}",
    "{% include '/etc/passwd' %}",
    "{% extends '/etc/passwd' %}",
    "{% import 'os' as os %}",
    "{% from 'os' import system %}",
    "{% call x() %}{% endcall %}",
    "{% set x = 1 %}",
    "{% macro x() %}{{ x() }}{% endmacro %}{{ x() }}",
    "{% filter upper %}x{% endfilter %}",
    "{% block a %}{{ self.a() }}{% endblock %}",
    "{% autoescape false %}{% endautoescape %}",
    "{% with a = 1 %}{% endwith %}",
    "{% do 1 %}",
    "{% debug %}",
    "{{ debug() }}",
    "{{ 9 ** 9 ** 9 }}",
    "{{ 'x' * 10000000000 }}",
    "{{ 1 / 0 }}",
    "{{ 10 // 0 }}",
    "{{ 'a' ~ 'b' }}",
    "{{ -serving }}",
    "{{ serving[0:9999999999] }}",
    "{{ {'a': 1} }}",
    "{% for a in [1,2] recursive %}{{ loop([1,2]) }}{% endfor %}",
    "{% for a in 'ab' %}{{ loop.cycle }}{% endfor %}",
]


def _templates() -> dict[str, Case]:
    every = "{% for a in [1,2,3,4,5,6,7,8,9,0] %}"
    texts = {f"escape-{n}": text for n, text in enumerate(ESCAPES)}
    texts |= {
        "loops": every * 12 + "x" + "{% endfor %}" * 12,
        "nested-loops": every * 30 + "{% endfor %}" * 30,
        "nested-conditions": "{% if 1 %}" * 5000 + "{% endif %}" * 5000,
        "parentheses": "{{ " + "(" * 50_000,
        "subscripts": "{{ a" + "[a" * 300 + "]" * 300 + " }}",
        "negations": "{{ " + "not " * 50_000 + "1 }}",
        "filters": "{{ 'a'" + "|upper" * 20_000 + " }}",
        "comparisons": "{{ 1" + " < 1" * 20_000 + " }}",
        "alternatives": "{{ " + "1 if 1 else " * 5000 + "1 }}",
        "lists": "{{ " + "[" * 90 + "]" * 90 + " }}",
        "number": "{{ " + "9" * 100_000 + " }}",
        "open": "{{ " * 100_000,
        "open-comment": "{#" * 200_000,
        "open-text": "{{ '" + "a" * 500_000,
        "values": "a: {{ 1 }}\n" * 60_000,
        "bomb": bomb(),
        "deep": "[" * 100_000,
        "reserved": "a: \ue0000\ue001\n",
        "control": "a: \x1b[31m\n",
        "large": "#" * (2 << 20),
        "whitespace": " " * 900_000 + "{{",
        "not-utf-8": b"\xff\xfe",
        "link": Link("/etc/passwd"),
        "device": Link("/dev/zero"),
        "pipe": Special("pipe"),
    }
    return {name: Case({TEMPLATE: content}, 1) for name, content in texts.items()}


def _crd(schema: str) -> str:
    """A CRD of the object that servings become, with one field of its own."""
    return (
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"
        "spec:\n  group: kuscia.secretflow\n  names: {kind: KusciaDeployment}\n"
        "  versions: [{name: v1alpha1, schema: {openAPIV3Schema: {type: object, properties: "
        f"{{spec: {{type: object, properties: {{initiator: {schema}}}, "
        "x-kubernetes-preserve-unknown-fields: true}}}}}]\n"
    )


def _crds() -> dict[str, Case]:
    outside = {
        "file": "file:///etc/passwd", "url": "https://example.com/schema.json",
        "relative": "../../../etc/passwd", "pointer": "#/definitions/x", "itself": "#",
    }  # fmt: skip
    cases = {
        f"reference-{name}": Case({CRD: _crd(f'{{"$ref": "{target}"}}')}, (0, 1))
        for name, target in outside.items()
    }
    for name, target in outside.items():
        text = f'{{type: string, allOf: [{{"$ref": "{target}"}}], "$schema": "{target}", "$id": "{target}"}}'
        cases[f"inner-reference-{name}"] = Case({CRD: _crd(text)}, (0, 1))
    patterns = {
        "nested": "^(a+)+$", "alternatives": "^(a|a)*$", "overlap": "^(a|aa)+$",
        "quadratic": "^a*a*a*a*a*a*a*b$", "groups": "(" * 90 + "a" + ")" * 90,
        "bounds": "(((a{0,100}){0,100}){0,100}){0,100}$", "huge-bound": "a{99999999999}",
        "back": "^(a*)\\\\1*b$", "look": "^(?=(a+))\\\\1+b$", "many-states": "[ax]*a[ax]{900}b",
        "steps": "(a?){0,1000}" * 700, "sets": "[" + "a-z" * 3000 + "]*b",
    }  # fmt: skip
    party = "a" * 40 + "x"
    serving, dev = (text.replace("alice", party) for text in (SERVING, ENVIRONMENT))
    return cases | {
        f"pattern-{name}": Case({CRD: _crd(f'{{type: string, pattern: "{text}"}}'), RISK: serving, DEV: dev}, (0, 1))
        for name, text in patterns.items()
    } | {
        "bomb": Case({CRD: bomb()}, 1),
        "alternatives": Case({CRD: _crd("{anyOf: [" + "{type: integer}," * 20_000 + "]}")}, 1),
        "nested-alternatives": Case({CRD: _crd("{anyOf: [" * 12 + "{type: integer}" + "]}" * 12)}, 1),
        "required": Case({CRD: _crd("{required: [" + lines("k{n},") + "]}")}, (0, 1)),
        "wrong-types": Case({CRD: _crd("{type: string, minLength: a, enum: 1, maxLength: -1}")}, 1),
        "many": Case({CRD: "---\nkind: List\nitems: []\n" * 20_000}, (0, 1)),
    }  # fmt: skip


def _texts() -> dict[str, Case]:
    """What `{file: …}` may name."""
    names = {
        "above": "../../../../../../etc/passwd", "absolute": "/etc/passwd", "dot": "./x",
        "empty": '""', "spec": "scorer.yaml", "folder": "inner", "nul": '"a\\0b"', "long": "x" * 300,
        "longer": "x/" * 5000 + "x", "backslash": "..\\..\\x", "escape": '"\\e[31m"',
        "half-a-pair": '"\\ud800"', "home": "~/.ssh/id_rsa", "url": "http://example.com/x",
        "windows": "C:\\x", "device": "zero", "pipe": "pipe", "out": "out", "loop": "loop",
        "large": "large", "binary": "binary", "inner-link": "linked/passwd", "list": "[a]",
        "template": "../../../templates/kuscia/kusciadeployment.yaml.j2",
    }  # fmt: skip
    beside = {
        "zero": Link("/dev/zero"), "pipe": Special("pipe"), "out": Link("/etc/passwd"),
        "loop": Link("loop"), "large": Sparse(4 << 30), "binary": b"\xff\x00", "inner/x": "x",
        "linked": Link("/etc"),
    }  # fmt: skip
    around = {f"environments/dev/appimages/{name}": content for name, content in beside.items()}
    return {
        name: Case({**around, IMAGE: SCORER + f"configTemplates: {{a: {{file: {value}}}}}\n"})
        for name, value in names.items()
    }


def _records() -> dict[str, Case]:
    """An inventory or a journal that came with somebody's repository."""
    entry = '{"sha256": "' + "0" * 64 + '", "object": "o", "source": "s"}'
    names = ["../../x", "/etc/passwd", "a/../../x", ".git/config", "a\\u0000b", "\\ud800", ""]
    inventories = {
        "deep": "[" * 200_000, "deep-object": '{"a":' * 100_000, "large": Sparse(1 << 30),
        "number": '{"format": ' + "9" * 100_000 + "}", "list": "[]", "newer": '{"format": 99}',
        "escape": '{"format": 1, "files": {"a\\u001b[31m": 1}}', "nul": "\x00",
        "not-utf-8": b"\xff", "half": '{"format": 1, "files": {"a": ' + entry.replace('"o"', '"\\ud800"') + "}}",
        "link": Link("/etc/passwd"), "pipe": Special("pipe"),
    }  # fmt: skip
    inventories |= {
        f"name-{n}": f'{{"format": 1, "files": {{"{name}": {entry}}}}}'
        for n, name in enumerate(names)
    }
    record = '{"swaps": [], "steps": [["%s", true, true]], "made": [], "emptied": []}'
    journals = {f"name-{n}": record % name for n, name in enumerate(names)}
    journals |= {
        "deep": "[" * 200_000, "list": "[]", "not-utf-8": b"\xff", "empty": "", "link": Link("/etc/passwd"),
        "number": '{"swaps": [[1, 2, 3]], "steps": [[1, 2, 3]], "made": [1], "emptied": [1]}',
        "swap": '{"swaps": [["..", true, 1]], "steps": [], "made": [], "emptied": []}',
    }  # fmt: skip
    cases = {f"inventory-{name}": Case({INVENTORY: x}, 3) for name, x in inventories.items()}
    cases["inventory-name-3"] = Case({INVENTORY: inventories["name-3"]}, 0)  # below its folder
    return cases | {f"journal-{name}": Case({JOURNAL: x}, 3) for name, x in journals.items()}


def _baselines() -> dict[str, Case]:
    texts: dict[str, object] = {
        "deep": "[" * 200_000, "list": "[]", "number": '{"format": ' + "9" * 100_000 + "}",
        "nul": "\x00", "not-utf-8": b"\xff", "folder": None, "accepted": '{"format": 1, "accepted": 1}',
        "severity": '{"format": 1, "accepted": [["a", "b", "c", "d"]]}', "large": Sparse(1 << 30),
        "many": '{"format": 1, "accepted": [' + '["a","b","error","c"],' * 100_000 + "[]]}",
    }  # fmt: skip
    command = "validate --baseline accepted.json"
    return {name: Case({"accepted.json": x}, 2, (), command) for name, x in texts.items()}


GROUPS: dict[str, Callable[[], dict[str, Case]]] = {
    "readers": _readers,
    "specs": _specs,
    "json": _json,
    "environments": _environments,
    "settings": _settings,
    "templates": _templates,
    "crds": _crds,
    "texts": _texts,
    "records": _records,
    "baselines": _baselines,
}


def cases() -> dict[str, Case]:
    return {
        f"{group}-{name}": case for group, make in GROUPS.items() for name, case in make().items()
    }

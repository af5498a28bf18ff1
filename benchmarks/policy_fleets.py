"""Thirty rules of a repository, and CRDs that have rules, over a fleet of three platforms."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.fleets import write_fleet

RULES = 30
_FLEET = "three platforms"
_RULE = """\
apiVersion: serving.gitops/v1
kind: Rule
code: BENCH{number:03}
title: rule {number} of thirty holds
severity: error
{head}expression: "{expression}"
why: Somebody measures how long this takes.
examples:
  passes: [{passes}]
  fails: [{fails}]
"""


class _Asked(NamedTuple):
    """What a rule is about, its expression, and examples of it."""

    head: str
    expression: str
    passes: str
    fails: str


_SPEC, _OBJECT, _UNIT = "", "on: object\n", "on: unit\n"
_CHANGE = "on: change\n"
_KSERVE, _RAY = (
    f"match: {{{{kinds: [{kind}]}}}}\n".format() for kind in ("InferenceService", "RayService")
)
_CONTAINERS = f"{_UNIT}each: containers\n"
_ASKED = (
    _Asked(_SPEC, "spec.name.size() < 40", "{spec: {name: a}}", "{spec: {name: 'LONG'}}"),
    _Asked(_SPEC, "spec.name.matches('^[a-z0-9-]+$')", "{spec: {name: a}}", "{spec: {name: A_}}"),
    _Asked(
        _SPEC, "!has(spec.labels) || spec.labels.all(k, k.size() < 60)",
        "{spec: {}}", "{spec: {labels: {LONG: a}}}",
    ),
    _Asked(
        f"{_SPEC}{_KSERVE}", "spec.predictor.minReplicas <= spec.predictor.maxReplicas",
        "{spec: {predictor: {minReplicas: 1, maxReplicas: 2}}}",
        "{spec: {predictor: {minReplicas: 3, maxReplicas: 2}}}",
    ),
    _Asked(
        f"{_SPEC}{_RAY}", "spec.rayClusterConfig.rayVersion.startsWith('2.')",
        "{spec: {rayClusterConfig: {rayVersion: 2.1.0}}}",
        "{spec: {rayClusterConfig: {rayVersion: 1.1.0}}}",
    ),
    _Asked(
        f"{_SPEC}match: {{production: true}}\n", "has(spec.owner)",
        "{spec: {owner: a}}", "{spec: {}}",
    ),
    _Asked(
        _OBJECT, "has(object.metadata.name) && object.metadata.name.size() < 60",
        "{object: {metadata: {name: a}}}", "{object: {metadata: {}}}",
    ),
    _Asked(
        _OBJECT, "object.metadata.?labels.orValue({}).size() < 20",
        "{object: {metadata: {}}}",
        "{object: {metadata: {labels: {MANY}}}}",
    ),
    _Asked(
        f"{_OBJECT}{_KSERVE}",
        "object.spec.predictor.?serviceAccountName.orValue('a') != 'default'",
        "{object: {spec: {predictor: {}}}}",
        "{object: {spec: {predictor: {serviceAccountName: default}}}}",
    ),
    _Asked(
        _UNIT, "unit.pods.least >= 1",
        "{unit: {pods: {least: 1}}}", "{unit: {pods: {least: 0}}}",
    ),
    _Asked(
        _UNIT, "unit.?pods.?most.orValue(1) < 100",
        "{unit: {pods: {}}}", "{unit: {pods: {most: 100}}}",
    ),
    _Asked(
        _UNIT, "unit.containers.all(c, !('nvidia.com/gpu' in c.?limits.orValue({})))",
        "{unit: {containers: [{limits: {cpu: 1}}]}}",
        "{unit: {containers: [{limits: {nvidia.com/gpu: 1}}]}}",
    ),
    _Asked(
        _CONTAINERS, "!has(self.image) || !self.image.endsWith(':latest')",
        "{unit: {containers: [{image: 'a:1'}]}}", "{unit: {containers: [{image: 'a:latest'}]}}",
    ),
    _Asked(
        _CONTAINERS,
        "quantity(self.?limits[?'memory'].orValue('1Gi')).isLessThan(quantity('64Gi'))",
        "{unit: {containers: [{limits: {memory: 1Gi}}]}}",
        "{unit: {containers: [{limits: {memory: 100Gi}}]}}",
    ),
    _Asked(
        _CHANGE, "before == null || after == null || before.name == after.name",
        "{before: null, after: {name: a}}", "{before: {name: b}, after: {name: a}}",
    ),
)  # fmt: skip
_LONG, _MANY = "a" * 70, ", ".join(f"k{number}: v" for number in range(20))
_CRD = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {{name: {plural}.{group}}}
spec:
  group: {group}
  scope: Namespaced
  names: {{kind: {kind}, plural: {plural}}}
  versions:
    - name: {version}
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              x-kubernetes-preserve-unknown-fields: true
{rules}"""
_KINDS = (
    ("serving.kserve.io", "v1beta1", "InferenceService", "inferenceservices", "predictor"),
    ("ray.io", "v1", "RayService", "rayservices", "rayClusterConfig"),
)


def write_ruled_fleet(root: Path, specs: int, *, rules: bool, crds: bool) -> None:
    """The fleet; `rules` of the repository or not, and CRDs that have rules or do not."""
    write_fleet(root, _FLEET, specs)
    files = dict(_crds(rules=rules)) if crds else {}
    files |= dict(_rules()) if rules else {}
    for path, text in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8")


def _rules() -> Iterator[tuple[str, str]]:
    for number in range(RULES):
        asked = _ASKED[number % len(_ASKED)]
        fails = asked.fails.replace("LONG", _LONG).replace("MANY", _MANY)
        text = _RULE.format(
            number=number, head=asked.head, expression=asked.expression,
            passes=asked.passes, fails=fails,
        )  # fmt: skip
        yield f"policies/rule-{number:02}.yaml", text


def _crds(*, rules: bool) -> Iterator[tuple[str, str]]:
    for group, version, kind, plural, field in _KINDS:
        added = "".join(_validations(field)) if rules else ""
        yield (
            f"schemas/crds/{plural}.yaml",
            _CRD.format(group=group, version=version, kind=kind, plural=plural, rules=added),
        )


def _validations(field: str) -> Sequence[str]:
    """Ten rules, as KServe's kinds of language models have them on each of their parts."""
    head = "              x-kubernetes-validations:\n"
    tests = (f"!(has(self.{field}) && has(self.none{number}))" for number in range(10))
    return (
        f"              properties: {{{field}: {{type: object, "
        "x-kubernetes-preserve-unknown-fields: true}",
        *(f", none{number}: {{type: string}}" for number in range(10)),
        "}\n",
        head,
        *(f'                - rule: "{text}"\n' for text in tests),
    )

"""Equal pods are asked once: what counts as equal, and that nothing is lost by it."""

from types import SimpleNamespace

from renderer.kubernetes.pods import Field, Pod
from renderer.rules import pods
from renderer.rules.pods import pod_rule_findings
from renderer.values.diagnostics import Origin
from renderer.values.tree import Node, constant, uniform_tree

SPEC = SimpleNamespace(unreliable=frozenset())


def pod(**container) -> Pod:
    fields = {"containers": [{"name": "a", "image": "example/a:v1", **container}]}
    return Pod(Field(("template",), uniform_tree(fields, Origin("a.yaml", 1, 1))))


def codes(*some: Pod) -> list[str]:
    return [found.rule.code for found in pod_rule_findings(SPEC, some)]


def test_a_fault_is_found_in_every_pod_that_has_it():
    faulty = {"securityContext": {"privileged": True}}
    once = codes(pod(**faulty))
    assert once
    assert codes(pod(**faulty)) == once
    assert sorted(codes(pod(**faulty), pod(**faulty))) == sorted(once * 2)


def test_rules_are_asked_of_a_pod_that_is_not_known_only(monkeypatch):
    limits = {"requests": {"cpu": "1", "memory": "1Gi"}, "limits": {"cpu": "1", "memory": "1Gi"}}
    assert not codes(pod(resources=limits))
    monkeypatch.setattr(pods, "can_be_read", _refuse)
    assert not codes(pod(resources=limits))


def _refuse(*_):
    raise AssertionError("a rule was asked")


def test_whatever_rules_may_read_tells_pods_apart():
    values = (1, True, 1.0, "1", None, [], {}, [1], [[1]], {"a": 1})
    found = [pods._content(pod(field=value)) for value in values]
    assert len(set(found)) == len(values)
    others = [pod()._replace(in_production=True), pod()._replace(maker="Job")]
    assert len({*map(pods._content, (pod(), *others))}) == 3


def test_of_places_it_counts_which_file_is_more_specific():
    def limited(low: str, high: str) -> Pod:
        near = Node("2Gi", Origin(low, 3, 1))
        far = Node("1Gi", Origin(high, 9, 1))
        return Pod(
            Field((), Node({"a": near, "b": far}, Origin("dev", 1, 1))), files=("dev", "base")
        )

    assert pods._content(limited("dev", "base")) != pods._content(limited("base", "dev"))
    assert pods._content(limited("dev", "")) != pods._content(limited("dev", "dev"))
    elsewhere = pod()._replace(spec=Field(("template",), constant({}, "none")))
    assert pods._content(elsewhere) != pods._content(pod())

"""The templates in texts of LLM services."""

import contextlib

import pytest

from renderer.backends.kserve.llm.go_templates import TemplateError, child_name, fill
from renderer.backends.kserve.llm.template_functions import FUNCTIONS
from tests.support.rows import each

DATA = {
    "metadata": {"name": "chat", "namespace": "models"},
    "spec": {
        "model": {"name": "qwen"},
        "parallelism": {"tensor": 2, "data": None},
        "template": {"terminationGracePeriodSeconds": 90},
    },
    "globalConfig": {"enableTLS": False},
}
TEXTS = {
    "a value": ("{{ .ObjectMeta.Name }}", "chat"),
    "a number": ("--size {{ .Spec.Parallelism.Tensor }}", "--size 2"),
    "nothing": ("plain $text", "plain $text"),
    "a choice": ("{{ if .GlobalConfig.EnableTLS }}HTTPS{{else}}HTTP{{- end }}", "HTTP"),
    "what is not chosen may fail": ("{{ if .Spec.Prefill }}{{ .Spec.Prefill.A.B }}{{ end }}", ""),
    "both": ("{{ if and .Spec.Parallelism .Spec.Parallelism.Tensor }}t{{ end }}", "t"),
    "the first that says something": ("{{ or .Spec.Parallelism.Data 1 }}", "1"),
    "nested": ("{{ if .Spec.Model }}{{ if .Spec.Prefill }}p{{ else }}n{{ end }}{{ end }}", "n"),
    "spaces go, lines stay": ("a \\\n  {{- if .Spec.Model }} b{{- end }} \\\nc", "a \\\n b \\\nc"),
    "braces in backquotes": ("{{ `{{ messages }}` }}", "{{ messages }}"),
    "a quote in backquotes": ("{{ `{{` }}", "{{"),
    "closing braces in backquotes": ("{{ `}}` }}", "}}"),
    "a comment": ("a{{/* why */}}b", "ab"),
    "the name of the object": ("{{ .Name }} in {{ .Namespace }}", "chat in models"),
    "a child": ("{{ ChildName .ObjectMeta.Name `-epp-service` }}", "chat-epp-service"),
    "how long to shut down": ("{{ shutdownTimeout .Spec.Template 15 }}", "70"),
}


@each("text wanted", TEXTS)
def test_texts(text, wanted):
    assert fill(text, DATA, FUNCTIONS) == wanted


FAULTS = {
    "a field of nothing": ("{{ .Spec.Prefill.Template.X }}", "nil pointer evaluating"),
    "an unknown function": ("{{ range .Spec }}", "is not one of KServe's"),
    "a chat template": ("{% for m in x %}{{ m['role'] }}", "is not"),
    "no end": ("{{ if .Spec.Model }}a", "has no {{ end }}"),
    "an end too many": ("a{{ end }}", "belongs to no"),
    "an else too many": ("{{ if .Spec.Model }}a{{ else }}b{{ else }}c{{ end }}", "belongs to no"),
    "too few values": ("{{ ChildName }}", "takes 2 values, not 0"),
    "too many values": ("{{ kvTransferConfig .Spec .Spec }}", "takes 1 values, not 2"),
    "a value of another type": ("{{ ChildName .Spec 1 }}", "takes two texts"),
    "a number beyond all": ("{{ " + "9" * 5000 + " }}", "too large"),
    "a field of the object that it lacks": ("{{ .Foo }}", "there is no field 'Foo'"),
    "backquotes that do not end": ("{{ `a }}", "is not closed"),
    "not closed": ("a {{ b", "is not closed"),
    "empty": ("{{ }}", "is empty"),
}


@each("text wanted", FAULTS)
def test_faults(text, wanted):
    with pytest.raises(TemplateError, match=wanted.replace("{", r"\{")):
        fill(text, DATA, FUNCTIONS)


def test_quotes_that_are_put_in_break_the_object():
    data = {**DATA, "spec": {"model": {"name": 'a"b'}}}
    with pytest.raises(TemplateError, match="broken JSON"):
        fill("{{ .Spec.Model.Name }}", data, FUNCTIONS)


def test_cache_as_an_argument_of_a_shell():
    data = {"spec": {"kvCacheOffloading": {"cpu": "1Gi", "evictionPolicy": "lru"}}}
    found = fill('A="{{ kvTransferConfig .Spec.KVCacheOffloading }}"', data, FUNCTIONS)
    assert found.startswith('A="--kv-transfer-config \'{\\"kv_connector')
    assert '\\"cpu_bytes_to_use\\":1073741824' in found


def test_names_of_children_fit():
    assert child_name("chat", "-kserve") == "chat-kserve"
    long = child_name("a" * 60, "-kserve-router-scheduler")
    assert len(long) == 63
    assert long.endswith("-kserve-router-scheduler")
    assert child_name("a" * 60, "-kserve") != child_name("b" + "a" * 59, "-kserve")


HOSTILE = {
    "spaces": "{{" + " " * 400_000,
    "braces": "{{" * 200_000,
    "many actions": "{{ .Name }}" * 40_000,
    "many blocks": "{{ if 1 }}x{{ end }}" * 20_000,
    "deep blocks": "{{ if .Spec }}" * 20_000 + "{{ end }}" * 20_000,
    "a long word": "{{ " + "a" * 400_000 + " }}",
}


@each("text", {name: (text,) for name, text in HOSTILE.items()})
def test_hostile_texts_take_no_time(text):
    """Each would take minutes or end the process if work grew faster than the text."""
    with contextlib.suppress(TemplateError):
        fill(text, DATA, FUNCTIONS)

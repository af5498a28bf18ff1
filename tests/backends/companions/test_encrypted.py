"""Secrets that SOPS encrypted: their bytes, what is said of edits, and each command beside."""

import yaml

from renderer import compare
from renderer.adopt.adoption import adopt
from renderer.adopt.sources import ForeignText
from renderer.evaluate.run import render
from renderer.inspect.trace import trace_spec
from tests.support.adoption import in_memory
from tests.support.live import found as live_objects
from tests.support.live import status_in
from tests.support.memory import project
from tests.support.repositories import HEADER
from tests.support.rows import each

ENVIRONMENT = HEADER.format("Environment") + (
    "companions: {allow: [Secret, Deployment]}\n"
    "destinations: [{name: gpu, platform: kubernetes, namespace: models, decryption: flux}]\n"
)
SECRET = """\
# only `sops edit`: ${vars.not_ours}
apiVersion: v1
kind:   Secret
metadata: {namespace: models, name: hub}
stringData:
    #ENC[AES256_GCM,data:bm90,type:comment]
    note: ENC[AES256_GCM,data:b25l,type:str]
sops:
    mac: ENC[AES256_GCM,data:bWFj,type:str]
"""
USER = """\
apiVersion: apps/v1
kind: Deployment
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
        - name: web
          image: "web:1"
          env: [{name: NOTE, valueFrom: {secretKeyRef: {name: hub, key: note}}}]
"""


def files(secret=SECRET, **more):
    return {
        "servingctl.yaml": "",
        "environments/dev/environment.yaml": ENVIRONMENT,
        "environments/dev/hub.yaml": secret,
        **{f"environments/dev/{name}.yaml": text for name, text in more.items()},
    }


TEXTS = {
    "as people format it": SECRET,
    "with line ends of another system": SECRET.replace("\n", "\r\n"),
    "without a line end at the end": SECRET.rstrip("\n"),
}


@each("text", TEXTS)
def test_is_copied_byte_for_byte(text):
    (manifest,) = render(project(files(text))).manifests
    assert manifest.text == text
    assert manifest.identity == "Secret/models/hub"
    assert manifest.stage < 0


def edited(old, new):
    states = [files(SECRET, web=USER), files(SECRET.replace(old, new), web=USER)]
    found = compare(*map(project, states))
    return [(str(i.effect), i.consequence) for item in found.objects for _, i in item.impacts]


def test_an_edit_names_the_users_who_keep_the_old_content():
    ((effect, message),) = edited("b25l", "dHdv")
    assert effect == "deferred"
    assert "Deployment/web" in message
    assert "Secret `hub` follows" in message


def test_how_it_is_encrypted_is_not_in_the_cluster():
    ((effect, message),) = edited("bWFj", "bWFk")
    assert effect == "in-place"
    assert "does not have it" in message


def test_encrypted_values_are_not_shown():
    (spec,) = project(files()).environment("dev").specs
    assert trace_spec(spec, "stringData.note").value == "••••••"


def test_is_imported_as_it_is():
    opened = in_memory({**files(), "environments/dev/hub.yaml": USER})
    text = SECRET.replace("name: hub", "name: more")
    adoption = adopt([ForeignText("more.yaml", text.encode())], opened, opened.environment("dev"))
    assert [file.text for file in adoption.files] == [text]
    assert not adoption.errors + adoption.differences


def test_two_of_one_file_are_not_imported():
    opened = in_memory(files())
    text = "---\n".join((SECRET, SECRET.replace("name: hub", "name: more")))
    adoption = adopt([ForeignText("two.yaml", text.encode())], opened, opened.environment("dev"))
    assert not adoption.files
    assert ["encrypt each in a file of its own" in item.why for item in adoption.skipped] == [
        True,
        True,
    ]


def test_live_values_are_not_compared():
    opened = in_memory(files())
    rendering = render(opened, ["dev"])
    live = yaml.safe_load(SECRET) | {"stringData": None, "data": {"note": "aGk="}}
    del live["sops"]
    report = status_in(rendering, opened.environment("dev"), {"gpu": live_objects([live])}, ["hub"])
    assert not report.specs[0].differences

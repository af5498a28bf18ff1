"""Previews against the real readers: JSON, protobuf messages, Kubernetes, and kubectl."""

import io
import json
import re
import shutil
import subprocess

import pytest
import yaml
from ruamel.yaml import YAML

from tests.support.places import ROOT
from tests.support.processes import run

pytestmark = pytest.mark.process

KUBERNETES = "1.33"  # what Kuscia embeds
ENVIRONMENTS = ("dev", "prod")


def preview(environment, form, spec="credit-risk"):
    done = run("preview", spec, "--env", environment, "--format", form, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return done.stdout


def numbered(text):
    """What the documentation tells to do with markers."""
    return re.sub("<port:[^>]*>", "20000", text)


def serving_configs():
    for environment in ENVIRONMENTS:
        for unit in json.loads(preview(environment, "json"))["units"]:
            (file,) = [f for f in unit["files"] if f["source"] == "serving-config.conf"]
            yield unit, json.loads(file["text"])


def test_the_serving_config_is_json_with_json_in_it():
    found = list(serving_configs())
    assert len(found) == 4
    for unit, config in found:
        assert config["serving_id"] == "credit-risk"
        assert unit["unit"] in json.loads(config["input_config"])["partyConfigs"]
        cluster = json.loads(config["cluster_def"])
        assert cluster["parties"][cluster["selfPartyIdx"]]["name"] == unit["unit"]
        ports = json.loads(numbered(config["allocated_ports"]))["ports"]
        assert {port["port"] for port in ports} == {20000}
        assert config["oss_meta"] == "<config:SERVING_OSS_META>"


def test_kuscias_own_messages_take_the_definitions():
    config = pytest.importorskip(
        "kuscia.proto.api.v1alpha1.appconfig.app_config_pb2",
        reason="the wheel kuscia is not installed",
    )
    from google.protobuf.json_format import Parse

    for unit, found in serving_configs():
        cluster = Parse(found["cluster_def"], config.ClusterDefine())
        assert cluster.parties[cluster.self_party_idx].name == unit["unit"]
        assert {s.port_name for party in cluster.parties for s in party.services} >= {
            "communication"
        }
        ports = Parse(numbered(found["allocated_ports"]), config.AllocatedPorts())
        assert {port.name for port in ports.ports} >= {"service", "communication"}


def test_secretflow_servings_own_messages_take_the_input_config():
    library = pytest.importorskip(
        "secretflow_serving_lib.config", reason="the wheel secretflow-serving-lib is not installed"
    )
    from google.protobuf.json_format import ParseDict

    messages = {
        "serverConfig": library.ServerConfig,
        "modelConfig": library.ModelConfig,
        "featureSourceConfig": library.FeatureSourceConfig,
        "channelDesc": library.ChannelDesc,
    }
    for _, found in serving_configs():
        for party in json.loads(found["input_config"])["partyConfigs"].values():
            assert party.keys() == messages.keys()
            for name, message in messages.items():
                assert ParseDict(party[name], message()).ByteSize()


@pytest.mark.parametrize(
    ("environment", "spec"),
    [("dev", "credit-risk"), ("prod", "credit-risk"), ("prod", "Serving/dataproxy")],
)
def test_kubernetes_takes_the_objects(environment, spec):
    validate = pytest.importorskip(
        "kubernetes_validate", reason="kubernetes-validate is not installed"
    ).validate
    documents = list(yaml.safe_load_all(numbered(preview(environment, "yaml", spec))))
    assert {item["kind"] for item in documents} == {"Deployment", "Service", "ConfigMap"}
    for item in documents:
        validate(item, KUBERNETES, strict=True)


def test_the_stream_says_the_same_to_readers_of_both_versions():
    text = preview("prod", "yaml")
    old = list(yaml.safe_load_all(text))
    assert old == list(YAML(typ="safe", pure=True).load_all(io.StringIO(text)))
    assert all("drawn-at-run-time" in json.dumps(item) for item in old)


def test_kubectl_reads_the_objects_as_their_types():
    kubectl = shutil.which("kubectl")
    if not kubectl:
        pytest.skip("kubectl is not installed")
    words = ["label", "--local", "-f", "-", "seen=yes", "-o", "name"]
    text = numbered(preview("prod", "yaml"))
    done = subprocess.run([kubectl, *words], input=text, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    names = done.stdout.splitlines()
    assert len(names) == text.count("\n---\n") + 1
    assert "deployment.apps/credit-risk" in names

"""Specs as requests of Kuscia's API: what they hold, and what they cannot say."""

import json

import pytest
import yaml

from tests.support.exports import exported, told
from tests.support.previews import (
    ALICE,
    BOB,
    DESCRIPTION,
    EAST,
    ENVIRONMENT,
    IMAGE,
    SPEC,
    files,
    image,
    serving,
)
from tests.support.repositories import HEADER

HASHED = "kuscia: {appimage_naming: hashed}\n"
STRATEGY = "{type: RollingUpdate, max_surge: '1', max_unavailable: 0%}"
RESOURCES = "resources: [{min_cpu: '1', max_cpu: '2', max_memory: 4Gi}]"


def body(before, after, spec="risk"):
    """The update between two servings that can be had."""
    request = exported(files(image(), after), spec, "update", before=files(image(), before))
    assert not request.obstacles, told(request.obstacles)
    return request.body


def refused(before, after):
    return told(
        exported(files(image(), after), "risk", "update", before=files(image(), before)).obstacles
    )


def one(party, more=""):
    return serving(
        more, ("{domain_id: alice%s}" % (f", {party}" if party else ""), "{domain_id: bob}")
    )


class TestCreate:
    def test_a_serving_in_the_order_of_the_documents(self):
        party = f"{{service_name_prefix: risk, {RESOURCES}, update_strategy: {STRATEGY}, "
        party += "replicas: 0, role: host, domain_id: alice}"
        more = "serving_input_config: {b: 1, a: [2]}\naffinity_mode: none\nserving_id: risk-1"
        request = exported(files(image(), serving(more, (party,))), "risk", "create")
        assert (request.method, request.path) == ("POST", "/api/v1/serving/create")
        assert json.dumps(request.body) == json.dumps(
            {
                "serving_id": "risk-1",
                "serving_input_config": '{"a":[2],"b":1}',
                "initiator": "alice",
                "parties": [
                    {
                        "domain_id": "alice",
                        "app_image": "scorer",
                        "role": "host",
                        "replicas": 0,
                        "update_strategy": {
                            "type": "RollingUpdate",
                            "max_surge": "1",
                            "max_unavailable": "0%",
                        },
                        "resources": [{"min_cpu": "1", "max_cpu": "2", "max_memory": "4Gi"}],
                        "service_name_prefix": "risk",
                    }
                ],
                "affinity_mode": "none",
            }
        )

    def test_an_input_config_that_is_text_stays_as_it_is(self):
        text = serving('serving_input_config: \'{"b": 1,  "a": 2}\'')
        sent = exported(files(image(), text), "risk", "create").body
        assert sent["serving_input_config"] == '{"b": 1,  "a": 2}'

    def test_images_have_the_names_that_are_rendered(self):
        given = files(image(), serving(), settings=HASHED)
        name = exported(given, "AppImage/scorer", "create").body["name"]
        assert name.startswith("scorer-")
        parties = exported(given, "risk", "create").body["parties"]
        assert {party["app_image"] for party in parties} == {name}

    def test_what_the_api_does_not_keep_is_noted(self):
        request = exported(files(image(), serving("labels: {team: risk}")), "risk", "create")
        assert list(told(request.notes)) == ["labels"]
        assert request.obstacles == ()

    @pytest.mark.parametrize(
        ("version", "fields"), [("1.0.0b0", ["affinity_mode"]), ("1.1.0b0", [])]
    )
    def test_a_field_that_the_version_drops_is_refused(self, version, fields):
        settings = f"kuscia: {{version: {version}}}\n"
        given = files(image(), serving("affinity_mode: affinity"), settings=settings)
        assert list(told(exported(given, "risk", "create").obstacles)) == fields


class TestOtherVerbs:
    def test_one_serving(self):
        given = files(image(), serving("serving_id: risk-2"))
        for verb in ("delete", "query"):
            request = exported(given, "risk", verb)
            assert (request.path, request.body) == (
                f"/api/v1/serving/{verb}",
                {"serving_id": "risk-2"},
            )

    def test_several(self):
        given = {**files(image(), serving()), SPEC.replace("risk", "churn"): serving()}
        request = exported(given, "risk churn", "batch-query")
        assert request.path == "/api/v1/serving/status/batchQuery"
        assert request.body == {"serving_ids": ["risk", "churn"]}
        images = exported(given, "AppImage/scorer", "batch-query")
        assert (images.path, images.body) == ("/api/v1/appimage/batchQuery", {"names": ["scorer"]})


class TestUpdate:
    def test_nothing(self):
        request = exported(files(image(), serving()), "risk", "update")
        assert request.body == {"serving_id": "risk"}
        assert told(request.notes) == {"": "nothing differs that this request could change"}

    @pytest.mark.parametrize(
        ("before", "after", "party"),
        [
            ("replicas: 2", "replicas: 0", {"replicas": 0}),
            ("", "replicas: 3", {"replicas": 3}),
            (
                "",
                f"update_strategy: {STRATEGY}",
                {
                    "update_strategy": {
                        "type": "RollingUpdate",
                        "max_surge": "1",
                        "max_unavailable": "0%",
                    }
                },
            ),
            (
                "update_strategy: {type: Recreate}",
                "",
                {
                    "update_strategy": {
                        "type": "RollingUpdate",
                        "max_surge": "25%",
                        "max_unavailable": "25%",
                    }
                },
            ),
            (
                "",
                RESOURCES,
                {
                    "resources": [
                        {
                            "container_name": "scorer",
                            "min_cpu": "1",
                            "max_cpu": "2",
                            "max_memory": "4Gi",
                        }
                    ]
                },
            ),
            (
                RESOURCES,
                RESOURCES.replace("4Gi", "8Gi"),
                {"resources": [{"container_name": "scorer", "max_memory": "8Gi"}]},
            ),
        ],
        ids=["replicas", "first replicas", "strategy", "no strategy", "resources", "amount"],
    )
    def test_a_party(self, before, after, party):
        assert body(one(before), one(after)) == {
            "serving_id": "risk",
            "parties": [{"domain_id": "alice", **party}],
        }

    def test_the_same_amount_written_otherwise_is_no_difference(self):
        now = RESOURCES.replace("'1'", "1000m")
        assert body(one(RESOURCES), one(now)) == {"serving_id": "risk"}

    def test_a_party_is_found_by_its_role_too(self):
        both = "{domain_id: alice, role: host, replicas: %d}", "{domain_id: alice, role: guest}"
        old, new = (serving("", (both[0] % count, both[1])) for count in (1, 2))
        assert body(old, new)["parties"] == [{"domain_id": "alice", "role": "host", "replicas": 2}]

    def test_an_input_config_is_replaced_as_a_whole(self):
        old, new = (serving(f"serving_input_config: {{a: {n}, b: 1}}") for n in (1, 2))
        assert body(old, new) == {"serving_id": "risk", "serving_input_config": '{"a":2,"b":1}'}

    def test_an_image_that_is_named_by_its_content(self):
        old = files(image(), serving(), settings=HASHED)
        new = {**old, IMAGE: image().replace("tag: v1", "tag: v2")}
        request = exported(new, "risk", "update", before=old)
        parties = exported(new, "risk", "create").body["parties"]
        assert request.body["parties"] == parties

    @pytest.mark.parametrize(
        ("before", "after", "fields"),
        [
            (serving(), serving().replace("initiator: alice", "initiator: bob"), ["initiator"]),
            (serving(), serving("affinity_mode: none"), ["affinity_mode"]),
            (serving(), serving("serving_id: other"), ["serving_id"]),
            (serving("labels: {a: b}"), serving("labels: {a: c}"), ["labels"]),
            (serving("serving_input_config: {a: 1}"), serving(), ["serving_input_config"]),
            (serving(), one("service_name_prefix: x"), ["parties[alice].service_name_prefix"]),
            (serving(), one("role: host"), ["parties[alice/host]", "parties[alice]"]),
            (serving(), serving("", ("{domain_id: alice}",)), ["parties[bob]"]),
            (serving(), serving("", ("{domain_id: bob}", "{domain_id: alice}")), ["parties"]),
            (one("replicas: 2"), one(""), ["parties[alice].replicas"]),
            (one(RESOURCES), one(""), ["parties[alice].resources"]),
            (
                one(RESOURCES),
                one(RESOURCES.replace(", max_memory: 4Gi", "")),
                ["parties[alice].resources"],
            ),
            (
                one("resources: [{max_cpu: '2'}]"),
                one("resources: [{max_cpu: '2', min_cpu: '1'}]"),
                ["parties[alice].resources"],
            ),
        ],
        ids=lambda value: " ".join(value) if isinstance(value, list) else "",
    )
    def test_what_no_update_can_say_is_refused(self, before, after, fields):
        assert list(refused(before, after)) == fields

    def test_it_is_refused_at_its_line(self):
        after = serving().replace("initiator: alice", "initiator: bob")
        before = files(image(), serving())
        (remark,) = exported(files(image(), after), "risk", "update", before=before).obstacles
        assert remark.origin.place == (SPEC, 4, 12)


class TestImages:
    FULL = """\
command: [sh]
args: [-c, run]
imagePullPolicy: Always
configVolumeMounts: [{mountPath: /etc/a.conf, subPath: a.conf}]
env: [{name: A, value: b}]
envFrom: [{prefix: P_, configMapRef: {name: c}}, {secretRef: {name: s}}]
resources: {limits: {cpu: 2, memory: 1Gi}}
ports: [{name: service, scope: Domain, port: 8080}]
livenessProbe: {httpGet: {path: /, port: service}, periodSeconds: 5}
readinessProbe: {tcpSocket: {port: service}}
startupProbe: {exec: {command: ["true"]}}
"""

    def test_create(self):
        given = files(image(self.FULL, "role: host", "configTemplates: {a.conf: text}"))
        request = exported(given, "scorer", "create")
        assert request.path == "/api/v1/appimage/create"
        assert request.obstacles == ()
        assert list(request.body) == ["name", "image", "config_templates", "deploy_templates"]
        assert request.body["image"] == {"name": "example/scorer", "tag": "v1"}
        (template,) = request.body["deploy_templates"]
        (container,) = template.pop("containers")
        assert template == {"name": "scorer", "role": "host", "replicas": 3}
        assert container["resources"] == {"limits": {"cpu": "2", "memory": "1Gi"}}
        assert container["ports"] == [{"name": "service", "protocol": "HTTP", "scope": "Domain"}]
        assert container["env_from"][0] == {"prefix": "P_", "config_map_ref": {"name": "c"}}
        assert container["liveness_probe"]["http_get"] == {"path": "/", "port": "service"}

    def test_replicas_are_always_said(self):
        given = files(image().replace("    replicas: 3\n", ""))
        (template,) = exported(given, "scorer", "create").body["deploy_templates"]
        assert template["replicas"] == 1

    @pytest.mark.parametrize(
        ("container", "template", "field"),
        [
            ("securityContext: {privileged: true}", "", "securityContext"),
            ("metricProbe: {path: /m, port: own-one}", "", "metricProbe"),
            ("livenessProbe: {tcpSocket: {port: 8080}}", "", "livenessProbe.tcpSocket.port"),
            (
                "env: [{name: A, valueFrom: {secretKeyRef: {name: s, key: k}}}]",
                "",
                "env[A].valueFrom",
            ),
            (
                "resources: {limits: {example.com/gpu: 1}}",
                "",
                'resources.limits["example.com/gpu"]',
            ),
            (
                "",
                "networkPolicy: {ingresses: [{from: {roles: [a]}, ports: [{port: peer}]}]}",
                "networkPolicy",
            ),
        ],
        ids=lambda value: value.split(":")[0],
    )
    def test_what_the_api_cannot_say_is_refused(self, container, template, field):
        ports = "ports: [{name: peer, scope: Cluster}, {name: own-one}]\n"
        request = exported(files(image(ports + container, template)), "scorer", "create")
        (path,) = told(request.obstacles)
        assert path.endswith(f".{field}") or path == f"deployTemplates[scorer].{field}"

    def test_where_registries_differ_a_destination_is_named(self):
        west = BOB.replace("name: b", "name: west, image_registry: {example: mirror}")
        given = files(image(), serving(), ALICE.replace("name: a", "name: east") + west)
        with pytest.raises(Exception, match="say --destination east or west"):
            exported(given, "scorer", "create")
        sent = exported(given, "scorer", "create", destination="west").body
        assert sent["image"]["name"] == "mirror/scorer"

    def test_update_holds_the_image_and_what_differs_as_a_whole(self):
        old = files(image(more="configTemplates: {a: b}"))
        new = {**old, IMAGE: image(more="configTemplates: {a: c, d: e}")}
        sent = exported(new, "scorer", "update", before=old).body
        assert list(sent) == ["name", "image", "config_templates"]
        assert sent["config_templates"] == {"a": "c", "d": "e"}
        bare = {**old, IMAGE: image()}
        assert list(told(exported(bare, "scorer", "update", before=old).obstacles)) == [
            "configTemplates"
        ]

    def test_a_field_that_stays_is_no_obstacle(self):
        old = files(image("securityContext: {privileged: true}"))
        new = {**old, IMAGE: old[IMAGE].replace("tag: v1", "tag: v2")}
        request = exported(new, "scorer", "update", before=old)
        assert request.obstacles == ()
        assert request.body["image"]["tag"] == "v2"

    def test_another_name_is_another_image(self):
        old = files(image(), serving(), settings=HASHED)
        new = {**old, IMAGE: image().replace("tag: v1", "tag: v2")}
        assert list(told(exported(new, "scorer", "update", before=old).obstacles)) == ["name"]


class TestMessages:
    """The bodies in Kuscia's own messages, which refuse a field that they do not have."""

    @pytest.fixture
    def messages(self):
        return pytest.importorskip(
            "kuscia.proto.api.v1alpha1.kusciaapi.serving_pb2",
            reason="the wheel kuscia is not installed",
        )

    def test_servings(self, messages):
        from google.protobuf.json_format import MessageToDict, ParseDict

        party = f"replicas: 0, {RESOURCES}, update_strategy: {STRATEGY}"
        old = files(image(), one("", "serving_input_config: {a: 1}"))
        new = files(image(), one(party, "serving_input_config: {a: 2}"))
        kinds = {
            "create": messages.CreateServingRequest,
            "update": messages.UpdateServingRequest,
            "delete": messages.DeleteServingRequest,
            "query": messages.QueryServingRequest,
            "batch-query": messages.BatchQueryServingStatusRequest,
        }
        for verb, kind in kinds.items():
            sent = exported(new, "risk", verb, before=old).body
            read = ParseDict(sent, kind())
            assert MessageToDict(read, preserving_proto_field_name=True) == sent

    def test_a_field_that_is_no_field_would_be_found(self, messages):
        from google.protobuf.json_format import ParseDict, ParseError

        with pytest.raises(ParseError):
            ParseDict({"serving_name": "x"}, messages.CreateServingRequest())


def test_a_body_is_a_spec():
    """What was sent, below our header, is rendered to the same object."""
    party = f"replicas: 2, {RESOURCES}, update_strategy: {STRATEGY}"
    given = files(image(), one(party, "serving_input_config: {a: 1}"))
    sent = exported(given, "risk", "create").body
    again = {**given, SPEC: HEADER.format("Serving") + "app: other\n" + yaml.safe_dump(sent)}
    assert exported(again, "risk", "create").body == sent
    assert exported(again, "risk", "update", before=given).body == {"serving_id": "risk"}


def test_a_serving_that_somebody_else_applies():
    settings = "kuscia: {external_domains: [carol]}\n"
    text = serving("", ("{domain_id: alice}", "{domain_id: carol}"))
    given = files(image(), text.replace("initiator: alice", "initiator: carol"))
    given[DESCRIPTION] = ENVIRONMENT + EAST + settings
    assert exported(given, "risk", "create").body["initiator"] == "carol"

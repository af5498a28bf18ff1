"""What Kuscia's controller makes of a serving: templates, merging, names, access, affinity."""

import json

import pytest
import yaml

from tests.support.previews import (
    ALICE,
    BOB,
    PORTS,
    container,
    files,
    image,
    objects,
    previewed,
    serving,
    variables,
)

PREFIX = "kuscia.secretflow/"
FIVE = {"controller", "kd-name", "kd-uid", "owner_namespace", "deployment-name"}


@pytest.fixture
def unit(repository):
    """One party of a repository that is described in parts."""

    def look(scorer=None, risk=None, party=("east", "alice"), **more):
        made = files(scorer or image(), risk or serving(), **more)
        return previewed(repository(**made))[party]

    return look


def test_every_derived_object_is_there_and_marked(unit):
    found = objects(unit(image(more="configTemplates: {app.conf: x}")))
    assert list(found) == [
        ("Deployment", "risk"),
        ("Service", "risk-service"),
        ("Service", "risk-peer"),
        ("ConfigMap", "risk-configtemplate"),
    ]
    for item in found.values():
        labels = item["metadata"]["labels"]
        assert {f"{PREFIX}{name}" for name in FIVE} <= labels.keys()
        assert labels[f"{PREFIX}owner_namespace"] == "cross-domain"
        assert item["metadata"]["annotations"][f"{PREFIX}initiator"] == "alice"
        assert item["metadata"]["namespace"] == "alice"
    assert found["ConfigMap", "risk-configtemplate"]["data"] == {"app.conf": "x"}


def test_labels_selector_and_pod_labels_are_one_set(unit):
    made = objects(unit())["Deployment", "risk"]
    labels = made["metadata"]["labels"]
    assert labels == made["spec"]["selector"]["matchLabels"]
    assert labels == made["spec"]["template"]["metadata"]["labels"]
    assert labels.keys() - {f"{PREFIX}{name}" for name in FIVE} == {
        f"{PREFIX}{name}"
        for name in ("communication-role-server", "communication-role-client", "app-type")
    }


def test_what_is_always_the_same_about_a_pod(unit):
    pod = objects(unit())["Deployment", "risk"]["spec"]["template"]["spec"]
    assert pod["schedulerName"] == "kuscia-scheduler"
    assert pod["automountServiceAccountToken"] is False
    assert pod["nodeSelector"] == {f"{PREFIX}namespace": "alice"}
    (toleration,) = pod["tolerations"]
    assert toleration == {"key": f"{PREFIX}agent", "operator": "Exists", "effect": "NoSchedule"}
    (made,) = pod["containers"]
    assert made["image"] == "example/scorer:v1"
    assert made["imagePullPolicy"] == "IfNotPresent"
    assert made["terminationMessagePolicy"] == "FallbackToLogsOnError"
    assert [(port["name"], port["containerPort"]) for port in made["ports"]] == [
        (name, f"<port:{name}>") for name in ("service", "peer", "own-one")
    ]


class TestOverrides:
    RESOURCES = "resources: {requests: {cpu: 1, memory: 1Gi}, limits: {memory: 2Gi}}\n" + PORTS

    def test_replicas_and_strategy(self, unit):
        spec = objects(unit())["Deployment", "risk"]["spec"]
        assert spec["replicas"] == 3
        quarters = {"maxSurge": "25%", "maxUnavailable": "25%"}
        assert spec["strategy"] == {"type": "RollingUpdate", "rollingUpdate": quarters}
        party = "{domain_id: alice, replicas: 5, update_strategy: {type: Recreate}}"
        changed = unit(risk=serving(parties=[party, "{domain_id: bob}"]))
        spec = objects(changed)["Deployment", "risk"]["spec"]
        assert (spec["replicas"], spec["strategy"]) == (5, {"type": "Recreate"})

    def test_without_any_replicas_there_is_one(self, unit):
        made = unit(image().replace("    replicas: 3\n", ""))
        assert objects(made)["Deployment", "risk"]["spec"]["replicas"] == 1

    def test_a_map_of_amounts_is_replaced_as_a_whole(self, unit):
        """Overriding the CPU drops the memory of the template; limits stay as they are."""
        party = "{domain_id: alice, resources: [{min_cpu: '2'}]}"
        made = unit(image(self.RESOURCES), serving(parties=[party, "{domain_id: bob}"]))
        assert container(made)["resources"] == {
            "requests": {"cpu": "2"},
            "limits": {"memory": "2Gi"},
        }

    def test_nothing_is_replaced_where_nothing_is_said(self, unit):
        requests = container(unit(image(self.RESOURCES)))["resources"]["requests"]
        assert requests == {"cpu": "1", "memory": "1Gi"}


def test_variables_come_in_kuscias_order(unit):
    made = unit(image("env: [{name: MINE, value: x}]\n" + PORTS), serving("serving_id: other"))
    found = variables(made, "other")
    assert list(found) == [
        "MINE",
        "KUSCIA_DOMAIN_ID",
        "CLUSTER_DEFINE",
        "ALLOCATED_PORTS",
        "INPUT_CONFIG",
        "KUSCIA_PORT_SERVICE_NUMBER",
        "KUSCIA_PORT_PEER_NUMBER",
        "KUSCIA_PORT_OWN_ONE_NUMBER",
        "SERVING_ID",
    ]
    assert found["SERVING_ID"] == "other"
    assert found["KUSCIA_PORT_OWN_ONE_NUMBER"] == "<port:own-one>"


class TestAnInputConfigOfTheAppImage:
    NOTE = "pods are replaced right after they were made"

    def test_is_overwritten_and_stands_there_twice(self, unit):
        mine = image("env: [{name: INPUT_CONFIG, value: mine}, {name: SERVING_ID, value: x}]")
        made = unit(mine, serving("serving_input_config: {a: 1}"))
        found = [(item["name"], item["value"]) for item in container(made)["env"]]
        assert found[:2] == [("INPUT_CONFIG", '{"a":1}'), ("SERVING_ID", "x")]
        assert found[-2:] == [("INPUT_CONFIG", '{"a":1}'), ("SERVING_ID", "risk")]
        assert any(self.NOTE in note for note in made.notes)

    @pytest.mark.parametrize(
        "variable",
        [
            """{name: INPUT_CONFIG, value: '{"a":1}'}""",
            "{name: INPUT_CONFIG, valueFrom: {secretKeyRef: {name: s, key: k}}}",
            "{name: OTHER, value: mine}",
        ],
    )
    def test_replaces_no_pods_unless_it_is_another_text(self, unit, variable):
        made = unit(image(f"env: [{variable}]"), serving("serving_input_config: {a: 1}"))
        assert container(made)["env"][0] == yaml.safe_load(variable)
        assert not any(self.NOTE in note for note in made.notes)


def test_all_ports_are_allocated_and_only_some_have_services(unit):
    made = unit()
    text = variables(made)["ALLOCATED_PORTS"]
    assert json.loads(text.replace("<port:", '"<port:').replace(">", '>"')) == {
        "ports": [
            {"name": "service", "port": "<port:service>", "scope": "Domain", "protocol": "HTTP"},
            {"name": "peer", "port": "<port:peer>", "scope": "Cluster", "protocol": "GRPC"},
            {"name": "own-one", "port": "<port:own-one>", "scope": "Local", "protocol": "HTTP"},
        ]
    }
    services = [name for kind, name in objects(made) if kind == "Service"]
    assert services == ["risk-service", "risk-peer"]


def test_a_service(unit):
    made = objects(unit())["Service", "risk-peer"]
    assert made["metadata"]["labels"][f"{PREFIX}port-scope"] == "Cluster"
    assert made["metadata"]["labels"][f"{PREFIX}loadbalancer"] == "domainroute"
    assert made["metadata"]["annotations"] == {
        f"{PREFIX}initiator": "alice",
        f"{PREFIX}protocol": "GRPC",
        f"{PREFIX}access-domain": "alice,bob",
        f"{PREFIX}sticky-session-cookie": "KUSCIA_SESSION",
        f"{PREFIX}sticky-session-ttl": "86400s",
    }
    assert made["spec"]["clusterIP"] == "None"
    assert made["spec"]["selector"] == {f"{PREFIX}deployment-name": "risk"}
    assert made["spec"]["ports"] == [
        {"name": "peer", "port": "<port:peer>", "protocol": "TCP", "targetPort": "peer"}
    ]


def test_a_domains_service_is_no_load_balancers(unit):
    made = objects(unit())["Service", "risk-service"]
    assert f"{PREFIX}loadbalancer" not in made["metadata"]["labels"]
    assert made["metadata"]["annotations"][f"{PREFIX}access-domain"] == ""


HOST = "{domain_id: alice, role: host}"
GUEST = "{domain_id: bob, role: guest}"
INGRESS = "networkPolicy: {ingresses: [{from: {roles: [ROLES]}, ports: [{port: PORT}]}]}"


def policy(roles, port="peer"):
    return INGRESS.replace("ROLES", roles).replace("PORT", port)


@pytest.mark.parametrize(
    ("parties", "template", "expected"),
    [
        ([HOST, GUEST], "", "alice,bob"),
        ([HOST], "", ""),
        ([HOST, "{domain_id: alice, role: guest}"], "", ""),
        ([HOST, GUEST], policy("guest"), "bob"),
        ([HOST, GUEST], policy("host, guest"), "alice,bob"),
        ([HOST, GUEST], policy("nobody"), ""),
        ([HOST, GUEST], policy("guest", "service"), ""),
        ([HOST], policy("host"), ""),
    ],
    ids=[
        "all parties",
        "one party",
        "one domain",
        "a role",
        "two roles",
        "a role of nobody",
        "a forgotten port",
        "one party with a policy",
    ],
)
def test_who_may_call_a_port_for_others(unit, parties, template, expected):
    made = unit(image(template=template), serving(parties=parties), party=("east", "alice/host"))
    service = objects(made)["Service", "risk-host-peer"]
    assert service["metadata"]["annotations"][f"{PREFIX}access-domain"] == expected


def affinity(unit, name="risk"):
    return objects(unit)["Deployment", name]["spec"]["template"]["spec"].get("affinity")


SPREAD = {
    "podAntiAffinity": {
        "preferredDuringSchedulingIgnoredDuringExecution": [
            {
                "weight": 100,
                "podAffinityTerm": {
                    "labelSelector": {"matchLabels": {f"{PREFIX}deployment-name": "risk"}},
                    "topologyKey": "kubernetes.io/hostname",
                },
            }
        ]
    }
}


class TestAffinity:
    def test_the_selector_is_always_kuscias(self, unit):
        assert affinity(unit()) == SPREAD

    def test_none_at_the_initiator_is_not_none_at_a_partner(self, repository):
        made = files(image(), serving("affinity_mode: none"), ALICE + BOB)
        found = previewed(repository(**made))
        assert affinity(found["a", "alice"]) is None
        assert affinity(found["b", "bob"]) == SPREAD
        assert any("not brought along" in note for note in found["b", "bob"].notes)

    def test_that_of_the_template_counts_where_the_party_has_none(self, unit):
        node = "{nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: []}, "
        term = "{topologyKey: zone, labelSelector: {matchLabels: {mine: x}}}"
        pods = f"podAffinity: {{requiredDuringSchedulingIgnoredDuringExecution: [{term}]}}}}"
        text = image().replace(
            "      containers:", f"      affinity: {node}{pods}\n      containers:"
        )
        found = affinity(unit(text, serving("affinity_mode: none")))
        (required,) = found["podAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]
        assert required["labelSelector"] == {"matchLabels": {f"{PREFIX}deployment-name": "risk"}}
        assert required["topologyKey"] == "zone"
        assert "nodeAffinity" in found


def endpoints(unit, name="risk"):
    """The addresses of the cluster definition, and whose it is."""
    data = json.loads(variables(unit, name)["CLUSTER_DEFINE"])
    parties = {
        item["name"]: {s["portName"]: s["endpoints"] for s in item["services"]}
        for item in data["parties"]
    }
    return parties, data["selfPartyIdx"]


def test_a_master_knows_all_ports_of_all_parties(unit):
    found, own = endpoints(unit(party=("east", "bob")))
    assert own == 1
    assert found == {
        "alice": {
            "service": ["risk-service.alice.svc:<port:alice/service>"],
            "peer": ["risk-peer.alice.svc"],
        },
        "bob": {"service": ["risk-service.bob.svc:<port:service>"], "peer": ["risk-peer.bob.svc"]},
    }


def test_a_partner_shows_only_its_ports_for_others(unit):
    found, own = endpoints(unit(party=("b", "bob"), destinations=ALICE + BOB))
    assert own == 1
    assert found["alice"] == {"peer": ["risk-peer.alice.svc"]}
    assert found["bob"].keys() == {"service", "peer"}


def test_two_destinations_of_one_cluster_are_one_control_plane(unit):
    same = (ALICE + BOB).replace("platform", "cluster: k3s, platform")
    found, _ = endpoints(unit(party=("b", "bob"), destinations=same))
    assert found["alice"].keys() == {"service", "peer"}


def test_each_control_plane_sees_its_own_registry(repository):
    registries = BOB.replace("}", ", image_registry: {example: mirror.example}}")
    found = previewed(repository(**files(image(), serving(), ALICE + registries)))
    assert container(found["a", "alice"])["image"] == "example/scorer:v1"
    assert container(found["b", "bob"])["image"] == "mirror.example/scorer:v1"


def test_a_partner_outside_is_known_and_not_previewed(repository):
    settings = "kuscia: {external_domains: [bob], appimage_naming: hashed}\n"
    root = repository(**files(image(), serving(), ALICE, settings))
    found = previewed(root)
    assert list(found) == [("a", "alice")]
    assert endpoints(found["a", "alice"])[0]["bob"] == {"peer": ["risk-peer.bob.svc"]}


def test_an_initiator_outside_applies_it_and_we_still_run_our_party(repository):
    settings = "kuscia: {external_domains: [alice], appimage_naming: hashed}\n"
    found = previewed(repository(**files(image(), serving(), BOB, settings)))
    assert list(found) == [("b", "bob")]
    assert "brings it from alice" in found["b", "bob"].notes[0]
    assert container(found["b", "bob"])["image"] == "example/scorer:v1"


@pytest.mark.parametrize(("app_type", "labels"), [("scql", {}), ("mine", {"app-type": "mine"})])
def test_what_is_brought_to_a_partner(repository, app_type, labels):
    spec = serving(f"labels: {{kuscia.secretflow/app-type: {app_type}}}")
    silenced = "rules: {KUS401: ignore}\n"
    found = previewed(repository(**files(image(), spec, ALICE + BOB, silenced)))
    for unit, expected in (("a", {"app-type": app_type}), ("b", labels)):
        made = found[unit, "alice" if unit == "a" else "bob"]
        marks = objects(made)["Deployment", "risk"]["metadata"]["labels"]
        own = {k.removeprefix(PREFIX): v for k, v in marks.items() if k.endswith("app-type")}
        assert own == expected
        assert "SERVING_ID" not in variables(made)


def test_image_id_and_metrics_become_annotations(unit):
    probe = "metricProbe: {path: /stats, port: own-one}\n" + PORTS
    text = image(probe).replace("tag: v1", "tag: v1, id: sha256:" + "0" * 64)
    pod = objects(unit(text))["Deployment", "risk"]["spec"]["template"]
    assert pod["metadata"]["annotations"] == {
        f"{PREFIX}image-id": "sha256:" + "0" * 64,
        f"{PREFIX}should_be_scraped": "true",
        f"{PREFIX}metric_path": "/stats",
        f"{PREFIX}metric_port": "<port:own-one>",
    }


def test_the_last_template_without_a_role_is_for_roles_of_nobody(unit):
    """A role that no template names gets the last one without a role."""
    text = image() + image().split("deployTemplates:\n")[1].replace("replicas: 3", "replicas: 7")
    made = unit(text, serving(parties=[HOST, GUEST]), party=("east", "alice/host"))
    assert objects(made)["Deployment", "risk-host"]["spec"]["replicas"] == 7


def test_a_missing_template_stops_all_parties(repository):
    text = image(template="role: guest")
    silenced = "rules: {KUS105: ignore}\n"
    made = files(text, serving(parties=[HOST, GUEST]), settings=silenced)
    found = previewed(repository(**made))
    assert list(found) == [("east", "alice/host"), ("east", "bob/guest")]
    for unit in found.values():
        assert "no deploy template for the role 'host'" in unit.problem


def test_numbers_are_told_apart_from_digits_of_the_spec(unit):
    config = 'serving_input_config: \'{"a": 710000000000, "b": "710000010001"}\''
    found = variables(unit(risk=serving(config)))
    assert found["INPUT_CONFIG"] == '{"a": 710000000000, "b": "710000010001"}'
    assert "<port:service>" in found["ALLOCATED_PORTS"]


def test_addresses(unit):
    probes = "readinessProbe: {httpGet: {path: ready, port: own-one}}\n" + PORTS
    found = {item.name: item for item in unit(image(probes)).addresses}
    made = unit(image(probes))
    assert list(found) == ["health", "service", "peer"]
    assert made.marked(found["health"].url) == "http://<pod>:<port:own-one>/ready"
    assert found["peer"].url == "grpc://risk-peer.alice.svc"
    assert found["peer"].callers == "alice and bob"
    service = found["service"]
    assert dict(service.headers)["Kuscia-Source"] == "alice"
    assert made.marked(dict(service.headers)["Host"]) == "risk-service.alice.svc:<port:service>"


SERVED = (
    "ports: [{name: service, scope: Domain}, {name: communication, scope: Cluster}, "
    "{name: internal, scope: Domain}]"
)


MODEL = "{modelConfig: {sourceType: ST_FILE, sourcePath: m.tar.gz}, channelDesc: {protocol: http}}"


@pytest.mark.parametrize(("predictors", "answers"), [("", True), ("[bob]", False)])
def test_predictions_are_answered_by_predictors(unit, predictors, answers):
    named = f", predictorParties: {predictors}" if predictors else ""
    config = f"serving_input_config: {{partyConfigs: {{alice: {MODEL}, bob: {MODEL}}}{named}}}"
    text = serving(config).replace("app: other", "app: secretflow-serving")
    found = {item.name: item.url for item in unit(image(SERVED), text).addresses}
    assert ("prediction" in found) == answers
    assert found["metrics"].endswith("/metrics")


def test_long_names_are_hashed(unit):
    name = "credit-scoring-serving-for-bank-and-insurer-production-eu-west"
    text = image("ports: [{name: communication, scope: Cluster}]")
    made = unit(text, serving(f"serving_id: {name}"))
    assert ("Service", "svc-credit-scoring-serving-for-b-004a9f880147053d-communication") in (
        objects(made)
    )


WRITTEN = """\
command: [run]
args: [--fast]
imagePullPolicy: Always
securityContext: {privileged: false}
envFrom: [{configMapRef: {name: all}}]
livenessProbe: {httpGet: {path: /live, port: service}}
startupProbe: {tcpSocket: {port: service}, failureThreshold: 3}
"""
MOUNT = "configVolumeMounts: [{mountPath: /etc/app.conf, subPath: app.conf}]\n"


def test_what_a_container_takes_from_its_template_as_it_is(unit):
    made = container(unit(image(WRITTEN + PORTS)))
    assert made["workingDir"] == "/app"
    for line in WRITTEN.splitlines():
        name, _, written = line.partition(": ")
        assert made[name] == yaml.safe_load(written)


def test_config_files_are_mounted_from_the_config_map(unit):
    made = unit(image(MOUNT + PORTS, more="configTemplates: {app.conf: x}"))
    pod = objects(made)["Deployment", "risk"]["spec"]["template"]
    volume = {"name": "config-template", "configMap": {"name": "risk-configtemplate"}}
    assert pod["spec"]["volumes"] == [volume]
    assert pod["metadata"]["annotations"] == {f"{PREFIX}config-template-volumes": "config-template"}
    mount = {"name": "config-template", "mountPath": "/etc/app.conf", "subPath": "app.conf"}
    assert container(made)["volumeMounts"] == [mount]


def test_without_mounts_there_is_no_volume(unit):
    pod = objects(unit())["Deployment", "risk"]["spec"]["template"]
    assert "volumes" not in pod["spec"]
    assert "annotations" not in pod["metadata"]

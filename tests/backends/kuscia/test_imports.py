"""What Kuscia's objects, requests and answers become as specs, and what is said of it."""

import json

import pytest
import yaml

from renderer.evaluate.run import render
from tests.support.adoption import imported, in_memory, with_import
from tests.support.repositories import ENVIRONMENT, PAIR, SCORER, texts

DESCRIPTION = "environments/dev/environment.yaml"
EMPTY = {DESCRIPTION: ENVIRONMENT}
WITH_IMAGES = {
    **EMPTY,
    "environments/dev/appimages/scorer.yaml": SCORER,
    "environments/dev/appimages/pair.yaml": PAIR,
}
RISK = "environments/dev/servings/risk.yaml"


def deployment(*parties, name="risk", config="", annotations=None, **spec):
    metadata = {"name": name, "namespace": "cross-domain", "annotations": annotations or {}}
    metadata["labels"] = {"kuscia.secretflow/app-type": "serving"}
    return json.dumps(
        {
            "apiVersion": "kuscia.secretflow/v1alpha1",
            "kind": "KusciaDeployment",
            "metadata": metadata,
            "spec": {
                "initiator": "alice",
                "inputConfig": config,
                "parties": list(parties) or [party()],
                **spec,
            },
        }
    )


def party(domain="alice", image="scorer", **template):
    return {"domainID": domain, "appImageRef": image, "template": template}


def containers(**amounts):
    listed = [{"name": name, "workingDir": "", "resources": one} for name, one in amounts.items()]
    return {"containers": listed}


def taken(*given, files=WITH_IMAGES):
    """What an import comes to that nothing is in the way of."""
    adoption = imported(files, {f"{n}.json": text for n, text in enumerate(given)}, "dev")
    assert not adoption.unreadable, adoption.unreadable
    assert not adoption.errors, [item.message for item in adoption.errors]
    return adoption


def spec_of(adoption, path=RISK):
    (text,) = (file.text for file in adoption.files if file.path == path)
    return {k: v for k, v in yaml.safe_load(text).items() if k not in ("apiVersion", "kind")}


def notes_of(adoption):
    return {(n.what, n.path, n.why) for draft in adoption.drafts for n in draft.notes}


def only_party(adoption):
    (one,) = spec_of(adoption)["parties"]
    return one


class TestDeployments:
    @pytest.mark.parametrize(
        ("strategy", "said"),
        [
            (None, None),
            ({"type": "RollingUpdate"}, None),
            ({"type": "RollingUpdate", "rollingUpdate": {"maxSurge": "25%"}}, None),
            ({"type": "Recreate"}, {"type": "Recreate"}),
            (
                {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}},
                {"type": "RollingUpdate", "max_surge": "1", "max_unavailable": "0"},
            ),
            (
                {"rollingUpdate": {"maxSurge": "30%", "maxUnavailable": "25%"}},
                {"type": "RollingUpdate", "max_surge": "30%"},
            ),
        ],
    )
    def test_a_strategy(self, strategy, said):
        template = {"strategy": strategy} if strategy else {}
        adoption = taken(deployment(party(**template)))
        assert only_party(adoption).get("update_strategy") == said
        assert not adoption.differences

    def test_resources_of_all_containers(self):
        amounts = {"requests": {"cpu": 0.5, "memory": "1024Mi"}}
        given = party(image="pair", spec=containers(first=amounts, second=amounts))
        adoption = taken(deployment(given))
        assert only_party(adoption)["resources"] == [{"min_cpu": "500m", "min_memory": "1Gi"}]
        assert not adoption.differences

    def test_resources_of_each_container(self):
        some, other = ({"limits": {"cpu": n}} for n in ("1", "2"))
        given = party(image="pair", spec=containers(first=some, second=other))
        adoption = taken(deployment(given))
        assert only_party(adoption)["resources"] == [
            {"container_name": "first", "max_cpu": "1"},
            {"container_name": "second", "max_cpu": "2"},
        ]
        assert not adoption.differences

    def test_resources_of_a_container_that_is_not_there(self):
        given = party(spec=containers(other={"limits": {"cpu": "1"}}))
        adoption = taken(deployment(given))
        assert "resources" not in only_party(adoption)
        assert not adoption.differences  # Kuscia ignores them
        assert any("has no container 'other'" in why for _, _, why in notes_of(adoption))

    def test_what_kuscia_ignores(self):
        pod = {"containers": [{"name": "scorer", "workingDir": "/x", "command": ["sh"]}]}
        adoption = taken(deployment(party(spec={**pod, "restartPolicy": "Never"})))
        assert not adoption.differences
        ignored = {path for what, path, _ in notes_of(adoption) if what == "left out"}
        assert "spec.parties[0].template.spec.restartPolicy" in ignored
        assert "spec.parties[0].template.spec.containers[0].command" in ignored

    def test_an_affinity_of_ones_own(self):
        node = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {}}}
        assert taken(deployment(party(spec={"affinity": node}))).differences

    @pytest.mark.parametrize("mode", ["none", "affinity", "anti-affinity", ""])
    def test_an_affinity_mode(self, mode):
        noted = {"kuscia.secretflow/affinity-mode": mode}
        adoption = taken(deployment(annotations=noted))
        assert spec_of(adoption).get("affinity_mode", "") == mode
        assert bool(adoption.differences) == (mode == "affinity")  # it has no such affinity

    def test_a_version_that_adds_no_affinity(self):
        old = ENVIRONMENT.replace("kuscia: {", "kuscia: {version: 0.15.0b0, ")
        adoption = taken(deployment(), files={**WITH_IMAGES, DESCRIPTION: old})
        assert spec_of(adoption)["affinity_mode"] == "none"
        assert not adoption.differences

    def test_an_affinity_of_the_image(self):
        terms = "{preferredDuringSchedulingIgnoredDuringExecution: []}"
        image = SCORER.replace(
            "    spec:\n", f"    spec:\n      affinity: {{podAffinity: {terms}}}\n"
        )
        files = {**WITH_IMAGES, "environments/dev/appimages/scorer.yaml": image}
        adoption = taken(deployment(), files=files)
        assert spec_of(adoption)["affinity_mode"] == "none"
        assert not adoption.differences

    def test_a_mode_that_does_not_exist(self):
        noted = {"kuscia.secretflow/affinity-mode": "spread"}
        adoption = taken(deployment(annotations=noted))
        assert spec_of(adoption)["affinity_mode"] == "anti-affinity"

    @pytest.mark.parametrize(
        ("config", "said"),
        [
            ('{"a":1,"b":[true,"x"]}', {"a": 1, "b": [True, "x"]}),
            ("{}", {}),
            ("", None),
            ('{"b":1,"a":2}', '{"b":1,"a":2}'),
            ('{"a": 1}', '{"a": 1}'),
            ('{"a":null}', '{"a":null}'),
            ('{"a":18446744073709551616}', '{"a":18446744073709551616}'),
            ('{"a":1.0}', {"a": 1.0}),
            ('{"a":1,"a":1}', '{"a":1,"a":1}'),
            ('{"a":NaN}', '{"a":NaN}'),
            ("no json", "no json"),
            ('{"a":"${vars.x}"}', {"a": "$${vars.x}"}),
            ('{"${vars.x}":1}', '{"$${vars.x}":1}'),
        ],
    )
    def test_an_input_config(self, config, said):
        """A mapping, but only if that is rendered to the very same text."""
        adoption = taken(deployment(config=config))
        assert spec_of(adoption).get("serving_input_config") == said
        made = texts(render(in_memory(with_import(WITH_IMAGES, adoption)), ["dev"]))
        (found,) = (yaml.safe_load(made[p]) for p in made if "kusciadeployments" in p)
        assert found["spec"]["inputConfig"] == config

    def test_a_copy_that_kuscia_keeps(self):
        text = deployment().replace("cross-domain", "bob")
        adoption = imported(WITH_IMAGES, {"a.json": text}, "dev")
        assert not adoption.drafts
        assert "copies" in adoption.skipped[0].why

    def test_another_application(self):
        text = deployment().replace('"serving"', '"scql"')
        adoption = taken(text)
        assert spec_of(adoption)["labels"] == {"kuscia.secretflow/app-type": "scql"}
        assert not adoption.differences

    def test_without_the_label_that_tells_the_application(self):
        given = json.loads(deployment())
        del given["metadata"]["labels"]
        assert taken(json.dumps(given)).differences

    def test_a_deployment_whose_image_is_missing(self):
        adoption = imported(EMPTY, {"a.json": deployment()}, "dev")
        assert [item.code for item in adoption.errors] == ["KUS104"]


class TestImages:
    @pytest.fixture
    def object_of(self):
        """An AppImage as it is rendered into a repository."""

        def rendered(files, name="scorer"):
            made = texts(render(in_memory({**files, RISK: self.serving}), ["dev"]))
            return [made[path] for path in sorted(made) if f"appimages/{name}" in path]

        return rendered

    serving = (
        "apiVersion: serving.gitops/v1\nkind: Serving\ninitiator: alice\napp_image: scorer\n"
        "parties: [{domain_id: alice}, {domain_id: bob}]\n"
    )
    hashed = ENVIRONMENT.replace("kuscia: {", "kuscia: {appimage_naming: hashed, ")

    def test_a_name_by_content(self, object_of):
        files = {**WITH_IMAGES, DESCRIPTION: self.hashed}
        (image,) = object_of(files)
        name = yaml.safe_load(image)["metadata"]["name"]
        assert name.startswith("scorer-")
        adoption = taken(image, deployment(party(image=name)), files={DESCRIPTION: self.hashed})
        assert {str(draft) for draft in adoption.drafts} == {"AppImage/scorer", "Serving/risk"}
        assert spec_of(adoption)["app_image"] == "scorer"
        assert not adoption.differences

    def test_a_name_that_only_looks_like_it(self, object_of):
        (image,) = object_of(WITH_IMAGES)
        image = image.replace("name: scorer\n", "name: scorer-0123456789\n", 1)
        for files in (EMPTY, {DESCRIPTION: self.hashed}):
            adoption = taken(image, files=files)
            assert [draft.stem for draft in adoption.drafts] == ["scorer-0123456789"]

    def test_images_that_no_serving_uses(self, object_of):
        (scorer,) = object_of(WITH_IMAGES)
        other = scorer.replace("name: scorer\n", "name: for-jobs\n", 1)
        adoption = taken(scorer, other, deployment(), files=EMPTY)
        assert [item.what for item in adoption.skipped] == ["AppImage/for-jobs"]
        assert [draft.stem for draft in taken(other, files=EMPTY).drafts] == ["for-jobs"]

    def test_a_registry(self, object_of):
        two = ENVIRONMENT.replace(
            "    domains: [alice, bob]\n",
            "    domains: [alice]\n  - name: west\n    platform: kuscia\n    domains: [bob]\n"
            "    image_registry: {example: mirror.example/x}\n",
        )
        east, west = object_of({**WITH_IMAGES, DESCRIPTION: two})
        assert "mirror.example/x/scorer" in west
        for given in ([east, west], [west], [east]):
            adoption = taken(*given, files={DESCRIPTION: two, RISK: self.serving})
            path = "environments/dev/appimages/scorer.yaml"
            assert spec_of(adoption, path)["image"]["name"] == "example/scorer"
            assert not adoption.differences

    def test_defaults_of_ports(self, object_of):
        (image,) = object_of(WITH_IMAGES)
        adoption = taken(image, files=EMPTY)
        spec = spec_of(adoption, "environments/dev/appimages/scorer.yaml")
        ports = spec["deployTemplates"][0]["spec"]["containers"][0]["ports"]
        assert ports[0] == {"name": "service", "scope": "Domain"}

    def test_a_namespace(self, object_of):
        (image,) = object_of(WITH_IMAGES)
        adoption = taken(image.replace("  name: scorer\n", "  name: scorer\n  namespace: x\n", 1))
        assert ("left out", "metadata.namespace", "an AppImage is in no namespace") in notes_of(
            adoption
        )


CREATE = {
    "header": {"custom_headers": {}},
    "serving_id": "risk",
    "initiator": "alice",
    "serving_input_config": '{"a":1}',
    "affinity_mode": "",
    "parties": [
        {
            "domain_id": "alice",
            "app_image": "scorer",
            "role": "",
            "replicas": 0,
            "update_strategy": {
                "type": "RollingUpdate",
                "max_surge": "25%",
                "max_unavailable": "25%",
            },
            "resources": [{"container_name": "", "min_cpu": "0.1", "max_memory": ""}],
        }
    ],
}


class TestMessages:
    def test_a_request(self):
        adoption = taken(json.dumps(CREATE))
        assert spec_of(adoption) == {
            "initiator": "alice",
            "app_image": "scorer",
            "serving_input_config": {"a": 1},
            "parties": [{"domain_id": "alice", "replicas": 0, "resources": [{"min_cpu": "0.1"}]}],
        }

    def test_a_field_that_the_api_discards(self):
        given = {**CREATE, "afinity_mode": "none"}
        why = "Kuscia's API discards fields that it does not know; did you mean 'affinity_mode'?"
        adoption = taken(json.dumps(given))
        assert ("left out", "afinity_mode", why) in notes_of(adoption)

    def test_an_answer_tells_its_name_by_addresses(self):
        endpoints = [
            {"port_name": "service", "endpoint": "risk-service.alice.svc"},
            {"port_name": "inner", "endpoint": "risk-inner.alice.svc:1234"},
        ]
        statuses = [{"domain_id": "alice", "role": "", "endpoints": endpoints}]
        data = {k: v for k, v in CREATE.items() if k not in ("header", "serving_id")}
        data |= {"status": {"state": "Available", "party_statuses": statuses}}
        adoption = taken(json.dumps({"status": {"code": 0}, "data": data}))
        assert [draft.stem for draft in adoption.drafts] == ["risk"]

    def test_an_answer_names_every_container(self):
        amounts = {"min_cpu": "1", "max_cpu": "1", "min_memory": "1Gi", "max_memory": "1Gi"}
        entries = [{"container_name": name, **amounts} for name in ("first", "second")]
        one = {"domain_id": "alice", "app_image": "pair", "resources": entries}
        data = {"initiator": "alice", "serving_input_config": "", "parties": [one]}
        adoption = taken(json.dumps({"status": {"code": 0}, "data": data}))
        (spec,) = (yaml.safe_load(file.text) for file in adoption.files)
        assert spec["parties"][0]["resources"] == [amounts]

    @pytest.mark.parametrize(
        ("body", "said"),
        [
            ({"serving_id": "a"}, "only names"),
            ({"serving_ids": ["a"]}, "only names"),
            ({"status": {"code": 0, "message": "success"}}, "went well"),
            ({"status": {"code": 11601, "message": "no such KD"}}, "11601: no such KD"),
            ({"status": {"code": 0}, "data": {"servings": [{"serving_id": "a"}]}}, "a status"),
        ],
    )
    def test_what_describes_nothing(self, body, said):
        adoption = imported(WITH_IMAGES, {"a.json": json.dumps(body)}, "dev")
        assert not adoption.drafts
        assert said in adoption.skipped[0].why

    def test_updates_follow_what_they_change(self):
        update = {
            "serving_id": "risk",
            "serving_input_config": "",
            "parties": [
                {
                    "domain_id": "alice",
                    "app_image": "pair",
                    "update_strategy": {"type": "Recreate", "max_surge": ""},
                }
            ],
        }
        adoption = taken(json.dumps(CREATE), json.dumps(update))
        spec = spec_of(adoption)
        assert spec["serving_input_config"] == {"a": 1}
        assert spec["parties"][0]["app_image"] == "pair"
        assert spec["parties"][0]["update_strategy"] == {"type": "Recreate"}

    @pytest.mark.parametrize("form", ["request", "answer", "answers", "list"])
    def test_an_image(self, form):
        probe = {"http_get": {"path": "/h", "port": "web"}, "period_seconds": 0}
        container = {
            "name": "main",
            "command": ["sh"],
            "args": [],
            "working_dir": "/app",
            "config_volume_mounts": [{"mount_path": "/a", "sub_path": "app.conf"}],
            "ports": [{"name": "web", "protocol": "HTTP", "scope": "Domain"}],
            "liveness_probe": {**probe, "termination_grace_period_seconds": "0"},
            "resources": {"limits": {"cpu": "1", "memory": ""}, "requests": None},
        }
        template = {"name": "t", "role": "", "restart_policy": "", "containers": [container]}
        body = {
            "name": "web",
            "image": {"name": "example/web", "tag": "v1", "id": "", "sign": ""},
            "config_templates": {"app.conf": "some_key"},
            "deploy_templates": [template],
        }
        status = {"status": {"code": 0, "message": "success"}}
        forms = {
            "request": body,
            "answer": {**status, "data": body},
            "answers": {**status, "data": [body]},
            "list": {**status, "data": {"appimage_list": [body]}},
        }
        adoption = taken(json.dumps(forms[form]), files=EMPTY)
        assert spec_of(adoption, "environments/dev/appimages/web.yaml") == {
            "image": {"name": "example/web", "tag": "v1"},
            "configTemplates": {"app.conf": "some_key"},
            "deployTemplates": [
                {
                    "name": "t",
                    "replicas": 0,
                    "spec": {
                        "containers": [
                            {
                                "name": "main",
                                "command": ["sh"],
                                "workingDir": "/app",
                                "configVolumeMounts": [{"mountPath": "/a", "subPath": "app.conf"}],
                                "ports": [{"name": "web", "protocol": "HTTP", "scope": "Domain"}],
                                "livenessProbe": {"httpGet": {"path": "/h", "port": "web"}},
                                "resources": {"limits": {"cpu": "1"}},
                            }
                        ]
                    },
                }
            ],
        }
        assert any("stores 0" in why for _, _, why in notes_of(adoption))

"""Overridden templates, CRDs and collisions: what is wrong with an object is said at its cause."""

from renderer import load, render
from tests.support.repositories import BROKEN, RISK, SERVING, texts

DEPLOYMENT = "templates/kuscia/kusciadeployment.yaml.j2"
MINIMAL = """\
apiVersion: kuscia.secretflow/v1alpha1
kind: KusciaDeployment
metadata:
  name: {{ name }}
  namespace: cross-domain
  labels: {{ labels }}
spec:
  initiator: {{ initiator }}
  inputConfig: {{ input_config }}
  parties:
{% for party in parties %}
  - domainID: {{ party.domain_id }}
    appImageRef: {{ party.app_image }}
    template:
      strategy: {{ party.strategy }}
      spec: {}
{% endfor %}
"""


def found(root, code):
    return [item for item in render(load(root)).diagnostics if item.code == code]


def test_an_override_is_used(repository):
    rendering = render(load(repository({DEPLOYMENT: MINIMAL})))
    assert not rendering.diagnostics
    text = texts(rendering)["dev/east/kusciadeployments/risk.yaml"]
    assert "affinity" not in text
    assert "domainID: alice" in text


def test_nothing_is_rendered_from_a_broken_override(repository):
    rendering = render(load(repository({DEPLOYMENT: "a: {{ b }}"})))
    assert not rendering.is_sound
    assert not [path for path in texts(rendering) if "kusciadeployments" in path]


def test_every_leaf_of_a_manifest_has_an_origin(repository):
    from renderer.values.tree import walk

    for manifest in render(load(repository())).manifests:
        for path, node in walk(manifest.tree):
            assert node.origin.file or node.origin.note, path


def test_a_value_points_at_the_line_that_set_it(repository):
    rendering = render(load(repository()))
    (manifest,) = [item for item in rendering.manifests if item.path.endswith("/risk.yaml")]
    origin = manifest.tree.get("spec", "parties", 1, "domainID").origin
    assert origin[:3] == ("environments/dev/servings/risk.yaml", 6, 17)


def test_an_unused_image_is_not_rendered(repository):
    one = "parties:\n  - {domain_id: alice, app_image: scorer}\n"
    serving = SERVING.partition("parties")[0] + one
    root = repository({"environments/dev/servings/risk.yaml": serving})
    (item,) = found(root, "ENV004")
    assert item.file == "environments/dev/appimages/pair.yaml"
    assert "dev/east/appimages/pair.yaml" not in texts(render(load(root)))


def test_images_follow_their_users_to_every_control_plane(repository):
    environment = """\
    apiVersion: serving.gitops/v1
    kind: Environment
    destinations:
      - {name: a, platform: kuscia, domains: [alice]}
      - {name: b, platform: kuscia, domains: [bob]}
      - {name: c, platform: kuscia, domains: [carol]}
    """
    root = repository({"environments/dev/environment.yaml": environment})
    made = render(load(root))
    assert made.destinations == ("dev/a", "dev/b", "dev/c")
    assert sorted(path for path in texts(made) if "/kustomization" not in path) == [
        "dev/a/appimages/pair.yaml",
        "dev/a/appimages/scorer.yaml",
        "dev/a/kusciadeployments/risk.yaml",
        "dev/b/appimages/pair.yaml",
        "dev/b/appimages/scorer.yaml",
    ]


def test_only_the_named_environment_counts(repository):
    root = repository({"environments/bad/environment.yaml": "a: on"})
    assert not render(load(root)).is_sound
    assert render(load(root), ["dev"]).is_sound


def test_what_is_only_a_warning_is_rendered(repository):
    root = repository({RISK: BROKEN, "servingctl.yaml": "rules: {KUS101: warning}"})
    rendering = render(load(root))
    assert rendering.is_sound
    assert len(rendering.manifests) == 2  # the images; no control plane owns carol


def test_an_ignored_error_does_not_keep_a_spec_from_being_rendered(repository):
    text = SERVING.replace(
        "  - {domain_id: bob, app_image: pair}\n",
        "  - {domain_id: bob, app_image: pair}\n"
        "  # servingctl: ignore[KUS103] accepted\n"
        "  - {domain_id: bob, app_image: pair}\n",
    )
    rendering = render(load(repository({RISK: text})))
    assert rendering.is_sound
    assert [m.path for m in rendering.manifests if "risk" in m.path]

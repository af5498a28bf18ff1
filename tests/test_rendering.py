"""Overridden templates, CRDs and collisions: what is wrong with an object is said at its cause."""

import pytest

from renderer import load, render
from tests.conftest import SERVING, texts

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


@pytest.mark.parametrize(
    ("template", "code", "line", "part"),
    [
        (MINIMAL.replace("{{ name }}", "{{ nmae }}"), "MAN001", 4, "'nmae' is undefined"),
        (MINIMAL.replace("{% endfor %}", ""), "MAN001", 15, "Unexpected end of template"),
        (MINIMAL.replace("  name: {{", "   name: {{"), "MAN002", 5, "does not make YAML"),
        (MINIMAL.replace("cross-domain", "yes"), "MAN002", 5, "does not make YAML"),
        ("- {{ name }}\n", "MAN002", 1, "does not make a mapping"),
        (MINIMAL.replace("cross-domain", "alice"), "MAN003", 5, "metadata.namespace"),
        (MINIMAL + "  extra: 1\n", "MAN003", 18, 'unknown key "extra"'),
        (MINIMAL.replace("      spec: {}\n", ""), "MAN003", 14, "'spec' is missing"),
    ],
    ids=lambda value: value if isinstance(value, str) and value.isupper() else None,
)
def test_a_broken_override_is_one_finding_at_its_line(repository, template, code, line, part):
    diagnostics = found(repository({DEPLOYMENT: template}), code)
    assert {(item.file, item.line) for item in diagnostics} == {(DEPLOYMENT, line)}
    assert part in diagnostics[0].message
    assert diagnostics[0].fix


def test_nothing_is_rendered_from_a_broken_override(repository):
    rendering = render(load(repository({DEPLOYMENT: "a: {{ b }}"})))
    assert not rendering.is_sound
    assert not [path for path in texts(rendering) if "kusciadeployments" in path]


def test_a_template_that_overrides_nothing(repository):
    root = repository({"templates/kuscia/kusciadeploymnt.yaml.j2": MINIMAL})
    (item,) = found(root, "SPC005")
    assert "did you mean templates/kuscia/kusciadeployment.yaml.j2?" in item.fix


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


def test_two_specs_with_one_name(repository):
    other = SERVING + "serving_id: risk\n"
    root = repository({"environments/dev/servings/other.yaml": other})
    (item,) = found(root, "SPC006")
    assert item.message.startswith("environments/dev/servings/other.yaml is called 'risk' already")


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
    assert sorted(texts(render(load(root)))) == [
        "dev/a/appimages/pair.yaml",
        "dev/a/appimages/scorer.yaml",
        "dev/a/kusciadeployments/risk.yaml",
        "dev/a/kustomization.yaml",
        "dev/b/appimages/pair.yaml",
        "dev/b/appimages/scorer.yaml",
        "dev/b/kustomization.yaml",
    ]


def test_only_the_named_environment_counts(repository):
    root = repository({"environments/bad/environment.yaml": "a: on"})
    assert not render(load(root)).is_sound
    assert render(load(root), ["dev"]).is_sound


def test_two_images_whose_content_names_meet(repository):
    """Names by content are cut: equal content under long names of equal beginning meets."""
    from tests.conftest import SCORER

    names = ["x" * 55 + end for end in ("a", "b")]
    pairs = zip(names, ("host", "guest"), strict=True)
    parties = "".join(f"  - {{domain_id: alice, app_image: {n}, role: {r}}}\n" for n, r in pairs)
    described = """\
    apiVersion: serving.gitops/v1
    kind: Environment
    destinations: [{name: east, platform: kuscia, domains: [alice]}]
    kuscia: {appimage_naming: hashed}
    """
    images = {f"environments/dev/appimages/{name}.yaml": SCORER for name in names}
    serving = SERVING.partition("parties:")[0] + "parties:\n" + parties
    root = repository({
        "environments/dev/environment.yaml": described,
        "environments/dev/servings/risk.yaml": serving,
        **images,
    })  # fmt: skip
    (item,) = found(root, "MAN006")
    assert item.fix == "give one of the two another name"

"""What new specs of Kuscia begin with, from what their environment has already."""

from renderer.backends.kuscia.app_image import APP_IMAGE, AppImage
from renderer.backends.kuscia.settings import owners
from renderer.text.wording import listed
from renderer.text.yaml_writer import scalar_text
from renderer.values.model import Environment

_MOST_PARTIES = 2
_APP_IMAGE = """\
# An application as Kuscia starts it; it is rendered once a Serving names it as its app_image.
image:
  name: registry.example/team/{name}
  tag: "1.0"
deployTemplates:
  - name: main
    replicas: 1
    spec:
      containers:
        - name: main
          workingDir: /app
          command: [./serve]
          # Kuscia draws the numbers; other domains reach ports of the scope Cluster only.
          ports:
            - {{name: service, protocol: HTTP, scope: Domain}}
            - {{name: communication, protocol: HTTP, scope: Cluster}}
          resources:
            requests: {{cpu: 500m, memory: 1Gi}}
            limits: {{cpu: "1", memory: 1Gi}}
"""
_PARTY_CONFIG = """\
    {domain}:
      modelConfig:
        modelId: {name}-1
        basePath: /tmp/{name}
        sourceType: ST_FILE
        sourcePath: /models/{name}.tar.gz
        # sourceSha256: of that package; without it production is not rendered (POL006)
      featureSourceConfig: {features}
      channelDesc: {{protocol: http}}
"""


def app_image(name: str, environment: Environment) -> str:  # noqa: ARG001
    """One container, which other parties can reach."""
    return _APP_IMAGE.format(name=name)


def serving(name: str, environment: Environment) -> str:
    """The first domains of the environment, with an application that is there."""
    domains, about_domains = _domains(environment)
    image, about_image = _image(environment)
    return (
        "# Who takes part and with which application, in the words of Kuscia's create request.\n"
        f"initiator: {domains[0]}\n"
        f"app_image: {scalar_text(image.name) if image else 'scorer'}{about_image}\n"
        f"{_input_config(name, domains, image, environment)}"
        f"parties:{about_domains}\n" + "".join(_party(domain, environment) for domain in domains)
    )


def _domains(environment: Environment) -> tuple[list[str], str]:
    """Who takes part, and a comment on it."""
    known = [scalar_text(domain) for domain in owners(environment)]
    if not known:
        return ["alice", "bob"], "   # no destination has these domains yet: add one that does"
    others = known[_MOST_PARTIES:]
    return known[:_MOST_PARTIES], f"   # there is {listed(others)} too" if others else ""


def _image(environment: Environment) -> tuple[AppImage | None, str]:
    """An application, and a comment on the choice."""
    known = [AppImage.of(spec) for spec in environment.specs if spec.kind.name == APP_IMAGE]
    if not known:
        return None, f"   # not there yet: servingctl add appimage scorer --env {environment.name}"
    others = [item.name for item in known[1:]]
    return known[0], f"   # or {listed(others, 'or')}" if others else ""


def _input_config(
    name: str, domains: list[str], image: AppImage | None, environment: Environment
) -> str:
    if image is None or not image.is_named_serving:
        return "serving_input_config: {}   # what the application reads as INPUT_CONFIG\n"
    real = "{httpOpts: {endpoint: http://features.svc/v1}}"
    features = real if environment.is_production else "{mockOpts: {}}   # made up"
    parties = (
        _PARTY_CONFIG.format(domain=domain, name=name, features=features) for domain in domains
    )
    about = "# Where each party finds its part of the model, and its features: yours to fill in."
    return f"{about}\nserving_input_config:\n  partyConfigs:\n{''.join(parties)}"


def _party(domain: str, environment: Environment) -> str:
    """More than one pod in production, unless the environment has defaults for all parties."""
    has_defaults = environment.tree.get("defaults", "Serving", "parties")
    more = "\n    replicas: 2" if environment.is_production and not has_defaults else ""
    return f"  - domain_id: {domain}{more}\n"

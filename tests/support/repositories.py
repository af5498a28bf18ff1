"""The small repository that most tests change: its files, where they lie, what they come to."""

#: What secretflow-serving needs, so that examples may be about it.
PORTS = "ports: [{name: service, scope: Domain}, {name: communication, scope: Cluster}]"
HEADER = "apiVersion: serving.gitops/v1\nkind: {}\n"
ENVIRONMENT = (
    HEADER.format("Environment")
    + """\
destinations:
  - name: east
    platform: kuscia
    domains: [alice, bob]
kuscia: {external_domains: [partner]}
"""
)
#: Its first template is for host, for single and for parties without a role.
SCORER = (
    HEADER.format("AppImage")
    + """\
image: {name: example/scorer, tag: v1}
deployTemplates:
  - name: host
    role: host,,single
    replicas: 2
    spec:
      containers:
        - {name: scorer, workingDir: /work, PORTS}
  - name: guest
    role: guest
    replicas: 2
    spec:
      containers:
        - {name: scorer, workingDir: /work, PORTS}
""".replace("PORTS", PORTS)
)
PAIR = (
    HEADER.format("AppImage")
    + """\
image: {name: example/pair, tag: v1}
deployTemplates:
  - name: both
    replicas: 2
    spec:
      containers:
        - {name: first, workingDir: /work, PORTS}
        - {name: second, workingDir: /work}
""".replace("PORTS", PORTS)
)
SERVING = (
    HEADER.format("Serving")
    + """\
initiator: alice
parties:
  - {domain_id: alice, app_image: scorer}
  - {domain_id: bob, app_image: pair}
"""
)
SMALL = {
    "servingctl.yaml": "",
    "environments/dev/environment.yaml": ENVIRONMENT,
    "environments/dev/appimages/scorer.yaml": SCORER,
    "environments/dev/appimages/pair.yaml": PAIR,
    "environments/dev/servings/risk.yaml": SERVING,
}
#: Where they lie.
RISK = "environments/dev/servings/risk.yaml"
IMAGE = "environments/dev/appimages/scorer.yaml"
DESCRIPTION = "environments/dev/environment.yaml"
#: Its initiator takes no part: KUS101 in line 3.
BROKEN = SERVING.replace("initiator: alice", "initiator: carol")


def texts(rendering) -> dict[str, str]:
    """The files of a rendering by path."""
    return {file.path: file.data.decode() for file in rendering.files()}

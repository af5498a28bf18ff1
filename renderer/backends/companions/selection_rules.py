"""What objects beside a serving select and name of it, by what platforms make of it."""

from renderer.values.diagnostics import Severity, documented_rule

SELECTS_NOTHING = documented_rule(
    "REF007",
    "selector-selects-something",
    """A selector selects pods, or Services, that are made here.

    What selects nothing is accepted and does nothing: a budget protects no pod, a policy restricts
    none, a monitor scrapes nothing, a Service has no endpoints. Which labels pods and Services have
    is derived from what platforms make of specs; nothing is said where that is not known.

    Fails:

        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: gate}
        $destination: east
        spec:
          selector: {matchLabels: {app: gate}}
          template:
            metadata: {labels: {app: gate}}
            spec: {containers: [{name: gate, image: "example/gate:1.0"}]}
        ---
        apiVersion: v1
        kind: Service
        $destination: east
        spec: {selector: {app: gates}, ports: [{port: 80}]}

    Passes with:

        apiVersion: v1
        kind: Service
        $destination: east
        spec: {selector: {app: gate}, ports: [{port: 80}]}
    """,
    Severity.WARNING,
    since="0.2.0",
)
SELECTED_PORT = documented_rule(
    "REF008",
    "selected-port-is-there",
    """A port that a Service or a monitor names is one of what it selects.

    Kubernetes looks for a port by its name when there are pods, and leaves out those without it: no
    request arrives, and nothing is scraped. A number works even if no container declares it; where
    all of them declare ports and none has it, that is worth a look. Ports are derived from
    what platforms make of specs.

    Fails:

        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: gate}
        $destination: east
        spec:
          selector: {matchLabels: {app: gate}}
          template:
            metadata: {labels: {app: gate}}
            spec:
              containers:
                - {name: a, image: "example/gate:1.0", ports: [{name: web, containerPort: 80}]}
        ---
        apiVersion: v1
        kind: Service
        $destination: east
        spec: {selector: {app: gate}, ports: [{port: 80, targetPort: http}]}

    Passes with:

        apiVersion: v1
        kind: Service
        $destination: east
        spec: {selector: {app: gate}, ports: [{port: 80, targetPort: web}]}
    """,
    Severity.WARNING,
    since="0.2.0",
)
NOT_DERIVED = documented_rule(
    "REF009",
    "named-object-is-one-that-a-platform-makes",
    """A Service or workload that is named as those of a spec is one that its platform makes.

    Which Services a platform makes, and how it names them, depends on the spec and on settings of
    the platform; a route to one that is not there answers with an error, and an autoscaler scales
    nothing. An entry of `references.provided` says that something else makes it.
    """,
    Severity.WARNING,
    since="0.2.0",
)
BLOCKS_DRAINS = documented_rule(
    "REF010",
    "budget-lets-a-pod-go",
    """A PodDisruptionBudget allows at least one pod to be evicted.

    Otherwise no node that runs one can be drained: upgrades of the cluster wait until the pod or
    the budget is deleted. How few pods there may be is derived from what platforms make of specs.

    Fails:

        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: gate}
        $destination: east
        spec:
          replicas: 2
          selector: {matchLabels: {app: gate}}
          template:
            metadata: {labels: {app: gate}}
            spec: {containers: [{name: gate, image: "example/gate:1.0"}]}
        ---
        apiVersion: policy/v1
        kind: PodDisruptionBudget
        $destination: east
        spec: {minAvailable: 2, selector: {matchLabels: {app: gate}}}

    Passes with:

        apiVersion: policy/v1
        kind: PodDisruptionBudget
        $destination: east
        spec: {maxUnavailable: 1, selector: {matchLabels: {app: gate}}}
    """,
    Severity.WARNING,
    since="0.2.0",
)
KEEPS_OUT = documented_rule(
    "REF011",
    "policy-lets-requests-in",
    """NetworkPolicies allow requests to the port at which pods serve.

    A selected pod gets only requests that at least one of its policies allows; without a rule that
    is none. Where pods serve is derived from the Services that select them, those that platforms
    make included. From where a rule allows requests is not checked, and policies of other
    repositories are not known.

    Fails:

        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: gate}
        $destination: east
        spec:
          selector: {matchLabels: {app: gate}}
          template:
            metadata: {labels: {app: gate}}
            spec: {containers: [{name: gate, image: "example/gate:1.0"}]}
        ---
        apiVersion: v1
        kind: Service
        $destination: east
        spec: {selector: {app: gate}, ports: [{port: 80, targetPort: 8080}]}
        ---
        apiVersion: networking.k8s.io/v1
        kind: NetworkPolicy
        $destination: east
        spec:
          podSelector: {matchLabels: {app: gate}}
          ingress: [{ports: [{port: 80}]}]

    Passes with:

        apiVersion: networking.k8s.io/v1
        kind: NetworkPolicy
        $destination: east
        spec:
          podSelector: {matchLabels: {app: gate}}
          ingress: [{ports: [{port: 8080}]}]
    """,
    Severity.WARNING,
    since="0.2.0",
)
_ENGINE = """apiVersion: apps/v1
        kind: Deployment
        metadata: {name: chat}
        $destination: east
        spec:
          selector: {matchLabels: {app: chat}}
          template:
            metadata: {labels: {app: chat}}
            spec:
              containers:
                - name: engine
                  image: vllm/vllm-openai:v0.11.0
                  args: [--model=acme/tiny, --served-model-name=chat]"""
ENGINE_PORT = documented_rule(
    "ENG164",
    "services-reach-engines",
    f"""A Service that selects engines of language models sends requests to where these listen.

    vLLM listens on 8000, unless `--port` says another. Pods in which another container may answer
    are left out.

    Fails:

        {_ENGINE}
        ---
        apiVersion: v1
        kind: Service
        $destination: east
        spec: {{selector: {{app: chat}}, ports: [{{port: 80, targetPort: 8080}}]}}

    Passes with:

        apiVersion: v1
        kind: Service
        $destination: east
        spec: {{selector: {{app: chat}}, ports: [{{port: 80, targetPort: 8000}}]}}
    """,
    Severity.WARNING,
    since="0.3.0",
)
MODEL_NAME = documented_rule(
    "ENG181",
    "clients-ask-for-served-models",
    f"""Clients and routes ask an engine for a model by a name that it is served by.

    An engine answers that it has no other. What clients ask is known where a container of a
    companion has OPENAI_BASE_URL (or OPENAI_API_BASE) with the address of a Service here, and
    OPENAI_MODEL, LLM_MODEL or the like beside it; of an HTTPRoute, where it matches the header
    x-gateway-model-name.

    Fails:

        {_ENGINE}
        ---
        apiVersion: v1
        kind: Service
        metadata: {{name: chat}}
        $destination: east
        spec: {{selector: {{app: chat}}, ports: [{{port: 8000}}]}}
        ---
        apiVersion: batch/v1
        kind: Job
        metadata: {{name: asks}}
        $destination: east
        spec:
          template:
            spec:
              restartPolicy: Never
              containers:
                - name: asks
                  image: example/client:1.0
                  env:
                    - {{name: OPENAI_BASE_URL, value: "http://chat:8000/v1"}}
                    - {{name: OPENAI_MODEL, value: chta}}

    Passes with:

        apiVersion: batch/v1
        kind: Job
        metadata: {{name: asks}}
        $destination: east
        spec:
          template:
            spec:
              restartPolicy: Never
              containers:
                - name: asks
                  image: example/client:1.0
                  env:
                    - {{name: OPENAI_BASE_URL, value: "http://chat:8000/v1"}}
                    - {{name: OPENAI_MODEL, value: chat}}
    """,
    Severity.WARNING,
    since="0.3.0",
)
SERVED_TOGETHER = documented_rule(
    "ENG182",
    "engines-behind-a-service-serve-the-same",
    """Engines that one Service selects serve a model, or an adapter, of the same name.

    A Service sends a request to any of them: one that has not got its model refuses it. Select one
    of them, or let a gateway tell them apart.
    """,
    Severity.WARNING,
    since="0.3.0",
)
RULES = (
    SELECTS_NOTHING,
    SELECTED_PORT,
    NOT_DERIVED,
    BLOCKS_DRAINS,
    KEEPS_OUT,
    ENGINE_PORT,
    MODEL_NAME,
    SERVED_TOGETHER,
)

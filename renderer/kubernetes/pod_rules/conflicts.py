"""Parts of a pod that stand in each other's way, and that Kubernetes takes all the same."""

from collections.abc import Iterator

from renderer.kubernetes.pod_rules.affinity import keeping_apart, required_node_terms
from renderer.kubernetes.pod_rules.container_uses import grace_period
from renderer.kubernetes.pods import POD, SOURCE, Field, Pod
from renderer.text.expressions import expression
from renderer.text.wording import did_you_mean, misspelt, visible
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

#: How long one sleeps, and a line of commands one after the other, of which one sleeps.
_NUMBER = expression(r"([0-9]{1,9})s?")
_SLEEP = expression(
    r"(?:[^|]*(?:;|&&)\s*)?(?:/bin/|/usr/bin/|exec )?sleep\s+([0-9]{1,9})s?\s*(?:(?:;|&&)[^|]*)?"
)
_BRANCHES = expression(r"\b(?:if|while|until|for|case)\b")
_LINE = 3


@rule("MAN218", Severity.ERROR, POD, reads=("affinity", "nodeSelector"), since="0.2.0")
def some_node_fits(pod: Pod) -> Iterator[Finding]:
    """What nodeSelector asks of nodes does not contradict what nodeAffinity requires.

    Both hold together, so there is no node for the pod if every required term excludes a label of
    nodeSelector.

    Fails:
        nodeSelector: {pool: gpu}
        affinity:
          nodeAffinity:
            requiredDuringSchedulingIgnoredDuringExecution:
              nodeSelectorTerms:
                - {matchExpressions: [{key: pool, operator: In, values: [cpu]}]}
    Passes with:
        affinity:
          nodeAffinity:
            requiredDuringSchedulingIgnoredDuringExecution:
              nodeSelectorTerms:
                - {matchExpressions: [{key: pool, operator: In, values: [cpu, gpu]}]}
    """
    wanted = {key: field.text for key, field in pod.spec.members("nodeSelector").items()}
    terms = list(required_node_terms(pod)) if wanted else []
    excluding = [found for term in terms if (found := _excluding(term, wanted))]
    if terms and len(excluding) == len(terms):
        key = excluding[0].get("key")
        name = key.text if key else ""
        message = f"nodeSelector asks for {name}: {visible(wanted[name])}, which this excludes"
        yield excluding[0].wrong(f"{message}: no node fits", "delete one of the two")


def _excluding(term: Field, wanted: dict[str, str]) -> Field | None:
    """The first condition of a term that no node with some labels fulfils."""
    for condition in term.each("matchExpressions"):
        key, operator = condition.get("key"), condition.get("operator")
        if not key or not operator or key.text not in wanted:
            continue
        values = [value.text for value in condition.each("values")]
        is_listed = wanted[key.text] in values
        excludes = {"In": bool(values) and not is_listed, "NotIn": is_listed, "DoesNotExist": True}
        if excludes.get(operator.text):
            return condition
    return None


@rule("MAN219", Severity.WARNING, POD, since="0.2.0")
def handlers_leave_time_to_end(pod: Pod) -> Iterator[Finding]:
    """A preStop handler that sleeps leaves time for the container to end.

    `terminationGracePeriodSeconds`, 30 if it says nothing, begin before the handler: when it sleeps
    as long, the container is killed while it still answers requests.

    Fails: containers: [{name: a, lifecycle: {preStop: {exec: {command: [sleep, '30']}}}}]
    Passes: containers: [{name: a, lifecycle: {preStop: {exec: {command: [sleep, '10']}}}}]
    """
    most = grace_period(pod)
    if pod.others and not pod.spec.get("terminationGracePeriodSeconds"):
        return  # it may be said by what they are merged with
    for container in pod.containers():
        handler = container.get("lifecycle", "preStop")
        said = _slept(handler) if handler else None
        seconds = _seconds(said) if said else 0
        is_refused = said and said.name == "seconds" and seconds > most
        if said and seconds >= most and not is_refused:
            message = f"the handler sleeps {seconds} seconds, and the pod has {most} to end"
            yield said.wrong(message, "sleep less, or raise terminationGracePeriodSeconds")


def _slept(handler: Field) -> Field | None:
    """Where a handler says how long it sleeps: in a number, as a word, or in a line for a shell."""
    if seconds := handler.get("sleep", "seconds"):
        return seconds
    words = list(handler.each("exec", "command"))
    is_line = len(words) == _LINE and words[1].text.endswith("c")
    is_sleep = len(words) == _LINE - 1 and words[0].text.rpartition("/")[2] == "sleep"
    return words[-1] if is_line or is_sleep else None


def _seconds(said: Field) -> int:
    """How long that is; nothing if it is not known."""
    text = str(said.node.value).strip()
    found = _NUMBER.fullmatch(text) or _SLEEP.fullmatch(text)
    return int(found[1]) if found and not _BRANCHES.search(text) else 0


@rule("MAN220", Severity.WARNING, POD, reads=("containers.ports",), since="0.2.0")
def containers_listen_apart(pod: Pod) -> Iterator[Finding]:
    """No two containers of a pod declare the same port.

    The containers of a pod share one network: of two that listen at the same port, the second one
    fails.

    Fails:
        containers:
          - {name: a, ports: [{containerPort: 8080}]}
          - {name: b, image: 'example/b:v1', ports: [{containerPort: 8080}]}
    Passes:
        containers:
          - {name: a, ports: [{containerPort: 8080}]}
          - {name: b, image: 'example/b:v1', ports: [{containerPort: 9090}]}
    """
    taken: dict[tuple[object, str], Field] = {}
    for container in (*pod.spec.each("containers"), *pod.others):
        for port in container.each("ports"):
            number, protocol = port.get("containerPort"), port.get("protocol")
            key = (number.node.value if number else None, protocol.text if protocol else "TCP")
            other = taken.setdefault(key, container)
            if number and other.path != container.path:
                name = other.get("name")
                message = f"the container {visible(name.text if name else '')!r} declares the port"
                fix = "write another port: they share one network"
                yield number.wrong(f"{message} {number.node.value} too", fix)


@rule("MAN221", Severity.WARNING, POD, since="0.2.0")
def selectors_name_the_labels_of_the_pod(pod: Pod) -> Iterator[Finding]:
    """What keeps pods apart selects by labels as they are spelt in the pod itself.

    A podAntiAffinity or topologySpreadConstraint that selects no pods does nothing. Found is a
    value that is nearly that of the pod's own label.

    Fails:
        metadata: {labels: {app: fraud-model}}
        spec:
          topologySpreadConstraints:
            - maxSkew: 1
              topologyKey: zone
              whenUnsatisfiable: DoNotSchedule
              labelSelector: {matchLabels: {app: fruad-model}}
    Passes with: metadata: {labels: {app: fruad-model}}
    """
    labels = pod.metadata.members("labels") if pod.metadata else {}
    for term in keeping_apart(pod) if labels else ():
        for key, value in term.members("labelSelector", "matchLabels").items():
            own = labels[key].text if key in labels else value.text
            if value.text != own and misspelt(value.text, [own]):
                message = f"the label {key} of the pod is {visible(own)!r}"
                yield value.wrong(f"{message}, not {visible(value.text)!r}", did_you_mean(own))


RULES = rules_with_source(
    (
        some_node_fits,
        handlers_leave_time_to_end,
        containers_listen_apart,
        selectors_name_the_labels_of_the_pod,
    ),
    SOURCE,
)

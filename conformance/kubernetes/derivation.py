"""The objects that a mutated spec comes to, whether or not `validate` would let it pass.

What is applied comes from the plans and templates of `render`; what Kuscia makes of it, from
`preview`. Neither is asked whether the spec is sound: that is for the API server to say.
"""

import json
from typing import Any, NamedTuple

from conformance.kubernetes.client import Object
from conformance.kubernetes.mutations import Mutation, mutated
from conformance.kubernetes.places import PROJECT
from renderer import load
from renderer.backends.kinds import functions_of
from renderer.manifests.templates import content, find
from renderer.values.derivations import Applied, DerivedUnit
from renderer.values.model import Environment, Spec
from renderer.values.objects import Scene
from renderer.values.tree import Node, uniform_tree

#: The order in which Kuscia's controller makes them, after both have been applied.
_ORDER = ("AppImage", "KusciaDeployment", "Service", "ConfigMap", "Deployment", "Pod")
APPLIED = _ORDER[:2]
_FIRST_PORT = 20000


class Base(NamedTuple):
    """The small project that every mutation starts from."""

    environment: Environment
    app: Spec
    serving: Spec


def load_base() -> Base:
    environment = load(PROJECT).environment("dev")
    if environment is None:
        raise LookupError(f"{PROJECT} has no environment dev")
    specs = {spec.kind.name: spec for spec in environment.specs}
    return Base(environment, specs["AppImage"], specs["Serving"])


def objects_of(base: Base, mutation: Mutation | None) -> list[Object]:
    """Everything that is applied and made, in that order."""
    app, serving = (_changed(spec, mutation) for spec in (base.app, base.serving))
    environment = base.environment._replace(
        specs=(app, serving),
        by_name={("AppImage", app.name): app, ("Serving", serving.name): serving},
    )
    image, own = _rendered(app, environment), _rendered(serving, environment)
    cluster = environment.destinations[0].cluster
    applied = Applied(serving, environment, own, {cluster: {("AppImage", "", app.name): image}})
    derive = functions_of("Serving").derive
    if derive is None:
        raise LookupError("nothing is derived of a Serving")
    (unit,) = derive(applied, None).units
    made = [with_numbers(unit, item.content) for item in unit.objects]
    pods = [_pod(item) for item in made if item["kind"] == "Deployment"]
    everything: list[Any] = [image.plain(), own.plain(), *made, *pods]
    return sorted(everything, key=lambda item: _ORDER.index(item["kind"]))


def _pod(deployment: Object) -> Object:
    """A pod of a Deployment, of which the API server asks a little more than of its template."""
    template = deployment["spec"]["template"]
    place = {key: deployment["metadata"][key] for key in ("name", "namespace")}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {**template["metadata"], **place},
        "spec": template["spec"],
    }


def _changed(spec: Spec, mutation: Mutation | None) -> Spec:
    if mutation is None or spec.kind.name != mutation.spec:
        return spec
    tree = mutated(spec.tree.plain(), mutation.path, mutation.whole_value)
    return spec._replace(tree=uniform_tree(tree, spec.tree.origin))


def _rendered(spec: Spec, environment: Environment) -> Node:
    scene = Scene(environment, environment.destinations[0], {}, {})
    (plan,) = functions_of(spec.kind.name).plan(spec, scene)
    tree, problems = content(plan, find(plan.template, {}))
    if tree is None:
        raise ValueError(problems)
    return tree


def with_numbers(unit: DerivedUnit, thing: Any) -> Object:
    """Numbers as Kuscia would draw them, instead of stand-ins."""
    text = json.dumps(thing)
    for index, port in enumerate(unit.runtime_ports):
        text = text.replace(str(port.stand_in), str(_FIRST_PORT + index))
    made: Object = json.loads(text)
    return made

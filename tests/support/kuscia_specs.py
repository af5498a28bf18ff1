"""Repositories of Kuscia specs made up by Hypothesis: nearly all of them have no errors."""

import json

from hypothesis import strategies as st

DOMAINS = ("alice", "bob", "carol")
CONTAINERS = ("scorer", "helper")
_words = st.sampled_from(
    ["a", "v1", "yes", "1.10", "x y", "${vars.z}", "$${vars.z}", "é", "#", "-c"]
)
_texts = st.one_of(
    _words,
    st.text(
        st.characters(codec="utf-8", exclude_categories=("Cs", "Cc"), exclude_characters="{}$")
    ),
    st.lists(_words, min_size=2, max_size=6).map(lambda lines: "\n".join(lines) + "\n"),
)
_quantities = st.sampled_from(["100m", "0.5", "1", "2", "1500m"])
_memory = st.sampled_from(["512Mi", "1024Mi", "1Gi", "2G", "1.5Gi"])
_names = st.sampled_from(["risk", "credit-risk", "a1", "long-" * 8 + "x"])
_data = st.recursive(
    st.one_of(st.integers(-(2**40), 2**40), st.booleans(), st.floats(-1e9, 1e9), _words),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from("abcd"), inner, max_size=3)
    ),
    max_leaves=6,
)
_labels = st.dictionaries(st.sampled_from(["team", "example.com/tier"]), st.just("x"), max_size=2)
_annotations = st.dictionaries(st.sampled_from(["note", "example.com/doc"]), _texts, max_size=2)


def _shuffled(draw, mapping):
    keys = draw(st.permutations(list(mapping)))
    return {key: mapping[key] for key in keys}


@st.composite
def environments(draw):
    registry = draw(st.sampled_from([{}, {"example": "mirror.example/of"}, {"example/big": "m"}]))
    split = draw(st.booleans())
    owned = [DOMAINS[:1], DOMAINS[1:]] if split else [DOMAINS]
    destinations = [
        {"name": f"plane-{number}", "platform": "kuscia", "domains": list(domains)}
        for number, domains in enumerate(owned)
    ]
    if registry:
        destinations[-1]["image_registry"] = registry
    naming = draw(st.sampled_from(["plain", "hashed"]))
    return {
        "apiVersion": "serving.gitops/v1",
        "kind": "Environment",
        "destinations": destinations,
        "kuscia": {"appimage_naming": naming},
        "vars": {"z": "of a variable"},
    }


@st.composite
def _ports(draw):
    ports = []
    for name in draw(st.lists(st.sampled_from(["service", "inner", "extra"]), unique=True)):
        port = {"name": name}
        if draw(st.booleans()):
            port["protocol"] = draw(st.sampled_from(["HTTP", "GRPC"]))
        if draw(st.booleans()):
            port["scope"] = draw(st.sampled_from(["Local", "Domain", "Cluster"]))
        ports.append(_shuffled(draw, port))
    return ports


@st.composite
def _containers(draw):
    made = []
    for name in CONTAINERS[: draw(st.integers(1, 2))]:
        container = {"name": name, "workingDir": draw(st.sampled_from(["", "/app"]))}
        container["args"] = draw(st.lists(_texts, max_size=3))
        if name == CONTAINERS[0]:
            container["ports"] = draw(_ports())
        if draw(st.booleans()):
            container["env"] = [{"name": "MODE", "value": draw(_texts)}]
        if draw(st.booleans()):
            amounts = {"cpu": draw(_quantities), "memory": draw(_memory)}
            container["resources"] = {"requests": amounts}
        made.append(_shuffled(draw, {k: v for k, v in container.items() if v != []}))
    return made


@st.composite
def app_images(draw):
    templates = [{"name": "main", "spec": {"containers": draw(_containers())}}]
    if draw(st.booleans()):
        templates[0]["replicas"] = draw(st.integers(1, 3))
    if draw(st.booleans()):
        containers = draw(_containers())
        templates.append({"name": "guest", "role": "guest", "spec": {"containers": containers}})
    spec = {
        "apiVersion": "serving.gitops/v1",
        "kind": "AppImage",
        "image": {"name": draw(st.sampled_from(["example/big/x", "example/y", "z"])), "tag": "v1"},
        "configTemplates": draw(st.dictionaries(st.sampled_from(["a.conf", "b.yaml"]), _texts)),
        "deployTemplates": templates,
        "labels": draw(_labels),
        "annotations": draw(_annotations),
    }
    return {key: value for key, value in spec.items() if value != {}}


@st.composite
def _resources(draw):
    entry = {"min_cpu": draw(_quantities), "min_memory": draw(_memory)}
    if draw(st.booleans()):
        return [entry]
    other = {**entry, "min_cpu": draw(_quantities)}
    return [entry, {"container_name": CONTAINERS[0], **other}]


@st.composite
def _parties(draw, images):
    made = []
    others = draw(st.lists(st.sampled_from(DOMAINS[1:]), unique=True, max_size=2))
    for domain in (*others, "alice"):
        party = {"domain_id": domain, "app_image": draw(st.sampled_from(images))}
        if draw(st.booleans()):
            party["role"] = draw(st.sampled_from(["", "guest"]))
        if draw(st.booleans()):
            party["replicas"] = draw(st.integers(1, 4))
        if draw(st.booleans()):
            party["update_strategy"] = draw(
                st.sampled_from(
                    [
                        {"type": "Recreate"},
                        {"type": "RollingUpdate"},
                        {"type": "RollingUpdate", "max_surge": "1"},
                        {"type": "RollingUpdate", "max_surge": "25%", "max_unavailable": "0"},
                    ]
                )
            )
        if draw(st.booleans()):
            party["resources"] = draw(_resources())
        if draw(st.booleans()):
            party["service_name_prefix"] = f"p-{domain}"
        made.append(party)
    return made


@st.composite
def servings(draw, images):
    config = draw(
        st.one_of(
            st.dictionaries(st.sampled_from("xyz"), _data, max_size=3),
            _data.map(json.dumps),
            st.sampled_from(["", "{}", "not json", '{"b":1,"a":2}', '{"a":null}']),
        )
    )
    spec = {
        "apiVersion": "serving.gitops/v1",
        "kind": "Serving",
        "initiator": "alice",
        "app": "other",
        "affinity_mode": draw(st.sampled_from(["", "none", "affinity", "anti-affinity"])),
        "serving_input_config": config,
        "parties": draw(_parties(images)),
        "labels": draw(_labels),
        "annotations": draw(_annotations),
    }
    return {key: value for key, value in spec.items() if key not in ("labels",) or value}


@st.composite
def repositories(draw):
    """Files by path: an environment `dev`, its AppImages and servings."""
    images = draw(st.lists(_names, unique=True, min_size=1, max_size=2))
    files = {"environments/dev/environment.yaml": draw(environments())}
    for name in images:
        files[f"environments/dev/appimages/{name}.yaml"] = draw(app_images())
    for name in draw(st.lists(_names, unique=True, min_size=1, max_size=2)):
        files[f"environments/dev/servings/{name}.yaml"] = draw(servings(images))
    return files

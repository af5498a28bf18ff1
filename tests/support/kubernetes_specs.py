"""Parts of specs for Kubernetes clusters made up by Hypothesis: environments, pods, metadata."""

from hypothesis import strategies as st

HEADER = {"apiVersion": "serving.gitops/v1"}
words = st.sampled_from(["a", "v1", "yes", "1.10", "x y", "${vars.z}", "é", "#", "-c", "0777"])
labels = st.dictionaries(st.sampled_from(["team", "example.com/tier"]), st.just("x"), max_size=2)
annotations = st.dictionaries(st.sampled_from(["note", "example.com/doc"]), words, max_size=2)
_amounts = st.fixed_dictionaries(
    {},
    optional={
        "cpu": st.sampled_from(["1", "1000m", "0.5", "2"]),
        "memory": st.sampled_from(["2Gi", "2048Mi", "1.5Gi"]),
    },
)


def shuffled(draw, mapping):
    """The same mapping in another order: it must not matter."""
    keys = draw(st.permutations(list(mapping)))
    return {key: mapping[key] for key in keys}


@st.composite
def environments(draw, settings):
    """One cluster with one or two namespaces, of which one may have a registry of its own."""
    names = draw(st.sampled_from([["east"], ["east", "west"]]))
    registry = draw(st.sampled_from([{}, {"example": "mirror.example/of"}]))
    places = [
        {"name": name, "platform": "kubernetes", "cluster": "one", "namespace": f"of-{name}"}
        for name in names
    ]
    places[-1] |= {"image_registry": registry} if registry else {}
    own = {"destinations": places, "vars": {"z": "of a variable"}, **draw(settings)}
    return {**HEADER, "kind": "Environment", **own}


@st.composite
def metadata(draw, environment):
    """What a spec says of its object; the destination, where there are several."""
    places = environment["destinations"]
    found = {"labels": draw(labels), "annotations": draw(annotations)}
    if len(places) > 1:
        found["destination"] = draw(st.sampled_from([item["name"] for item in places]))
    return {key: value for key, value in found.items() if value}


@st.composite
def resources(draw):
    """Amounts, of which no limit is below a request."""
    limits = draw(_amounts)
    given = {"limits": limits, "requests": limits if draw(st.booleans()) else {}}
    return {key: value for key, value in given.items() if value or draw(st.booleans())}


@st.composite
def containers(draw, name):
    found = {
        "name": name,
        "image": draw(st.sampled_from(["example/server:v1", "other/server:v2"])),
        "resources": draw(resources()),
        "env": [{"name": "A", "value": draw(words)}],
        "args": draw(st.lists(words.filter(lambda word: "$" not in word), max_size=2)),
    }
    chosen = [key for key in found if key in ("name", "image") or draw(st.booleans())]
    return shuffled(draw, {key: found[key] for key in chosen})

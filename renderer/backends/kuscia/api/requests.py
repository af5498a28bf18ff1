"""What requests to Kuscia's API have in common: the server, and what none of them can say."""

from collections.abc import Iterable, Iterator

from renderer.backends.fields import plain
from renderer.values.diagnostics import Origin
from renderer.values.requests import ApiRequest, ApiServer, Remark
from renderer.values.tree import Node, Plain

SERVER = ApiServer(
    "https://<host>:8082",
    (
        "--header \"Token: $(cat '<path of token>')\"",
        "--cert '<path of kusciaapi-server.crt>'",
        "--key '<path of kusciaapi-server.key>'",
        "--cacert '<path of ca.crt>'",
    ),
)
#: The same in both kinds, and unknown to the API.
_METADATA = ("labels", "annotations")


def api_request(
    path: str,
    body: dict[str, Plain],
    notes: Iterable[Remark] = (),
    obstacles: Iterable[Remark] = (),
) -> ApiRequest:
    return ApiRequest(SERVER, "POST", f"/api/v1/{path}", body, tuple(notes), tuple(obstacles))


def lost_metadata(tree: Node) -> Iterator[Remark]:
    """Labels and annotations of a spec, which an object that the API makes does not get."""
    for key in _METADATA:
        if plain(tree, key):
            said = f"the API takes no {key}: the object is made without them"
            yield Remark((key,), tree.locate((key,), at_key=True), said)


def changed_metadata(before: Node, after: Node) -> Iterator[Remark]:
    """The same, where they are not what they were."""
    for key in _METADATA:
        if (plain(before, key) or None) != (plain(after, key) or None):
            yield Remark((key,), after.locate((key,)), f"the API cannot change {key}")


def no_difference() -> Remark:
    """Of a request that changes nothing."""
    return Remark((), Origin(""), "nothing differs that this request could change")

"""What an edit of a model apart from its service does: of which nothing is made here but itself."""

from collections.abc import Mapping

from renderer.backends.kserve.plain_objects import (
    CACHE,
    NODE_GROUP,
    STORAGE_CONTAINER,
    TRAINED_MODEL,
)
from renderer.derive.behaviour import Behaviour, ChangeKind, Row, Stage
from renderer.values.changes import Effect

_REMEDY = "Add it under another name, and delete this one."
_KINDS: Mapping[str, ChangeKind] = {
    "object-created": ChangeKind(Effect.CREATE, "The {kind} `{name}` is created."),
    "object-deleted": ChangeKind(Effect.DELETE, "The {kind} `{name}` is deleted."),
    "object-renamed": ChangeKind(
        Effect.RECREATE,
        "`{before}` is now `{after}`: a new one is created, and the old one is deleted.",
        pods=False,
    ),
    "object-in-place": ChangeKind(Effect.IN_PLACE, "{field} of the {kind} changes in place."),
    "memory-fixed": ChangeKind(
        Effect.REFUSED,
        "KServe's webhook rejects the TrainedModel: {field} cannot be changed, and what is there "
        "stays as it is.",
        _REMEDY,
    ),
    "address-fixed": ChangeKind(
        Effect.REFUSED,
        "The API server rejects the LocalModelCache: {field} cannot be changed, and what is there "
        "stays as it is.",
        _REMEDY,
    ),
    "model-deleted": ChangeKind(
        Effect.DELETE,
        "The TrainedModel `{name}` is deleted. If its server goes too, the model must go first: "
        "KServe lets it go only while the server is there.",
        "With Flux, take the server out in a later commit.",
    ),
    "model-reloaded": ChangeKind(
        Effect.IN_PLACE,
        "{field} changed: the agent beside the server fetches and loads the model anew; no pod is "
        "replaced.",
    ),
    "server-left": ChangeKind(
        Effect.ORPHANS,
        "{field} changed: the new server gets the model, and the old one keeps its entry for it.",
        "Add it under another name for the new server, and delete this one.",
        pods=False,
    ),
    "cache-deleted": ChangeKind(
        Effect.DELETE,
        "The LocalModelCache `{name}` is deleted, once no service uses it any more: until then "
        "KServe's webhook refuses.",
        "Delete the services first, or write serving.kserve.io/disable-localmodel in them.",
    ),
    "later-downloads": ChangeKind(
        Effect.DEFERRED, "{field} changed: the next download of the model follows it."
    ),
    "nodes-changed": ChangeKind(
        Effect.IN_PLACE,
        "{field} changed: nodes of new groups fetch the model; volumes and files of a group that "
        "is no longer named stay.",
    ),
    "later-volumes": ChangeKind(
        Effect.DEFERRED,
        "{field} changed: KServe never updates volumes and claims that are there. Only new caches, "
        "and namespaces that use one for the first time, follow it.",
        "Name a new group in the caches.",
    ),
    "later-pods": ChangeKind(
        Effect.DEFERRED,
        "{field} changed: pods that start from now on fetch their models so; those that run stay "
        "as they are.",
        "Try the image first: if it fails, no pod of the cluster that needs it starts any more.",
    ),
}
_LIFE = (
    Row("object-created", stage=Stage.CREATED),
    Row("object-created", stage=Stage.MENDED),
    Row("cache-deleted", of=CACHE, stage=Stage.DELETED),
    Row("model-deleted", of=TRAINED_MODEL, stage=Stage.DELETED),
    Row("object-deleted", stage=Stage.DELETED),
    Row("object-deleted", stage=Stage.MOVED, when=lambda item: item.after is None),
    Row("object-created", stage=Stage.MOVED),
    Row("object-renamed", stage=Stage.RENAMED),
    Row("object-in-place", ("metadata",)),
)
_ROWS = (
    Row("memory-fixed", ("spec", "model", "memory"), of=TRAINED_MODEL),
    Row("model-reloaded", ("spec", "model"), of=TRAINED_MODEL),
    Row("server-left", ("spec", "inferenceService"), of=TRAINED_MODEL),
    Row("address-fixed", ("spec", "sourceModelUri"), of=CACHE),
    Row("nodes-changed", ("spec", "nodeGroups"), of=CACHE),
    Row("object-in-place", ("spec", "modelSize"), of=CACHE),
    Row("later-downloads", of=CACHE),
    Row("object-in-place", ("spec", "storageLimit"), of=NODE_GROUP, reaches_all=True),
    Row("later-volumes", of=NODE_GROUP, reaches_all=True),
    Row("later-pods", of=STORAGE_CONTAINER),
)


def behaviour() -> Behaviour:
    """Of an object that runs nothing: it is the only unit itself."""
    return Behaviour(_KINDS, (*_LIFE, *_ROWS), unit="object")

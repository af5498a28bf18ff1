"""Recorded answers to companions that we judge otherwise."""

#: Edits of which `diff` does not say that they are refused, or that nothing happens: these depend
#: on what only the cluster knows (the state of a claim or Job, other objects there, its network).
OTHER_CLASSES = frozenset(
    (
        "service: another family",
        "claim: more before it is bound",
        "claim, bound, of a class that stays: more",
        "claim, without a class: more",
        "claim, growing: less than asked for and more than there is",
        "suspended-job, suspended after it was started: a node",
    )
)
#: How many of the refused companions are errors of `validate` at least.
REFUSALS_FOUND = 236
#: As many are found by our tables alone, where no package of schemas is installed.
REFUSALS_FOUND_WITHOUT_SCHEMAS = 199
#: Companions that are accepted, and of which `validate` finds an error, with the reason.
STRICTER = {
    "stateful: a template of claims without storage": "it is taken, and each of its claims refused",
    "stateful: a mount without its template": "1.33 takes it, and then refuses each of its pods",
}
#: Fields that `diff` says are refused without a recorded answer: inferred, as the docs say.
INFERRED = frozenset(
    (
        "ControllerRevision data",
        "GatewayClass spec.controllerName",
        "Job spec.managedBy",
        "Job spec.selector",
        "Job spec.successPolicy",
        "LeaderWorkerSet spec.leaderWorkerTemplate.subGroupPolicy",
        "LocalQueue spec.clusterQueue",
        "PersistentVolume spec.nodeAffinity",
        "Service spec.clusterIPs",
    )
)

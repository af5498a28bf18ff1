"""Models on shared servers: what KServe's webhook refuses."""

from collections.abc import Iterator

from renderer.backends.kserve.plain_objects import TRAINED_MODEL, ObjectView
from renderer.kubernetes.pods import Field
from renderer.text.wording import listed
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

_WEBHOOK = "kserve/kserve: pkg/apis/serving/v1alpha1/trainedmodel_webhook.go"
_SCHEMES = ("s3://", "gs://", "https://", "http://")


@rule("KSV620", Severity.ERROR, TRAINED_MODEL, since="0.3.0")
def agent_can_fetch_it(view: ObjectView) -> Iterator[Finding]:
    """The address of a trained model begins with s3://, gs://, https:// or http://.

    The agent beside the server knows no other ones, and KServe's webhook refuses the object.

    Fails: model: {storageUri: 'hf://acme/iris', framework: sklearn, memory: 256Mi}
    Passes: model: {storageUri: 's3://acme/iris', framework: sklearn, memory: 256Mi}
    """
    address = Field((), view.tree).get("model", "storageUri")
    if address and not address.text.startswith(_SCHEMES):
        message = f"the agent cannot fetch {address.text!r}"
        yield address.wrong(message, f"write an address that begins with {listed(_SCHEMES, 'or')}")


RULES = rules_with_source((agent_can_fetch_it,), _WEBHOOK)

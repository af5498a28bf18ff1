"""What the API calls kinds in addresses, and which it has: as two API servers list them."""

import json

from conformance.kubernetes.companions.recordings import KINDS
from renderer.backends.companions.table import COMPLETE_GROUPS, ROWS
from renderer.bootstrap.flux_role import plural

(BY_VERSION,) = json.loads(KINDS.read_text("utf-8"))
SERVED = {name: entry for kinds in BY_VERSION.values() for name, entry in kinds.items()}
#: Requests and reports, which nobody keeps in Git.
TRANSIENT = {
    "Binding", "CSINode.storage.k8s.io", "CSIStorageCapacity.storage.k8s.io", "ComponentStatus",
    "VolumeAttachment.storage.k8s.io", "IPAddress.networking.k8s.io",
    "ServiceCIDR.networking.k8s.io",
}  # fmt: skip


def test_plurals_are_those_of_the_api():
    found = {name: plural(name.partition(".")[0]) for name in SERVED}
    assert found == {name: entry["plural"] for name, entry in SERVED.items()}


def test_plurals_of_custom_kinds():
    """As their CRDs have them."""
    kinds = {
        "Gateway": "gateways",
        "HTTPRoute": "httproutes",
        "SecretProviderClass": "secretproviderclasses",
    }
    assert {kind: plural(kind) for kind in kinds} == kinds


def test_kinds_belong_where_the_table_says():
    known = {f"{row.kind}.{row.group}".rstrip("."): row.is_namespaced for row in ROWS}
    both = known.keys() & SERVED.keys()
    assert len(both) > 40
    assert {name: known[name] for name in both} == {
        name: SERVED[name]["namespaced"] for name in both
    }


def test_complete_groups_are_complete():
    """Of these groups every other kind is taken for a misspelt one."""
    known = {f"{row.kind}.{row.group}".rstrip(".") for row in ROWS}
    listed = {name for name in SERVED if name.partition(".")[2] in COMPLETE_GROUPS}
    assert listed - known == {name for name in TRANSIENT if name in listed}

"""What is asked of companions that SOPS encrypted: they are copied as they are."""

from collections.abc import Iterator

from renderer.backends.base import OBJECT
from renderer.backends.companions.kinds import SOPS, STEERED_AT
from renderer.backends.companions.objects import CompanionView
from renderer.backends.fields import members
from renderer.text.secrets.values import is_encrypted
from renderer.text.wording import path_text, suggest
from renderer.values.diagnostics import Finding, Severity, rule
from renderer.values.kinds import DESTINATION, STEERING
from renderer.values.model import Environment

_ENCRYPTED_KIND = "Secret"
_VALUES = ("data", "stringData")
_CHECKSUM = "mac"
_ENCRYPT = "sops encrypt --encrypted-regex '^(data|stringData)$' --in-place"


@rule("SEC006", Severity.ERROR, _ENCRYPTED_KIND, since="0.2.0")
def encrypted_in_whole(view: CompanionView) -> Iterator[Finding]:
    """A Secret that SOPS encrypted has no value in plain text.

    Whoever adds a value with an ordinary editor leaves it for everyone to read, and SOPS refuses
    the file, because its checksum (`sops.mac`) is another one. Edit such files with `sops edit`.

    Fails:

        apiVersion: v1
        kind: Secret
        metadata: {name: hub, namespace: models}
        stringData: {note: hello}
        sops: {mac: "ENC[AES256_GCM,data:bWFj,type:str]"}

    Passes:

        apiVersion: v1
        kind: Secret
        metadata: {name: hub, namespace: models}
        stringData: {note: "ENC[AES256_GCM,data:bm90,type:str]"}
        sops: {mac: "ENC[AES256_GCM,data:bWFj,type:str]"}
    """
    if not view.spec.source:
        return
    tree = view.spec.tree
    fix = f"change the value, which others may have read, and encrypt the file: {_ENCRYPT} "
    fix += view.spec.file
    for place in _VALUES:
        for key, node in members(tree, place).items():
            if not isinstance(node.value, str) or not is_encrypted(node.value):
                message = f"{path_text((place, key))} is not encrypted, though the file is"
                yield Finding((place, key), message, fix, at_key=True)
    if not members(tree, SOPS).get(_CHECKSUM):
        message = f"{SOPS}.{_CHECKSUM} is missing, so SOPS refuses the file"
        yield Finding((SOPS,), message, f"encrypt it again: {_ENCRYPT} {view.spec.file}", True)


@rule("ENV053", Severity.ERROR, OBJECT, since="0.2.0")
def only_secrets_are_encrypted(view: CompanionView) -> Iterator[Finding]:
    """Only a Secret may be encrypted by SOPS.

    Other objects get labels and what their environment says, and a file that SOPS encrypted must
    stay as it is: its checksum covers all values.

    Fails:

        apiVersion: v1
        kind: ConfigMap
        data: {note: "ENC[AES256_GCM,data:bm90,type:str]"}
        sops: {mac: "ENC[AES256_GCM,data:bWFj,type:str]"}

    Passes:

        apiVersion: v1
        kind: ConfigMap
        data: {note: hello}
    """
    if view.spec.kind.name != _ENCRYPTED_KIND and members(view.spec.tree, SOPS).get(_CHECKSUM):
        message = f"SOPS encrypted this {view.spec.kind.name}, and only a {_ENCRYPTED_KIND} may be"
        fix = f"decrypt it, and move its secret values to a {_ENCRYPTED_KIND}"
        yield Finding((SOPS,), message, fix, at_key=True)


@rule("ENV054", Severity.ERROR, _ENCRYPTED_KIND, since="0.2.0")
def encrypted_file_is_complete(view: CompanionView) -> Iterator[Finding]:
    """A Secret that SOPS encrypted names itself and its namespace.

    Other companions have the name of their file and the namespace of their users. This one is
    copied as it is.

    Fails:

        apiVersion: v1
        kind: Secret
        metadata: {name: hub}
        stringData: {note: "ENC[AES256_GCM,data:bm90,type:str]"}
        sops: {mac: "ENC[AES256_GCM,data:bWFj,type:str]"}

    Passes:

        apiVersion: v1
        kind: Secret
        metadata: {name: hub, namespace: models}
        stringData: {note: "ENC[AES256_GCM,data:bm90,type:str]"}
        sops: {mac: "ENC[AES256_GCM,data:bWFj,type:str]"}
    """
    if not view.spec.source:
        return
    for key in ("name", "namespace"):
        if not view.spec.tree.get("metadata", key):
            message = f"metadata.{key} is missing, and the file is copied as it is"
            fix = f"add it by `sops edit {view.spec.file}`"
            yield Finding(("metadata", key), message, fix)


@rule("ENV055", Severity.ERROR, _ENCRYPTED_KIND, since="0.2.0")
def encrypted_file_is_steered_outside(view: CompanionView) -> Iterator[Finding]:
    """The settings of a Secret that SOPS encrypted are in its environment.

    The file is copied as it is, with all that is in it, and no Secret has a field `$destination`.
    `companions: {specs: {Secret/NAME: {$destination: …}}}` of the environment sends it somewhere.

    Fails:

        apiVersion: v1
        kind: Secret
        metadata: {name: hub, namespace: models}
        $destination: east
        stringData: {note: "ENC[AES256_GCM,data:bm90,type:str]"}
        sops: {mac: "ENC[AES256_GCM,data:bWFj,type:str]"}

    Passes:

        apiVersion: v1
        kind: Secret
        metadata: {name: hub, namespace: models}
        stringData: {note: "ENC[AES256_GCM,data:bm90,type:str]"}
        sops: {mac: "ENC[AES256_GCM,data:bWFj,type:str]"}
    """
    for key, node in view.spec.tree.items.items() if view.spec.source else ():
        if key in STEERING and node.origin.file == view.spec.file:
            message = f"{key} would be copied with the rest of the file"
            where = f"companions: {{specs: {{{view.spec}: {{{DESTINATION}: …}}}}}}"
            fix = f"delete it by `sops unset`, and write {where} in {view.environment.file}"
            yield Finding((key,), message, fix, at_key=True)


@rule("ENV056", Severity.ERROR, "Environment", since="0.2.0")
def steered_specs_are_encrypted(environment: Environment) -> Iterator[Finding]:
    """`companions.specs` has settings only for Secrets that SOPS encrypted.

    Every other companion says in its own file where it goes.
    """
    specs = {str(spec): spec for spec in environment.specs}
    copied = [name for name, spec in specs.items() if spec.source]
    for name, node in members(environment.tree, *STEERED_AT).items():
        if name in copied or (node.key or node.origin).file != environment.file:
            continue
        message = f"{environment.name} has no encrypted {name}"
        fix = suggest(name, copied, "write Secret/ and the stem of the file")
        if name in specs:
            message = f"{name} is not encrypted"
            fix = f"write what steers it in {specs[name].file}"
        yield Finding((*STEERED_AT, name), message, fix, at_key=True)


RULES = (
    encrypted_in_whole,
    only_secrets_are_encrypted,
    encrypted_file_is_complete,
    encrypted_file_is_steered_outside,
)
ENVIRONMENT_RULES = (steered_specs_are_encrypted,)

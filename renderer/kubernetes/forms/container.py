"""What Kubernetes wants of a container: a table."""

from collections.abc import Iterator

from renderer.kubernetes.forms import form
from renderer.kubernetes.forms.form import number, words
from renderer.kubernetes.forms.shape import Each, Members, NamedValues, NewerField, Shape
from renderer.kubernetes.versions import FILE_KEYS, NEW_FIELDS, RESOURCE_CLAIMS, RESTART_RULES
from renderer.values.diagnostics import Finding, Path

PULL_POLICY = words("Always", "IfNotPresent", "Never")
_PROFILES = words("Localhost", "RuntimeDefault", "Unconfined")
_LONGEST_PROFILE = 4095


def _profile(profile: Members, path: Path) -> Iterator[Finding]:
    """A profile of the node, and no other, is named; its name has no blanks around it."""
    kind, file = profile.get("type"), profile.get("localhostProfile")
    if kind is None:
        return
    if kind.value != "Localhost":
        if file is not None:
            message = f"a profile of the type {kind.value} has no name"
            fix = "delete it, or write type: Localhost"
            yield Finding((*path, "localhostProfile"), message, fix, at_key=True)
    elif file is None or file.value == "":
        yield Finding((*path, "type"), "the profile is not named", "add localhostProfile")
    elif str(file.value).strip() != file.value or len(str(file.value)) > _LONGEST_PROFILE:
        message = f"a profile's name has 1 to {_LONGEST_PROFILE} characters, no blanks around it"
        yield Finding((*path, "localhostProfile"), message, "write such a name")


APP_ARMOR = Shape("appArmorProfile", {"type": _PROFILES}, needed=("type",), relations=(_profile,))
CONTEXT = Shape(
    "securityContext",
    {
        "seccompProfile": Shape("seccompProfile", {"type": _PROFILES}, needed=("type",)),
        "appArmorProfile": APP_ARMOR,
    },
)
POD_CONTEXT = Shape(
    "securityContext",
    {
        **CONTEXT.fields,
        "fsGroup": form.ID,
        "fsGroupChangePolicy": words("OnRootMismatch", "Always").strict(),
        "supplementalGroups": Each(form.ID),
        "supplementalGroupsPolicy": words("Merge", "Strict").strict(),
        "seLinuxChangePolicy": words("Recursive").strict(),
        "sysctls": Each(
            Shape("a sysctl", {"name": form.SYSCTL}, needed=("name",)), unique=("name",)
        ),
    },
)


def _read_only(mount: Members, path: Path) -> Iterator[Finding]:
    """What is read-only all the way down is read-only, and shows nothing of the node."""
    deep, shared = mount.get("recursiveReadOnly"), mount.get("mountPropagation")
    if deep is None or deep.value not in ("Enabled", "IfPossible"):
        return
    flat = mount.get("readOnly")
    place = (*path, "recursiveReadOnly")
    if flat is None or flat.value is not True:
        message = f"recursiveReadOnly: {deep.value} needs readOnly: true"
        yield Finding(place, message, "add readOnly: true, or delete it")
    if shared is not None and shared.value != "None":
        message = f"recursiveReadOnly {deep.value} goes with no mountPropagation but None"
        yield Finding(place, message, "delete one of the two")


def _sub_paths(mount: Members, path: Path) -> Iterator[Finding]:
    given = [key for key in ("subPath", "subPathExpr") if key in mount and mount[key].value]
    if len(given) > 1:
        message = "a mount has subPath and subPathExpr, and may have only one of them"
        yield Finding((*path, given[1]), message, "keep one", at_key=True)


_PORT_ASKED = {"port": form.PORT_FORM}
HTTP_GET = Shape(
    "httpGet",
    {
        **_PORT_ASKED,
        "scheme": words("HTTP", "HTTPS"),
        "httpHeaders": Each(Shape("a header", {"name": form.HEADER.strict()})),
    },
    needed=("port",),
)
TCP_SOCKET = Shape("tcpSocket", _PORT_ASKED, needed=("port",))
EXEC = Shape("exec", {}, needed=("command",))
PROBE = Shape(
    "a probe",
    {
        "httpGet": HTTP_GET,
        "tcpSocket": TCP_SOCKET,
        "grpc": Shape("grpc", {"port": form.PORT_NUMBER}),
        "terminationGracePeriodSeconds": number(1, 2**63 - 1),
    },
)
HANDLER = Shape(
    "a handler",
    {
        "exec": EXEC,
        "httpGet": HTTP_GET,
        "tcpSocket": TCP_SOCKET,
        "sleep": Shape("sleep", {"seconds": number(0, 2**63 - 1)}),
    },
    one_of=(("exec", "httpGet", "tcpSocket", "sleep"),),
)
CLAIM_USE = Shape("a claim", {"request": form.DNS_LABEL}, needed=("name",))
RESOURCES = Shape(
    "resources",
    {
        "requests": NamedValues(None, form.AMOUNT_FORM),
        "limits": NamedValues(None, form.AMOUNT_FORM),
        "claims": NewerField(RESOURCE_CLAIMS, Each(CLAIM_USE, unique=("name", "request"))),
    },
)
MOUNT = Shape(
    "a mount",
    {
        "subPath": form.DESCENDING,
        "subPathExpr": form.DESCENDING,
        "mountPropagation": words("None", "HostToContainer", "Bidirectional").strict(),
        "recursiveReadOnly": words("Disabled", "IfPossible", "Enabled").strict(),
    },
    needed=("name", "mountPath"),
    relations=(_read_only, _sub_paths),
)
DEVICE = Shape(
    "a device",
    {"devicePath": form.NO_BACKSTEPS},
    needed=("name", "devicePath"),
)
VARIABLE = Shape(
    "a variable",
    {
        "name": form.VARIABLE,
        "valueFrom": Shape(
            "valueFrom",
            {
                "fileKeyRef": NewerField(
                    FILE_KEYS,
                    Shape(
                        "fileKeyRef",
                        {
                            "volumeName": form.DNS_LABEL,
                            "path": form.NO_BACKSTEPS,
                            "key": form.VARIABLE,
                        },
                        needed=("volumeName", "path", "key"),
                    ),
                    exists=NEW_FIELDS,
                )
            },
        ),
    },
    needed=("name",),
)
PORT = Shape(
    "a port",
    {
        "containerPort": form.PORT_NUMBER,
        "hostPort": number(0, 65535),
        "protocol": words("TCP", "UDP", "SCTP"),
    },
)
RESTART_RULE = Shape(
    "a restart rule",
    {
        "action": words("Restart", "RestartAllContainers").strict(),
        "exitCodes": Shape(
            "exitCodes",
            {
                "operator": words("In", "NotIn").strict(),
                "values": Each(form.INT32, most=255),
            },
            needed=("operator",),
        ),
    },
    needed=("action", "exitCodes"),
)
RESIZING = Shape(
    "a resize policy",
    {
        "resourceName": words("cpu", "memory"),
        "restartPolicy": words("NotRequired", "RestartContainer"),
    },
    needed=("resourceName", "restartPolicy"),
)
CONTAINER = Shape(
    "a container",
    {
        "name": form.DNS_LABEL.strict(),
        "ports": Each(PORT),
        "env": Each(VARIABLE),
        "resources": RESOURCES,
        "resizePolicy": Each(RESIZING, unique=("resourceName",)),
        "restartPolicyRules": NewerField(
            RESTART_RULES, Each(RESTART_RULE, most=20), exists=NEW_FIELDS
        ),
        "volumeMounts": Each(MOUNT),
        "volumeDevices": Each(DEVICE, unique=("devicePath",)),
        "livenessProbe": PROBE,
        "readinessProbe": PROBE,
        "startupProbe": PROBE,
        "lifecycle": Shape("lifecycle", {"postStart": HANDLER, "preStop": HANDLER}),
        "terminationMessagePolicy": words("File", "FallbackToLogsOnError"),
        "imagePullPolicy": PULL_POLICY,
        "securityContext": CONTEXT,
    },
)

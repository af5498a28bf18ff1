"""What Kubernetes wants of security contexts, of pods and of containers: tables."""

from collections.abc import Iterator

from renderer.kubernetes.forms import form
from renderer.kubernetes.forms.form import words
from renderer.kubernetes.forms.shape import Each, Members, Shape
from renderer.values.diagnostics import Finding, Path

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

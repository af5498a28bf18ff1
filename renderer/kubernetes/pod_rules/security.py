"""The security contexts of containers: numbers and words that exist, and do not contradict."""

from collections.abc import Callable, Iterator

from renderer.kubernetes.names import DNS_NAME, is_dns_name
from renderer.kubernetes.pods import POD, SOURCE, Field, Pod
from renderer.text.expressions import expression
from renderer.text.wording import visible
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

_LAST_ID = 2**31 - 1
_MOST_RIGHTS = "CAP_SYS_ADMIN"
_MOST_OF_A_SPEC = 1 << 16
_PLACE = r"[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?"
_USER_NAME = expression(
    rf"""(?=[^\\]{{0,255}}\\|[^\\]*$)"""
    rf"""(?:(?:[^\\/:*?"<>|.][^\\/:*?"<>|]{{0,14}}|{_PLACE}(?:\.{_PLACE})*)\\)?"""
    r"""(?![. ]+$)[^"/\\\[\]:;|=,+*?<>@]+"""
)
_CONTROL = expression(r"[\x00-\x1f\x7f]")
_LONGEST_USER = 104


@rule("MAN131", Severity.ERROR, POD)
def users_and_groups_exist(pod: Pod) -> Iterator[Finding]:
    """The number of a user or group is from 0 to 2147483647.

    Kubernetes refuses the pod otherwise.

    Fails: containers: [{name: a, securityContext: {runAsUser: -1}}]
    Passes: containers: [{name: a, securityContext: {runAsUser: 1000}}]
    """
    yield from _check_contexts(pod, _nobody)


def _nobody(context: Field) -> Iterator[Finding]:
    for field in context.present(("runAsUser", "runAsGroup")):
        number = field.node.value
        if isinstance(number, int) and not 0 <= number <= _LAST_ID:
            message = f"{field.name} {number} is not the number of a user or group"
            yield field.wrong(message, "write one from 0 to 2147483647")


@rule("MAN132", Severity.ERROR, POD)
def rights_do_not_contradict(pod: Pod) -> Iterator[Finding]:
    """A container that may gain no rights is not given all of them.

    `allowPrivilegeEscalation: false` goes neither with `privileged: true` nor with the capability
    CAP_SYS_ADMIN. Kubernetes refuses the pod otherwise.

    Fails:
        containers:
          - {name: a, securityContext: {allowPrivilegeEscalation: false, privileged: true}}
    Passes: containers: [{name: a, securityContext: {allowPrivilegeEscalation: false}}]
    """
    for context in _contexts(pod):
        escalates = context.get("allowPrivilegeEscalation")
        if not escalates or escalates.node.value is not False:
            continue
        privileged = context.get("privileged")
        given = [privileged] if privileged and privileged.node.value is True else []
        added = context.each("capabilities", "add")
        for field in (*given, *(item for item in added if item.text == _MOST_RIGHTS)):
            what = field.text or "privileged"
            message = f"{what} contradicts allowPrivilegeEscalation: false"
            yield field.wrong(message, "delete one of the two")


@rule("MAN133", Severity.ERROR, POD, reads=("containers.securityContext.seccompProfile",))
def profiles_are_of_the_node(pod: Pod) -> Iterator[Finding]:
    """A seccomp profile of the type Localhost, and no other, names a file of the node.

    The file is named from the node's own folder of profiles. Kubernetes refuses the pod otherwise.

    Fails: containers: [{name: a, securityContext: {seccompProfile: {type: Localhost}}}]
    Passes with:
        containers:
          - {name: a, securityContext: {seccompProfile: {localhostProfile: own/a.json}}}
    """
    yield from _check_contexts(pod, _file_of_profile)


def _file_of_profile(context: Field) -> Iterator[Finding]:
    kind = context.get("seccompProfile", "type")
    if not kind:
        return
    file = context.get("seccompProfile", "localhostProfile")
    if kind.text != "Localhost" and file:
        message = f"a profile of the type {kind.text} names no file"
        yield file.wrong_key(message, "delete it, or write type: Localhost")
    elif kind.text == "Localhost" and not file:
        yield kind.wrong("the profile names no file", "add localhostProfile")
    elif file and (file.text.startswith("/") or ".." in file.text.split("/")):
        message = f"{visible(file.text)!r} does not lead into the folder of profiles"
        yield file.wrong(message, "write a relative path without '..'")


@rule("MAN134", Severity.ERROR, POD)
def proc_is_masked(pod: Pod) -> Iterator[Finding]:
    """`procMount` is Default.

    Unmasked takes a pod with users of its own (`hostUsers: false`), and there is no other word.
    Kubernetes refuses the pod otherwise.

    Fails: containers: [{name: a, securityContext: {procMount: Unmasked}}]
    Passes: containers: [{name: a, securityContext: {procMount: Default}}]
    """
    users = pod.spec.get("hostUsers")
    known = ("Default", "Unmasked") if users and users.node.value is False else ("Default",)
    for context in _contexts(pod):
        mount = context.get("procMount")
        if mount and mount.text not in known:
            message = f"procMount cannot be {visible(mount.text)!r} here"
            yield mount.wrong(message, "write Default, or delete it")


@rule("MAN135", Severity.ERROR, POD)
def windows_options_fit(pod: Pod) -> Iterator[Finding]:
    """Options for Windows have the form that Windows needs.

    Names and users have to be of the form that Windows has, and a process of the host takes a pod
    in the network of the host. Kubernetes refuses the pod otherwise, wherever it would run.

    Fails: containers: [{name: a, securityContext: {windowsOptions: {hostProcess: true}}}]
    Passes: containers: [{name: a, securityContext: {windowsOptions: {hostProcess: false}}}]
    """
    shared = pod.spec.get("hostNetwork")
    yield from _check_contexts(pod, _windows)
    for context in _contexts(pod):
        if options := context.get("windowsOptions"):
            process = options.get("hostProcess")
            if process and process.node.value is True and not (shared and shared.node.value):
                message = "a process of the host takes the network of the host"
                yield process.wrong(message, "delete it")


def _windows(context: Field) -> Iterator[Finding]:
    options = context.get("windowsOptions")
    if options is None:
        return
    name, text = options.get("gmsaCredentialSpecName"), options.get("gmsaCredentialSpec")
    user = options.get("runAsUserName")
    if name and not is_dns_name(name.text):
        message = f"{visible(name.text)!r} cannot be the name of a credential spec"
        yield name.wrong(message, f"write {DNS_NAME}")
    if text and not 0 < len(text.text.encode()) <= _MOST_OF_A_SPEC:
        yield text.wrong("a credential spec has 1 to 65536 bytes", "write one, or delete it")
    if user and not _is_user(user.text):
        message = f"{visible(user.text)!r} cannot be the name of a user"
        yield user.wrong(message, "write USER, or GROUP\\USER")


def _is_user(text: str) -> bool:
    user = text.rpartition("\\")[2]
    fits = len(user.encode()) <= _LONGEST_USER and not _CONTROL.search(text)
    return fits and bool(_USER_NAME.fullmatch(text))


def _contexts(pod: Pod) -> Iterator[Field]:
    for container in pod.containers():
        if context := container.get("securityContext"):
            yield context


def _check_contexts(pod: Pod, check: Callable[[Field], Iterator[Finding]]) -> Iterator[Finding]:
    """What is wrong with the contexts of containers, and since 0.2.0 with that of the pod."""
    for context in _contexts(pod):
        yield from check(context)
    if own := pod.spec.get("securityContext"):
        yield from (finding._replace(since="0.2.0") for finding in check(own))


RULES = rules_with_source(
    (
        users_and_groups_exist,
        rights_do_not_contradict,
        profiles_are_of_the_node,
        proc_is_masked,
        windows_options_fit,
    ),
    SOURCE,
)

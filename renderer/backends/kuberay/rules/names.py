"""Names that have to leave room for what is put behind them, and keys that become others."""

from collections.abc import Iterator

from renderer.backends.kuberay.plans import names_by_content
from renderer.backends.kuberay.vocabulary import JOB
from renderer.backends.kuberay.workloads import Workload
from renderer.kubernetes.names import LABEL_KEY, is_label_key
from renderer.kubernetes.pods import Field
from renderer.text.wording import visible
from renderer.values.diagnostics import Finding, Severity, rule

#: The longest name of a job, and the dash and digits of its content's hash.
_LONGEST, _SUFFIX = 47, 11


@rule("RAY170", Severity.ERROR, JOB, reads=("name", "name_suffix"))
def job_names_leave_room(workload: Workload) -> Iterator[Finding]:
    """The name of a job has at most 36 characters, so that it has 47 with the hash of its content.

    The operator refuses a longer one, because the names of its cluster and Services begin with it.
    With `name_suffix: none` no hash follows, and all 47 are free.

    Fails: name: a-job-that-has-a-name-which-is-too-long
    Passes: name: a-job-that-has-a-name
    """
    name, room = workload.name, _LONGEST - _SUFFIX
    if names_by_content(workload.spec, workload.environment) and room < len(name) <= _LONGEST:
        message = (
            f"with its hash the name has {len(name) + _SUFFIX} characters, and 47 are the most"
        )
        fix = f"write a name of at most {room} characters, or name_suffix: none"
        yield Finding(("name",), message, fix)


@rule("RAY171", Severity.ERROR, JOB)
def metadata_can_be_annotations(workload: Workload) -> Iterator[Finding]:
    """The keys of a message's `metadata` are keys that annotations can have.

    The API server writes the metadata of a job to the object's annotations too. Kubernetes refuses
    the object for any other key.

    Fails:
        clusterSpec: {}
        metadata: {job owner: ada}
    Passes:
        clusterSpec: {}
        metadata: {job-owner: ada}
    """
    given = Field((), workload.spec.tree).members("metadata") if workload.is_message else {}
    for key, field in given.items():
        if not is_label_key(key.lower()):
            message = f"{visible(key)!r} cannot be the key of an annotation, which it becomes"
            yield field.wrong_key(message, f"write {LABEL_KEY}")


RULES = (job_names_leave_room, metadata_can_be_annotations)

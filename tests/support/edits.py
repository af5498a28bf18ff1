"""Edits of the repositories of `benchmarks`, right and wrong ones, by what they do."""

from benchmarks.repositories import edit

_SERVING = "environments/dev/servings/own-00002.yaml"
_SHARED = "environments/base/servings/shared-00000.yaml"
_IMAGE = "environments/base/appimages/image-1.yaml"


def append(text):
    return lambda path: path.write_text(path.read_text("utf-8") + text, "utf-8")


def replaced(old, new):
    return lambda path: path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")


#: Of the file of a serving.
OF_SPECS = {
    "a label": append("labels: {team: risk}\n"),
    "another label": append("annotations: {note: b}\n"),
    "a secret": append("annotations: {password: hunter22}\n"),
    "a broken line": append("  - [\n"),
    "an unknown key": append("labelz: {}\n"),
    "an unknown variable": append("annotations: {x: '${vars.nothing}'}\n"),
    "the only use of a variable": append("annotations: {x: '${vars.bucket}'}\n"),
    "a role": replaced("domain_id: alice", "domain_id: alice\n    role: host"),
    "an unknown image": replaced("app_image: image-", "app_image: nothing-"),
    "one name for all": append("serving_id: same\n"),
    "an external initiator": replaced("initiator: alice", "initiator: nobody"),
    "an unused ignore": append("# servingctl: ignore[KUS103] nothing to see\nlabels: {a: b}\n"),
    "a used ignore": append(
        "# servingctl: ignore[SEC001] an example\nannotations: {password: hunter22}\n"
    ),
    "disabled": append("disabled: true\n"),
    "another kind": replaced("kind: Serving", "kind: AppImage"),
    "a long prefix": replaced(
        "domain_id: bob", f"domain_id: bob\n    service_name_prefix: {'a' * 60}"
    ),
    "the same prefix": replaced(
        "domain_id: bob", "domain_id: bob\n    service_name_prefix: shared"
    ),
    "gone": lambda path: path.unlink(),
}

#: Of what others use: the file, and what is done to it.
OF_SHARED = {
    "a secret in an image": (
        "base/appimages/image-1",
        append("annotations: {password: hunter2}\n"),
    ),
    "an unknown key in an image": ("base/appimages/image-1", append("labelz: {}\n")),
    "a probe of an unknown port": (
        "base/appimages/image-1",
        replaced("port: brpc-builtin", "port: nowhere"),
    ),
    "an accepted finding": (
        "base/appimages/image-1",
        append("# servingctl: ignore[SEC001] an example\nannotations: {password: hunter2}\n"),
    ),
    "a secret in a variable": ("base/environment", replaced("bucket: models", "token: abcdefgh")),
    "an unknown key in an environment": ("dev/environment", append("destinationz: []\n")),
    "an unknown rule": ("dev/environment", replaced("POL004", "POL999")),
    "images named by content": (
        "dev/environment",
        append("kuscia: {appimage_naming: hashed}\n"),
    ),
    "plain names": ("prod/environment", replaced("hashed", "plain")),
}

#: How many of the 19 groups an edit makes worth a look: of an image its users, and of a spec that
#: begins or ceases to use an image those who use it too.
OF_FLEETS = {
    "nothing": (lambda _: None, 0),
    "labels": (lambda root: edit(root / _SERVING, 1), 1),
    "inherited": (lambda root: edit(root / _SHARED, 1), 1),
    "two specs": (lambda root: [edit(root / name, 1) for name in (_SERVING, _SHARED)], 2),
    "initiator": (lambda root: replaced("initiator: alice", "initiator: bob")(root / _SERVING), 1),
    "image of a spec": (lambda root: replaced("image-0", "image-1")(root / _SERVING), 19),
    "an image": (lambda root: replaced("cpu: 500m", "cpu: 600m")(root / _IMAGE), 9),
    "deleted": (lambda root: (root / _SERVING).unlink(), 9),
    "broken": (lambda root: (root / _SERVING).write_text("kind: Serving\n{"), 10),
    "variable": (lambda root: replaced("${vars.features}", "features")(root / _SERVING), 1),
}

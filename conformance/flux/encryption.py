"""SOPS and age as their modules have them: keys, encrypted files, and what is read back."""

import json
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from conformance.flux.installation import Programs
from conformance.flux.places import NAMESPACE
from conformance.kubernetes.client import Object

#: As `docs/secrets.md` says it.
_ENCRYPT = ("encrypt", "--encrypted-regex", "^(data|stringData)$", "--in-place")


class Keys(NamedTuple):
    """A pair that is made for one run; the private one stays in a file."""

    file: Path
    public: str

    @property
    def secret(self) -> Object:
        """As `bootstrap flux` has Kustomizations look for it."""
        return {
            "apiVersion": "v1",
            "kind": "Secret",
            "metadata": {"name": "sops-age", "namespace": NAMESPACE},
            "stringData": {"age.agekey": self.file.read_text("utf-8")},
        }


def make_keys(programs: Programs, folder: Path) -> Keys:
    file = folder / "age.agekey"
    subprocess.run([programs.keygen, "-o", file], check=True, capture_output=True)
    (public,) = (
        line.partition("public key: ")[2]
        for line in file.read_text("utf-8").splitlines()
        if "public key: " in line
    )
    return Keys(file, public)


def encrypt(programs: Programs, keys: Keys, file: Path) -> Any:
    """Encrypt a file where it is; what it held is the answer."""
    held = yaml.safe_load(file.read_text("utf-8"))
    if file.suffix == ".json":  # the tables are YAML
        file.write_text(json.dumps(held), "utf-8")
    subprocess.run([programs.sops, *_ENCRYPT, "--age", keys.public, file], check=True)
    return held


def decrypted(programs: Programs, keys: Keys, file: Path) -> Any:
    """What SOPS reads in a file; nothing if it refuses the file for its checksum."""
    done = subprocess.run(
        [programs.sops, "decrypt", file],
        env={"SOPS_AGE_KEY_FILE": str(keys.file)},
        check=False,
        capture_output=True,
        text=True,
    )
    if "MAC mismatch" in done.stderr:
        return None
    assert done.returncode == 0, done.stderr
    return yaml.safe_load(done.stdout)

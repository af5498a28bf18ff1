"""What a signature is made over: which files came from which commit (in-toto, SLSA provenance)."""

import json
from collections.abc import Mapping

from release.origin import Origin

_STATEMENT = "https://in-toto.io/Statement/v1"
_PROVENANCE = "https://slsa.dev/provenance/v1"
#: How the files were made: by `make release`. Another number if it takes other parameters.
_BUILD_TYPE = "urn:servingctl:make-release:1"
#: Who made them is for the publisher to say, by `make release BUILDER=URI`.
UNNAMED_BUILDER = "urn:servingctl:builder:unnamed"


def statement(
    digests: Mapping[str, str], origin: Origin, tools: Mapping[str, str], builder: str
) -> str:
    """The text of an unsigned statement about files, by their SHA-256."""
    source = {"digest": {"gitCommit": origin.commit}}
    made_with = [
        {"uri": f"pkg:pypi/{name}@{version}", "name": name} for name, version in tools.items()
    ]
    predicate = {
        "buildDefinition": {
            "buildType": _BUILD_TYPE,
            "externalParameters": {"target": "release"},
            "internalParameters": {"SOURCE_DATE_EPOCH": origin.seconds},
            "resolvedDependencies": [
                {**({"uri": f"git+{origin.address}"} if origin.address else {}), **source},
                *made_with,
            ],
        },
        "runDetails": {"builder": {"id": builder}},
    }
    whole = {
        "_type": _STATEMENT,
        "subject": [
            {"name": name, "digest": {"sha256": digests[name]}} for name in sorted(digests)
        ],
        "predicateType": _PROVENANCE,
        "predicate": predicate,
    }
    return f"{json.dumps(whole, indent=2)}\n"

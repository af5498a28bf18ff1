"""Health checks as those run them who use them: Lua as Argo CD does, CEL as Flux does."""

from functools import cache
from pathlib import Path

import cel
import yaml
from lupa import lua51

from renderer.assets import TEMPLATES
from renderer.backends import BACKENDS
from renderer.bootstrap.documents import script

#: Healths of Argo CD in the words of Flux, which has no other ones.
IN_FLUX = {
    "Healthy": "Current",
    "Suspended": "Current",
    "Progressing": "InProgress",
    "Degraded": "Failed",
}
#: Those that an object of a kind may have; a check that gives another one is broken.
HEALTHS = tuple(IN_FLUX)
FAULT = "error"
#: In the order in which Flux asks.
_ASKED = {"inProgress": "InProgress", "failed": "Failed", "current": "Current"}
#: Argo CD stops a script after a second; these are far less.
_INSTRUCTIONS = 100_000
#: Of the libraries of Lua, Argo CD loads the base, `package` and `table`, and a part of `os`.
_RESTRICTED = f"""
local hook, text = debug.sethook, getmetatable("")
text.__index = nil
for _, name in ipairs({{"coroutine", "debug", "io", "math", "os", "string", "python"}}) do
  _G[name] = nil
end
hook(function() error("it takes too long") end, "", {_INSTRUCTIONS})
"""


@cache
def scripts():
    """The text of each Lua check by kind, in lower case."""
    kinds = [kind for backend in BACKENDS for kind in backend.stored if kind.health]
    return {kind.kind.lower(): script(kind) for kind in kinds}


@cache
def expressions():
    """Each CEL check by kind, in lower case: its expressions as they are written."""
    found = {}
    for path in sorted(Path(TEMPLATES).glob("*/health/*.cel.yaml")):
        found[path.name.partition(".")[0]] = yaml.safe_load(path.read_text("utf-8"))
    return found


def by_argo_cd(kind, found, script=None):
    """The status and the message; a fault of the script is raised."""
    runtime = lua51.LuaRuntime(unpack_returned_tuples=True, register_eval=False)
    runtime.execute(_RESTRICTED)
    runtime.globals()["obj"] = _in_lua(runtime, found)
    answer = runtime.execute(script or scripts()[kind.lower()])
    assert set(answer) == {"status", "message"}, list(answer)
    return answer["status"], answer["message"]


def _in_lua(runtime, value):
    """As Argo CD hands over an object: nothing is nil, and is left out of a list."""
    if isinstance(value, dict):
        return runtime.table_from({key: _in_lua(runtime, item) for key, item in value.items()})
    if isinstance(value, list):
        items = (_in_lua(runtime, item) for item in value)
        return runtime.table_from([item for item in items if item is not None])
    return float(value) if type(value) is int else value


def by_flux(kind, found, asked=None):
    """The status; or that there is a fault, for which Flux asks again until its timeout."""
    if is_behind(found):
        return "InProgress"
    checks = asked or expressions()[kind.lower()]
    for key, status in _ASKED.items():
        if key in checks:
            try:
                answer = _program(checks[key]).execute(found)
            except (KeyError, IndexError, TypeError, ValueError, RuntimeError):
                return FAULT
            if answer is True:
                return status
    return "InProgress"


_program = cache(cel.compile)


def is_behind(found):
    """Whether Flux does not even ask, by what the status says it was last looked at."""
    seen, wanted = _number(found, "status", "observedGeneration"), _number(found, "metadata")
    return None not in (seen, wanted) and seen != wanted


def _number(found, member, key="generation"):
    inner = found.get(member)
    value = inner.get(key) if isinstance(inner, dict) else None
    return value if type(value) is int else None

"""Requests of repositories that only exist in memory."""

from renderer.inspect.export import Exported, SpecState, read_state, request_of, verb_of
from renderer.text.wording import path_text
from tests.support.memory import project


def exported(files, spec, verb, *, before=None, env="dev", destination=""):
    """The request of a sound spec, compared with the files as they were."""
    wanted = Exported(env, tuple(spec.split()), verb, destination)
    state = _state(files, wanted)
    is_compared = verb_of(state.specs, wanted).compares
    former = _state(before or files, wanted) if is_compared else None
    return request_of(state, wanted, former)


def _state(files, wanted):
    state = read_state(project(files), wanted)
    assert isinstance(state, SpecState), state
    return state


def told(remarks):
    """What is said of each field, by its path."""
    return {path_text(remark.path): remark.message for remark in remarks}

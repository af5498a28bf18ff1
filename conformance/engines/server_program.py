"""Run by a Python with pydantic and few more: what KServe's Hugging Face server makes of words.

`python server_program.py VLLM KSERVE` imports the server from the sources of KServe in the folder
KSERVE, and the code of vLLM that declares arguments from VLLM. A question is a list of words behind
`python -m huggingfaceserver`. Three parsers read them, the last one with the arguments of the
engine; the answer is what was refused, or the values that differ from the defaults and the words
that were ignored. Whether vLLM knows a model, a stand-in says: it does.
"""

import contextlib
import importlib
import io
import json
import logging
import re
import sys
import warnings
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
import vllm_program  # type: ignore[import-not-found]

_MAIN, _SERVER = "huggingfaceserver.__main__", "kserve.model_server"
_REAL = re.compile(
    r"huggingfaceserver(\.__main__|\.task|\.vllm\.utils)?"
    r"|kserve\.(model_server|constants\.constants|utils\.utils)"
)
#: The first has no value, the second the number of a member of an enumeration.
_UNTOLD = ("help", "backend")


def _is_real(name: str) -> bool:
    return vllm_program.is_real(name) or _REAL.fullmatch(name) is not None


def answer(words: list[str]) -> dict[str, Any]:
    """What the server makes of words, which it reads while it is imported."""
    for name in (_MAIN, _SERVER):
        sys.modules.pop(name, None)
    said, saved = io.StringIO(), sys.argv
    sys.argv = ["huggingfaceserver", *words]
    try:
        with contextlib.redirect_stderr(said), contextlib.redirect_stdout(said):
            importlib.import_module(_SERVER)
            main = importlib.import_module(_MAIN)
    except SystemExit as error:
        lines = said.getvalue().strip().splitlines() or [""]
        return {"refused": vllm_program.brief(lines[-1])} if error.code else {"values": {}}
    except Exception as error:
        return {"refused": vllm_program.brief(f"{type(error).__name__}: {error}")}
    finally:
        sys.argv = saved
    found = vllm_program.values(main.parser, main.args)
    values = {name: value for name, value in found.items() if name not in _UNTOLD}
    return {"values": values, "ignored": main._}


def _stand_in_for_models() -> None:
    """A model is where it is said to be, and functions of KServe are its own."""
    for name in ("kserve.storage", "kserve_storage"):
        importlib.import_module(name).Storage.download = str
    importlib.import_module("kserve.utils.utils")


def main() -> None:
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    own = f"{sys.argv[2]}/python"
    folders = {
        "vllm": sys.argv[1],
        "kserve": f"{own}/kserve",
        "huggingfaceserver": f"{own}/huggingfaceserver",
    }
    vllm_program.prepare(folders, _is_real)
    _stand_in_for_models()
    out = sys.stdout
    with contextlib.redirect_stdout(sys.stderr):
        answers = [answer(question["words"]) for question in json.load(sys.stdin)]
    json.dump(answers, out)


if __name__ == "__main__":
    main()

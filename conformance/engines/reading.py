"""How a version of vLLM reads a command line before argparse does, as a list of names.

Each is a habit of its `FlexibleArgumentParser`, found by words of the code that does it.
"""

import ast

from conformance.engines.sources import Class, Sources

_CLASS = "FlexibleArgumentParser"
#: The name of a habit, and texts of which one is in the code.
_MARKS: dict[str, tuple[str, ...]] = {
    "model-refused": ("model_in_cli_args",),
    "model-moved": ("model_idx",),
    "name-needs-model": ("served[-_]model[-_]name",),
    "dotted": ("create_nested_dict",),
    "dotted-json": ("json.loads(value_str)",),
    "dotted-list": ("endswith('+')",),
    "dotted-human": ("human_readable_int(value_str)",),
    "level-apart": ("len(arg) == 2",),
    "level-dotted": ("-O.level",),
    "mode-dotted": ("-O.mode",),
    "level-option": ("--optimization-level",),
    "config-without-command": ("args[0].startswith('-')",),
    "config-has-model": ("model_in_config",),
    "config-lists": ("isinstance(value, list)",),
    "config-mappings": ("isinstance(value, dict):\n",),
    "config-negates": ("no_key",),
}


def features(sources: Sources) -> list[str]:
    """The habits of a version, in the order in which they came."""
    module = sources.first("vllm.utils.argparse_utils", "vllm.utils")
    parser = module.names[_CLASS]
    assert isinstance(parser, Class)
    own = ast.unparse(parser.node)
    found = [name for name, texts in _MARKS.items() if any(text in own for text in texts)]
    return [*found, *(["disable"] if "EnableDisableAction" in ast.unparse(module.tree) else [])]

"""Words that the rules on engines share."""

#: The kind of the rules that are given an engine.
ENGINE = "Engine"
VLLM_SOURCE = "vllm-project/vllm: vllm/config, vllm/engine/arg_utils.py, vllm/entrypoints/openai"

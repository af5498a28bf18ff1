"""What took the place of arguments that are gone, where no notice of the code says it as flags.

Each was read in the versions around the one that took the argument away: what the code did with it
last, or what its notice said in other words. A text is what to write, `$VALUE` the value that the
argument has; of some it depends on the value, and `*` is for all others. An empty text is for what
happens anyway. All others that are gone have no successor: a feature went with them.
"""

_SPECULATIVE = {
    "num_speculative_tokens": "num_speculative_tokens",
    "ngram_prompt_lookup_max": "prompt_lookup_max",
    "ngram_prompt_lookup_min": "prompt_lookup_min",
    "speculative_draft_tensor_parallel_size": "draft_tensor_parallel_size",
    "speculative_max_model_len": "max_model_len",
}
_STRUCTURED = {
    "guided_decoding_backend": "backend=$VALUE",
    "guided_decoding_disable_additional_properties": "disable_additional_properties=true",
    "guided_decoding_disable_any_whitespace": "disable_any_whitespace=true",
    "guided_decoding_disable_fallback": "disable_fallback=true",
}
_TASKS = {
    "*": "--runner and --convert",
    "auto": "",
    "classify": "--runner=pooling --convert=classify",
    "draft": "--runner=draft",
    "embed": "--runner=pooling --convert=embed",
    "embedding": "--runner=pooling --convert=embed",
    "generate": "--runner=generate",
    "reward": "--runner=pooling",
    "score": "--runner=pooling",
    "transcription": "--runner=generate",
}
SUCCESSORS: dict[str, str | dict[str, str]] = {
    "chat_template_text_format": "--chat-template-content-format=$VALUE",
    # Requests are not logged unless --enable-log-requests says so; the notice names that one.
    "disable_log_requests": "--no-enable-log-requests",
    "disable_mm_preprocessor_cache": "--mm-processor-cache-gb=0",
    "enable_multimodal_encoder_data_parallel": "--mm-encoder-tp-mode=data",
    "enable_reasoning": "--reasoning-parser alone",
    "engine_use_ray": "",
    "expand_tools_even_if_tool_choice_none": "",
    "max_context_len_to_capture": "--max-seq-len-to-capture=$VALUE",
    "mm_cache_preprocessor": "",
    "override_pooler_config": "--pooler-config=$VALUE",
    "rope_scaling": '--hf-overrides={"rope_parameters": {…}}',
    "rope_theta": '--hf-overrides={"rope_parameters": {…}}',
    "speculative_model": '--speculative-config={"model": "$VALUE"}',
    "speculative_model_quantization": '--speculative-config={"quantization": "$VALUE"}',
    "task": _TASKS,
    "use_v2_block_manager": "",
    "worker_use_ray": "--distributed-executor-backend=ray",
    **{old: f'--speculative-config={{"{new}": $VALUE}}' for old, new in _SPECULATIVE.items()},
    **{old: f"--structured-outputs-config.{new}" for old, new in _STRUCTURED.items()},
}

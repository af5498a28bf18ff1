"""How large a model is: its weights and what its cache needs for a token, from `models`."""

import json
from collections.abc import Mapping
from typing import Any

from renderer.kubernetes.quantities import value
from renderer.text.expressions import expression
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

_PARAMETERS = expression(r"([0-9]+(?:\.[0-9]+)?)([KMBT]?)")
_FACTORS = {"": 1, "K": 10**3, "M": 10**6, "B": 10**9, "T": 10**12}
#: Bytes of a value; engines cut float32 to 16 bits unless they are told not to.
BYTES = {"float32": 4.0, "float16": 2.0, "bfloat16": 2.0, "half": 2.0, "fp8": 1.0, "int8": 1.0,
         "int4": 0.5}  # fmt: skip
_LARGEST = 10_000_000


class ModelSize(NamedTuple):
    """What is known of a model; nothing where it is not.

    `cache_per_token` is in values, not in bytes; `heads_share_it` if several accelerators have a
    part of it each, by the key and value heads.
    """

    name: str
    node: Node
    weights: float | None = None
    dtype: str = ""
    heads: int | None = None
    kv_heads: int | None = None
    context: int | None = None
    cache_per_token: int | None = None
    heads_share_it: bool = True
    is_quantized: bool = False


def model_size(entry: Node) -> ModelSize:
    """The size of a model by its entry: figures there count more than its config.json."""
    config = _config(entry)
    own = {key: node.value for key, node in entry.items.items()}
    dtype = str(own.get("dtype") or _first(config, "dtype", "torch_dtype") or "")
    heads = _number(own.get("heads")) or _number(config.get("num_attention_heads"))
    kv_heads = _number(own.get("kv_heads")) or _number(config.get("num_key_value_heads"))
    layers = _number(own.get("layers")) or _number(config.get("num_hidden_layers"))
    size = _number(own.get("head_size")) or _head_size(config, heads)
    latent = _number(config.get("kv_lora_rank"))
    cache = 2 * layers * kv_heads * size if layers and kv_heads and size else None
    if latent and layers:
        cache = layers * (latent + (_number(config.get("qk_rope_head_dim")) or 0))
    if _has_several_caches(config):
        cache = None
    context = _number(own.get("context")) or _config_context(config)
    return ModelSize(
        str(own.get("name") or ""),
        entry,
        _weights(own, dtype),
        dtype,
        heads,
        kv_heads,
        context,
        cache,
        heads_share_it=not latent,
        is_quantized="quantization_config" in config,
    )


def _weights(own: Mapping[str, Any], dtype: str) -> float | None:
    """The bytes of the weights: as they are given, else of so many parameters."""
    if (given := own.get("weights")) is not None:
        amount = value(str(given))
        return float(amount) if amount else None
    found = _PARAMETERS.fullmatch(str(own.get("parameters", "")))
    if found is None or dtype not in BYTES:
        return None
    return float(found[1]) * _FACTORS[found[2]] * BYTES[dtype]


def _config(entry: Node) -> Mapping[str, Any]:
    """The data of a config.json; the part of it that is about text, if it has several."""
    given = entry.get("config")
    if given is None or not isinstance(given.value, str):
        return {}
    try:
        data = json.loads(given.value)
    except (ValueError, RecursionError):
        return {}
    if not isinstance(data, dict):
        return {}
    text = data.get("text_config")
    return {**data, **text} if isinstance(text, dict) else data


def _has_several_caches(config: Mapping[str, Any]) -> bool:
    """Whether some layers keep less than others, which nothing here works out."""
    is_sliding = config.get("sliding_window") and config.get("use_sliding_window", True)
    return bool(is_sliding or config.get("layer_types") or config.get("layers_block_type"))


def _head_size(config: Mapping[str, Any], heads: int | None) -> int | None:
    hidden = _number(config.get("hidden_size"))
    return _number(config.get("head_dim")) or (hidden // heads if hidden and heads else None)


def _config_context(config: Mapping[str, Any]) -> int | None:
    """The longest context by a config.json; nothing where positions are stretched by a factor."""
    is_stretched = config.get("rope_scaling") or config.get("rope_parameters")
    return None if is_stretched else _number(config.get("max_position_embeddings"))


def _first(config: Mapping[str, Any], *keys: str) -> Any:
    return next((config[key] for key in keys if config.get(key)), None)


def _number(given: Any) -> int | None:
    is_number = isinstance(given, int) and not isinstance(given, bool)
    return given if is_number and 0 < given <= _LARGEST else None

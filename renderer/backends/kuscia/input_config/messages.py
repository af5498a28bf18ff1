"""The messages of secretflow-serving's input config, in tables."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeAlias

from renderer.text.letter_case import camel_case


class Enum(NamedTuple):
    """A set of words with their numbers, and the versions that brought the newer ones."""

    name: str
    values: Mapping[str, int]
    since: Mapping[str, str] = {}

    def word(self, number: int) -> str:
        """The word of a number, or nothing."""
        return next((word for word, value in self.values.items() if value == number), "")


class Message(NamedTuple):
    """A message, its fields by name, and those that are a single message themselves."""

    name: str
    fields: "Mapping[str, Field]"
    spellings: Mapping[str, str]
    messages: "Mapping[str, Message]"

    def field(self, written: str) -> "Field | None":
        """The field that a name means, in either spelling."""
        name = self.spellings.get(written)
        return self.fields[name] if name else None


Type: TypeAlias = str | Enum | Message
INT32, BOOL, STRING = "int32", "bool", "string"


class Field(NamedTuple):
    """A field: what it holds, whether many or by key, its oneof, the version that brought it."""

    name: str
    type: Type = STRING
    shape: str = ""
    oneof: str = ""
    since: str = ""


MAP, LIST = "map", "list"


def message(name: str, *fields: Field) -> Message:
    spellings = {camel_case(field.name): field.name for field in fields}
    spellings |= {field.name: field.name for field in fields}
    single = ((field.name, field.type) for field in fields if not field.shape)
    messages = {name: kind for name, kind in single if isinstance(kind, Message)}
    return Message(name, {field.name: field for field in fields}, spellings, messages)


def _numbers(*names: str) -> Iterable[Field]:
    return (Field(name, INT32) for name in names)


def _oneof(oneof: str, *members: tuple[str, Message, str]) -> Iterable[Field]:
    return (Field(name, kind, "", oneof, since) for name, kind, since in members)


TLS = message(
    "TlsConfig", Field("certificate_path"), Field("private_key_path"), Field("ca_file_path")
)
BACKOFF_MODE = Enum(
    "BackoffMode",
    {"INVALID_MODE": 0, "FIXED_BACKOFF": 1, "EXPONENTIAL_BACKOFF": 2, "RANDOM_BACKOFF": 3},
)
RETRY = message(
    "RetryPolicyConfig",
    Field("retry_custom", BOOL),
    Field("retry_aggressive", BOOL),
    Field("max_retry_count", INT32),
    Field("backoff_mode", BACKOFF_MODE),
    *_oneof(
        "backoff_config",
        ("fixed_backoff_config", message("FixedBackoff", *_numbers("interval_ms")), ""),
        (
            "exponential_backoff_config",
            message("ExponentialBackoff", *_numbers("init_ms", "factor")),
            "",
        ),
        ("random_backoff_config", message("RandomBackoff", *_numbers("min_ms", "max_ms")), ""),
    ),
)
_TLS_CONFIG = Field("tls_config", TLS)
_RETRY_CONFIG = Field("retry_policy_config", RETRY, since="0.6.0b0")

SERVER = message(
    "ServerConfig",
    Field("feature_mapping", STRING, MAP),
    _TLS_CONFIG,
    Field("host"),
    *_numbers("service_port", "communication_port", "brpc_builtin_service_port"),
    *_numbers("metrics_exposer_port", "worker_num", "max_concurrency", "op_exec_worker_num"),
)

SOURCE_TYPE = Enum(
    "SourceType",
    {"INVALID_SOURCE_TYPE": 0, "ST_FILE": 1, "ST_OSS": 2, "ST_HTTP": 3, "ST_DP": 4},
    {"ST_HTTP": "0.3.0b0", "ST_DP": "0.6.0b0"},
)
OSS_SOURCE = message(
    "OSSSourceMeta",
    Field("access_key"),
    Field("secret_key"),
    Field("virtual_hosted", BOOL),
    Field("endpoint"),
    Field("bucket"),
)
HTTP_SOURCE = message("HttpSourceMeta", *_numbers("connect_timeout_ms", "timeout_ms"), _TLS_CONFIG)
DP_SOURCE = message("DPSourceMeta", Field("dm_host"), _TLS_CONFIG)
MODEL = message(
    "ModelConfig",
    Field("model_id"),
    Field("base_path"),
    Field("source_path"),
    Field("source_sha256"),
    Field("source_type", SOURCE_TYPE),
    *_oneof(
        "source_meta",
        ("file_source_meta", message("FileSourceMeta"), ""),
        ("oss_source_meta", OSS_SOURCE, ""),
        ("http_source_meta", HTTP_SOURCE, "0.3.0b0"),
        ("dp_source_meta", DP_SOURCE, "0.6.0b0"),
    ),
)

MOCK_TYPE = Enum("MockDataType", {"INVALID_MOCK_DATA_TYPE": 0, "MDT_RANDOM": 1, "MDT_FIXED": 2})
HTTP_OPTIONS = message(
    "HttpOptions",
    Field("endpoint"),
    Field("enable_lb", BOOL),
    *_numbers("connect_timeout_ms", "timeout_ms"),
    _TLS_CONFIG,
    _RETRY_CONFIG,
)
CSV_OPTIONS = message(
    "CsvOptions",
    Field("file_path"),
    Field("id_name"),
    Field("streaming_mode", BOOL, since="0.7.0b0"),
    Field("block_size", INT32, since="0.7.0b0"),
)
STREAMING_OPTIONS = message(
    "StreamingOptions",
    Field("file_path"),
    Field("file_format"),
    Field("id_name"),
    Field("block_size", INT32),
)
FEATURE_SOURCE = message(
    "FeatureSourceConfig",
    *_oneof(
        "options",
        ("mock_opts", message("MockOptions", Field("type", MOCK_TYPE)), ""),
        ("http_opts", HTTP_OPTIONS, ""),
        ("csv_opts", CSV_OPTIONS, ""),
        ("streaming_opts", STREAMING_OPTIONS, "0.7.0b0"),
    ),
)

CHANNEL = message(
    "ChannelDesc",
    Field("protocol"),
    *_numbers("rpc_timeout_ms", "connect_timeout_ms"),
    _TLS_CONFIG,
    *_numbers("handshake_max_retry_cnt", "handshake_retry_interval_ms"),
    _RETRY_CONFIG,
)

PARTY = message(
    "PartyConfig",
    Field("server_config", SERVER),
    Field("model_config", MODEL),
    Field("feature_source_config", FEATURE_SOURCE),
    Field("channel_desc", CHANNEL),
)
SERVING = message(
    "KusciaServingConfig",
    Field("party_configs", PARTY, MAP),
    Field("predictor_parties", STRING, LIST, since="0.8.0b0"),
)

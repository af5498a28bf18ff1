"""The messages of secretflow-serving's input config, in tables."""

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from renderer.text.wording import camel_case
from renderer.values.named_tuple import NamedTuple


class EnumType(NamedTuple):
    """A set of words with their numbers, and the versions that brought the newer ones."""

    name: str
    values: Mapping[str, int]
    since: Mapping[str, str] = {}

    def word(self, number: int) -> str:
        """The word of a number, or nothing."""
        return next((word for word, value in self.values.items() if value == number), "")


class MessageType(NamedTuple):
    """A message, its fields by name, and those that are a single message themselves."""

    name: str
    fields: "Mapping[str, FieldType]"
    spellings: Mapping[str, str]
    messages: "Mapping[str, MessageType]"

    def field(self, written: str) -> "FieldType | None":
        """The field that a name means, in either spelling."""
        name = self.spellings.get(written)
        return self.fields[name] if name else None


ValueType: TypeAlias = str | EnumType | MessageType
INT32, BOOL, STRING = "int32", "bool", "string"


class FieldType(NamedTuple):
    """A field: what it holds, whether many or by key, its oneof, the version that brought it."""

    name: str
    type: ValueType = STRING
    shape: str = ""
    oneof: str = ""
    since: str = ""


MAP, LIST = "map", "list"


def message(name: str, *members: FieldType | str) -> MessageType:
    """A message; a member that is only a name is a text."""
    fields = [FieldType(item) if isinstance(item, str) else item for item in members]
    spellings = {camel_case(field.name): field.name for field in fields}
    spellings |= {field.name: field.name for field in fields}
    single = ((field.name, field.type) for field in fields if not field.shape)
    messages = {name: kind for name, kind in single if isinstance(kind, MessageType)}
    return MessageType(name, {field.name: field for field in fields}, spellings, messages)


def _numbers(*names: str) -> Iterable[FieldType]:
    return (FieldType(name, INT32) for name in names)


def _oneof(oneof: str, *members: tuple[str, MessageType, str]) -> Iterable[FieldType]:
    return (FieldType(name, kind, "", oneof, since) for name, kind, since in members)


TLS = message("TlsConfig", "certificate_path", "private_key_path", "ca_file_path")
BACKOFF_MODE = EnumType(
    "BackoffMode",
    {"INVALID_MODE": 0, "FIXED_BACKOFF": 1, "EXPONENTIAL_BACKOFF": 2, "RANDOM_BACKOFF": 3},
)
RETRY = message(
    "RetryPolicyConfig",
    FieldType("retry_custom", BOOL),
    FieldType("retry_aggressive", BOOL),
    FieldType("max_retry_count", INT32),
    FieldType("backoff_mode", BACKOFF_MODE),
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
_TLS_CONFIG = FieldType("tls_config", TLS)
_RETRY_CONFIG = FieldType("retry_policy_config", RETRY, since="0.6.0b0")

SERVER = message(
    "ServerConfig",
    FieldType("feature_mapping", STRING, MAP),
    _TLS_CONFIG,
    "host",
    *_numbers("service_port", "communication_port", "brpc_builtin_service_port"),
    *_numbers("metrics_exposer_port", "worker_num", "max_concurrency", "op_exec_worker_num"),
)

SOURCE_TYPE = EnumType(
    "SourceType",
    {"INVALID_SOURCE_TYPE": 0, "ST_FILE": 1, "ST_OSS": 2, "ST_HTTP": 3, "ST_DP": 4},
    {"ST_HTTP": "0.3.0b0", "ST_DP": "0.6.0b0"},
)
OSS_SOURCE = message(
    "OSSSourceMeta",
    "access_key",
    "secret_key",
    FieldType("virtual_hosted", BOOL),
    "endpoint",
    "bucket",
)
HTTP_SOURCE = message("HttpSourceMeta", *_numbers("connect_timeout_ms", "timeout_ms"), _TLS_CONFIG)
DP_SOURCE = message("DPSourceMeta", "dm_host", _TLS_CONFIG)
MODEL = message(
    "ModelConfig",
    "model_id",
    "base_path",
    "source_path",
    "source_sha256",
    FieldType("source_type", SOURCE_TYPE),
    *_oneof(
        "source_meta",
        ("file_source_meta", message("FileSourceMeta"), ""),
        ("oss_source_meta", OSS_SOURCE, ""),
        ("http_source_meta", HTTP_SOURCE, "0.3.0b0"),
        ("dp_source_meta", DP_SOURCE, "0.6.0b0"),
    ),
)

MOCK_TYPE = EnumType("MockDataType", {"INVALID_MOCK_DATA_TYPE": 0, "MDT_RANDOM": 1, "MDT_FIXED": 2})
HTTP_OPTIONS = message(
    "HttpOptions",
    "endpoint",
    FieldType("enable_lb", BOOL),
    *_numbers("connect_timeout_ms", "timeout_ms"),
    _TLS_CONFIG,
    _RETRY_CONFIG,
)
CSV_OPTIONS = message(
    "CsvOptions",
    "file_path",
    "id_name",
    FieldType("streaming_mode", BOOL, since="0.7.0b0"),
    FieldType("block_size", INT32, since="0.7.0b0"),
)
STREAMING_OPTIONS = message(
    "StreamingOptions", "file_path", "file_format", "id_name", FieldType("block_size", INT32)
)
FEATURE_SOURCE = message(
    "FeatureSourceConfig",
    *_oneof(
        "options",
        ("mock_opts", message("MockOptions", FieldType("type", MOCK_TYPE)), ""),
        ("http_opts", HTTP_OPTIONS, ""),
        ("csv_opts", CSV_OPTIONS, ""),
        ("streaming_opts", STREAMING_OPTIONS, "0.7.0b0"),
    ),
)

CHANNEL = message(
    "ChannelDesc",
    "protocol",
    *_numbers("rpc_timeout_ms", "connect_timeout_ms"),
    _TLS_CONFIG,
    *_numbers("handshake_max_retry_cnt", "handshake_retry_interval_ms"),
    _RETRY_CONFIG,
)

PARTY = message(
    "PartyConfig",
    FieldType("server_config", SERVER),
    FieldType("model_config", MODEL),
    FieldType("feature_source_config", FEATURE_SOURCE),
    FieldType("channel_desc", CHANNEL),
)
SERVING = message(
    "KusciaServingConfig",
    FieldType("party_configs", PARTY, MAP),
    FieldType("predictor_parties", STRING, LIST, since="0.8.0b0"),
)

"""The options of `ray start`: what each takes, and the versions of Ray that have it."""

from typing import NamedTuple

from renderer.backends.kuberay.dialect import Version

FLAG, NUMBER, TEXT = "flag", "number", "text"


class Option(NamedTuple):
    """An option; the version that brought it, and the one that took it away."""

    takes: str = TEXT
    since: Version | None = None
    until: Version | None = None

    def is_in(self, version: Version | None) -> bool:
        """Whether a version has it; some version, if it is not known which."""
        if version is None:
            return True
        return not ((self.since and version < self.since) or (self.until and version >= self.until))


_NUMBERS = (
    "dashboard-agent-grpc-port", "dashboard-agent-listen-port", "dashboard-port", "max-worker-port",
    "memory", "metrics-export-port", "min-worker-port", "node-manager-port", "num-cpus", "num-gpus",
    "object-manager-port", "object-store-memory", "port", "ray-client-server-port",
)  # fmt: skip
_FLAGS = (
    "block", "disable-usage-stats", "enable-object-reconstruction", "head", "no-monitor",
    "no-redirect-output", "ray-debugger-external",
)  # fmt: skip
_TEXTS = (
    "address", "autoscaling-config", "dashboard-host", "include-dashboard", "log-color",
    "log-style", "node-ip-address", "node-name", "plasma-directory", "redis-password",
    "redis-shard-ports", "resources", "system-config", "temp-dir", "tracing-startup-hook",
    "verbose", "worker-port-list",
)  # fmt: skip
_2_41, _2_45, _2_48 = (2, 41, 0), (2, 45, 0), (2, 48, 0)

OPTIONS: dict[str, Option] = {
    **dict.fromkeys(_NUMBERS, Option(NUMBER)),
    **dict.fromkeys(_FLAGS, Option(FLAG)),
    **dict.fromkeys(_TEXTS, Option()),
    "cgroup-path": Option(since=_2_45),
    "dashboard-grpc-port": Option(NUMBER, (2, 5, 0), _2_48),
    "enable-resource-isolation": Option(FLAG, _2_45),
    "gcs-server-port": Option(NUMBER, until=_2_48),
    "include-log-monitor": Option(since=_2_41),
    "labels": Option(since=(2, 6, 0)),
    "labels-file": Option(since=_2_45),
    "object-spilling-directory": Option(since=_2_45),
    "plasma-store-socket-name": Option(until=_2_48),
    "proxy-server-url": Option(since=(2, 55, 0)),
    "raylet-socket-name": Option(until=_2_48),
    "redis-max-memory": Option(NUMBER, until=(2, 44, 0)),
    "redis-username": Option(since=_2_41),
    "runtime-env-agent-port": Option(NUMBER, (2, 8, 0)),
    "storage": Option(until=_2_48),
    "system-reserved-cpu": Option(since=_2_45),
    "system-reserved-memory": Option(NUMBER, _2_45),
}

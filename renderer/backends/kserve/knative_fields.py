"""Fields of pods that a Knative Service does not have: KServe writes them, and they are dropped."""

#: Fields of pods, which no flag of Knative allows.
DROPPED_FIELDS = (
    "activeDeadlineSeconds", "hostUsers", "hostname", "hostnameOverride", "nodeName", "os",
    "overhead", "preemptionPolicy", "priority", "readinessGates", "resourceClaims", "resources",
    "restartPolicy", "schedulingGates", "serviceAccount", "setHostnameAsFQDN", "subdomain",
    "terminationGracePeriodSeconds",
)  # fmt: skip
#: Fields of containers, as paths; a path goes on in every item of a list.
DROPPED_IN_CONTAINERS: tuple[tuple[str, ...], ...] = (
    ("lifecycle",),
    ("livenessProbe", "terminationGracePeriodSeconds"),
    ("ports", "hostIP"),
    ("ports", "hostPort"),
    ("readinessProbe", "terminationGracePeriodSeconds"),
    ("resizePolicy",),
    ("resources", "claims"),
    ("restartPolicy",),
    ("restartPolicyRules",),
    ("securityContext", "appArmorProfile"),
    ("securityContext", "procMount"),
    ("securityContext", "seLinuxOptions"),
    ("securityContext", "windowsOptions"),
    ("startupProbe", "terminationGracePeriodSeconds"),
    ("stdin",),
    ("stdinOnce",),
    ("tty",),
    ("volumeDevices",),
    ("volumeMounts", "recursiveReadOnly"),
    ("volumeMounts", "subPathExpr"),
)

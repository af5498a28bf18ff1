"""Fields of pods that a Knative Service does not have: KServe writes them, and they are dropped."""

#: Fields of pods, which no flag of Knative allows.
DROPPED_FIELDS = (
    "activeDeadlineSeconds", "hostUsers", "hostname", "hostnameOverride", "nodeName", "os",
    "overhead", "preemptionPolicy", "priority", "readinessGates", "resourceClaims", "resources",
    "restartPolicy", "schedulingGates", "serviceAccount", "setHostnameAsFQDN", "subdomain",
    "terminationGracePeriodSeconds",
)  # fmt: skip
#: Fields of containers, as paths.
DROPPED_IN_CONTAINERS: tuple[tuple[str, ...], ...] = (
    ("lifecycle",),
    ("resizePolicy",),
    ("resources", "claims"),
    ("restartPolicyRules",),
    ("securityContext", "appArmorProfile"),
    ("securityContext", "windowsOptions"),
    ("stdin",),
    ("stdinOnce",),
    ("tty",),
    ("volumeDevices",),
)

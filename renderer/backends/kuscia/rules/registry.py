"""The rules of Kuscia, loaded for the kinds that need them."""

from renderer.values.diagnostics import Rule

#: Rules of pods that have one of Kuscia's in their place (KUS726, KUS701, KUS741, KUS742, KUS745,
#: KUS314, KUS702, KUS703), or the schema of ports; what a pod says of restarts does not reach a
#: Deployment.
_TOLD_OTHERWISE = frozenset((
    "MAN150", "MAN151", "MAN152", "MAN153", "MAN154", "MAN155", "MAN159",
    "MAN181", "MAN192", "MAN193", "MAN194", "MAN204", "MAN210",
))  # fmt: skip


def serving_rules() -> tuple[Rule, ...]:
    """What is checked of servings, environments and projects; some of it of images too."""
    from renderer.backends.kuscia.rules import (
        amounts,
        control_planes,
        filled_files,
        input_config,
        input_paths,
        metadata,
        names,
        parties,
        policy,
        quantities,
        resources,
        secretflow_serving,
        variables,
    )

    return (
        *parties.RULES,
        *names.RULES,
        *control_planes.RULES,
        *resources.RULES,
        *amounts.RULES,
        *quantities.RULES,
        *metadata.RULES,
        *secretflow_serving.RULES,
        *input_config.RULES,
        *filled_files.RULES,
        *input_paths.RULES,
        *variables.RULES,
        *policy.RULES,
    )


def app_image_rules() -> tuple[Rule, ...]:
    """What is checked of AppImages alone."""
    from renderer.backends.kuscia.rules import (
        config_files,
        config_templates,
        containers,
        image_variables,
        images,
        inserted_values,
        json_files,
        mounts,
        probes,
        unknown_variables,
    )
    from renderer.kubernetes.pod_rules import pod_rules

    return (
        *(rule for rule in pod_rules() if rule.code not in _TOLD_OTHERWISE),
        *containers.RULES,
        *image_variables.RULES,
        *probes.RULES,
        *mounts.RULES,
        *images.RULES,
        *config_templates.RULES,
        *unknown_variables.RULES,
        *json_files.RULES,
        *config_files.RULES,
        *inserted_values.RULES,
    )

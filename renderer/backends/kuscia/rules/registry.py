"""The rules of Kuscia, loaded for the kinds that need them."""

from renderer.values.diagnostics import Rule


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

    return (
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

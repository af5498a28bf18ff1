"""The rules of Kuscia, loaded for the kinds that need them."""

from renderer.values.diagnostics import Rule


def serving_rules() -> tuple[Rule, ...]:
    """What is checked of servings, environments and projects; some of it of images too."""
    from renderer.backends.kuscia.rules import (
        amounts,
        control_planes,
        filled_files,
        input_config,
        names,
        parties,
        policy,
        reserved_names,
        resources,
        secretflow_serving,
    )

    return (
        *parties.RULES,
        *names.RULES,
        *control_planes.RULES,
        *resources.RULES,
        *amounts.RULES,
        *secretflow_serving.RULES,
        *input_config.RULES,
        *filled_files.RULES,
        *reserved_names.RULES,
        *policy.RULES,
    )


def app_image_rules() -> tuple[Rule, ...]:
    """What is checked of AppImages alone."""
    from renderer.backends.kuscia.rules import (
        config_files,
        config_templates,
        containers,
        images,
        inserted_values,
        json_files,
        mounts,
    )

    return (
        *containers.RULES,
        *mounts.RULES,
        *images.RULES,
        *config_templates.RULES,
        *json_files.RULES,
        *config_files.RULES,
        *inserted_values.RULES,
    )

"""A repository with two environments that inherit everything."""

from tests.support.repositories import ENVIRONMENT, HEADER, PAIR, SCORER, SERVING

INHERITS = ENVIRONMENT + "extends: base\n"
FILES = {
    "servingctl.yaml": "",
    "environments/base/environment.yaml": HEADER.format("Environment") + "vars: {tag: v1}\n",
    "environments/base/appimages/scorer.yaml": SCORER,
    "environments/base/appimages/pair.yaml": PAIR,
    "environments/base/servings/risk.yaml": SERVING,
    "environments/staging/environment.yaml": INHERITS,
    "environments/prod/environment.yaml": INHERITS,
}


def prod(text, path="servings/risk.yaml", kind="Serving"):
    return {f"environments/prod/{path}": HEADER.format(kind) + text}

"""What Kubernetes wants of conditions on labels, as far as no rule checks it: a table."""

from collections.abc import Iterator

from renderer.kubernetes.forms import form
from renderer.kubernetes.forms.form import words
from renderer.kubernetes.forms.shape import Each, Members, Named, Shape
from renderer.values.diagnostics import Finding, Path


def values_of_operator(condition: Members, path: Path) -> Iterator[Finding]:
    operator, values = condition.get("operator"), condition.get("values")
    count = len(values.elements) if values else 0
    if operator and operator.value in ("In", "NotIn") and not count:
        message = f"{operator.value} compares with values, and there are none"
        yield Finding((*path, "operator"), message, "add values")
    if operator and operator.value in ("Exists", "DoesNotExist") and count:
        message = f"{operator.value} takes no values"
        yield Finding((*path, "values"), message, "delete them, or write In", at_key=True)


SELECTOR = Shape(
    "a selector",
    {
        "matchLabels": Named(form.LABEL_KEY, form.LABEL_VALUE),
        "matchExpressions": Each(
            Shape(
                "a condition",
                {
                    "key": form.LABEL_KEY.strict(),
                    "operator": words("In", "NotIn", "Exists", "DoesNotExist").strict(),
                    "values": Each(form.LABEL_VALUE),
                },
                needed=("key", "operator"),
                relations=(values_of_operator,),
            )
        ),
    },
)

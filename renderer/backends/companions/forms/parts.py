"""Parts that shapes of several kinds have, and how a shape of an object is made."""

from collections.abc import Callable, Mapping

from renderer.kubernetes import names
from renderer.kubernetes.forms import form
from renderer.kubernetes.forms.form import NUMBER, Form, name
from renderer.kubernetes.forms.service import FINALIZER
from renderer.kubernetes.forms.shape import Each, Members, Part, Relation, Shape
from renderer.text.expressions import expression
from renderer.values.tree import Node, Scalar

_PERCENT = expression(r"[0-9]{1,9}%")
_WHOLE = 100


def kind(
    title: str,
    fields: Mapping[str, Part],
    *,
    named: Form | None = None,
    needed: tuple[str, ...] = (),
    relations: tuple[Relation, ...] = (),
) -> Shape:
    """An object; `named` is what its name has to be beside a name of DNS."""
    metadata: dict[str, Part] = {"finalizers": Each(FINALIZER)}
    if named:
        metadata["name"] = named
    whole = {"metadata": Shape("metadata", metadata), **fields}
    return Shape(title, whole, needed=needed, relations=relations)


def spec(
    title: str,
    fields: Mapping[str, Part],
    *,
    named: Form | None = None,
    needed: tuple[str, ...] = (),
    one_of: tuple[tuple[str, ...], ...] = (),
    relations: tuple[Relation, ...] = (),
) -> Shape:
    """An object, all of which stands in its `spec`; that is there if something in it must be."""
    inner = Shape(title, fields, needed, one_of, relations=relations)
    return kind(title, {"spec": inner}, named=named, needed=("spec",) if needed or one_of else ())


def object_name(fits: Callable[[str], bool], expects: str) -> Form:
    """The form of a name; what is no name of DNS is refused by another rule."""
    return name(lambda text: fits(text) or not names.is_dns_name(text), expects)


def value_at(members: Members, *path: str) -> Scalar:
    """The plain value at a path; nothing where there is none."""
    node = node_at(members, *path)
    value = node.value if node else None
    return value if isinstance(value, str | int | float) else None


def node_at(members: Members, *path: str) -> Node | None:
    first = members.get(path[0])
    return first.get(*path[1:]) if first and path[1:] else first


def items_at(members: Members, *path: str) -> tuple[Node, ...]:
    node = node_at(members, *path)
    return node.elements if node else ()


def percent(value: Scalar) -> int | None:
    """How much a number or percentage is; nothing if it is none."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    is_percent = isinstance(value, str) and _PERCENT.fullmatch(value)
    return int(str(value)[:-1]) if is_percent else None


def _is_share(value: Scalar) -> bool:
    found = percent(value)
    return found is not None and found >= 0


def _is_part(value: Scalar) -> bool:
    return _is_share(value) and (isinstance(value, int) or (percent(value) or 0) <= _WHOLE)


SHARE = Form(NUMBER, _is_share, "a number or a percentage such as 25%", types=(str, int)).strict()
PART = SHARE._replace(fits=_is_part, expects="a number or a percentage up to 100%")
NATURAL = form.COUNT32

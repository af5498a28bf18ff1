"""Functions of Kubernetes' CEL that the engine lacks, as a table of overloads.

Values of Kubernetes' own types (quantity, IP, CIDR, URL, version) are mappings with one key that no
object has, so that `==` compares them.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from renderer.policies import (
    addresses,
    amounts,
    expressions,
    formats,
    lists,
    schema_expressions,
    semver,
    texts,
    typed_lists,
)
from renderer.policies.failures import NO_OVERLOAD
from renderer.values.named_tuple import NamedTuple


class Overload(NamedTuple):
    """One form of a function: its parameters and result by letters, and what computes it.

    `s` text, `i` integer, `b` switch, `l` list, `t` list of texts, `v` list of those, `m` mapping,
    `d` anything, `D` duration, `T` time, `E` and `U` lists of these. A member is called on its
    first.
    """

    name: str
    parameters: str
    result: str
    compute: Callable[..., Any]
    is_member: bool = True


_STATIC = False
#: What an integer of CEL may be.
_LEAST, _MOST = -(2**63), 2**63 - 1
_TABLE: tuple[Overload, ...] = (
    Overload("sum", "l", "d", lists.total),
    Overload("min", "l", "d", lists.least),
    Overload("max", "l", "d", lists.most),
    Overload("isSorted", "l", "b", lists.is_sorted),
    Overload("indexOf", "ld", "i", lists.first_index),
    Overload("lastIndexOf", "ld", "i", lists.last_index),
    Overload("sets.contains", "ll", "b", lists.contains, _STATIC),
    Overload("sets.intersects", "ll", "b", lists.intersects, _STATIC),
    Overload("sets.equivalent", "ll", "b", lists.equivalent, _STATIC),
    Overload("find", "ss", "s", texts.find),
    Overload("findAll", "ss", "l", texts.find_all),
    Overload("findAll", "ssi", "l", texts.find_all),
    Overload("quantity", "s", "d", amounts.quantity, _STATIC),
    Overload("isQuantity", "s", "b", amounts.is_quantity, _STATIC),
    Overload("sign", "d", "i", amounts.sign, _STATIC),
    Overload("isInteger", "d", "b", amounts.is_integer),
    Overload("asInteger", "d", "i", amounts.as_integer),
    Overload("asApproximateFloat", "d", "f", amounts.as_float),
    Overload("add", "dd", "d", amounts.add),
    Overload("sub", "dd", "d", amounts.subtract),
    Overload("isGreaterThan", "dd", "b", semver.is_greater),
    Overload("isLessThan", "dd", "b", semver.is_less),
    Overload("compareTo", "dd", "i", semver.compare),
    Overload("semver", "s", "d", semver.semver, _STATIC),
    Overload("semver", "sb", "d", semver.semver, _STATIC),
    Overload("isSemver", "s", "b", semver.is_semver, _STATIC),
    Overload("isSemver", "sb", "b", semver.is_semver, _STATIC),
    Overload("major", "d", "i", semver.major),
    Overload("minor", "d", "i", semver.minor),
    Overload("patch", "d", "i", semver.patch),
    Overload("ip", "s", "d", addresses.ip, _STATIC),
    Overload("isIP", "s", "b", addresses.is_ip, _STATIC),
    Overload("ip.isCanonical", "s", "b", addresses.is_canonical, _STATIC),
    Overload("family", "d", "i", addresses.family),
    Overload("isUnspecified", "d", "b", addresses.is_unspecified),
    Overload("isLoopback", "d", "b", addresses.is_loopback),
    Overload("isLinkLocalMulticast", "d", "b", addresses.is_link_local_multicast),
    Overload("isLinkLocalUnicast", "d", "b", addresses.is_link_local_unicast),
    Overload("isGlobalUnicast", "d", "b", addresses.is_global_unicast),
    Overload("cidr", "s", "d", addresses.cidr, _STATIC),
    Overload("isCIDR", "s", "b", addresses.is_cidr, _STATIC),
    Overload("containsIP", "dd", "b", addresses.contains_ip),
    Overload("containsCIDR", "dd", "b", addresses.contains_cidr),
    Overload("ip", "d", "d", addresses.address_of),
    Overload("masked", "d", "d", addresses.masked),
    Overload("prefixLength", "d", "i", addresses.prefix_length),
    Overload("url", "s", "d", texts.url, _STATIC),
    Overload("isURL", "s", "b", texts.is_url, _STATIC),
    Overload("getScheme", "d", "s", texts.scheme),
    Overload("getHost", "d", "s", texts.host),
    Overload("getHostname", "d", "s", texts.hostname),
    Overload("getPort", "d", "s", texts.port),
    Overload("getEscapedPath", "d", "s", texts.escaped_path),
    Overload("getQuery", "d", "d", texts.query),
    Overload("string", "m", "s", addresses.text_of, _STATIC),
    Overload(schema_expressions.SAME, "dds", "b", typed_lists.is_same, _STATIC),
    Overload(schema_expressions.MERGED, "lls", "l", typed_lists.merged, _STATIC),
    Overload(schema_expressions.DURATION, "s", "D", typed_lists.duration),
    Overload(schema_expressions.DURATIONS, "l", "E", typed_lists.durations),
    Overload(schema_expressions.TIME, "s", "T", typed_lists.time),
    Overload(schema_expressions.TIMES, "l", "U", typed_lists.times),
    Overload(expressions.MILLISECONDS, "D", "i", typed_lists.milliseconds),
    Overload(expressions.MILLISECONDS, "T", "i", typed_lists.milliseconds_of_second),
    Overload(expressions.PAIRS, "d", "l", lists.pairs),
    Overload(expressions.MAPPING, "l", "d", lists.mapping),
    Overload(expressions.JOINED, "l", "d", lists.joined),
    Overload(expressions.VIOLATIONS, "ds", "v", formats.violations),
    Overload(f"format.{expressions.NAMED}", "s", "l", formats.named, _STATIC),
    *(
        Overload(f"format.{name}", "", "d", partial(formats.made, name), _STATIC)
        for name in formats.NAMES
    ),
)


def declarations(cel: Any) -> list[Any]:
    """The table in the words of the engine."""
    return [
        cel.FunctionDecl(name, [_overload(cel, item) for item in _TABLE if item.name == name])
        for name in dict.fromkeys(item.name for item in _TABLE)
    ]


def _overload(cel: Any, item: Overload) -> Any:
    identity = f"kubernetes_{item.name.replace('.', '_')}_{item.parameters}_{item.is_member}"
    return cel.Overload(
        id=identity.lower(),
        return_type=_types(cel, item.result)[0],
        parameters=_types(cel, item.parameters),
        is_member=item.is_member,
        impl=_answering(item.compute),
    )


def _answering(compute: Callable[..., Any]) -> Callable[..., Any]:
    """A function as CEL has it: what is not of its types is no overload, and integers end."""

    def answer(*given: Any) -> Any:
        try:
            found = compute(*given)
        except (TypeError, LookupError, AttributeError) as error:
            raise ValueError(NO_OVERLOAD) from error
        if isinstance(found, int) and not _LEAST <= found <= _MOST:
            raise ValueError("integer overflow")
        return found

    return answer


def _types(cel: Any, letters: str) -> Sequence[Any]:
    known = cel.Type
    by_letter = {
        "s": known.STRING,
        "i": known.INT,
        "f": known.DOUBLE,
        "b": known.BOOL,
        "l": known.List(known.DYN),
        "t": known.List(known.STRING),
        "v": known.List(known.List(known.STRING)),
        "m": known.Map(known.STRING, known.DYN),
        "d": known.DYN,
        "D": known.DURATION,
        "T": known.TIMESTAMP,
        "E": known.List(known.DURATION),
        "U": known.List(known.TIMESTAMP),
    }
    return [by_letter[letter] for letter in letters]

"""Expressions and statements of a source, evaluated as far as its text alone allows.

Only what declares arguments needs it: constants, types, tables of keyword arguments, and calls of
`add_argument`. What cannot be known is `UNKNOWN`; a call that is not followed is `Applied`.
"""

import ast
import ssl
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any

from conformance.engines.sources import Class, Function, Later, Module, Named, Sources, Whole
from conformance.engines.symbols import (
    UNKNOWN,
    Applied,
    Hint,
    Member,
    Method,
    Recorder,
    literals,
)


class Return(Exception):
    """The end of a function that is followed."""


Scope = dict[str, Any]
Hook = Callable[["Evaluator", Any, list[Any], dict[str, Any]], Any]
_DEEPEST = 200
AttributeHook = Callable[[Module, Any, str], Any]
_PLAIN = (str, int, float, bool, list, dict, set, tuple, type(None))
_CONTAINERS = (str, list, dict, set, tuple)
_METHODS = {
    "keys", "values", "items", "pop", "update", "get", "remove", "append", "extend", "upper",
    "lower", "replace", "join", "strip", "copy", "startswith", "removeprefix", "split", "format",
}  # fmt: skip
_OPERATORS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
    ast.Pow: lambda a, b: a**b,
    ast.LShift: lambda a, b: a << b,
}


class Evaluator:
    """Evaluates in a module, with local names; `hook` answers calls before anything else does."""

    def __init__(self, hook: Hook, hook_attribute: AttributeHook, sources: Sources) -> None:
        self.hook, self.hook_attribute, self.sources = hook, hook_attribute, sources
        self._depth = 0

    # Values of expressions.

    def value(self, module: Module, node: ast.expr | None, scope: Scope | None = None) -> Any:
        """What an expression comes to."""
        if self._depth > _DEEPEST:
            return UNKNOWN
        self._depth += 1
        try:
            method = getattr(self, f"_{type(node).__name__.lower()}", None)
            return method(module, node, scope or {}) if method else UNKNOWN
        except (TypeError, ValueError, KeyError, AttributeError, IndexError, ZeroDivisionError):
            return UNKNOWN
        finally:
            self._depth -= 1

    def _constant(self, _: Module, node: ast.Constant, __: Scope) -> Any:
        return node.value

    def _name(self, module: Module, node: ast.Name, scope: Scope) -> Any:
        if node.id in scope:
            return scope[node.id]
        if node.id in module.names:
            return self.settled(module, module.names[node.id])
        return Named("builtins", node.id)

    def settled(self, module: Module, found: Any) -> Any:
        """Imports followed, and expressions of other modules evaluated."""
        if isinstance(found, Named):
            found = module.sources.resolve(found)
        if isinstance(found, Later):
            return self.value(found.module, found.node)
        return found

    def _attribute(self, module: Module, node: ast.Attribute, scope: Scope) -> Any:
        return self.attribute(module, self.value(module, node.value, scope), node.attr)

    def attribute(self, module: Module, owner: Any, name: str) -> Any:
        known = self.hook_attribute(module, owner, name)
        if known is not UNKNOWN:
            return known
        match owner:
            case Whole():
                found = module.sources.resolve(Named(owner.name, name))
                if found == Named("ssl", name) and hasattr(ssl, name):
                    return getattr(ssl, name)
                return self.settled(module, found)
            case Class():
                found = self.member(owner, name)
                return replace(found, bound=owner) if isinstance(found, Function) else found
            case Member():
                return owner.value if name == "value" else owner.name if name == "name" else UNKNOWN
            case Named():
                return Named(f"{owner.module}.{owner.name}", name)
            case Recorder():
                return Method(owner, name)
            case _ if isinstance(owner, _PLAIN) and name in _METHODS:
                return getattr(owner, name)
        return UNKNOWN

    def member(self, owner: Class, name: str) -> Any:
        """An attribute of a class: a field's default, a member of an enumeration, a method."""
        for cls in self.lineage(owner):
            for node in cls.node.body:
                if isinstance(node, ast.FunctionDef) and node.name == name:
                    return Function(cls.module, node, cls)
                for found, value in cls.module.defined(node):
                    if found == name and isinstance(value, Later):
                        return self._member_value(cls, name, self._in_class(cls, value.node))
        return UNKNOWN

    def _in_class(self, cls: Class, node: ast.expr) -> Any:
        return self.value(cls.module, node, _constants(cls))

    def _member_value(self, cls: Class, name: str, value: Any) -> Any:
        return Member(cls, name, value) if self.is_enumeration(cls) else default_of(self, value)

    def lineage(self, cls: Class) -> Iterator[Class]:
        """A class and its bases, as far as the archive has them."""
        yield cls
        for base in cls.node.bases:
            found = self.value(cls.module, base)
            if isinstance(found, Class):
                yield from self.lineage(found)

    def is_enumeration(self, cls: Class) -> bool:
        bases = {
            ast.unparse(base).rsplit(".", 1)[-1] for c in self.lineage(cls) for base in c.node.bases
        }
        metas = {ast.unparse(word.value) for word in cls.node.keywords if word.arg == "metaclass"}
        return bool(bases & {"Enum", "IntEnum", "StrEnum"}) or any("Enum" in name for name in metas)

    def members(self, cls: Class) -> list[Member]:
        """All of an enumeration, in their order."""
        found = []
        for node in cls.node.body:
            for name, value in cls.module.defined(node):
                if isinstance(value, Later) and not name.startswith("_"):
                    found.append(Member(cls, name, self._in_class(cls, value.node)))
        return found

    def _subscript(self, module: Module, node: ast.Subscript, scope: Scope) -> Any:
        base, key = self.value(module, node.value, scope), self.value(module, node.slice, scope)
        if isinstance(base, (dict, list, tuple, str)):
            return base[key]
        if isinstance(base, Class) and self.is_enumeration(base):
            return self.member(base, key)
        arguments = key if isinstance(node.slice, ast.Tuple) else (key,)
        return Hint(base, tuple(arguments))

    def _slice(self, module: Module, node: ast.Slice, scope: Scope) -> Any:
        parts = (node.lower, node.upper, node.step)
        return slice(*(self.value(module, item, scope) if item else None for item in parts))

    def _tuple(self, module: Module, node: ast.Tuple, scope: Scope) -> Any:
        return tuple(self._items(module, node.elts, scope))

    def _list(self, module: Module, node: ast.List, scope: Scope) -> Any:
        return list(self._items(module, node.elts, scope))

    def _set(self, module: Module, node: ast.Set, scope: Scope) -> Any:
        return list(self._items(module, node.elts, scope))

    def _items(self, module: Module, nodes: list[ast.expr], scope: Scope) -> Iterator[Any]:
        for node in nodes:
            if isinstance(node, ast.Starred):
                yield from self.items_of(self.value(module, node.value, scope))
            else:
                yield self.value(module, node, scope)

    def items_of(self, found: Any) -> list[Any]:
        """What a loop over a value goes over."""
        if isinstance(found, Class) and self.is_enumeration(found):
            return list(self.members(found))
        return [] if found is UNKNOWN else list(found)

    def _dict(self, module: Module, node: ast.Dict, scope: Scope) -> Any:
        found: dict[Any, Any] = {}
        for key, item in zip(node.keys, node.values, strict=True):
            value = self.value(module, item, scope)
            if key is not None:
                found[self.value(module, key, scope)] = value
            elif isinstance(value, dict):
                found.update(value)
        return found

    def _joinedstr(self, module: Module, node: ast.JoinedStr, scope: Scope) -> Any:
        parts = [self.value(module, part, scope) for part in node.values]
        return "".join(map(str, parts)) if UNKNOWN not in parts else UNKNOWN

    def _formattedvalue(self, module: Module, node: ast.FormattedValue, scope: Scope) -> Any:
        return self.value(module, node.value, scope)

    def _binop(self, module: Module, node: ast.BinOp, scope: Scope) -> Any:
        left, right = (self.value(module, item, scope) for item in (node.left, node.right))
        if isinstance(node.op, ast.BitOr):
            return Hint(Named("typing", "Union"), (left, right))
        return _OPERATORS[type(node.op)](left, right)

    def _unaryop(self, module: Module, node: ast.UnaryOp, scope: Scope) -> Any:
        found = self.value(module, node.operand, scope)
        if found is UNKNOWN:
            return UNKNOWN
        return not found if isinstance(node.op, ast.Not) else -found

    def _boolop(self, module: Module, node: ast.BoolOp, scope: Scope) -> Any:
        is_and = isinstance(node.op, ast.And)
        found: Any = UNKNOWN
        for item in node.values:
            found = self.value(module, item, scope)
            if found is UNKNOWN or bool(found) != is_and:
                return found
        return found

    def _compare(self, module: Module, node: ast.Compare, scope: Scope) -> Any:
        left, right = (self.value(module, item, scope) for item in (node.left, node.comparators[0]))
        if left is UNKNOWN or right is UNKNOWN:
            return UNKNOWN
        match node.ops[0]:
            case ast.In():
                return left in right if isinstance(right, _CONTAINERS) else UNKNOWN
            case ast.NotIn():
                return left not in right if isinstance(right, _CONTAINERS) else UNKNOWN
            case ast.Is() | ast.Eq():
                return left == right
            case ast.IsNot() | ast.NotEq():
                return left != right
        return UNKNOWN

    def _ifexp(self, module: Module, node: ast.IfExp, scope: Scope) -> Any:
        test = self.value(module, node.test, scope)
        return (
            UNKNOWN
            if test is UNKNOWN
            else self.value(module, node.body if test else node.orelse, scope)
        )

    def _listcomp(self, module: Module, node: ast.ListComp, scope: Scope) -> Any:
        (loop,) = node.generators
        found = []
        for item in self.items_of(self.value(module, loop.iter, scope)):
            inner = {**scope, **assigned(loop.target, item)}
            if all(self.value(module, test, inner) is True for test in loop.ifs):
                found.append(self.value(module, node.elt, inner))
        return found

    _generatorexp = _setcomp = _listcomp

    def _lambda(self, module: Module, node: ast.Lambda, _: Scope) -> Any:
        return Function(module, node)

    def _call(self, module: Module, node: ast.Call, scope: Scope) -> Any:
        arguments = list(self._items(module, node.args, scope))
        keywords: dict[str, Any] = {}
        for word in node.keywords:
            value = self.value(module, word.value, scope)
            keywords.update(
                {word.arg: value} if word.arg else value if isinstance(value, dict) else {}
            )
        if ast.unparse(node.func) == "super":
            return _Super(scope["__class__"])
        if isinstance(node.func, ast.Attribute):
            owner = self.value(module, node.func.value, scope)
            if isinstance(owner, _Super):
                return self._super_call(owner, node.func.attr, arguments, scope)
        function = self.value(module, node.func, scope)
        return self.call(function, arguments, keywords)

    def _super_call(self, owner: "_Super", name: str, arguments: list[Any], scope: Scope) -> Any:
        for base in list(self.lineage(owner.cls))[1:]:
            found = self.member(base, name)
            if isinstance(found, Function):
                return self.run(found, [scope.get("cls"), *arguments], {})
        return UNKNOWN

    def call(self, function: Any, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        """A call: what the hook answers, or else the few functions that every source uses."""
        answer = self.hook(self, function, arguments, keywords)
        if answer is not UNKNOWN:
            return answer
        if isinstance(function, Named):
            found = _known_call(self, function.name, arguments, keywords)
            if found is not UNKNOWN:
                return found
        if getattr(function, "name", "") == "LazyLoader":
            return Whole(arguments[-1])
        if callable(function) and getattr(function, "__name__", "") in _METHODS:
            return function(
                *(tuple(item) if isinstance(item, dict) else item for item in arguments)
            )
        return Applied(function, tuple(arguments), keywords)

    # Statements of functions that are followed.

    def run(self, function: Function, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        """The result of a function whose statements are followed."""
        node = function.node
        if isinstance(node, ast.Lambda):
            return UNKNOWN
        names = [item.arg for item in (*node.args.posonlyargs, *node.args.args)]
        scope: Scope = dict(zip(names, arguments, strict=False)) | keywords
        for name, default in zip(reversed(names), reversed(node.args.defaults), strict=False):
            scope.setdefault(name, self.value(function.module, default))
        scope["__class__"] = function.owner
        try:
            self.statements(function.module, node.body, scope)
        except Return as found:
            return found.args[0]
        return None

    def statements(self, module: Module, body: list[ast.stmt], scope: Scope) -> None:
        for node in body:
            self._statement(module, node, scope)

    def _statement(self, module: Module, node: ast.stmt, scope: Scope) -> None:
        kind = type(node).__name__.lower()
        follow = getattr(self, f"_do_{kind}", None)
        if follow:
            follow(module, node, scope)

    def _do_return(self, module: Module, node: ast.Return, scope: Scope) -> None:
        raise Return(self.value(module, node.value, scope))

    def _do_expr(self, module: Module, node: ast.Expr, scope: Scope) -> None:
        self.value(module, node.value, scope)

    def _do_assign(self, module: Module, node: ast.Assign, scope: Scope) -> None:
        value = self.value(module, node.value, scope)
        for target in node.targets:
            self._assign(module, target, value, scope)

    def _do_augassign(self, module: Module, node: ast.AugAssign, scope: Scope) -> None:
        both = ast.BinOp(_loaded(node.target), node.op, node.value)
        self._assign(module, node.target, self.value(module, both, scope), scope)

    def _do_annassign(self, module: Module, node: ast.AnnAssign, scope: Scope) -> None:
        if node.value is not None:
            self._assign(module, node.target, self.value(module, node.value, scope), scope)

    def _do_if(self, module: Module, node: ast.If, scope: Scope) -> None:
        test = self.value(module, node.test, scope)
        taken = node.orelse if test is UNKNOWN or not test else node.body
        self.statements(module, taken, scope)

    def _do_for(self, module: Module, node: ast.For, scope: Scope) -> None:
        for item in self.items_of(self.value(module, node.iter, scope)):
            scope.update(assigned(node.target, item))
            self.statements(module, node.body, scope)

    def _do_delete(self, module: Module, node: ast.Delete, scope: Scope) -> None:
        for target in node.targets:
            if isinstance(target, ast.Subscript):
                found = self.value(module, target.value, scope)
                if isinstance(found, dict):
                    found.pop(self.value(module, target.slice, scope), None)

    def _do_functiondef(self, module: Module, node: ast.FunctionDef, scope: Scope) -> None:
        scope[node.name] = Function(module, node)

    def _do_with(self, module: Module, node: ast.With, scope: Scope) -> None:
        self.statements(module, node.body, scope)

    def _do_importfrom(self, module: Module, node: ast.ImportFrom, scope: Scope) -> None:
        for name, found in module.defined(node):
            scope[name] = self.settled(module, found)

    _do_import = _do_importfrom

    def _assign(self, module: Module, target: ast.expr, value: Any, scope: Scope) -> None:
        if isinstance(target, ast.Subscript):
            owner = self.value(module, target.value, scope)
            if isinstance(owner, dict):
                owner[self.value(module, target.slice, scope)] = value
        else:
            scope.update(assigned(target, value))


@dataclass(frozen=True)
class _Super:
    cls: Class


def _constants(cls: Class) -> Scope:
    """The plain names of a class, for expressions in its body."""
    pairs = (pair for node in cls.node.body for pair in cls.module.defined(node))
    later = ((name, found.node) for name, found in pairs if isinstance(found, Later))
    return {name: node.value for name, node in later if isinstance(node, ast.Constant)}


def _loaded(target: ast.expr) -> ast.expr:
    return ast.parse(ast.unparse(target), mode="eval").body


def assigned(target: ast.expr, value: Any) -> Scope:
    """The local names that an assignment or a loop gives a value."""
    if isinstance(target, ast.Name):
        return {target.id: value}
    if isinstance(target, ast.Tuple) and isinstance(value, (tuple, list)):
        pairs = zip(target.elts, value, strict=False)
        return {k: v for part, item in pairs for k, v in assigned(part, item).items()}
    return {}


def default_of(evaluator: Evaluator, value: Any) -> Any:
    """A field's default: what `Field(…)` or `field(…)` say, or the value itself."""
    if not isinstance(value, Applied):
        return value
    name = getattr(value.function, "name", "")
    if name not in ("Field", "field", "FieldInfo", "PydanticField"):
        return value
    if "default" in value.keywords:
        return value.keywords["default"]
    if value.arguments:
        return value.arguments[0]
    factory = value.keywords.get("default_factory", UNKNOWN)
    if isinstance(factory, Function) and isinstance(factory.node, ast.Lambda):
        return evaluator.value(factory.module, factory.node.body)
    empty: dict[str, Any] = {"list": [], "dict": {}, "set": [], "tuple": []}
    return empty.get(getattr(factory, "name", ""), UNKNOWN)


def _known_call(
    evaluator: Evaluator, name: str, arguments: list[Any], keywords: dict[str, Any]
) -> Any:
    if name == "permutations":
        return list(permutations(*arguments, **keywords))
    if name == "get_args" and isinstance(arguments[0], Hint):
        return tuple(literals(arguments[0]))
    if name in ("list", "sorted", "tuple", "set", "frozenset"):
        found = evaluator.items_of(arguments[0]) if arguments else []
        return sorted(found) if name == "sorted" else tuple(found) if name == "tuple" else found
    if name in ("int", "float", "str") and isinstance(arguments[0], (int, float, str)):
        return {"int": int, "float": float, "str": str}[name](arguments[0])
    if name == "dict" and not arguments:
        return {}
    return UNKNOWN

"""The modules of an archive, and what a name means in one of them. Nothing of it is run."""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

_DEFINED = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class Named:
    """Something of a module that the archive does not have: `torch.dtype`, `builtins.int`."""

    module: str
    name: str


@dataclass(frozen=True)
class Class:
    """A class, and where it is written."""

    module: "Module"
    node: ast.ClassDef

    @property
    def name(self) -> str:
        return self.node.name


@dataclass(frozen=True)
class Function:
    """A function or a lambda, where it is written, and the names around it."""

    module: "Module"
    node: ast.FunctionDef | ast.Lambda
    owner: Class | None = None
    #: The class that a class method was asked of, which may inherit it.
    bound: Class | None = None

    @property
    def name(self) -> str:
        return self.node.name if isinstance(self.node, ast.FunctionDef) else "lambda"


@dataclass(frozen=True)
class Whole:
    """A module itself, as `import a.b` gives it."""

    name: str


@dataclass(frozen=True)
class Later:
    """An expression of a module that is evaluated when its name is asked for."""

    module: "Module"
    node: ast.expr


class Module:
    """A module by its source."""

    def __init__(self, sources: "Sources", name: str, text: str, *, is_package: bool) -> None:
        self.sources, self.name, self.is_package = sources, name, is_package
        self.tree = ast.parse(text)

    @cached_property
    def names(self) -> dict[str, Any]:
        """What is defined at its top, or imported: a class, a function, an expression."""
        found: dict[str, Any] = {}
        for node in _statements(self.tree.body):
            if isinstance(node, ast.ImportFrom) and node.names[0].name == "*":
                other = self.sources.module(self._base(node))
                found.update(other.names if other and other is not self else {})
            else:
                found.update(self.defined(node))
        return found

    def defined(self, node: ast.stmt) -> Iterator[tuple[str, Any]]:
        """The names that a statement gives a meaning."""
        match node:
            case ast.ClassDef():
                yield node.name, Class(self, node)
            case ast.FunctionDef():
                yield node.name, Function(self, node)
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                yield name, Later(self, value)
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                yield name, Later(self, value)
            case ast.Import():
                for alias in node.names:
                    yield (
                        alias.asname or alias.name.partition(".")[0],
                        Whole(alias.name if alias.asname else alias.name.partition(".")[0]),
                    )
            case ast.ImportFrom():
                base = self._base(node)
                for alias in node.names:
                    yield alias.asname or alias.name, Named(base, alias.name)

    def _base(self, node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        parts = self.name.split(".")
        kept = parts[: len(parts) - node.level + self.is_package]
        return ".".join([*kept, *([node.module] if node.module else [])])


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Those of a module in both branches of a condition; the branch that runs comes last."""
    for node in body:
        if isinstance(node, ast.If):
            branches = [node.orelse, node.body]
            if "TYPE_CHECKING" in ast.unparse(node.test):
                branches.reverse()
            for branch in branches:
                yield from _statements(branch)
        elif isinstance(node, ast.Try):
            yield from _statements(node.body)
        else:
            yield node


class Sources:
    """All modules of an archive, read when they are asked for."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts
        self._modules: dict[str, Module | None] = {}

    def module(self, name: str) -> Module | None:
        if name not in self._modules:
            self._modules[name] = self._read(name)
        return self._modules[name]

    def _read(self, name: str) -> Module | None:
        base = name.replace(".", "/")
        for path, is_package in ((f"{base}/__init__.py", True), (f"{base}.py", False)):
            if path in self._texts:
                return Module(self, name, self._texts[path], is_package=is_package)
        return None

    def below(self, package: str) -> Iterator[Module]:
        """All modules of a package and of packages in it, in the order of their names."""
        start = package.replace(".", "/") + "/"
        for path in sorted(self._texts):
            if path.startswith(start) and path.endswith(".py"):
                name = path[:-3].removesuffix("/__init__").replace("/", ".")
                if (module := self.module(name)) is not None:
                    yield module

    def first(self, *names: str) -> Module:
        """The first of these modules that there is."""
        found = next((item for item in map(self.module, names) if item), None)
        if found is None:
            raise LookupError(f"the archive has none of {', '.join(names)}")
        return found

    def resolve(self, named: Named) -> Any:
        """What an imported name is: followed through the archive as far as it is there."""
        for _ in range(20):
            module = self.module(named.module)
            if module is None:
                return named
            found = module.names.get(named.name)
            if found is None:
                inner = f"{named.module}.{named.name}"
                return Whole(inner) if self.module(inner) else named
            if not isinstance(found, Named):
                return found
            named = found
        return named

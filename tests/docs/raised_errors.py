"""Finds the errors that leave a function: its own, and those of private functions of its module that it calls."""

import ast
import builtins
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from tests.docs.documented_code import CLASSES, TREES, Function, lineage

ANY = "BaseException"
NEVER_SAID = {"NotImplementedError", "AssertionError"}
"""Errors of a fault in the program, which no docstring names."""


class RaisedErrors:
    """The errors that functions of one module raise; what functions of other modules raise is not followed."""

    def __init__(self, tree: ast.Module) -> None:
        """Read the module's functions and classes from its ``tree``."""
        self._makers = known_makers(tree)
        self._functions = {node.name: node for node in tree.body if isinstance(node, Function)}
        self._classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
        self._groups = {name: value for name, value in assigned(tree) if isinstance(value, ast.Tuple)}
        self._known: dict[ast.AST, set[str]] = {}

    def of(self, node: Function, kind: str | None) -> set[str]:
        """Return the names of the errors that leave a function.

        Args:
            node: The function.
            kind: Name of its class; None: it is no method.
        """
        if node not in self._known:
            self._known[node] = set()  # for functions that call themselves
            if not is_dispatched(node):
                self._known[node] = set(self._leaving(node.body, kind, ())) - NEVER_SAID
        return self._known[node]

    def _leaving(self, nodes: Iterable[ast.AST], kind: str | None, caught: tuple[str, ...]) -> Iterator[str]:
        for node in nodes:
            match node:
                case ast.Try():
                    within = (*caught, *self._caught_by(node))
                    yield from self._leaving(node.body, kind, within)
                    rest = [each for handler in node.handlers for each in handler.body]
                    yield from self._leaving([*rest, *node.orelse, *node.finalbody], kind, caught)
                case ast.With() | ast.AsyncWith():
                    yield from self._leaving(node.items, kind, caught)
                    yield from self._leaving(node.body, kind, (*caught, *caught_by_managers(node)))
                case _:
                    found = self._raised_at(node, kind)
                    yield from (name for name in found if not any(catches(each, name) for each in caught))
                    yield from self._leaving(ast.iter_child_nodes(node), kind, caught)

    def _raised_at(self, node: ast.AST, kind: str | None) -> set[str]:
        """Return the errors that a raise or a call of a private function gives rise to."""
        match node:
            case ast.Raise(exc=ast.Call(func=made)):
                name = ast.unparse(made)
                return (
                    {name}
                    if is_class(name)
                    else {self._makers[own] for own in [bare(name)] if own in self._makers}
                )
            case ast.Raise(exc=ast.Name(id=name)):
                return {name} if is_class(name) else set()
            case ast.Call(func=ast.Name(id=name)) if name[0] == "_" and name in self._functions:
                return self.of(self._functions[name], None)
            case ast.Call(func=ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name)) if name[0] == "_":
                return self._of_method(kind, name)
        return set()

    def _of_method(self, kind: str | None, name: str) -> set[str]:
        """Return the errors of a private method, which a base class in the same module may have."""
        if kind not in self._classes:
            return set()
        for node in self._classes[kind].body:
            if isinstance(node, Function) and node.name == name:
                return self.of(node, kind)
        bases = [ast.unparse(each).split("[")[0] for each in self._classes[kind].bases]
        return set().union(*(self._of_method(base, name) for base in bases))

    def _caught_by(self, node: ast.Try) -> Iterator[str]:
        """Yield the errors that the handlers of a ``try`` keep, those of a constant tuple by their names."""
        for handler in node.handlers:
            if not any(isinstance(each, ast.Raise) and each.exc is None for each in ast.walk(handler)):
                yield from self._names(handler.type)

    def _names(self, errors: ast.expr | None) -> Iterator[str]:
        match errors:
            case None:
                yield ANY
            case ast.Tuple(elts=elements):
                for each in elements:
                    yield from self._names(each)
            case ast.Name(id=name) if name in self._groups:
                yield from self._names(self._groups[name])
            case _:
                yield ast.unparse(errors)


def assigned(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """Yield the names that a module assigns, each with its value."""
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                yield name, value


def is_class(name: str) -> bool:
    return name.isidentifier() and name[0].isupper()


def bare(name: str) -> str:
    return name.removeprefix("self.")


def is_dispatched(node: Function) -> bool:
    """Return true for the fallback of a ``singledispatch``, which only types that its annotation forbids reach."""
    return any("singledispatch" in ast.unparse(each) for each in node.decorator_list)


def catches(caught: str, name: str) -> bool:
    """Return true if a handler of the error ``caught`` handles the error ``name``."""
    return caught in ("Exception", ANY) or caught in ancestors(name)


def ancestors(name: str) -> set[str]:
    """Return the names of an error and of its base classes, Python's included, without those of every error."""
    ours = set(lineage(name))
    theirs = (getattr(builtins, each, None) for each in ours)
    bases = {base.__name__ for each in theirs if isinstance(each, type) for base in each.__mro__}
    return (ours | bases) - {"Exception", ANY, "object"}


def caught_by_managers(node: ast.With | ast.AsyncWith) -> Iterator[str]:
    """Yield the errors that do not leave the body of a ``with`` as they are."""
    for item in node.items:
        match item.context_expr:
            case ast.Call(func=called, args=args):
                name = ast.unparse(called).split(".")[-1]
                if name == "suppress":
                    yield from map(ast.unparse, args)
                elif name in translators():
                    yield ANY


@cache
def translators() -> set[str]:
    """Return the names of our context managers that handle the errors of the body, perhaps to raise others."""
    functions = (node for tree in TREES.values() for node in ast.walk(tree) if isinstance(node, Function))
    return {
        node.name
        for node in functions
        if any("contextmanager" in ast.unparse(each) for each in node.decorator_list)
        and any(isinstance(each, ast.ExceptHandler) for each in ast.walk(node))
    }


def is_error(name: str) -> bool:
    return any(each.endswith(("Error", "Exception")) for each in lineage(name))


@cache
def error_makers(tree: ast.Module) -> dict[str, str]:
    """Names of a module's functions that are annotated to return one exception class of ours, each with the class."""
    return {
        node.name: node.returns.id
        for node in ast.walk(tree)
        if isinstance(node, Function)
        and isinstance(node.returns, ast.Name)
        and node.returns.id in CLASSES
        and is_error(node.returns.id)
    }


def known_makers(tree: ast.Module) -> dict[str, str]:
    """Names of the functions that make errors and that a module defines or imports from another of ours."""
    made = error_makers(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            file = Path(*node.module.split(".")).with_suffix(".py")
            there = error_makers(TREES[file]) if file in TREES else {}
            made |= {each.asname or each.name: there[each.name] for each in node.names if each.name in there}
    return made

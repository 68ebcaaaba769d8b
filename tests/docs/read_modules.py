"""What tests keep of each module of the project, which is parsed once: all trees would take much memory."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from tests.docs.documented_code import ROOT, TREES, Function


class Definitions(NamedTuple):
    """Names that a module defines, in functions and classes too."""

    classes: list[str]
    functions: list[str]
    aliases: list[str]
    """Names of its public type aliases, which it defines at its top level."""


class ReadModule(NamedTuple):
    """The names that a module defines, and the lines and texts of its docstrings."""

    definitions: Definitions
    docstrings: list[tuple[int, str]]


@cache
def read_module(file: Path) -> ReadModule:
    """Read the module in a ``file``, a path beneath the root of the project."""
    source = (ROOT / file).read_text()
    tree = TREES.get(file) or ast.parse(source)
    return ReadModule(definitions_of(tree), list(docstrings(tree, described="description=" in source)))


def definitions_of(tree: ast.Module) -> Definitions:
    found = Definitions([], [], [name for node in tree.body for name in public_aliases(node)])
    for node in blocks(tree):
        if isinstance(node, ast.ClassDef):
            found.classes.append(node.name)
        elif isinstance(node, Function):
            found.functions.append(node.name)
    return found


def blocks(node: ast.AST) -> Iterator[ast.AST]:
    """A node and all that is inside of it, except for expressions, which are nine tenths of a tree."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        yield node
        for name in ("body", "orelse", "finalbody", "handlers", "cases"):
            waiting += getattr(node, name, ())


def public_aliases(node: ast.stmt) -> list[str]:
    """Names of the public type aliases and variables that a statement defines, as ``Rule = Callable[[int], int]``."""
    match node:
        case (
            ast.Assign(targets=[ast.Name(id=name)], value=ast.Subscript() | ast.BinOp(op=ast.BitOr()))
            | ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id="TypeVar")))
            | ast.AnnAssign(target=ast.Name(id=name), annotation=ast.Name(id="TypeAlias"))
        ):
            return [name] if re.fullmatch(r"[A-Z]\w*[a-z]\w*", name) else []
    return []


def docstrings(tree: ast.Module, *, described: bool = True) -> Iterator[tuple[int, str]]:
    """Lines and texts of the docstrings of classes, functions and attributes, and of OpenAPI's descriptions.

    Args:
        tree: The module.
        described: False: it has no descriptions, which would be arguments in its expressions.
    """
    for node in ast.walk(tree) if described else blocks(tree):
        if isinstance(node, ast.ClassDef | Function) and (text := ast.get_docstring(node)):
            yield node.lineno, text
        if isinstance(node, ast.keyword):
            yield from description(node)
        else:
            yield from attribute_docstrings(node)


def description(node: ast.keyword) -> Iterator[tuple[int, str]]:
    """Line and text of the description that OpenAPI shows of a field or parameter."""
    for text in ast.walk(node.value) if node.arg == "description" else ():
        if isinstance(text, ast.Constant) and isinstance(text.value, str):
            yield text.lineno, text.value
            break


def attribute_docstrings(node: ast.AST) -> Iterator[tuple[int, str]]:
    """Lines and texts of the strings that follow assignments in the body of a node."""
    body = getattr(node, "body", None)
    for before, after in pairwise(body if isinstance(body, list) else []):
        match before, after:
            case ast.Assign() | ast.AnnAssign(), ast.Expr(value=ast.Constant(value=str(text))):
                yield after.lineno, text.strip()

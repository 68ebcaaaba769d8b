"""Public functions of core and of client.api say what they take, in which shape and unit, and what they raise."""

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import pairwise
from pathlib import Path

from tests.docs.documented_code import (
    CLASSES,
    FILES,
    QUANTITY,
    ROOT,
    TREES,
    UNIT,
    Function,
    lineage,
    mentions,
)

ARRAYS = re.compile(r"\b(?:Tensor|ndarray|NDArray)\b")
SHAPE = re.compile(r"\bshape|\bscalar|\(\w+(?:, [\w*/ ]+)+,?\)", re.IGNORECASE)


@dataclass(frozen=True)
class Public:
    """A function that other modules may call."""

    name: str
    node: Function
    of_class: str = ""
    """Docstring of the class that a constructor makes; it may explain the parameters as well."""
    makers: Mapping[str, str] = field(default_factory=dict)
    """Names of the functions that make errors for it, each with the class of the error."""

    @property
    def faults(self) -> Iterator[str]:
        """Messages about what its docstring lacks."""
        text = f"{self.of_class}\n{ast.get_docstring(self.node) or ''}".strip()
        if not text:
            yield "has no docstring"
            return
        yield from (f"does not say what {name} is" for name in self.parameters if not mentions(text, name))
        if self.takes_or_gives_arrays and not SHAPE.search(text):
            yield "does not say the shape of its arrays"
        yield from (f"does not say the unit of {name}" for name in self.quantities if not UNIT.search(text))
        yield from (
            f"does not say that it raises {name}"
            for name in self.raised
            if not any(mentions(text, each) for each in lineage(name))
        )

    @property
    def parameters(self) -> list[str]:
        given = self.node.args
        all_of_them = [*given.posonlyargs, *given.args, *given.kwonlyargs]
        return [each.arg for each in all_of_them if each.arg not in ("self", "cls") and each.arg[0] != "_"]

    @property
    def quantities(self) -> list[str]:
        """Names of the numbers among the parameters that need a unit."""
        given = self.node.args
        numbers = (
            each.arg
            for each in (*given.posonlyargs, *given.args, *given.kwonlyargs)
            if each.annotation and re.search(r"\b(?:int|float)\b", ast.unparse(each.annotation))
        )
        return [name for name in numbers if QUANTITY.fullmatch(name)]

    @property
    def takes_or_gives_arrays(self) -> bool:
        given = self.node.args
        annotations = [each.annotation for each in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
        return any(note and ARRAYS.search(ast.unparse(note)) for note in (*annotations, self.node.returns))

    @property
    def raised(self) -> set[str]:
        """Names of the errors that it raises itself and does not catch, also those that a helper makes for it."""
        names: set[str] = set()
        for node in ast.walk(self.node):
            if isinstance(node, ast.Raise) and node.exc is not None:
                called = isinstance(node.exc, ast.Call)
                kind = ast.unparse(node.exc.func if isinstance(node.exc, ast.Call) else node.exc)
                if kind.isidentifier() and kind[0].isupper():
                    names.add(kind)
                elif called and kind.removeprefix("self.") in self.makers:
                    names.add(self.makers[kind.removeprefix("self.")])
        handlers = [each for each in ast.walk(self.node) if isinstance(each, ast.ExceptHandler)]
        caught = {ast.unparse(each.type) for each in handlers if each.type}
        return names - caught - {"NotImplementedError", "AssertionError"}


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


def inherits_docstring(kind: ast.ClassDef, method: str) -> bool:
    """Return true if a base class of ours explains the method already."""
    for base in kind.bases:
        name = ast.unparse(base).split("[")[0].split(".")[-1]
        ours = CLASSES.get(name)
        if ours is None:
            continue
        explained = {
            node.name for node in ours.body if isinstance(node, Function) and ast.get_docstring(node)
        }
        if method in explained or inherits_docstring(ours, method):
            return True
    return False


def public(body: list[ast.stmt], kind: ast.ClassDef | None = None) -> Iterator[Public]:
    for node in body:
        if isinstance(node, ast.ClassDef) and node.name[0] != "_":
            yield from public(node.body, node)
        elif isinstance(node, Function) and kind and node.name == "__init__":
            yield Public(kind.name, node, ast.get_docstring(kind) or "")
        elif isinstance(node, Function) and node.name[0] != "_":
            decorators = {ast.unparse(each).split("(")[0] for each in node.decorator_list}
            if "overload" in decorators or (kind and inherits_docstring(kind, node.name)):
                continue
            yield Public(f"{kind.name}.{node.name}" if kind else node.name, node)


def faults_in(file: Path) -> Iterator[str]:
    makers = known_makers(TREES[file])
    for each in public(TREES[file].body):
        for fault in replace(each, makers=makers).faults:
            yield f"{file}:{each.node.lineno} {each.name} {fault}"


def test_public_functions_say_what_they_take_and_raise() -> None:
    assert [fault for file in FILES for fault in faults_in(file)] == []


PRODUCT = sorted(
    file.relative_to(ROOT)
    for folder in ("core", "client", "coordinator", "gui", "benchmarks", "assets", "installer")
    for file in (ROOT / folder).rglob("*.py")
)
DEPENDENT = re.compile(
    r"(?:Of|What|Who|Whom|Whose|Which|Where|When|Whether|With|Without|By|In|On|At|For|From|To|As|How|That|If|Its|It|Those"
    r"|Until|Since|Under|Over|After|Before|Between|Among|Below|Above|Beside|Beyond|Up|Why|While|Those|These|Rather"
    r"|Another|New ones|All of it|All of them|One of|See that|Like|Its"
    r"|None (?:in|for|until|if|unless|where|while)|Empty (?:in|until|if|unless|where)"
    r"|The same|The most (?:of|that)|The (?:first|last|next|only|newest|latest|oldest|highest) ones?"
    r"|The (?:first|last|only|newest|latest)(?=[;.,]| (?:by|that|few|is)\b)|The (?:highest|newest) \w+ seen"
    r"|Each (?:brings|has|is|of|was)|Still|More than|Something|Seconds for the same"
    r"|Asked for|Counted|Drawn|Granted|Handed|Held|Kept|Made|Measured:|Raised|Said|Sent|Shown|Written)\b"
)
"""Beginnings of texts that are only half a sentence, or that need the name before them to be understood."""
BARE_UNIT = re.compile(
    r"(?:(?:Unix )?Seconds|Milliseconds|Minutes since midnight|Bytes|Characters|Samples|Epochs|Tokens|Percent)"
    r"(?: (?:a|per|each) \w+)?[.;:]"
    r"|(?:Now|Drawn now|Sent|Digest|None|True|Public|Multiaddrs?)[.;:,]",
    re.IGNORECASE,
)
"""Texts that say the unit of a value, and not what it is."""


VAGUE = re.compile(r"(?:Have|Let (?:it|all)) |.*\bthere\.$|.*\bso (?:long|many)\b")
"""First lines that need the code below them to say what is done, where "there" is, or how many are meant."""


def test_docstrings_stand_by_themselves() -> None:
    halves = [
        f"{file}:{line} {text[:60]}"
        for file in PRODUCT
        for line, text in docstrings(TREES.get(file) or ast.parse((ROOT / file).read_text()))
        if DEPENDENT.match(text) or BARE_UNIT.match(text) or VAGUE.match(text)
    ]
    assert halves == []


def docstrings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Lines and texts of the docstrings of classes, functions and attributes, and of OpenAPI's descriptions."""
    for node in ast.walk(tree):
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

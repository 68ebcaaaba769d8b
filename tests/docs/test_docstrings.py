"""Public functions of core and of client.api say what they take, in which shape and unit, and what they raise."""

import ast
import re
from collections.abc import Iterator, Set
from dataclasses import dataclass, replace
from pathlib import Path

from tests.docs.documented_code import CLASSES, FILES, QUANTITY, ROOT, TREES, UNIT, Function, mentions
from tests.docs.raised_errors import RaisedErrors, ancestors
from tests.docs.read_modules import read_module

ARRAYS = re.compile(r"\b(?:Tensor|ndarray|NDArray)\b")
SHAPE = re.compile(r"\bshape|\bscalar|\(\w+(?:, [\w*/ ]+)+,?\)", re.IGNORECASE)


@dataclass(frozen=True)
class Public:
    """A function that other modules may call."""

    name: str
    node: Function
    kind: ast.ClassDef | None = None
    """Class of a method: its docstring may name errors of all methods, and the parameters of the constructor."""
    raised: Set[str] = frozenset()
    """Names of the errors that leave it: its own, and those of private functions of its module."""

    @property
    def faults(self) -> Iterator[str]:
        """Messages about what its docstring lacks."""
        of_class = (ast.get_docstring(self.kind) if self.kind else None) or ""
        own = ast.get_docstring(self.node) or ""
        text = f"{of_class}\n{own}".strip() if self.node.name == "__init__" else own
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
            if not any(mentions(f"{of_class}\n{text}", each) for each in ancestors(name))
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
            yield Public(kind.name, node, kind)
        elif isinstance(node, Function) and node.name[0] != "_":
            decorators = {ast.unparse(each).split("(")[0] for each in node.decorator_list}
            if "overload" in decorators or (kind and inherits_docstring(kind, node.name)):
                continue
            yield Public(f"{kind.name}.{node.name}" if kind else node.name, node, kind)


def faults_in(file: Path) -> Iterator[str]:
    errors = RaisedErrors(TREES[file])
    for each in public(TREES[file].body):
        raised = errors.of(each.node, each.kind.name if each.kind else None)
        for fault in replace(each, raised=raised).faults:
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
        for line, text in read_module(file).docstrings
        if DEPENDENT.match(text) or BARE_UNIT.match(text) or VAGUE.match(text)
    ]
    assert halves == []

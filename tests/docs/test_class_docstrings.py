"""Public classes of core and of client.api say what they are, and their numbers what they count and in which unit."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, pairwise
from pathlib import Path

import pytest

from tests.docs.documented_code import FILES, TREES, UNIT, lineage, mentions

SENTENCE = re.compile(r"[A-Z0-9`\"][^\n]*(?:\n[^\n]+)*[.:](?:\n\n|\Z)")
"""A first paragraph that is a sentence, or that introduces what follows."""
LEAST_WORDS = 3
MODELS = {"BaseModel", "NamedTuple"}
NUMBER = re.compile(r"\b(?:int|float|timedelta|(?:Positive|NonNegative)(?:Int|Float))\b")
COUNTED = (
    r"bytes|days|epochs|gflops|heads|joules|layers|parameters|peers|positions|rows|samples|seconds"
    r"|steps|threads|tokens"
)
SAYS_UNIT = re.compile(
    rf"(?:\w+_)?(?:{COUNTED})|(?:{COUNTED})_(?:sent|received)|(?:\w+_)?(?:{COUNTED})_per_[a-z]+"
    r"|(?:\w+_)?(?:id|pid|epoch|shape|vocabulary)|loss|depth|lr|betas|eps|weight_decay|max_grad_norm"
)
"""Names that say what they count, or that are terms of the field for a number without a unit."""
SAYS_NOTHING_ELSE = {"bytes", "seconds"}
"""Names of a unit alone: bytes of what, and seconds of what?"""
NUMBERS_WITHOUT_UNIT = re.compile(
    r"\b(?:share|weight|factor|divisor|multiple|ratio|probability|loss|norm|rate|score|difference|sums|seed|id|ids|index|indices|serial"
    r"|number|numbers|status|port|ports|place|dB|bits?|channels|positions|layers|blocks|trainers|volunteers|peers"
    r"|elements|columns?|updates|computers|threads|cores|niceness|priority|percent|degrees|momentum|learning rate"
    r"|operations|entries|logits|micro-steps|times|vectors)\b",
    re.IGNORECASE,
)
"""Words by which a docstring says which kind of number without a unit a field is, or what it counts."""


@dataclass(frozen=True)
class NumericField:
    """A public field that holds a number, or several."""

    of_class: ast.ClassDef
    name: str
    text: str
    """Its own docstring; empty if it has none."""

    @property
    def fault(self) -> str:
        """Message about what its docstring lacks; empty: nothing."""
        if says_unit(self.name):
            return ""
        of_class = ast.get_docstring(self.of_class) or ""
        if not self.text and not mentions(of_class, self.name) and not is_quantity_of_all(of_class):
            return "has no docstring"
        name = self.name if self.name in SAYS_NOTHING_ELSE else ""
        text = f"{name} {self.text or of_class}"
        if UNIT.search(text) or is_quantity_of_all(of_class) or NUMBERS_WITHOUT_UNIT.search(text):
            return ""
        return "does not say what it counts, or its unit"


def says_unit(name: str) -> bool:
    """Return true if a field's name says what the field counts or measures."""
    return SAYS_UNIT.fullmatch(name) is not None and name not in SAYS_NOTHING_ELSE


def is_quantity_of_all(of_class: str) -> bool:
    """Return true if the docstring of a class begins with the unit of all its fields, such as "Bytes of …"."""
    first = re.match(r"\w+", of_class)
    return first is not None and UNIT.fullmatch(first[0]) is not None


def public_classes(body: list[ast.stmt]) -> Iterator[ast.ClassDef]:
    for node in body:
        if isinstance(node, ast.ClassDef) and node.name[0] != "_":
            yield node
            yield from public_classes(node.body)


def is_sentence(text: str) -> bool:
    return SENTENCE.match(text) is not None and len(text.split()) >= LEAST_WORDS


def holds_fields(node: ast.ClassDef) -> bool:
    """Return true for dataclasses, named tuples and pydantic models, whose fields are their interface."""
    is_dataclass = any("dataclass" in ast.unparse(each) for each in node.decorator_list)
    return is_dataclass or not MODELS.isdisjoint(lineage(node.name))


def number_aliases() -> set[str]:
    """Names of annotated numbers, such as ``Count = Annotated[int, Field(gt=0)]``."""
    nodes = chain.from_iterable(tree.body for tree in TREES.values())
    return {
        node.targets[0].id
        for node in nodes
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and re.match(r"Annotated\[(?:int|float)\b", ast.unparse(node.value))
    }


ALIASES = number_aliases()


def holds_numbers(annotation: str) -> bool:
    if re.match(r"(?:ClassVar|Callable)\b", annotation):
        return False
    named = set(re.findall(r"\w+", annotation))
    return NUMBER.search(annotation) is not None or not ALIASES.isdisjoint(named)


def numeric_fields(node: ast.ClassDef) -> Iterator[tuple[int, NumericField]]:
    """Lines and descriptions of a class's public numeric fields."""
    for statement, after in pairwise([*node.body, ast.Pass()]):
        match statement, after:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                pass
            case ast.AnnAssign(target=ast.Name(id=name)), _:
                text = ""
            case _:
                continue
        if name[0] != "_" and holds_numbers(ast.unparse(statement.annotation)):
            yield statement.lineno, NumericField(node, name, text)


def fields_without_unit(file: Path) -> Iterator[str]:
    for node in filter(holds_fields, public_classes(TREES[file].body)):
        for line, each in numeric_fields(node):
            if each.fault:
                yield f"{file}:{line} {node.name}.{each.name} {each.fault}"


def test_public_classes_say_what_they_are() -> None:
    """A base class's docstring does not count: it says what subclasses have in common, not what this one is."""
    silent = [
        f"{file}:{node.lineno} {node.name}"
        for file in FILES
        for node in public_classes(TREES[file].body)
        if not is_sentence(ast.get_docstring(node) or "")
    ]
    assert silent == []


def test_public_numeric_fields_say_what_they_count_and_in_which_unit() -> None:
    assert [fault for file in FILES for fault in fields_without_unit(file)] == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A child process ended.", True),
        ("Bounds of a run:\n\nthe first, and the last.", True),
        ("", False),
        ("The result.", False),
        ("state of a run.", False),
        ("State of a run", False),
    ],
)
def test_sentences_are_told_from_notes(text: str, expected: bool) -> None:
    assert is_sentence(text) == expected


@pytest.mark.parametrize(
    ("field", "fault"),
    [
        ("samples: int", ""),
        ("wait_seconds: float", ""),
        ("bytes_sent: int", ""),
        ("tokens_per_second: float", ""),
        ("epoch: Annotated[int, Field(ge=0)]", ""),
        ("seconds: float", "has no docstring"),
        ("sizes: tuple[int, ...]", "has no docstring"),
        ("ends: Mapping[str, timedelta]", "has no docstring"),
        ('size: int\n    """Largest one."""', "does not say what it counts, or its unit"),
        ('size: int\n    """Bytes of the file."""', ""),
        ('seconds: float\n    """Length of the pause."""', ""),
        ('rate: float\n    """Largest one."""', "does not say what it counts, or its unit"),
        ('port: int\n    """Port at which it listens."""', ""),
    ],
)
def test_fields_are_judged_by_name_and_docstring(field: str, fault: str) -> None:
    (node,) = ast.parse(f'class Example(NamedTuple):\n    """An example."""\n    {field}').body
    assert isinstance(node, ast.ClassDef)
    assert [each.fault for _, each in numeric_fields(node)] == [fault]

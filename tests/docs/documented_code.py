"""The parsed modules whose docstrings the tests read, and the words by which a docstring says a unit."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDERS = ("core", "client/api")
FILES = sorted(file.relative_to(ROOT) for folder in FOLDERS for file in (ROOT / folder).rglob("*.py"))
QUANTITY = re.compile(
    r"(?:timeout|interval|duration|delay|age|period|pause|deadline|now|until|elapsed|patience|limit|cap|size|memory|room"
    r"|free|budget|rate|speed|bandwidth|upload|download|length|total|left|used|needed)$"
)
"""Names of numbers that have a unit and do not say it, as ``pause_seconds`` would."""
UNIT = re.compile(
    r"\b(?:seconds?|milliseconds?|minutes?|hours?|days?|(?:mega)?bytes?|[KMG]i?B|samples?|tokens?|pixels?|epochs?|share|fraction"
    r"|clock|time|unit|number of|codes?|values?|steps?|rows?|images?|characters?)\b",
    re.IGNORECASE,
)

Function = ast.FunctionDef | ast.AsyncFunctionDef


def mentions(text: str, name: str) -> bool:
    return name in text and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


def classes() -> dict[str, ast.ClassDef]:
    """Every class of the package by its name, which means one thing in the whole tree."""
    nodes = (node for tree in TREES.values() for node in ast.walk(tree))
    return {node.name: node for node in nodes if isinstance(node, ast.ClassDef)}


TREES = {file: ast.parse((ROOT / file).read_text()) for file in FILES}
CLASSES = classes()


def lineage(name: str) -> Iterator[str]:
    """Names of a class and of its base classes, as far as they are ours."""
    yield name
    if name in CLASSES:
        for base in CLASSES[name].bases:
            yield from lineage(ast.unparse(base).split("[")[0])

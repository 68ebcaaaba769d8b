"""The map for newcomers names files, functions and classes that exist."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text()
NAMED = sorted(set(re.findall(r"`([\w/]+\.py):(\w+)`", PAGE)))
ROOMS = sorted(set(re.findall(r"`((?:core|client|coordinator|gui)/[\w/]*)`", PAGE)))


@pytest.mark.parametrize(("file", "name"), NAMED)
def test_what_is_named_exists(file: str, name: str) -> None:
    tree = ast.parse((ROOT / file).read_text())
    defined = {
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    }
    assert name in defined


def test_rooms_exist() -> None:
    assert ROOMS
    assert [room for room in ROOMS if not (ROOT / room).is_dir()] == []

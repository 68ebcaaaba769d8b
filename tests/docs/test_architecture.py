"""The documentation names files, functions and classes that exist."""

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text()
NAMED = sorted(set(re.findall(r"`([\w/]+\.py):(\w+)`", PAGE)))
PAGES = [ROOT / "README.md", *(page for page in (ROOT / "docs").glob("*.md") if page.name != "measured.md")]
"""Pages on what there is; `measured.md` also names tests of earlier commits."""
FILES = [
    str(file)
    for folder in (
        "core",
        "client",
        "coordinator",
        "gui",
        "tests",
        "benchmarks",
        "assets",
        "installer",
        "docs",
    )
    for file in (ROOT / folder).rglob("*.py")
]
PRODUCT = ("core", "client", "coordinator", "gui", "benchmarks", "assets")
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


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_modules_that_pages_name_exist(page: Path) -> None:
    named = set(re.findall(r"`([\w/]+\.py)`", page.read_text()))
    assert [name for name in sorted(named) if not any(file.endswith(f"/{name}") for file in FILES)] == []


def test_a_class_name_means_one_thing() -> None:
    places: dict[str, list[str]] = {}
    for file in FILES:
        for node in ast.walk(ast.parse(Path(file).read_text())):
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(file)
    assert {name: files for name, files in places.items() if len(files) > 1} == {}


def test_the_name_of_a_type_alias_means_one_thing() -> None:
    """An alias is known by its value: a subscript or a union in a module of the product. Private ones may repeat."""
    classes, aliases = set(), []
    for file in FILES:
        tree = ast.parse(Path(file).read_text())
        classes |= {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
        if Path(file).relative_to(ROOT).parts[0] in PRODUCT:
            aliases += [name for node in tree.body for name in public_aliases(node)]
    counted = Counter(aliases)
    assert len(aliases) > 50
    assert {name for name in counted if counted[name] > 1 or name in classes} == set()


def public_aliases(node: ast.stmt) -> list[str]:
    """Names of the public type aliases that a statement defines, such as ``Rule = Callable[[int], bool]``."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Subscript() | ast.BinOp(op=ast.BitOr())):
            return [name] if re.fullmatch(r"[A-Z]\w*[a-z]\w*", name) else []
    return []


def test_no_folder_has_more_than_twenty_modules() -> None:
    counted = Counter(Path(file).parent for file in FILES if not file.endswith("/__init__.py"))
    assert {folder: modules for folder, modules in counted.items() if modules > 20} == {}

"""The documentation names files, functions and classes that exist."""

import re
from collections import Counter
from functools import cache
from pathlib import Path

from tests.docs.read_modules import Definitions, read_module

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text()
PAGES = [ROOT / "README.md", *(page for page in (ROOT / "docs").rglob("*.md") if page.name != "measured.md")]
"""Pages on what there is; `measured.md` also names tests of earlier commits."""
NAMED = {
    name
    for text in (PAGE, *(page.read_text() for page in (ROOT / "docs" / "developers").glob("*.md")))
    for name in re.findall(r"`([\w/]+\.py):(\w+)`", text)
}
"""Names that the pages for developers give by their file."""
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
PRODUCT = ("core", "client", "coordinator", "gui", "benchmarks", "assets", "installer")
ROOMS = sorted(set(re.findall(r"`((?:core|client|coordinator|gui|installer)/[\w/]*)`", PAGE)))
DIVIDED = ("core", "core/swarm", "client", "client/service", "coordinator", "gui")
"""Folders whose own folders the page names, each one."""


@cache
def definitions() -> dict[str, Definitions]:
    """The names that each module defines, by its path."""
    return {file: read_module(Path(file).relative_to(ROOT)).definitions for file in FILES}


def test_what_is_named_exists() -> None:
    assert len(NAMED) > 120
    places = {file: definitions().get(str(ROOT / file), Definitions([], [], [])) for file, _ in NAMED}
    missing = [
        (file, name)
        for file, name in sorted(NAMED)
        if name not in (*places[file].classes, *places[file].functions)
    ]
    assert missing == []


def test_rooms_exist() -> None:
    assert ROOMS
    assert [room for room in ROOMS if not (ROOT / room).is_dir()] == []


def test_every_room_is_named() -> None:
    rooms = {
        f"{folder}/{room.name}/"
        for folder in DIVIDED
        for room in (ROOT / folder).iterdir()
        if any(room.rglob("*.py"))
    }
    assert rooms - set(ROOMS) == set()


def test_modules_that_pages_name_exist() -> None:
    named = {(page.name, name) for page in PAGES for name in re.findall(r"`([\w/]+\.py)`", page.read_text())}
    assert named
    missing = [each for each in sorted(named) if not any(file.endswith(f"/{each[1]}") for file in FILES)]
    assert missing == []


def test_a_class_name_means_one_thing() -> None:
    places: dict[str, list[str]] = {}
    for file, defined in definitions().items():
        for name in defined.classes:
            places.setdefault(name, []).append(file)
    assert {name: files for name, files in places.items() if len(files) > 1} == {}


def test_a_private_class_has_another_name_than_a_public_one() -> None:
    names = {name for defined in definitions().values() for name in defined.classes}
    assert [name for name in sorted(names) if f"_{name}" in names] == []


def test_the_name_of_a_type_alias_means_one_thing() -> None:
    """An alias is known by its value: a subscript or a union in a module of the product. Private ones may repeat."""
    classes = {name for defined in definitions().values() for name in defined.classes}
    aliases = [
        name
        for file, defined in definitions().items()
        if Path(file).relative_to(ROOT).parts[0] in PRODUCT
        for name in defined.aliases
    ]
    counted = Counter(aliases)
    assert len(aliases) > 50
    assert {name for name in counted if counted[name] > 1 or name in classes} == set()


def test_no_folder_has_more_than_twenty_modules() -> None:
    counted = Counter(Path(file).parent for file in FILES if not file.endswith("/__init__.py"))
    assert {folder: modules for folder, modules in counted.items() if modules > 20} == {}

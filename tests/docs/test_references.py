"""Docstrings, pages and messages name modules, functions and commands that exist."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest
import typer
from typer.core import TyperGroup

from client.cli import app

ROOT = Path(__file__).parents[2]
FOLDERS = ("core", "client", "coordinator", "gui", "benchmarks", "assets", "installer", "docs")
FILES = [
    ROOT / "README.md",
    *(
        file
        for folder in FOLDERS
        for kind in ("py", "md", "html")
        for file in sorted((ROOT / folder).rglob(f"*.{kind}"))
        if file.name != "measured.md"  # it also names things of earlier commits
    ),
]
SEAM = re.compile(r"([\"'])\n\s+f?\1")
"""Seam between the two literals of a text that goes on in the next line."""
TEXTS = {str(file.relative_to(ROOT)): SEAM.sub("", file.read_text()) for file in FILES}
DOTTED = re.compile(r"`((?:core|client|coordinator|gui|benchmarks|tests)(?:\.\w+)+)")
DATA = re.compile(r"\.(?:toml|sqlite|log)$")
COMMAND = re.compile(r"`(?:\.venv/bin/)?idlebrush ([^`]+)`")
COMMAND_ON_A_PAGE = re.compile(r"(?:<code>|command\(\"|!idlebrush/\.venv/bin/)idlebrush ([^<\"\n]+)")
PLACEHOLDER = re.compile(r"[A-Z{<\[.…']")
PROGRAM = typer.main.get_command(app)


def defined(body: list[ast.stmt], name: str) -> ast.stmt | None:
    """The statement that gives a name a meaning, if there is one."""
    for node in body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() if node.name == name:
                return node
            case ast.Import() | ast.ImportFrom() if name in {each.asname or each.name for each in node.names}:
                return node
            case ast.Assign(targets=[ast.Name(id=found)]) | ast.AnnAssign(target=ast.Name(id=found)) if (
                found == name
            ):
                return node
    return None


@cache
def exists(dotted: str) -> bool:
    """True for a folder, a module, and a name in a module or in a class of it."""
    parts = dotted.split(".")
    for length in range(len(parts), 0, -1):
        place, rest = ROOT.joinpath(*parts[:length]), parts[length:]
        if place.is_dir():
            return not rest
        if not (module := place.with_suffix(".py")).exists():
            continue
        body = ast.parse(module.read_text()).body
        for name in rest:
            if (found := defined(body, name)) is None:
                return False
            body = getattr(found, "body", [])
        return True
    return False


def unknown_word(command: str) -> str | None:
    """The first word of a command line, without `idlebrush`, that the program does not know."""
    place = PROGRAM
    for word in command.split():
        if word.startswith("--"):
            options = {option for each in place.params for option in (*each.opts, *each.secondary_opts)}
            if word.split("=")[0].rstrip(",;") not in options | {"--help"}:
                return word
        elif isinstance(place, TyperGroup):
            if PLACEHOLDER.match(word):
                return None
            if word not in place.commands:
                return word
            place = place.commands[word]
    return None


@pytest.mark.parametrize(("dotted", "is_there"), [
    ("core.swarm.rounds.round.settle", True),
    ("core.swarm.averaging.averager.GradientAverager.__init__", True),
    ("core.swarm", True),
    ("core.swarm.nobody", False),
    ("core.swarm.averaging.averager.nobody", False),
])  # fmt: skip
def test_names_are_looked_up(dotted: str, is_there: bool) -> None:
    assert exists(dotted) is is_there


@pytest.mark.parametrize(("command", "unknown"), [
    ("dataset build --shard-rows 9", None),
    ("--verbose coordinator serve", None),
    ("dataset convert --shard-rows", "convert"),
    ("dataset build --shard-row", "--shard-row"),
    ("VERB --help", None),
])  # fmt: skip
def test_commands_are_looked_up(command: str, unknown: str | None) -> None:
    assert unknown_word(command) == unknown


def test_modules_and_functions_that_texts_name_exist() -> None:
    named = {(file, name) for file, text in TEXTS.items() for name in DOTTED.findall(text)}
    assert [each for each in sorted(named) if not DATA.search(each[1]) and not exists(each[1])] == []


def test_commands_that_texts_name_exist() -> None:
    named = {
        (file, line)
        for file, text in TEXTS.items()
        for pattern in (COMMAND, COMMAND_ON_A_PAGE)
        for line in pattern.findall(text)
    }
    assert len(named) > 100
    unknown = [(file, line, word) for file, line in sorted(named) if (word := unknown_word(line)) is not None]
    assert unknown == []

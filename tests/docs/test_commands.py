"""Every command of the handbook is executed here or marked, and read by the parser of its program in either case."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from PIL import Image, ImageDraw
from typer.core import TyperGroup

from client.cli import app
from client.paths import HOME_VARIABLE
from tests.command_line import idlebrush
from tests.docs.documented_commands import BLOCKS, LANGUAGES, PAGES, ROOT, FencedBlock, blocks_of

NUMBER = re.compile(r"NUMBER|EPOCH|COUNT|N")
"""Placeholders that stand for a number."""
PREFERENCE = re.compile(r"`idlebrush prefs set ([a-z-]+) (\"[^\"]+\"|[^A-Z`\"]+)`")
OF_RUN = ("volunteers/choosing-preferences.md", "organisers/afternoon.md", "simulation.md")
"""Pages whose commands are executed first, in this order: the afternoon makes the run of those that follow."""
PROGRAM = typer.main.get_command(app)
COORDINATOR = "IDLEBRUSH_COORDINATOR"
"""Variable that names the coordinator's folder: set for the pages that tell the reader of it."""
COLOURS = ("red", "green", "blue", "orange")


def parse(words: list[str]) -> None:
    """Read a command line as the program does, to its last option, and call nothing; raise an error of the parser."""
    command, context = PROGRAM, None
    rest, name = [NUMBER.sub("3", word) if NUMBER.fullmatch(word) else word for word in words], "idlebrush"
    while True:
        context = command.make_context(name, rest, parent=context)
        if not isinstance(command, TyperGroup) or not (rest := [*context._protected_args, *context.args]):
            return
        found, inner, rest = command.resolve_command(context, rest)
        assert found is not None
        assert inner is not None
        name, command = found, inner


def fault(words: list[str]) -> str | None:
    """Return what is wrong with a command; None if nothing is, or if another program than ours would know."""
    program = words[0].removeprefix(".venv/bin/")
    if program == "idlebrush":
        try:
            parse(words[1:])
        except Exception as error:  # noqa: BLE001 - each kind is a command that cannot be given
            return f"{type(error).__name__}: {error}"
    if program == "make":
        return fault_of_make(words[1:])
    if program in ("python", "python3") and words[1] == "-m" and words[2] != "pip":
        return fault_of_module(words[2], words[3:])
    return None


def fault_of_make(words: list[str]) -> str | None:
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    return next((word for word in words if "=" not in word and word not in targets), None)


def fault_of_module(module: str, words: list[str]) -> str | None:
    """Look for the module, and for each option in the module or its folder."""
    if module == "pytest":
        return next((word for word in words if not word.startswith("-") and not (ROOT / word).exists()), None)
    place = ROOT.joinpath(*module.split("."))
    files = [*place.glob("*.py"), *place.parent.glob("*.py"), place.with_suffix(".py")]
    source = "".join(file.read_text() for file in files if file.exists())
    if not place.is_dir() and not place.with_suffix(".py").exists():
        return module
    known = [re.sub(r"\{.*?\}", "[a-z]+", option) for option in re.findall(r'"(--[^"]+)"', source)]
    options = {word.strip("[]").split("=")[0] for word in words if word.strip("[").startswith("--")}
    return next((each for each in sorted(options) if not any(re.fullmatch(one, each) for one in known)), None)


@pytest.mark.parametrize(
    ("command", "is_known"),
    [
        ("coordinator init DIR --open --swarm-port 31330", True),
        ("coordinator init DIR --opened", False),
        ("coordinator init DIR --swarm-port many", False),
        ("coordinator evidence lift NUMBER --why REASON", True),
        ("coordinator evidence lift", False),
        ("coordinator evidence forgive 3", False),
    ],
)
def test_commands_are_read_to_their_last_word(command: str, is_known: bool) -> None:
    assert (fault(["idlebrush", *command.split()]) is None) == is_known


@pytest.mark.parametrize(
    ("command", "is_known"),
    [
        ("make docs", True),
        ("make tea", False),
        ("python -m installer.build linux --output FOLDER", True),
        ("python -m installer.build linux --outputs FOLDER", False),
        ("python -m installer.bild", False),
        ("python -m pytest -q tests/docs/test_commands.py", True),
        ("python -m pytest -q tests/docs/test_comands.py", False),
    ],
)
def test_targets_and_modules_are_looked_up(command: str, is_known: bool) -> None:
    assert (fault(command.split()) is None) == is_known


def test_every_block_of_commands_is_marked() -> None:
    """A block without a language, or in another one, would be a way round the marks."""
    unmarked = [(block.page, block.line, block.info) for block in BLOCKS if block.mark is None]
    assert [
        each for each in unmarked if each[2].split(maxsplit=1)[:1] not in [[known] for known in LANGUAGES]
    ] == []
    assert {block.mark for block in BLOCKS if block.mark} == {"executed", "not-executed"}


def test_no_command_stands_in_an_indented_block() -> None:
    """Such a block has no language, and so no mark; items of a list may be indented, too."""
    commands = re.compile(r"\n\n(?: {4,}|\t)(?:\.venv/bin/|sudo |idlebrush |make |python )[^\n]*")
    found = [
        (page.name, match[0].strip()) for page in PAGES for match in commands.finditer(without_blocks(page))
    ]
    assert found == []


def without_blocks(page: Path) -> str:
    return re.sub(r"^ *```.*?^ *```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)


def test_every_command_is_one_that_its_program_takes() -> None:
    commands = [(block, words) for block in BLOCKS if block.mark for words in block.commands]
    assert len(commands) > 60
    wrong = [
        (block.page, block.line, " ".join(words), why) for block, words in commands if (why := fault(words))
    ]
    assert wrong == []


def executed(page: Path) -> list[FencedBlock]:
    return [block for block in blocks_of(page) if block.mark == "executed"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home that has what a reader brings along: the source, and pictures with captions."""
    (tmp_path / "idlebrush").symlink_to(ROOT)
    for name, count in (("photos", 24), ("heldout", 4)):
        draw_pictures(tmp_path / name, count)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "client"))
    return tmp_path


def draw_pictures(folder: Path, count: int) -> None:
    folder.mkdir()
    lines = ["file_name,text"]
    for number in range(count):
        colour, is_round = COLOURS[number % len(COLOURS)], number % 3 == 0
        picture = Image.new("RGB", (64, 64), "white")
        (ImageDraw.Draw(picture).ellipse if is_round else ImageDraw.Draw(picture).rectangle)(
            (12, 12, 52, 52), fill=colour
        )
        picture.save(folder / f"{number}.png")
        lines.append(f"{number}.png,a {colour} {'circle' if is_round else 'square'}")
    (folder / "metadata.csv").write_text("\n".join(lines))


def write_files(page: Path, folder: Path) -> None:
    """Write the files that a page shows: the first `draft.toml` and `swarm.toml`, by the name that it gives them."""
    for block in blocks_of(page):
        if block.info == "toml":
            name = "draft.toml" if block.text.startswith("[training]") else "swarm.toml"
            (folder / name).write_text(block.text)


def execute(words: list[str], folder: Path) -> None:
    """Execute a command, ours in this process, and expect that it succeeds."""
    if words[0] != "idlebrush":
        subprocess.run([str(Path(word).expanduser()) for word in words], cwd=folder, check=True)
        return
    done = idlebrush(*(Path(word).expanduser() if word.startswith("~/") else word for word in words[1:]))
    assert done.returncode == 0, f"{' '.join(words)}\n{done.stdout}\n{done.stderr}"


def pages_to_execute() -> Iterator[Path]:
    first = [ROOT / "docs" / name for name in OF_RUN]
    yield from first
    yield from (page for page in PAGES if page not in first and executed(page))


def test_commands_that_are_marked_as_executed_are_executed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for page in pages_to_execute():
        write_files(page, folder)
        if COORDINATOR in page.read_text():
            monkeypatch.setenv(COORDINATOR, str(folder / "my-run"))
        else:
            monkeypatch.delenv(COORDINATOR, raising=False)
        for block in executed(page):
            for words in block.commands:
                execute(words, folder)
    assert (folder / "final-pages" / "index.html").is_file()
    assert (folder / "final.sqlite").stat().st_size > 0


def test_preferences_that_texts_set_have_such_values(folder: Path) -> None:
    named = {found for page in PAGES for found in PREFERENCE.findall(page.read_text())}
    assert len(named) > 12
    for name, value in sorted(named):
        done = idlebrush("prefs", "set", name, value.strip('"'))
        assert done.returncode == 0, f"{name} {value}: {done.stderr}"

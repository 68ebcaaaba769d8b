"""Keeps the translations in step with the texts of the app: ``python -m assets.translations.update``.

The files ``.ts`` are edited with Qt Linguist, or any editor; the files ``.qm`` are what the app loads.
"""

import ast
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

import PySide6

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PLURALS = "idlebrush_en.ts"
"""English texts are in the sources; just their plurals are translated."""
LANGUAGES = ("de", "es", "fr", "ru", "zh_CN")
_TOOLS = Path(PySide6.__file__).parent
_NUMBER = "QCoreApplication.UnicodeUTF8, n"


def sources() -> list[Path]:
    """Return all files that may hold a text, relative to the root."""
    return sorted(path.relative_to(ROOT) for path in (ROOT / "gui").rglob("*.py"))


def update(folder: Path) -> None:
    """Bring the texts of the sources into the files of that folder; those that are gone are removed."""
    with TemporaryDirectory() as copies:
        for source in sources():
            copy = Path(copies) / source
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(with_plurals((ROOT / source).read_text(encoding="utf-8")), encoding="utf-8")
        for language in LANGUAGES:
            _collect(Path(copies), folder / f"idlebrush_{language}.ts")
        _collect(Path(copies), folder / PLURALS, "-pluralonly")


def release(folder: Path, into: Path) -> None:
    """Make what the app loads."""
    for source in sorted(folder.glob("*.ts")):
        _run("lrelease", "-silent", source, "-qm", into / f"{source.stem}.qm")


def with_plurals(text: str) -> str:
    """Return a module as lupdate 6.11 takes it.

    It looks for the number of a plural behind an encoding, as Qt 4 had it: a plain name, and no comma after it.
    """
    lines = text.splitlines(keepends=True)
    numbers = [
        node.args[3]
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call) and _name(node.func) == "translate" and len(node.args) == 4
    ]
    for number in sorted(numbers, key=lambda node: (node.lineno, node.col_offset), reverse=True):
        line = lines[number.lineno - 1].encode()
        before, after = line[: number.col_offset], line[number.end_col_offset :].removeprefix(b",")
        lines[number.lineno - 1] = before.decode() + _NUMBER + after.decode()
    return "".join(lines)


def _name(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _collect(copies: Path, file: Path, *options: str) -> None:
    # Without line numbers a file changes only where a text does.
    _run(
        "lupdate",
        "-silent",
        "-locations",
        "none",
        "-no-obsolete",
        *options,
        *sources(),
        "-ts",
        file,
        at=copies,
    )


def _run(tool: str, *arguments: str | Path, at: Path = ROOT) -> None:
    subprocess.run([_TOOLS / tool, *arguments], cwd=at, check=True)


if __name__ == "__main__":
    update(HERE)
    release(HERE, HERE)

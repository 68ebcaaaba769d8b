"""Keeps the translations in step with the texts of the app: ``python -m assets.translations.update``.

The files ``.ts`` are edited with Qt Linguist, or any editor; the files ``.qm`` are what the app loads.
"""

import subprocess
from pathlib import Path

import PySide6

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PLURALS = "idlebrush_en.ts"
"""English texts are in the sources; just their plurals are translated."""
LANGUAGES = ("de", "es", "fr", "ru", "zh_CN")
_TOOLS = Path(PySide6.__file__).parent


def sources() -> list[Path]:
    """All that may hold a text, relative to the root."""
    return sorted(path.relative_to(ROOT) for path in (ROOT / "gui").rglob("*.py"))


def update(folder: Path) -> None:
    """Bring the texts of the sources into the files of that folder; those that are gone are removed."""
    files = [folder / f"idlebrush_{language}.ts" for language in LANGUAGES]
    _collect(files)
    _collect([folder / PLURALS], "-pluralonly")


def release(folder: Path, into: Path) -> None:
    """Make what the app loads."""
    for source in sorted(folder.glob("*.ts")):
        _run("lrelease", "-silent", source, "-qm", into / f"{source.stem}.qm")


def _collect(files: list[Path], *options: str) -> None:
    # Without line numbers a file changes only where a text does.
    _run("lupdate", "-silent", "-locations", "none", "-no-obsolete", *options, *sources(), "-ts", *files)


def _run(tool: str, *arguments: str | Path) -> None:
    subprocess.run([_TOOLS / tool, *arguments], cwd=ROOT, check=True)


if __name__ == "__main__":
    update(HERE)
    release(HERE, HERE)

"""Lays the app's desktop files into a prefix: ``python -m installer.linux.layout PREFIX [--program PATH]``.

A package lays them into its own tree below ``usr``; for one user, the prefix is ``~/.local``. Desktops learn of them
by `update-desktop-database` and `update-mime-database`, which packages run by their triggers.
"""

import argparse
import re
import shutil
from collections.abc import Iterator
from importlib.resources import as_file, files
from pathlib import Path

from core.storage.files import write_atomically
from installer.linux.desktop import DESKTOP_ID, app_entry

_HERE = Path(__file__).parent
_COPIED = {
    "idlebrush.xml": "share/mime/packages/idlebrush.xml",
    "idlebrush.metainfo.xml": "share/metainfo/idlebrush.metainfo.xml",
    "idlebrush.1": "share/man/man1/idlebrush.1",
}
"""Files beside this module, and their places below the prefix."""
_UNIT = "idlebrush.service"
_ICONS = "share/icons/hicolor"
_SIZED = re.compile(r"idlebrush-(\d+)\.png")


def lay_out(prefix: Path, program: str = "idlebrush") -> list[Path]:
    """Write all desktop files below ``prefix``, over those of an earlier version.

    Args:
        prefix: Folder such as ``/usr`` of a package's tree, or ``~/.local``.
        program: Program that the desktop starts: a name in ``PATH``, or the absolute path of an installation.

    Returns:
        The files, so that an installer can remove them again.
    """
    entry = prefix / "share" / "applications" / DESKTOP_ID
    entry.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(entry, app_entry(program).encode())
    return [entry, _unit(prefix, program), *_copies(prefix), *_icons(prefix)]


def _unit(prefix: Path, program: str) -> Path:
    """Write the unit of systemd, which nothing enables: it is for computers without a desktop."""
    unit = prefix / "share" / "systemd" / "user" / _UNIT
    unit.parent.mkdir(parents=True, exist_ok=True)
    text = (_HERE / _UNIT).read_text()
    write_atomically(unit, text.replace("ExecStart=idlebrush", f"ExecStart={unit_word(program)}").encode())
    return unit


def unit_word(text: str) -> str:
    """Return the path of a program for a unit of systemd, where a percent sign stands for other things."""
    text = text.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    return f'"{text}"'


def _copies(prefix: Path) -> Iterator[Path]:
    for name, place in _COPIED.items():
        yield _copied(_HERE / name, prefix / place)


def _icons(prefix: Path) -> Iterator[Path]:
    """Copy the app's icons into the icon theme that every desktop falls back to."""
    with as_file(files("assets") / "app") as folder:
        for icon in sorted(folder.iterdir()):
            if sized := _SIZED.fullmatch(icon.name):
                yield _copied(icon, prefix / _ICONS / f"{sized[1]}x{sized[1]}" / "apps" / "idlebrush.png")
        yield _copied(folder / "idlebrush.svg", prefix / _ICONS / "scalable" / "apps" / "idlebrush.svg")


def _copied(file: Path, place: Path) -> Path:
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, place)
    place.chmod(0o644)
    return place


def main() -> None:
    parser = argparse.ArgumentParser(description="Lay the app's desktop files into a prefix, and list them.")
    parser.add_argument("prefix", type=Path)
    parser.add_argument("--program", default="idlebrush", help="name or absolute path of the program")
    given = parser.parse_args()
    for file in lay_out(given.prefix, given.program):
        print(file)


if __name__ == "__main__":
    main()

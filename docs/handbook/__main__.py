"""Builds the handbook: ``python -m docs.handbook [FOLDER]``. Warnings end the build, once all of them were shown."""

import argparse
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from sphinx.application import Sphinx

HERE = Path(__file__).resolve().parent
PAGES = HERE.parent
BUILT = PAGES.parent / "dist" / "docs"
"""Folder of the built handbook, in which a coordinator of this checkout looks for it."""
_OWN = Path("_static", "handbook.css")
"""File by which a folder is known as a handbook."""
UNUSED = (".buildinfo", "objects.inv", "_static/uplot", "_static/debug.css")
"""What is laid out and no page needs: records of the generator, and what the website has beside its typefaces."""


class ForeignFiles(Exception):
    """A folder has files that are no handbook, and a build would delete them."""


def build(folder: Path, pages: Path = PAGES) -> bool:
    """Build the handbook into ``folder``, in place of what was there; return whether there was no warning.

    What was there stays as it is if the build fails.

    Args:
        folder: Folder of the site.
        pages: Folder of the pages in Markdown, one of which is `index.md`.

    Raises:
        ForeignFiles: The folder has something else than an earlier handbook.
    """
    if _has_foreign_files(folder):
        raise ForeignFiles(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".handbook-") as scratch:
        made, trees = Path(scratch) / "html", Path(scratch) / "doctrees"
        app = Sphinx(pages, HERE, made, trees, "html", warningiserror=True, status=None)
        app.build()
        if app.statuscode != 0:
            return False
        for name in UNUSED:
            _remove(made / name)
        if folder.exists():
            folder.rename(Path(scratch) / "before")
        made.rename(folder)
    return True


def _has_foreign_files(folder: Path) -> bool:
    """Return true if what is at ``folder`` is neither an empty folder nor an earlier handbook."""
    if not folder.exists():
        return False
    return not folder.is_dir() or (any(folder.iterdir()) and not (folder / _OWN).is_file())


def _remove(place: Path) -> None:
    if place.is_dir():
        shutil.rmtree(place)
    else:
        place.unlink(missing_ok=True)


def main(words: Sequence[str] | None = None) -> int:
    """Build by the words of a command line; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m docs.handbook", description="Build the handbook.")
    parser.add_argument("folder", type=Path, nargs="?", default=BUILT, help="where the pages go")
    folder = parser.parse_args(words).folder.resolve()
    try:
        is_built = build(folder)
    except ForeignFiles:
        parser.error(
            f"{folder} has files that are no handbook. Name an empty folder, or one that does not exist."
        )
    if not is_built:
        print("The handbook was not built: correct what the lines above name.", file=sys.stderr)
        return 1
    print(f"The handbook is at {folder / 'index.html'}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())

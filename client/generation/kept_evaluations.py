"""Bounds what evaluations keep on the disk for the next ones: its room, and the number of models with drawings."""

from pathlib import Path

from client.fetching.files import DISK_HEAD_ROOM, free_bytes, shortage
from core.errors import DataError
from core.storage import moving

MOST_MODELS = 4
"""Models of one run whose drawings are kept: those that drew last."""
_CAPTION_BYTES = 400
_CELL_BYTES = 256 * 3 * 2
"""Bytes of the mean colours of a picture's 16 x 16 cells."""


def picture_bytes(codes: int, embedding: int) -> int:
    """Return the bytes that an index takes on the disk for each picture.

    Args:
        codes: Codes of a picture.
        embedding: Numbers of an embedding, of which a picture has two.
    """
    return 2 * codes + 2 * 2 * embedding + _CELL_BYTES + _CAPTION_BYTES


def require_room(folder: Path, needed: int, free: int | None = None) -> None:
    """Raise DataError if an index does not fit on the disk.

    Args:
        folder: Folder of the index; what it has already needs no more room.
        needed: Bytes of the whole index.
        free: Bytes that are free; None: those of the folder's disk.
    """
    missing = max(0, needed - kept_bytes(folder))
    if short := shortage(
        "The index of training pictures",
        missing and missing + DISK_HEAD_ROOM,
        free_bytes(folder) if free is None else free,
    ):
        raise DataError(short[0], f"{short[1]} You may also look at fewer pictures with --pictures.")


def kept_bytes(folder: Path) -> int:
    """Return the bytes of all files in ``folder`` and below; 0 if it is missing."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def drawings_of(folder: Path, parameter_digest: str) -> Path:
    """Return the folder of a model's drawings, and remove those of models that drew longest ago.

    Args:
        folder: Folder of the drawings of all models of a run.
        parameter_digest: Digest of the model that draws now.
    """
    own = folder / parameter_digest[:32]
    own.mkdir(parents=True, exist_ok=True)
    own.touch()
    models = sorted(
        (item for item in folder.iterdir() if item.is_dir()), key=lambda item: item.stat().st_mtime_ns
    )
    for old in models[:-MOST_MODELS]:
        if old != own:
            moving.remove_folder(old)
    return own

"""Writes an evaluation to a folder, whole or not at all."""

from collections.abc import Mapping
from pathlib import Path

from core.errors import GenerationError
from core.evaluation.document import FILE, LARGEST, PAGE, PICTURES, Evaluation
from core.storage.disk import Disk
from core.storage.replacement import clear_up, replace_directory

_DISK = Disk()


def write_evaluation(
    folder: Path,
    evaluation: Evaluation,
    pictures: Mapping[str, bytes],
    page: str | None = None,
    disk: Disk = _DISK,
) -> None:
    """Write an evaluation in the place of ``folder``, whole or not at all.

    Args:
        folder: Folder to write; an earlier evaluation in it is replaced.
        evaluation: What was found.
        pictures: Contents of its pictures, by name.
        page: Report for people; None: none is written.
        disk: File operations.

    Raises:
        GenerationError: the folder has other files than those of an evaluation, or cannot be written, or the
            evaluation is too large to be read again.
    """
    place, document = folder.resolve(), f"{evaluation.model_dump_json(indent=1)}\n"
    if len(document.encode()) > LARGEST:
        raise GenerationError("The evaluation is too large.", "Evaluate fewer prompts.")

    def write(made: Path) -> None:
        disk.create_directory(made / PICTURES)
        for name in sorted(evaluation.files):
            disk.write_bytes(made / PICTURES / name, pictures[name])
        disk.flush(made / PICTURES)
        disk.write_text(made / FILE, document)
        if page is not None:
            disk.write_text(made / PAGE, page)

    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        clear_up(place, disk)  # what a writer that was killed left
        check_target(place)
        replace_directory(place, write, disk)
    except OSError as error:
        raise GenerationError(
            f"The evaluation cannot be written to {folder}: {error.strerror or error}.",
            "Free some space on that disk, or choose another folder.",
        ) from error


def check_target(folder: Path) -> None:
    """Raise GenerationError if an evaluation must not be written in the place of ``folder``: it has other files."""
    if not folder.exists():
        return
    if not folder.is_dir() or {item.name for item in folder.iterdir()} - {FILE, PAGE, PICTURES}:
        raise GenerationError(
            f"{folder} has files that are no evaluation.",
            "Choose another folder: its files would be deleted.",
        )

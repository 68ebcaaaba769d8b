"""Finds the frames of a joined run's or a demo's time-lapse on this computer; without torch."""

from pathlib import Path

from client.paths import Paths
from client.service.kept.choices import DaemonState
from client.state_file import LARGEST
from core.errors import GenerationError
from core.generation.records import FRAMES, TIMELAPSE
from core.storage.files import read_bounded

DEMO = Path("demo")
"""Folder of `idlebrush demo --epochs`, unless another is given."""
_TIMELAPSES = ("frames", f"peer/{TIMELAPSE}", TIMELAPSE)
"""Frames of a joined run and of a demo, relative to its folder: first those of all peers."""


def timelapse_folder(paths: Paths, run: Path | None = None) -> Path:
    """Return the folder of the frames that were drawn for a run; raise GenerationError if there are none.

    Args:
        paths: The user's folders.
        run: folder of a joined run or of a demo; None: the joined run's or the demo's.
    """
    folders = (
        [folder for folder in (joined_folder(paths), DEMO) if folder is not None] if run is None else [run]
    )
    places = [folder / name for folder in folders for name in _TIMELAPSES]
    found = next((place for place in places if (place / FRAMES).is_file()), None)
    if found is None:
        where = "a joined run or in demo" if run is None else str(run)
        raise GenerationError(f"No time-lapse was found in {where}.", "Train a run that has sample prompts.")
    return found


def joined_folder(paths: Paths) -> Path | None:
    """Return the folder of the run that the daemon trains or would train, or None if none is known."""
    try:
        return DaemonState.model_validate_json(read_bounded(paths.state, LARGEST)).run_folder
    except (OSError, ValueError):  # the daemon tells of a file that cannot be used
        return None

"""The time-lapse as one moving picture, which a front end makes itself of the frames that the daemon keeps."""

from pathlib import Path

from core.errors import GenerationError

SUFFIXES = (".webp", ".gif", ".png")
"""Suffixes of the files that can be written, the smallest first."""


def save_moving_picture(folder: Path, out: Path) -> int:
    """Write the frames of a time-lapse as one file, whole or not at all, and return their number.

    It takes seconds of a processor, most of them outside of Python, so a front end calls it beside its event loop.

    Args:
        folder: Folder of the frames, as `client.api.commands.KeepFrames` names it.
        out: File to write; its suffix, one of `SUFFIXES`, says in which format.

    Raises:
        OSError: The file cannot be written.
        ValueError: There is no frame that can be used, or the suffix is another one; its text says so.
    """
    from core.generation.animation import (
        save_animation,  # whose library of images front ends load for nothing else
    )

    try:
        return save_animation(folder, out)
    except GenerationError as error:
        raise ValueError(error.what) from error

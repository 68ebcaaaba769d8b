"""Small state kept in a JSON file: saved whole or not at all, and whatever is found there is never fatal."""

import errno
import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from client.api.errors import StateError
from core.run.validation import in_words
from core.storage import moving
from core.storage.files import read_bounded, write_atomically

LARGEST = 256 * 1024
"""Bytes of a state file; more is none of ours."""
SET_ASIDE_KEPT = 3
"""Number of files that are kept of those set aside under one name."""

_NO_SPACE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)

S = TypeVar("S", bound=BaseModel)
WallClock = Callable[[], datetime]


def utc_now() -> datetime:
    return datetime.now(UTC)


def load(path: Path, model: type[S], default: S, clock: WallClock = utc_now) -> tuple[S, StateError | None]:
    """Return the state in the file, or `default` and why; a file that does not exist is no problem."""
    try:
        return model.model_validate_json(read_bounded(path, LARGEST)), None
    except FileNotFoundError:
        return default, None
    except ValidationError as error:
        fault = in_words(error)
    except ValueError:
        fault = f"it has more than {LARGEST} bytes"
    except OSError as error:
        fault = error.strerror or str(error)
    what = f"{path} cannot be used, so defaults are used instead: {fault}."
    return default, StateError(what, _remedy(path, clock()))


def save(path: Path, state: BaseModel) -> None:
    """Replace the file; StateError if it cannot be written, and the file is then unchanged."""
    try:
        write_atomically(path, state.model_dump_json(indent=2).encode() + b"\n")
    except OSError as error:
        raise StateError(
            f"{path} could not be saved: {error.strerror or error}. What was saved before is still there.",
            "Free some space on that disk."
            if error.errno in _NO_SPACE
            else f"See that you may write to {path.parent}.",
        ) from error


def set_aside(path: Path, now: datetime, kept: int = SET_ASIDE_KEPT) -> Path:
    """Rename the file after the time, forget the oldest such files, and return its new place."""
    place = _place_aside(path, now)
    moving.replace(path, place)
    _forget_oldest(path, kept)
    return place


def keep_copy(path: Path, now: datetime) -> Path:
    """Copy the file as `set_aside` names it, but leave it in place, as replacing it may still fail."""
    place = _place_aside(path, now)
    try:
        os.link(path, place)  # needs no space on the disk
    except OSError:  # a file system without links
        write_atomically(place, path.read_bytes())
    _forget_oldest(path, SET_ASIDE_KEPT)
    return place


def _place_aside(path: Path, now: datetime) -> Path:
    return path.with_name(f"{path.name}.set-aside-{now.astimezone(UTC):%Y%m%dT%H%M%S.%fZ}")


def _forget_oldest(path: Path, kept: int) -> None:
    earlier = sorted(path.parent.glob(f"{path.name}.set-aside-*"))
    for old in earlier[:-kept]:
        if not old.is_dir():
            moving.remove(old)


def _remedy(path: Path, now: datetime) -> str:
    try:
        return f"It was set aside as {set_aside(path, now).name}; look there if you miss something."
    except OSError as error:
        return f"Move it away yourself; setting it aside failed: {error.strerror or error}."

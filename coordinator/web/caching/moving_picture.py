"""Keeps the moving picture of a run in memory, which is made again once frames were added, but seldom."""

import logging
import threading
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path

from core.generation.animation import moving_picture
from core.generation.records import columns_for

MOVING_PICTURE = "/timelapse.webp"
"""Address of the moving picture."""
REST_SECONDS = 60.0
"""Least time between two makings: in a small run, each few seconds bring a frame."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class ShownFrame:
    """A frame that may be shown."""

    generation: int
    epoch: int
    sha256: str
    file: Path


@dataclass(frozen=True)
class _MadePicture:
    prompts: tuple[str, ...]
    frames: frozenset[ShownFrame]
    content: bytes | None
    time: float

    def may_be_shown(self, prompts: tuple[str, ...], permitted: AbstractSet[ShownFrame]) -> bool:
        return self.prompts == prompts and self.frames <= permitted


def _beside(work: Callable[[], None]) -> None:
    threading.Thread(target=work, name="moving picture", daemon=True).start()


class MovingPictureCache:
    """The moving picture of one run, made by at most one thread at a time.

    While the next one is made, readers have the one before. They wait only for the first, and where the one before
    has a frame that may no longer be shown.
    """

    def __init__(
        self,
        clock: Callable[[], float],
        rest: float = REST_SECONDS,
        start: Callable[[Callable[[], None]], None] = _beside,
    ) -> None:
        """Prepare to make the picture when it is first requested.

        Args:
            clock: Seconds since an arbitrary moment.
            rest: Least time between two makings, in seconds, unless a frame may no longer be shown.
            start: Starts work beside the requests.
        """
        self._clock, self._rest, self._start = clock, rest, start
        self._making = threading.Lock()
        self._made: _MadePicture | None = None

    def picture(
        self, prompts: tuple[str, ...], frames: Sequence[ShownFrame], permitted: AbstractSet[ShownFrame]
    ) -> bytes | None:
        """Return the frames as a WebP file, or earlier ones of them; None if there are none that can be used.

        It takes seconds of a processor where it has to be made, so it is called beside the event loop.

        Args:
            prompts: Prompts of each frame, in the order of its pictures.
            frames: Frames to show, oldest first.
            permitted: All frames that may be shown; an earlier picture may have others of them.
        """
        if not prompts or not frames:
            return None
        made = self._made
        if made is None or not made.may_be_shown(prompts, permitted):
            with self._making:
                made = self._made
                if made is None or not made.may_be_shown(prompts, permitted):
                    made = self._make(prompts, frames)
        elif made.frames != frozenset(frames) and self._clock() - made.time >= self._rest:
            self._make_beside(made, prompts, frames)
        return made.content

    def _make(self, prompts: tuple[str, ...], frames: Sequence[ShownFrame]) -> _MadePicture:
        files = ((frame.epoch, frame.file) for frame in frames)
        made = moving_picture(prompts, columns_for(len(prompts)), files)
        content = None if made is None else made.content
        self._made = _MadePicture(prompts, frozenset(frames), content, self._clock())
        return self._made

    def _make_beside(
        self, before: _MadePicture, prompts: tuple[str, ...], frames: Sequence[ShownFrame]
    ) -> None:
        """Begin to make the next picture, unless it is being made."""

        def make() -> None:
            try:
                if self._made is before:
                    self._make(prompts, frames)
            except Exception:  # noqa: BLE001 - it is logged, and the next request tries again
                _log.exception("The moving picture could not be made.")
            finally:
                self._making.release()

        if self._making.acquire(blocking=False):
            self._start(make)

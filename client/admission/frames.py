"""Keeps the frames of a run's time-lapse in a folder: its coordinator's, and between them those that were drawn here.

Only `client.task`'s process loads this.
"""

import hashlib
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from client.admission.coordinator import CoordinatorClient, PublishedFrame, PublishedFrames
from client.admission.tasks import FramesKept, KeepFramesTask
from client.api.errors import CoordinatorAway, StateError
from client.api.gallery import TimelapseIndex
from core.data.images import BrokenImageError, open_image
from core.generation.records import FRAME_BYTES, FRAMES, FrameIndex, TimelapseFrame, frame_file
from core.storage import moving
from core.storage.files import read_bounded, sha256_of, write_atomically

PUBLISHED = "published.json"
"""File with the coordinator's last answer, in the folder."""
MOST_FRAMES = 200
"""Largest number of the coordinator's frames that are kept, besides the newest."""
_MOST_PIXELS = 1 << 22
_PUBLISHED_BYTES = 1 << 18
_SHOW_EVERY = 8
_LONGEST_WAIT = 10.0
"""Seconds that are waited where the coordinator has too many requests from here; if it asks for more, nothing is."""


class IndexedFrames:
    """A folder of frames with its index; nothing is in it that is not whole."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.folder = folder
        self._digests = {file.name: sha256_of(file) for file in folder.glob("epoch-*.webp")}

    def has(self, frame: TimelapseFrame | PublishedFrame) -> bool:
        return self._digests.get(frame_file(frame.epoch)) == frame.sha256

    def put(self, frame: TimelapseFrame | PublishedFrame, data: bytes) -> None:
        write_atomically(self.folder / frame_file(frame.epoch), data)
        self._digests[frame_file(frame.epoch)] = frame.sha256

    def show(self, index: FrameIndex) -> None:
        """Write the index, so that readers find these frames and no others."""
        write_atomically(self.folder / FRAMES, f"{index.model_dump_json(indent=1)}\n".encode())

    def tidy(self, index: FrameIndex) -> None:
        """Remove what the index does not name."""
        for name in {*self._digests} - {frame_file(frame.epoch) for frame in index.frames}:
            moving.remove(self.folder / name)
            del self._digests[name]


def keep(
    task: KeepFramesTask, coordinator: CoordinatorClient, arrived: Callable[[], int] = lambda: 0
) -> FramesKept:
    """Fetch the missing frames; those that are here can be looked at meanwhile, and an interruption loses nothing.

    Args:
        task: Frames to fetch, and their folder.
        coordinator: Coordinator of the run.
        arrived: Called after each frame; returns how many bytes have been received.

    Raises:
        CoordinatorAway: It does not answer, or serves no more frames now.
        GateError: It refuses to list its frames.
        StateError: They cannot be written.
    """
    try:
        return _Keeping(task).through(coordinator, arrived)
    except OSError as error:
        raise StateError(
            f"The run's pictures cannot be saved in {task.folder}: {error.strerror or error}.",
            "Check that the disk has space and that the folder can be used.",
        ) from error


class _Keeping:
    def __init__(self, task: KeepFramesTask) -> None:
        self._task, self._frames = task, IndexedFrames(task.folder)
        self._own, self._published = _index_in(task.own), _last_published(task.folder)
        self._show()

    def through(self, coordinator: CoordinatorClient, arrived: Callable[[], int]) -> FramesKept:
        allowed = self._task.may_fetch
        if allowed != 0:
            self._replace_published(coordinator.frames(MOST_FRAMES))
        missing = [frame for frame in self._published.frames if not self._frames.has(frame)]
        for number, frame in enumerate(coarse_first(missing)):
            passed = arrived()
            if allowed is not None and passed + frame.size > allowed:
                break
            if _is_good(data := _patiently(coordinator, frame), frame):
                self._frames.put(frame, data)
            if number % _SHOW_EVERY == 0:
                self._show()
        arrived()
        index = self._show()
        self._frames.tidy(index)
        left = sum(not self._frames.has(frame) for frame in self._published.frames)
        return FramesKept(count=len(index.frames), missing=left)

    def _replace_published(self, published: PublishedFrames) -> None:
        self._published = published
        write_atomically(self._frames.folder / PUBLISHED, published.model_dump_json().encode())

    def _show(self) -> FrameIndex:
        here = [frame for frame in self._published.frames if self._frames.has(frame)]
        index = merged(self._published, here, self._own)
        for frame in index.frames:
            if not self._frames.has(frame):
                self._frames.put(frame, read_bounded(self._task.own / frame_file(frame.epoch), FRAME_BYTES))
        self._frames.show(index)
        return index


def merged(published: PublishedFrames, here: Iterable[PublishedFrame], own: FrameIndex) -> FrameIndex:
    """Return the frames that can be shown: of each epoch the coordinator's, or else the own one.

    Own frames of other prompts are left out. Before the coordinator has announced any prompts, return
    ``own``.
    """
    if not published.prompts:
        return own
    drawn = own.frames if own.prompts == published.prompts else ()
    digests = {frame.epoch: frame.sha256 for frame in drawn} | {frame.epoch: frame.sha256 for frame in here}
    shown = (TimelapseFrame(epoch=epoch, sha256=digests[epoch]) for epoch in sorted(digests))
    return FrameIndex(prompts=published.prompts, columns=published.columns, frames=tuple(shown))


def coarse_first(frames: Sequence[PublishedFrame]) -> list[PublishedFrame]:
    """Return the frames in an order in which the first few span the whole time and later ones fill the gaps."""
    order: dict[int, None] = dict.fromkeys((0, len(frames) - 1)) if frames else {}
    step = 1 << len(frames).bit_length()
    while step:
        order |= dict.fromkeys(range(0, len(frames), step))
        step //= 2
    return [frames[number] for number in order]


def _patiently(coordinator: CoordinatorClient, frame: PublishedFrame) -> bytes:
    try:
        return coordinator.frame(frame)
    except CoordinatorAway as error:
        if not 0 < error.seconds <= _LONGEST_WAIT:
            raise
        time.sleep(error.seconds)
        return coordinator.frame(frame)


def _is_good(data: bytes, frame: PublishedFrame) -> bool:
    """Return true if the data is the announced picture and can be decoded without harm."""
    if len(data) != frame.size or hashlib.sha256(data).hexdigest() != frame.sha256:
        return False
    try:
        open_image(data, _MOST_PIXELS, ("WEBP",))
    except BrokenImageError:
        return False
    return True


def _index_in(folder: Path) -> FrameIndex:
    """Return the index of the frames in a folder whose files match it."""
    try:
        index = TimelapseIndex.read(folder)
    except (OSError, ValueError):
        return FrameIndex(prompts=(), columns=1)
    whole = tuple(frame for frame in index.frames if _is_whole(folder, frame))
    return FrameIndex(prompts=index.prompts, columns=index.columns, frames=whole)


def _is_whole(folder: Path, frame: TimelapseFrame) -> bool:
    try:
        return sha256_of(folder / frame_file(frame.epoch)) == frame.sha256
    except OSError:
        return False


def _last_published(folder: Path) -> PublishedFrames:
    try:
        return PublishedFrames.model_validate_json(read_bounded(folder / PUBLISHED, _PUBLISHED_BYTES))
    except (OSError, ValueError):
        return PublishedFrames()

"""Draws the run's prompts every few epochs from the same seeds, so that a person sees the model learn.

One peer of the swarm draws each frame: the one that the epoch's commit picks, or the next in order where that one
does not. It is drawn a moment at a time between micro-steps: no round waits for pictures.
"""

import hashlib
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from torch import Tensor

from core.excerpt import passage
from core.generation.frame_texts import MOST_TEXTS, TEXT_LETTERS
from core.generation.requested_pictures import MOMENT_SECONDS, failure_of
from core.generation.service import give_back_memory, wait_for
from core.generation.sheet import SampleSheet
from core.messages.events import Event, Notice, SamplesDrawn
from core.model.family.interface import SpecimenMaker, SpecimenWork
from core.model.family.trainable import TrainableModel
from core.storage.files import sha256_of
from core.swarm.state.replica import Place

MOST_PROMPTS = MOST_TEXTS
"""Prompts of a time-lapse, at most."""
TURN_SECONDS = 300.0
"""Seconds that a peer has to draw a frame and announce it, before it falls to the next peer."""


def turn_of(peer: bytes, others: Iterable[bytes], head: bytes, *, unreachable: Collection[bytes] = ()) -> int:
    """Return the number of peers before this one in the order in which an epoch's frame falls to them.

    All peers that see the same peers agree on the order, and each epoch has another one: rendezvous hashing
    (Thaler and Ravishankar, 1998) with the epoch's commit.

    Args:
        peer: Id of this peer.
        others: Ids of the peers that compute; this one's may be among them.
        head: Commit of the epoch.
        unreachable: Ids of peers that cannot be asked for a frame; they come last.
    """
    order = sorted({peer, *others}, key=lambda one: (one in unreachable, hashlib.sha256(head + one).digest()))
    return order.index(peer)


class Frames(Protocol):
    """Destination of finished frames."""

    def save(self, images: Tensor, epoch: int, texts: Sequence[str] = ()) -> Path:
        """Write the frame of an ``epoch``, and return its file.

        ``images`` are floats (prompts, 3, height, width) in [0, 1], and ``texts`` what they show, if it is text.
        Raises OSError if the frame cannot be written.
        """


class Announcements(Protocol):
    """Messages in which peers tell each other of frames."""

    def announce(self, epoch: int, parameters: str, frame: str, size: int) -> None:
        """Tell the swarm that this peer has the frame of an epoch.

        Args:
            epoch: Epoch of the frame.
            parameters: Digest of the parameters that it was drawn with, in hex.
            frame: SHA-256 of its file, in hex.
            size: Bytes of its file.
        """

    def newest_epoch(self, own: int) -> int | None:
        """Return the newest epoch up to ``own`` that a peer has a frame of.

        Returns 0 if there is none, and None until the swarm answers.
        """

    def renew(self) -> None:
        """Repeat the last announcement if the swarm would else forget it early; called now and then."""


@dataclass(frozen=True)
class FrameSharing:
    """Settings of frames that the peers of a swarm draw in turns."""

    peer: bytes
    """Id of this peer."""
    announcements: Announcements
    offer: Callable[[str, Path], None] = lambda digest, file: None
    """Receiver of each frame before it is announced: from then on its file can be fetched by its SHA-256 (hex)."""
    is_reachable: Callable[[], bool] = lambda: True
    """Answer to whether other peers can reach this one at present."""
    takes_turns: bool = True
    """True if this peer draws only the frames that fall to it, rather than all."""


@dataclass(frozen=True)
class Scene:
    """Subject and rhythm of a time-lapse."""

    maker: SpecimenMaker
    """Makes a specimen of each prompt, at most `MOST_PROMPTS`."""
    every: int
    """Number of epochs between frames."""


class TimelapseDrawer:
    """Draws one frame at a time, with the model as it was when the frame was begun."""

    def __init__(
        self,
        scene: Scene,
        frames: Frames,
        report: Callable[[Event], None],
        shared: FrameSharing | None = None,
        sheet: SampleSheet | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Prepare to draw the frames of a time-lapse.

        Args:
            scene: What is drawn, and epochs between frames.
            frames: Destination of finished frames.
            report: Called with each event: frames drawn, and notices of failures.
            shared: Turns among the peers of a swarm; None: this peer draws all frames and announces none.
            sheet: Sheet that shows the newest frame, too.
            clock: Returns the time in seconds.
        """
        self._scene, self._frames, self._report, self._sheet = scene, frames, report, sheet
        self._shared, self._clock = shared, clock
        self._aside = ThreadPoolExecutor(max_workers=1, thread_name_prefix="frames")
        self._due: _Due | None = None
        self._drawing: tuple[Place, SpecimenWork] | None = None
        self._saving: tuple[Place, Future[Path]] | None = None
        self._has_given_up = False
        self._texts: tuple[str, ...] = ()
        """Texts of the frame that was saved last; of use once its thread has ended."""

    @property
    def unfinished(self) -> bool:
        """True if a frame is being drawn or written, or falls to this peer first and is about to be begun."""
        is_ours = self._due is not None and not self._due.turn
        return is_ours or self._drawing is not None or self._saving is not None

    def pass_epoch(
        self,
        place: Place,
        others: Iterable[bytes],
        *,
        unreachable: Collection[bytes] = (),
        is_last: bool = False,
    ) -> None:
        """Note that an epoch is over; if it has a frame, find out when this peer's turn to draw it is.

        Args:
            place: Epoch and head of the chain that the run has reached.
            others: Ids of the peers that compute.
            unreachable: Ids of peers that cannot be asked for a frame.
            is_last: True for the run's last epoch, which always has a frame.
        """
        if is_last or place.epoch % self._scene.every == 0:
            turn = self._turn(others, unreachable, place.head)
            self._due = _Due(place.epoch, turn, self._clock() + turn * TURN_SECONDS)

    def _turn(self, others: Iterable[bytes], unreachable: Collection[bytes], head: bytes) -> int:
        if self._shared is None or not self._shared.takes_turns:
            return 0
        own = self._shared.peer
        last = {*unreachable} if self._shared.is_reachable() else {*unreachable, own}
        return turn_of(own, others, head, unreachable=last)

    def put_off(self) -> bool:
        """Free the memory of the frame until the next turn, when it is begun again.

        Returns False, and changes nothing, while a frame is being written.
        """
        if self._saving is not None:
            return False
        if self._drawing is not None:
            (place, _), self._drawing = self._drawing, None
            self._due = _Due(place.epoch, 0, self._clock())
            give_back_memory()
        return True

    def draw_on(self, model: TrainableModel, place: Place, free: int) -> bool:
        """Draw for about `MOMENT_SECONDS`, if a frame is due; return True if there was something to compute.

        Args:
            model: Model that is copied when a frame is begun.
            place: Epoch and head of the chain at which ``model`` stands.
            free: Bytes that training leaves on the model's device.
        """
        if self._shared is not None:
            self._shared.announcements.renew()
        if self._saving is not None:
            self._look_at_saving(*self._saving)
            return False
        try:
            return self._compute(model, place, free)
        except Exception as error:  # noqa: BLE001 - whatever it is, it must not end the training
            self._give_up(failure_of(error).what)
            return True

    def _give_up(self, why: str) -> None:
        """Give up this frame; only the first time is reported."""
        if self._drawing is None:  # it could not be begun
            self._due = None
        self._drawing = None
        if not self._has_given_up:
            self._report(Notice(text=f"{why} The time-lapse lacks pictures; training continues."))
        self._has_given_up = True

    def _compute(self, model: TrainableModel, place: Place, free: int) -> bool:
        if self._drawing is not None:
            self._step(*self._drawing)
            return True
        if self._due is None or not self._is_ours(self._due, place.epoch):
            return False
        self._due = None
        self._drawing = place, self._scene.maker.begin(model, free)
        return True

    def _is_ours(self, due: "_Due", epoch: int) -> bool:
        """Return True if the peers before this one have had their time, and have announced no frame."""
        if self._clock() < due.time:
            return False
        if self._shared is None or due.turn == 0:
            return True
        newest = self._shared.announcements.newest_epoch(epoch)
        if newest is not None and newest >= due.epoch:
            self._due = None
        return newest is not None and newest < due.epoch

    def _step(self, place: Place, drawing: SpecimenWork) -> None:
        until = self._clock() + MOMENT_SECONDS
        while not drawing.done and self._clock() < until:
            drawing.step()
            wait_for(drawing.device)
        if drawing.done:
            self._drawing = None
            give_back_memory()
            self._saving = place, self._aside.submit(self._save, drawing.codes(), place.epoch)

    def _save(self, codes: Tensor, epoch: int) -> Path:
        """Decode and write the frame, in a thread, as that takes long and has no steps."""
        images = self._scene.maker.pictures(codes)
        self._texts = tuple(passage(text, TEXT_LETTERS) for text in self._scene.maker.texts(codes))
        if self._sheet is not None:
            self._sheet.save(images, epoch)
        return self._frames.save(images, epoch, self._texts)

    def _look_at_saving(self, place: Place, saving: Future[Path]) -> None:
        if not saving.done():
            return
        self._saving = None
        try:
            path = saving.result()
            if self._shared is not None:
                digest, size = sha256_of(path), path.stat().st_size
                self._shared.offer(digest, path)
                self._shared.announcements.announce(place.epoch, place.digest, digest, size)
            shown = self._sheet.path if self._sheet else path
            self._report(SamplesDrawn(epoch=place.epoch, path=shown, texts=self._texts))
        except Exception as error:  # noqa: BLE001 - whatever it is, it must not end the training
            why = failure_of(error)
            self._report(Notice(text=f"The pictures of epoch {place.epoch} could not be saved: {why}"))


@dataclass(frozen=True)
class _Due:
    """A frame that this peer draws, unless those before it do."""

    epoch: int
    turn: int
    """Number of peers before this one."""
    time: float
    """Time of the clock at which this peer's turn begins, in seconds."""

"""Draws the run's prompts every few epochs from the same seeds, so that a person sees the model learn.

One peer of the swarm draws each frame: the one that the epoch's commit picks, or the next in order where that one
does not. It is drawn a moment at a time between micro-steps: no round waits for pictures.
"""

import copy
import hashlib
import time
from collections.abc import Callable, Collection, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import torch
from torch import Tensor

from core.codec.vqgan import load_codec
from core.events import Event, Notice, SamplesDrawn
from core.files import resolve_file, sha256_of
from core.generation.between import MOMENT_SECONDS
from core.generation.failure import failure_of
from core.generation.parts import precision_of, room_beside
from core.generation.prompts import PromptDrawing, prompts_that_fit
from core.generation.sampling import Sampling
from core.generation.service import give_back_memory, wait_for
from core.model.transformer import Transformer
from core.pictures import SampleSheet
from core.rules import CodecRules
from core.swarm.replica import Place
from core.text import CaptionTokenizer

MOST_PROMPTS = 16
TURN_SECONDS = 300.0
"""For a peer to draw a frame and tell of it, before it falls to the next."""


def turn_of(peer: bytes, others: Iterable[bytes], head: bytes, *, unreachable: Collection[bytes] = ()) -> int:
    """How many peers come before this one in the order in which an epoch's frame falls to them.

    All that see the same peers agree, and each epoch has another order: rendezvous hashing (Thaler and Ravishankar,
    1998) with the epoch's commit. From an ``unreachable`` peer nobody could fetch the frame: those come last.
    """
    order = sorted({peer, *others}, key=lambda one: (one in unreachable, hashlib.sha256(head + one).digest()))
    return order.index(peer)


class Frames(Protocol):
    """Where finished frames go."""

    def save(self, images: Tensor, epoch: int) -> Path:
        """Write one, of floats (prompts, 3, height, width) in [0, 1]; OSError where that cannot be."""


class Announcements(Protocol):
    """What peers tell each other of frames."""

    def announce(self, epoch: int, parameters: str, frame: str, size: int) -> None: ...

    def newest_epoch(self, own: int) -> int | None: ...


@dataclass(frozen=True)
class Shared:
    """Frames that the peers of a swarm take turns with."""

    peer: bytes
    """This one's id."""
    announcements: Announcements
    offer: Callable[[str, Path], None] = lambda digest, file: None
    """Called before a frame is told of: from then on its file can be asked for by its SHA-256 (hex)."""
    is_reachable: bool = True
    """Whether others can ask this peer at all."""
    takes_turns: bool = True
    """Whether this peer draws just the frames that fall to it, rather than all."""


@dataclass(frozen=True)
class Scene:
    """What is drawn, and how codes become pictures."""

    prompts: tuple[str, ...]
    """At least one; `MOST_PROMPTS` of them at most are drawn."""
    every: int
    """Epochs between frames."""
    codec: CodecRules
    base: Path
    """The folder of the run's files."""


class TimeLapse:
    """One frame at a time, of the model as it was when the frame was begun."""

    def __init__(
        self,
        scene: Scene,
        tokenizer: CaptionTokenizer,
        frames: Frames,
        report: Callable[[Event], None],
        shared: Shared | None = None,
        sheet: SampleSheet | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``shared`` is None for a peer that tells nobody of its frames; ``sheet`` shows the newest as well."""
        self._scene, self._frames, self._report, self._sheet = scene, frames, report, sheet
        self._shared, self._clock = shared, clock
        self._text = tokenizer.encode(scene.prompts[:MOST_PROMPTS])
        self._aside = ThreadPoolExecutor(max_workers=1, thread_name_prefix="frames")
        self._due: _Due | None = None
        self._drawing: tuple[Place, PromptDrawing] | None = None
        self._saving: tuple[Place, Future[Path]] | None = None
        self._has_given_up = False

    @property
    def unfinished(self) -> bool:
        """Whether a frame is being drawn or written, or is this peer's and about to be."""
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
        """An epoch is over: see whose turn its frame is, if it has one, among this peer and those that compute."""
        if is_last or place.epoch % self._scene.every == 0:
            turn = self._turn(others, unreachable, place.head)
            self._due = _Due(place.epoch, turn, self._clock() + turn * TURN_SECONDS)

    def _turn(self, others: Iterable[bytes], unreachable: Collection[bytes], head: bytes) -> int:
        if self._shared is None or not self._shared.takes_turns:
            return 0
        own = self._shared.peer
        last = {*unreachable} if self._shared.is_reachable else {*unreachable, own}
        return turn_of(own, others, head, unreachable=last)

    def put_off(self) -> bool:
        """Take no memory until the next turn, when a frame is begun anew; False while one is being written."""
        if self._saving is not None:
            return False
        if self._drawing is not None:
            (place, _), self._drawing = self._drawing, None
            self._due = _Due(place.epoch, 0, self._clock())
            give_back_memory()
        return True

    def draw_on(self, model: Transformer, place: Place, free: int) -> bool:
        """Go on for a moment; whether there was something to compute.

        ``place`` is where ``model`` stands, ``free`` the bytes that training leaves on its device.
        """
        if self._saving is not None:
            self._look_at_saving(*self._saving)
            return False
        try:
            return self._compute(model, place, free)
        except Exception as error:  # noqa: BLE001 - whatever it is, it must not end the training
            self._give_up(failure_of(error).what)
            return True

    def _give_up(self, why: str) -> None:
        """This frame; only the first time is worth telling."""
        if self._drawing is None:  # it could not be begun
            self._due = None
        self._drawing = None
        if not self._has_given_up:
            self._report(Notice(f"{why} The time-lapse lacks pictures; training goes on."))
        self._has_given_up = True

    def _compute(self, model: Transformer, place: Place, free: int) -> bool:
        if self._drawing is not None:
            self._step(*self._drawing)
            return True
        if self._due is None or not self._is_ours(self._due, place.epoch):
            return False
        self._due = None
        room, precision = room_beside(model, free), precision_of(model)
        still = copy.deepcopy(model).requires_grad_(False)
        at_once = prompts_that_fit(model.config, room, len(self._text), precision)
        sampling = Sampling.of_prompts(model.config.image_vocab)
        self._drawing = place, PromptDrawing(still, self._text, sampling, at_once)
        return True

    def _is_ours(self, due: "_Due", epoch: int) -> bool:
        """Whether those before this peer have had their time, and have told of no frame."""
        if self._clock() < due.time:
            return False
        if self._shared is None or due.turn == 0:
            return True
        newest = self._shared.announcements.newest_epoch(epoch)
        if newest is not None and newest >= due.epoch:
            self._due = None
        return newest is not None and newest < due.epoch

    def _step(self, place: Place, drawing: PromptDrawing) -> None:
        until = self._clock() + MOMENT_SECONDS
        while not drawing.done and self._clock() < until:
            drawing.step()
            wait_for(drawing.device)
        if drawing.done:
            self._drawing = None
            give_back_memory()
            self._saving = place, self._aside.submit(self._save, drawing.codes(), place.epoch)

    def _save(self, codes: Tensor, epoch: int) -> Path:
        """In a thread: it takes a while, and has no steps."""
        files, base = self._scene.codec, self._scene.base
        codec = load_codec(resolve_file(files.config, base), resolve_file(files.weights, base))
        images = torch.cat([codec.decode(one) for one in codes.split(1)])
        if self._sheet is not None:
            self._sheet.save(images, epoch)
        return self._frames.save(images, epoch)

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
        except Exception as error:  # noqa: BLE001 - whatever it is, it must not end the training
            why = failure_of(error)
            self._report(Notice(f"The pictures of epoch {place.epoch} could not be saved: {why}"))
        else:
            self._report(SamplesDrawn(place.epoch, self._sheet.path if self._sheet else path))


@dataclass(frozen=True)
class _Due:
    """A frame that this peer draws, unless those before it do."""

    epoch: int
    turn: int
    """How many come before this peer."""
    time: float
    """On the clock, when it is this peer's turn."""

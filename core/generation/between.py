"""Draws the pictures that a trainer is asked for between its micro-steps, a moment at a time: rounds never wait."""

import copy
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from core.events import Event, PictureOrder, PicturesFailed, PicturesProgress, PicturesSaved
from core.generation.album import discard_album, prepare_album, publish_album
from core.generation.failure import failure_of
from core.generation.parts import Origin, Parts, complete, room_beside
from core.generation.service import Cancelled, Generation, give_back_memory, wait_for
from core.model.transformer import Transformer
from core.run import RunManifest
from core.text import CaptionTokenizer

MOMENT_SECONDS = 0.2
"""Of drawing between two micro-steps."""
_REPORT_SECONDS = 1.0


class PicturesBetween:
    """One order at a time, drawn by the model as it was when the order came.

    What takes long without a step in between, loading the codec and writing files, happens in a thread.
    """

    def __init__(
        self,
        manifest: RunManifest,
        base: Path,
        tokenizer: CaptionTokenizer,
        report: Callable[[Event], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``base`` is the folder of the manifest's files."""
        self._manifest, self._base, self._tokenizer = manifest, base, tokenizer
        self._report, self._clock = report, clock
        self._aside = ThreadPoolExecutor(max_workers=1, thread_name_prefix="pictures")
        self._order: PictureOrder | None = None
        self._withdrawn = threading.Event()
        """Whether the order is not wanted any more, for the thread."""
        self._generation: Generation | None = None
        self._pending: tuple[Future[Any], Callable[[Any], None]] | None = None
        """What the thread does, and what follows from its result."""
        self._reported = float("-inf")

    @property
    def is_busy(self) -> bool:
        """Whether an order is under way, and takes memory."""
        return self._generation is not None or self._pending is not None

    def knows(self, order: PictureOrder | None) -> bool:
        """Whether that is the order which it has, carried out or not."""
        return order == self._order

    def obey(self, order: PictureOrder | None, model: Transformer, origin: Origin, free: int) -> None:
        """See that this order is under way, or none.

        Args:
            order: as it is wanted now; None ends the last one.
            model: is copied when a new order comes.
            origin: what ``model`` is then.
            free: bytes that training leaves on the model's device.
        """
        if self.knows(order):
            return
        self.withdraw()
        self._order = order
        if order is not None:
            with self._failing(order):
                self._tokenizer.encode_prompt(order.request.prompt)
                room = room_beside(model, free)
                still = copy.deepcopy(model).requires_grad_(False)
                files = self._manifest, self._base, self._tokenizer
                loading = self._aside.submit(complete, still, origin, *files, room, self._unless_withdrawn())
                self._pending = loading, lambda parts: self._begin(order, parts)

    def withdraw(self) -> None:
        """End the order, and leave nothing of it, even if the thread is just writing its files."""
        order, pending = self._order, self._pending
        self._order = self._generation = self._pending = None
        self._withdrawn.set()
        self._withdrawn = threading.Event()
        give_back_memory()
        if order is not None and pending is not None:
            folder = order.folder
            pending[0].cancel()
            pending[0].add_done_callback(lambda _: discard_album(folder))

    def draw_on(self) -> bool:
        """Go on for a moment; whether there was something to compute."""
        if self._order is None:
            return False
        with self._failing(self._order):
            if self._pending is None and self._generation is not None:
                self._compute(self._order, self._generation)
                return True
            if self._pending is not None and self._pending[0].done():
                (done, follow), self._pending = self._pending, None
                follow(done.result())
        return False

    def _unless_withdrawn(self) -> Callable[[int, int], None]:
        """Breaks a download off, which is told how many bytes are here, once nobody wants it for this order."""
        withdrawn = self._withdrawn

        def arrived(done: int, total: int) -> None:
            if withdrawn.is_set():
                raise Cancelled

        return arrived

    def _begin(self, order: PictureOrder, parts: Parts) -> None:
        self._generation, self._origin = Generation(order.request, parts), parts.origin

    def _compute(self, order: PictureOrder, generation: Generation) -> None:
        until = self._clock() + MOMENT_SECONDS
        while not generation.done and self._clock() < until:
            generation.step()
            wait_for(generation.device)
        if generation.done or self._clock() - self._reported >= _REPORT_SECONDS:
            self._reported = self._clock()
            self._report(PicturesProgress(order.id, generation.progress))
        if generation.done:
            self._generation = None
            give_back_memory()
            saving = self._aside.submit(
                prepare_album, order.folder, order.request, self._origin, generation.pictures()
            )
            self._pending = saving, lambda album: self._publish(order)

    def _publish(self, order: PictureOrder) -> None:
        """Here and not in the thread: an order that was withdrawn meanwhile never gets so far."""
        publish_album(order.folder)
        self._report(PicturesSaved(order.id))

    @contextmanager
    def _failing(self, order: PictureOrder) -> Iterator[None]:
        """What goes wrong ends the order, and nothing else."""
        try:
            yield
        except Exception as error:  # noqa: BLE001 - whatever it is, it must not end the training
            failure = failure_of(error)
            self._generation, self._pending = None, None
            self._report(PicturesFailed(order.id, failure.code, failure.what, failure.remedy))

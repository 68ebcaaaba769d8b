"""Draws the pictures that a trainer is asked for between its micro-steps, a moment at a time: rounds never wait."""

import copy
import logging
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from core.errors import CoreError, GenerationError
from core.generation.album import discard_album, prepare_album, publish_album
from core.generation.parts import DrawingParts, Origin, complete, room_beside
from core.generation.service import Cancelled, PictureGeneration, give_back_memory, wait_for
from core.messages.events import Event, PictureOrder, PicturesFailed, PicturesProgress, PicturesSaved
from core.model.micro_steps import is_out_of_memory
from core.model.transformer import Transformer
from core.run.manifest import RunManifest
from core.run.training.families import picture_rules
from core.text import CaptionTokenizer

_log = logging.getLogger(__name__)


def failure_of(error: Exception) -> CoreError:
    """Return the CoreError that tells people of ``error``; an unforeseen error is logged with its traceback."""
    if isinstance(error, CoreError):
        return error
    if isinstance(error, OSError):
        why = error.strerror or error
        return GenerationError(f"A file cannot be read or written: {why}.", "Free some space on that disk.")
    if is_out_of_memory(error):
        return GenerationError(
            "There is too little memory to draw pictures while training.",
            "Pause training, and ask again.",
        )
    _log.error("Drawing failed.", exc_info=error)
    return GenerationError(
        f"Drawing failed in a way that was not foreseen ({type(error).__name__}).",
        "Please report this, with the end of the trainer's log.",
    )


MOMENT_SECONDS = 0.2
"""Seconds of drawing between two micro-steps."""
_REPORT_SECONDS = 1.0


class RequestedPictures:
    """Carries out one order at a time, with the model as it was when the order came.

    A thread loads the codec and writes the files, as both take long and have no steps.
    """

    def __init__(
        self,
        manifest: RunManifest,
        base: Path,
        tokenizer: CaptionTokenizer,
        report: Callable[[Event], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Prepare to carry out orders of a run.

        Args:
            manifest: The run's manifest.
            base: Folder of the manifest's files.
            tokenizer: The run's tokenizer.
            report: Called with each event: progress, pictures saved, or failure.
            clock: Returns the time in seconds.
        """
        self._manifest, self._base, self._tokenizer = manifest, base, tokenizer
        self._report, self._clock = report, clock
        self._aside = ThreadPoolExecutor(max_workers=1, thread_name_prefix="pictures")
        self._order: PictureOrder | None = None
        self._withdrawn = threading.Event()
        """Event for the thread that is set once the order is withdrawn."""
        self._generation: PictureGeneration | None = None
        self._pending: tuple[Future[Any], Callable[[Any], None]] | None = None
        """Work of the thread, and the function that takes its result."""
        self._reported = float("-inf")

    @property
    def is_busy(self) -> bool:
        """True if an order is under way, and takes memory."""
        return self._generation is not None or self._pending is not None

    def knows(self, order: PictureOrder | None) -> bool:
        """Return True if ``order`` is the current order, even if it has been carried out already."""
        return order == self._order

    def obey(self, order: PictureOrder | None, model: Transformer, origin: Origin, free: int) -> None:
        """Start the given order unless it is the current one, and end any other.

        Args:
            order: Order that is wanted now; None ends the last one.
            model: Model that is copied when a new order comes.
            origin: Identity of ``model``: its run, epoch and parameters.
            free: Bytes that training leaves on the model's device.
        """
        if self.knows(order):
            return
        self.withdraw()
        self._order = order
        if order is not None:
            with self._failing(order):
                self._tokenizer.encode_prompt(order.request.prompt)
                guidance = picture_rules(self._manifest.training).data.usual_guidance
                sampling = order.request.sampling(model.config.image_vocab, guidance)
                room = room_beside(model, free, guided=sampling.is_guided)
                still = copy.deepcopy(model).requires_grad_(False)
                files = self._manifest, self._base, self._tokenizer
                loading = self._aside.submit(complete, still, origin, *files, room, self._unless_withdrawn())
                self._pending = loading, lambda parts: self._begin(order, parts)

    def withdraw(self) -> None:
        """End the order and discard its results, even if the thread is writing its files."""
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
        """Draw for about `MOMENT_SECONDS`; return True if there was something to compute."""
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
        """Return a callback of a download that raises Cancelled once the current order is withdrawn."""
        withdrawn = self._withdrawn

        def arrived(done: int, total: int) -> None:
            if withdrawn.is_set():
                raise Cancelled

        return arrived

    def _begin(self, order: PictureOrder, parts: DrawingParts) -> None:
        self._generation, self._origin = PictureGeneration(order.request, parts), parts.origin

    def _compute(self, order: PictureOrder, generation: PictureGeneration) -> None:
        until = self._clock() + MOMENT_SECONDS
        while not generation.done and self._clock() < until:
            generation.step()
            wait_for(generation.device)
        if generation.done or self._clock() - self._reported >= _REPORT_SECONDS:
            self._reported = self._clock()
            self._report(PicturesProgress(id=order.id, progress=generation.progress))
        if generation.done:
            self._generation = None
            give_back_memory()
            saving = self._aside.submit(
                prepare_album, order.folder, order.request, self._origin, generation.pictures()
            )
            self._pending = saving, lambda album: self._publish(order)

    def _publish(self, order: PictureOrder) -> None:
        """Publish in the calling thread: an order that was withdrawn meanwhile is never published."""
        publish_album(order.folder)
        self._report(PicturesSaved(id=order.id))

    @contextmanager
    def _failing(self, order: PictureOrder) -> Iterator[None]:
        """Report any error of the body as the end of the order; training goes on."""
        try:
            yield
        except Exception as error:  # noqa: BLE001 - whatever it is, it must not end the training
            failure = failure_of(error)
            self._generation, self._pending = None, None
            self._report(
                PicturesFailed(id=order.id, code=failure.code, what=failure.what, remedy=failure.remedy)
            )

"""Draws the pictures that a trainer is asked for between its micro-steps, a moment at a time: rounds never wait."""

import copy
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from core.errors import CoreError, GenerationError
from core.events import Event, PictureOrder, PicturesFailed, PicturesProgress, PicturesSaved
from core.generation.album import save_new_album
from core.generation.parts import Origin, Parts, complete, room_beside
from core.generation.service import Generation, give_back_memory
from core.micro_steps import is_out_of_memory
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
        self._generation: Generation | None = None
        self._pending: tuple[Future[Any], Callable[[Any], None]] | None = None
        """What the thread does, and what follows from its result."""
        self._reported = float("-inf")

    def obey(self, order: PictureOrder | None, model: Transformer, origin: Origin, free: int) -> None:
        """See that this order is under way, or none.

        Args:
            order: as it is wanted now; None ends the last one.
            model: is copied when a new order comes.
            origin: what ``model`` is then.
            free: bytes that training leaves on the model's device.
        """
        if order == self._order:
            return
        self._order, self._generation, self._pending = order, None, None
        if order is not None:
            with self._failing(order):
                self._tokenizer.encode_prompt(order.request.prompt)
                room = room_beside(model, free)
                still = copy.deepcopy(model).requires_grad_(False)
                self._pending = (
                    self._aside.submit(
                        complete, still, origin, self._manifest, self._base, self._tokenizer, room
                    ),
                    lambda parts: self._begin(order, parts),
                )

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

    def _begin(self, order: PictureOrder, parts: Parts) -> None:
        self._generation, self._origin = Generation(order.request, parts), parts.origin

    def _compute(self, order: PictureOrder, generation: Generation) -> None:
        until = self._clock() + MOMENT_SECONDS
        while not generation.done and self._clock() < until:
            generation.step()
        if generation.done or self._clock() - self._reported >= _REPORT_SECONDS:
            self._reported = self._clock()
            self._report(PicturesProgress(order.id, generation.progress))
        if generation.done:
            self._generation = None
            give_back_memory()
            saving = self._aside.submit(
                save_new_album, order.folder, order.request, self._origin, generation.pictures()
            )
            self._pending = saving, lambda album: self._report(PicturesSaved(order.id))

    @contextmanager
    def _failing(self, order: PictureOrder) -> Iterator[None]:
        """What goes wrong ends the order, and nothing else."""
        try:
            yield
            return
        except CoreError as error:
            failure = error
        except OSError as error:
            failure = GenerationError(
                f"The pictures cannot be saved: {error.strerror or error}.", "Free some space on that disk."
            )
        except (RuntimeError, MemoryError) as error:
            if not is_out_of_memory(error):
                raise
            failure = GenerationError(
                "There is too little memory to draw pictures while training.",
                "Pause training, and ask again.",
            )
        self._generation, self._pending = None, None
        self._report(PicturesFailed(order.id, failure.code, failure.what, failure.remedy))

"""Asks the trainer's process for its state or projections of it, one question at a time: none can be taken back."""

import asyncio
import logging
import multiprocessing
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import torch

from core.swarm.projections.sums import QUESTION_BYTES, SumsQuestion

_log = logging.getLogger(__name__)

Sections = Sequence[torch.Tensor]
TrainerAnswer = tuple[Any, Sections, Any]
FromTrainer = Callable[[], Awaitable[TrainerAnswer]]


class TrainerQuestions:
    """The questions to one trainer, made before its averager's process is forked."""

    def __init__(self, seconds: float) -> None:
        """Prepare the questions; the trainer counts as frozen if it is silent for ``seconds``."""
        self._seconds, self._releasing = seconds, multiprocessing.RawValue("b", 0)
        self._asked_sums = multiprocessing.RawArray("B", QUESTION_BYTES)
        self._projecting = multiprocessing.RawValue("b", 0)
        self._open: asyncio.Task[None] | None = None
        """The last question; it is in the pipe until it is done."""
        self._is_short = False
        """True if that was for a projection."""

    @property
    def releasing(self) -> bool:
        """True while the trainer is asked to give nothing, as both processes see it."""
        return bool(self._releasing.value)

    @property
    def sums(self) -> SumsQuestion | None:
        """The question for a projection that the trainer is to answer; None while it is to give the state itself."""
        return SumsQuestion.unpack(bytes(self._asked_sums)) if self._projecting.value else None

    async def ask(self, state: FromTrainer, sums: SumsQuestion | None = None) -> TrainerAnswer | None:
        """Return what the trainer gives; None if it is frozen, or an earlier question still waits for it.

        Args:
            state: fetches from the trainer its packed epoch and head, and the sections of its state: flat uint8
                tensors of shape (bytes,).
            sums: the projection that the trainer gives instead; None for the state.
        """
        if not await self._is_free():
            return None
        given: asyncio.Future[TrainerAnswer] = asyncio.get_running_loop().create_future()
        self._open, self._is_short = asyncio.create_task(self._question(state, given, sums)), sums is not None
        self._open.add_done_callback(_note_failure)
        either: set[asyncio.Future[Any]] = {given, self._open}
        await asyncio.wait(either, timeout=self._seconds, return_when=asyncio.FIRST_COMPLETED)
        if not given.done():
            given.cancel()  # its answer is not needed any more
            return None
        await asyncio.wait({self._open}, timeout=self._seconds)
        return given.result()

    async def _is_free(self) -> bool:
        """Return true once no earlier question is open; false if one for a state is, or a short one does not end.

        A projection takes a second, and others wait for a state. Several may wait for the same one.
        """
        clock = asyncio.get_running_loop().time
        deadline = clock() + self._seconds
        while self._open is not None and not self._open.done():
            if not self._is_short or clock() >= deadline:
                return False
            await asyncio.wait({self._open}, timeout=deadline - clock())
        return True

    async def _question(
        self, state: FromTrainer, given: asyncio.Future[TrainerAnswer], sums: SumsQuestion | None
    ) -> None:
        """Ask the trainer for its state, and then for nothing: its hivemind thread holds what it gave last.

        A frozen trainer answers once it runs again. A question that is given up stays in the pipe all the same: the
        pipe fills, then holds up the averager, and each question has the trainer copy its state.
        """
        if sums is not None:
            self._asked_sums[:], self._projecting.value = sums.pack(), 1
        try:
            found = await state()
        except Exception as error:  # noqa: BLE001 - whatever it is, those who asked get it
            if not given.done():
                given.set_exception(error)
            return
        finally:
            self._projecting.value = 0
        if given.done():
            _log.info("The trainer answered after the request for its state had ended.")
        else:
            given.set_result(found)
        del found
        self._releasing.value = 1
        try:
            await state()
        finally:
            self._releasing.value = 0


def _note_failure(question: "asyncio.Task[None]") -> None:
    if not question.cancelled() and (error := question.exception()) is not None:
        _log.warning("The trainer holds the state that it gave last: %s", error)

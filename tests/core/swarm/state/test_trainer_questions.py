"""A trainer is asked one question at a time: short ones are waited for, and others are refused meanwhile."""

import asyncio
from typing import Any

import torch

from core.swarm.projections.sums import SumsQuestion
from core.swarm.state.trainer_questions import TrainerQuestions

SUMS = SumsQuestion(7, b"\x07" * 32, bytes(16))


class AskedTrainer:
    """Answers after a moment, and notes what it was asked for."""

    def __init__(self, questions: TrainerQuestions, seconds: float) -> None:
        self._questions, self._seconds = questions, seconds
        self.asked: list[str] = []

    async def state(self) -> tuple[Any, list[torch.Tensor], Any]:
        if self._questions.releasing:
            await asyncio.sleep(self._seconds)
            return {}, [], None
        kind = "state" if self._questions.sums is None else "sums"
        self.asked.append(kind)
        await asyncio.sleep(self._seconds)
        return kind, [], None


def answers(*kinds: str, seconds: float = 0.05, patience: float = 10.0) -> list[str | None]:
    """Return what those get that ask for these ``kinds`` at one moment, in their order; None for a refusal."""

    async def ask() -> list[str | None]:
        questions = TrainerQuestions(patience)
        trainer = AskedTrainer(questions, seconds)
        found = await asyncio.gather(
            *(questions.ask(trainer.state, SUMS if kind == "sums" else None) for kind in kinds)
        )
        while questions._open is not None and not questions._open.done():
            await asyncio.sleep(0.01)
        return [answer[0] if answer is not None else None for answer in found]

    return asyncio.run(asyncio.wait_for(ask(), 30))


def test_several_wait_for_the_same_projection_and_all_get_theirs() -> None:
    """A download that came while the trainer let go of a projection was refused, as two had waited for it."""
    assert answers("sums", "sums", "state") == ["sums", "sums", "state"]
    assert answers("sums", "sums", "sums") == ["sums"] * 3


def test_who_comes_while_a_state_is_given_is_to_ask_another_peer() -> None:
    assert answers("state", "sums", "state") == ["state", None, None]


def test_a_frozen_trainer_holds_nobody_up_for_longer_than_the_patience() -> None:
    assert answers("sums", "state", seconds=1.0, patience=0.2) == [None, None]

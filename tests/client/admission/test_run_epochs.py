"""A curve that a coordinator tells of: had in time or done without, and not asked for all the time."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from client.admission.run_epochs import AGAIN_AFTER, GOOD_FOR, RunEpochs
from client.admission.tasks import AskHistory, HistoryFound
from client.api.errors import CoordinatorAway
from client.tasks import TaskRunner
from tests.client.snapshots import NOW
from tests.gate.served_gate import Instead, ServedGate

FOUND = HistoryFound(epochs=((1, 4.0, 64, 2, 9.5),))


@dataclass
class HistoryMessenger(TaskRunner):
    """Answers what it is asked once it may, or not at all."""

    answer: HistoryFound | None = FOUND
    asked: list[AskHistory] = field(default_factory=list)
    may: asyncio.Event = field(default_factory=asyncio.Event)

    async def run(self, task: Any, *_: Any, **__: Any) -> Any:
        self.asked.append(task)
        await self.may.wait()
        if self.answer is None:
            raise CoordinatorAway("It is away.", "Wait.")
        return self.answer


def play(script: Callable[[HistoryMessenger], Awaitable[None]]) -> None:
    async def scene() -> None:
        await asyncio.wait_for(script(HistoryMessenger()), 30)

    asyncio.run(scene())


def test_it_is_asked_again_after_a_while_and_nobody_waits_for_that() -> None:
    late = timedelta()

    async def script(messenger: HistoryMessenger) -> None:
        nonlocal late
        epochs = RunEpochs(messenger, "https://run.example", lambda: NOW + late)
        messenger.may.set()
        (point,) = await epochs.newest()
        assert (point.epoch, point.loss, point.samples, point.peers, point.seconds) == FOUND.epochs[0]
        late = GOOD_FOR / 2
        await epochs.newest()
        assert len(messenger.asked) == 1
        late = GOOD_FOR
        messenger.may.clear()
        messenger.answer = HistoryFound(epochs=(*FOUND.epochs, (2, 3.0, 64, 2, 9.5)))
        assert len(await epochs.newest()) == 1, "what is known already is given at once"
        messenger.may.set()
        await asyncio.sleep(0)
        while len(await epochs.newest()) == 1:
            await asyncio.sleep(0)
        assert len(messenger.asked) == 2
        await epochs.close()

    play(script)


def test_one_that_is_away_keeps_nobody_waiting_and_is_left_alone() -> None:
    late = timedelta()

    async def script(messenger: HistoryMessenger) -> None:
        nonlocal late
        epochs = RunEpochs(messenger, "https://run.example", lambda: NOW + late, patience=0.2)
        assert await epochs.newest() == (), "it does not answer"
        messenger.answer = None
        messenger.may.set()
        assert await epochs.newest() == ()
        assert await epochs.newest() == ()
        assert len(messenger.asked) == 1
        late = AGAIN_AFTER
        messenger.answer = FOUND
        assert len(await epochs.newest()) == 1
        await epochs.close()

    play(script)


def test_a_run_without_a_coordinator_has_nobody_to_ask() -> None:
    async def script(messenger: HistoryMessenger) -> None:
        assert await RunEpochs(messenger, None, lambda: NOW).newest() == ()
        assert messenger.asked == []

    play(script)


def test_who_closes_waits_for_no_answer() -> None:
    async def script(messenger: HistoryMessenger) -> None:
        epochs = RunEpochs(messenger, "https://run.example", lambda: NOW, patience=0.2)
        await epochs.newest()
        await epochs.close()

    play(script)


@pytest.fixture
def learned(gate: ServedGate) -> ServedGate:
    for epoch in range(1, 1_301):
        gate.commit(epoch, loss=None if epoch == 700 else 5.0)
    return gate


def test_a_long_curve_fits_the_line_of_an_task(learned: ServedGate, tmp_path: Path) -> None:
    async def script() -> None:
        epochs = RunEpochs(TaskRunner(tmp_path / "log"), learned.address, lambda: NOW, patience=60)
        points = await epochs.newest()
        assert points[-1].epoch == 1_300
        assert 600 < len(points) <= 1_000
        assert 700 not in {point.epoch for point in points}
        await epochs.close()

    asyncio.run(script())


@pytest.mark.parametrize("body", [b"{}", b"[]", b'{"epochs": [{"epoch": -1}]}'])
def test_a_coordinator_that_tells_nonsense_is_done_without(
    gate: ServedGate, tmp_path: Path, body: bytes
) -> None:
    gate.instead["/api/history"] = Instead(200, body)

    async def script() -> None:
        epochs = RunEpochs(TaskRunner(tmp_path / "log"), gate.address, lambda: NOW, patience=60)
        assert await epochs.newest() == ()

    asyncio.run(script())

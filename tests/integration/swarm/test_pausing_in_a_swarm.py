"""A volunteer takes the machine back in the middle of everything: the other peers go on, and nothing is lost."""

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest

from core.children.freezing import Freezer, LocalFreezer
from core.messages.events import Command, EpochCommitted, Progress, Settled
from tests.swarms.tiny_run import GRADIENTS, LOCAL_STEPS, write_tiny_run
from tests.swarms.trainer_process import (
    TrainerProcess,
    TrainerSwarm,
    assert_never_apart,
    digests,
    trainer_swarm,
)

PEERS = 3


def swarm_of(folder: Path, procedure: dict[str, Any]) -> tuple[Path, Path]:
    return write_tiny_run(folder / "run", **procedure), folder / "peers"


def freezer_of(trainer: TrainerProcess) -> Freezer:
    pid = trainer.process.pid
    assert pid is not None
    return LocalFreezer(pid, lambda: [process.pid for process in trainer.family()])


def settle(trainer: TrainerProcess, freezer: Freezer) -> Settled:
    """Freeze it at once, tell it to pause, and let it settle as the daemon does."""
    freezer.freeze()
    trainer.send(Command.PAUSE)
    settled: list[Settled] = []

    async def work() -> None:
        over = asyncio.Event()
        governing = asyncio.create_task(freezer.settle(over))
        settled.append(await asyncio.to_thread(trainer.wait_for, Settled))
        over.set()
        await governing

    asyncio.run(work())
    freezer.freeze()
    return settled[0]


def all_together(swarm: TrainerSwarm, after: int) -> int:
    """Wait for an epoch past that one which all peers made together; returns it."""
    deadline = time.monotonic() + 90
    while True:
        found = [trainer.wait_for(EpochCommitted, epoch=after) for trainer in swarm.trainers]
        if all(item.peers == PEERS for item in found):
            return max(item.epoch for item in found)
        after = max(item.epoch for item in found) + 1
        assert time.monotonic() < deadline, "they do not find together"


def pause_and_resume(swarm: TrainerSwarm, delay: float) -> int:
    """Pause the first trainer that long after an epoch; returns one that all made together after it was resumed."""
    paused, *others = swarm.trainers
    time.sleep(delay)
    before = [len(other.notices) for other in others]
    freezer = freezer_of(paused)
    settled = settle(paused, freezer)
    epoch = max(item.epoch for trainer in others for item in trainer.epochs)
    later = [other.wait_for(EpochCommitted, epoch=max(epoch, settled.epoch) + 4) for other in others]
    assert all(item.peers < PEERS for item in later), "they wait for the one that is frozen"
    meanwhile = [text for other, known in zip(others, before, strict=True) for text in other.notices[known:]]
    failed = [text for text in meanwhile if "failed" in text]
    assert len(failed) <= len(others), f"it costs each of them one attempt: {failed}"
    freezer.thaw()
    paused.send(Command.RESUME)
    return all_together(swarm, after=max(item.epoch for item in later) + 1)


# The delays are different points of an epoch. A pause between local steps is in the next test.
@pytest.mark.parametrize(
    ("procedure", "delays"),
    [
        pytest.param(GRADIENTS, (0.0, 0.9), id="gradients"),
        pytest.param(LOCAL_STEPS, (0.4,), id="local steps", marks=pytest.mark.exhaustive),
    ],
)
def test_the_others_go_on_while_one_is_frozen_and_it_falls_in_again(
    tmp_path: Path, procedure: dict[str, Any], delays: tuple[float, ...]
) -> None:
    manifest, folder = swarm_of(tmp_path, procedure)
    with trainer_swarm(manifest, folder) as swarm:
        for number in range(PEERS):
            swarm.start(f"peer-{number}")
        all_together(swarm, after=1)
        together = [pause_and_resume(swarm, delay) for delay in delays]
        for trainer in swarm.trainers:
            trainer.send(Command.STOP)
        for trainer in swarm.trainers:
            trainer.finish()
        assert_never_apart(*swarm.trainers)
        assert all(digests(trainer).keys() >= set(together) for trainer in swarm.trainers)


def test_a_peer_that_was_paused_for_a_round_brings_what_it_had_computed(tmp_path: Path) -> None:
    manifest, folder = swarm_of(tmp_path, {**LOCAL_STEPS, "target_batch_size": 512})
    with trainer_swarm(manifest, folder) as swarm:
        paused, other = swarm.start("paused"), swarm.start("other")
        both = other.wait_for(EpochCommitted, epoch=2)
        while both.peers < 2:
            both = other.wait_for(EpochCommitted, epoch=both.epoch + 1)
        paused.wait_for(EpochCommitted, epoch=both.epoch)
        while (gathered := paused.wait_for(Progress)).samples < 32:
            pass
        known, freezer = len(paused.notices), freezer_of(paused)
        settled = settle(paused, freezer)
        other.wait_for(EpochCommitted, epoch=settled.epoch + 1)
        freezer.thaw()
        paused.send(Command.RESUME)
        after = paused.wait_for(EpochCommitted, epoch=settled.epoch + 2)
        assert settled.samples >= gathered.samples
        assert after.own_samples >= settled.samples, "what was computed before the pause is in the next epoch"
        assert not [text for text in paused.notices[known:] if "discarded" in text]
        for trainer in swarm.trainers:
            trainer.send(Command.STOP)
        for trainer in swarm.trainers:
            trainer.finish()
        assert_never_apart(*swarm.trainers)

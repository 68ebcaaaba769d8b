"""Real trainers recompute each other's work: false work is found and shut out, honest work is not called false."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.messages.events import Joined
from core.run.encodings import Encoding
from core.run.rules import LocalStepRules, Overlap
from core.swarm.auditing.trust import WorkVerdict
from tests.swarms import hostile_trainers
from tests.swarms.tiny_run import GRADIENTS, write_tiny_run
from tests.swarms.trainer_process import TrainerProcess, TrainerSwarm, trainer_swarm
from tests.waiting import wait_until

_SECONDS = 240.0
SUSPICIOUS = {(0.0, WorkVerdict.DOUBTFUL.value), (0.0, WorkVerdict.USELESS.value)}
"""Gain and verdict of drifts that are zero: with few tests of others it is not known what is usual."""
DENSE_STEPS: dict[str, Any] = {
    "overlap": Overlap.FULL,
    "local_steps": LocalStepRules(
        steps=2, drift_encoding=Encoding.BLOCKWISE8, mean_encoding=Encoding.BLOCKWISE8
    ),
}


def verdicts(trainer: TrainerProcess) -> list[tuple[str, str, float]]:
    """Return the audits of this trainer: the peer, the verdict, and the difference that it found."""
    found = re.findall(
        r"audit of the work of peer (\w+) on \d+ rows: ([^;]+); it differs by ([\d.e+-]+|inf|nan)\.",
        trainer.log,
    )
    return [(peer, verdict, float(difference)) for peer, verdict, difference in found]


def run(folder: Path, procedure: dict[str, Any] = GRADIENTS) -> Path:
    """Write a run in which each peer audits in each epoch."""
    rules: dict[str, Any] = {"recomputed_share": 1.0, "target_batch_size": 96, "caption_dropout": 0.2}
    return write_tiny_run(folder / "run", **rules, **procedure)


def started(swarm: TrainerSwarm, names: tuple[str, ...]) -> list[TrainerProcess]:
    return [swarm.start(name) for name in names]


def test_honest_work_is_found_sound(tmp_path: Path) -> None:
    with trainer_swarm(run(tmp_path), tmp_path) as swarm:
        trainers = started(swarm, ("one", "other"))
        wait_until(lambda: all(len(verdicts(item)) >= 3 for item in trainers), "no audits ended", _SECONDS)
        found = [item for trainer in trainers for item in verdicts(trainer)]
    assert {verdict for _, verdict, _ in found} == {"sound"}
    assert max(difference for _, _, difference in found) < 1e-3


@pytest.mark.parametrize(
    "lie",
    [
        pytest.param(hostile_trainers.sends_zeros, id="zeros"),
        pytest.param(hostile_trainers.repeats, id="repeats", marks=pytest.mark.exhaustive),
        pytest.param(hostile_trainers.takes_other_codes, id="other codes", marks=pytest.mark.exhaustive),
    ],
)
def test_a_peer_that_lies_of_its_work_is_shut_out_by_all(tmp_path: Path, lie: Callable[[], None]) -> None:
    with trainer_swarm(run(tmp_path), tmp_path) as swarm:
        honest = started(swarm, ("one", "other"))
        culprit = swarm.start_hostile("liar", lie).wait_for(Joined).peer_id
        wait_until(
            lambda: all(f"Peer {culprit} sent other values" in trainer.log for trainer in honest),
            "the lie was not found",
            _SECONDS,
        )
        found = {(peer, verdict) for trainer in honest for peer, verdict, _ in verdicts(trainer)}
        logs = "".join(trainer.log for trainer in honest)
    assert {peer for peer, verdict in found if verdict != "sound"} == {culprit}
    assert set(re.findall(r"Peer (\w+) sent other values", logs)) == {culprit}


def drifts(trainer: TrainerProcess) -> list[tuple[str, float, str]]:
    """Return the tests of drifts by this trainer: the peer, the gain on its own rows, and the verdict."""
    found = re.findall(
        r"drift of peer (\w+) lowers the loss by (\S+) on its own rows, .*: ([\w ',]+)\.", trainer.log
    )
    return [(peer, float(gain), verdict) for peer, gain, verdict in found]


def test_drifts_are_tested_on_the_rows_that_their_peers_name(tmp_path: Path) -> None:
    with trainer_swarm(run(tmp_path, DENSE_STEPS), tmp_path) as swarm:
        honest = started(swarm, ("one", "other"))
        culprit = swarm.start_hostile("liar", hostile_trainers.sends_zeros).wait_for(Joined).peer_id

        def peers() -> set[str]:
            return {peer for trainer in honest for peer, _, _ in drifts(trainer)}

        wait_until(lambda: culprit in peers() and len(peers()) > 1, "not all drifts were tested", _SECONDS)
        found = [item for trainer in honest for item in drifts(trainer)]
    assert all(gain > 0 for peer, gain, _ in found if peer != culprit)
    assert {(gain, verdict) for peer, gain, verdict in found if peer == culprit} <= SUSPICIOUS

"""A peer's own round beside an averager that hangs, and of a peer that accepts no connections."""

import time

import psutil
import torch
from torch import nn

from core.run.rules import SwarmRules
from core.swarm.own_round import OwnRound
from core.swarm.rounds.round import RoundOutcome
from core.swarm.state.accumulator import Accumulator
from core.swarm.state.replica import Place
from tests.swarms.hivemind_locks import locks_held
from tests.swarms.swarm_peers import GENESIS, SIZES, LoopbackPeer, LoopbackSwarm
from tests.waiting import wait_until

HERE = Place(0, GENESIS, "", ())
RULES = SwarmRules(
    target_batch_size=8, matchmaking_seconds=3.0, allreduce_seconds=24.0, averaging_seconds=60.0
)


class RoundTrainer:
    """The parts of a training loop that a round uses."""

    def __init__(self, peer: LoopbackPeer) -> None:
        self.ahead = 0.0
        """Seconds by which its clock is ahead."""
        self.parameters = [nn.Parameter(torch.zeros(size)) for size in SIZES]
        self.accumulator, self.notices = Accumulator(self.parameters), list[str]()
        self.round = OwnRound(
            peer.averager, self.accumulator, RULES, self.notices.append, lambda: time.monotonic() + self.ahead
        )

    def gather(self) -> None:
        for parameter in self.parameters:
            parameter.grad = torch.full_like(parameter, 8.0)
        self.accumulator.add(1.0, 8)

    @property
    def gathered(self) -> tuple[int, list[torch.Tensor]]:
        """Samples that are not in a round, and the sums of their gradients."""
        return self.accumulator.samples, [item.grad for item in self.parameters if item.grad is not None]

    def average(self, others: int) -> RoundOutcome | None:
        assert self.round.start(HERE, others)
        return self.collect()

    def collect(self) -> RoundOutcome | None:
        wait_until(lambda: self.round.settled, "the round never ended")
        return self.round.collect(0)


def test_a_round_that_hangs_is_broken_off_and_its_samples_go_into_the_next(swarm: LoopbackSwarm) -> None:
    peer = swarm.add()
    trainer, process = RoundTrainer(peer), psutil.Process(peer.averager.pid)
    trainer.gather()
    trainer.round.seek(HERE, 1)
    with locks_held():
        process.suspend()
    assert trainer.round.start(HERE, 1)
    assert trainer.gathered[0] == 0
    trainer.ahead = RULES.averaging_seconds + 1
    assert trainer.round.is_overdue
    trainer.round.give_up(0)
    samples, gradients = trainer.gathered
    assert samples == 8
    assert len(gradients) == len(SIZES)
    assert all(torch.equal(item, torch.full_like(item, 8.0)) for item in gradients)
    assert trainer.notices == ["Averaging round 1 of epoch 0 failed. It took longer than 60 s."]
    process.resume()
    outcome = trainer.average(0)
    assert outcome is not None
    assert (outcome.included, outcome.samples) == (True, 8.0)
    assert not trainer.round.is_overdue


def test_a_peer_that_accepts_no_connections_goes_on_looking_for_others_after_rounds_that_failed(
    swarm: LoopbackSwarm,
) -> None:
    """It cannot make an epoch by itself: were it to give up looking, nothing that it computes would ever count."""
    full, client = RoundTrainer(swarm.add()), RoundTrainer(swarm.add(client_mode=True))
    client.gather()
    for _ in range(2):
        assert client.average(1) is None
    assert [notice.partition(". ")[2] for notice in client.notices] == ["No group formed in time."] * 2
    full.gather()
    outcomes = next(
        filter(all, (meet(full, client) for _ in range(3))), []
    )  # on a busy machine they may miss it
    assert [outcome and outcome.members for outcome in outcomes] == [2, 2]
    assert all(outcome and outcome.included for outcome in outcomes)


def meet(*trainers: RoundTrainer) -> list[RoundOutcome | None]:
    """Have all of them look for a group at the same time."""
    for trainer in trainers:
        trainer.round.seek(HERE, 1)
    assert all(trainer.round.start(HERE, 1) for trainer in trainers)
    return [trainer.collect() for trainer in trainers]

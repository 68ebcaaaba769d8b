"""Work that missed too many commits is dropped when one more lands, by one rule for all procedures."""

from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any, cast

import pytest
import torch

from core.run.rules import Overlap
from core.swarm.rounds.round import RoundOutcome, RoundStatus
from core.swarm.state.accumulator import Accumulator
from core.swarm.state.peer_work import PeerWork
from core.swarm.state.replica import Replica
from core.swarm.update import Update, most_age
from tests.core.swarm.builders import digest_of
from tests.core.swarm.state.test_local_training import LocalPeer


@pytest.mark.parametrize(
    ("overlap", "age"), [(Overlap.NONE, 1), (Overlap.DELAYED_UPDATE, 2), (Overlap.FULL, 2)]
)
def test_the_age_up_to_which_work_counts(overlap: Overlap, age: int) -> None:
    assert most_age(overlap) == age


class Commits:
    """Commits that reach one peer, and what the volunteer hears of them."""

    def __init__(
        self, replica: Replica, work: PeerWork, inputs: list[torch.Tensor], overlap: Overlap
    ) -> None:
        self.outputs = [torch.full_like(item, 0.25) for item in inputs]
        averager = SimpleNamespace(outputs=self.outputs, get_tensors=lambda: nullcontext(inputs))
        self.notices: list[str] = []
        self.update = Update(replica, cast(Any, averager), work, overlap=overlap, notify=self.notices.append)
        self.replica = replica

    def land(self, included: frozenset[int] = frozenset()) -> None:
        epoch = self.replica.place.epoch
        status = RoundStatus.AVERAGED if included else RoundStatus.CAUGHT_UP
        self.update.begin(RoundOutcome(epoch, digest_of(f"commit {epoch}"), status, included, 64.0, 2))
        assert self.update.take(waits=True) is not None


@pytest.mark.parametrize(("overlap", "kept"), [(Overlap.NONE, 1), (Overlap.FULL, 2)])
def test_gradients_of_too_many_commits_ago_are_never_sent(
    overlap: Overlap, kept: int, caplog: pytest.LogCaptureFixture
) -> None:
    peer = LocalPeer()  # of which its replica and its model count here
    work = Accumulator(list(peer.model.parameters()))
    commits = Commits(peer.replica, work, peer.inputs, overlap)
    caplog.set_level("INFO")
    peer.model(torch.ones(1, 16)).sum().backward()
    work.add(1.0, 8)
    for age in range(1, kept + 1):
        commits.land()
        work.take_back(peer.inputs, work.hand_over(peer.inputs))  # a round that fails makes nothing new
        assert (work.age, work.samples) == (age, 8)
    commits.land()
    assert (work.age, work.samples) == (0, 0)
    assert not any(bool(item.grad.any()) for item in peer.model.parameters() if item.grad is not None)
    assert commits.notices == [
        f"8 samples of this peer were discarded: {kept + 1} updates of the swarm came without them."
    ]
    assert f"8 samples is dropped: it is {kept + 1} commits old, and {kept} is the most." in caplog.text
    commits.update.close()


def test_a_drift_is_dropped_at_the_third_commit_in_a_row_without_its_peer() -> None:
    peer = LocalPeer()
    commits = Commits(peer.replica, peer.work, peer.inputs, Overlap.FULL)
    everything = frozenset(range(len(peer.parts)))
    for included in (frozenset[int](), frozenset[int](), everything, frozenset[int](), frozenset[int]()):
        peer.train(4)
        batch = peer.work.hand_over(peer.inputs)
        if not included:
            peer.work.take_back(peer.inputs, batch)
        commits.land(included)
    assert not commits.notices
    assert _drift(peer) > 1e-4
    moments = {k: v.clone() for k, v in peer.work.lasting_state().items() if k.startswith("inner.")}
    samples = peer.work.samples
    commits.land()
    assert (_drift(peer), peer.work.samples, peer.work.age) == (0.0, 0, 0)
    assert moments
    assert all(item.equal(peer.work.lasting_state()[name]) for name, item in moments.items())
    assert commits.notices == [
        f"{samples} samples of this peer were discarded: 3 updates of the swarm came without them."
    ]
    commits.update.close()


def test_sixteen_commits_that_an_idle_peer_catches_up_with_are_no_news() -> None:
    peer = LocalPeer()
    commits = Commits(peer.replica, peer.work, peer.inputs, Overlap.FULL)
    for _ in range(16):
        commits.land()
    assert (_drift(peer), commits.notices) == (0.0, [])
    commits.update.close()


def _drift(peer: LocalPeer) -> float:
    pairs = zip(peer.committed(), peer.parameters(), strict=True)
    return max(float((committed - own).abs().max()) for committed, own in pairs)

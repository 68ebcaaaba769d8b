"""Local steps lose nothing: what a commit does not hold of a peer's drift stays in its own parameters."""

from collections.abc import Sequence

import pytest
import torch
from torch import Tensor, nn

from core.errors import CheckpointError
from core.run.encodings import Encoding
from core.run.optimizer_rules import AdamWRules, AnyOptimizerRules, LambRules
from core.run.rules import LocalStepRules, Overlap, ScheduleRules, SwarmRules
from core.swarm.rounds.partition import Part, as_received, round_parts
from core.swarm.state.local_training import LocalTraining
from core.swarm.state.peer_work import AsReceived
from core.swarm.state.replica import Replica
from tests.core.swarm.builders import digest_of

OPTIMIZER = LambRules(min_8bit_size=256, block_size=64)
ADAMW = AdamWRules(kind="adamw", min_8bit_size=256, block_size=64)
SCHEDULE = ScheduleRules(peak_lr=0.02, warmup_epochs=0, total_epochs=9_000_000)
LOCAL = LocalStepRules(steps=16)
DATA = torch.randn(256, 16, generator=torch.Generator().manual_seed(1))


def most_of(part: Part, values: Tensor) -> Tensor:
    """Send half of the values, the largest, halved: an encoding that loses much."""
    kept = values.abs() >= values.abs().median()
    return values * kept / 2


def exactly(part: Part, values: Tensor) -> Tensor:
    return values.clone()


class LocalPeer:
    """One peer of a swarm in this process, which rounds reach by hand."""

    def __init__(
        self,
        seed: int = 0,
        rules: LocalStepRules = LOCAL,
        sent: AsReceived = exactly,
        dtype: torch.dtype = torch.float32,
        trainers: int = 1,
        optimizer: AnyOptimizerRules = OPTIMIZER,
        target: int = 64,
    ) -> None:
        torch.manual_seed(7)
        self.model, self.dtype = nn.Sequential(nn.Linear(16, 32), nn.Tanh(), nn.Linear(32, 4)), dtype
        swarm = SwarmRules(gradient_encoding=Encoding.BLOCKWISE8, large_tensor_elements=256)
        local = SwarmRules(overlap=Overlap.FULL, local_steps=rules)
        self.replica = Replica(self.model, optimizer, SCHEDULE, genesis=digest_of("run"), swarm=local)
        self.model.to(dtype)
        shapes = [item.shape for item in self.model.parameters()]
        self.parts = round_parts(shapes, swarm)
        self.work = LocalTraining(
            self.replica,
            rules,
            optimizer,
            SCHEDULE,
            target_batch_size=target,
            parts=self.parts,
            sent=sent,
            trainers=lambda: trainers,
        )
        self.draws = torch.Generator().manual_seed(seed)
        self.inputs = [*(torch.zeros(item.shape) for item in self.model.parameters()), torch.zeros(1)]

    def train(self, micro_steps: int, samples: int = 2) -> None:
        for _ in range(micro_steps):
            rows = DATA[torch.randint(len(DATA), (samples,), generator=self.draws)].to(self.dtype)
            loss = self.model(rows).float().square().mean()
            (loss * samples).backward()
            self.work.add(float(loss.detach()), samples)

    def parameters(self) -> list[Tensor]:
        return [item.detach().float().clone() for item in self.model.parameters()]

    def committed(self) -> list[Tensor]:
        return [item.clone() for item in self.replica.masters.tensors().values()]

    def commit(self, aggregate: Sequence[Tensor], included: bool = True, share: float = 1.0) -> None:
        """Commit ``aggregate``, in all parts of which a rule left that ``share`` of this peer's values."""
        indices = frozenset(range(len(self.parts))) if included else frozenset[int]()
        clipped = dict.fromkeys(indices, share) if share < 1 else {}
        self.work.settle(self.inputs[:-1], aggregate, indices, clipped)
        place = self.replica.place
        self.replica.step(aggregate, epoch=place.epoch, head=digest_of(f"commit {place.epoch}"))
        self.work.land(self.replica)

    def sent(self) -> list[Tensor]:
        """Return what the others decode of the drift that was handed over."""
        found = [torch.zeros(item.shape) for item in self.inputs[:-1]]
        for part in self.parts[:-1]:
            part.scatter(self.work._sent(part, part.gather(self.inputs)), found)
        return found


def assert_equal(found: Sequence[Tensor], expected: Sequence[Tensor], tolerance: float = 1e-6) -> None:
    for item, other in zip(found, expected, strict=True):
        assert torch.allclose(item, other, rtol=0, atol=tolerance)


def test_a_step_is_made_of_whole_batches() -> None:
    peer = LocalPeer()
    before = peer.parameters()
    peer.train(1)
    assert (peer.work.samples, peer.work.loss) == (0, None), "two of four samples are no step yet"
    assert_equal(peer.parameters(), before, 0.0)
    peer.train(1)
    assert peer.work.samples == 4
    assert peer.work.loss is not None
    assert any(not one.equal(other) for one, other in zip(peer.parameters(), before, strict=True))
    assert all(not bool(item.grad.any()) for item in peer.model.parameters() if item.grad is not None)


@pytest.mark.parametrize(("trainers", "first"), [(1, 4), (2, 2), (3, 1), (1000, 1)])
def test_the_first_steps_divide_the_samples_of_a_round_by_trainers_and_steps(
    trainers: int, first: int
) -> None:
    assert LocalPeer(trainers=trainers).work.lacking == first


def test_later_steps_divide_what_this_peer_brings_to_a_round() -> None:
    peer = LocalPeer(trainers=2)
    for brought, size in ((16, 1), (48, 2), (160, 4)):  # means of 16, 32 and, no more than a whole round, 64
        peer.train(brought // 2)
        assert abs(peer.work.hand_over(peer.inputs).samples - brought) < 4  # a part of a step waits
        peer.commit(peer.sent())
        assert peer.work.lacking == max(1, size - peer.work._gathered)


def test_samples_of_a_round_that_failed_count_once() -> None:
    peer = LocalPeer(trainers=4)
    for _ in range(5):
        peer.train(8)
        peer.work.take_back(peer.inputs, peer.work.hand_over(peer.inputs))
    peer.train(8)
    batch = peer.work.hand_over(peer.inputs)
    peer.commit(peer.sent())
    assert batch.samples > 90
    assert peer.work._usual == batch.samples


def test_a_step_that_takes_longer_than_rounds_becomes_shorter() -> None:
    """A peer that shares a round with many others would else never bring a whole step."""
    peer = LocalPeer(target=1024)
    nothing = [torch.zeros(item.shape) for item in peer.inputs[:-1]]
    sizes = []
    for _ in range(3):
        peer.train(2)
        sizes.append(peer.work.lacking + peer.work._gathered)
        peer.work.hand_over(peer.inputs)
        peer.commit(nothing, included=False)
    assert sizes == [64, 32, 16]


@pytest.mark.parametrize("trained", [0, 1], ids=["nothing gathered", "part of a step gathered before"])
def test_rounds_that_an_idle_peer_catches_up_with_leave_its_steps_alone(trained: int) -> None:
    peer = LocalPeer(target=1024)
    nothing = [torch.zeros(item.shape) for item in peer.inputs[:-1]]
    peer.train(trained)
    sizes = []
    for _ in range(4):
        peer.commit(nothing, included=False)
        sizes.append(peer.work.lacking + peer.work._gathered)
    assert sizes == [32 if trained else 64] * 4


def test_a_peer_that_is_much_faster_than_its_share_makes_longer_steps() -> None:
    peer = LocalPeer(trainers=64)
    peer.train(32, samples=1)
    assert peer.work.lacking + peer.work._gathered == 2
    peer.train(16)
    assert peer.work.lacking + peer.work._gathered == 4


def test_a_restart_keeps_the_size_of_steps() -> None:
    peer, again = LocalPeer(trainers=8), LocalPeer(trainers=8)
    peer.train(16)
    peer.work.hand_over(peer.inputs)
    peer.commit(peer.sent())
    again.work.load(peer.work.lasting_state())
    assert again.work.lacking == peer.work.lacking == 2


def test_the_drift_is_what_separates_a_peer_from_the_committed_parameters() -> None:
    peer = LocalPeer()
    peer.train(6)
    batch = peer.work.hand_over(peer.inputs)
    assert batch.samples == 12
    assert float(peer.inputs[-1]) == pytest.approx(batch.loss)
    assert_equal(
        [new - drift for new, drift in zip(peer.committed(), peer.inputs[:-1], strict=True)],
        peer.parameters(),
    )
    assert peer.work.samples == 0


def test_a_peer_alone_trains_as_if_there_were_no_rounds() -> None:
    """It does so even if the encoding loses most of its drift, and while it trains on during each round."""
    alone, free = LocalPeer(sent=most_of), LocalPeer(sent=most_of)
    for _ in range(5):
        for peer in (alone, free):
            peer.train(20 if alone.replica.place.epoch else 32)
        assert alone.work.hand_over(alone.inputs).samples == 64  # steps stay as large as those without rounds
        for peer in (alone, free):
            peer.train(12)
        alone.commit(alone.sent())
    assert alone.replica.place.epoch == 5
    assert_equal(alone.parameters(), free.parameters(), 1e-5)


def test_nothing_of_a_drift_is_lost_or_counted_twice() -> None:
    peer = LocalPeer(sent=most_of)
    peer.train(4)
    before, committed = peer.parameters(), peer.committed()
    peer.work.hand_over(peer.inputs)
    sent = peer.sent()
    mean = [item / 2 for item in sent]  # another peer of the same weight sent zeros
    mean[0][3:] = 0.0  # and a sparse aggregate left these values out
    peer.commit(mean)
    taken = [item.clone() for item in sent]
    taken[0][3:] = 0.0
    expected = [
        new - (old - own - took)
        for new, old, own, took in zip(peer.committed(), committed, before, taken, strict=True)
    ]
    assert_equal(peer.parameters(), expected)


@pytest.mark.parametrize(("share", "kept"), [(1.0, 0.0), (0.75, 0.25), (0.5, 0.5), (0.2, 0.2), (0.0, 0.0)])
def test_what_a_rule_clips_stays_with_its_peer_up_to_as_much_as_was_taken(share: float, kept: float) -> None:
    """A part of a drift that was left out goes into the next one; an outlier's excess does not."""
    peer = LocalPeer(sent=most_of)
    peer.train(4)
    before, committed = peer.parameters(), peer.committed()
    peer.work.hand_over(peer.inputs)
    sent = peer.sent()
    peer.commit([item * share / 2 + 1e-12 for item in sent], share=share)
    expected = [
        new - (old - own - (1 - kept) * took)
        for new, old, own, took in zip(peer.committed(), committed, before, sent, strict=True)
    ]
    assert_equal(peer.parameters(), expected)


def test_a_drift_that_is_always_clipped_does_not_grow_without_end() -> None:
    """Each round clips to half of what the peer's steps alone make; without a bound its drift grew every round."""
    peer, lengths = LocalPeer(), list[float]()
    for _ in range(12):
        peer.train(4)
        peer.work.hand_over(peer.inputs)
        sent = peer.sent()
        length = float(torch.cat([item.reshape(-1) for item in sent]).norm())
        radius = lengths[0] / 2 if lengths else length / 2
        lengths.append(length)
        share = min(1.0, radius / length)
        peer.commit([item * share for item in sent], share=share)
    assert max(lengths) < 4 * lengths[0]


def test_a_round_that_did_not_include_a_peer_takes_nothing_of_its_drift() -> None:
    peer = LocalPeer()
    peer.train(4)
    before, committed = peer.parameters(), peer.committed()
    batch = peer.work.hand_over(peer.inputs)
    peer.work.take_back(peer.inputs, batch)
    assert peer.work.samples == 8
    assert peer.work.loss == pytest.approx(batch.loss)
    other = [torch.full_like(item, 0.25) for item in committed]
    peer.commit(other, included=False)
    assert_equal(peer.parameters(), [own - 0.25 for own in before])


def test_commits_that_land_one_after_another_without_a_peer_are_counted() -> None:
    peer, again = LocalPeer(), LocalPeer()
    other = [torch.full_like(item, 0.25) for item in peer.committed()]
    ages = []
    for included in (False, False, True, False):
        peer.train(4)
        peer.work.hand_over(peer.inputs)
        peer.commit(other, included)
        ages.append(peer.work.age)
    assert ages == [1, 2, 0, 1]
    saved = peer.work.exact_state()
    again.work.load(saved)
    assert again.work.age == 1
    again.work.load({name: item for name, item in saved.items() if name != "ages"})
    assert again.work.age == 0
    peer.work.restart(peer.replica)
    assert peer.work.age == 0


def test_a_peer_that_has_not_trained_yet_has_nothing_that_grows_old() -> None:
    """It fetches what it missed, and its first samples may miss as many commits as those of any other."""
    peer = LocalPeer()
    other = [torch.full_like(item, 0.25) for item in peer.committed()]
    ages = []
    for micro_steps in (0, 0, 0, 1, 0):
        peer.train(micro_steps)
        peer.commit(other, included=False)
        ages.append(peer.work.age)
    assert ages == [0, 0, 0, 1, 2]
    peer.work.restart(peer.replica)
    peer.commit(other, included=False)
    assert peer.work.age == 0


def test_samples_from_before_the_last_commit_are_told_with_their_batch() -> None:
    peer = LocalPeer()
    nothing = [torch.zeros_like(item) for item in peer.committed()]
    peer.train(6)
    peer.commit(nothing, included=False)
    peer.train(6)
    batch = peer.work.hand_over(peer.inputs)
    assert (batch.samples, batch.stale, batch.age) == (24, 12, 1)
    peer.work.take_back(peer.inputs, batch)
    assert peer.work.hand_over(peer.inputs).stale == 12
    peer.train(2)
    assert peer.work.hand_over(peer.inputs).stale == 0


def test_a_lost_part_stays_with_the_peer_and_the_others_do_not() -> None:
    peer = LocalPeer()
    peer.train(4)
    before, committed = peer.parameters(), peer.committed()
    peer.work.hand_over(peer.inputs)
    nothing = [torch.zeros_like(item) for item in committed]
    assert len(peer.parts) > 2
    first = peer.parts[0].slices[0].tensor
    peer.work.settle(peer.inputs[:-1], [item + 1e-30 for item in nothing], frozenset({0}))
    peer.replica.step(nothing, epoch=0, head=digest_of("commit"))
    peer.work.land(peer.replica)
    for index, (own, old, new) in enumerate(zip(before, committed, peer.parameters(), strict=True)):
        assert torch.allclose(new, old if index == first else own, atol=1e-6)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_a_commit_before_the_first_step_is_applied_once(dtype: torch.dtype) -> None:
    """A newcomer catches up before it has trained."""
    peer = LocalPeer(dtype=dtype)
    peer.commit([torch.full_like(item, 0.25) for item in peer.committed()], included=False)
    peer.work.hand_over(peer.inputs)
    assert_equal(peer.inputs[:-1], [torch.zeros_like(item) for item in peer.inputs[:-1]], 0.0)
    expected = [item.to(dtype).float() for item in peer.committed()]
    assert_equal(peer.parameters(), expected, 0.0)


def test_what_is_left_of_a_drift_shrinks_by_the_decay() -> None:
    peer = LocalPeer(rules=LocalStepRules(steps=16, error_decay=0.75), sent=most_of)
    peer.train(4)
    peer.work.hand_over(peer.inputs)
    drift, sent = [item.clone() for item in peer.inputs[:-1]], peer.sent()
    peer.commit(sent)
    left = [new - own for new, own in zip(peer.committed(), peer.parameters(), strict=True)]
    assert_equal(left, [0.75 * (whole - took) for whole, took in zip(drift, sent, strict=True)])


def test_training_goes_on_while_a_round_runs() -> None:
    peer = LocalPeer()
    peer.train(4)
    peer.work.hand_over(peer.inputs)
    drift = [item.clone() for item in peer.inputs[:-1]]
    peer.train(4)
    meanwhile = [new - own for new, own in zip(peer.committed(), peer.parameters(), strict=True)]
    peer.commit(drift)
    assert peer.work.samples == 8
    left = [new - own for new, own in zip(peer.committed(), peer.parameters(), strict=True)]
    assert_equal(left, [whole - took for whole, took in zip(meanwhile, drift, strict=True)])


def test_a_downloaded_state_replaces_the_drift_and_keeps_the_optimizer() -> None:
    peer, donor = LocalPeer(), LocalPeer(seed=5)
    donor.replica.step(
        [torch.full_like(item, 0.5) for item in donor.committed()], epoch=0, head=digest_of("commit")
    )
    peer.train(4)
    moments = {name: item.clone() for name, item in peer.work.lasting_state().items()}
    peer.replica.take(donor.replica.copied_state())
    peer.work.restart(peer.replica)
    assert_equal(peer.parameters(), donor.committed(), 0.0)
    assert peer.work.samples == 0
    assert all(item.equal(moments[name]) for name, item in peer.work.lasting_state().items())


@pytest.mark.parametrize("rules", [LOCAL, LocalStepRules(steps=16, outer_lr=0.7, outer_momentum=0.9)])
def test_equal_commits_lead_to_equal_replicas_that_a_state_makes_again(rules: LocalStepRules) -> None:
    one, other, late = LocalPeer(1, rules), LocalPeer(2, rules), LocalPeer(3, rules)
    for peer in (one, other):
        for seed in range(3):
            peer.train(3)
            draws = torch.Generator().manual_seed(seed)
            peer.commit(
                [torch.randn(item.shape, generator=draws) for item in peer.committed()], included=False
            )
    assert one.replica.place == other.replica.place
    late.replica.take(one.replica.copied_state())
    aggregate = [torch.ones_like(item) for item in one.committed()]
    assert one.replica.step(aggregate, epoch=3, head=digest_of("next")) == late.replica.step(
        aggregate, epoch=3, head=digest_of("next")
    )


def test_momentum_carries_a_step_on() -> None:
    rules = LocalStepRules(steps=16, outer_lr=0.5, outer_momentum=0.5)
    peer = LocalPeer(rules=rules)
    begin = peer.committed()
    one = [torch.ones_like(item) for item in begin]
    peer.replica.step(one, epoch=0, head=digest_of("a"))
    assert_equal(peer.committed(), [item - 0.5 * 1.5 for item in begin])
    peer.replica.step(one, epoch=1, head=digest_of("b"))
    assert_equal(peer.committed(), [item - 0.5 * 1.5 - 0.5 * 1.75 for item in begin])


@pytest.mark.parametrize("optimizer", [OPTIMIZER, ADAMW])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_a_saved_peer_goes_on_to_the_last_bit(dtype: torch.dtype, optimizer: AnyOptimizerRules) -> None:
    straight, resumed = (LocalPeer(dtype=dtype, optimizer=optimizer) for _ in range(2))
    straight.train(5)
    resumed.work.load(straight.work.exact_state())
    resumed.draws.set_state(straight.draws.get_state())
    for peer in (straight, resumed):
        peer.train(5)
        peer.work.hand_over(peer.inputs)
    assert all(one.equal(other) for one, other in zip(straight.inputs, resumed.inputs, strict=True))


def test_a_restart_keeps_the_optimizer_and_begins_at_the_committed_parameters() -> None:
    before, after = LocalPeer(), LocalPeer()
    before.train(6)
    after.work.load(before.work.lasting_state())
    assert_equal(after.parameters(), after.committed(), 0.0)
    assert all(
        item.equal(before.work.lasting_state()[name]) for name, item in after.work.lasting_state().items()
    )


def test_a_state_of_another_model_is_refused() -> None:
    peer = LocalPeer()
    with pytest.raises(CheckpointError):
        peer.work.load({"inner.nothing.step": torch.zeros(())})


def test_small_steps_are_not_lost_in_a_model_of_few_bits() -> None:
    """Master copies hold what bfloat16 rounds away."""
    peer = LocalPeer(dtype=torch.bfloat16)
    peer.train(8)
    peer.work.hand_over(peer.inputs)
    assert any(bool((item != item.bfloat16().float()).any()) for item in peer.inputs[:-1])


def test_gradients_that_are_not_finite_cost_their_step_alone() -> None:
    peer = LocalPeer()
    peer.train(2)
    own = peer.parameters()
    for item in peer.model.parameters():
        assert item.grad is not None
        item.grad.fill_(float("nan"))
    peer.work.add(1.0, 4)
    assert_equal(peer.parameters(), own, 0.0)
    assert peer.work.samples == 4
    assert peer.work.is_finite()
    peer.train(2)
    assert peer.work.samples == 8


def test_an_encoding_is_known_by_what_it_decodes_to() -> None:
    peer = LocalPeer(sent=as_received)
    peer.train(4)
    peer.work.hand_over(peer.inputs)
    sent = peer.sent()
    assert any(not one.equal(other) for one, other in zip(sent, peer.inputs, strict=False))
    assert_equal(sent, peer.inputs[:-1], 0.01)

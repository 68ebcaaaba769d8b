"""Gradients of low rank: what travels, what stays with its contributor, and the bases that all peers share."""

from collections.abc import Sequence

import pytest
import torch
from torch import Tensor, nn

from core.errors import CheckpointError
from core.run.encodings import LowRank
from core.run.optimizer_rules import LambRules
from core.run.rules import ScheduleRules, SwarmRules
from core.swarm.aggregation.rule import weighted_mean
from core.swarm.rounds.partition import as_received, round_parts, round_tensors
from core.swarm.state.low_rank import Basis
from core.swarm.state.low_rank_work import LowRankAccumulator
from core.swarm.state.peer_work import Batch
from core.swarm.state.pieces import outline_of
from core.swarm.state.replica import Replica
from tests.core.swarm.builders import digest_of

ROWS, COLUMNS, RANK = 40, 24, 3
RULES = SwarmRules(gradient_encoding=LowRank(rank=RANK), large_tensor_elements=512)
OPTIMIZER = LambRules(min_8bit_size=256, block_size=64)
SCHEDULE = ScheduleRules(peak_lr=0.02, warmup_epochs=0, total_epochs=1000)


def matrix(seed: int, rows: int = ROWS, columns: int = COLUMNS) -> Tensor:
    return torch.randn(rows, columns, generator=torch.Generator().manual_seed(seed))


def basis(seed: int = 0) -> Basis:
    return Basis.drawn(ROWS, COLUMNS, RANK, seed)


def assert_orthonormal(found: Basis) -> None:
    for side in (found.left, found.right):
        torch.testing.assert_close(side.T @ side, torch.eye(RANK), rtol=0, atol=1e-6)


def test_everything_travels_but_what_is_orthogonal_to_both_bases() -> None:
    given, found = basis(), matrix(1)
    left, right = (torch.eye(len(side)) - side @ side.T for side in (given.left, given.right))
    travelled = given.matrix_of(given.factors_of(found))
    torch.testing.assert_close(travelled, found - left @ found @ right, rtol=0, atol=1e-5)
    assert float((found - travelled).norm()) < float(found.norm())


def test_a_mean_of_factors_is_that_of_the_matrices() -> None:
    given, matrices = basis(), [matrix(seed) for seed in range(4)]
    weights = [1.0, 2.0, 3.0, 10.0]
    mean = weighted_mean([given.factors_of(item) for item in matrices], weights)
    torch.testing.assert_close(mean, given.factors_of(weighted_mean(matrices, weights)), rtol=0, atol=1e-5)


def test_a_matrix_of_that_rank_is_soon_found_whole() -> None:
    """Its product with any basis spans its columns already."""
    given, found = basis(), matrix(1, ROWS, RANK) @ matrix(2, RANK, COLUMNS)
    given.advance(given.factors_of(found))
    torch.testing.assert_close(given.matrix_of(given.factors_of(found)), found, rtol=0, atol=1e-4)


def test_the_bases_turn_to_the_largest_directions() -> None:
    """The error comes near that of the best matrix of twice the rank, which is what both factors can hold."""
    given = basis()
    left, sizes, right = torch.linalg.svd(matrix(1), full_matrices=False)
    sizes = torch.logspace(0, -3, len(sizes))
    found = left * sizes @ right
    for _ in range(12):
        given.advance(given.factors_of(found))
        assert_orthonormal(given)
    error = float((found - given.matrix_of(given.factors_of(found))).norm())
    assert error < 1.05 * float(sizes[RANK:].norm())


@pytest.mark.parametrize("rank", [0, 1])
def test_a_product_of_fewer_directions_leaves_the_old_ones(rank: int) -> None:
    given, before = basis(), basis()
    given.advance(given.factors_of(matrix(1, ROWS, rank) @ matrix(2, rank, COLUMNS)))
    assert_orthonormal(given)
    spanned = given.left.T @ before.left
    assert float(torch.linalg.svdvals(spanned)[: RANK - rank].min()) > 0.99


@pytest.mark.parametrize("columns", [24, 40_000])
def test_threads_change_no_bit(columns: int) -> None:
    given, found, threads = Basis.drawn(8, columns, 2, 0), matrix(1, 8, columns), torch.get_num_threads()
    factors, results = given.factors_of(found), []
    try:
        for number in (1, 2, 3):
            torch.set_num_threads(number)
            other = Basis(given.left.clone(), given.right.clone())
            whole = other.matrix_of(factors)
            other.advance(factors)
            results.append((whole, other.left, other.right))
    finally:
        torch.set_num_threads(threads)
    for result in results[1:]:
        assert all(one.equal(first) for one, first in zip(result, results[0], strict=True))


class LowRankPeer:
    """One peer of a swarm in this process, which rounds reach by hand."""

    def __init__(self) -> None:
        torch.manual_seed(7)
        self.model = nn.Sequential(nn.Linear(COLUMNS, ROWS), nn.Tanh(), nn.Linear(ROWS, 4))
        self.replica = Replica(self.model, OPTIMIZER, SCHEDULE, genesis=digest_of("run"), swarm=RULES)
        parameters = list(self.model.parameters())
        shapes = [item.shape for item in parameters]
        self.parts = round_parts(shapes, RULES)
        self.work = LowRankAccumulator(parameters, self.replica.bases, self.parts, as_received)
        self.inputs = round_tensors(shapes, RULES)
        self.gathered = torch.zeros(ROWS, COLUMNS)
        """Sum of all gradients of the matrix that is compressed."""

    def gather(self, seed: int, samples: int) -> None:
        draws = torch.Generator().manual_seed(seed)
        for item in self.model.parameters():
            gradient = torch.randn(item.shape, generator=draws) * samples
            item.grad = gradient if item.grad is None else item.grad + gradient
            if item.shape == self.gathered.shape:
                self.gathered += gradient
        self.work.add(1.0, samples)

    def hand_over(self) -> Batch:
        return self.work.hand_over(self.inputs)

    @property
    def left(self) -> Tensor:
        found = self.model[0].weight.grad
        assert isinstance(found, Tensor)
        return found


def reduced(peers: Sequence[LowRankPeer], batches: Sequence[Batch]) -> list[Tensor]:
    """Return the aggregate as all peers decode it."""
    outputs = [torch.zeros_like(item) for item in peers[0].inputs]
    for part in peers[0].parts:
        sent = [as_received(part, part.gather(peer.inputs)) for peer in peers]
        mean = weighted_mean(sent, [float(batch.samples) for batch in batches])
        part.scatter(as_received(part, mean), outputs)
    return outputs[:-1]


def commit(peer: LowRankPeer, aggregate: Sequence[Tensor], included: frozenset[int]) -> Tensor:
    """Land the ``aggregate``, and return the gradient that it stands for."""
    applied = peer.replica.bases.gradients_of(aggregate)[0]
    peer.work.settle(peer.inputs[:-1], aggregate, included)
    epoch = peer.replica.place.epoch
    peer.replica.step(aggregate, epoch=epoch, head=digest_of(f"commit {epoch}"))
    peer.work.land(peer.replica)
    return applied


def test_what_was_applied_and_what_is_left_are_all_gradients() -> None:
    peers, applied = [LowRankPeer(), LowRankPeer()], torch.zeros(ROWS, COLUMNS)
    for number in range(6):
        for place, peer in enumerate(peers):
            peer.gather(10 * number + place, 3 + 5 * place * number)
        batches = [peer.hand_over() for peer in peers]
        peers[0].gather(10 * number + 5, 2)  # training goes on while the round runs
        aggregate = reduced(peers, batches)
        everything = frozenset(range(len(peers[0].parts)))
        gradients = [commit(peer, [item.clone() for item in aggregate], everything) for peer in peers]
        assert gradients[0].equal(gradients[1])
        applied += gradients[0] * sum(batch.samples for batch in batches)
    assert peers[0].replica.place == peers[1].replica.place
    whole = sum((peer.gathered for peer in peers), torch.zeros(ROWS, COLUMNS))
    left = sum((peer.left for peer in peers), torch.zeros(ROWS, COLUMNS))
    assert float(left.norm()) > 0.1 * float(whole.norm())
    assert float((applied + left - whole).norm()) < 2e-3 * float(whole.norm())  # the mean's own 16 bits


def test_what_a_commit_does_not_hold_stays() -> None:
    peer = LowRankPeer()
    peer.gather(1, 4)
    peer.hand_over()
    nothing = [torch.zeros_like(item) for item in peer.inputs[:-1]]
    commit(peer, nothing, frozenset())
    torch.testing.assert_close(peer.left, peer.gathered)
    assert peer.work.samples == 0
    assert not peer.work.is_empty


def test_a_round_that_fails_returns_everything() -> None:
    peer = LowRankPeer()
    peer.gather(1, 4)
    batch = peer.hand_over()
    assert not bool(peer.left.any())
    peer.work.take_back(peer.inputs, batch)
    torch.testing.assert_close(peer.left, peer.gathered)
    assert peer.work.samples == 4
    commit(peer, [torch.zeros_like(item) for item in peer.inputs[:-1]], frozenset())  # an epoch without it
    torch.testing.assert_close(peer.left, peer.gathered)


def test_a_saved_peer_goes_on_with_what_is_left() -> None:
    straight, resumed = LowRankPeer(), LowRankPeer()
    straight.gather(1, 4)
    aggregate = reduced([straight], [straight.hand_over()])
    commit(straight, aggregate, frozenset(range(len(straight.parts))))
    assert straight.work.samples == 0
    resumed.replica.take(straight.replica.copied_state())
    resumed.work.restart(resumed.replica)
    resumed.work.load(straight.work.exact_state())
    for peer in (straight, resumed):
        peer.gather(2, 3)
        peer.hand_over()
    assert all(one.equal(other) for one, other in zip(straight.inputs, resumed.inputs, strict=True))


def test_what_is_left_grows_old_only_while_rounds_take_nothing_of_it() -> None:
    peer, again = LowRankPeer(), LowRankPeer()
    nothing = [torch.zeros_like(item) for item in peer.inputs[:-1]]
    everything = frozenset(range(len(peer.parts)))
    commit(peer, nothing, frozenset())
    assert peer.work.age == 0, "nothing is left of anything"
    ages = []
    for seed in (1, 2):
        peer.gather(seed, 4)
        batch = peer.hand_over()
        commit(peer, reduced([peer], [batch]), everything)
        ages.append(peer.work.age)
    assert ages == [0, 0]
    commit(peer, nothing, frozenset())
    again.work.load(peer.work.exact_state())
    for one in (peer, again):
        commit(one, nothing, frozenset())
        assert (one.work.age, one.work.samples) == (2, 0)
    peer.work.restart(peer.replica)
    assert (peer.work.age, peer.work.is_empty) == (0, True)


def test_a_download_forgets_what_is_left() -> None:
    peer = LowRankPeer()
    peer.gather(1, 4)
    peer.hand_over()
    peer.work.restart(peer.replica)
    assert peer.work.is_empty
    peer.work.land(peer.replica)
    assert peer.work.is_empty


LEFT = "optimizer.0.weight.left"


@pytest.mark.parametrize(
    "spoilt",
    [torch.zeros(ROWS, RANK), 2 * basis().left, torch.full((ROWS, RANK), torch.nan), torch.eye(3), None],
)
def test_bases_that_are_none_are_refused(spoilt: Tensor | None) -> None:
    """Such bases would let a donor enlarge gradients."""
    peer, donor = LowRankPeer(), LowRankPeer()
    state = donor.replica.copied_state()
    assert LEFT in state.tensors
    if spoilt is None:
        del state.tensors[LEFT]
    else:
        state.tensors[LEFT] = spoilt
    before = outline_of(peer.replica.copied_state())
    with pytest.raises(CheckpointError, match="bases"):
        peer.replica.take(state)
    assert outline_of(peer.replica.copied_state()) == before

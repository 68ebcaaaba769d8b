"""Each wanted contribution of a peer is applied or is in their buffers, whatever becomes of a round."""

from collections.abc import Sequence

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from benchmarks.drifts.error_feedback import ErrorFeedback
from core.errors import CheckpointError, SwarmError
from core.run.encodings import Encoding, TopK, WireFormat
from core.swarm.aggregation.rule import weighted_mean
from core.swarm.wire.encoding import decode, encode
from tests.core.swarm.builders import FIFTY_EXAMPLES

LENGTH = 600
FORMS = st.sampled_from([TopK(chunk=256, kept=16), Encoding.BLOCKWISE4, Encoding.BLOCKWISE8])
outcomes = st.lists(st.sampled_from(["committed", "failed", "without the first"]), min_size=1, max_size=8)


def over_the_wire(values: Tensor, form: WireFormat) -> Tensor:
    return decode(encode(values, form), form, len(values))


def exchange(
    peers: Sequence[ErrorFeedback], drifts: Sequence[Tensor], up: WireFormat, down: WireFormat
) -> tuple[Tensor, Tensor]:
    """Send all drifts, and return the decoded aggregate and the exact mean of what was sent."""
    received = []
    for peer, drift in zip(peers, drifts, strict=True):
        received.append(over_the_wire(peer.prepare(0, drift), up))
        peer.sent(0, received[-1])
    mean = weighted_mean(received, [1.0] * len(received))
    return over_the_wire(mean, down), mean


@FIFTY_EXAMPLES
@given(up=FORMS, down=FORMS, outcomes=outcomes, seed=st.integers(0, 1000))
def test_nothing_is_lost_but_the_error_of_encoded_aggregates(
    up: WireFormat, down: WireFormat, outcomes: list[str], seed: int
) -> None:
    """Sum of what was applied, mean of buffers, and that error are the mean of all drifts."""
    generator = torch.Generator().manual_seed(seed)
    peers = [ErrorFeedback([LENGTH]) for _ in range(3)]
    wanted, applied, quantized = (torch.zeros(LENGTH, dtype=torch.float64) for _ in range(3))
    drifts = [torch.zeros(LENGTH) for _ in peers]
    for outcome in outcomes:
        steps = [torch.randn(LENGTH, generator=generator) ** 3 for _ in peers]
        wanted += sum(steps, torch.zeros(())).double() / len(peers)
        # the drift of a round that failed is in the parameters still, and comes again with the next
        drifts = [drift + step for drift, step in zip(drifts, steps, strict=True)]
        in_it = peers[1:] if outcome == "without the first" else peers
        aggregate, mean = exchange(in_it, drifts[len(peers) - len(in_it) :], up, down)
        if outcome == "failed":
            for peer in peers:
                peer.abandon()
            continue
        if len(in_it) < len(peers):
            peers[0].prepare(0, drifts[0])
            peers[0].committed(0, included=False, aggregate=aggregate)
        for peer in in_it:
            peer.committed(0, included=True, aggregate=aggregate)
        # a mean over fewer peers stands for that share of the mean over all
        share = len(in_it) / len(peers)
        applied += share * aggregate.double()
        quantized += share * torch.where(aggregate != 0, mean - aggregate, 0.0).double()
        drifts = [torch.zeros(LENGTH) for _ in peers]
    kept = [
        peer.state_tensors()["error_feedback.0"] + drift for peer, drift in zip(peers, drifts, strict=True)
    ]
    total = applied + quantized + sum(kept, torch.zeros(())).double() / len(peers)
    assert float((total - wanted).abs().max()) < 1e-4


def test_what_the_aggregate_leaves_out_returns_to_its_contributors() -> None:
    feedback = ErrorFeedback([4])
    feedback.prepare(0, torch.tensor([4.0, 3.0, 2.0, 1.0]))
    feedback.sent(0, torch.tensor([3.5, 3.5, 0.0, 0.0]))
    feedback.committed(0, included=True, aggregate=torch.tensor([2.0, 0.0, 5.0, 0.0]))
    assert feedback.state_tensors()["error_feedback.0"].tolist() == [0.5, 3.0, 2.0, 1.0]


def test_a_decayed_buffer_comes_with_the_next_drift() -> None:
    feedback = ErrorFeedback([2], decay=0.5)
    feedback.prepare(0, torch.tensor([4.0, 2.0]))
    feedback.committed(0, included=False, aggregate=torch.ones(2))
    assert feedback.prepare(0, torch.tensor([1.0, 1.0])).tolist() == [3.0, 2.0]


def test_an_abandoned_round_leaves_the_buffers_as_they_were() -> None:
    feedback = ErrorFeedback([3, 2])
    feedback.prepare(1, torch.tensor([1.0, 2.0]))
    feedback.committed(1, included=False, aggregate=torch.zeros(2))
    before = {name: item.clone() for name, item in feedback.state_tensors().items()}
    for part, length in enumerate((3, 2)):
        feedback.sent(part, feedback.prepare(part, torch.ones(length)))
    feedback.abandon()
    assert all(feedback.state_tensors()[name].equal(item) for name, item in before.items())
    feedback.reset()
    assert not any(item.any() for item in feedback.state_tensors().values())


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_a_resumed_peer_continues_bit_for_bit(dtype: torch.dtype) -> None:
    first, second = (ErrorFeedback([LENGTH], dtype=dtype) for _ in range(2))
    drift = torch.randn(LENGTH, generator=torch.Generator().manual_seed(1))
    exchange([first], [drift], TopK(chunk=256), TopK(chunk=256))
    first.committed(0, included=True, aggregate=torch.zeros(LENGTH))
    second.load_state_tensors({name: item.clone() for name, item in first.state_tensors().items()})
    assert first.prepare(0, drift).equal(second.prepare(0, drift))


@pytest.mark.parametrize(
    "tensors",
    [
        {},
        {"error_feedback.1": torch.zeros(4)},
        {"error_feedback.0": torch.zeros(5)},
        {"error_feedback.0": torch.zeros(4, dtype=torch.bfloat16)},
        {"error_feedback.0": torch.full((4,), torch.nan)},
    ],
)
def test_a_state_that_does_not_fit_changes_nothing(tensors: dict[str, Tensor]) -> None:
    feedback = ErrorFeedback([4])
    feedback.prepare(0, torch.ones(4))
    feedback.committed(0, included=False, aggregate=torch.zeros(4))
    with pytest.raises(CheckpointError):
        feedback.load_state_tensors(tensors)
    assert feedback.state_tensors()["error_feedback.0"].equal(torch.ones(4))


def test_calls_out_of_order_are_faults() -> None:
    feedback = ErrorFeedback([4])
    with pytest.raises(SwarmError, match="Part 0"):
        feedback.sent(0, torch.zeros(4))
    with pytest.raises(SwarmError, match="Part 0"):
        feedback.committed(0, included=True, aggregate=torch.zeros(4))
    feedback.prepare(0, torch.zeros(4))
    with pytest.raises(SwarmError, match="Part 0"):
        feedback.committed(0, included=True, aggregate=torch.zeros(4))
    with pytest.raises(ValueError, match="shape"):
        feedback.prepare(0, torch.zeros(5))
    with pytest.raises(ValueError, match="decay"):
        ErrorFeedback([4], decay=1.1)

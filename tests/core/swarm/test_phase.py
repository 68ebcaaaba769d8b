"""Each signal leads to the right phase, and every other one is an error."""

from itertools import product

import pytest

from core.swarm.phase import Phase, Signal, transition

LEGAL = {
    (Phase.JOINING, Signal.AGREED): Phase.ACCUMULATING,
    (Phase.JOINING, Signal.DISAGREED): Phase.RECOVERING,
    (Phase.ACCUMULATING, Signal.DISAGREED): Phase.RECOVERING,
    (Phase.ACCUMULATING, Signal.BATCH_COMPLETE): Phase.AVERAGING,
    (Phase.AVERAGING, Signal.ROUND_FAILED): Phase.ACCUMULATING,
    (Phase.AVERAGING, Signal.GRADIENTS_COMMITTED): Phase.UPDATING,
    (Phase.UPDATING, Signal.UPDATE_LANDED): Phase.ACCUMULATING,
    (Phase.RECOVERING, Signal.GRADIENTS_COMMITTED): Phase.UPDATING,
    (Phase.RECOVERING, Signal.STATE_TAKEN): Phase.JOINING,
    (Phase.RECOVERING, Signal.RECOVERY_FAILED): Phase.JOINING,
}


@pytest.mark.parametrize(("phase", "signal"), list(product(Phase, Signal)))
def test_every_pair(phase: Phase, signal: Signal) -> None:
    if (phase, signal) in LEGAL:
        assert transition(phase, signal) == LEGAL[phase, signal]
    else:
        with pytest.raises(ValueError, match="cannot happen while"):
            transition(phase, signal)


@pytest.mark.parametrize("phase", Phase)
def test_a_peer_can_always_get_back_to_gathering_samples(phase: Phase) -> None:
    reached, found = {phase}, {phase}
    while found:
        found = {after for (before, _), after in LEGAL.items() if before in found} - reached
        reached |= found
    assert Phase.ACCUMULATING in reached

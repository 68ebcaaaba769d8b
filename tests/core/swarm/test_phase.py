"""Each signal leads to the right phase, and every other one is an error."""

from itertools import product

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


def following(phase: Phase, signal: Signal) -> Phase | None:
    """The phase that follows, or None if the signal is refused in words."""
    try:
        return transition(phase, signal)
    except ValueError as error:
        if "cannot happen while" in str(error):
            return None
        raise


def test_every_pair() -> None:
    found = {(phase, signal): following(phase, signal) for phase, signal in product(Phase, Signal)}
    assert found == {pair: LEGAL.get(pair) for pair in found}


def reachable_from(phase: Phase) -> set[Phase]:
    reached, found = {phase}, {phase}
    while found:
        found = {after for (before, _), after in LEGAL.items() if before in found} - reached
        reached |= found
    return reached


def test_a_peer_can_always_get_back_to_gathering_samples() -> None:
    assert [phase for phase in Phase if Phase.ACCUMULATING not in reachable_from(phase)] == []

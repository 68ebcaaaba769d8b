"""The rule of overlap says in which phases a peer computes, and when its updates land."""

import pytest

from core.run.rules import Overlap
from core.swarm.overlap import Landing, OverlapRule
from core.swarm.phase import Phase


def allowed(rule: OverlapRule, *, stands_still: bool = False) -> set[Phase]:
    return {phase for phase in Phase if rule.allows(phase, stands_still=stands_still)}


@pytest.mark.parametrize(
    ("overlap", "phases"),
    [
        (Overlap.NONE, {Phase.ACCUMULATING}),
        (Overlap.DELAYED_UPDATE, {Phase.ACCUMULATING, Phase.UPDATING}),
        (Overlap.FULL, {Phase.ACCUMULATING, Phase.AVERAGING, Phase.UPDATING}),
    ],
)
def test_a_peer_computes_in_the_phases_that_its_run_overlaps(overlap: Overlap, phases: set[Phase]) -> None:
    assert allowed(OverlapRule(overlap)) == phases
    assert allowed(OverlapRule(overlap), stands_still=True) == phases - {Phase.ACCUMULATING}


def test_an_update_lands_when_it_is_ready_wherever_time_decides() -> None:
    rule = OverlapRule(Overlap.FULL)
    assert (rule.may_land, rule.is_deterministic) == (True, False)


@pytest.mark.parametrize("overlap", [Overlap.DELAYED_UPDATE, Overlap.FULL])
def test_a_deterministic_peer_computes_as_many_micro_steps_as_its_updates_are_late(overlap: Overlap) -> None:
    rule = OverlapRule(overlap, Landing(2))
    for _ in range(3):  # those that make the batch count for nothing
        rule.count()
    rule.begin_round()
    computed = 0
    while rule.allows(Phase.UPDATING, stands_still=False):
        assert not rule.may_land
        rule.count()
        computed += 1
    assert (computed, rule.may_land, rule.is_deterministic) == (2, True, True)


@pytest.mark.parametrize("overlap", Overlap)
def test_a_deterministic_peer_without_delay_computes_only_while_it_gathers(overlap: Overlap) -> None:
    rule = OverlapRule(overlap, Landing())
    assert allowed(rule) == {Phase.ACCUMULATING}
    assert rule.may_land

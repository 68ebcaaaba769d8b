"""A trainer reports when the next epoch comes: by the samples that are missing, or by the clock."""

from types import SimpleNamespace
from typing import Any, cast

import pytest
from hivemind.utils import get_dht_time

from core.messages.events import Progress
from core.run.rules import LocalStepRules, Overlap, SwarmRules
from core.swarm.bandwidth import Line
from core.swarm.membership.swarm_view import SwarmView
from core.swarm.wire.records import ProgressRecord
from core.trainer.reports import progress
from tests.core.swarm import builders

BY_CLOCK = SwarmRules(
    target_batch_size=100, overlap=Overlap.FULL, local_steps=LocalStepRules(round_seconds=300.0)
)


def reported(rules: SwarmRules, *others: ProgressRecord, **own: Any) -> Progress:
    """Return the report of a peer with that record beside ``others``."""
    now = get_dht_time()
    record = builders.progress(0, time=now, **{"epoch_seconds": 100.0, **own})
    optimizer = SimpleNamespace(
        record=lambda: record, view=SwarmView(now, others), epoch=7, loss=None, samples=10, waiting=None
    )
    pace = SimpleNamespace(micro_steps=1, compute_seconds=1.0)
    stream = SimpleNamespace(waiting_share=lambda: 0.0)
    peer = SimpleNamespace(optimizer=optimizer, line=Line())
    return progress(cast(Any, peer), cast(Any, pace), cast(Any, stream), rules)


def test_samples_that_are_missing_decide_at_the_swarms_rate() -> None:
    found = reported(SwarmRules(target_batch_size=100))
    assert (found.seconds_to_next_epoch, found.round_seconds) == ((100 - 10) / 2, None)


@pytest.mark.parametrize("samples", [0, 10, 5_000])
def test_the_clock_decides_whatever_was_gathered(samples: int) -> None:
    found = reported(BY_CLOCK, samples=samples)
    assert found.seconds_to_next_epoch == pytest.approx(200.0, abs=5)
    assert (found.round_seconds, found.swarm_samples) == (300.0, samples)


def test_the_time_of_a_newcomer_is_that_of_the_swarm() -> None:
    there = [builders.progress(n, time=get_dht_time(), epoch_seconds=250.0) for n in (1, 2)]
    found = reported(BY_CLOCK, *there, epoch_seconds=1.0)
    assert found.seconds_to_next_epoch == pytest.approx(50.0, abs=5)


@pytest.mark.parametrize("rules", [SwarmRules(), BY_CLOCK])
def test_where_nobody_computes_no_time_is_promised(rules: SwarmRules) -> None:
    assert reported(rules, samples=0, samples_per_second=0.0).seconds_to_next_epoch is None


def test_an_overdue_round_has_no_negative_time() -> None:
    assert reported(BY_CLOCK, epoch_seconds=1_000.0).seconds_to_next_epoch == 0.0

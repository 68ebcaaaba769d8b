"""An auxiliary peer learns from its rounds how patient it has to be."""

import copy
from types import SimpleNamespace
from typing import Any, cast

import pytest

from core.run.rules import SwarmRules
from core.swarm.auxiliary import AuxiliaryPeer
from core.swarm.rounds.round import NothingToCommit, RoundRequest
from core.swarm.state.beginning import Beginning
from tests.core.swarm.builders import HandClock, digest_of, identity, progress, seen

RULES = SwarmRules(matchmaking_seconds=15.0)


class EndedStep:
    """A look for a group that has ended as a test says."""

    triggered = True

    def __init__(self, error: Exception) -> None:
        self._error = error

    def done(self) -> bool:
        return True

    def result(self) -> None:
        raise self._error


def requests_of(error: Exception) -> list[RoundRequest]:
    """Return the requests of an auxiliary peer whose rounds end with ``error``."""
    begun: list[RoundRequest] = []

    def begin(request: RoundRequest) -> EndedStep:
        begun.append(request)
        return EndedStep(error)

    trainers = (progress(1, samples=60), progress(2, samples=60))
    tracker = SimpleNamespace(
        view=seen(60, trainers), start=lambda record: None, publish=lambda: None, stop=lambda: None
    )
    averager = SimpleNamespace(peer_id=identity(0).peer_id, begin=begin)
    peer = AuxiliaryPeer(
        cast(Any, averager),
        cast(Any, tracker),
        RULES.model_copy(update={"target_batch_size": 64}),
        beginning=Beginning(digest_of("genesis"), 0),
        clock=HandClock(),
        dht_time=lambda: 60.0,
    )
    for _ in range(6):
        peer.turn()
    return begun


@pytest.mark.parametrize(
    ("stores", "settle"), [((), RULES.matchmaking_seconds / 3), ((0.1, 0.2, 0.1), 0.4)], ids=["none", "seen"]
)
def test_it_waits_for_records_no_longer_than_stores_take(stores: tuple[float, ...], settle: float) -> None:
    first, second, *_ = requests_of(NothingToCommit("It has ended.", 1.0, stores))
    assert first.limits.settle_seconds == RULES.matchmaking_seconds / 3, "it knows of none yet"
    assert second.limits.settle_seconds == pytest.approx(settle)


def test_the_end_of_its_round_comes_whole_from_the_other_process() -> None:
    ended = copy.copy(NothingToCommit("It has ended.", 1.0, (0.1,)))
    assert (ended.what, ended.exchange_seconds, ended.store_seconds) == ("It has ended.", 1.0, (0.1,))

"""Scores drifts by Gauntlet's test: pure. A drift lowers the loss on its own rows, and more than on others.

Templar's Gauntlet scores each contribution by how much it lowers the loss on the data that was assigned to its peer,
and on other data. One test is a weak witness: of honest drifts one in eight lowers the loss on other rows more. So
that alone leaves a doubt. A drift that does not even lower the loss on its own rows is useless, and others are told
to look for themselves: one auditor alone would take hundreds of rounds for the tests that it needs. Work is false if
that is usual for its peer, and not for others: learning rates that are too high would raise the loss for all.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from core.swarm.auditing.trust import WorkVerdict

TESTS_KEPT = 8
_MOST_USELESS = 4
"""Useless drifts among a peer's last `TESTS_KEPT` from which on its work is false."""
_LEAST_OF_OTHERS = 4
"""Tests of other peers without which no work is called false."""


class DriftOutcome(StrEnum):
    """Outcome of one test of a drift."""

    WON = "more gain on its own rows"
    LOST = "less gain on its own rows than on others"
    USELESS = "no gain on its own rows"


@dataclass(frozen=True)
class DriftGains:
    """Falls of the mean loss, per sample, by one drift."""

    own: float
    """Fall on rows that its peer names."""
    others: float
    """Fall on as many other rows."""

    @property
    def outcome(self) -> DriftOutcome:
        """The outcome of a test with these gains; numbers that are not finite are no gain."""
        if not self.own > 0:
            return DriftOutcome.USELESS
        return DriftOutcome.WON if self.own >= self.others else DriftOutcome.LOST


DriftOutcomes = tuple[DriftOutcome, ...]


def after_test(tests: DriftOutcomes, gains: DriftGains) -> DriftOutcomes:
    """Return the outcomes of a peer's last ``tests`` with that of ``gains`` behind them."""
    return (*tests, gains.outcome)[-TESTS_KEPT:]


def verdict_on(tests: DriftOutcomes, of_others: Iterable[DriftOutcomes]) -> WorkVerdict:
    """Return what a peer's last ``tests``, one at least, say of its work beside those ``of_others``."""
    others = [outcome for outcomes in of_others for outcome in outcomes]
    is_usual = len(others) < _LEAST_OF_OTHERS or 2 * others.count(DriftOutcome.USELESS) > len(others)
    if tests.count(DriftOutcome.USELESS) >= _MOST_USELESS and not is_usual:
        return WorkVerdict.FALSE
    if tests[-1] is DriftOutcome.USELESS and not is_usual:
        return WorkVerdict.USELESS
    return WorkVerdict.SOUND if tests[-1] is DriftOutcome.WON else WorkVerdict.DOUBTFUL

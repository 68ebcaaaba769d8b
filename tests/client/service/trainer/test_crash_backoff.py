"""Failures of a trainer's lives add up while they are short, and are forgiven."""

from collections.abc import Sequence

from client.service.trainer.restarts import MOST_CRASHES, CrashBackoff, EndCause


class BackoffLives:
    """Each as long as it is told, one after the other; pauses are the longest that may be drawn."""

    def __init__(self, crashes: Sequence[float] = ()) -> None:
        self.now = 10_000.0
        self.backoff = CrashBackoff(crashes, lambda: self.now, lambda: 1.0)

    def end(self, fault: EndCause, after: float = 1.0) -> float | None:
        self.backoff.begin()
        self.now += after
        return self.backoff.pause_after(fault)


def test_what_others_cause_is_tried_again_for_ever_and_more_rarely() -> None:
    lives = BackoffLives()
    assert [lives.end(EndCause.SURROUNDINGS) for _ in range(4)] == [5.0, 10.0, 20.0, 40.0]


def test_a_long_life_has_overcome_what_failed_before() -> None:
    lives = BackoffLives()
    pauses = [lives.end(EndCause.SURROUNDINGS, after) for after in (1.0, 1.0, 601.0, 1.0)]
    assert pauses == [5.0, 10.0, 5.0, 10.0]


def test_crashes_count_together_with_those_under_earlier_daemons() -> None:
    final = {}
    for earlier in range(MOST_CRASHES):
        lives = BackoffLives([60.0] * earlier)
        final[earlier] = [lives.end(EndCause.CRASH) is None for _ in range(MOST_CRASHES - earlier)]
    assert final == {
        earlier: [*[False] * (MOST_CRASHES - earlier - 1), True] for earlier in range(MOST_CRASHES)
    }


def test_what_lasts_is_not_tried_again_until_the_volunteer_asks() -> None:
    lives = BackoffLives([60.0] * (MOST_CRASHES - 1))
    assert lives.end(EndCause.LASTING) is None
    lives.backoff.forgive()
    assert lives.end(EndCause.CRASH) == 5.0

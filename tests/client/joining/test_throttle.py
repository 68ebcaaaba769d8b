"""A download that keeps to a rate, by a clock that its own waiting moves."""

from dataclasses import dataclass, field

from client.joining.throttle import throttled

TOTAL = 1_000_000


@dataclass
class Wait:
    now: float = 100.0
    said: list[int] = field(default_factory=list)

    def clock(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    def progress(self, name: str, done: int, total: int) -> None:
        self.said.append(done)


def test_pieces_come_no_faster_than_is_allowed() -> None:
    wait = Wait()
    told = throttled(wait.progress, 1000, wait.clock, wait.sleep)
    for done in range(0, 60_001, 500):
        told("shard", done, TOTAL)
    assert 59.0 <= wait.now - 100.0 <= 60.0
    assert wait.said[-1] == 60_000


def test_what_an_earlier_attempt_has_got_is_not_waited_for() -> None:
    wait = Wait()
    told = throttled(wait.progress, 1000, wait.clock, wait.sleep)
    told("shard", 500_000, TOTAL)
    assert wait.now == 100.0


def test_a_time_without_a_byte_is_caught_up_on_for_a_second_only() -> None:
    wait = Wait()
    told = throttled(wait.progress, 1000, wait.clock, wait.sleep)
    told("shard", 0, TOTAL)
    wait.now += 3600.0
    told("shard", 11_000, TOTAL)
    assert wait.now - 3700.0 == 10.0


def test_without_a_limit_nothing_waits() -> None:
    wait = Wait()
    told = throttled(wait.progress, None, wait.clock, wait.sleep)
    told("shard", 0, TOTAL)
    told("shard", TOTAL, TOTAL)
    assert wait.now == 100.0

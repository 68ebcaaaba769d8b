"""A peer whose entrances answer at once what a test says, by a clock that the test moves."""

from concurrent.futures import Future
from dataclasses import dataclass, field, replace

from core.messages.reach import Reach
from core.swarm.reach.reachability import ReachAnswer, ReachObservations, judge
from core.swarm.reach.watch import ReachWatch
from tests.moved_clock import MovedClock

PORT, AT_HOME, ABROAD = 31_000, "11.0.0.7", "11.0.0.9"


@dataclass
class WatchScene:
    """A peer whose entrances see it come from ``observed``, and can connect to it if it ``is_open``."""

    is_open: bool = False
    observed: str | None = AT_HOME
    own: str = "192.168.1.7"
    own6: str | None = None
    """Address of IPv6, by which entrances are asked before the start alone."""
    clock: MovedClock[float] = field(default_factory=lambda: MovedClock(0.0))
    looks: list[tuple[float, bool]] = field(default_factory=list)
    """Times at which the entrances were asked, and whether about ports."""
    news: list[tuple[float, Reach]] = field(default_factory=list)
    """Times of new verdicts."""

    def __post_init__(self) -> None:
        seen = self._observations(True)
        if self.own6 is not None:
            by_ip6 = ReachAnswer("Qm", self.own6)
            seen = replace(seen, answers=(*seen.answers, by_ip6), own_address6=self.own6)
        self.watch = ReachWatch(
            self._look,
            judge(seen),
            clock=self.clock,
            own_address=lambda: (self.own, self.own6),
        )

    def _observations(self, with_ports: bool) -> ReachObservations:
        reached = (PORT,) if self.is_open and with_ports else ()
        answers = (ReachAnswer("Qm", self.observed, reached),) if self.observed else ()
        return ReachObservations(PORT, self.own, answers)

    def _look(self, with_ports: bool) -> "Future[ReachObservations]":
        self.looks.append((self.clock.now, with_ports))
        looking: Future[ReachObservations] = Future()
        looking.set_result(self._observations(with_ports))
        return looking

    def go_on(self, seconds: int) -> None:
        """Let time pass, with a turn every half a second."""
        for _ in range(2 * seconds):
            found = self.watch.turn()
            if found is not None:
                self.news.append((self.clock.now, found.reach))
            self.clock.now += 0.5

    def checks(self) -> list[float]:
        return [when for when, with_ports in self.looks if with_ports]

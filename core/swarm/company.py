"""A peer's company: what the others are to its epoch, who would join a round, and what they are told of this peer."""

from collections.abc import Callable, Sequence
from typing import Protocol

from hivemind.utils import get_dht_time

from core.rules import SwarmRules
from core.swarm.agreement import Course, Verdict, assess
from core.swarm.beginning import Beginning
from core.swarm.progress import ProgressTracker, SwarmView
from core.swarm.records import ProgressRecord


class Company(Protocol):
    """What the optimizer asks about the others; ``own`` is this peer's record as it stands."""

    @property
    def lost(self) -> bool:
        """Whether nothing will ever be heard of the others again."""

    @property
    def is_quiet(self) -> bool:
        """Whether it has come to rest after ``rest``."""

    @property
    def view(self) -> SwarmView:
        """The others as last seen; empty before the first look."""

    def start(self, record: Callable[[], ProgressRecord]) -> None:
        """Begin to tell them what ``record`` gives, which may be called from any thread."""

    def verdict(self, own: ProgressRecord) -> Verdict | None:
        """How this peer stands to them; None while nobody has looked since it moved last."""

    def samples(self, own: ProgressRecord) -> float:
        """Samples of the epoch, all together."""

    def seconds_to_batch(self, own: ProgressRecord) -> float:
        """Until the epoch's batch is complete; infinite where no other works on it."""

    def partners(self, own: ProgressRecord) -> int:
        """How many others to expect in a round."""

    def moved(self) -> None:
        """What was seen so far is out of date, as this peer is somewhere else now, or was away."""

    def tell(self) -> None:
        """Tell them now where this peer stands, and look."""

    def rest(self) -> None:
        """Tell them a last time, then neither tell nor look until the next ``tell``."""

    def set_aside(self, peers: Sequence[bytes], seconds: float) -> None:
        """Do not listen to these for a while."""

    def leave(self) -> None:
        """Tell them that this peer goes."""


class Swarm:
    """The others of a real swarm, by their progress records."""

    def __init__(
        self, tracker: ProgressTracker, rules: SwarmRules, *, beginning: Beginning | None = None
    ) -> None:
        self._tracker, self._rules, self._beginning = tracker, rules, beginning
        self._moved_at = 0.0
        """DHT time; views from before it are out of date."""
        self.start, self.tell, self.rest = tracker.start, tracker.publish, tracker.rest
        self.set_aside, self.leave = tracker.set_aside, tracker.stop

    @property
    def lost(self) -> bool:
        return self._tracker.lost

    @property
    def is_quiet(self) -> bool:
        return self._tracker.is_quiet

    @property
    def view(self) -> SwarmView:
        return self._tracker.view or SwarmView(get_dht_time())

    def verdict(self, own: ProgressRecord) -> Verdict | None:
        view = self._tracker.view
        if view is None or view.time < self._moved_at:
            return None
        tolerance = self._rules.sketch_tolerance
        return assess(own, view.others, sketch_tolerance=tolerance, beginning=self._beginning)

    def samples(self, own: ProgressRecord) -> float:
        return self.view.samples(own, get_dht_time())

    def seconds_to_batch(self, own: ProgressRecord) -> float:
        view = self.view
        if not view.at(own):
            return float("inf")
        return view.seconds_to_batch(own, self._rules.target_batch_size, get_dht_time())

    def partners(self, own: ProgressRecord) -> int:
        return self.view.near(own)

    def moved(self) -> None:
        self._moved_at = get_dht_time()


class Alone:
    """No company: for a peer whose epochs are to be the same each time, whoever else there is."""

    lost, is_quiet = False, True
    view = SwarmView(0.0)

    def start(self, record: Callable[[], ProgressRecord]) -> None: ...

    def verdict(self, own: ProgressRecord) -> Verdict:
        return Verdict(Course.FOLLOW)

    def samples(self, own: ProgressRecord) -> float:
        return own.samples

    def seconds_to_batch(self, own: ProgressRecord) -> float:
        return float("inf")

    def partners(self, own: ProgressRecord) -> int:
        return 0

    def moved(self) -> None: ...

    def tell(self) -> None: ...

    def rest(self) -> None: ...

    def set_aside(self, peers: Sequence[bytes], seconds: float) -> None: ...

    def leave(self) -> None: ...

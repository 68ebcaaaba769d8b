"""A peer's view of the others: the verdict on its own place, the partners of a round, and its announcements."""

import time
from collections.abc import Callable, Sequence
from typing import Protocol

from hivemind.utils import get_dht_time

from core.run.rules import SwarmRules
from core.swarm.membership.agreement import Course, Verdict, assess
from core.swarm.membership.ahead import AloneSince, alone_since
from core.swarm.membership.claims import seconds_until_plausible
from core.swarm.membership.progress import ProgressTracker
from core.swarm.membership.swarm_view import SwarmView
from core.swarm.state.beginning import Beginning
from core.swarm.wire.records import ProgressRecord


class SwarmMembership(Protocol):
    """The optimizer's questions about the other peers; ``own`` is this peer's record at present."""

    @property
    def lost(self) -> bool:
        """True if this peer can never hear of others again."""

    @property
    def is_quiet(self) -> bool:
        """True if nothing is published or looked up any more after ``rest``."""

    @property
    def view(self) -> SwarmView:
        """The others as last seen; empty before the first look."""

    def start(self, record: Callable[[], ProgressRecord]) -> None:
        """Begin to tell the others what ``record`` returns, which may be called from any thread."""

    def verdict(self, own: ProgressRecord) -> Verdict | None:
        """Return the verdict on the place in ``own``; None until the first look after this peer moved."""

    def partners(self, own: ProgressRecord) -> int:
        """Return the number of other peers to expect in a round at the place in ``own``."""

    def moved(self) -> None:
        """Discard the view: this peer is at another place now, or was away."""

    def publish(self) -> None:
        """Publish this peer's place to the others now, and look at them."""

    def rest(self) -> None:
        """Publish this peer's place a last time, then neither publish nor look until the next ``publish``."""

    def set_aside(self, peers: Sequence[bytes], seconds: float) -> None:
        """Ignore the users of ``peers`` (ids in bytes) for ``seconds`` at first, and for longer each time."""

    def leave(self) -> None:
        """Tell the others that this peer leaves."""


def seconds_to_round(
    membership: SwarmMembership,
    own: ProgressRecord,
    rules: SwarmRules,
    dht_time: Callable[[], float] = get_dht_time,
    pace: float | None = None,
) -> float:
    """Return the seconds until a round is due: by the clock if the run says so, else by the swarm's samples.

    A peer without others on its batch looks for none before the batch is complete: until then the result is infinite.

    Args:
        membership: the other peers.
        own: this peer's record at present.
        rules: the run's rules: the samples of an epoch, and the seconds between rounds where the clock decides.
        dht_time: gives the time of the DHT in seconds.
        pace: samples a second that the last commits had (`core.swarm.membership.claims.DeliveredPace`), by which the
            others' claims are bounded; None bounds nothing.
    """
    view, now, target = membership.view, dht_time(), rules.target_batch_size
    left = view.seconds_to_round(own, target, rules.round_seconds, now)
    if rules.round_seconds is not None or own.samples >= target:
        return left
    if not view.at(own):
        return float("inf")
    gathered = own.samples / own.samples_per_second if own.samples_per_second else 0.0
    return max(left, seconds_until_plausible(target, pace, max(gathered, view.epoch_seconds(own, now))))


class Swarm:
    """The other peers of a real swarm, known by their progress records."""

    def __init__(
        self,
        tracker: ProgressTracker,
        rules: SwarmRules,
        *,
        beginning: Beginning | None = None,
        most_rounds: int = 1,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Know the other peers by ``tracker``, which `start` starts.

        ``rules`` give the samples of an epoch and the tolerance between sketches. ``beginning`` is the beginning
        of this peer's generation: records that cannot belong to it do not count. None admits all. If this peer misses
        ``most_rounds`` or fewer, it fetches these rounds and not a state. ``clock`` gives monotonic seconds, as the
        tracker's does.
        """
        self._tracker, self._rules, self._beginning = tracker, rules, beginning
        self._most_rounds = most_rounds
        self._clock, self._moved_at = clock, float("-inf")
        """The time of this peer's last move; views from before it are out of date."""
        self._joined_at: int | None = None
        """Epoch at which this peer began; None until it asks for the first verdict."""
        self._is_newcomer = True
        self._alone: AloneSince | None = None
        """The looks at which most users were behind this peer; None if they were not at the last one."""
        self.start, self.publish, self.rest = tracker.start, tracker.publish, tracker.rest
        self.set_aside, self.leave = tracker.set_aside, tracker.stop

    @property
    def lost(self) -> bool:
        """True if the DHT's process has died or does not answer."""
        return self._tracker.lost

    @property
    def is_quiet(self) -> bool:
        """True if the tracker rests and has published a last time."""
        return self._tracker.is_quiet

    @property
    def view(self) -> SwarmView:
        """The other peers as last seen; empty before the first look."""
        return self._tracker.view or SwarmView(get_dht_time())

    def verdict(self, own: ProgressRecord) -> Verdict | None:
        """Return the verdict on the place in ``own``; None until the first look after this peer moved."""
        view = self._tracker.view
        if view is None or view.seen_at < self._moved_at:
            return None
        self._alone = alone_since(self._alone, own, view, self._beginning)
        return assess(
            own,
            view.others,
            sketch_tolerance=self._rules.sketch_tolerance,
            beginning=self._beginning,
            aside=view.aside if self._is_new(own) else (),
            most_rounds=self._most_rounds,
            is_alone=self._alone is not None and self._alone.is_sure(view.others),
        )

    def _is_new(self, own: ProgressRecord) -> bool:
        """Return true until the peer in ``own`` has been in step with the swarm past the epoch at which it began.

        Until then it waits for a peer that gave nothing and is ahead. Later it goes on without one: a single claim
        to be ahead would stop a trainer that is alone.
        """
        if self._joined_at is None:
            self._joined_at = own.epoch
        self._is_newcomer &= not (own.synchronised and own.epoch > self._joined_at)
        return self._is_newcomer

    def partners(self, own: ProgressRecord) -> int:
        """Return the number of other peers to expect in a round at the place in ``own``; none that is idle."""
        return self.view.without_idle(own, self._rules.matchmaking_seconds).near(own)

    def moved(self) -> None:
        """Discard views from before the present."""
        self._moved_at = self._clock()


class Alone:
    """The membership of a peer that works alone, so that its epochs are the same each time."""

    lost, is_quiet = False, True
    view = SwarmView(0.0)

    def start(self, record: Callable[[], ProgressRecord]) -> None:
        """Do nothing with ``record``: there is no peer to publish to."""

    def verdict(self, own: ProgressRecord) -> Verdict:
        """Return the verdict that ``own`` agrees with the swarm, always."""
        return Verdict(Course.FOLLOW)

    def partners(self, own: ProgressRecord) -> int:
        """Return 0: no other peer joins a round at the place in ``own``."""
        return 0

    def moved(self) -> None:
        """Do nothing: there is no view to discard."""

    def publish(self) -> None:
        """Do nothing: there is no peer to publish to."""

    def rest(self) -> None:
        """Do nothing: a peer alone is always quiet."""

    def set_aside(self, peers: Sequence[bytes], seconds: float) -> None:
        """Do nothing with ``peers`` and ``seconds``: there is no peer to ignore."""

    def leave(self) -> None:
        """Do nothing: there is no peer to publish to."""

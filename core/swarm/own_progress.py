"""This peer's own progress: its phase and place, its rate, its wait for others, and the record that tells of them."""

import logging
import math
from collections.abc import Callable, Sequence

from hivemind.utils import get_dht_time

from core.messages.reach import Reach
from core.messages.waiting import SwarmWait
from core.swarm.averaging.averager import GradientAverager
from core.swarm.membership.swarm_view import SwarmView
from core.swarm.phase import Phase, Signal, transition
from core.swarm.reach.reachability import may_serve
from core.swarm.state.replica import Place
from core.swarm.wire.device_class import DeviceClass
from core.swarm.wire.own_certificate import OPEN_RUN, OwnCertificate
from core.swarm.wire.records import ProgressRecord

_log = logging.getLogger(__name__)
_REMEMBERED_SECONDS = 5.0
"""Seconds after which samples have 1/e of their weight in a rate."""
_NOTICE_SECONDS = 10.0
"""Seconds for which a reason to wait lasts before the volunteer is notified; others come and go."""
_NOTICE_AFTER = {SwarmWait.ROLLED_BACK_STATE: 0.0}
_SENTENCES = {
    SwarmWait.ROLLED_BACK_STATE: "This peer is waiting for the state to which the run was rolled back.",
    SwarmWait.NO_DONOR: "Other computers of this run are ahead, and none of them can send its state to this one. "
    "This peer is waiting until one can.",
    SwarmWait.NO_REDUCER: "No computer of this run accepts connections, not even this one, so they cannot train "
    "together. This peer is waiting until one does.",
    SwarmWait.UNREACHABLE: "Other computers of this run are at the same epoch, but this peer cannot reach them. It "
    "keeps trying, and does not continue training alone.",
    SwarmWait.NO_QUORUM: "Most computers at this epoch do not answer, so the rest cannot agree on it. This peer "
    "keeps trying, and continues once they answer or are known to be gone.",
}


class SampleRate:
    """A peer's smoothed rate in samples a second, without the time in which it was stopped.

    Samples and seconds fade alike, and the rate is their quotient. A mean of the micro-steps' own rates would be too
    high wherever their seconds differ: one of 10 ms would count as much as one of a second.
    ``value`` is 0 before the first samples.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        """Measure from now on; ``clock`` gives monotonic seconds."""
        self._clock, self._counted_at = clock, clock()
        self._samples = self._seconds = self.value = 0.0

    def count(self, samples: int) -> None:
        """Count ``samples`` that were computed since the last call, or since ``restart``."""
        now = self._clock()
        seconds, self._counted_at = max(now - self._counted_at, 1e-9), now
        kept = math.exp(-seconds / _REMEMBERED_SECONDS)
        self._samples, self._seconds = kept * self._samples + samples, kept * self._seconds + seconds
        self.value = self._samples / self._seconds

    def restart(self) -> None:
        """Measure from now on: nothing was computed up to now."""
        self._counted_at = self._clock()


class WaitForOthers:
    """The reason for which this peer waits, of which the volunteer is notified once it has lasted."""

    def __init__(self, notify: Callable[[str], None], clock: Callable[[], float]) -> None:
        """Go on at first.

        Args:
            notify: called with a sentence for the volunteer, by `notify_if_lasting`.
            clock: gives monotonic seconds.
        """
        self.reason: SwarmWait | None = None
        """The reason for which this peer waits for others; None while it continues."""
        self._notify, self._clock = notify, clock
        self._since, self._has_notified = clock(), False

    @property
    def stands_still(self) -> bool:
        """True if this peer waits and gathers nothing; one whose rounds fail needs a whole batch to try again."""
        return self.reason not in (None, SwarmWait.UNREACHABLE, SwarmWait.NO_QUORUM)

    def change(self, reason: SwarmWait | None) -> None:
        """Wait for ``reason`` from now on, or continue for None; the same reason as before lasts on."""
        if reason != self.reason:
            self.reason, self._since, self._has_notified = reason, self._clock(), False
            _log.info("This peer %s.", f"waits: {reason}" if reason else "waits no longer")

    def notify_if_lasting(self) -> None:
        """Notify the volunteer of a reason that has lasted, once."""
        if self.reason is None or self._has_notified:
            return
        if self._clock() - self._since >= _NOTICE_AFTER.get(self.reason, _NOTICE_SECONDS):
            self._has_notified = True
            self._notify(_SENTENCES[self.reason])


class OwnProgress:
    """The progress of this peer itself, of which it tells the others."""

    def __init__(
        self,
        place: Place,
        averager: GradientAverager,
        *,
        samples: Callable[[], int],
        view: Callable[[], SwarmView],
        reach: Reach | None,
        notify: Callable[[str], None],
        clock: Callable[[], float],
        certificate: OwnCertificate = OPEN_RUN,
        dht_time: Callable[[], float] = get_dht_time,
    ) -> None:
        """Begin to join the swarm at ``place``.

        Args:
            place: the place of this peer's replica in the chain.
            averager: knows this peer's id, and whether it is in client mode.
            samples: gives this peer's samples towards the epoch, from any thread.
            view: gives the swarm as last seen, from any thread.
            reach: the way in which others reach this peer at first; None where its averager alone knows that.
            notify: called with a sentence for the volunteer once a wait has lasted.
            clock: gives monotonic seconds.
            certificate: names the user for whom this peer counts in its own decisions, as in those of others.
            dht_time: gives the time of the DHT in seconds.
        """
        self._dht_time, self._certificate = dht_time, certificate
        self.place, self.phase = place, Phase.JOINING
        self.rate, self.wait = SampleRate(clock), WaitForOthers(notify, clock)
        self.stands_back = False
        """True while this peer takes part in no new round, for a pause."""
        self.device = DeviceClass.UNKNOWN
        """Class of this peer's machine, for the other peers."""
        self.reach = reach
        """Way in which others reach this peer; None where its averager alone knows whether they do."""
        self._averager, self._samples, self._view = averager, samples, view
        self._clock, self._epoch_began = clock, clock()

    def move(self, signal: Signal) -> None:
        """Go to the phase that follows the present one at ``signal``; raises ValueError if it cannot happen in it."""
        before, self.phase = self.phase, transition(self.phase, signal)
        _log.debug("Epoch %d: %s, %s -> %s.", self.place.epoch, signal, before, self.phase)

    def arrive(self, place: Place) -> float:
        """Begin the epoch at ``place``, and return the seconds that this peer was at the place before."""
        now = self._clock()
        seconds, self._epoch_began = now - self._epoch_began, now
        self.place = place
        return seconds

    @property
    def serves(self) -> bool:
        """True if others can call this peer, and it is to reduce for them."""
        return self._may_serve(self._view().reducers)

    @property
    def gives(self) -> bool:
        """True if others can call this peer, and it is to give them its state."""
        return self._may_serve(self._view().donors)

    def _may_serve(self, others: Callable[[int, bytes], Sequence[Reach]]) -> bool:
        if self._averager.client_mode or self.reach is None:
            return not self._averager.client_mode
        return may_serve(self.reach, others(self.place.epoch, self.place.head))

    def record(self) -> ProgressRecord:
        """Return the progress record of this peer; any thread may call this."""
        place = self.place
        is_idle = self.phase == Phase.JOINING or self.wait.stands_still
        return ProgressRecord(
            certificate=self._certificate.packed,
            peer_id=self._averager.peer_id.to_bytes(),
            epoch=place.epoch,
            head=place.head,
            parameters=bytes.fromhex(place.digest),
            sketch=list(place.sketch),
            samples=self._samples(),
            epoch_seconds=max(0.0, self._clock() - self._epoch_began),
            samples_per_second=0.0 if is_idle else self.rate.value,
            time=self._dht_time(),
            reducing=self.serves,
            gives=self.gives,
            auxiliary=False,
            synchronised=self.phase not in (Phase.JOINING, Phase.RECOVERING),
            paused=self.stands_back,
            device=self.device,
            reach=self.reach or Reach.UNCHECKED,
            state=place.state,
            waiting=self.wait.reason,
        )

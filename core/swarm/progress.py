"""Who is in the swarm and how far they are: publishes one's own progress record and reads the others'."""

import contextlib
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import hivemind
from hivemind.utils import get_dht_time

from core.swarm.records import ProgressRecord, bounded, parse_all, progress_key

_ALIVE_SECONDS = 12.0
"""A record that was not renewed for this long belongs to a peer that is gone or frozen."""
_TIMELY_SECONDS = 60.0
"""Between a record's time and ours. Whoever stores a record says until when it is kept: one that was to be kept for
years would speak for a peer that is gone, or excluded, as if it were there."""
_PERIOD_SECONDS = (0.4, 3.0)
_LOOKS_AN_EPOCH = 10
_EXTRAPOLATED_SECONDS = 5.0
_ANSWER_SECONDS = 20.0
"""For which the DHT's process may be silent; after its death it would be so for ever."""


@dataclass(frozen=True)
class SwarmView:
    """The swarm as one peer saw it at a time; records of peers that left are not in it."""

    time: float
    others: tuple[ProgressRecord, ...] = ()

    def at(self, own: ProgressRecord) -> tuple[ProgressRecord, ...]:
        """The others that work on the same epoch of the same chain; those that are paused do not."""
        return tuple(
            record
            for record in self.others
            if record.synchronised
            and not record.paused
            and (record.epoch, record.head) == (own.epoch, own.head)
        )

    def near(self, own: ProgressRecord) -> int:
        """How many others can be expected in a round: those at this epoch, and those about to arrive there."""
        here = len(self.at(own))
        coming = (
            item.synchronised and not item.paused for item in self.others if item.epoch == own.epoch - 1
        )
        return here + sum(coming)

    def samples(self, own: ProgressRecord, now: float) -> float:
        """Samples of this epoch, the others' extrapolated from their rates for a few seconds."""
        return own.samples + sum(_by_now(record, now) for record in self.at(own))

    def samples_per_second(self, own: ProgressRecord) -> float:
        return own.samples_per_second + sum(record.samples_per_second for record in self.at(own))

    def seconds_to_batch(self, own: ProgressRecord, target: int, now: float) -> float:
        """Until this epoch's batch of that many samples is complete."""
        return seconds_until(target, self.samples(own, now), self.samples_per_second(own))

    def trainers(self) -> int:
        """Peers that compute gradients, this one included."""
        return 1 + sum(not (record.auxiliary or record.paused) for record in self.others)


def timely(records: Iterable[ProgressRecord], now: float) -> list[ProgressRecord]:
    """Those that tell of the present, by the time (of the DHT) at which they say that they were made."""
    return [record for record in records if abs(now - record.time) <= _TIMELY_SECONDS]


def _by_now(record: ProgressRecord, now: float) -> float:
    elapsed = min(max(now - record.time, 0.0), _EXTRAPOLATED_SECONDS)
    return record.samples + record.samples_per_second * elapsed


def seconds_until(target: int, samples: float, rate: float) -> float:
    """Until a batch is complete at this rate; infinite if nobody computes."""
    return max(target - samples, 0.0) / rate if rate > 0 else float("inf")


def period(seconds_to_epoch: float) -> float:
    """How long to wait between looks, in seconds: often enough to see an epoch come, never a burden."""
    least, most = _PERIOD_SECONDS
    return min(max(seconds_to_epoch / _LOOKS_AN_EPOCH, least), most)


class ProgressTracker:
    """A thread that stores this peer's record and fetches the others', about as often as there is news.

    ``view`` is None until the DHT has answered once; ``lost`` is true once its process has died. A process that may
    be stopped rests first: hivemind's processes share locks and pass each other files, so one that is stopped while
    it asks the DHT's process for something keeps that from answering anybody.
    """

    def __init__(
        self,
        dht: "hivemind.DHT",
        prefix: str,
        owner: bytes,
        target_batch_size: int,
        *,
        answer_seconds: float = _ANSWER_SECONDS,
    ) -> None:
        self._answer_seconds, self.lost = answer_seconds, False
        self._dht, self._key, self._owner, self._target = dht, progress_key(prefix), owner, target_batch_size
        self._record: Callable[[], ProgressRecord] | None = None
        self._set_aside: dict[bytes, float] = {}
        self._news, self._stopping = threading.Event(), threading.Event()
        self._rests, self._rests_asked, self._rests_begun = False, 0, 0
        self._thread = threading.Thread(target=self._run, name="progress", daemon=True)
        self.view: SwarmView | None = None

    def start(self, record: Callable[[], ProgressRecord]) -> None:
        """Begin to publish what ``record`` gives, which is called from the tracker's thread."""
        self._record = record
        self._thread.start()

    def publish(self) -> None:
        """Publish and look now rather than at the next turn; a rest is over."""
        self._rests = False
        self._news.set()

    def rest(self) -> None:
        """Publish once more, and be quiet then."""
        self._rests = True
        self._rests_asked += 1
        self._news.set()

    @property
    def is_quiet(self) -> bool:
        """Whether it rests, and has published since it was last asked to."""
        return not self._thread.is_alive() or (self._rests and self._rests_begun == self._rests_asked)

    def set_aside(self, peers: Sequence[bytes], seconds: float) -> None:
        """Do not listen to these peers for a while: what they claimed could not be had from them."""
        until = get_dht_time() + seconds
        self._set_aside.update(dict.fromkeys(peers, until))
        if self.view is not None:
            self.view = SwarmView(self.view.time, self._heard(self.view.others))

    def stop(self) -> None:
        """Tell the swarm that this peer leaves, and end the thread."""
        self._stopping.set()
        self._news.set()
        if self._thread.is_alive():
            self._thread.join()
            with contextlib.suppress(TimeoutError):
                self._store(leaving=True)

    def _run(self) -> None:
        while True:
            self._news.clear()
            if self._stopping.is_set():
                return
            rests, asked = self._rests, self._rests_asked
            try:
                pause = period(self._turn())
                if rests:
                    self._rests_begun = asked
                self._news.wait(None if rests else pause)
            except TimeoutError:
                self.lost = not self._dht.is_alive()
                if self.lost:
                    return

    def _turn(self) -> float:
        """Publish and look; returns the seconds until the batch is complete."""
        began = get_dht_time()
        own = self._store()
        self.view = self._look(own, began)
        return self.view.seconds_to_batch(own, self._target, get_dht_time())

    def _store(self, *, leaving: bool = False) -> ProgressRecord:
        assert self._record is not None
        own = self._record().model_copy(update={"leaving": leaving})
        expires = get_dht_time() + _ALIVE_SECONDS
        value = bounded(own.pack())
        stored = self._dht.store(
            self._key, subkey=self._owner, value=value, expiration_time=expires, return_future=True
        )
        stored.result(self._answer_seconds)
        return own

    def _look(self, own: ProgressRecord, began: float) -> SwarmView:
        found = self._dht.get(self._key, latest=True, return_future=True).result(self._answer_seconds)
        records = timely(parse_all(ProgressRecord, found.value if found else None).values(), get_dht_time())
        others = [record for record in records if record.peer_id != own.peer_id and not record.leaving]
        return SwarmView(began, self._heard(others))

    def _heard(self, records: Sequence[ProgressRecord]) -> tuple[ProgressRecord, ...]:
        now = get_dht_time()
        return tuple(record for record in records if self._set_aside.get(record.peer_id, 0) < now)

"""The course of each honest peer by its events, and what follows from all of them together: pure arithmetic."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Self

_FOREIGN = 0.02
"""Share of an epoch's samples from which on a peer that is not honest has a part in it: own samples may be missed
where a peer learns late that its round was committed."""
_QUIET_EPOCHS = 3
"""Epochs without a part of others after which these count as out."""
_IN_STEP = 2
"""Epochs by which peers in step differ at most at any moment."""


@dataclass(frozen=True)
class ReachedEpoch:
    """An epoch that an honest peer reached."""

    time: float
    """Monotonic seconds."""
    epoch: int
    samples: float
    """Samples of the epoch, as its commit counts them."""
    own_samples: int
    peers: int
    digest: str
    """Digest of the parameters."""


@dataclass(frozen=True)
class SavedParameters:
    """Parameters that a peer kept of an epoch."""

    time: float
    epoch: int
    file: Path


@dataclass(frozen=True)
class PeerCourse:
    """The reports of one honest peer."""

    name: str
    epochs: tuple[ReachedEpoch, ...] = ()
    computed: tuple[tuple[float, int], ...] = ()
    """Monotonic seconds, and the samples that the peer had computed by then."""
    sent: tuple[tuple[float, int], ...] = ()
    """Monotonic seconds, and the bytes that the peer had sent by then."""
    snapshots: tuple[SavedParameters, ...] = ()
    began: float = 0.0
    """Monotonic seconds at which its process began."""
    ended: str = ""
    """Reason for which the process ended before the benchmark ended it; empty if it did not."""

    @classmethod
    def read(cls, name: str, file: Path, micro_batch: int) -> Self:
        """Return what the peer of that ``name`` wrote to ``file``; its micro-steps have ``micro_batch`` samples."""
        events = _events(file)
        return cls(
            name,
            tuple(_seen(item) for item in events if item["kind"] == "epoch_committed"),
            tuple((i["time"], micro_batch * i["micro_steps"]) for i in events if i["kind"] == "progress"),
            tuple((i["time"], i["bytes_sent"]) for i in events if i["kind"] == "progress"),
            tuple(
                SavedParameters(item["time"], item["epoch"], Path(item["file"]))
                for item in events
                if item["kind"] == "snapshot"
            ),
            next((item["time"] for item in events if item["kind"] == "began"), 0.0),
            next((f"{item['code']}: {item['what']}" for item in events if item["kind"] == "ended"), ""),
        )

    @property
    def last_epoch(self) -> int:
        """Last epoch that it reached; 0 for none."""
        return self.epochs[-1].epoch if self.epochs else 0

    def samples_at(self, time: float) -> float:
        """Return the samples that it had computed at ``time`` (monotonic), on the line between two reports."""
        return between([(0.0, 0), *self.computed], time) if self.computed else 0.0

    def sent_at(self, time: float) -> float:
        """Return the bytes that it had sent at ``time`` (monotonic), on the line between two reports."""
        return between([(0.0, 0), *self.sent], time) if self.sent else 0.0


def _events(file: Path) -> list[dict[str, Any]]:
    text = file.read_bytes() if file.exists() else b""
    return [json.loads(line) for line in text[: text.rfind(b"\n") + 1].splitlines()]


def _seen(event: Mapping[str, Any]) -> ReachedEpoch:
    fields = ("time", "epoch", "samples", "own_samples", "peers", "parameter_digest")
    return ReachedEpoch(*(event[name] for name in fields))


def between(points: Sequence[tuple[float, float]], at: float) -> float:
    """Return the value at ``at`` on the line through ``points`` in order; outside, that of the nearest one."""
    if at <= points[0][0]:
        return points[0][1]
    for (before, low), (after, high) in pairwise(points):
        if at <= after:
            return low + (high - low) * (at - before) / (after - before) if after > before else high
    return points[-1][1]


def longest_wait(courses: Iterable[PeerCourse], begin: float, end: float) -> float:
    """Return the longest seconds in which any of the peers reached no epoch between two moments."""
    waits = []
    for course in courses:
        times = [item.time for item in course.epochs if begin < item.time < end]
        waits += [after - before for before, after in pairwise([begin, *times, end])]
    return max(waits, default=end - begin)


def epochs_between(course: PeerCourse, begin: float, end: float) -> int:
    """Return the number of epochs that a peer reached between two moments."""
    reached = [item.epoch for item in course.epochs if item.time <= begin]
    before = max(reached, default=0)
    return max((item.epoch for item in course.epochs if item.time <= end), default=before) - before


def epoch_costs(courses: Sequence[PeerCourse], begin: float, end: float) -> tuple[float, float] | None:
    """Return the mean seconds of an epoch, and the mean bytes that a peer sends in one, between two moments.

    Both are taken from a peer's first epoch there to its last. The result is None if no peer reached two.
    """
    seconds = made = sent = 0.0
    for course in courses:
        inside = [item for item in course.epochs if begin <= item.time <= end]
        if len(inside) > 1:
            first, last = inside[0], inside[-1]
            made += last.epoch - first.epoch
            seconds += last.time - first.time
            sent += course.sent_at(last.time) - course.sent_at(first.time)
    return (seconds / made, sent / made) if made else None


def common_digests(courses: Sequence[PeerCourse]) -> dict[int, str]:
    """Return the digest that most peers have at each epoch which several have reached; ties go to the smallest."""
    found: dict[int, Counter[str]] = {}
    for course in courses:
        for epoch, digest in {item.epoch: item.digest for item in course.epochs}.items():
            found.setdefault(epoch, Counter())[digest] += 1
    several = {epoch: counts for epoch, counts in found.items() if counts.total() > 1}
    return {
        epoch: min(counts, key=lambda digest: (-counts[digest], digest)) for epoch, counts in several.items()
    }


def divergent(courses: Sequence[PeerCourse]) -> list[str]:
    """Return the names of the peers that hold other parameters at the end than most of the others.

    Each is judged at its last epoch which another honest peer has reached as well.
    """
    common = common_digests(courses)
    names = []
    for course in courses:
        shared = [item for item in course.epochs if item.epoch in common]
        if shared and shared[-1].digest != common[shared[-1].epoch]:
            names.append(course.name)
    return names


def apart(courses: Sequence[PeerCourse]) -> list[str]:
    """Return the names of the peers that are several epochs from the middle one of the others at the end."""
    ordered = sorted(course.last_epoch for course in courses)
    middle = ordered[len(ordered) // 2] if ordered else 0
    return [course.name for course in courses if abs(course.last_epoch - middle) > _IN_STEP]


def foreign_shares(courses: Sequence[PeerCourse], begin: float) -> dict[int, float]:
    """Return the share of each epoch's samples that none of the honest peers computed, by the epoch.

    ``begin`` is the moment in monotonic seconds after which epochs count. An epoch counts as most honest peers have
    it.
    """
    common, seen = common_digests(courses), dict[int, list[ReachedEpoch]]()
    for course in courses:
        for epoch, item in {item.epoch: item for item in course.epochs}.items():
            if item.time > begin and item.digest == common.get(epoch):
                seen.setdefault(epoch, []).append(item)
    return {
        epoch: max(0.0, 1.0 - sum(item.own_samples for item in items) / max(item.samples for item in items))
        for epoch, items in sorted(seen.items())
    }


def epochs_until_out(shares: Mapping[int, float]) -> int | None:
    """Return the epochs from the first of ``shares`` until others have no part in any; None if they still have.

    The result is 0 if they never had a part.
    """
    ordered = sorted(shares)
    taken = [number for number, epoch in enumerate(ordered, 1) if shares[epoch] > _FOREIGN]
    if not taken:
        return 0
    return taken[-1] if taken[-1] <= len(ordered) - _QUIET_EPOCHS else None


@dataclass(frozen=True)
class HonestLossCurve:
    """Loss on the same data by the samples that all honest peers had computed."""

    points: tuple[tuple[float, float], ...]

    @property
    def samples(self) -> float:
        """Samples at the last point; 0 without any."""
        return self.points[-1][0] if self.points else 0.0

    def at(self, samples: float) -> float | None:
        """Return the loss at ``samples`` samples, between two points by the line; None without a point."""
        return between(self.points, samples) if self.points else None


def at_equal_samples(
    curve: HonestLossCurve, clean: HonestLossCurve
) -> tuple[float, float | None, float | None]:
    """Return the most samples that both curves reach, and the loss of either there.

    A curve without points has no loss, and does not limit the samples.
    """
    samples = min((item.samples for item in (curve, clean) if item.points), default=0.0)
    return samples, curve.at(samples), clean.at(samples)

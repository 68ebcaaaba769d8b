"""Trains an honest swarm of unlike computers for an hour, in which some are killed, and counts what goes wrong.

Peers have one or two threads, and compute in 32 or 16 bits. They audit each other as the run's `recomputed_share`
says. Killed ones come back after a while. The reference is the same swarm without deaths, with as many samples.
"""

import argparse
import os
import random
import re
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import psutil

from benchmarks.hostility.__main__ import exit_on_signal, swarm_rules
from benchmarks.hostility.course import HonestLossCurve, PeerCourse, at_equal_samples, divergent, longest_wait
from benchmarks.hostility.evaluation import LossOnSameSamples
from benchmarks.hostility.rows import CLEAN, ROWS
from benchmarks.hostility.run_files import write_run
from benchmarks.hostility.seat import PeerSeat
from benchmarks.hostility.swarm import HostileSwarm, SwarmSize
from benchmarks.measuring.report import RESULTS, BenchmarkReport, rounded
from core.children.priority import waiting_threads
from core.model.techniques import Precision
from core.swarm.auditing.backoff import ACCIDENTAL, PeerFault

_NOTES = """Accusations: log lines by which a peer blames another for what no accident does, or doubts its
work; there should be none. Silences: lines about peers that answered nothing, as killed ones do. Audits: of reducers
and of work, by their outcome. Over reference: by how much the loss at equal samples is above that of the swarm
without deaths, relatively. Divergent: peers at the end whose parameters are not those of most. Growth: the most by
which the private memory of a process grew from the second sixth of the time to the last, among those that lived
through both, with its role, and the most MiB in each of the two. Proportional growth: the same of private memory and
a share of what processes have together, which rises as others end. Longest wait: the longest seconds without an epoch
of a peer that was not killed."""

_BACK_SECONDS = 20.0
"""Seconds after which a killed peer starts again."""
_LOOK_SECONDS = 1.0
_MEMORY_SECONDS = 20.0
_AUDIT = re.compile(r"audit of (?:the work|part) .*?: (sound|[^.;]*)[.;]|the drift of peer .*: ([^:]*)\.$")

_MIB = 1 << 20

SeenMemory = dict[tuple[str, int], list[tuple[float, int]]]
"""Bytes by moment, for each role and process id."""


class MemoryGrowth(NamedTuple):
    """Relative growth of a process, with its role and the most MiB that it held early and late."""

    share: float = 0.0
    role: str = ""
    early: float = 0.0
    late: float = 0.0


def unlike(seat: PeerSeat, number: int) -> PeerSeat:
    """Return the ``seat`` of the peer with that ``number`` on a computer unlike its neighbours'."""
    precision = Precision.BFLOAT16 if number % 3 == 2 else Precision.FLOAT32
    return replace(seat, threads=1 + number % 2, precision=precision)


def deaths(
    seats: Sequence[PeerSeat], seconds: float, each_hour: float, seed: int
) -> list[tuple[float, PeerSeat]]:
    """Return who dies when: moments in ``seconds``, evenly spread, and a drawn seat for each.

    ``each_hour`` is the share of the peers that dies in an hour.
    """
    draw, number = random.Random(seed), round(each_hour * len(seats) * seconds / 3600)
    return [(seconds * (index + 0.5) / number, draw.choice(seats)) for index in range(number)]


def accusations(lines: Iterable[str]) -> Counter[str]:
    """Return how often the log ``lines`` of honest peers blame another, by the fault."""
    found = Counter[str]()
    for line in lines:
        fault = next((item.name.lower() for item in PeerFault if f"{item.value} (" in line), "")
        if not fault and " doubts the work of peer " in line:
            fault = "suspicion"
        if fault:
            found[fault] += 1
    return found


def audits(lines: Iterable[str]) -> Counter[str]:
    """Return how often audits ended how, by the log ``lines``."""
    found = (_AUDIT.search(line) for line in lines)
    return Counter(next(word for word in match.groups() if word) for match in found if match)


def growth(memory: SeenMemory, begin: float, end: float) -> MemoryGrowth:
    """Return the largest relative growth of a process between ``begin`` and ``end``."""
    sixth, found = (end - begin) / 6, [MemoryGrowth()]
    for (role, _), points in memory.items():
        early = max((value for at, value in points if begin + sixth <= at < begin + 2 * sixth), default=0)
        late = max((value for at, value in points if at >= end - sixth), default=0)
        if early and late:
            found.append(MemoryGrowth(late / early - 1, role, early / _MIB, late / _MIB))
    return max(found)


class HonestHour:
    """A swarm of unlike honest peers, of which some are killed and come back."""

    def __init__(self, swarm: HostileSwarm, due: Sequence[tuple[float, PeerSeat]]) -> None:
        """Kill the peers of ``swarm`` when they are ``due``, seconds after `run` begins."""
        self._swarm, self._due = swarm, list(due)
        self._back: list[tuple[float, PeerSeat]] = []
        self._lives: list[PeerCourse] = []
        """Courses of lives that ended by a kill."""
        self.private: SeenMemory = {}
        """Memory that no other process has, such as what a process allocated itself."""
        self.proportional: SeenMemory = {}
        self.killed = 0

    def run(self, seconds: float, samples: float = float("inf")) -> None:
        """Let the swarm train for that many ``seconds``, or until its peers have computed ``samples``."""
        begin = now = time.monotonic()
        looked = begin - _MEMORY_SECONDS
        while now < begin + seconds and self.samples(now) < samples:
            self._kill_and_return(now - begin)
            if now >= looked + _MEMORY_SECONDS:
                looked = now
                self._look_at_memory(now)
            time.sleep(_LOOK_SECONDS)
            now = time.monotonic()

    def samples(self, now: float) -> float:
        """Return the samples that all peers have computed, killed ones included, by the moment ``now``."""
        return sum(course.samples_at(now) for course in self.courses())

    def courses(self) -> list[PeerCourse]:
        """Return the courses of all lives so far."""
        return [*self._lives, *self._swarm.courses()]

    def _kill_and_return(self, passed: float) -> None:
        while self._due and self._due[0][0] <= passed:
            _, seat = self._due.pop(0)
            if seat.name in self._swarm.ended([seat]):
                continue  # it is dead already
            self._swarm.kill(seat)
            self.killed += 1
            self._lives.append(self._swarm.course_of(seat))
            seat.events.rename(seat.events.with_suffix(f".{len(self._lives)}.jsonl"))
            self._back.append((passed + _BACK_SECONDS, seat))
        for item in [item for item in self._back if item[0] <= passed]:
            self._back.remove(item)
            self._swarm.start_honest(item[1])

    def _look_at_memory(self, now: float) -> None:
        for seat in self._swarm.honest:
            for role, process in self._swarm.processes_of(seat):
                with suppress(psutil.Error):
                    seen, key = process.memory_full_info(), (role, process.pid)
                    self.private.setdefault(key, []).append((now, seen.uss))
                    self.proportional.setdefault(key, []).append((now, seen.pss))


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command's options."""
    made = argparse.ArgumentParser(prog="python -m benchmarks.hostility.honest_hour", description=__doc__)
    made.add_argument("--peers", type=int, default=8, help="peers of the swarm")
    made.add_argument("--model", choices=("tiny", "embedded"), default="tiny", help="run that is trained")
    made.add_argument("--minutes", type=float, default=60.0, help="minutes of the swarm with deaths")
    made.add_argument(
        "--deaths", type=float, default=0.3, help="share of the peers that is killed in an hour"
    )
    made.add_argument("--share", type=float, default=0.1, help="share of the time in which a peer computes")
    made.add_argument(
        "--rules",
        nargs="+",
        default=["recomputed_share=0.02"],
        metavar="NAME=VALUE",
        help="swarm rules in TOML",
    )
    made.add_argument("--seed", type=int, default=0, help="seed of the draw of who dies")
    made.add_argument(
        "--reference-minutes",
        type=float,
        help="minutes of the swarm without deaths; as many without this option",
    )
    made.add_argument("--out", type=Path, default=RESULTS, help="folder of the results")
    made.add_argument("--name", default="honest_hour", help="name of the file of results")
    made.add_argument("--keep", type=Path, help="folder in which all that the peers wrote is kept")
    return made


def measure(
    case: str, options: argparse.Namespace, folder: Path, reference: HonestLossCurve | None, samples: float
) -> tuple[dict[str, Any], HonestLossCurve, float]:
    """Run one swarm; return its line, its curve, and the samples that it computed.

    Args:
        case: name of the line; deaths are only in the first one, which has no ``reference``.
        options: the command's.
        folder: folder of the swarm's files.
        reference: curve of the other swarm.
        samples: samples after which the swarm ends.
    """
    run = write_run(options.model, folder / "run", **swarm_rules(options.rules))
    swarm = HostileSwarm(folder, run, ROWS[CLEAN], SwarmSize(options.peers, 0, options.share))
    swarm.honest = [unlike(seat, number) for number, seat in enumerate(swarm.honest)]
    dying = reference is None
    minutes = options.minutes if dying else options.reference_minutes or options.minutes
    seconds = 60 * minutes
    due = deaths(swarm.honest, seconds, options.deaths, options.seed) if dying else []
    with swarm:
        swarm.await_training()
        hour, begin = HonestHour(swarm, due), time.monotonic()
        hour.run(seconds, samples)
        end, courses, last = time.monotonic(), hour.courses(), swarm.courses()
        ended = swarm.ended(swarm.honest)
    computed = sum(course.samples_at(end) for course in courses)
    curve = LossOnSameSamples(run.manifest).curve(courses, divergent(last))
    line = {"case": case, **_line(hour, swarm.honest, last, begin, end), "ended": len(ended)}
    return line, curve, computed


def _line(
    hour: HonestHour, seats: Sequence[PeerSeat], last: Sequence[PeerCourse], begin: float, end: float
) -> dict[str, Any]:
    lines = [line for seat in seats for line in seat.log.read_text(errors="replace").splitlines()]
    blamed, grown = accusations(lines), growth(hour.private, begin, end)
    accidents = {item.name.lower() for item in ACCIDENTAL}
    untouched = [course for course in last if course.began <= begin]
    return {
        "minutes": rounded((end - begin) / 60, 3),
        "killed": hour.killed,
        "epochs": max(course.last_epoch for course in last),
        "longest_wait": rounded(longest_wait(untouched, begin, end), 3),
        "divergent": len(divergent(last)),
        "accusations": {name: count for name, count in blamed.items() if name not in accidents},
        "silences": {name: count for name, count in blamed.items() if name in accidents},
        "audits": dict(audits(lines)),
        "growth": rounded(grown.share, 3),
        "grew_most": grown.role,
        "mib": [rounded(grown.early, 4), rounded(grown.late, 4)],
        "proportional_growth": rounded(growth(hour.proportional, begin, end).share, 3),
    }


def compared(curve: HonestLossCurve, reference: HonestLossCurve) -> Mapping[str, float | None]:
    """Return the losses of two curves at equal samples, and by how much that of ``curve`` is above the other."""
    samples, loss, clean = at_equal_samples(curve, reference)
    over = rounded(loss / clean - 1, 3) if loss and clean else None
    return {"samples": round(samples), "loss": loss, "reference_loss": clean, "over_reference": over}


def main(words: Sequence[str] | None = None) -> None:
    """Run the swarm with deaths and then the one without, and report."""
    options = parser().parse_args(sys.argv[1:] if words is None else words)
    os.environ.update(waiting_threads(1))  # as the client does
    signal.signal(signal.SIGTERM, exit_on_signal)
    report = BenchmarkReport(options.name, _NOTES)
    with tempfile.TemporaryDirectory(prefix="honest-hour-") as temporary:
        folder = options.keep or Path(temporary)
        line, curve, computed = measure("deaths", options, folder / "deaths", None, float("inf"))
        _save(report, [line], options, deaths=curve)
        other, reference, _ = measure("none", options, folder / "none", curve, computed)
        lines = [{**line, **compared(curve, reference)}, other]
        _save(report, lines, options, deaths=curve, none=reference)
    report.show([{name: str(value) for name, value in line.items()} for line in lines])


def _save(
    report: BenchmarkReport,
    lines: list[dict[str, Any]],
    options: argparse.Namespace,
    **curves: HonestLossCurve,
) -> None:
    names = ("peers", "model", "minutes", "deaths", "share", "rules", "seed", "reference_minutes")
    points = {
        name: [[round(at), rounded(loss)] for at, loss in curve.points] for name, curve in curves.items()
    }
    settings = {name: getattr(options, name) for name in names}
    report.save(lines, folder=options.out, **settings, loss_by_samples=points)


if __name__ == "__main__":
    main()

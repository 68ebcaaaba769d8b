"""Measures how long survivors have no epoch when a peer is killed or frozen at any stage of a round.

Swarms of three peers on loopback with a tiny model, several side by side. One peer dies at a chosen stage, which a
hook in its own processes sees: all of them get SIGKILL or SIGSTOP there. The others are watched for three epochs.

Each repetition is kept in a file at once. Another run goes on from there, so that hours may be spent in pieces.
"""

import argparse
import json
import multiprocessing
import os
import queue
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing.process import BaseProcess
from pathlib import Path
from statistics import median
from types import FrameType
from typing import Any, NoReturn

from benchmarks.deaths.peer import Death, RoundStage
from benchmarks.deaths.swarm import (
    LIMIT_SECONDS,
    PROCEDURES,
    RULES,
    DeathCase,
    DyingSwarm,
    Repetition,
    Role,
    Stalled,
    Unready,
)
from benchmarks.measuring.report import RESULTS, BenchmarkReport, rounded
from tests.swarms.hivemind_locks import own_locks

_OF_ALL = (
    RoundStage.GATHERING,
    RoundStage.LOOKING,
    RoundStage.FOLLOWING,
    RoundStage.GROUPED,
    RoundStage.SENDING,
    RoundStage.RECEIVING,
    RoundStage.UPDATING,
)
STAGES = {
    Role.MEMBER: (*_OF_ALL, RoundStage.COMPLETE),
    Role.REDUCER: (*_OF_ALL, RoundStage.LEADING, RoundStage.REDUCING, RoundStage.GIVING, RoundStage.FETCHING),
    Role.WRITER: (RoundStage.COMPLETE, RoundStage.WRITING, RoundStage.WRITTEN, RoundStage.COMMITTED),
}
_NOBODY = DeathCase(Role.REDUCER, RoundStage.GATHERING, Death.NONE)
_CONTEXT = multiprocessing.get_context("forkserver")
_NOTES = f"""Seconds without an epoch: the longest time between two epochs of any survivor, from its last epoch
before the death to its third after it; epochs of a swarm that nobody leaves are the row "none". In step again: from
the thawing of a frozen peer to an epoch that it makes with all others. Over limit: repetitions above
{LIMIT_SECONDS:.0f} s, two rounds of the run's averaging_seconds."""

Reported = tuple[DeathCase, Repetition | None]
"""A case and its repetition; None if a swarm did not recover."""


def cases() -> list[DeathCase]:
    """Return all combinations of roles, stages and deaths, and the case without a death."""
    dying = [
        DeathCase(role, stage, death)
        for role, stages in STAGES.items()
        for stage in stages
        for death in (Death.KILLED, Death.FROZEN)
    ]
    return [_NOBODY, *dying]


class Repetitions:
    """All repetitions so far, in a file with a line of JSON for each."""

    def __init__(self, path: Path, commit: str) -> None:
        """Read those that the file has; ``commit`` is entered with new ones."""
        self.path, self._commit = path, commit
        lines = path.read_text().splitlines() if path.exists() else []
        self.reported: list[Reported] = [_read(json.loads(line)) for line in lines]
        self.commits = list(dict.fromkeys(json.loads(line)["commit"] for line in lines))

    def add(self, repetition: Reported) -> None:
        """Keep one more."""
        case, outcome = repetition
        seconds = None if outcome is None else [outcome.without_epoch, outcome.back]
        line = {"role": case.role, "stage": case.stage, "death": case.death, "seconds": seconds}
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a") as file:
            file.write(json.dumps({**line, "commit": self._commit}) + "\n")
        self.reported.append(repetition)
        if self._commit not in self.commits:
            self.commits.append(self._commit)

    def lacking(self, wanted: Sequence[DeathCase], times: int) -> list[DeathCase]:
        """Return the cases in turns, each as often as it lacks to ``times``."""
        counted = Counter(case for case, _ in self.reported)
        return [case for turn in range(times) for case in wanted if turn >= counted[case]]


def _read(line: dict[str, Any]) -> Reported:
    case = DeathCase(Role(line["role"]), RoundStage(line["stage"]), Death(line["death"]))
    return case, None if line["seconds"] is None else Repetition(*line["seconds"])


def work(
    todo: "multiprocessing.Queue[DeathCase]",
    results: "multiprocessing.Queue[Reported]",
    folder: Path,
    procedure: str,
) -> None:
    """Repeat cases of one kind of swarm until there are none left, with swarms of this process's own."""
    own_locks()
    signal.signal(signal.SIGTERM, _exit)  # which ends the swarms
    multiprocessing.set_start_method("fork", force=True)  # for what hivemind starts
    os.environ["TMPDIR"] = tempfile.tempdir = str(folder)
    while (case := _next(todo)) is not None:
        place = Path(tempfile.mkdtemp(dir=folder))
        with DyingSwarm(place, has_member=case.role is Role.MEMBER, procedure=procedure) as swarm:
            while case is not None:
                outcome = _repeat(swarm, case)
                if isinstance(outcome, Unready):
                    todo.put(case)
                    break
                results.put((case, outcome))
                has_recovered = outcome is not None and (
                    outcome.back is not None or case.death is not Death.FROZEN
                )
                case = _next(todo) if has_recovered and not swarm.is_at_its_end else None


def _repeat(swarm: DyingSwarm, case: DeathCase) -> Repetition | Unready | None:
    try:
        outcome = swarm.repeat(case)
    except Unready as error:
        print(f"{case}: {error}; tried again ({swarm.folder})", flush=True)
        return error
    except Stalled as error:
        print(f"{case}: {error} ({swarm.folder})", flush=True)
        return None
    if outcome.without_epoch > LIMIT_SECONDS:
        print(f"{case}: {outcome} ({swarm.folder})", flush=True)
    return outcome


def _next(todo: "multiprocessing.Queue[DeathCase]") -> DeathCase | None:
    try:
        return todo.get(timeout=1)
    except queue.Empty:
        return None


def measure(
    lacking: Sequence[DeathCase],
    report: Callable[[Reported], None],
    *,
    swarms: int,
    seconds: float,
    folder: Path,
    procedure: str,
) -> None:
    """Go through the cases that are lacking, in their order, until time runs out, and ``tell`` of each."""
    results: multiprocessing.Queue[Reported] = _CONTEXT.Queue()
    kinds = (
        [case for case in lacking if case.role is Role.MEMBER],
        [case for case in lacking if case.role is not Role.MEMBER],
    )
    queues, workers = [_queue(kind) for kind in kinds], []
    for number in range(swarms):
        # a third of the cases are a member's; without any, its workers end at once
        todo = queues[0 if number % 3 == 0 and kinds[0] else 1]
        workers.append(_CONTEXT.Process(target=work, args=(todo, results, folder, procedure)))
        workers[-1].start()
    try:
        _collect(workers, queues, results, report, deadline=time.monotonic() + seconds)
    finally:
        for worker in workers:
            worker.terminate()
        for worker in workers:
            worker.join()


def _exit(number: int, frame: FrameType | None) -> NoReturn:
    sys.exit(128 + number)


def _queue(items: Sequence[DeathCase]) -> "multiprocessing.Queue[DeathCase]":
    found: multiprocessing.Queue[DeathCase] = _CONTEXT.Queue()
    for item in items:
        found.put(item)
    return found


def _collect(
    workers: Sequence[BaseProcess],
    queues: "Sequence[multiprocessing.Queue[DeathCase]]",
    results: "multiprocessing.Queue[Reported]",
    report: Callable[[Reported], None],
    *,
    deadline: float,
) -> None:
    while any(worker.is_alive() for worker in workers):
        with suppress(queue.Empty):
            report(results.get(timeout=1))
        if time.monotonic() > deadline:
            for todo in queues:
                while _next(todo) is not None:
                    pass


def _print(number: int, repetition: Reported) -> None:
    case, outcome = repetition
    waited = "did not get over it" if outcome is None else f"{outcome.without_epoch:.1f} s"
    print(f"{number}: {case.role}, {case.stage}, {case.death}: {waited}", flush=True)


def row(case: DeathCase, found: Sequence[Repetition | None]) -> dict[str, Any]:
    """Return a row of the table."""
    whole = [item for item in found if item is not None]
    waits, backs = (
        [item.without_epoch for item in whole],
        [item.back for item in whole if item.back is not None],
    )
    return {
        "role": "nobody" if case.death is Death.NONE else case.role,
        "stage": "" if case.death is Death.NONE else case.stage,
        "death": case.death,
        "times": len(found),
        "median_seconds_without_epoch": rounded(median(waits), 2) if waits else None,
        "longest": rounded(max(waits), 3) if waits else None,
        "over_limit": sum(item is None or item.without_epoch > LIMIT_SECONDS for item in found),
        "median_seconds_until_in_step_again": rounded(median(backs), 2) if backs else None,
        "longest_until_in_step": rounded(max(backs), 3) if backs else None,
        "not_in_step_in_time": sum(item.back is None for item in whole) if case.death is Death.FROZEN else 0,
    }


def results_name(procedure: str) -> str:
    """Return the name of the results of a procedure; those of gradients had theirs before there was another."""
    return "round_deaths" if procedure == "gradients" else f"round_deaths_{procedure}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.add_argument(
        "--times", type=int, default=100, help="how often each peer dies at each stage, with earlier runs"
    )
    parser.add_argument("--procedure", choices=tuple(PROCEDURES), default="gradients")
    parser.add_argument("--minutes", type=float, default=600, help="no death begins later than that")
    parser.add_argument("--swarms", type=int, default=3, help="side by side")
    parser.add_argument("--stages", nargs="*", type=RoundStage, default=list(RoundStage), metavar="STAGE")
    parser.add_argument("--roles", nargs="*", type=Role, default=list(Role), metavar="ROLE")
    parser.add_argument("--deaths", nargs="*", type=Death, default=list(Death), metavar="DEATH")
    parser.add_argument("--keep", type=Path, help="folder for what the peers wrote; else it is removed")
    given = parser.parse_args()
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _exit)
    wanted = [
        case
        for case in cases()
        if case.stage in given.stages and case.role in given.roles and case.death in given.deaths
    ]
    name = results_name(given.procedure)
    report = BenchmarkReport(name, _NOTES)
    repetitions = Repetitions(given.out / f"{name}.jsonl", report.commit)

    def add(repetition: Reported) -> None:
        repetitions.add(repetition)
        _print(len(repetitions.reported), repetition)

    with tempfile.TemporaryDirectory(prefix="deaths-") as temporary:
        measure(
            repetitions.lacking(wanted, given.times),
            add,
            swarms=given.swarms,
            seconds=60 * given.minutes,
            folder=given.keep or Path(temporary),
            procedure=given.procedure,
        )
    rows = [row(case, [outcome for seen, outcome in repetitions.reported if seen == case]) for case in wanted]
    settings = {
        "swarms_side_by_side": given.swarms,
        "peers": 3,
        "procedure": given.procedure,
        "rules": RULES,
        "commits": repetitions.commits,
    }
    report.write(rows, folder=given.out, **settings)


if __name__ == "__main__":
    main()

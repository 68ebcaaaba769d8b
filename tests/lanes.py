"""Runs all checks and tests, each kind in a process of its own, several at a time: ``python -m tests.lanes``.

What mostly waits (daemons, desktops, swarms) runs in one queue, two more at a time than there are cores. What
mostly computes runs beside it in another queue, as many at a time as there are cores, at a lower priority, so that
no swarm misses a round because of it. All at once they would: their trainers compute while a test waits for them.
Once nothing of the first queue is left to begin, more of the second runs at a time.
"""

import argparse
import asyncio
import os
import signal
import sys
import time
from collections import deque
from collections.abc import Awaitable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

import psutil

from core.children import processes

CORES = os.cpu_count() or 1
NICENESS = 5
"""Gives what computes a third of the share of what waits: enough to go on beside another program on each core."""
_WORDS = 120
"""Letters of the command line of a process that was left behind."""
SECONDS_TO_END = 60.0
"""Seconds that processes which end by themselves may take to do so after their job."""
MARK = "IDLEBRUSH_JOB"
"""Environment variable that all processes of a job inherit: some leave its process group and its session."""
SECONDS_TO_STOP = 60.0
"""Seconds that a lane has to end the processes it started, before it is killed."""


COSTLY_PLUGINS = ("schemathesis", "pytest-qt")
"""Plugins of pytest that take a second of a lane: to load, or, where Qt is loaded, at every import."""


@dataclass(frozen=True)
class Lane:
    """Tests that run one after the other in one process: all in these places that no other lane names."""

    name: str
    places: tuple[str, ...]
    """Folders, and files in a folder of another lane."""
    plugins: tuple[str, ...] = ()
    """Those of the costly plugins of pytest that its tests use."""


@dataclass(frozen=True)
class LaneJob:
    """A command to run, and its name in reports."""

    name: str
    command: tuple[str, ...]


@dataclass(frozen=True)
class JobOutcome:
    """The name, exit status and duration of a job."""

    name: str
    status: int
    seconds: float
    left: tuple[str, ...] = ()
    """The processes that it left behind, each by its id and its command line."""

    @property
    def passed(self) -> bool:
        """True if it ended well and left nothing behind."""
        return self.status == 0 and not self.left

    def __str__(self) -> str:
        """Describe it in one line."""
        outcome = "passed" if self.passed else f"FAILED with exit status {self.status}"
        if self.left:
            outcome += f" and left {'; '.join(self.left)}"
        return f"{self.name:<12}{self.seconds:5.0f} s  {outcome}"


# What forks DHT nodes does so in a process without other threads: beside those that connect nodes, a fork may hang.
# The longest come first, so that none is left to run alone.
WAITING = (
    Lane("client", ("tests/client",)),
    Lane("swarms", ("tests/integration/swarm",)),
    Lane("service", ("tests/client/service", "tests/client/hosts")),
    Lane("nodes", ("tests/core/swarm",)),
    Lane("daemons", ("tests/integration/daemon",)),
    Lane("peers", ("tests/coordinator/swarm", "tests/integration/trainer")),
    Lane(
        "homes", ("tests/integration/swarm/test_homes.py", "tests/integration/swarm/test_homes_that_meet.py")
    ),
    Lane("joining", ("tests/integration/joining",)),
    Lane("rounds", ("tests/integration/rounds",)),
    Lane("notebooks", ("tests/notebooks",)),
    # Its peers live long. After the other files of the folder, in one process, torch ended the nodes of two of them
    # three times, as shared memory of their averagers was gone: why is not shown.
    Lane("averages", ("tests/integration/rounds/test_swarm_rounds.py",)),
    Lane("demo", ("tests/integration",)),
    Lane("desktops", ("tests/integration/gui",), plugins=("pytest-qt",)),
)
# The lane "others" takes what no other lane names.
COMPUTING = (
    Lane("coordinator", ("tests/coordinator",)),
    Lane("others", ("tests",)),
    Lane("website", ("tests/coordinator/api", "tests/coordinator/web"), plugins=("schemathesis",)),
    Lane("core", ("tests/core",)),
    Lane("data", ("tests/core/data", "tests/core/codec", "tests/core/published")),
    Lane("models", ("tests/core/model", "tests/core/memory", "tests/core/optim", "tests/core/trainer")),
    Lane("app", ("tests/gui",), plugins=("pytest-qt",)),
    Lane("installer", ("tests/installer", "tests/windows")),
)
CHECKS = ("types", "lint", "imports")
"""Targets of the Makefile that check without running anything."""


def pytest_job(lane: Lane, options: Iterable[str]) -> LaneJob:
    """Return the run of pytest for a lane, which ignores the places inside its own that other lanes name."""
    named = {place for other in (*WAITING, *COMPUTING) for place in other.places}
    inner = sorted(each for each in named if any(_is_inside(each, place) for place in lane.places))
    ignored = (f"--ignore={each}" for each in inner)
    left_out = (f"-pno:{each}" for each in COSTLY_PLUGINS if each not in lane.plugins)
    return LaneJob(lane.name, (sys.executable, "-m", "pytest", *lane.places, *ignored, *left_out, *options))


def _is_inside(place: str, other: str) -> bool:
    return PurePosixPath(other) in PurePosixPath(place).parents


def check_job(target: str) -> LaneJob:
    """Return the run of a target of the Makefile."""
    return LaneJob(target, (os.environ.get("MAKE", "make"), "--no-print-directory", target))


async def run(job: LaneJob) -> JobOutcome:
    """Run a command, and print what it has written once it has ended."""
    began = time.monotonic()
    print(f">>> {job.name} begins", flush=True)
    process = await asyncio.create_subprocess_exec(
        *job.command,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        env=_environment() | {MARK: _mark(job)},
        process_group=0,  # a terminal's Ctrl-C reaches it through us alone; a second one would stop its cleaning up
    )
    try:
        written, _ = await process.communicate()
    except asyncio.CancelledError:
        await _stop(process)
        raise
    left = await _leftovers(job, process.pid)
    outcome = JobOutcome(job.name, process.returncode or 0, time.monotonic() - began, left)
    print(f"\n>>> {outcome}\n{written.decode(errors='replace')}", flush=True)
    return outcome


def _mark(job: LaneJob) -> str:
    return f"{os.getpid()}-{job.name}"


async def _leftovers(job: LaneJob, group: int) -> tuple[str, ...]:
    """Wait until no process of a job is left; end those that stay, and describe them.

    What multiprocessing and torch start beside a process ends by itself, up to two seconds after it.
    """
    deadline = time.monotonic() + SECONDS_TO_END
    while left := {each.pid for each in processes.marked(MARK, _mark(job))}.union(_in_group(group)):
        if time.monotonic() > deadline:
            break
        await asyncio.sleep(0.1)
    described = tuple(f"{pid} {_command_line(pid)}" for pid in sorted(left))
    for pid in left:
        processes.kill(pid)
    return described


def _in_group(group: int) -> list[int]:
    """Return the ids of the processes in a group, but for those that have ended and that their parent leaves unread.

    An orphan's new parent may take its time for that.
    """
    found = []
    with suppress(ProcessLookupError):
        os.killpg(group, 0)  # looking through all processes takes longer
        for process in psutil.process_iter():
            with suppress(psutil.Error, ProcessLookupError):
                if os.getpgid(process.pid) == group and process.status() != psutil.STATUS_ZOMBIE:
                    found.append(process.pid)
    return found


def _command_line(pid: int) -> str:
    try:
        return " ".join(psutil.Process(pid).cmdline())[:_WORDS]
    except psutil.Error as error:
        return str(error)


def _environment() -> dict[str, str]:
    """Return ours, with one thread of torch a process, with bytecode kept, and without plugins of pydantic.

    Threads that share a core wait by spinning, and a fork of a process that has some may hang at its first sum. What
    hundreds of processes import is compiled once. Each would look for plugins in the metadata of all packages, where
    there are none: 13 ms.
    """
    ours = {"OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "", "PYDANTIC_DISABLE_PLUGINS": "1"}
    return {**os.environ, **ours}


async def _stop(process: asyncio.subprocess.Process) -> None:
    """End it as Ctrl-C does, and kill what does not end."""
    if process.returncode is None:
        process.send_signal(signal.SIGINT)
    try:
        await asyncio.wait_for(process.communicate(), SECONDS_TO_STOP)
    except TimeoutError:
        os.killpg(process.pid, signal.SIGKILL)
        await process.wait()


async def work_off(queues: Iterable[deque[LaneJob]], outcomes: list[JobOutcome]) -> None:
    """Run the jobs of these queues one after the other, and enter how they ended."""
    for queue in queues:
        while queue:
            outcomes.append(await run(queue.popleft()))


def _at_lower_priority(job: LaneJob) -> LaneJob:
    return replace(job, command=("nice", "-n", str(NICENESS), *job.command))


async def run_all(options: tuple[str, ...]) -> list[JobOutcome]:
    """Run all jobs, and return how they ended. Once all that wait have begun, more that compute run at a time."""
    waiting = deque(pytest_job(lane, options) for lane in WAITING)
    jobs = (*map(check_job, CHECKS), *(pytest_job(lane, options) for lane in COMPUTING))
    computing = deque(map(_at_lower_priority, jobs))
    outcomes: list[JobOutcome] = []
    async with asyncio.TaskGroup() as group:
        for _ in range(CORES + 2):
            group.create_task(work_off((waiting, computing), outcomes))
        for _ in range(CORES):
            group.create_task(work_off((computing,), outcomes))
    return outcomes


async def until_signalled(work: Awaitable[list[JobOutcome]]) -> list[JobOutcome]:
    """Cancel the work at the signals that end a program; Ctrl-C does so already."""
    task = asyncio.ensure_future(work)
    for number in (signal.SIGTERM, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(number, task.cancel)
    return await task


def busy_seconds() -> float:
    """Return the seconds for which the machine's cores have computed since its start, all of them together.

    The system's count of this process's children lacks the processes that outlived their parents, a quarter of all.
    """
    times = psutil.cpu_times()
    return sum(getattr(times, name, 0.0) for name in ("user", "nice", "system", "irq", "softirq", "steal"))


def report(outcomes: Iterable[JobOutcome], seconds: float, busy: float) -> str:
    """Return a line for each job, and what all took together: seconds, and those for which cores were busy."""
    share = busy / seconds / CORES
    total = f"All took {seconds:.0f} s. Meanwhile {CORES} cores were busy for {busy:.0f} s, {share:.0%} of the time."
    return "\n".join(["", *map(str, outcomes), total])


def main() -> int:
    """Run everything; 0 if all of it passed."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--exhaustive", action="store_true", help="run the tests marked exhaustive as well")
    colour = f"--color={'yes' if sys.stdout.isatty() else 'no'}"
    options = (colour, "--exhaustive") if parser.parse_args().exhaustive else (colour,)
    signal.signal(
        signal.SIGINT, signal.default_int_handler
    )  # which a shell's background has ignored, for lanes too
    began, busy = time.monotonic(), busy_seconds()
    try:
        outcomes = asyncio.run(until_signalled(run_all(options)))
    except (KeyboardInterrupt, asyncio.CancelledError):
        return 130
    print(report(outcomes, time.monotonic() - began, busy_seconds() - busy))
    return int(not all(outcome.passed for outcome in outcomes))


if __name__ == "__main__":
    sys.exit(main())

"""Checks of the runs that were joined: their files, memory for them, their peers, and their coordinator's clock."""

import asyncio
import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path

from client.doctor import Finding, Verdict
from client.joining.embedded import embedded_run
from client.joining.run_card import MANIFEST
from client.machine.reading import read_machine
from client.paths import Paths
from client.side_thread import in_thread
from core.errors import ManifestError
from core.memory.machine import Allowance, Machine
from core.memory.planning import MemoryPlan
from core.run import RunManifest
from core.run_plan import plan_of

MAX_SKEW = 10.0
"""Seconds that a clock may differ; answers take a while, and records in the swarm expire."""
_CONNECT_SECONDS = 4.0
_ADDRESS = re.compile(r"/(?:ip4|ip6|dns|dns4|dns6)/([^/]+)/tcp/(\d+)(?:/|$)")


async def look_at_runs(
    paths: Paths,
    allowance: Allowance = Allowance(),  # noqa: B008 - frozen
    machine: Callable[[], Machine] = read_machine,
) -> Sequence[Finding]:
    """Of each run; where none was joined, whether the one that is shipped could be.

    Args:
        allowance: what the volunteer lets training take.
        machine: reads what there is to plan with, without GPUs that may not train.
    """
    found = await in_thread(lambda: joined_runs(paths.data / "runs"))
    if not found:
        shipped = RunManifest.load(embedded_run() / MANIFEST)
        none = Finding("Run", Verdict.OK, "None was joined.", "`idlebrush join embedded` is a first one.")
        return [none, await look_at_memory(shipped, allowance, machine)]
    looks = [_look_at(folder, run, allowance, machine) for folder, run in found]
    return [finding for findings in await asyncio.gather(*looks) for finding in findings]


def joined_runs(folder: Path) -> list[tuple[Path, RunManifest | ManifestError]]:
    """Folders of runs, and their manifests or what is wrong with them."""
    return [(manifest.parent, _load(manifest)) for manifest in sorted(folder.glob(f"*/{MANIFEST}"))]


def _load(manifest: Path) -> RunManifest | ManifestError:
    try:
        return RunManifest.load(manifest)
    except ManifestError as error:
        return error


async def _look_at(
    folder: Path, run: RunManifest | ManifestError, allowance: Allowance, machine: Callable[[], Machine]
) -> list[Finding]:
    if isinstance(run, ManifestError):
        return [Finding("Run", Verdict.PROBLEM, run.what, run.remedy)]
    findings = [_files(folder, run), await look_at_memory(run, allowance, machine)]
    findings += await look_at_peers(run)
    if run.contact.coordinator is not None:
        findings.append(await look_at_coordinator(run.contact.coordinator))
    return findings


def _files(folder: Path, run: RunManifest) -> Finding:
    missing = [ref.path for ref in run.files if not _has_size(folder / ref.path, ref.size)]
    if missing:
        what = f"{run.contact.title}: {', '.join(missing[:5])} is missing or damaged."
        return Finding("Run", Verdict.PROBLEM, what, "Join the run again: what is missing is fetched anew.")
    return Finding("Run", Verdict.OK, f"{run.contact.title}: its files are in {folder}.")


def _has_size(file: Path, size: int) -> bool:
    return file.is_file() and file.stat().st_size == size


async def look_at_memory(run: RunManifest, allowance: Allowance, machine: Callable[[], Machine]) -> Finding:
    plan = await in_thread(lambda: plan_of(run.training, machine(), allowance))
    return judge_plan(run, plan)


def judge_plan(run: RunManifest, plan: MemoryPlan) -> Finding:
    found = f"{run.contact.title}: {plan.reason}"
    if plan.fits:
        return Finding("Memory", Verdict.OK, found)
    remedy = "Close other programs, or join a run with a smaller model."
    return Finding("Memory", Verdict.PROBLEM, found, remedy)


async def look_at_peers(run: RunManifest) -> list[Finding]:
    """Whether anybody listens at the addresses by which its swarm is entered."""
    addresses = [match for address in run.contact.initial_peers if (match := _ADDRESS.match(address))]
    if not addresses:
        return []
    answers = await asyncio.gather(*(_listens(match[1], int(match[2])) for match in addresses))
    found = f"{sum(answers)} of {len(answers)} addresses of {run.contact.title} answer."
    if any(answers):
        return [Finding("Peers", Verdict.OK, found)]
    remedy = "Check the connection to the Internet; if it works, ask the organiser whether the run goes on."
    return [Finding("Peers", Verdict.PROBLEM, found, remedy)]


async def _listens(host: str, port: int) -> bool:
    try:
        async with asyncio.timeout(_CONNECT_SECONDS):
            _, writer = await asyncio.open_connection(host, port)
    except (OSError, OverflowError, UnicodeError):  # a TimeoutError; a port or a name that nobody can have
        return False
    writer.close()
    return True


async def look_at_coordinator(address: str) -> Finding:
    """Whether it answers, and whether its clock agrees with ours."""
    date = await in_thread(lambda: date_of(address))
    if isinstance(date, Finding):
        return date
    return judge_skew((datetime.now(UTC) - date).total_seconds(), address)


def judge_skew(seconds: float, address: str) -> Finding:
    """``seconds``: by which our clock is ahead."""
    if abs(seconds) <= MAX_SKEW:
        return Finding("Clock", Verdict.OK, f"It agrees with that of {address}.")
    way = "ahead of" if seconds > 0 else "behind"
    what = f"This computer's clock is {abs(seconds):.0f} seconds {way} that of {address}."
    remedy = "Set it, or turn automatic time on: a wrong clock keeps a peer out of its swarm."
    return Finding("Clock", Verdict.PROBLEM, what, remedy)


def date_of(address: str) -> datetime | Finding:
    """What a web server takes the time to be, whatever else it answers."""
    import requests

    from client.account.http_origin import Bearer

    try:
        answer = requests.head(address, timeout=_CONNECT_SECONDS, allow_redirects=False, auth=Bearer(None))
        return parsedate_to_datetime(answer.headers["Date"]).astimezone(UTC)
    except requests.RequestException:
        what = f"{address}, the run's coordinator, does not answer."
        return Finding("Coordinator", Verdict.WARNING, what, "Try again later; the swarm goes on without it.")
    except (KeyError, ValueError, OverflowError):
        return Finding("Clock", Verdict.OK, f"{address} does not tell the time.")

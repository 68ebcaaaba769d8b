"""Checks of the runs that were joined: their files, memory for them, their peers, and their coordinator's clock."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

from client.checks.clock import look_at_coordinator
from client.doctor import CheckVerdict, Finding
from client.joining.embedded import embedded_run
from client.joining.entrances import ask_entrances, entrances_in_words
from client.joining.run_card import MANIFEST
from client.machine.capacity import read_machine
from client.paths import Paths
from client.side_thread import in_thread
from core.errors import ManifestError
from core.memory.machine import Allowance, MachineResources
from core.memory.planning import MemoryPlan
from core.run.manifest import RunManifest
from core.run.plan import plan_of


async def look_at_runs(
    paths: Paths,
    allowance: Allowance = Allowance(),  # noqa: B008 - frozen
    machine: Callable[[], MachineResources] = read_machine,
) -> Sequence[Finding]:
    """Check each joined run; without one, check that the embedded run could be joined.

    Args:
        paths: Folders of this user's client.
        allowance: Resources that the volunteer lets training take.
        machine: Reads the memory to plan with, without GPUs that may not train.
    """
    found = await in_thread(lambda: joined_runs(paths.data / "runs"))
    if not found:
        shipped = RunManifest.load(embedded_run() / MANIFEST)
        none = Finding(
            "Run", CheckVerdict.OK, "No run is joined.", "`idlebrush join embedded` joins a first one."
        )
        return [none, await look_at_memory(shipped, allowance, machine)]
    looks = [_look_at(folder, run, allowance, machine) for folder, run in found]
    return [finding for findings in await asyncio.gather(*looks) for finding in findings]


def joined_runs(folder: Path) -> list[tuple[Path, RunManifest | ManifestError]]:
    """Return the folders of runs, and their manifests or what is wrong with them."""
    return [(manifest.parent, _load(manifest)) for manifest in sorted(folder.glob(f"*/{MANIFEST}"))]


def _load(manifest: Path) -> RunManifest | ManifestError:
    try:
        return RunManifest.load(manifest)
    except ManifestError as error:
        return error


async def _look_at(
    folder: Path,
    run: RunManifest | ManifestError,
    allowance: Allowance,
    machine: Callable[[], MachineResources],
) -> list[Finding]:
    if isinstance(run, ManifestError):
        return [Finding("Run", CheckVerdict.PROBLEM, run.what, run.remedy)]
    findings = [_files(folder, run), await look_at_memory(run, allowance, machine)]
    findings += await look_at_peers(run)
    if run.contact.coordinator is not None:
        findings.append(await look_at_coordinator(run.contact.coordinator))
    return findings


def _files(folder: Path, run: RunManifest) -> Finding:
    missing = [ref.path for ref in run.files if not _has_size(folder / ref.path, ref.size)]
    if missing:
        what = f"{run.contact.title}: {', '.join(missing[:5])} is missing or damaged."
        return Finding(
            "Run", CheckVerdict.PROBLEM, what, "Join the run again. Idlebrush then fetches the missing files."
        )
    return Finding("Run", CheckVerdict.OK, f"{run.contact.title}: its files are in {folder}.")


def _has_size(file: Path, size: int) -> bool:
    return file.is_file() and file.stat().st_size == size


async def look_at_memory(
    run: RunManifest, allowance: Allowance, machine: Callable[[], MachineResources]
) -> Finding:
    plan = await in_thread(lambda: plan_of(run.training, machine(), allowance))
    return judge_plan(run, plan)


def judge_plan(run: RunManifest, plan: MemoryPlan) -> Finding:
    found = f"{run.contact.title}: {plan.reason}"
    if plan.fits:
        return Finding("Memory", CheckVerdict.OK, found)
    remedy = "Close other programs, or join a run with a smaller model."
    return Finding("Memory", CheckVerdict.PROBLEM, found, remedy)


async def look_at_peers(run: RunManifest) -> list[Finding]:
    """Check that a peer listens at the addresses by which the run's swarm is entered."""
    entrances = await ask_entrances(run.contact.initial_peers)
    if not entrances:
        return []
    found = entrances_in_words(run.contact.title, entrances)
    if any(item.protocols for item in entrances):
        return [Finding("Peers", CheckVerdict.OK, found)]
    remedy = "Check the connection to the Internet. If it works, ask the organiser whether the run continues."
    return [Finding("Peers", CheckVerdict.PROBLEM, found, remedy)]

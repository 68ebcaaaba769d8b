"""All checks of `idlebrush doctor`, in the order in which they are shown."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from client.checks.account import look_at_keyring, look_at_memberships
from client.checks.clock import look_at_clock
from client.checks.installation import (
    look_at_daemon,
    look_at_folders,
    look_at_python,
)
from client.checks.machine import (
    look_at_activity,
    look_at_disk,
    look_at_gpu_choice,
    look_at_gpus,
    look_at_readings,
)
from client.checks.network import look_at_port, look_at_reach
from client.checks.runs import look_at_runs
from client.checks.trainer import look_at_p2p_daemon, look_at_packages, look_at_torch_of
from client.doctor import Check, CheckVerdict, Finding
from client.environment.interpreter import TrainerPython
from client.hosts.wsl.checks import judge
from client.hosts.wsl.facts import FactSources, read_windows_facts
from client.hosts.wsl.stages import WslAction
from client.machine.capacity import read_machine
from client.machine.gpu.devices import Backend, find_devices
from client.paths import Paths
from client.preferences.preferences_file import load
from client.side_thread import in_thread
from core.memory.machine import Allowance
from core.packages import remedy_of_trainer


def all_checks(paths: Paths, environment: Mapping[str, str], platform: str = sys.platform) -> Sequence[Check]:
    """Return the checks for ``platform``, one of the names of `sys.platform`."""
    preferences, fault = load(paths.preferences)
    python = TrainerPython.of_user(paths)
    allowance = Allowance(preferences.vram_limit, preferences.ram_limit)

    async def look_at_preferences() -> Sequence[Finding]:
        if fault is None:
            return [Finding("Preferences", CheckVerdict.OK, "All preferences can be read.")]
        return [Finding("Preferences", CheckVerdict.WARNING, fault.what, fault.remedy)]

    async def look_at_torch_and_gpus() -> Sequence[Finding]:
        devices = await in_thread(find_devices)
        return await look_at_torch_of(
            python, any(gpu.usable and gpu.backend is Backend.CUDA for gpu in devices)
        )

    trainer = (
        Check("PyTorch", look_at_torch_and_gpus, seconds=90.0),
        Check("Peer to peer", lambda: look_at_p2p_daemon(python)),
    )
    return (
        Check("Version", look_at_python),
        Check("Packages", lambda: look_at_packages(python)),
        *(trainer if python.is_there else ()),
        Check("Folders", lambda: look_at_folders(paths)),
        Check("Preferences", look_at_preferences),
        Check("Daemon", lambda: look_at_daemon(paths)),
        Check("GPU", look_at_gpus),
        Check("GPUs", lambda: look_at_gpu_choice(paths, preferences)),
        Check("Activity", lambda: look_at_activity(environment, preferences.run_mode)),
        Check("Readings", lambda: look_at_readings(paths, environment), seconds=20.0),
        *_on_windows(paths, platform),
        Check("Disk", lambda: look_at_disk(paths.data, preferences.disk_free)),
        Check("Clock", lambda: look_at_clock(environment), seconds=20.0),
        Check("Keyring", lambda: look_at_keyring(paths, environment), seconds=40.0),
        Check("Membership", lambda: look_at_memberships(paths)),
        Check("Network", lambda: look_at_reach(paths)),
        Check("Port", lambda: look_at_port(preferences.listening_port)),
        Check(
            "Run",
            lambda: look_at_runs(paths, allowance, lambda: read_machine(gpus=preferences.gpus)),
            seconds=60.0,
        ),
    )


def _on_windows(paths: Paths, platform: str) -> Sequence[Check]:
    if platform != "win32":
        return ()
    from client.hosts.wsl.windows import fact_sources

    return (Check("WSL", lambda: look_at_wsl(fact_sources(), paths.distribution), seconds=100.0),)


async def look_at_wsl(sources: FactSources, folder: Path) -> Sequence[Finding]:
    """Check what the distribution needs, and whether it is there; ``folder`` is where its disk is, or will be."""
    facts = await read_windows_facts(sources, folder)
    is_there = sources.command.distribution in facts.wsl.distributions
    # A disk that the distribution has filled as it had to is no problem.
    found = [each.finding for each in judge(facts) if not (is_there and each.action is WslAction.FREE_DISK)]
    return [*found, _distribution(is_there)]


def _distribution(is_there: bool) -> Finding:
    if is_there:
        return Finding(
            "Linux for training", CheckVerdict.OK, "Idlebrush's distribution is imported into WSL."
        )
    return Finding(
        "Linux for training",
        CheckVerdict.PROBLEM,
        "Idlebrush's distribution, in which training runs, is not imported into WSL.",
        remedy_of_trainer(),
    )

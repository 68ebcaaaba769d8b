"""One attempt at setting an environment up: in this process, or in one that is killed at a point of its progress."""

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from client.environment.installation import WheelInstaller
from client.environment.kept_setup import KeptSetup
from client.environment.lock_file import EnvironmentLock
from client.environment.machine_facts import MachineFacts
from client.environment.places import EnvironmentPlaces
from client.environment.programs import ProgramRunner
from client.environment.progress import SetupProgress, SetupReporter
from client.environment.setup import Setup, Tools, open_lock
from client.environment.smoke_test import SmokeTest
from client.environment.stages import SetupState
from client.fetching.control import FetchControl
from core.network.pause_token import PauseToken
from core.network.persistence import Outage
from core.swarm.bandwidth import Line
from tests.client.environment.packages import FACTS
from tests.core.network.impatient import Impatient


def attempt(
    root: Path, lock: EnvironmentLock, uv: Path | None, *arguments: Any, **options: Any
) -> SetupState:
    """Set up below ``root``, as `prepare` says."""
    return prepare(root, lock, uv, *arguments, **options).run()


def prepare(
    root: Path,
    lock: EnvironmentLock,
    uv: Path | None,
    heard: Callable[[SetupProgress], None] = lambda progress: None,
    facts: MachineFacts = FACTS,
    control: FetchControl | None = None,
    **options: Any,
) -> Setup:
    """Prepare to set up; ``heard`` hears of all progress, and no wait between attempts takes time."""
    places = EnvironmentPlaces(root)
    reporter = SetupReporter(heard, every=0.0)
    control = control or FetchControl(Line(), reporter.on_hold)
    programs = ProgramRunner(places.log, places.temporary, check=control.check)
    tools = Tools(
        control=control,
        installation=WheelInstaller(programs, uv=uv),
        smoke=SmokeTest(programs, seconds=20.0),
        reporter=reporter,
        facts=lambda: facts,
        outage=_without_waiting,
        **options,
    )
    return Setup(KeptSetup(places), lock, tools)


def _without_waiting(token: PauseToken, notify: Callable[[str], None], subject: str) -> Outage:
    return Outage(Impatient(), notify, subject)


def main(root: str, lock: str, key: str, uv: str, stage: str, least: str) -> None:
    """Kill this process once ``stage`` has done ``least``."""

    def killed(progress: SetupProgress) -> None:
        if progress.stage == stage and progress.done >= int(least):
            os.kill(os.getpid(), signal.SIGKILL)

    verified = open_lock(Path(lock).read_bytes(), key, KeptSetup(EnvironmentPlaces(Path(root))))
    attempt(Path(root), verified, Path(uv), killed)


if __name__ == "__main__":
    main(*sys.argv[1:])

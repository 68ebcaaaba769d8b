"""Contexts of a daemon over a calm machine, in a folder of a test's own."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from client.api.errors import SetupError
from client.autostart.system import NoAutostart
from client.contribution.stats import Contribution
from client.contribution.tally import Calendar
from client.environment.interpreter import TrainerPython
from client.environment.places import EnvironmentPlaces
from client.environment.source import EnvironmentSource
from client.hosts.wsl.setup import WslSetupSources
from client.machine.readings import GpuReading, Known, Reading, Readings
from client.machine.survey import local_now
from client.paths import HOME_VARIABLE, Paths
from client.policy.policy import Reason
from client.preferences.preferences import Preferences
from client.service.context import Context
from client.service.monitor import MachineSource
from client.service.trainer.launching import ChildModules


class CalmMachine:
    """No user touches it, and it has no GPU."""

    async def read(self) -> Readings:
        now = local_now()
        return Readings(now=now, idle_seconds=Known(3600.0, "a test"), gpus=Known((), "a test"))

    async def until_active(self) -> Reading[float]:
        never: asyncio.Future[Reading[float]] = asyncio.get_running_loop().create_future()
        return await never


def no_source() -> EnvironmentSource:
    raise SetupError("This test has no list of packages.", "Give it one.")


def context_in(
    home: Path,
    modules: ChildModules | None = None,
    now: Callable[[], datetime] = local_now,
    python: TrainerPython | None = None,
    source: Callable[[], EnvironmentSource] = no_source,
    machine: MachineSource | None = None,
    wsl: WslSetupSources | None = None,
) -> Context:
    """A context whose files lie in a folder; it has not looked at the machine yet."""
    paths = Paths.of_user({HOME_VARIABLE: str(home)})
    paths.prepare()
    contribution = Contribution(paths.stats, lambda problem: pytest.fail(str(problem)), Calendar(UTC))
    return Context(
        paths,
        machine or CalmMachine(),
        contribution,
        lambda: None,
        modules or ChildModules(),
        NoAutostart(),
        python or TrainerPython(EnvironmentPlaces(paths.environment), is_own=True),
        source,
        now,
        wsl=wsl,
    )


def decided(
    context: Context,
    preferences: Preferences,
    reasons: tuple[Reason, ...] = (),
    gpus: tuple[GpuReading, ...] = (),
    caps: tuple[int | None, int | None] = (None, None),
) -> Context:
    """The same with those preferences, reasons, and GPUs; ``caps``: bytes a second that may be sent and received."""
    context.kept.current = preferences
    context.monitor.readings = Readings(now=context.now(), gpus=Known(gpus, "a test"))
    budget = replace(
        context.decision.budget,
        upload=caps[0],
        download=caps[1],
        ram=preferences.ram_limit,
        vram=preferences.vram_limit,
    )
    context.decision = replace(context.decision, budget=budget, reasons=reasons)
    return context

"""Holds what the parts of a daemon share: paths, clock, the volunteer's choices, the machine, and the joined run.

It is made before the parts and imports none of them. A part calls another one by a callable that it was given.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

from client.account.tasks import HubSettings
from client.admission.memberships import Memberships, Places
from client.api.errors import SetupError, StateError
from client.api.snapshot import NoticeView
from client.autostart.interface import Autostart
from client.contribution.stats import Contribution
from client.environment.interpreter import TrainerPython
from client.environment.source import EnvironmentSource
from client.hosts.wsl.setup import WslSetupSources
from client.joining.allowed import ResourceLimits
from client.machine.gpu.choice import GpuChoice, choose_gpu
from client.machine.gpu.limits import GpuLimits
from client.machine.gpu.nvml import Nvml
from client.machine.readings import GpuReading, Readings
from client.machine.wake_lock.lock import NoWakeLock
from client.paths import Paths
from client.policy.policy import Budget, Memory, PauseReason, Situation, decide
from client.preferences.preferences import Preferences
from client.service.kept.accounting import MEMORY_EVERY, Accounting, DiskUse
from client.service.kept.choices import KeptPreferences, VolunteerChoices
from client.service.kept.joined_runs import JoinedRuns
from client.service.monitor import MachineSource, Monitor
from client.service.power.care import MachineControls, PowerCare
from client.service.trainer.launching import ChildModules, half_the_line
from client.service.trainer.run import PEER, ActiveRun, usable_gpus
from client.service.trainer.state import State
from client.tasks import TaskRunner
from core.children.program import Interpreter

_log = logging.getLogger(__name__)
NOTICES_KEPT = 20
IDENTITY = "identity"
"""File of the peer's key, in the folder that belongs to the trainer."""


class Context:
    """State of one daemon; the session alone replaces `run` and `decision`."""

    def __init__(
        self,
        paths: Paths,
        machine: MachineSource,
        contribution: Contribution,
        changed: Callable[[], None],
        modules: ChildModules,
        autostart: Autostart,
        python: TrainerPython,
        source: Callable[[], EnvironmentSource],
        now: Callable[[], datetime] = lambda: datetime.now().astimezone(),
        hub: HubSettings = HubSettings(),  # noqa: B008 - frozen
        memory_every: timedelta = MEMORY_EVERY,
        wsl: WslSetupSources | None = None,
        controls: MachineControls | None = None,
    ) -> None:
        """Load what earlier daemons have saved; nothing is started yet.

        Args:
            paths: Folders of this user's client.
            machine: Source of the readings.
            contribution: Record of what this volunteer has contributed.
            changed: Called whenever a snapshot taken now would differ from the last one.
            modules: Programs of the processes that compute.
            autostart: Starts the client at login, or no longer.
            python: Python of the processes that compute.
            source: Returns where the list of its packages comes from; raises SetupError if that is not known.
            now: Clock with a time zone.
            hub: Hub at which runs let volunteers sign in.
            memory_every: Time between two looks at the memory that a trainer holds.
            wsl: Sources of the setup of the distribution in which trainers live; None: they live on this system.
            controls: What the daemon may change about the machine; None: GPUs alone.
        """
        self.paths, self.modules, self.now, self.changed = paths, modules, now, changed
        self.python, self.source, self.wsl = python, source, wsl
        controls = controls or MachineControls(NoWakeLock(), GpuLimits(Nvml(), paths.gpu_settings))
        self.power = PowerCare(controls, changed)
        self.notices: deque[NoticeView] = deque(maxlen=NOTICES_KEPT)
        self.monitor = Monitor(machine, now)
        self.choices = VolunteerChoices(paths.state, self.notice, now)
        self.joined = JoinedRuns(paths.joined, self.notice, now)
        self.accounting = Accounting(contribution, now, memory_every)
        self.disk_use = DiskUse(paths.data / "runs", now)
        self.kept = KeptPreferences(paths.preferences, autostart, self.notice)
        self.tasks, self.hub = TaskRunner(paths.log("tasks")), hub.endpoint
        places = Places(paths.memberships, lambda run: paths.run(run) / PEER / IDENTITY)
        self.members = Memberships(self.tasks, self.hub, places, changed, now)
        self.is_exchanging = False
        """True while another environment is put in place, or WSL is updated: nothing may start in one."""
        self.run: ActiveRun | None = None
        """The joined run that is trained now; None where there is none."""
        unknown = Situation(self.readings, on_gpu=False, cores=1, consent=False)
        self.decision = decide(self.preferences, unknown, Memory())[0]
        """The policy's latest decision; before the first look at the machine, that nothing may be done."""

    @property
    def preferences(self) -> Preferences:
        return self.kept.current

    @property
    def readings(self) -> Readings:
        return self.monitor.readings

    def interpreter(self) -> Interpreter | None:
        """Return the Python to start a process that computes by, as `TrainerPython.find` does.

        Raises SetupError if there is no environment, or if it is exchanged at this moment.
        """
        if self.is_exchanging:
            raise SetupError("What training needs is being replaced or updated.", "Try again in a moment.")
        return self.python.find()

    @property
    def training_gpus(self) -> tuple[GpuReading, ...]:
        """GPUs that train, or that a trainer may be given."""
        return usable_gpus(self.readings, self.preferences.gpus)

    @property
    def next_gpu(self) -> GpuChoice:
        """The GPU that the next trainer is given."""
        run, gpus = self.run, usable_gpus(self.readings, None)
        if run is not None and run.gpu is not None:
            # What the trainer holds is its own to use again.
            gpus = tuple(
                replace(gpu, memory_free=gpu.memory_free + run.gpu_memory) if gpu.index == run.gpu else gpu
                for gpu in gpus
            )
        return choose_gpu(gpus, self.preferences.gpus, self.preferences.other_gpu_load)

    @property
    def gpu_choice(self) -> GpuChoice:
        """The GPU that trains; without a trainer, the one that would."""
        return self.next_gpu.with_used(self.run.gpu if self.run is not None and self.run.alive else None)

    @property
    def limits(self) -> ResourceLimits:
        """Limits of a run that is looked at now; of several GPUs, they allow the one that would train it."""
        limits, chosen = ResourceLimits.of(self.preferences), self.next_gpu.chosen
        return limits if chosen is None else limits.model_copy(update={"gpus": (chosen.index,)})

    @property
    def held_gpu(self) -> int:
        """Bytes that the trainer holds of the GPU that would train another run."""
        run, chosen = self.run, self.next_gpu.chosen
        return run.gpu_memory if run and chosen and chosen.index == run.gpu else 0

    @property
    def trainer_computes_on_gpu(self) -> bool:
        """True if the trainer computes on a GPU; without a trainer, if the next one would."""
        if self.run is None or self.run.training.trainer is None:
            return bool(self.training_gpus)
        return self.run.computes_on_gpu()

    @property
    def budget_beside_trainer(self) -> Budget:
        """Budget of a second process: the caps are for the trainer and that process together."""
        allowed, run = self.decision.budget, self.run
        is_beside = run is not None and run.alive and run.training.state is not State.FROZEN
        return half_the_line(allowed) if is_beside else allowed

    @property
    def may_fetch(self) -> int | None:
        """Bytes that a download may take now; None: there is no limit.

        The rules that protect the volunteer's bill also hold for what the volunteer requests.
        """
        if any(reason.code is PauseReason.METERED for reason in self.decision.reasons):
            return 0
        quota = self.preferences.monthly_quota
        if quota is None:
            return None
        return max(0, quota - self.accounting.contribution.month_bytes(self.now()))

    def notice(self, text: str) -> None:
        """Log a sentence, and show it to the volunteer."""
        _log.info("%s", text)
        self.notices.append(NoticeView(time=self.now(), text=text))
        self.changed()

    async def save(self) -> None:
        """Save the volunteer's choices and joined runs, off the event loop; a failure becomes a notice."""
        for save in (self.choices.save, self.joined.save):
            try:
                await asyncio.to_thread(save)
            except StateError as error:
                self.notice(str(error))

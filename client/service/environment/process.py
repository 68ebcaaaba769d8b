"""The process that plans or sets up the trainer's environment: its tasks, the orders to it, and its progress."""

import asyncio
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from client.api.messages import Traffic
from client.contribution.stats import TrainedRun
from client.environment.progress import SetupProgress
from client.environment.tasks import (
    DistributionFetched,
    EnvironmentPlanned,
    EnvironmentReady,
    FetchDistribution,
    PlaceEnvironment,
    PlanEnvironment,
    SetUpEnvironment,
    SetupOrder,
)
from client.fetching.control import CapFetch, GoOnFetch, HoldFetch
from client.hosts.host import TrainerHost
from client.service.context import Context
from client.service.environment.distribution import DistributionSetup
from client.tasks import SetupReport

PACKAGES = TrainedRun("environment", "packages for training")
"""Name under which the contribution counts the traffic, which belongs to no run."""
_PLAN_SECONDS = 180.0

A = TypeVar("A", DistributionFetched, EnvironmentReady)


class SetupProcess:
    """One process at a time."""

    def __init__(
        self, context: Context, ready: Callable[[], None], distribution: DistributionSetup | None = None
    ) -> None:
        """Prepare without a process.

        Args:
            context: State of the daemon.
            ready: Called once an environment waits to be put in place.
            distribution: The distribution in which environments are; None: they are on this system.
        """
        self._context, self._ready, self._distribution = context, ready, distribution
        self._orders: asyncio.Queue[SetupOrder] = asyncio.Queue()
        self._hold = ""
        self._cap: int | None = None
        self.progress: SetupProgress | None = None
        """Newest progress of the set-up under way; None: there is none."""
        self.is_placing = False
        """True from when an environment waits until no trainer runs, to when it is in place."""

    async def plan(self) -> EnvironmentPlanned:
        """Fetch the list of packages, and return the plan; raise ClientError if there is none."""
        context, lacks = self._context, self._distribution is not None and not self._distribution.is_ready
        task = PlanEnvironment(
            root=context.python.places.root,
            inside="" if lacks else self._inside,
            source=context.source(),
            download=self._allowed,
            lacks_distribution=lacks,
        )
        host = None if lacks else self._host
        return await context.tasks.run(
            task, EnvironmentPlanned, _PLAN_SECONDS, passed=self._counting(), host=host
        )

    async def fetch_distribution(self, hold: str) -> Path:
        """Return the path of the distribution's archive once it is here; ``hold`` and errors as for `set_up`."""
        root, source = self._context.python.places.root, self._context.source()
        self._begin(hold)
        task = FetchDistribution(root=root, source=source, download=self._cap, hold=hold)
        return (await self._run(task, DistributionFetched, None)).archive

    async def set_up(self, hold: str) -> None:
        """Set the environment up, and return once it is in place; raise ClientError if that fails.

        ``hold`` is the sentence that says why the download waits from the beginning; empty: it does not.
        """
        self._begin(hold)
        task = SetUpEnvironment(
            root=self._context.python.places.root,
            inside=self._inside,
            source=self._context.source(),
            download=self._cap,
            hold=hold,
        )
        await self._run(task, EnvironmentReady, self._host)

    def _begin(self, hold: str) -> None:
        self._orders, self._hold, self._cap = asyncio.Queue(), hold, self._allowed

    async def _run(
        self, task: FetchDistribution | SetUpEnvironment, answer: type[A], host: TrainerHost | None
    ) -> A:
        context = self._context
        try:
            return await context.tasks.run(
                task,
                answer,
                None,
                passed=self._counting(),
                set_up=self._handle,
                orders=self._orders,
                host=host,
            )
        finally:
            self.progress, self.is_placing, context.is_exchanging = None, False, False

    def follow(self, hold: str) -> None:
        """Tell a set-up under way why it waits (``hold``; empty: it does not), and the cap of now."""
        if hold != self._hold:
            self._orders.put_nowait(HoldFetch(why=hold) if hold else GoOnFetch())
        if self._allowed != self._cap:
            self._orders.put_nowait(CapFetch(download=self._allowed))
        self._hold, self._cap = hold, self._allowed

    def place(self) -> None:
        """Order it once to put the environment in place: no trainer runs."""
        if not self._context.is_exchanging:
            self._context.is_exchanging = True
            self._orders.put_nowait(PlaceEnvironment())

    @property
    def _inside(self) -> str:
        """Folder of the environments in the distribution; empty: they are on this system."""
        return str(self._context.python.inside or "")

    @property
    def _host(self) -> TrainerHost | None:
        return None if self._distribution is None else self._context.modules.trainer_host

    @property
    def _allowed(self) -> int | None:
        return self._context.budget_beside_trainer.download

    def _counting(self) -> Callable[[Traffic], None]:
        context, life = self._context, secrets.token_hex(8)
        return lambda traffic: context.accounting.contribution.heard(PACKAGES, life, traffic, context.now())

    def _handle(self, report: SetupReport) -> None:
        if isinstance(report, SetupProgress):
            self.progress = report
        else:
            self.is_placing = True
            self._ready()
        self._context.changed()

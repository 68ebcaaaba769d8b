"""The process that plans or sets up the trainer's environment: its tasks, the orders to it, and its progress."""

import asyncio
import secrets
from collections.abc import Callable

from client.api.messages import Traffic
from client.contribution.stats import TrainedRun
from client.environment.progress import SetupProgress
from client.environment.tasks import (
    EnvironmentPlanned,
    EnvironmentReady,
    PlaceEnvironment,
    PlanEnvironment,
    SetUpEnvironment,
    SetupOrder,
)
from client.fetching.control import CapFetch, GoOnFetch, HoldFetch
from client.service.context import Context
from client.tasks import SetupReport

PACKAGES = TrainedRun("environment", "packages for training")
"""Name under which the contribution counts the traffic, which belongs to no run."""
_PLAN_SECONDS = 180.0


class SetupProcess:
    """One process at a time."""

    def __init__(self, context: Context, ready: Callable[[], None]) -> None:
        """Prepare without a process; ``ready`` is called once an environment waits to be put in place."""
        self._context, self._ready = context, ready
        self._orders: asyncio.Queue[SetupOrder] = asyncio.Queue()
        self._hold = ""
        self._cap: int | None = None
        self.progress: SetupProgress | None = None
        """Newest progress of the set-up under way; None: there is none."""
        self.is_placing = False
        """True from when an environment waits until no trainer runs, to when it is in place."""

    async def plan(self) -> EnvironmentPlanned:
        """Fetch the list of packages, and return the plan; raise ClientError if there is none."""
        context = self._context
        task = PlanEnvironment(
            root=context.python.places.root, source=context.source(), download=self._allowed
        )
        return await context.tasks.run(task, EnvironmentPlanned, _PLAN_SECONDS, passed=self._counting())

    async def set_up(self, hold: str) -> None:
        """Set the environment up, and return once it is in place; raise ClientError if that fails.

        ``hold`` is the sentence that says why the download waits from the beginning; empty: it does not.
        """
        context, self._orders = self._context, asyncio.Queue()
        self._hold, self._cap = hold, self._allowed
        task = SetUpEnvironment(
            root=context.python.places.root, source=context.source(), download=self._cap, hold=hold
        )
        try:
            await context.tasks.run(
                task,
                EnvironmentReady,
                None,
                passed=self._counting(),
                set_up=self._hear,
                orders=self._orders,
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
    def _allowed(self) -> int | None:
        return self._context.budget_beside_trainer.download

    def _counting(self) -> Callable[[Traffic], None]:
        context, life = self._context, secrets.token_hex(8)
        return lambda traffic: context.accounting.contribution.heard(PACKAGES, life, traffic, context.now())

    def _hear(self, report: SetupReport) -> None:
        if isinstance(report, SetupProgress):
            self.progress = report
        else:
            self.is_placing = True
            self._ready()
        self._context.changed()

"""Plans the set-up of the trainer's environment by the newest list of packages, for the GPUs of this computer."""

import asyncio
import logging
from collections.abc import Callable

from client.api.environment import SetupPlanView
from client.api.errors import REPORT_THIS, ClientError
from client.machine.readings import Known
from client.service.context import Context
from client.service.environment.policy import PlanState
from client.service.environment.process import SetupProcess
from core.errors import CoreError

_log = logging.getLogger(__name__)


class SetupPlanner:
    """The newest plan, and the one that is being made; all methods belong to the event loop."""

    def __init__(
        self, context: Context, process: SetupProcess, ended: Callable[[CoreError | None], None]
    ) -> None:
        """Prepare without a plan; ``ended`` is called once one is made, or with the error for which there is none."""
        self._context, self._process, self._ended = context, process, ended
        self._planning: asyncio.Task[SetupPlanView] | None = None
        self.view: SetupPlanView | None = None
        """The newest plan; None: none was made."""
        self.state: PlanState | None = None
        """Consequence of the newest plan; None: another one has to be made first."""
        self.problem: CoreError | None = None
        """Error for which no plan could be made."""

    @property
    def is_planning(self) -> bool:
        """True while a plan is being made."""
        return self._planning is not None

    def begin(self) -> "asyncio.Task[SetupPlanView]":
        """Make a plan, unless one is being made; return the task that ends with it."""
        if self._planning is None:
            self._planning = asyncio.create_task(self._make())
            self._planning.add_done_callback(self._on_made)
            self._context.changed()
        return self._planning

    def want(self) -> None:
        """Note that the volunteer asks: packages that were removed as useless count again."""
        self.state = self.state and self.state.wanted()

    def carried_out(self) -> None:
        """Note that the planned packages are in use."""
        self.state = self.state and self.state.done()
        self.view = self.view and self.view.model_copy(update={"is_needed": False, "download_bytes": 0})

    def put_off(self) -> None:
        """Ask for no other list before the next day, as if this one had led to nothing."""
        self.state = PlanState(self._context.now(), self.gpus, leads_to_setup=False)

    @property
    def tasks(self) -> list["asyncio.Task[SetupPlanView]"]:
        """Tasks that are under way."""
        return [self._planning] if self._planning is not None else []

    @property
    def gpus(self) -> frozenset[str]:
        """Names of the GPUs that the daemon sees."""
        found = self._context.readings.gpus
        return frozenset(gpu.name for gpu in found.value) if isinstance(found, Known) else frozenset()

    async def _make(self) -> SetupPlanView:
        gpus, now = self.gpus, self._context.now()
        planned = await self._process.plan()
        leads = planned.plan.is_needed and not planned.was_taken_back
        self.view, self.state = planned.plan, PlanState(now, gpus, leads, planned.was_taken_back)
        return planned.plan

    def _on_made(self, planning: "asyncio.Task[SetupPlanView]") -> None:
        self._planning = None
        error = None if planning.cancelled() else planning.exception()
        self.problem = None if error is None else known_error(error)
        self._ended(self.problem)


def known_error(error: BaseException) -> CoreError:
    """Return ``error`` in words; a mistake of this program is logged."""
    if isinstance(error, CoreError):
        return error
    _log.error("The set-up went wrong.", exc_info=error)
    return ClientError(f"Idlebrush made a mistake: {error!r}.", REPORT_THIS)

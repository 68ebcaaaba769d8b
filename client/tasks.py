"""Runs tasks for the daemon in short-lived processes: calls to the Hub, to a run's coordinator, to the keyring.

So does what sets up the trainer's environment, which lasts longer and obeys orders.

A keyring that waits for its password blocks that process, which a time limit ends, and the libraries of those calls
never are in the daemon's memory. Secrets travel on the process's standard input and output only.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import Field, TypeAdapter

from client.account.tasks import CarriedOut, HubTask, KeyringEntry, KeyringTask, SignInGrant
from client.admission.tasks import (
    AccessRenewal,
    BoardFound,
    FramesKept,
    GateAdmission,
    GateTask,
    HistoryFound,
    PageOpened,
    ReceiptsKept,
    RetryAfter,
    SuccessorFound,
    TeamChanged,
    TeamsFound,
)
from client.api import errors
from client.api.errors import ClientError, CoordinatorAway, DownloadError, HubError, KeyringLocked
from client.api.messages import Traffic
from client.directory.tasks import ListsRead, ReadLists
from client.environment.progress import SetupProgress
from client.environment.tasks import (
    DistributionFetched,
    EnvironmentAnswer,
    EnvironmentChanged,
    EnvironmentPlanned,
    EnvironmentReady,
    EnvironmentTask,
    FetchingTask,
    ReadyToPlace,
    SetupOrder,
)
from client.hosts.host import HostedProcess, TrainerHost
from client.joining.tasks import FetchedRun, FilesFetched, InspectedRun, JoiningTask, RunTask
from client.remote.tasks import IdentityMade, PairingBegun, PairingKey, RemoteAnswer, RemoteTask
from client.task_kinds import AnyTask, Shown
from client.updates.tasks import (
    LayOutUpdate,
    UpdateAnswer,
    UpdateFetched,
    UpdateFound,
    UpdateLaidOut,
    UpdateTask,
)
from core.children.outcome import Outcome
from core.children.program import Program
from core.children.supervisor import Supervisor
from core.errors import ChildError
from core.excerpt import excerpt
from core.messages.children import Failed, Heartbeat, Hello
from core.messages.lines import SILENT
from core.tasks import end_tasks

TaskAnswer = (
    SignInGrant
    | KeyringEntry
    | CarriedOut
    | GateAdmission
    | AccessRenewal
    | PageOpened
    | ReceiptsKept
    | BoardFound
    | TeamsFound
    | TeamChanged
    | HistoryFound
    | FramesKept
    | SuccessorFound
    | InspectedRun
    | FetchedRun
    | ListsRead
    | UpdateAnswer
    | EnvironmentAnswer
    | RemoteAnswer
)
SetupReport = SetupProgress | ReadyToPlace
TaskMessage = (
    Hello | Heartbeat | Failed | Shown | RetryAfter | FilesFetched | Traffic | SetupReport | TaskAnswer
)
FROM_TASK: TypeAdapter[TaskMessage] = TypeAdapter(
    Annotated[TaskMessage, Field(discriminator="type")], config=SILENT
)

A = TypeVar(
    "A",
    SignInGrant,
    KeyringEntry,
    CarriedOut,
    GateAdmission,
    AccessRenewal,
    PageOpened,
    ReceiptsKept,
    BoardFound,
    TeamsFound,
    TeamChanged,
    HistoryFound,
    FramesKept,
    SuccessorFound,
    InspectedRun,
    FetchedRun,
    ListsRead,
    EnvironmentPlanned,
    DistributionFetched,
    EnvironmentReady,
    EnvironmentChanged,
    UpdateFound,
    UpdateFetched,
    UpdateLaidOut,
    IdentityMade,
    PairingBegun,
    PairingKey,
)


def _ignore(_: Shown | FilesFetched | Traffic | SetupReport) -> None:
    pass


class TaskRunner:
    """Runs tasks, each in a process of its own behind the guard."""

    def __init__(self, log: Path, environment: Mapping[str, str] | None = None) -> None:
        self._log = log
        self._environment = environment or {}

    async def run(
        self,
        task: AnyTask,
        answer: type[A],
        seconds: float | None,
        show: Callable[[Shown], None] = _ignore,
        fetched: Callable[[FilesFetched], None] = _ignore,
        passed: Callable[[Traffic], None] = _ignore,
        set_up: Callable[[SetupReport], None] = _ignore,
        orders: "asyncio.Queue[SetupOrder] | None" = None,
        host: TrainerHost | None = None,
    ) -> A:
        """Run a task in a process; cancelling the caller ends the process.

        Args:
            task: Task to carry out.
            answer: Kind of the answer.
            seconds: Time limit; None: there is none.
            show: Gets what the volunteer has to see.
            fetched: Gets the progress of a run's files.
            passed: Gets the traffic.
            set_up: Gets the progress of the environment's set-up.
            orders: Orders that the process gets once it has read its task, and as they come; None: none.
            host: Host on which the process runs; None: this system.

        Raises:
            ClientError: The task failed, or gave no answer in time.
        """
        answers: list[A] = []
        put_off, is_ready = 0.0, asyncio.Event()

        def note(message: TaskMessage) -> None:
            nonlocal put_off
            if isinstance(message, Hello):
                is_ready.set()
            elif isinstance(message, Shown):
                show(message)
            elif isinstance(message, FilesFetched):
                fetched(message)
            elif isinstance(message, Traffic):
                passed(message)
            elif isinstance(message, SetupProgress | ReadyToPlace):
                set_up(message)
            elif isinstance(message, RetryAfter):
                put_off = message.seconds
            elif isinstance(message, answer):
                answers.append(message)

        program = Program("task", "client.task", task, self._log, environment=self._environment)
        supervisor = (
            HostedProcess(host).supervisor(program, FROM_TASK) if host else Supervisor(program, FROM_TASK)
        )
        try:
            async with asyncio.timeout(seconds), _passing_on(orders, supervisor, is_ready):
                outcome = await supervisor.run(note)
        except TimeoutError:
            assert seconds is not None
            raise _late(task, seconds) from None
        except ChildError as error:
            raise ClientError.of(error) from error
        if not answers:
            raise _error(outcome, put_off)
        return answers[0]


@asynccontextmanager
async def _passing_on(
    orders: "asyncio.Queue[SetupOrder] | None", supervisor: Supervisor[TaskMessage], is_ready: asyncio.Event
) -> AsyncIterator[None]:
    """Within the context, send the process each order; before it has read its task, an order would be lost."""

    async def pass_on() -> None:
        await is_ready.wait()
        while orders is not None:
            await supervisor.send(await orders.get())

    passing = asyncio.create_task(pass_on())
    try:
        yield
    finally:
        await end_tasks([passing])


def _late(task: AnyTask, seconds: float) -> ClientError:
    if isinstance(task, KeyringTask):
        return KeyringLocked(
            f"The keyring did not answer in {seconds:.0f} seconds: it is locked, or waits for its password.",
            "Unlock this computer's keyring, or log in to the desktop again, and try again.",
        )
    if isinstance(task, RemoteTask):
        return errors.RemoteError(
            f"This computer took longer than {seconds:.0f} seconds to pair.",
            "Try again when it is less busy.",
        )
    kind, address = _asked(task)
    return kind(
        f"{address} did not answer in {seconds:.0f} seconds.",
        "See that this computer is online, and try again later.",
    )


def _asked(
    task: HubTask | GateTask | JoiningTask | ReadLists | EnvironmentTask | UpdateTask,
) -> tuple[type[ClientError], str]:
    """Return the error and the name of the server that was asked, for when it does not answer."""
    if isinstance(task, HubTask):
        return HubError, task.hub.endpoint
    if isinstance(task, RunTask):
        return DownloadError, excerpt(task.location)
    if isinstance(task, ReadLists):
        return DownloadError, "A server with a list of runs"
    if isinstance(task, FetchingTask):
        return DownloadError, excerpt(task.source.address)
    if isinstance(task, EnvironmentTask):
        return errors.SetupError, "Windows' Subsystem for Linux"
    if isinstance(task, UpdateTask):
        is_local = isinstance(task, LayOutUpdate)
        return errors.UpdateError, "The new version" if is_local else "The server of updates"
    return CoordinatorAway, task.coordinator


def _error(outcome: Outcome, put_off: float) -> ClientError:
    """Return the error of a process's failure, as the process reported it."""
    if outcome.failure is None:
        return ClientError.of(outcome.error())
    kind = _KINDS.get(outcome.failure.code, ClientError)
    error = kind(outcome.failure.what, outcome.failure.remedy)
    error.code = outcome.failure.code
    if isinstance(error, CoordinatorAway):
        error.seconds = put_off
    return error


_KINDS: dict[str, type[ClientError]] = {
    kind.code: kind
    for kind in (
        errors.HubError,
        errors.KeyringError,
        errors.NoKeyring,
        errors.KeyringLocked,
        errors.SignInError,
        errors.CredentialsRejected,
        errors.GateError,
        errors.MembershipEnded,
        errors.SetAsideByEvidence,
        errors.WrongClock,
        errors.CoordinatorAway,
        errors.JoinError,
        errors.DownloadError,
        errors.SetupError,
        errors.RemoteError,
        errors.UpdateError,
        errors.BrokenVersion,
    )
}

"""What the daemon has done by a short-lived process: calls to the Hub, to a run's coordinator, to the keyring.

A keyring that waits for its password hangs that process, which is ended in time, and what those calls load
never is in the daemon's memory. Secrets travel on the process's standard input and output only.
"""

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import ConfigDict, Field, TypeAdapter

from client.account.errands import (
    AccountErrand,
    CarriedOut,
    CodeShown,
    Found,
    Granted,
    HubErrand,
    KeyringErrand,
)
from client.admission.errands import (
    AddressShown,
    Admitted,
    BoardFound,
    FramesKept,
    GateErrand,
    HistoryFound,
    PageOpened,
    PutOff,
    ReceiptsKept,
    Renewed,
    SuccessorFound,
)
from client.api import errors
from client.api.errors import ClientError, CoordinatorAway, DownloadError, HubError, KeyringLocked
from client.api.messages import Traffic
from client.excerpt import excerpt
from client.joining.errands import Brought, Fetched, JoiningErrand, Offered, RunErrand
from core.children.outcome import Outcome
from core.children.program import Program
from core.children.supervisor import Supervisor
from core.errors import ChildError
from core.messages import Failed, Heartbeat, Hello

AnyErrand = AccountErrand | GateErrand | JoiningErrand
Shown = CodeShown | AddressShown
"""What the volunteer has to see on the way."""
Answer = (
    Granted
    | Found
    | CarriedOut
    | Admitted
    | Renewed
    | PageOpened
    | ReceiptsKept
    | BoardFound
    | HistoryFound
    | FramesKept
    | SuccessorFound
    | Offered
    | Brought
)
ErrandMessage = Hello | Heartbeat | Failed | Shown | PutOff | Fetched | Traffic | Answer
# Whatever is malformed here may be a token: no error quotes it.
_SILENT = ConfigDict(hide_input_in_errors=True)
ERRANDS: TypeAdapter[AnyErrand] = TypeAdapter(
    Annotated[AnyErrand, Field(discriminator="type")], config=_SILENT
)
FROM_ERRAND: TypeAdapter[ErrandMessage] = TypeAdapter(
    Annotated[ErrandMessage, Field(discriminator="type")], config=_SILENT
)

A = TypeVar(
    "A",
    Granted,
    Found,
    CarriedOut,
    Admitted,
    Renewed,
    PageOpened,
    ReceiptsKept,
    BoardFound,
    HistoryFound,
    FramesKept,
    SuccessorFound,
    Offered,
    Brought,
)


def _ignore(_: Shown | Fetched | Traffic) -> None:
    pass


class Errands:
    """Runs errands, each in a process of its own behind the guard."""

    def __init__(self, log: Path, environment: Mapping[str, str] | None = None) -> None:
        self._log = log
        self._environment = environment or {}

    async def run(
        self,
        errand: AnyErrand,
        answer: type[A],
        seconds: float | None,
        show: Callable[[Shown], None] = _ignore,
        fetched: Callable[[Fetched], None] = _ignore,
        passed: Callable[[Traffic], None] = _ignore,
    ) -> A:
        """Its answer, of the kind that is expected; ClientError where there is none in so many seconds.

        Whoever stops waiting has ended it.
        """
        answers: list[A] = []
        put_off = 0.0

        def note(message: ErrandMessage) -> None:
            nonlocal put_off
            if isinstance(message, Shown):
                show(message)
            elif isinstance(message, Fetched):
                fetched(message)
            elif isinstance(message, Traffic):
                passed(message)
            elif isinstance(message, PutOff):
                put_off = message.seconds
            elif isinstance(message, answer):
                answers.append(message)

        program = Program("errand", "client.errand", errand, self._log, environment=self._environment)
        try:
            async with asyncio.timeout(seconds):
                outcome = await Supervisor(program, FROM_ERRAND).run(note)
        except TimeoutError:
            assert seconds is not None
            raise _late(errand, seconds) from None
        except ChildError as error:
            raise ClientError.of(error) from error
        if not answers:
            raise _error(outcome, put_off)
        return answers[0]


def _late(errand: AnyErrand, seconds: float) -> ClientError:
    if isinstance(errand, KeyringErrand):
        return KeyringLocked(
            f"The keyring did not answer in {seconds:.0f} seconds: it is locked, or waits for its password.",
            "Unlock this computer's keyring, or log in to the desktop anew, and try again.",
        )
    kind, address = _asked(errand)
    return kind(
        f"{address} did not answer in {seconds:.0f} seconds.",
        "See that this computer is online, and try again later.",
    )


def _asked(errand: HubErrand | GateErrand | JoiningErrand) -> tuple[type[ClientError], str]:
    """Who was, and what it is where they do not answer."""
    if isinstance(errand, HubErrand):
        return HubError, errand.hub.endpoint
    if isinstance(errand, RunErrand):
        return DownloadError, excerpt(errand.location)
    return CoordinatorAway, errand.coordinator


def _error(outcome: Outcome, put_off: float) -> ClientError:
    """What the process said of its failure, as the error that it was there."""
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
        errors.CoordinatorAway,
        errors.JoinError,
        errors.DownloadError,
    )
}

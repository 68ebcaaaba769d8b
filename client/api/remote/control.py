"""Remote control of this computer by the user's other ones: what front ends show of it, and ask about it."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from client.api.protocol import ProblemView, Request
from core.messages.lines import Message


class PairingStage(StrEnum):
    """Stage of a code that lets another computer control this one."""

    OPEN = "open"  # the code is valid
    PAIRED = "paired"  # a computer has proved that it knows it
    EXPIRED = "expired"  # its time is over
    VOID = "void"  # it was wrong too often
    CLOSED = "closed"  # the user has withdrawn it


class PairingView(Message):
    """The newest code; the code itself is in the answer to `OpenPairing` alone."""

    stage: PairingStage
    expires: datetime
    attempts_left: int
    """Number of attempts that the code still allows."""
    paired: str = ""
    """Name of the computer that was paired by it; empty: none was."""


class ControllerView(Message):
    """A computer that may control this one."""

    name: str
    """Name that the computer gave itself; this one made it unique."""
    fingerprint: str
    """Fingerprint of its certificate."""
    added: datetime
    connected: str = ""
    """Address from which it is connected now; empty: it is not."""


class RemoteControlView(Message):
    """Remote control of this computer."""

    name: str
    """Name of this computer, as others show it."""
    is_on: bool = False
    """True if the preference ``remote-control`` is on."""
    port: int = 0
    """Port at which the daemon listens; 0: it does not listen."""
    addresses: tuple[str, ...] = ()
    """Addresses of this computer in its networks, as they are typed on another one."""
    fingerprint: str = ""
    """Fingerprint of this computer's certificate; empty until it has one."""
    pairing: PairingView | None = None
    """The newest code; None: there was none since the daemon began."""
    controllers: tuple[ControllerView, ...] = ()
    problem: ProblemView | None = None
    """Reason why the daemon does not listen although it should."""


class OpenPairing(Request):
    """Turn remote control on, and make a code by which another computer can be paired; an earlier code is void.

    The answer has the code in ``about``.
    """

    type: Literal["open_pairing"] = "open_pairing"


class ClosePairing(Request):
    """Withdraw the code."""

    type: Literal["close_pairing"] = "close_pairing"


class RemoveController(Request):
    """Let a computer control this one no longer, and end its connections."""

    type: Literal["remove_controller"] = "remove_controller"
    name: Annotated[str, Field(min_length=1, max_length=200)]
    """Name or fingerprint."""


ControlledRequest = OpenPairing | ClosePairing | RemoveController

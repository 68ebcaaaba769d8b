"""The user's other computers, which this one controls: what front ends show of them, and the requests about them."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, SecretStr, field_serializer

from client.api.commands import Finish, Pause, Resume, SetPreference
from client.api.protocol import ProblemView, Request
from client.api.questions import ShowPreferences
from client.api.snapshot import Snapshot
from core.messages.lines import Message

ComputerName = Annotated[str, Field(min_length=1, max_length=200)]
RemoteOrder = Annotated[
    Pause | Resume | Finish | SetPreference | ShowPreferences, Field(discriminator="type")
]
"""Requests that a front end can have carried out by another computer; it checks again what it permits."""


class ComputerReach(StrEnum):
    """State of the connection with a paired computer."""

    CONNECTING = "connecting"
    CONNECTED = "connected"
    AWAY = "away"  # it cannot be reached, or refuses this computer


class ComputerView(Message):
    """A computer that this one may control."""

    name: str
    address: str
    """Host and port at which it listens."""
    fingerprint: str
    """Fingerprint of its certificate."""
    reach: ComputerReach
    since: datetime
    """Begin of that reach; a computer that stays away keeps the time of its first failure."""
    is_being_tried: bool = False
    """True while an attempt to connect is under way: what it brings is not known yet."""
    why: ProblemView | None = None
    """Reason why it cannot be reached."""
    snapshot: Snapshot | None = None
    """Latest snapshot, without what other computers may not see; None: none came yet."""
    seen: datetime | None = None
    """Time at which that snapshot came."""


class ShowComputers(Request):
    """Request all paired computers; the daemon stays connected with them for half a minute after each request.

    The answer has them in ``computers``.
    """

    type: Literal["show_computers"] = "show_computers"


class AddComputer(Request):
    """Pair the computer at an address, which then can be controlled from this one."""

    type: Literal["add_computer"] = "add_computer"
    address: Annotated[str, Field(min_length=1, max_length=260)]
    """Host name or IP address, with a port after a colon if it is not the usual one."""
    code: Annotated[SecretStr, Field(max_length=64)]
    """Code that the other computer shows."""
    name: Annotated[str, Field(max_length=64)] = ""
    """Name to show it by; empty: the name that it gives itself."""

    @field_serializer("code", when_used="json")
    def _reveal(self, code: SecretStr) -> str:
        return code.get_secret_value()


class RemoveComputer(Request):
    """Forget a computer that this one may control."""

    type: Literal["remove_computer"] = "remove_computer"
    name: ComputerName


class OrderComputer(Request):
    """Send a request to another computer; the answer is that computer's."""

    type: Literal["order_computer"] = "order_computer"
    name: ComputerName
    order: RemoteOrder


ComputersRequest = ShowComputers | AddComputer | RemoveComputer | OrderComputer

"""Orders to a running download: pause, continue, another cap; and the reason for which it waits."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from core.messages.lines import Message
from core.network.pause_token import Ended, PauseToken

if TYPE_CHECKING:
    from core.swarm.bandwidth import Line  # the daemon, which only gives orders, does without it


class HoldFetch(Message):
    """Pause the download; what is on the way is requested again later."""

    type: Literal["hold_fetch"] = "hold_fetch"
    why: Annotated[str, Field(min_length=1, max_length=300)]
    """A sentence for the volunteer, such as "The connection is metered."."""


class GoOnFetch(Message):
    """Resume the download."""

    type: Literal["go_on_fetch"] = "go_on_fetch"


class CapFetch(Message):
    """Change the cap."""

    type: Literal["cap_fetch"] = "cap_fetch"
    download: Annotated[int, Field(ge=1)] | None
    """The cap in bytes a second; None: no cap."""


FetchOrder = HoldFetch | GoOnFetch | CapFetch


class FetchControl:
    """Obeys orders on behalf of a download that runs in another thread."""

    def __init__(self, line: "Line", on_wait: Callable[[str], None] = lambda why: None) -> None:
        """Control the downloads through ``line`` that use `token`.

        Args:
            line: Counts the bytes and keeps the cap.
            on_wait: Called with the sentence of a hold, and with an empty text when it is over, by the thread that
                gives the orders.
        """
        self.line, self.on_wait = line, on_wait
        self.token = PauseToken()
        """Token of the downloads."""

    def obey(self, order: FetchOrder) -> None:
        """Carry out ``order`` at once."""
        match order:
            case HoldFetch(why=why):
                self.token.hold()
                self.on_wait(why)
            case GoOnFetch():
                self.on_wait("")
                self.token.go_on()
            case CapFetch(download=download):
                self.line.limit(None, download)

    def check(self) -> None:
        """Raise Ended if the download was ended; work that follows it may ask for that."""
        if self.token.is_ended:
            raise Ended

    def follow(self, receive: Callable[[], FetchOrder | None]) -> None:
        """Obey the orders that ``receive`` waits for and returns, until it returns None; end the download then.

        A task process runs this on a thread, with its channel's `receive`: the end of its input ends the download.
        """
        try:
            while (order := receive()) is not None:
                self.obey(order)
        finally:
            self.token.end()

"""Newer versions of Idlebrush as front ends draw them, and the requests about them."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from client.api.protocol import ProblemView, Request
from client.updates.deciding import UpdateHold as UpdateHold
from client.updates.stages import UpdateStage as UpdateStage
from core.messages.lines import Message


class UpdateView(Message):
    """State of updates: the newer version that is known, and the present step towards it."""

    stage: UpdateStage
    version: str = ""
    """The newer version; on trial and afterwards, the version that was installed last. Empty: none is known."""
    hold: UpdateHold | None = None
    """Reason why the next step waits; None: it does not, or there is none."""
    is_looking: bool = False
    """True while the repository is asked."""
    done: int = 0
    """Bytes of the package that have arrived, while it is fetched; 0 otherwise."""
    total: int = 0
    """Bytes of the whole package, while it is fetched; 0 otherwise."""
    has_news: bool = False
    """True if there is a text of what is new; `ShowNews` requests it."""
    looked: datetime | None = None
    """Time of the last look at the repository."""
    problem: ProblemView | None = None
    """Error that ended the last step; None: it ended well."""
    program: str = ""
    """Program by which a front end of another version starts itself again; empty: there is none."""


class CheckForUpdate(Request):
    """Ask the repository for a newer version now; the answer comes afterwards, with a sentence."""

    type: Literal["check_for_update"] = "check_for_update"


class InstallUpdate(Request):
    """Install the newer version as soon as it is here, though training runs; the daemon ends for that."""

    type: Literal["install_update"] = "install_update"


class PutOffUpdate(Request):
    """Install the newer version tomorrow at the earliest."""

    type: Literal["put_off_update"] = "put_off_update"


class ShowNews(Request):
    """Request the text of what is new; the answer has it in ``text``."""

    type: Literal["show_news"] = "show_news"
    language: Annotated[str, Field(pattern=r"^[A-Za-z]{2,3}([_-][A-Za-z]{2,8})?$")] = "en"


UpdateRequest = CheckForUpdate | InstallUpdate | PutOffUpdate | ShowNews

"""The errands (`client.errands`) about a run that is not joined yet: to look at it, and to bring it here."""

from pathlib import Path
from typing import Literal

from client.api.prospect import ProspectView
from client.joining.allowed import Allowed
from client.paths import Paths
from core.lines import Message
from core.rules import TrainingRules


class RunErrand(Message):
    """Base of both."""

    location: str
    """As `client.joining.invitation.read_invitation` takes it, without an invitation's code."""
    key: str | None
    """Fingerprint of the organiser's key; None: nobody told."""
    paths: Paths
    allowed: Allowed


class LookUp(RunErrand):
    """Fetch and verify the manifest, ask the gate what it wants, and plan for this machine."""

    type: Literal["look_up"] = "look_up"
    hub: str
    """Address of the only Hub that the volunteer signs in at."""
    held_gpu: int = 0
    held_ram: int = 0
    """Bytes that this computer's trainer holds, and would give back before it trains this run."""


class Bring(RunErrand):
    """Fetch the files of the run that the volunteer has seen, and make its folder."""

    type: Literal["bring"] = "bring"
    digest: str
    """Of its training part."""


JoiningErrand = LookUp | Bring


class Fetched(Message):
    """On the way to `Brought`: bytes of all files that were missing."""

    type: Literal["fetched"] = "fetched"
    done: int
    total: int


class Offered(Message):
    type: Literal["offered"] = "offered"
    view: ProspectView
    training: TrainingRules
    """To try it out, as `client.joining.trial.without_shards` leaves it."""


class Brought(Message):
    type: Literal["brought"] = "brought"
    folder: Path

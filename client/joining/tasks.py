"""The tasks (`client.tasks`) about a run that is not joined yet: to look at it, and to fetch its files."""

from pathlib import Path
from typing import Literal

from client.api.candidate import CandidateView
from client.joining.allowed import ResourceLimits
from client.joining.pace import RunPace
from client.paths import Paths
from core.messages.lines import Message
from core.run.training.families import AnyTrainingRules


class RunTask(Message):
    """Base of both."""

    location: str
    """Location for `client.joining.invitation.read_invitation`, without an invitation's code."""
    key: str | None
    """Fingerprint of the organiser's key; None: unknown."""
    paths: Paths
    allowed: ResourceLimits


class LookUp(RunTask):
    """Fetch and verify the manifest, ask the gate what it wants, and plan for this machine."""

    type: Literal["look_up"] = "look_up"
    hub: str
    """Address of the only Hub that the volunteer signs in at."""
    held_gpu: int = 0
    held_ram: int = 0
    """Bytes that this computer's trainer holds, and would give back before it trains this run."""


class FetchRun(RunTask):
    """Fetch the files of the run that the volunteer has seen, and make its folder."""

    type: Literal["fetch_run"] = "fetch_run"
    digest: str
    """Digest of its training part."""


JoiningTask = LookUp | FetchRun


class FilesFetched(Message):
    """Bytes of the missing files that were fetched; sent before `FetchedRun`."""

    type: Literal["fetched"] = "fetched"
    done: int
    total: int


class InspectedRun(Message):
    type: Literal["inspected_run"] = "inspected_run"
    view: CandidateView
    training: AnyTrainingRules
    """Rules for measuring it, as `client.joining.benchmark.without_shards` leaves them."""
    pace: RunPace


class FetchedRun(Message):
    type: Literal["fetched_run"] = "fetched_run"
    folder: Path

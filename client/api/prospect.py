"""A run that somebody looks at before joining it, as a front end draws it: what it is, takes and asks for."""

from enum import StrEnum
from typing import Literal

from client.api.problem import ProblemView
from core.lines import Message


class ProspectStage(StrEnum):
    """How far looking at a run, and joining it, has got."""

    LOOKING = "looking"  # its manifest is fetched and verified, and this machine's plan is made
    READY = "ready"  # all that is shown is known, but perhaps the speed
    MEASURING = "measuring"  # it is tried out on this machine
    BRINGING = "bringing"  # consented: its files are fetched
    JOINED = "joined"
    FAILED = "failed"  # `ProspectView.problem` says why


class PlanView(Message):
    """How this machine would train a run."""

    fits: bool
    device: str
    """Name of the GPU; empty: the processor."""
    techniques: tuple[str, ...]
    """Names of those that save memory, as in `core.memory.techniques`."""
    micro_batch: int
    gpu_bytes: int
    ram_bytes: int
    says: str
    """The plan in an English sentence."""


class GateView(Message):
    """Who may join a run that has a gate, and where one signs in."""

    coordinator: str
    key: str
    """Public key that signs its access tokens."""
    issuer: str
    """Where one signs in: address of the Hub."""
    admits: Literal["anyone", "organisation", "list", "invitation"]
    organisation: str = ""
    is_invited: bool = False
    """Whether the link carried an invitation, which the daemon keeps for `client.api.commands.EnterGate`."""
    is_member: bool = False
    """Whether this computer was admitted already."""


class ProspectView(Message):
    """The run that is looked at; one at a time."""

    location: str
    """As it was asked for, less an invitation's code: a join link, an address, a file or ``embedded``."""
    stage: ProspectStage
    progress: float | None = None
    """Of measuring or bringing, from 0 to 1; None: it waits, for a trainer to leave or for the first word."""
    digest: str = ""
    """Of its training part; empty while its manifest is not there yet, as is all below."""
    title: str = ""
    description: str = ""
    """In the organiser's words."""
    coordinator: str | None = None
    fingerprint: str = ""
    """Of the organiser's key."""
    is_vouched_for: bool = False
    """Whether the invitation named that key; else the volunteer has to compare it with what was published."""
    parameters: int = 0
    target_batch_size: int = 0
    total_epochs: int = 0
    sample_prompts: tuple[str, ...] = ()
    download_bytes: int = 0
    """Still to be fetched."""
    bytes_per_epoch: int = 0
    """That this computer would send for an update in a swarm of 16, and receive as well; an upper bound."""
    samples_per_hour: float | None = None
    """As measured here, while that goes on until now; None: it was not."""
    bytes_per_day: int | None = None
    """Each way, training all day in a swarm of 16 such computers, as measured here."""
    plan: PlanView | None = None
    gate: GateView | None = None
    problem: ProblemView | None = None
    """Why it cannot be looked at, measured or brought here, by `stage`.

    While it is READY, measuring has failed, and it can be joined all the same. Once it is FAILED, a run whose
    `digest` is known can be joined again, which goes on with its files; any other is looked at again.
    """

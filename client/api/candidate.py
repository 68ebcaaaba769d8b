"""A candidate run as a front end draws it before the volunteer joins it: description, cost and conditions."""

from enum import StrEnum
from typing import Literal

from client.api.protocol import ProblemView
from core.messages.lines import Message


class CandidateStage(StrEnum):
    """Progress of looking at a run and joining it."""

    LOOKING = "looking"  # its manifest is fetched and verified, and this machine's plan is made
    READY = "ready"  # all that is shown is known, but perhaps the speed
    MEASURING = "measuring"  # its speed is measured on this machine
    FETCHING = "fetching"  # consented: its files are fetched
    JOINED = "joined"
    FAILED = "failed"  # `CandidateView.problem` says why


class PlanView(Message):
    """Memory plan of this machine for a run."""

    fits: bool
    device: str
    """Name of the GPU; empty: the processor."""
    techniques: tuple[str, ...]
    """Names of the techniques that save memory, as in `core.model.techniques`."""
    micro_batch: int
    """Number of samples in a micro-step."""
    gpu_bytes: int
    """Bytes of GPU memory that the plan takes; 0: the processor trains."""
    ram_bytes: int
    """Bytes of RAM that the plan takes."""
    text: str
    """The plan in an English sentence."""


class GateView(Message):
    """Gate of a run: the volunteers that it admits, and the address where they sign in."""

    coordinator: str
    """Web address of the coordinator, where volunteers are admitted."""
    key: str
    """Public key that signs its access tokens."""
    issuer: str
    """Address of the Hub where the volunteer signs in."""
    admits: Literal["anyone", "organisation", "list", "invitation"]
    organisation: str = ""
    """Name at the Hub of the organisation whose members are admitted; empty: the gate names none."""
    is_invited: bool = False
    """True if the link carried an invitation, which the daemon keeps for `client.api.commands.EnterGate`."""
    is_member: bool = False
    """True if this computer was admitted already."""


class PaceBasis(StrEnum):
    """The pace for which a day's traffic is told."""

    MEASURED = (
        "measured"  # that of the run's newest updates, by its coordinator, with this computer's samples
    )
    CLOCK = "clock"  # the run's rules allow no faster one
    ALIKE = (
        "alike"  # that of 16 computers like this one, by its measured speed: the run's own may be any other
    )
    ASSUMED = "assumed"  # the longest time that a group may take to form stands for it


class TrafficView(Message):
    """Traffic of training a run all day without a pause, each way.

    All is counted on the wire, with headers and the swarm's bookkeeping; each number is that of the larger way. They
    are those of the whole run where that is over within a day.
    """

    bytes_per_day: int
    """Most bytes of a computer that others can't connect to, or that reduces no more than the others do."""
    bytes_per_day_if_reached: int
    """Most bytes of a computer that others can connect to: it may be the only one that reduces.

    It also gives newcomers its state, which is not counted.
    """
    state_bytes: int
    """Bytes of the model's state, which are fetched once, beside the others; 0 if the run is known to have none."""
    basis: PaceBasis
    seconds_per_epoch: float
    """Seconds from one update to the next, for which the numbers hold."""
    computers: int
    """Computers of the swarm, this one included."""
    updates_left: int
    """Updates that the run has left."""
    ends_within_a_day: bool
    """True if such a swarm makes them within a day."""


class EntrancesView(Message):
    """Protocols by which addresses where a run's swarm is entered accepted a connection from this computer."""

    by_ip4: bool
    by_ip6: bool

    @property
    def answer(self) -> bool:
        """True if at least one address answered."""
        return self.by_ip4 or self.by_ip6


class CandidateView(Message):
    """The run that is looked at; one at a time."""

    location: str
    """Location as it was requested, without an invitation's code: a join link, an address, a file or ``embedded``."""
    stage: CandidateStage
    progress: float | None = None
    """Completed share of measuring or fetching, 0 to 1.

    None: it waits for a trainer to leave, or for the first report.
    """
    digest: str = ""
    """Digest of its training part; empty until its manifest was fetched, as are all fields below."""
    title: str = ""
    description: str = ""
    """Description by the organiser."""
    coordinator: str | None = None
    """Web address of the run's own pages; None: the run has none."""
    fingerprint: str = ""
    """Fingerprint of the organiser's key."""
    is_vouched_for: bool = False
    """True if the invitation named that key; otherwise the volunteer has to compare it with the published one."""
    parameters: int = 0
    target_batch_size: int = 0
    """Samples of all peers together that make an epoch."""
    round_seconds: float | None = None
    """Seconds from one update to the next where the clock decides; None where ``target_batch_size`` samples do."""
    total_epochs: int = 0
    sample_prompts: tuple[str, ...] = ()
    """Prompts whose pictures show the swarm's progress."""
    download_bytes: int = 0
    """Bytes that are still to be fetched."""
    samples_per_hour: float | None = None
    """Speed as measured on this computer until now; None: it was not measured."""
    traffic: TrafficView | None = None
    """Traffic to expect, by the speed as measured here, or by the run's rules until then; None: no run was found."""
    plan: PlanView | None = None
    entrances: EntrancesView | None = None
    """Answers of the addresses by which its swarm is entered; None: no run was found, or it names none."""
    gate: GateView | None = None
    differences: tuple[str, ...] = ()
    """Values of `core.run.run_list.ListingSubject`: where the run differs from its card on a list that was added."""
    problem: ProblemView | None = None
    """Error that kept it from being looked at, measured or fetched, by `stage`.

    While it is READY, measuring has failed, and it can be joined all the same. Once it is FAILED, a run whose
    `digest` is known can be joined again, which goes on with its files; any other is looked at again.
    """

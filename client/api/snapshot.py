"""All that a front end may know of the daemon, as one frozen value: drawing the latest needs no history."""

from datetime import datetime
from enum import StrEnum

from client.api.problem import ProblemView as ProblemView
from client.api.prospect import ProspectView
from core.lines import Message


class Activity(StrEnum):
    """What the client is doing, as a tray icon would show it."""

    OFF = "off"  # no run was joined, or the volunteer said never
    STARTING = "starting"
    TRAINING = "training"
    THROTTLED = "throttled"
    PAUSED = "paused"
    FINISHING = "finishing"
    WAITING = "waiting"  # for peers, or before another attempt
    ATTENTION = "attention"  # something needs the volunteer
    LEAVING = "leaving"
    COMPLETE = "complete"  # the run is over


class ReasonView(Message):
    """Why training is paused or throttled."""

    code: str
    text: str
    """Such as "You are using the computer"."""
    pauses: bool = True
    """Rather than holding training back."""
    about: str = ""
    """The programs that it is about, by their names."""
    until: datetime | None = None
    """When it is known to end."""


class RunView(Message):
    name: str
    title: str
    digest: str
    fingerprint: str
    """Of the organiser's key."""
    folder: str
    sample_prompts: tuple[str, ...] = ()
    total_epochs: int
    coordinator: str | None = None
    """Web address of the run's own pages."""
    has_gate: bool = False
    """Whether only members train it."""


class ProgressView(Message):
    """The swarm's current epoch, as this peer last saw it."""

    epoch: int
    loss: float | None
    samples: int
    swarm_samples: int
    target_batch_size: int
    peers: int
    samples_per_second: float
    """Of the whole swarm."""
    own_samples_per_second: float
    seconds_to_next_epoch: float | None
    data_wait: float = 0.0
    """Share of the last second or so in which there was no data to train on, 0 to 1."""


class TrainerView(Message):
    """The trainer process."""

    pid: int
    peer_id: str | None
    plan: str
    """The memory plan in a sentence."""
    micro_batch: int = 0
    """Samples at a time by that plan; 0 while there is none, as are both below."""
    gpu_bytes: int = 0
    """That it takes of the GPU's memory; 0: it trains on the processor."""
    ram_bytes: int = 0
    rss_bytes: int | None
    """That its processes hold now."""
    started: datetime
    restarts: int


class BudgetView(Message):
    """What training may take now."""

    threads: int
    share: float
    """Of the time, 0 to 1."""
    upload: int | None
    download: int | None
    """Bytes per second."""


class ContributionView(Message):
    """What this volunteer gave to the run."""

    samples_today: int
    samples: int
    compute_seconds: float
    epochs: int
    bytes_sent: int
    bytes_received: int
    month_bytes: int
    """Of this calendar month, both ways, against the monthly quota."""


class AccountView(Message):
    """Who is signed in; never a secret."""

    name: str
    kept: str
    """Where the credentials are, for people."""


class MembershipView(Message):
    """Of the joined run's gate; never a secret."""

    name: str
    kept: str
    """Where it is, for people."""
    says: str
    """How it stands with admission, for people."""


class StandingView(Message):
    """The volunteer's place on the run's leaderboard, as it was when somebody last looked."""

    rank: int
    of: int
    """Volunteers."""
    samples: int
    looked: datetime


class SignInView(Message):
    """A sign-in that waits for the volunteer to go to an address, and to enter the code there if there is one."""

    address: str
    code: str
    expires: datetime


class ReadingView(Message):
    """One reading of the machine, for people."""

    name: str
    value: str
    """Empty where it is not known."""
    source: str
    """What told it, or why nobody could."""


class DrawingStage(StrEnum):
    """What is done for pictures that were asked for; front ends word it in other languages."""

    WAITING = "waiting"  # for the requests before it
    BETWEEN_STEPS = "between_steps"  # drawn by the trainer as it trains
    PAUSED = "paused"  # as training is, whose memory it needs
    DRAWING = "drawing"  # by a process of its own
    DRAWING_IN_USE = "drawing_in_use"  # the same while somebody uses the computer
    CANCELLING = "cancelling"


class GenerationView(Message):
    """Pictures that were asked for and are not done yet."""

    id: str
    """That of their album in the gallery, once they are done."""
    prompt: str
    count: int
    progress: float
    """From 0 to 1."""
    says: str
    """What is done for them now, for people."""
    stage: DrawingStage = DrawingStage.WAITING
    """The same as a code."""


class NoticeView(Message):
    time: datetime
    text: str


class Snapshot(Message):
    """The daemon at a moment."""

    version: str
    pid: int
    started: datetime
    activity: Activity
    headline: str
    """One sentence, such as "Paused: you are using the computer"."""
    reasons: tuple[ReasonView, ...] = ()
    run_mode: str = ""
    """Of the preferences: ``always``, ``preferences`` or ``never``."""
    snoozed_until: datetime | None = None
    run: RunView | None = None
    progress: ProgressView | None = None
    trainer: TrainerView | None = None
    budget: BudgetView | None = None
    contribution: ContributionView | None = None
    account: AccountView | None = None
    sign_in: SignInView | None = None
    prospect: ProspectView | None = None
    """The run that is looked at before joining it."""
    membership: MembershipView | None = None
    standing: StandingView | None = None
    generations: tuple[GenerationView, ...] = ()
    """In the order in which they are carried out."""
    gallery: str = ""
    """The folder of the pictures that are done; see `client.api.gallery`."""
    timelapse: str = ""
    """The folder of the frames that this computer has drawn of the run; see `core.generation.records`."""
    logs: str = ""
    """The folder of the log files."""
    readings: tuple[ReadingView, ...] = ()
    problem: ProblemView | None = None
    notices: tuple[NoticeView, ...] = ()
    """The newest few, oldest first."""

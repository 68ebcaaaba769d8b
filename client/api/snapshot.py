"""The state of the daemon for front ends, as one frozen value: drawing the latest needs no history."""

from datetime import datetime
from enum import StrEnum

from client.api.board import UncreditedWork
from client.api.candidate import CandidateView
from client.api.environment import EnvironmentView
from client.api.protocol import ProblemView as ProblemView
from client.api.remote.control import RemoteControlView
from client.api.runs import JoinedRunView, LocalSwarmView
from client.api.updates import UpdateView
from core.messages.events import EpochProgress
from core.messages.lines import Message


class Activity(StrEnum):
    """Activity of the client, as a tray icon shows it."""

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


class WaitReason(StrEnum):
    """Ends of a headline during `Activity.WAITING` that never vary, so that a front end can translate them."""

    RESTART = "the trainer is being restarted."
    ADMISSION = "asking the run's coordinator for admission."
    EARLIER_CHECKPOINT = "downloading the earlier checkpoint from which the run continues."
    ROLLED_BACK_STATE = "no other computer has sent the state from which the run continues."
    NO_DONOR = "other computers are ahead, and none of them can send its state to this one."
    NO_REDUCER = "no computer of this run accepts connections."
    UNREACHABLE = "the other computers of this run cannot be reached."
    NO_QUORUM = "most computers at this epoch do not answer, so it cannot be agreed on."

    @property
    def headline(self) -> str:
        """Headline of a snapshot while the client waits for this reason."""
        return f"Waiting: {self.value}"


class ReasonView(Message):
    """Reason why training is paused or throttled."""

    code: str
    text: str
    """Sentence such as "You are using the computer"."""
    pauses: bool = True
    """True if the reason pauses training, false if it only throttles it."""
    about: str = ""
    """Names of the programs that the reason is about."""
    until: datetime | None = None
    """End of the reason, where it is known."""


class NewsView(Message):
    """A message of a run's organiser, as plain text."""

    at: datetime
    text: str


class RunView(Message):
    """The run that this computer trains now, as its manifest describes it."""

    name: str
    title: str
    digest: str
    """Digest of the training part of the run's manifest."""
    fingerprint: str
    """Fingerprint of the organiser's key."""
    folder: str
    """Folder of the run's files."""
    sample_prompts: tuple[str, ...] = ()
    """Prompts whose pictures show the swarm's progress."""
    total_epochs: int
    coordinator: str | None = None
    """Web address of the run's own pages."""
    has_gate: bool = False
    """True if only members train it."""
    news: tuple[NewsView, ...] = ()
    """Messages of its organiser, newest first."""


class ProgressView(EpochProgress):
    """Progress of the swarm as the trainer last reported it, with this computer's own speed."""

    own_samples_per_second: float
    """Rate at which this computer computes samples."""


class TrainerView(Message):
    """The trainer process."""

    pid: int
    peer_id: str | None
    plan: str
    """The memory plan in a sentence."""
    micro_batch: int = 0
    """Number of samples in a micro-step by that plan; 0: there is no plan yet."""
    gpu_bytes: int = 0
    """Bytes of GPU memory that the plan takes; 0: the processor trains, or there is no plan yet."""
    ram_bytes: int = 0
    """Bytes of RAM that the plan takes; 0: there is no plan yet."""
    held_bytes: int | None
    """Bytes of RAM that its processes hold now, where shared memory counts once; None: it is not known."""
    started: datetime
    restarts: int
    """Number of times that the daemon started the trainer again after it had failed."""


class ReachView(Message):
    """Description of how other peers reach this computer."""

    code: str
    """Value of `core.messages.reach.Reach`."""
    text: str
    """Sentences about it, the last of which says so if nothing would be better."""
    remedy: str = ""
    """Advice on what would be better, as a sentence; empty if nothing would."""
    port: int | None = None
    """Port at which the trainer listens."""
    opens_router: bool = True
    """True if the router is asked to forward that port, as the preference ``upnp`` allows."""
    address: str = ""
    """Address from which others see this computer's connections come; empty if it is not known."""
    address6: str = ""
    """Address of IPv6 by which peers that have it as well connect with this computer; empty if they don't."""


class BudgetView(Message):
    """Resources that training may take now.

    It is no `TrainingBudget`, which orders a trainer: a share of 0 is shown while training is paused, but cannot be
    ordered, and the number of threads is always known.
    """

    threads: int
    """Threads that compute."""
    share: float
    """Share of the time that training computes, 0 to 1."""
    upload: int | None
    """Upload limit in bytes per second; None: no limit."""
    download: int | None
    """Download limit in bytes per second; None: no limit."""


class ContributionView(Message):
    """Contribution of this computer's volunteer to the run."""

    samples_today: int
    """Number of samples contributed since the beginning of today."""
    samples: int
    compute_seconds: float
    compute_seconds_today: float = 0.0
    """Seconds for which this computer has computed since the beginning of today."""
    epochs: int
    """Epochs to which this computer has contributed."""
    bytes_sent: int
    bytes_received: int
    month_bytes: int
    """Bytes of this calendar month, both ways, that count against the monthly quota."""


class AccountView(Message):
    """Account that is signed in; it holds no secret."""

    name: str
    kept: str
    """Place where the credentials are kept, as a phrase for the user."""


class MembershipView(Message):
    """Membership of the joined run's gate; it holds no secret."""

    name: str
    kept: str
    """Place where it is kept, as a phrase for the user."""
    text: str
    """State of admission, as a sentence for the user."""


class StandingView(Message):
    """The volunteer's place on the run's leaderboard, as of the last look."""

    rank: int
    """Place on the leaderboard, 1 for the largest contribution."""
    of: int
    """Number of volunteers on the leaderboard."""
    samples: int
    """Samples with which the coordinator credits the volunteer."""
    looked: datetime
    """Time of the last look at the leaderboard."""


class SignInView(Message):
    """A sign-in that waits for the volunteer to go to an address, and to enter the code there if there is one."""

    address: str
    """Address of the page that the volunteer has to open."""
    code: str
    """Code to enter on that page; empty: the page needs none."""
    expires: datetime
    """Time at which the sign-in ends if it was not completed."""


class ReadingView(Message):
    """One reading of the machine, for people."""

    name: str
    value: str
    """Value in words; empty if it is not known."""
    source: str
    """Source of the value, or the reason why it is not known."""


class GpuView(Message):
    """A GPU of a computer that has several, of which one trains."""

    index: int
    """Number of the GPU, counted from 0, as the preference ``gpus`` names it."""
    name: str
    why_unused: str = ""
    """Value of `client.machine.gpu.choice.WhyUnused`; empty: it is the one that trains."""
    text: str
    """Use of this GPU, as a sentence in English."""


class GpuPowerMeans(StrEnum):
    """Means by which the power of the GPU is limited; front ends translate it."""

    DRIVER = "driver"
    CLOCKS = "clocks"  # with the share of the time for the rest
    SHARE = "share"  # of the time
    NOTHING = "nothing"  # a percentage of a limit that the card does not report


class PowerView(Message):
    """State of the machine's power while it trains."""

    is_kept_awake: bool = False
    """True while the system is kept from going to sleep by itself."""
    gpu_means: GpuPowerMeans | None = None
    """Means by which the power is limited; None: it is not limited now."""
    gpu_watts: float | None = None
    """Limit of the GPU's power, in the unit watt; None: it is not limited now."""


class DrawingStage(StrEnum):
    """Progress of requested pictures; front ends translate it."""

    WAITING = "waiting"  # for the requests before it
    BETWEEN_STEPS = "between_steps"  # drawn by the trainer as it trains
    PAUSED = "paused"  # as training is, whose memory it needs
    DRAWING = "drawing"  # by a process of its own
    DRAWING_IN_USE = "drawing_in_use"  # the same while the computer is in use
    CANCELLING = "cancelling"


class GenerationView(Message):
    """Requested pictures that are not complete yet."""

    id: str
    """Name of their album in the gallery, once they are complete."""
    prompt: str
    count: int
    """Number of requested pictures."""
    progress: float
    """Completed share, 0 to 1."""
    text: str
    """Present activity for them, as a sentence for the user."""
    stage: DrawingStage = DrawingStage.WAITING
    """Code of the present activity."""


class NoticeView(Message):
    """A message for the volunteer, with the time at which it was given."""

    time: datetime
    text: str


class Snapshot(Message):
    """State of the daemon at one moment."""

    version: str
    pid: int
    started: datetime
    activity: Activity
    headline: str
    """One sentence, such as "Paused: you are using the computer"."""
    reasons: tuple[ReasonView, ...] = ()
    run_mode: str = ""
    """Run mode of the preferences: ``always``, ``preferences`` or ``never``."""
    snoozed_until: datetime | None = None
    run: RunView | None = None
    """The run that is trained now; None: none was joined."""
    runs: tuple[JoinedRunView, ...] = ()
    """All joined runs, in the order in which they were joined."""
    progress: ProgressView | None = None
    trainer: TrainerView | None = None
    reach: ReachView | None = None
    """Way in which other peers reach this computer; None until a trainer has found out."""
    budget: BudgetView | None = None
    power: PowerView = PowerView()
    contribution: ContributionView | None = None
    account: AccountView | None = None
    sign_in: SignInView | None = None
    candidate: CandidateView | None = None
    """The run that is looked at before joining it."""
    environment: EnvironmentView | None = None
    """The trainer's environment; None: its packages are installed beside the app, and none is needed."""
    local_swarm: LocalSwarmView | None = None
    """The swarm on this computer alone; None: this daemon knows none."""
    remote: RemoteControlView | None = None
    """Remote control of this computer; None in what other computers see."""
    update: UpdateView | None = None
    """Newer versions; None: this installation does not ask for any."""
    membership: MembershipView | None = None
    standing: StandingView | None = None
    uncredited: UncreditedWork | None = None
    """The volunteer's work that the coordinator does not credit; None if all is, as of the last look."""
    generations: tuple[GenerationView, ...] = ()
    """Requests in the order in which they are carried out."""
    gallery: str = ""
    """Folder of the completed pictures; see `client.api.gallery`."""
    timelapse: str = ""
    """Folder of the frames of the run that this computer has drawn.

    `core.generation.records` describes them.
    """
    logs: str = ""
    """The folder of the log files."""
    readings: tuple[ReadingView, ...] = ()
    gpus: tuple[GpuView, ...] = ()
    """The GPUs, if there are several and one of them trains, or would."""
    problem: ProblemView | None = None
    notices: tuple[NoticeView, ...] = ()
    """Newest notices, oldest first."""

"""What a front end says to the daemon, and what it is answered: JSON lines, each request with a number of its own."""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field, SecretStr, TypeAdapter, field_serializer

from client.api.board import Board, BoardQuery
from client.api.choices import PreferenceView
from client.api.history import ContributionHistory, EpochPoint, Period, RankPoint
from client.api.snapshot import Snapshot
from core.generation.request import GenerationRequest
from core.lines import Message

PROTOCOL = 1
"""Raised when a message changes its meaning; a daemon answers others with `Refused`, but for `Quit`."""

Number = Annotated[int, Field(ge=0, lt=2**53)]
Text = Annotated[str, Field(max_length=4096)]


class Request(Message):
    """Base of all requests."""

    id: Number = 0
    """Given by the connection that sends it; the answer carries it."""
    protocol: Literal[1] = 1


class GetStatus(Request):
    """One snapshot."""

    type: Literal["status"] = "status"


class Watch(Request):
    """A snapshot now, and another after each change, for as long as the connection lasts."""

    type: Literal["watch"] = "watch"


class Pause(Request):
    """Stop training now."""

    type: Literal["pause"] = "pause"
    seconds: Annotated[float, Field(gt=0, le=366 * 86_400)] | None = None
    """After which the preferences decide again; None: until resumed."""


class Resume(Request):
    """Let the preferences decide again."""

    type: Literal["resume"] = "resume"


class Finish(Request):
    """Complete the current epoch, then stop training until resumed."""

    type: Literal["finish"] = "finish"


class Quit(Request):
    """Leave the swarm in order, and end the daemon."""

    type: Literal["quit"] = "quit"


class Join(Request):
    """Train the run in that folder, which `client.joining.join` has made; consent was asked for by the front end."""

    type: Literal["join"] = "join"
    folder: Text


class LookAtRun(Request):
    """Fetch and verify a run's manifest, and see what it would take; snapshots show it as the prospect.

    Whatever was looked at before is given up.
    """

    type: Literal["look_at_run"] = "look_at_run"
    location: Text
    """A join link, the address or absolute path of a manifest, ``embedded`` or ``embedded-all``."""
    key: Text | None = None
    """Fingerprint of the organiser's key, where no link carries it."""


class MeasureProspect(Request):
    """Try the prospect out on this machine; snapshots show how far that is."""

    type: Literal["measure_prospect"] = "measure_prospect"
    seconds: Annotated[float, Field(gt=0, le=600)] = 60.0


class StopMeasuring(Request):
    """Try it out no longer; what was measured until then counts."""

    type: Literal["stop_measuring"] = "stop_measuring"


class JoinProspect(Request):
    """Fetch the prospect's files, checked and resumed, and train it; consent was asked for by the front end."""

    type: Literal["join_prospect"] = "join_prospect"
    digest: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    """Of what the volunteer has seen; Refused if it is another one by now."""


class ForgetProspect(Request):
    """Look at it no more; fetching ends, and what has come is kept for another attempt."""

    type: Literal["forget_prospect"] = "forget_prospect"


class EnterGate(Request):
    """Sign in to a run that has a gate; snapshots show where the volunteer's browser is to go.

    Consent was asked for by the front end, which took all this from a manifest whose signature it has checked.
    """

    type: Literal["enter_gate"] = "enter_gate"
    run: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    """Training digest of its manifest."""
    coordinator: Text
    gate: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    """Public key that signs its access tokens."""
    flow: Literal["browser", "device"]
    """Through a browser of this computer, or by a code that is entered in a browser anywhere."""
    invitation: Annotated[SecretStr, Field(max_length=512)] | None = None
    keep: Literal["keyring", "session", "file"] = "keyring"

    @field_serializer("invitation", when_used="json")
    def _reveal(self, invitation: SecretStr | None) -> str | None:
        return invitation.get_secret_value() if invitation else None


class Leave(Request):
    """Train no run any more."""

    type: Literal["leave"] = "leave"
    membership: bool = False
    """Whether to end the membership of its gate as well."""


class ShowBoard(Request):
    """The leaderboard of the joined run."""

    type: Literal["show_board"] = "show_board"
    query: BoardQuery = BoardQuery()


class OpenPage(Request):
    """A link, good once, to the volunteer's own page of the joined run; the answer is ``about`` it."""

    type: Literal["open_page"] = "open_page"


class ShowContribution(Request):
    """What this volunteer gave, by period."""

    type: Literal["show_contribution"] = "show_contribution"
    by: Period = Period.DAY
    periods: Annotated[int, Field(ge=1, le=2_000)] = 400
    """The newest so many that are to be told."""
    all_runs: bool = False
    """Of all runs, and not of the joined one alone."""


class ShowEpochs(Request):
    """The joined run's epochs, thinned out to so many points; the coordinator's where it can be asked."""

    type: Literal["show_epochs"] = "show_epochs"
    points: Annotated[int, Field(ge=2, le=2_000)] = 400


class ShowRanks(Request):
    """The volunteer's ranks in the joined run over time."""

    type: Literal["show_ranks"] = "show_ranks"


class ShowPreferences(Request):
    """Every preference, in the order in which they are shown."""

    type: Literal["show_preferences"] = "show_preferences"


class KeepFrames(Request):
    """Fetch the frames of the joined run's time-lapse that are not here yet; the answer is ``about`` their folder."""

    type: Literal["keep_frames"] = "keep_frames"


class KeepReceipts(Request):
    """Fetch the signed receipts for what was given to the joined run; the answer is ``about`` their folder."""

    type: Literal["keep_receipts"] = "keep_receipts"


class HideName(Request):
    """Whether others see a volunteer's name on the joined run's pages."""

    type: Literal["hide_name"] = "hide_name"
    hidden: bool


class Generate(Request):
    """Draw pictures by the joined run's model, into the gallery; the answer is ``about`` their id."""

    type: Literal["generate"] = "generate"
    wanted: GenerationRequest


class CancelGeneration(Request):
    """Draw the pictures of that id no more."""

    type: Literal["cancel_generation"] = "cancel_generation"
    generation: Text


class SetPreference(Request):
    """Change one preference; the answer to a bad value says what is allowed."""

    type: Literal["set_preference"] = "set_preference"
    name: Text
    value: Text
    """As on the command line, such as ``80%`` or ``mon-fri 18:00-08:00``."""


class SignIn(Request):
    """Sign in to the Hugging Face Hub: with a token, or with a code that snapshots then show."""

    type: Literal["sign_in"] = "sign_in"
    token: Annotated[SecretStr, Field(max_length=4096)] | None = None
    keep: Literal["keyring", "session", "file"] = "keyring"

    @field_serializer("token", when_used="json")
    def _reveal(self, token: SecretStr | None) -> str | None:
        return token.get_secret_value() if token else None


class CancelSignIn(Request):
    type: Literal["cancel_sign_in"] = "cancel_sign_in"


class SignOut(Request):
    """Forget the credentials, here and, where the Hub can, there."""

    type: Literal["sign_out"] = "sign_out"


AnyRequest = (
    GetStatus
    | Watch
    | Pause
    | Resume
    | Finish
    | Quit
    | Join
    | LookAtRun
    | MeasureProspect
    | StopMeasuring
    | JoinProspect
    | ForgetProspect
    | EnterGate
    | Leave
    | ShowBoard
    | ShowContribution
    | ShowEpochs
    | ShowRanks
    | ShowPreferences
    | KeepFrames
    | OpenPage
    | KeepReceipts
    | HideName
    | Generate
    | CancelGeneration
    | SetPreference
    | SignIn
    | CancelSignIn
    | SignOut
)


class Done(Message):
    """The request was carried out."""

    type: Literal["done"] = "done"
    id: Number
    says: str = ""
    """For people."""
    about: str = ""
    """The id of what was asked for, where it has one."""
    board: Board | None = None
    """Where one was asked for, as is all below."""
    contribution: ContributionHistory | None = None
    epochs: tuple[EpochPoint, ...] | None = None
    ranks: tuple[RankPoint, ...] | None = None
    preferences: tuple[PreferenceView, ...] | None = None


class Refused(Message):
    """It was not, and this is why; ``id`` is 0 where the request could not be read."""

    type: Literal["refused"] = "refused"
    id: Number
    code: str
    what: str
    remedy: str


class Status(Message):
    """A snapshot, for whoever asked for one."""

    type: Literal["snapshot"] = "snapshot"
    id: Number
    snapshot: Snapshot


Answer = Done | Refused | Status
MAX_ANSWER = 1 << 20
"""Bytes of the longest line with an answer, a curve of thousands of points; requests have `core.lines.MAX_LINE`."""

RECEIVED = ConfigDict(cache_strings="none")
"""pydantic would keep thousands of the strings that it was sent, tokens among them."""
REQUESTS: TypeAdapter[AnyRequest] = TypeAdapter(
    Annotated[AnyRequest, Field(discriminator="type")], config=RECEIVED
)
ANSWERS: TypeAdapter[Answer] = TypeAdapter(Annotated[Answer, Field(discriminator="type")])

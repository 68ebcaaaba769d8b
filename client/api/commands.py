"""Requests by which a front end has the daemon do something."""

from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import Field, SecretStr, StringConstraints, field_serializer, model_validator

from client.api.protocol import Request, Text
from client.preferences.snooze import snooze_seconds as snooze_seconds
from core.messages.pictures import GenerationRequest


class Pause(Request):
    """Stop training now."""

    type: Literal["pause"] = "pause"
    seconds: Annotated[float, Field(gt=0, le=366 * 86_400)] | None = None
    """Length of the pause, after which the preferences decide again; None: until resumed."""


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
    """Train the run in that folder, which `client.joining.join` has made; consent was asked for by the front end.

    It is trained now, and takes turns with the runs that were joined before.
    """

    type: Literal["join"] = "join"
    folder: Text
    instead: bool = False
    """True to leave all other runs."""


class Leave(Request):
    """Leave a joined run; the others go on."""

    type: Literal["leave"] = "leave"
    membership: bool = False
    """True to end the membership of its gate as well."""
    run: Annotated[str, Field(pattern=r"^([0-9a-f]{64})?$")] = ""
    """Training digest of its manifest; empty: the run that is trained now."""


class LookAtRun(Request):
    """Fetch and verify a run's manifest, and plan it on this machine; snapshots show it as the candidate.

    An earlier candidate is given up.
    """

    type: Literal["look_at_run"] = "look_at_run"
    location: Text
    """A join link, the address or absolute path of a manifest, ``embedded`` or ``embedded-all``."""
    key: Text | None = None
    """Fingerprint of the organiser's key, where no link carries it."""


class MeasureCandidate(Request):
    """Try the candidate out on this machine; snapshots show the progress."""

    type: Literal["measure_candidate"] = "measure_candidate"
    seconds: Annotated[float, Field(gt=0, le=600)] = 60.0
    """Seconds for which the speed is measured."""


class StopMeasuring(Request):
    """Stop measuring the candidate; the measurement until then counts."""

    type: Literal["stop_measuring"] = "stop_measuring"


class JoinCandidate(Request):
    """Fetch the candidate's files, checked and resumed, and train it as by `Join`.

    Consent was asked for by the front end.
    """

    type: Literal["join_candidate"] = "join_candidate"
    digest: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    """Digest that the volunteer has seen; the request is refused if the candidate has another one by now."""


class ForgetCandidate(Request):
    """Give up the candidate; fetching ends, and the fetched files are kept for another attempt."""

    type: Literal["forget_candidate"] = "forget_candidate"


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
    """Way to sign in: a browser of this computer, or a code that is entered in a browser on any device."""
    invitation: Annotated[SecretStr, Field(max_length=512)] | None = None
    keep: Literal["keyring", "session", "file"] = "keyring"
    """Place where the membership is kept: the keyring, the daemon's memory, or a file."""

    @field_serializer("invitation", when_used="json")
    def _reveal(self, invitation: SecretStr | None) -> str | None:
        return invitation.get_secret_value() if invitation else None


class OpenPage(Request):
    """Request a link, valid once, to the volunteer's own page of the joined run.

    The answer has it in ``about``.
    """

    type: Literal["open_page"] = "open_page"


class HideName(Request):
    """Hide the volunteer's name from others on the joined run's pages, or show it again."""

    type: Literal["hide_name"] = "hide_name"
    hidden: bool
    """True to hide the name, false to show it again."""


class TeamAction(StrEnum):
    """Action of a volunteer on teams of a run; the last three are for the volunteer who leads the team."""

    FOUND = "found"
    JOIN = "join"
    LEAVE = "leave"
    RENAME = "rename"
    HAND_OVER = "hand_over"
    CLOSE = "close"


class ChangeTeam(Request):
    """Found, join or leave a team of the joined run, or change the team that the volunteer leads."""

    type: Literal["change_team"] = "change_team"
    action: TeamAction
    name: Annotated[str, StringConstraints(pattern=r"^[^\x00-\x1f\x7f-\x9f]{1,128}$")] | None = None
    """Name of the team, or of the member to whom the team is handed over; None to leave or close it."""

    @model_validator(mode="after")
    def _has_its_name(self) -> Self:
        needs_name = self.action not in (TeamAction.LEAVE, TeamAction.CLOSE)
        if needs_name != (self.name is not None):
            raise ValueError("a name is given exactly where the action needs one")
        return self


class KeepReceipts(Request):
    """Fetch the signed receipts for contributions to the joined run.

    The answer has their folder in ``about``.
    """

    type: Literal["keep_receipts"] = "keep_receipts"


class CancelReceipts(Request):
    """Stop fetching receipts."""

    type: Literal["cancel_receipts"] = "cancel_receipts"


class KeepFrames(Request):
    """Fetch the frames of the joined run's time-lapse that are not here yet.

    The answer has their folder in ``about``.
    """

    type: Literal["keep_frames"] = "keep_frames"


class Generate(Request):
    """Draw pictures by the joined run's model, into the gallery.

    The answer has their id in ``about``.
    """

    type: Literal["generate"] = "generate"
    wanted: GenerationRequest


class CancelGeneration(Request):
    """Stop drawing the pictures with the id ``generation``."""

    type: Literal["cancel_generation"] = "cancel_generation"
    generation: Text


class SetPreference(Request):
    """Change one preference; the refusal of a bad value lists the allowed ones."""

    type: Literal["set_preference"] = "set_preference"
    name: Text
    value: Text
    """Value as on the command line, such as ``80%`` or ``mon-fri 18:00-08:00``."""


class SignIn(Request):
    """Sign in to the Hugging Face Hub: with a token, or with a code that snapshots then show."""

    type: Literal["sign_in"] = "sign_in"
    token: Annotated[SecretStr, Field(max_length=4096)] | None = None
    """Token of the Hub; None: the volunteer enters a code in a browser."""
    keep: Literal["keyring", "session", "file"] = "keyring"
    """Place where the sign-in is kept: the keyring, the daemon's memory, or a file."""

    @field_serializer("token", when_used="json")
    def _reveal(self, token: SecretStr | None) -> str | None:
        return token.get_secret_value() if token else None


class CancelSignIn(Request):
    """Stop waiting for the volunteer to complete a sign-in to the Hub or to a run's gate."""

    type: Literal["cancel_sign_in"] = "cancel_sign_in"


class SignOut(Request):
    """Forget the credentials on this computer and, if the Hub offers that, at the Hub."""

    type: Literal["sign_out"] = "sign_out"


AnyCommand = (
    Pause
    | Resume
    | Finish
    | Quit
    | Join
    | Leave
    | LookAtRun
    | MeasureCandidate
    | StopMeasuring
    | JoinCandidate
    | ForgetCandidate
    | EnterGate
    | OpenPage
    | HideName
    | ChangeTeam
    | KeepReceipts
    | CancelReceipts
    | KeepFrames
    | Generate
    | CancelGeneration
    | SetPreference
    | SignIn
    | CancelSignIn
    | SignOut
)

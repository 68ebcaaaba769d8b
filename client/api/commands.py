"""What a front end has the daemon do."""

from typing import Annotated, Literal

from pydantic import Field, SecretStr, field_serializer

from client.api.protocol import Request, Text
from core.generation.request import GenerationRequest


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


class Leave(Request):
    """Train no run any more."""

    type: Literal["leave"] = "leave"
    membership: bool = False
    """Whether to end the membership of its gate as well."""


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


class OpenPage(Request):
    """A link, good once, to the volunteer's own page of the joined run; the answer is ``about`` it."""

    type: Literal["open_page"] = "open_page"


class HideName(Request):
    """Whether others see a volunteer's name on the joined run's pages."""

    type: Literal["hide_name"] = "hide_name"
    hidden: bool


class KeepReceipts(Request):
    """Fetch the signed receipts for what was given to the joined run; the answer is ``about`` their folder."""

    type: Literal["keep_receipts"] = "keep_receipts"


class CancelReceipts(Request):
    """Fetch them no longer."""

    type: Literal["cancel_receipts"] = "cancel_receipts"


class KeepFrames(Request):
    """Fetch the frames of the joined run's time-lapse that are not here yet; the answer is ``about`` their folder."""

    type: Literal["keep_frames"] = "keep_frames"


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


AnyCommand = (
    Pause
    | Resume
    | Finish
    | Quit
    | Join
    | Leave
    | LookAtRun
    | MeasureProspect
    | StopMeasuring
    | JoinProspect
    | ForgetProspect
    | EnterGate
    | OpenPage
    | HideName
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

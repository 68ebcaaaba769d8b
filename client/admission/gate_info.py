"""Validates what a run's gate publishes about itself before a sign-in: the users it admits, and by which Hub."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from client.api.errors import GateError

PATH = "/api/gate"
LARGEST = 64 * 1024
"""Bytes of the answer."""
SCOPES = ("openid", "profile")
"""Scopes that identify the volunteer and grant nothing else, whatever a gate asks for."""

_ADMITS = {
    "anyone": "Anyone who signs in with the Hugging Face Hub.",
    "organisation": "Members of {organisation} on the Hugging Face Hub.",
    "list": "Users of the Hugging Face Hub on the organiser's list.",
    "invitation": "Users of the Hugging Face Hub with an invitation from the organiser.",
}


class GateInfo(BaseModel):
    # A field that a newer coordinator adds keeps no volunteer out.
    model_config = ConfigDict(frozen=True, extra="ignore")

    format: Literal[1]
    run: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
    issuer: Annotated[str, StringConstraints(pattern=r"^https?://[^\s/]+$", max_length=300)]
    client_id: Annotated[str, StringConstraints(pattern=r"^[\x21-\x7e]+$", max_length=300)]
    """Client ID of the coordinator's own OAuth app."""
    admits: Literal["anyone", "organisation", "list", "invitation"]
    organisation: Annotated[str, Field(pattern=r"^[A-Za-z0-9._-]{1,96}$")] | None = None

    @property
    def text(self) -> str:
        """Sentence for the volunteer about who is admitted."""
        return _ADMITS[self.admits].format(organisation=self.organisation or "the run's organisation")


def check_issuer(gate: GateInfo, hub: str, who: str = "The run's coordinator") -> None:
    """Raise GateError if the volunteer would be sent elsewhere than to the Hub that they know."""
    if gate.issuer.rstrip("/") != hub:
        raise GateError(
            f"{who} asks you to sign in at {gate.issuer} instead of {hub}.",
            "Do not sign in there. Tell the run's organiser.",
        )


def check_invited(admits: str, is_invited: bool) -> None:
    """Raise GateError if signing in would be in vain."""
    if admits == "invitation" and not is_invited:
        raise GateError(
            "The run admits invited volunteers only.",
            "Ask the organiser for an invitation. Use its link or its code.",
        )


def base_of(coordinator: str) -> str:
    """Return a coordinator's address without the slash at its end, which a manifest may have or not."""
    return coordinator.rstrip("/")

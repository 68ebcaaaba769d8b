"""What the daemon remembers between its lives, and nothing that it could find out again."""

from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

CRASHES_KEPT = 16


class DaemonState(BaseModel):
    """Kept at `Paths.state` by `client.state_file`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: Literal[1] = 1
    run_folder: Path | None = None
    """Of the run to train; None: none was joined, or it was left."""
    consented_at: AwareDatetime | None = None
    """When the volunteer agreed that this computer trains; None: ask first."""
    snoozed_at: AwareDatetime | None = None
    snoozed_until: AwareDatetime | None = None
    """A pause for a time; with its beginning, so that a clock that was set back makes it no longer."""
    mode: Literal["always", "preferences", "never"] | None = None
    """What stands instead of the preferences' run mode until the volunteer resumes; None: they decide."""
    finished: bool = False
    """Whether the volunteer asked to stop after an epoch and that is done: train again only when resumed."""
    crashes: Annotated[tuple[AwareDatetime, ...], Field(max_length=CRASHES_KEPT)] = ()
    """When the trainer crashed, oldest first: so that a daemon that is started anew goes on counting."""

    def with_changes(self, **changes: object) -> Self:
        """A copy with other values, validated as a file's are."""
        return type(self).model_validate(self.model_dump() | changes)

    def with_crash(self, now: datetime) -> Self:
        """A copy that remembers one more crash, and forgets the oldest."""
        return self.with_changes(crashes=(*self.crashes, now)[-CRASHES_KEPT:])

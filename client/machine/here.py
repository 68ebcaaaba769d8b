"""The machine that the daemon runs on, as a session sees it: surveys, and the user's first input."""

from dataclasses import dataclass

from client.machine.activity.watch import ActivityWatch
from client.machine.readings import Known, Reading, Readings
from client.machine.survey import Survey

JUST_NOW = Known(0.0, "the first input")


@dataclass(frozen=True)
class ThisMachine:
    """A survey, and a watch for activity between two of them."""

    survey: Survey
    activity: ActivityWatch

    async def read(self) -> Readings:
        """All of it, within a moment."""
        return await self.survey.read()

    async def until_active(self) -> Reading[float]:
        """Return at the first input after the call, or once nobody can tell any more, with what is known then."""
        await self.activity.until_active()
        return JUST_NOW if self.activity.tells else await self.activity.idle()

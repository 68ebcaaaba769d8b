"""Stands in for the daemon: the real lock and control channel, and nothing behind them.

What it does beyond that is named in its environment, by DEED.
"""

import asyncio
import os
import sys
from datetime import UTC, datetime
from enum import StrEnum

from client.api.answers import Done, Refused
from client.api.commands import Join, Quit
from client.api.errors import ClientError, FolderError
from client.api.requests import AnyRequest
from client.api.snapshot import Activity, Snapshot
from client.paths import Paths
from client.service.channel.control import Control
from client.service.channel.lock import DaemonLock

DEED = "IDLEBRUSH_TEST_DEED"


class DaemonDeed(StrEnum):
    SERVE = "serve"
    FAIL = "fail"
    """End before listening, with a reason."""
    SWALLOW = "swallow"
    """Hold the lock, and never listen."""
    LINGER = "linger"
    """Serve for a second more when it is to end, as a daemon does whose trainer has to leave."""


class StandIn:
    """Answers everything with Done, except for Join, which fails; and whatever it is asked changes something."""

    def __init__(self, paths: Paths) -> None:
        self._control = Control(paths.socket, self._handle, self._snapshot)
        self._ended = asyncio.Event()
        self._started = datetime.now(UTC)

    async def live(self, deed: DaemonDeed) -> None:
        if deed is DaemonDeed.FAIL:
            raise FolderError("The disk is full.", "Delete something.")
        if deed is not DaemonDeed.SWALLOW:
            await self._control.start()
        await self._ended.wait()
        if deed is DaemonDeed.LINGER:
            await asyncio.sleep(1.0)
        await self._control.close()

    async def _handle(self, request: AnyRequest) -> Done | Refused:
        self._control.publish()
        if isinstance(request, Quit):
            self._ended.set()
        if isinstance(request, Join):
            raise FolderError("There is no run in that folder.", "Join it first.")
        return Done(id=request.id, text=type(request).__name__)

    def _snapshot(self) -> Snapshot:
        return Snapshot(
            version="1", pid=os.getpid(), started=self._started, activity=Activity.OFF, headline="No run."
        )


def main() -> int:
    paths = Paths.of_user()
    paths.prepare()
    deed = DaemonDeed(os.environ.get(DEED, DaemonDeed.SERVE))
    try:
        with DaemonLock(paths.lock, paths.socket):
            asyncio.run(StandIn(paths).live(deed))
    except ClientError as error:
        print(error, file=sys.stderr)
        return getattr(error, "STATUS", 1)
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""What those who answer requests are given of their site: they name it among their parameters."""

from typing import Annotated

from fastapi import Depends, Request

from coordinator.web.assets import Assets
from coordinator.web.broadcast import Broadcast
from coordinator.web.context import WebContext
from coordinator.web.sessions import BrowserSessions


async def _context(request: Request) -> WebContext:
    found: WebContext = request.app.state.context
    return found


async def _sessions(request: Request) -> BrowserSessions:
    return BrowserSessions(await _context(request))


async def _assets(request: Request) -> Assets:
    found: Assets = request.app.state.assets
    return found


async def _broadcast(request: Request) -> Broadcast:
    found: Broadcast = request.app.state.broadcast
    return found


Context = Annotated[WebContext, Depends(_context)]
Sessions = Annotated[BrowserSessions, Depends(_sessions)]
SiteAssets = Annotated[Assets, Depends(_assets)]
Events = Annotated[Broadcast, Depends(_broadcast)]

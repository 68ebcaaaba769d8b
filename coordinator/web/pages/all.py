"""All pages of the website, as the app mounts them."""

from fastapi import APIRouter

from coordinator.web.assets import Assets
from coordinator.web.context import WebContext
from coordinator.web.pages import (
    articles,
    calculator,
    checkpoints,
    dashboard,
    first,
    gallery,
    join,
    leaderboard,
    machine,
    own,
    volunteer,
)
from coordinator.web.sessions import BrowserSessions


def routers(context: WebContext, sessions: BrowserSessions, assets: Assets) -> list[APIRouter]:
    return [
        first.router(context),
        dashboard.router(context),
        leaderboard.router(context, sessions),
        volunteer.router(context, sessions),
        own.router(context, sessions),
        gallery.router(context),
        join.router(context),
        calculator.router(context),
        checkpoints.router(context),
        articles.router(context),
        machine.router(context, assets),
    ]

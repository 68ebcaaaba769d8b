"""A volunteer's public page, and the certificate to print; there is none of whoever hides the name."""

from datetime import date

from fastapi import APIRouter, HTTPException, Request
from starlette.responses import Response

from coordinator.ledger.badges import BADGES
from coordinator.ledger.certificate import certify
from coordinator.ledger.volunteer import Volunteer, volunteer
from coordinator.web.charts import Scale, bars, curve
from coordinator.web.context import WebContext
from coordinator.web.given import Context, Sessions
from coordinator.web.rendering import render
from coordinator.web.sessions import Viewer
from coordinator.web.wording import whole

router = APIRouter(include_in_schema=False)

_DAYS = 90
_LONGEST_NAME = 128
_RANKS = Scale(lambda value: whole(-value), counts=True, most=-1.0)
_PERSONAL = {"Cache-Control": "no-store"}


@router.get("/volunteers/{name}")
def page(request: Request, context: Context, sessions: Sessions, name: str) -> Response:
    viewer = sessions.viewer(request)
    shown = _volunteer(context, name, viewer)
    days = shown.days[-_DAYS:]
    ranks = [(float(rank.day.toordinal()), float(-rank.rank)) for rank in shown.ranks[-_DAYS:]]
    values = {
        "volunteer": shown,
        "all_badges": BADGES,
        "days": bars([(day.day, day.samples) for day in days], context.clock().date()),
        "ranks": curve(ranks, "Rank", "l5", _RANKS, _day_of),
    }
    return render(request, "volunteer.html", values, headers=_PERSONAL if viewer else None)


@router.get("/volunteers/{name}/certificate")
def certificate(request: Request, context: Context, sessions: Sessions, name: str) -> Response:
    viewer = sessions.viewer(request)
    shown = _volunteer(context, name, viewer)
    manifest = context.manifest
    signed = certify(shown, manifest.contact.title, manifest.training_digest, context.gate_key)
    values = {"volunteer": shown, "signed": signed, "gate": context.gate_key.public_key}
    return render(request, "certificate.html", values, headers=_PERSONAL if viewer else None)


def _volunteer(context: WebContext, name: str, viewer: Viewer | None) -> Volunteer:
    page = None
    if len(name) <= _LONGEST_NAME and "\0" not in name:  # which PostgreSQL does not even look for
        with context.database.reading() as session:
            page = volunteer(session, name, context.clock(), viewer.user if viewer else None)
    if page is None or not page.days:
        raise HTTPException(404)
    return page


def _day_of(ordinal: float) -> str:
    day = date.fromordinal(round(ordinal))
    return f"{day.day} {day:%b}"

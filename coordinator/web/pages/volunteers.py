"""Pages about volunteers: the leaderboard, and the public page and certificate of each who does not hide the name."""

from datetime import date
from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, HTTPException, Query, Request
from markupsafe import Markup
from starlette.responses import Response

from coordinator.ledger.badges import BADGES
from coordinator.ledger.board import BoardPage, BoardPeriod, Measure, View, leaderboard
from coordinator.ledger.receipts import certify
from coordinator.ledger.volunteer import Volunteer, volunteer
from coordinator.web.caching.headers import PERSONAL
from coordinator.web.charts import Scale, bars, curve, year
from coordinator.web.context import WebContext
from coordinator.web.given import GivenContext, Sessions, Viewer
from coordinator.web.rendering import render
from coordinator.web.wording import day as written_day
from coordinator.web.wording import duration, whole
from core.admission.receipts import SignedCertificate
from core.contribution.year import CalendarDay, YearCalendar, year_of

router = APIRouter(include_in_schema=False)
_Name = Annotated[str, Query(max_length=128, pattern=r"^[^\x00]*$")]

_ON_A_PAGE = 50
_LAST_OFFSET = 1_000_000
_DAYS = 90
_LONGEST_NAME = 128
_RANKS = Scale(lambda value: whole(-value), counts=True, most=-1.0)
_SIGNED = {"Cache-Control": PERSONAL}
"""Headers of what is signed: no proxy is to hand it out once the volunteer hides the name."""


@router.get("/leaderboard")
def board(
    request: Request,
    context: GivenContext,
    sessions: Sessions,
    by: Measure = Measure.SAMPLES,
    since: BoardPeriod = BoardPeriod.ALL,
    name: _Name = "",
    offset: Annotated[int, Query(ge=0, le=_LAST_OFFSET)] = 0,
) -> Response:
    viewer = sessions.viewer(request)
    name = name.strip()
    view = View(by, since, _ON_A_PAGE, offset, name or None, viewer.user if viewer else None)
    with context.database.reading() as session:
        page = leaderboard(session, context.clock(), view)
    values = {
        "page": page,
        "checks_work": context.manifest.training.swarm.recomputed_share is not None,
        "by": by,
        "since": since,
        "name": name,
        "most": max((_value(row.samples, row.compute_seconds, by) for row in page.rows), default=0),
        "before": _address(by, since, max(0, page.offset - _ON_A_PAGE)) if page.offset else None,
        "after": _address(by, since, page.offset + _ON_A_PAGE) if _has_more(page) else None,
    }
    return render(request, "leaderboard.html", values)


def _value(samples: int, seconds: float, by: Measure) -> float:
    return samples if by is Measure.SAMPLES else seconds


def _has_more(page: BoardPage) -> bool:
    return page.offset + len(page.rows) < page.total and bool(page.rows)


def _address(by: Measure, since: BoardPeriod, offset: int) -> str:
    return "/leaderboard?" + urlencode({"by": by.value, "since": since.value, "offset": offset})


@router.get("/volunteers/{name}")
def page(request: Request, context: GivenContext, sessions: Sessions, name: str) -> Response:
    viewer = sessions.viewer(request)
    shown = shown_volunteer(context, name, viewer)
    days = shown.days[-_DAYS:]
    calendar = year_of({day.day: day.samples for day in shown.days}, context.clock().date())
    ranks = [(float(rank.day.toordinal()), float(-rank.rank)) for rank in shown.ranks[-_DAYS:]]
    values = {
        "volunteer": shown,
        "all_badges": BADGES,
        "days": bars([(day.day, day.samples) for day in days], context.clock().date()),
        "ranks": curve(ranks, "Rank", "l5", _RANKS, _day_of),
        "calendar": calendar,
        "year": _drawn_year(calendar, shown),
    }
    return render(request, "volunteer.html", values)


def _drawn_year(calendar: YearCalendar, shown: Volunteer) -> Markup:
    seconds = {day.day: day.compute_seconds for day in shown.days}

    def told(day: CalendarDay) -> str:
        if not day.level:
            return f"{written_day(day.day)}: nothing"
        return f"{written_day(day.day)}: {whole(day.amount)} samples, computed {duration(seconds[day.day])}"

    days = "1 day" if calendar.active_days == 1 else f"{calendar.active_days} days"
    return year(calendar, f"{whole(calendar.total)} samples on {days} of the last 12 months", told)


@router.get("/volunteers/{name}/certificate")
def certificate(request: Request, context: GivenContext, sessions: Sessions, name: str) -> Response:
    viewer = sessions.viewer(request)
    shown = _credited(context, name, viewer)
    values = {"volunteer": shown, "signed": _certified(context, shown)}
    return render(request, "certificate.html", values, headers=_SIGNED)


@router.get("/volunteers/{name}/certificate.json")
def signed_certificate(request: Request, context: GivenContext, sessions: Sessions, name: str) -> Response:
    viewer = sessions.viewer(request)
    signed = _certified(context, _credited(context, name, viewer))
    headers = {**_SIGNED, "Content-Disposition": 'attachment; filename="certificate.json"'}
    return Response(signed.model_dump_json(indent=2) + "\n", 200, headers, "application/json")


def _certified(context: WebContext, shown: Volunteer) -> SignedCertificate:
    manifest = context.manifest
    return certify(shown, manifest.contact.title, manifest.training_digest, context.gate_key)


def shown_volunteer(context: WebContext, name: str, viewer: Viewer | None) -> Volunteer:
    """Return a volunteer whom the viewer may see; HTTPException 404 for others."""
    page = None
    if len(name) <= _LONGEST_NAME and "\0" not in name:  # which PostgreSQL does not even look for
        with context.database.reading() as session:
            page = volunteer(session, name, context.clock(), viewer.user if viewer else None)
    if page is None or not (page.days or page.checked.withheld_samples):
        raise HTTPException(404)
    return page


def _credited(context: WebContext, name: str, viewer: Viewer | None) -> Volunteer:
    """Return a volunteer with some credit; HTTPException 404 for others, of whom nothing can be certified."""
    page = shown_volunteer(context, name, viewer)
    if not page.days:
        raise HTTPException(404)
    return page


def _day_of(ordinal: float) -> str:
    day = date.fromordinal(round(ordinal))
    return f"{day.day} {day:%b}"

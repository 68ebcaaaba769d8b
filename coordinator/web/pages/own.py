"""A volunteer's own page: whether the public sees the name, the receipts, the computers."""

import json
from typing import Annotated
from urllib.parse import parse_qs

from fastapi import APIRouter, Depends, HTTPException, Query, Request
from sqlalchemy import select
from starlette.responses import RedirectResponse, Response

from coordinator.database.tables import KnownPeer, User
from coordinator.gate.evidence import how_to_appeal, standing_against
from coordinator.gate.moderation import is_moderator
from coordinator.ledger.receipts import receipts
from coordinator.ledger.volunteer import volunteer
from coordinator.teams.teams import closed_without, team_of
from coordinator.web.given import GivenContext, Sessions, Viewer, is_from_own_page
from coordinator.web.rendering import render

router = APIRouter(include_in_schema=False)

_MOST_FIELDS = 8


async def _form(request: Request) -> dict[str, str]:
    """Return the fields of a form that a page of this site sent.

    Raise HTTPException with status 403 for a form from elsewhere, and with 400 for one that cannot be read.
    """
    if not is_from_own_page(request):
        raise HTTPException(403)
    try:
        fields = parse_qs((await request.body()).decode(), max_num_fields=_MOST_FIELDS)
    except ValueError as error:
        raise HTTPException(400) from error
    return {name: values[0] for name, values in fields.items()}


def _known(request: Request, sessions: Sessions) -> Viewer:
    viewer = sessions.viewer(request)
    if viewer is None:
        raise HTTPException(401)
    return viewer


Form = Annotated[dict[str, str], Depends(_form)]
KnownViewer = Annotated[Viewer, Depends(_known)]


@router.get("/me")
def own(request: Request, context: GivenContext, sessions: Sessions) -> Response:
    viewer = sessions.viewer(request)
    if viewer is None:
        return render(request, "sign_in.html", {})
    with context.database.reading() as session:
        user = session.get(User, viewer.user)
        values = {
            "viewer": viewer,
            "moderates": user is not None and is_moderator(user, context.settings.moderators),
            "evidence": standing_against(session, user) if user is not None else None,
            "appeal": how_to_appeal(context.settings.appeals),
            "volunteer": volunteer(session, viewer.name, context.clock(), viewer.user),
            "team": team_of(session, viewer.user),
            "closes": user is not None and closed_without(session, user) is not None,
            "peers": session.scalars(
                select(KnownPeer).where(KnownPeer.user_id == viewer.user).order_by(KnownPeer.id)
            ).all(),
        }
    return render(request, "own.html", values)


@router.get("/me/enter")
def entrance(request: Request, code: Annotated[str, Query(max_length=128)] = "") -> Response:
    # Looking at a link uses nothing up: programs that preview links do that too.
    return render(request, "enter.html", {"code": code})


@router.post("/me/enter")
def enter(sessions: Sessions, form: Form) -> Response:
    response = RedirectResponse("/me", 303)
    sessions.redeem(form.get("code", ""), response)
    return response


@router.post("/me/name")
def change_name(context: GivenContext, viewer: KnownViewer, form: Form) -> Response:
    with context.database.session() as session:
        user = session.get(User, viewer.user)
        if user is not None:
            user.hidden = form.get("hidden") == "yes"
    return RedirectResponse("/me", 303)


@router.post("/me/leave")
def leave(request: Request, sessions: Sessions, form: Form) -> Response:
    response = RedirectResponse("/", 303)
    sessions.end(request, response)
    return response


@router.get("/me/receipts.json")
def download(context: GivenContext, viewer: KnownViewer) -> Response:
    with context.database.reading() as session:
        user = session.get(User, viewer.user)
        run = context.manifest.training_digest
        signed = receipts(session, user, run, context.gate_key) if user else ()
    content = json.dumps({"receipts": [one.model_dump(mode="json") for one in signed]}, indent=1)
    headers = {"Content-Disposition": 'attachment; filename="receipts.json"'}
    return Response(content, 200, headers, "application/json")

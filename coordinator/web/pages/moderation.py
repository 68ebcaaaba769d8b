"""The moderators' page: evidence by which the swarm sets users aside, false work, teams, bans, and the log."""

import json
from typing import Annotated, cast, get_args

from fastapi import APIRouter, Depends, HTTPException, Path, Request
from sqlalchemy import select
from starlette.responses import RedirectResponse, Response

from coordinator.database.tables import Checkpoint, User
from coordinator.gate import audit, evidence, moderation
from coordinator.gate.moderation import EvidenceDecision
from coordinator.ledger.checked_work import PAGE, false_work
from coordinator.publisher.retention import CheckpointStatus
from coordinator.teams import teams
from coordinator.teams.board import newest_teams
from coordinator.web.given import GivenContext, Sessions, Viewer
from coordinator.web.pages.own import Form
from coordinator.web.rendering import render

router = APIRouter(include_in_schema=False)

_LONGEST_REASON = 500
_ENTRIES = 30
_MOST_BANNED = 200
_MOST_TEAMS = 200


def _moderator(request: Request, context: GivenContext, sessions: Sessions) -> Viewer:
    """Return the moderator of the request's cookie; HTTPException 401 without a sign-in, and 403 for others."""
    viewer = sessions.viewer(request)
    if viewer is None:
        raise HTTPException(401)
    with context.database.reading() as session:
        user = session.get(User, viewer.user)
        if user is None or not moderation.is_moderator(user, context.settings.moderators):
            raise HTTPException(403)
    return viewer


_Moderator = Annotated[Viewer, Depends(_moderator)]
_Number = Annotated[int, Path(ge=1, lt=2**31)]


@router.get("/moderation")
def page(request: Request, context: GivenContext, moderator: _Moderator) -> Response:
    with context.database.reading() as session:
        banned = select(User).where(User.banned.is_not(None)).order_by(User.banned.desc())
        kept = select(Checkpoint.epoch).where(Checkpoint.standing == CheckpointStatus.KEPT.value)
        values = {
            "viewer": moderator,
            "evidence": evidence.listed(session),
            "false_work": false_work(session),
            "checks_work": context.manifest.training.swarm.recomputed_share is not None,
            "recomputes": context.settings.recomputed_seconds_an_hour > 0,
            "most_false_work": PAGE,
            "generation": context.manifest.state.generation,
            "epochs": sorted(set(session.scalars(kept))),
            "teams": newest_teams(session, _MOST_TEAMS),
            "banned": session.scalars(banned.limit(_MOST_BANNED)).all(),
            "entries": audit.entries(session, limit=_ENTRIES),
            "appeals": context.settings.appeals,
        }
    return render(request, "moderation.html", values)


@router.post("/moderation/evidence/{number}")
def decide(context: GivenContext, moderator: _Moderator, number: _Number, form: Form) -> Response:
    decision = form.get("decision")
    if decision not in get_args(EvidenceDecision):
        raise HTTPException(400)
    why = " ".join(form.get("why", "").split())[:_LONGEST_REASON]
    with context.database.session() as session:
        by = session.get_one(User, moderator.user)
        moderation.decide_on(
            session,
            number,
            cast(EvidenceDecision, decision),
            why,
            by=by,
            moderators=context.settings.moderators,
            now=context.clock(),
        )
    return RedirectResponse("/moderation", 303)


@router.post("/moderation/audits/{number}/lift")
def lift_audit(context: GivenContext, moderator: _Moderator, number: _Number, form: Form) -> Response:
    why = " ".join(form.get("why", "").split())[:_LONGEST_REASON]
    with context.database.session() as session:
        by = session.get_one(User, moderator.user)
        moderation.lift_audit(session, number, why, by=by, now=context.clock())
    return RedirectResponse("/moderation", 303)


@router.post("/moderation/bans/{user}/lift")
def lift_ban(context: GivenContext, moderator: _Moderator, user: _Number, form: Form) -> Response:
    with context.database.session() as session:
        found = session.get(User, user)
        if found is None:
            raise HTTPException(404)
        by = session.get_one(User, moderator.user)
        moderation.unban_by(session, found.name, by=by, now=context.clock())
    return RedirectResponse("/moderation", 303)


@router.post("/moderation/teams/{number}/remove")
def remove_team(context: GivenContext, moderator: _Moderator, number: _Number, form: Form) -> Response:
    with context.database.session() as session:
        teams.remove(session, number, actor=moderator.name, now=context.clock())
    return RedirectResponse("/moderation#teams", 303)


@router.get("/moderation/evidence/{number}.json")
def download(context: GivenContext, moderator: _Moderator, number: _Number) -> Response:
    with context.database.reading() as session:
        content = evidence.document(evidence.evidence_by(session, number), context.manifest.training_digest)
    headers = {"Content-Disposition": f'attachment; filename="evidence-{number}.json"'}
    return Response(json.dumps(content, indent=1), 200, headers, "application/json")

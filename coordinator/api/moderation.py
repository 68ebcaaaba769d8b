"""REST: what moderators may do."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Response
from sqlalchemy.orm import Session

from coordinator.api.answers import (
    AuditLog,
    BanAsked,
    EvidenceDecided,
    EvidenceDocument,
    EvidenceList,
    FalseWorkLifted,
    FalseWorkList,
    ListedEvidence,
    ListedFalseWork,
    MemberList,
    MemberName,
    failures,
)
from coordinator.api.asker import BearerSecret
from coordinator.database.tables import User
from coordinator.gate import audit, evidence, moderation
from coordinator.gate.memberships import member_by
from coordinator.ledger.checked_work import false_work
from coordinator.teams import teams
from coordinator.web.context import WebContext
from coordinator.web.given import GivenContext

router = APIRouter(prefix="/api/moderation", tags=["moderation"])

_Limit = Annotated[int, Query(ge=1, le=moderation.PAGE)]


@router.post("/bans", status_code=204, responses=failures(400, 401, 403, 404, 413))
def ban(context: GivenContext, secret: BearerSecret, asked: BanAsked) -> Response:
    """End a user's memberships; with `at_once`, make the swarm refuse the user's peers now."""
    with context.database.session() as session:
        actor = _moderator(context, session, secret)
        moderation.require_may_ban(session, actor, asked.name, context.settings.moderators)
        moderation.ban(session, **asked.model_dump(), actor=actor.name, now=context.clock())
    return Response(status_code=204)


@router.delete("/bans/{name}", status_code=204, responses=failures(401, 403, 404))
def unban(context: GivenContext, secret: BearerSecret, name: Annotated[MemberName, Path()]) -> Response:
    """Lift a person's ban."""
    with context.database.session() as session:
        actor = _moderator(context, session, secret)
        moderation.unban_by(session, name, by=actor, now=context.clock())
    return Response(status_code=204)


@router.get("/evidence", responses=failures(401, 403))
def list_evidence(context: GivenContext, secret: BearerSecret) -> EvidenceList:
    """List the evidence by which the swarm sets users aside."""
    with context.database.reading() as session:
        _moderator(context, session, secret)
        found = [ListedEvidence.model_validate(row) for row in evidence.listed(session)]
    return EvidenceList(evidence=found)


@router.get("/evidence/{number}", responses=failures(401, 403, 404))
def prove(
    context: GivenContext, secret: BearerSecret, number: Annotated[int, Path(ge=1, lt=2**31)]
) -> EvidenceDocument:
    """Return a piece of evidence with its proof, for anyone to verify without this coordinator."""
    with context.database.reading() as session:
        _moderator(context, session, secret)
        found = evidence.evidence_by(session, number)
        return EvidenceDocument(**evidence.document(found, context.manifest.training_digest))


@router.post("/evidence/{number}", status_code=204, responses=failures(400, 401, 403, 404, 413))
def decide(
    context: GivenContext,
    secret: BearerSecret,
    number: Annotated[int, Path(ge=1, lt=2**31)],
    asked: EvidenceDecided,
) -> Response:
    """Uphold evidence by a ban, or lift it on appeal."""
    with context.database.session() as session:
        actor = _moderator(context, session, secret)
        moderation.decide_on(
            session,
            number,
            asked.decision,
            asked.why,
            by=actor,
            moderators=context.settings.moderators,
            now=context.clock(),
        )
    return Response(status_code=204)


@router.get("/audits", responses=failures(401, 403))
def list_audits(context: GivenContext, secret: BearerSecret) -> FalseWorkList:
    """List the audits by which work is not credited."""
    with context.database.reading() as session:
        _moderator(context, session, secret)
        return FalseWorkList(audits=[ListedFalseWork.of(one) for one in false_work(session)])


@router.post("/audits/{number}/lift", status_code=204, responses=failures(400, 401, 403, 404, 413))
def lift_audit(
    context: GivenContext,
    secret: BearerSecret,
    number: Annotated[int, Path(ge=1, lt=2**31)],
    asked: FalseWorkLifted,
) -> Response:
    """Credit what an audit withholds."""
    with context.database.session() as session:
        actor = _moderator(context, session, secret)
        moderation.lift_audit(session, number, asked.why, by=actor, now=context.clock())
    return Response(status_code=204)


@router.delete("/pictures/{epoch}", status_code=204, responses=failures(401, 403, 404))
def take_down(
    context: GivenContext, secret: BearerSecret, epoch: Annotated[int, Path(ge=0, lt=2**31)]
) -> Response:
    """Remove the picture of an epoch from the time-lapse."""
    with context.database.session() as session:
        actor = _moderator(context, session, secret)
        files = moderation.take_down_picture(session, epoch, actor=actor.name, now=context.clock())
    for file in files:
        (context.home.frames / file).unlink(missing_ok=True)
    return Response(status_code=204)


@router.delete("/teams/{number}", status_code=204, responses=failures(401, 403, 404))
def remove_team(
    context: GivenContext, secret: BearerSecret, number: Annotated[int, Path(ge=1, lt=2**31)]
) -> Response:
    """Close a team, as for its name; no other team can take the name."""
    with context.database.session() as session:
        actor = _moderator(context, session, secret)
        teams.remove(session, number, actor=actor.name, now=context.clock())
    return Response(status_code=204)


@router.get("/members", responses=failures(401, 403))
def members(
    context: GivenContext,
    secret: BearerSecret,
    after: MemberName | None = None,
    limit: _Limit = moderation.PAGE,
) -> MemberList:
    """List all users by name."""
    with context.database.reading() as session:
        _moderator(context, session, secret)
        found = moderation.members(session, after=after or "", limit=limit)
    following = found[-1].name if len(found) == limit else None
    return MemberList(members=found, next=following)


@router.get("/audit", responses=failures(401, 403))
def log(
    context: GivenContext,
    secret: BearerSecret,
    before: Annotated[int | None, Query(ge=1, lt=2**31)] = None,
    limit: _Limit = audit.PAGE,
) -> AuditLog:
    """List the entries of the audit log, newest first."""
    with context.database.reading() as session:
        _moderator(context, session, secret)
        found = audit.entries(session, before=before, limit=limit)
    following = found[-1].id if len(found) == limit else None
    return AuditLog(entries=found, next=following)


def _moderator(context: WebContext, session: Session, secret: str) -> User:
    user = member_by(session, secret, context.clock()).user
    moderation.require_moderator(user, context.settings.moderators)
    return user

"""REST: the public view of the run: its present state, its epochs so far, and the leaderboard."""

from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Query
from sqlalchemy.orm import Session

from coordinator.api.answers import Epochs, MemberName, PaceGiven, PeerIdText, TimeLapse, failures
from coordinator.api.asker import MaybeSecret
from coordinator.database.tables import SwarmNow
from coordinator.errors import GateRefusal
from coordinator.gate.memberships import member_by
from coordinator.ledger.board import BoardPage, BoardPeriod, Measure, View, WithheldCredits, leaderboard
from coordinator.ledger.checked_work import checked_work
from coordinator.ledger.history import history, time_lapse
from coordinator.ledger.owners import made_up_user_of
from coordinator.ledger.pace import measured_pace
from coordinator.run_now import RunNow
from coordinator.web.figures import epochs_made, prompts_of
from coordinator.web.given import GivenContext
from core.generation.records import columns_for

router = APIRouter(prefix="/api", tags=["run"])
_MOST_REASON = 1000
"""Characters of a reason that clients take."""


@router.get("/status", responses=failures(404))
def status(context: GivenContext) -> RunNow:
    """Give the present state of the swarm."""
    with context.database.reading() as session:
        now = session.get(SwarmNow, 1)
    if now is None:
        raise GateRefusal("Nothing of this run was seen yet.", "Look again in a minute.", status=404)
    return RunNow.model_validate(now.content)


@router.get("/pace", responses=failures())
def pace(context: GivenContext) -> PaceGiven:
    """Give the pace of the newest epochs, by which a client tells the traffic of a day before its volunteer joins."""
    manifest = context.manifest
    with context.database.reading() as session:
        made, measured = epochs_made(session, manifest), measured_pace(session)
    return PaceGiven(run=manifest.training_digest, epoch=made, measured=measured)


@router.get("/history", responses=failures())
def epochs(context: GivenContext, points: Annotated[int, Query(ge=2, le=5000)] = 500) -> Epochs:
    """Return at most ``points`` epochs (at least ten), oldest first.

    These are the newest ten, and evenly spaced earlier ones.
    """
    with context.database.reading() as session:
        return Epochs(epochs=history(session, points))


@router.get("/frames", responses=failures())
def frames(context: GivenContext, most: Annotated[int, Query(ge=1, le=500)] = 200) -> TimeLapse:
    """Give the pictures of the run's prompts through the epochs, thinned out to about ``most`` frames."""
    prompts = prompts_of(context.manifest)
    with context.database.reading() as session:
        found = time_lapse(session, most) if prompts else ()
    return TimeLapse(prompts=prompts, columns=columns_for(len(prompts)) or 1, frames=found)


# Beside the way to sign in that is asked for: none.
@router.get("/leaderboard", responses=failures(401, 403), openapi_extra={"security": [{}]})
def board(
    context: GivenContext,
    secret: MaybeSecret,
    by: Measure = Measure.SAMPLES,
    since: BoardPeriod = BoardPeriod.ALL,
    around: Annotated[MemberName | None, Query(description="Member to show in the middle.")] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    offset: Annotated[int, Query(ge=0, le=2**31 - 1)] = 0,
    peer: Annotated[PeerIdText | None, Query(description="Own peer, in a run without a gate.")] = None,
) -> BoardPage:
    """Give the leaderboard; a member also gets their own row, and what of their work is not credited.

    In a run without a gate, where each peer is a volunteer of its own, the row of ``peer`` is the own one.
    """
    now = context.clock()
    with context.database.reading() as session:
        if secret:
            viewer: int | None = member_by(session, secret, now).user.id
        else:
            is_open = context.settings.gate.open
            viewer = made_up_user_of(session, peer) if peer is not None and is_open else None
        view = View(by=by, since=since, limit=limit, offset=offset, around=around, viewer=viewer)
        # Anyone can name a peer, but only a member shows a secret.
        withheld = _withheld(session, viewer) if secret else None
        return replace(leaderboard(session, now, view), withheld=withheld)


def _withheld(session: Session, viewer: int | None) -> WithheldCredits | None:
    if viewer is None:
        return None
    checked = checked_work(session, viewer)
    if not checked.withheld_samples and checked.reason is None:
        return None
    return WithheldCredits(checked.withheld_samples, checked.reason and checked.reason[:_MOST_REASON])

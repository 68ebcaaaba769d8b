"""What of the connection is for training, and what for that which the volunteer asks for themselves beside it."""

from typing import TYPE_CHECKING

from client.policy.policy import Budget, PauseReason
from client.service.launching import half_the_line
from client.service.state import State

if TYPE_CHECKING:
    from client.service.session import Session


def budget_of_trainer(session: "Session") -> Budget:
    """What the trainer may take: half of the connection while another process draws, or fetches anything."""
    fetches = session.time_lapse.is_fetching or session.prospecting.is_bringing
    is_alone = session.pictures.child is None and not fetches
    return session.decision.budget if is_alone else half_the_line(session.decision.budget)


def budget_beside(session: "Session") -> Budget:
    """The caps are for the trainer and another process together."""
    allowed, run = session.decision.budget, session.run
    is_beside = run is not None and run.alive and run.training.state is not State.FROZEN
    return half_the_line(allowed) if is_beside else allowed


def may_fetch(session: "Session") -> int | None:
    """Bytes: what protects the volunteer's bill holds for what they ask for themselves, too; None: no bound."""
    if any(reason.code is PauseReason.METERED for reason in session.decision.reasons):
        return 0
    quota = session.preferences.monthly_quota
    if quota is None:
        return None
    return max(0, quota - session.books.contribution.month_bytes(session.now()))

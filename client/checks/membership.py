"""Check of the runs that have a gate: whether the volunteer is a member, and what the daemon says of admission."""

from collections.abc import Sequence
from pathlib import Path

from client import state_file
from client.account.safekeeping import KeepNote
from client.admission.memberships import note_of
from client.api.answers import Status
from client.api.connection import Connection
from client.api.errors import ControlError, JoinError
from client.api.questions import GetStatus
from client.api.snapshot import Snapshot
from client.doctor import Finding, Verdict
from client.joining.run_card import FILE, RunCard
from client.paths import Paths
from client.side_thread import in_thread

_AGAIN = "Sign in with `idlebrush join`."


async def look_at_memberships(paths: Paths) -> Sequence[Finding]:
    """Of each run that was joined and has a gate; asks no coordinator, which the daemon does in time."""
    return await in_thread(lambda: _look(paths))


def _look(paths: Paths) -> list[Finding]:
    seen = _of_daemon(paths)
    found = (_card(file.parent) for file in sorted((paths.data / "runs").glob(f"*/{FILE}")))
    gated = [card for card in found if card is not None and card.gate is not None]
    return [_judge(card, _note(paths, card.digest), seen) for card in gated]


def _judge(card: RunCard, note: KeepNote, seen: Snapshot | None) -> Finding:
    is_trained = seen is not None and seen.run is not None and seen.run.digest == card.digest
    if is_trained and seen is not None and seen.membership is not None:
        says = f"{card.title}: {seen.membership.says}"
        if seen.problem is not None and seen.problem.code == "membership":
            return Finding("Membership", Verdict.PROBLEM, says, seen.problem.remedy)
        return Finding("Membership", Verdict.OK, says)
    if not note.name:
        return Finding("Membership", Verdict.WARNING, f"{card.title}: no sign-in to it is kept here.", _AGAIN)
    return Finding("Membership", Verdict.OK, f"{card.title}: you are signed in as {note.name}.")


def _note(paths: Paths, run: str) -> KeepNote:
    note, _ = state_file.load(note_of(paths.memberships, run), KeepNote, KeepNote())
    return note


def _card(folder: Path) -> RunCard | None:
    try:
        return RunCard.load(folder)
    except JoinError:  # told by the check of runs
        return None


def _of_daemon(paths: Paths) -> Snapshot | None:
    try:
        with Connection.open(paths.socket) as connection:
            answer = connection.ask(GetStatus(), seconds=5.0)
    except ControlError:
        return None
    return answer.snapshot if isinstance(answer, Status) else None

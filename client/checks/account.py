"""Checks the volunteer's sign-ins: the keyring that keeps them, and the memberships of runs with a gate."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from client import state_file
from client.account.safekeeping import KeepNote
from client.account.tasks import HubSettings, KeyringEntry, ReadKeyring
from client.admission.memberships import note_of
from client.api.answers import Status
from client.api.connection import Connection
from client.api.errors import ControlError, JoinError, KeyringError
from client.api.questions import GetStatus
from client.api.snapshot import Snapshot
from client.doctor import CheckVerdict, Finding
from client.joining.run_card import FILE, RunCard
from client.paths import Paths
from client.side_thread import in_thread
from client.tasks import TaskRunner

_AGAIN = "Sign in with `idlebrush join`."


async def look_at_memberships(paths: Paths) -> Sequence[Finding]:
    """Check the membership of each joined run that has a gate; the coordinator is not asked, as the daemon does
    that.
    """
    return await in_thread(lambda: _look(paths))


def _look(paths: Paths) -> list[Finding]:
    seen = _of_daemon(paths)
    found = (_card(file.parent) for file in sorted((paths.data / "runs").glob(f"*/{FILE}")))
    gated = [card for card in found if card is not None and card.gate is not None]
    return [_judge(card, _note(paths, card.digest), seen) for card in gated]


def _judge(card: RunCard, note: KeepNote, seen: Snapshot | None) -> Finding:
    is_trained = seen is not None and seen.run is not None and seen.run.digest == card.digest
    if is_trained and seen is not None and seen.membership is not None:
        text = f"{card.title}: {seen.membership.text}"
        if seen.problem is not None and seen.problem.code == "membership":
            return Finding("Membership", CheckVerdict.PROBLEM, text, seen.problem.remedy)
        return Finding("Membership", CheckVerdict.OK, text)
    if not note.name:
        return Finding(
            "Membership",
            CheckVerdict.WARNING,
            f"{card.title}: no sign-in to this run is kept on this computer.",
            _AGAIN,
        )
    return Finding("Membership", CheckVerdict.OK, f"{card.title}: you are signed in as {note.name}.")


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


_SECONDS = 20.0
_WHERE_IT_IS = ("DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "DISPLAY", "WAYLAND_DISPLAY")
"""Variables that lead to a keyring; others may hold tokens, which the task must not get."""


async def look_at_keyring(paths: Paths, environment: Mapping[str, str]) -> Sequence[Finding]:
    """Check the keyring; never make it ask for its password."""
    endpoint = HubSettings.of_environment(environment).endpoint
    try:
        there = {name: environment[name] for name in _WHERE_IT_IS if name in environment}
        tasks = TaskRunner(paths.log("doctor"), there)
        found = await tasks.run(ReadKeyring(entry=endpoint), KeyringEntry, _SECONDS)
    except KeyringError as error:
        return [Finding("Keyring", CheckVerdict.WARNING, error.what, error.remedy)]
    holds = "holds your sign-in" if found.secret else "works; it holds no sign-in"
    return [Finding("Keyring", CheckVerdict.OK, f"The system's keyring {holds}.")]

"""`idlebrush doctor` reports for runs with a gate who is a member and who has to sign in."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from client.account.credentials import Keep
from client.account.safekeeping import KeepNote
from client.admission.memberships import note_of
from client.api.snapshot import MembershipView, ProblemView, RunView, Snapshot
from client.checks.account import look_at_memberships
from client.doctor import CheckVerdict, Finding
from client.joining.run_card import RunCard
from client.paths import HOME_VARIABLE, Paths
from client.state_file import save
from tests.client.listening_daemon import listening
from tests.client.snapshots import IDLE

DIGEST = "d" * 64


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    paths = Paths.of_user({HOME_VARIABLE: str(tmp_path)})
    paths.prepare()
    return paths


def join(paths: Paths, gate: str | None) -> None:
    paths.run(DIGEST).mkdir(parents=True)
    card = RunCard(name="tiny", title="A run", digest=DIGEST, fingerprint="f", total_epochs=10, gate=gate)
    card.save(paths.run(DIGEST))


def look(paths: Paths) -> Sequence[Finding]:
    return asyncio.run(look_at_memberships(paths))


def test_an_open_run_has_no_members(paths: Paths) -> None:
    join(paths, gate=None)
    assert look(paths) == []


def test_who_is_not_signed_in_learns_how(paths: Paths) -> None:
    join(paths, gate="a" * 64)
    (found,) = look(paths)
    assert found.verdict is CheckVerdict.WARNING
    assert "idlebrush join" in found.remedy


def test_who_is_signed_in_learns_as_whom(paths: Paths) -> None:
    join(paths, gate="a" * 64)
    paths.memberships.mkdir()
    save(note_of(paths.memberships, DIGEST), KeepNote(keep=Keep.FILE, name="anna"))
    (found,) = look(paths)
    assert (found.verdict, found.found) == (CheckVerdict.OK, "A run: you are signed in as anna.")


@pytest.mark.parametrize(
    ("code", "verdict"), [("membership", CheckVerdict.PROBLEM), ("disk", CheckVerdict.OK)]
)
def test_what_the_daemon_knows_counts(paths: Paths, code: str, verdict: CheckVerdict) -> None:
    join(paths, gate="a" * 64)
    with listening(paths, of_daemon(code)):
        (found,) = look(paths)
    assert (found.verdict, found.found) == (verdict, "A run: You were banned.")


def of_daemon(code: str) -> Snapshot:
    run = RunView(name="tiny", title="A run", digest=DIGEST, fingerprint="f", folder="/x", total_epochs=10)
    member = MembershipView(name="anna", kept="until the client ends", text="You were banned.")
    problem = ProblemView(code=code, what="You were banned.", remedy="Ask the organiser.")
    return IDLE.model_copy(update={"run": run, "membership": member, "problem": problem})

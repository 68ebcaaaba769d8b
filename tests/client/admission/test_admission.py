"""A computer that stays admitted: signed in once, renewed while it trains, and told when that is over."""

import asyncio
import json
import os
import signal
from datetime import timedelta
from pathlib import Path

import pytest

from client.admission.admission import RunAdmission
from client.admission.memberships import Memberships
from client.api.errors import CoordinatorAway, MembershipEnded, NoKeyring, SetAsideByEvidence, SignInError
from tests.client.admission.member_life import MemberLife, live
from tests.gate.served_gate import Instead, ServedGate
from tests.processes.started_processes import started_processes
from tests.secret_search import find_secret
from tests.waiting import eventually


@pytest.fixture
def life(gate: ServedGate, tmp_path: Path, identity: Path) -> MemberLife:
    return MemberLife(gate, tmp_path, identity)


async def admitted(admission: RunAdmission) -> str:
    """The access token, once there is one."""
    await eventually(lambda: admission.token is not None, f"it is not admitted: {admission.text}")
    assert admission.token is not None
    return admission.token.get_secret_value()


def test_a_sign_in_outlives_the_daemon_and_nothing_is_asked_for_before_it_trains(life: MemberLife) -> None:
    async def sign_in(memberships: Memberships, admission: RunAdmission) -> None:
        says = await life.enter(memberships)
        assert says == "You are admitted as anna. Your membership is kept in a file that only you can read."
        assert memberships.sign_in_view is None
        assert admission.view
        assert (admission.view.name, admission.view.text) == ("anna", "Admitted.")
        secret = (await admission.membership()).secret.get_secret_value()
        assert find_secret(secret, [life.folder]) == [str(life.file)]

    async def go_on(_: Memberships, admission: RunAdmission) -> None:
        await eventually(lambda: admission.view is not None, "what was kept is not loaded")
        assert life.gate.asked("/api/tokens") == 0
        admission.want(True)
        await admitted(admission)

    live(life, sign_in)
    live(life, go_on)


def test_an_access_token_is_renewed_in_the_last_third_of_its_life_and_not_while_paused(
    life: MemberLife,
) -> None:
    async def deed(memberships: Memberships, admission: RunAdmission) -> None:
        await life.enter(memberships)
        first = await admitted(admission)
        admission.want(True)
        life.pass_by(admission, seconds=300)
        admission.want(False)
        life.ahead *= 2  # past its life
        assert admission.token is None
        assert life.gate.asked("/api/tokens") == 0
        admission.want(True)
        assert await admitted(admission) != first
        second = admission.token
        life.pass_by(admission, seconds=420)
        await eventually(lambda: admission.token != second, "nothing is renewed")

    live(life, deed)


def test_while_the_coordinator_is_away_what_there_is_is_used_up_and_then_it_waits(
    life: MemberLife, caplog: pytest.LogCaptureFixture
) -> None:
    async def deed(memberships: Memberships, admission: RunAdmission) -> None:
        await life.enter(memberships)
        await admitted(admission)
        life.gate.instead["/api/tokens"] = Instead(503, b"", {"retry-after": "100"})
        life.pass_by(admission, seconds=420)
        await eventually(lambda: isinstance(admission.trouble, CoordinatorAway), "it is not reported")
        assert "Attempt 1 to get an access token failed; the next in 100 s: " in caplog.text
        assert admission.token is not None
        assert "Admitted for another 3 min" in admission.text
        asked = life.gate.asked("/api/tokens")
        life.pass_by(admission, seconds=90)
        await asyncio.sleep(0)
        assert life.gate.asked("/api/tokens") == asked  # it asked to be left alone
        life.gate.instead.clear()
        life.pass_by(admission, seconds=120)
        assert admission.token is None or admission.trouble is None
        await admitted(admission)
        assert admission.trouble is None

    live(life, deed)


def test_who_is_banned_learns_why_once_and_asks_no_more(life: MemberLife, tmp_path: Path) -> None:
    life.identity = tmp_path / "another computer"

    async def deed(memberships: Memberships, admission: RunAdmission) -> None:
        await life.enter(memberships, "mallory")
        await admitted(admission)
        life.gate.ban("mallory", "They trained on noise.")
        life.pass_by(admission, seconds=420)
        await eventually(lambda: admission.problem is not None, "it is not reported")
        assert isinstance(admission.problem, MembershipEnded)
        assert "They trained on noise" in admission.problem.what
        asked = life.gate.asked("/api/tokens")
        life.pass_by(admission, hours=5)
        await asyncio.sleep(0.1)
        assert life.gate.asked("/api/tokens") == asked

    live(life, deed)


def test_who_is_set_aside_learns_why_and_how_to_appeal_and_continues_once_it_is_lifted(
    life: MemberLife,
) -> None:
    async def deed(memberships: Memberships, admission: RunAdmission) -> None:
        await life.enter(memberships)
        await admitted(admission)
        what, remedy = "The computers of this run have set ada aside.", "Appeal at run@example.org."
        document = {"code": "set_aside", "what": what, "remedy": remedy}
        life.gate.instead["/api/tokens"] = Instead(
            403, json.dumps(document).encode(), {"content-type": "application/json"}
        )
        life.pass_by(admission, seconds=420)
        await eventually(lambda: admission.trouble is not None, "it is not reported")
        assert isinstance(admission.trouble, SetAsideByEvidence)
        assert admission.problem is None, "it may be lifted"
        assert what in admission.text
        assert remedy in admission.text
        life.gate.instead.clear()
        life.pass_by(admission, hours=1)
        await admitted(admission)
        assert admission.text == "Admitted."

    live(life, deed)


def test_who_never_signed_in_is_asked_to(life: MemberLife) -> None:
    async def deed(_: Memberships, admission: RunAdmission) -> None:
        admission.want(True)
        await eventually(lambda: admission.problem is not None, "it is not reported")
        assert "idlebrush join" in str(admission.problem)
        assert admission.view is None

    live(life, deed)


def test_an_task_that_is_killed_midway_is_made_again(life: MemberLife) -> None:
    async def deed(memberships: Memberships, admission: RunAdmission) -> None:
        await life.enter(memberships)
        await admitted(admission)
        life.gate.instead["/api/tokens"] = Instead(drips=True)
        life.pass_by(admission, seconds=420)
        await eventually(lambda: life.gate.asked("/api/tokens") > 0, "nothing is asked")
        for process in started_processes():
            os.kill(process.pid, signal.SIGKILL)
        await eventually(lambda: admission.trouble is not None, "nobody notices")
        life.gate.instead.clear()
        life.pass_by(admission, seconds=30)
        await eventually(lambda: admission.trouble is None, "it is not made again")
        await admitted(admission)

    live(life, deed)


def test_without_a_keyring_the_error_comes_before_anybody_goes_to_a_browser(life: MemberLife) -> None:
    async def deed(memberships: Memberships, _: RunAdmission) -> None:
        with pytest.raises(NoKeyring):
            await life.enter(memberships, keep="keyring")
        assert not life.gate.received

    live(life, deed)


def test_a_sign_in_that_is_cancelled_leaves_nobody_waiting(life: MemberLife) -> None:
    async def deed(memberships: Memberships, _: RunAdmission) -> None:
        before = {
            process.pid for process in started_processes()
        }  # those of earlier tests' libraries may go on
        entering = asyncio.create_task(memberships.enter(life.request()))
        await eventually(lambda: memberships.sign_in_view is not None, "nothing is shown")
        assert memberships.is_entering
        memberships.cancel()
        with pytest.raises(SignInError, match="cancelled"):
            await entering
        assert memberships.sign_in_view is None
        assert {process.pid for process in started_processes()} <= before

    live(life, deed)


def test_a_membership_that_is_ended_is_gone_here_and_there(life: MemberLife) -> None:
    async def deed(memberships: Memberships, admission: RunAdmission) -> None:
        await life.enter(memberships)
        secret = (await admission.membership()).secret.get_secret_value()
        assert "has ended your membership" in await memberships.end(life.gate.run)
        assert find_secret(secret, [life.folder]) == []
        with pytest.raises(MembershipEnded):
            await admission.membership()

    live(life, deed)


def test_a_membership_is_known_of_by_its_note_alone_until_it_is_forgotten(life: MemberLife) -> None:
    async def sign_in(memberships: Memberships, _: RunAdmission) -> None:
        assert not memberships.is_member(life.gate.run)
        await life.enter(memberships)
        assert memberships.is_member(life.gate.run)

    live(life, sign_in)
    later = life.memberships()
    life.file.rename(life.file.with_suffix(".elsewhere"))
    later.recall(life.gate.run)
    assert later.is_member(life.gate.run)
    asyncio.run(later.forget(life.gate.run))
    assert not later.is_member(life.gate.run)


def test_a_clock_that_is_set_back_puts_no_renewal_off(life: MemberLife) -> None:
    async def sign_in(memberships: Memberships, _: RunAdmission) -> None:
        await life.enter(memberships)

    async def go_on(_: Memberships, admission: RunAdmission) -> None:
        life.ahead = timedelta()  # the network has told the time
        admission.want(True)
        await admitted(admission)
        life.gate.instead["/api/tokens"] = Instead(503, b"", {"retry-after": "3000"})
        life.pass_by(admission, seconds=420)
        await eventually(lambda: admission.trouble is not None, "it is not reported")
        life.gate.instead.clear()
        life.ahead = -timedelta(days=1)
        admission.want(False)
        admission.want(True)
        await admitted(admission)

    live(life, sign_in)
    life.ahead = timedelta(hours=2)  # a computer whose clock was wrong as it started
    live(life, go_on)


def test_when_the_swarm_refuses_a_token_the_coordinator_gives_another_or_says_why_not(
    life: MemberLife, tmp_path: Path
) -> None:
    life.identity = tmp_path / "another computer"

    async def deed(memberships: Memberships, admission: RunAdmission) -> None:
        await life.enter(memberships, "oscar")
        first = await admitted(admission)
        admission.want(True)
        admission.refused()
        assert admission.token is None
        assert await admitted(admission) != first
        life.gate.ban("oscar", "They trained on noise.")
        admission.refused()
        await eventually(lambda: admission.problem is not None, "it is not reported")
        assert "They trained on noise" in admission.text

    live(life, deed)

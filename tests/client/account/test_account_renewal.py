"""A sign-in is renewed in time or ends with a reason, and its tokens are stored nowhere else."""

import asyncio
import logging
import os

import pytest
from pydantic import SecretStr

from client.account.account import Account
from client.account.credentials import Keep
from client.api.errors import (
    ClientError,
    CredentialsRejected,
    SignInError,
    StateError,
)
from tests.client.account_life import AccountLife, kept_token, name_shown
from tests.hub.hub_server import Canned
from tests.processes.started_processes import started_processes
from tests.secret_search import find_secret
from tests.waiting import eventually


def test_an_expiring_sign_in_renews_itself_and_is_kept_again(life: AccountLife) -> None:
    life.hub.token_seconds = 2.0

    async def sign_in(account: Account) -> None:
        life.hub.approve_next("anna")
        await account.sign_in(None, Keep.FILE)
        first = kept_token(account)
        life.hub.token_seconds = 3600.0
        await eventually(lambda: kept_token(account) != first, "nothing is renewed")
        assert kept_token(account) in life.file.read_text()
        assert first not in life.file.read_text()

    life.live(sign_in)


def test_a_renewed_sign_in_that_could_not_be_kept_is_kept_later(life: AccountLife) -> None:
    life.hub.token_seconds = 2.0

    async def deed(account: Account) -> None:
        life.hub.approve_next("anna")
        await account.sign_in(None, Keep.FILE)
        first = kept_token(account)
        life.file.unlink()
        life.file.mkdir()  # over which no file can be written
        life.hub.token_seconds = 3600.0
        await eventually(lambda: kept_token(account) != first, "nothing is renewed")
        await eventually(lambda: isinstance(account.problem, StateError), "it is not reported")
        asked = len(life.hub.requests("/oauth/token"))
        life.file.rmdir()
        await eventually(lambda: account.problem is None, "it is never kept")
        assert kept_token(account) in life.file.read_text()
        assert len(life.hub.requests("/oauth/token")) == asked

    life.live(deed)


def test_a_hub_that_is_away_takes_nothing_and_is_tried_again(
    life: AccountLife, caplog: pytest.LogCaptureFixture
) -> None:
    life.hub.token_seconds = 2.0

    async def deed(account: Account) -> None:
        life.hub.approve_next("anna")
        await account.sign_in(None, Keep.SESSION)
        first = kept_token(account)
        asked = len(life.hub.requests("/oauth/token"))
        life.hub.canned["/oauth/token"] = Canned(status=503, times=2)
        await eventually(lambda: kept_token(account) != first, "nothing is renewed")
        assert len(life.hub.requests("/oauth/token")) == asked + 3
        assert account.problem is None
        assert caplog.text.count("The sign-in could not be renewed, and is tried again: ") == 2

    life.live(deed)


@pytest.mark.parametrize("refreshes", [True, False])
def test_a_sign_in_that_cannot_be_renewed_ends_with_a_reason(life: AccountLife, refreshes: bool) -> None:
    life.hub.token_seconds, life.hub.refreshes = 2.0, refreshes

    async def deed(account: Account) -> None:
        life.hub.approve_next("anna")
        await account.sign_in(None, Keep.FILE)
        life.hub.refresh_tokens.clear()
        await eventually(lambda: name_shown(account) is None, "it goes on for ever")
        assert isinstance(account.problem, CredentialsRejected)
        assert "idlebrush login" in account.problem.remedy
        assert not life.file.exists()

    life.live(deed)


def test_no_token_is_anywhere_it_does_not_belong(life: AccountLife, caplog: pytest.LogCaptureFixture) -> None:
    """Sign in by code and by token, renew, go wrong in several ways, sign out; then look everywhere."""
    caplog.set_level(logging.DEBUG)
    life.hub.token_seconds = 2.0
    sentences: list[str] = []
    token = life.hub.add_token("anna")

    async def deed(account: Account) -> None:
        life.hub.approve_next("anna")
        sentences.append(await account.sign_in(None, Keep.SESSION))
        first = kept_token(account)
        life.hub.token_seconds = 3600.0
        await eventually(lambda: kept_token(account) != first, "nothing is renewed")
        for canned in (
            Canned(status=500, reflects=True),
            Canned(body=b"?", reflects=True),
            Canned(status=302),
        ):
            life.hub.canned["/api/whoami-v2"] = canned
            with pytest.raises(ClientError) as caught:
                await account.sign_in(SecretStr(token), Keep.SESSION)
            sentences.append(f"{caught.value!r} {caught.value.__cause__!r}")
        life.hub.canned.clear()
        # While the task waits for the Hub, its arguments and environment are looked at.
        life.hub.canned["/api/whoami-v2"] = Canned(body=b"x" * 4000, drip_seconds=0.02)
        signing_in = asyncio.create_task(account.sign_in(SecretStr(token), Keep.SESSION))
        asked = len(life.hub.requests("/api/whoami-v2"))
        await eventually(lambda: len(life.hub.requests("/api/whoami-v2")) > asked, "the Hub is not asked")
        pids = [process.pid for process in started_processes()]
        assert len(pids) >= 2  # the guard and the task
        assert find_secret(token, [], [os.getpid(), *pids]) == []
        account.cancel()
        with pytest.raises(SignInError, match="was cancelled"):
            await signing_in
        sentences.append(f"{account.view} {account.sign_in_view} {account.problem} {account.credentials}")
        sentences.append(await account.sign_out())

    life.live(deed)
    log = life.folder / "logs" / "tasks.log"
    assert "internal error" in log.read_text()  # what is searched is not empty
    everything = caplog.text + "".join(sentences)
    for secret in life.hub.issued():
        assert find_secret(secret, [life.folder]) == []
        assert secret not in everything

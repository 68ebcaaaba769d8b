"""Signing in and out: real tasks, a Hub on loopback, a real keyring, and a file to keep the sign-in in."""

import asyncio
from pathlib import Path

import pytest
from pydantic import SecretStr

from client.account.account import Account
from client.account.credentials import Keep
from client.account.safekeeping import KeepNote
from client.api.errors import (
    CredentialsRejected,
    HubError,
    KeyringLocked,
    NoKeyring,
    SignInError,
)
from client.state_file import save
from tests.client.account_life import AccountLife, code_shown, kept_token, name_shown
from tests.client.full_disk import SmallDisk
from tests.desktops.keyring_daemon import keyring_daemon
from tests.hub.hub_server import Canned
from tests.secret_search import find_secret
from tests.waiting import eventually


def test_a_code_is_shown_while_it_waits_and_then_who_is_signed_in(life: AccountLife) -> None:
    async def deed(account: Account) -> None:
        signing_in = asyncio.create_task(account.sign_in(None, Keep.SESSION))
        await eventually(lambda: code_shown(account) is not None, "no code is shown")
        assert name_shown(account) is None
        changes = life.changes
        life.hub.approve(code_shown(account) or "", "anna")
        assert await signing_in == "You are signed in as anna. The sign-in is kept until the client ends."
        assert code_shown(account) is None
        assert name_shown(account) == "anna"
        assert life.changes > changes

    life.live(deed)
    life.live(nobody)


async def nobody(account: Account) -> None:
    await asyncio.sleep(0)
    assert name_shown(account) is None
    assert account.problem is None


def test_a_sign_in_in_a_file_outlives_the_daemon_and_ends_with_sign_out(life: AccountLife) -> None:
    token = life.hub.add_token("anna")

    async def sign_in(account: Account) -> None:
        assert "only you can read" in await account.sign_in(SecretStr(token), Keep.FILE)

    async def sign_out(account: Account) -> None:
        await eventually(lambda: account.credentials is not None, "what was kept is not loaded")
        assert kept_token(account) == token
        assert "/settings/tokens" in await account.sign_out()
        assert name_shown(account) is None
        assert await account.sign_out() == "You were not signed in."

    life.live(sign_in)
    assert find_secret(token, [life.folder]) == [str(life.file)]
    life.live(sign_out)
    assert find_secret(token, [life.folder]) == []
    life.live(nobody)


def test_a_keyring_keeps_a_sign_in_from_one_life_to_the_next(life: AccountLife, tmp_path: Path) -> None:
    token = life.hub.add_token("anna")

    async def sign_in(account: Account) -> None:
        await account.sign_in(SecretStr(token), Keep.KEYRING)

    async def loaded(account: Account) -> None:
        await eventually(lambda: account.credentials is not None, "what was kept is not loaded")
        assert account.view
        assert (account.view.name, account.view.kept) == ("anna", "in this computer's keyring")

    with keyring_daemon(tmp_path / "home") as keyring:
        life.environment = dict(keyring.environment)
        life.live(sign_in)
        life.live(loaded)
    assert find_secret(token, [tmp_path]) == []


def test_a_locked_keyring_is_a_problem_until_it_is_unlocked(life: AccountLife, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    save(tmp_path / "data" / "account.json", KeepNote(keep=Keep.KEYRING, name="anna"))

    async def deed(account: Account) -> None:
        await eventually(lambda: isinstance(account.problem, KeyringLocked), "no problem is reported")
        assert name_shown(account) == "anna"
        assert account.credentials is None
        with pytest.raises(KeyringLocked):
            await account.sign_out()
        token = SecretStr(life.hub.add_token("bert"))
        await account.sign_in(token, Keep.SESSION)
        assert name_shown(account) == "bert"

    with keyring_daemon(tmp_path / "home", locked=True) as keyring:
        life.environment = dict(keyring.environment)
        life.live(deed)


def test_without_a_keyring_the_error_comes_before_anybody_goes_to_a_browser(life: AccountLife) -> None:
    async def deed(account: Account) -> None:
        with pytest.raises(NoKeyring):
            await account.sign_in(None, Keep.KEYRING)
        assert code_shown(account) is None
        assert not life.hub.asked

    life.live(deed)


def test_a_file_that_cannot_be_written_makes_it_a_sign_in_for_this_session(life: AccountLife) -> None:
    async def deed(account: Account) -> None:
        life.file.mkdir(parents=True)
        says = await account.sign_in(SecretStr(life.hub.add_token("anna")), Keep.FILE)
        assert "until the client ends" in says
        assert "cannot be written" in says

    life.live(deed)


@pytest.mark.parametrize("spare", [0, 4096, 8192])
def test_a_disk_without_space_for_all_of_it_keeps_no_token_after_signing_out(
    life: AccountLife, small_disk: SmallDisk, spare: int
) -> None:
    life = AccountLife(small_disk.folder, life.hub)
    token = life.hub.add_token("anna")

    async def deed(account: Account) -> None:
        with small_disk.full(spare):
            await account.sign_in(SecretStr(token), Keep.FILE)
            await account.sign_out()
        assert find_secret(token, [life.folder]) == []

    life.live(deed)
    life.live(nobody)


def test_signing_out_ends_what_is_kept_beside_a_sign_in_for_this_session(life: AccountLife) -> None:
    token = life.hub.add_token("anna")

    async def deed(account: Account) -> None:
        await account.sign_in(SecretStr(token), Keep.FILE)
        life.file.rename(life.folder / "elsewhere")
        life.file.mkdir()  # which cannot be removed as a file can
        says = await account.sign_in(SecretStr(life.hub.add_token("bert")), Keep.SESSION)
        assert "The earlier sign-in is still kept there" in says
        life.file.rmdir()
        (life.folder / "elsewhere").rename(life.file)
        await account.sign_out()

    life.live(deed)
    assert find_secret(token, [life.folder]) == []
    life.live(nobody)


def test_nobody_stays_signed_in_for_a_keyring_that_is_gone(life: AccountLife) -> None:
    (life.folder / "data").mkdir()
    save(life.folder / "data" / "account.json", KeepNote(keep=Keep.KEYRING, name="anna"))

    async def deed(account: Account) -> None:
        await eventually(lambda: isinstance(account.problem, NoKeyring), "no problem is reported")
        assert "remove the entry `idlebrush`" in await account.sign_out()
        assert name_shown(account) is None
        assert not (life.folder / "data" / "account.json").exists()
        assert await account.sign_out() == "You were not signed in."

    life.live(deed)
    life.live(nobody)


def test_a_sign_in_is_cancelled_and_another_can_begin(life: AccountLife) -> None:
    async def deed(account: Account) -> None:
        with pytest.raises(SignInError, match="No sign-in"):
            account.cancel()
        signing_in = asyncio.create_task(account.sign_in(None, Keep.SESSION))
        await eventually(lambda: code_shown(account) is not None, "no code is shown")
        account.cancel()
        with pytest.raises(SignInError, match="was cancelled"):
            await signing_in
        assert code_shown(account) is None
        asked = len(life.hub.requests("/oauth/token"))
        life.hub.approve_next("anna")
        await account.sign_in(None, Keep.SESSION)
        assert len(life.hub.requests("/oauth/token")) == asked + 1  # the first process asks no more

    life.live(deed)


def test_whoever_starts_again_gives_the_first_sign_in_up(life: AccountLife) -> None:
    async def deed(account: Account) -> None:
        first = asyncio.create_task(account.sign_in(None, Keep.SESSION))
        await eventually(lambda: code_shown(account) is not None, "no code is shown")
        life.hub.approve_next("anna")
        await account.sign_in(None, Keep.SESSION)
        with pytest.raises(SignInError, match="was cancelled"):
            await first
        assert account.view
        assert code_shown(account) is None

    life.live(deed)


def test_a_front_end_that_goes_away_takes_its_sign_in_along(life: AccountLife) -> None:
    async def deed(account: Account) -> None:
        signing_in = asyncio.create_task(account.sign_in(None, Keep.SESSION))
        await eventually(lambda: code_shown(account) is not None, "no code is shown")
        signing_in.cancel()
        await asyncio.wait({signing_in})
        assert signing_in.cancelled()
        assert code_shown(account) is None
        with pytest.raises(SignInError, match="No sign-in"):
            account.cancel()

    life.live(deed)


def test_what_the_hub_says_reaches_the_volunteer_as_the_error_it_was(life: AccountLife) -> None:
    async def deed(account: Account) -> None:
        with pytest.raises(CredentialsRejected, match="does not accept"):
            await account.sign_in(SecretStr("hf_not_a_good_one"), Keep.SESSION)
        life.hub.canned["/api/whoami-v2"] = Canned(status=503)
        with pytest.raises(HubError, match="internal error"):
            await account.sign_in(SecretStr("hf_not_a_good_one"), Keep.SESSION)

    life.live(deed)


@pytest.mark.parametrize(
    ("revocation", "words"), [(True, "You are signed out."), (False, "/settings/connected-applications")]
)
def test_signing_out_revokes_where_it_can_and_says_where_it_cannot(
    life: AccountLife, revocation: bool, words: str
) -> None:
    life.hub.revocation = revocation

    async def deed(account: Account) -> None:
        life.hub.approve_next("anna")
        await account.sign_in(None, Keep.SESSION)
        assert words in await account.sign_out()
        assert bool(life.hub.revoked) is revocation

    life.live(deed)


def test_a_damaged_file_is_reported_and_not_fatal(life: AccountLife) -> None:
    life.file.parent.mkdir()
    life.file.write_text("{")
    save(life.folder / "data" / "account.json", KeepNote(keep=Keep.FILE, name="anna"))

    async def deed(account: Account) -> None:
        await eventually(lambda: account.problem is not None, "no problem is reported")
        assert "set aside" in str(account.problem)
        assert name_shown(account) is None

    life.live(deed)

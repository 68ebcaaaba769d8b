"""Keeping a sign-in in a real gnome-keyring, asked as the daemon asks it: by an task with a time limit."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from itertools import takewhile
from pathlib import Path

import pytest
from jeepney import DBusAddress, HeaderFields, Message, new_method_call
from jeepney.io.blocking import open_dbus_connection
from pydantic import SecretStr

from client.account.credentials import Credentials, CredentialsFile, Keep
from client.account.safekeeping import Safekeeping
from client.api.errors import KeyringError, KeyringLocked, NoKeyring, StateError
from client.tasks import TaskRunner
from tests.client.full_disk import SmallDisk
from tests.desktops.desktop import virtual_display
from tests.desktops.keyring_daemon import NO_BUS, Comeback, KeyringDaemon, keyring_daemon
from tests.processes.started_processes import started_processes
from tests.secret_search import find_secret
from tests.waiting import DEADLINE

HUB = "https://hub.example"
SECRET = "hf_a_token_that_is_looked_for"
ANNA = Credentials(
    endpoint=HUB, name="anna", token=SecretStr(SECRET), kind="token", issued=datetime(2026, 1, 1, tzinfo=UTC)
)

DEEDS = ("open", "save", "load", "forget")
SERVICE = DBusAddress("/org/freedesktop/secrets", "org.freedesktop.secrets", "org.freedesktop.Secret.Service")
ALIAS_READ = new_method_call(SERVICE, "ReadAlias", "s", ("default",))
"""A first call that gnome-keyring survives."""
LOGIN_COLLECTION = DBusAddress(
    "/org/freedesktop/secrets/collection/login", SERVICE.bus_name, "org.freedesktop.Secret.Collection"
)
"""The only collection of a keyring that is new; gnome-keyring takes it for the default one."""


def place(folder: Path, environment: Mapping[str, str], seconds: float = 20.0) -> Safekeeping[Credentials]:
    tasks = TaskRunner(folder / "logs" / "tasks.log", environment)
    note, file = folder / "account.json", CredentialsFile(folder / "credentials.json")
    return Safekeeping(tasks, HUB, note, file, seconds=seconds, password_seconds=seconds)


def test_a_real_keyring_keeps_a_sign_in_and_forgets_it(tmp_path: Path) -> None:
    async def keep_and_forget(keeping: Safekeeping[Credentials]) -> None:
        await keeping.open(Keep.KEYRING)
        assert await keeping.load(Keep.KEYRING) is None
        await keeping.save(ANNA, Keep.KEYRING)
        assert await keeping.load(Keep.KEYRING) == ANNA
        assert keeping.where()[0].keep is Keep.KEYRING
        await keeping.forget(Keep.KEYRING)
        await keeping.forget(Keep.KEYRING)
        assert await keeping.load(Keep.KEYRING) is None
        assert keeping.where()[0].keep is Keep.SESSION

    with keyring_daemon(tmp_path / "home") as keyring:
        asyncio.run(keep_and_forget(place(tmp_path, keyring.environment)))
    assert find_secret(SECRET, [tmp_path]) == []


def test_on_a_full_disk_nothing_stays_in_the_keyring_that_signing_out_would_not_find(
    small_disk: SmallDisk, tmp_path: Path
) -> None:
    async def keep(keeping: Safekeeping[Credentials]) -> None:
        with small_disk.full(), pytest.raises(StateError, match="could not be saved"):
            await keeping.save(ANNA, Keep.KEYRING)
        assert await keeping.load(Keep.KEYRING) is None

    with keyring_daemon(tmp_path / "home") as keyring:
        asyncio.run(keep(place(small_disk.folder, keyring.environment)))


def test_what_another_hub_gave_is_not_for_this_one(tmp_path: Path) -> None:
    async def save_for_another(keeping: Safekeeping[Credentials]) -> Credentials | None:
        await keeping.save(ANNA.model_copy(update={"endpoint": "https://another.example"}), Keep.KEYRING)
        return await keeping.load(Keep.KEYRING)

    with keyring_daemon(tmp_path / "home") as keyring:
        assert asyncio.run(save_for_another(place(tmp_path, keyring.environment))) is None


def test_a_locked_keyring_says_so_and_opens_no_window(tmp_path: Path) -> None:
    with virtual_display() as display, keyring_daemon(tmp_path / "home", display, locked=True) as keyring:
        for deed in DEEDS:
            with pytest.raises(KeyringLocked, match="locked") as caught:
                asyncio.run(do(place(tmp_path, keyring.environment), deed))
            assert "--keep session" in caught.value.remedy
        assert keyring.prompts() == 0


def test_a_keyring_without_a_default_collection_is_distinguished_from_a_locked_one(tmp_path: Path) -> None:
    with virtual_display() as display, keyring_daemon(tmp_path / "home", display) as keyring:
        with open_dbus_connection(keyring.address, auth_timeout=DEADLINE) as bus:
            for call in (ALIAS_READ, new_method_call(LOGIN_COLLECTION, "Delete")):
                bus.send_and_get_reply(call, timeout=DEADLINE)
        with pytest.raises(KeyringLocked, match="has no default collection") as caught:
            asyncio.run(do(place(tmp_path, keyring.environment), "open"))
        assert "create a keyring" in caught.value.remedy
        assert keyring.prompts() == 0


def test_a_keyring_that_does_not_answer_is_given_up_in_time_and_nothing_is_left(tmp_path: Path) -> None:
    with keyring_daemon(tmp_path / "home") as keyring:
        os.kill(keyring.pid, signal.SIGSTOP)
        try:
            with pytest.raises(KeyringLocked, match="did not answer in 1 seconds"):
                asyncio.run(do(place(tmp_path, keyring.environment, seconds=1.0), "open"))
        finally:
            os.kill(keyring.pid, signal.SIGCONT)
        assert not [words for words in commands_below() if "client.task" in words]


def test_a_bus_that_is_slow_to_accept_a_caller_is_waited_for(tmp_path: Path) -> None:
    async def open_slowly(keyring: KeyringDaemon) -> None:
        os.kill(keyring.bus_pid, signal.SIGSTOP)
        opening = asyncio.create_task(do(place(tmp_path, keyring.environment, seconds=DEADLINE), "open"))
        try:
            while not [words for words in commands_below() if "client.task" in words]:
                await asyncio.sleep(0.05)
            await asyncio.sleep(
                4.0
            )  # longer than the libraries would wait, the start of the process included
        finally:
            os.kill(keyring.bus_pid, signal.SIGCONT)
        await opening

    with keyring_daemon(tmp_path / "home") as keyring:
        asyncio.run(open_slowly(keyring))


def test_each_caller_begins_with_what_gnome_keyring_survives(tmp_path: Path) -> None:
    """gnome-keyring may handle a caller's first call before it knows the caller: one for a property aborts it."""
    with keyring_daemon(tmp_path / "home") as keyring, keyring.overheard() as overheard:
        for deed in DEEDS:
            asyncio.run(do(place(tmp_path, keyring.environment), deed))
        with open_dbus_connection(keyring.address, auth_timeout=DEADLINE) as bus:
            bus.send_and_get_reply(new_method_call(SERVICE, "ReadAlias", "s", ("the end",)), timeout=DEADLINE)
        calls = list(takewhile(lambda call: call.body != ("the end",), overheard))
    firsts = {call.header.fields[HeaderFields.sender]: name_of(call) for call in reversed(calls)}
    assert len(firsts) > len(DEEDS)
    assert set(firsts.values()) == {"ReadAlias"}
    assert not [call for call in calls if "/aliases/" in call.header.fields[HeaderFields.path]]


def name_of(call: Message) -> str:
    return str(call.header.fields[HeaderFields.member])


def test_a_keyring_that_ends_while_it_is_asked_is_asked_once_more(tmp_path: Path) -> None:
    async def ask(keyring: KeyringDaemon, keeping: Safekeeping[Credentials], deed: str) -> None:
        async with killed_at_a_call(keyring):
            await do(keeping, deed)

    with keyring_daemon(tmp_path / "home", comeback=Comeback.UNLOCKED) as keyring:
        keeping = place(tmp_path, keyring.environment, seconds=DEADLINE)
        for deed in DEEDS:
            asyncio.run(ask(keyring, keeping, deed))
            found = asyncio.run(keeping.load(Keep.KEYRING))
            assert found == (ANNA if deed in ("save", "load") else None)
    log = (tmp_path / "logs" / "tasks.log").read_text()
    assert log.count("It is asked once more.") == len(DEEDS)


@pytest.mark.parametrize(
    ("comeback", "error", "words"),
    [(Comeback.LOCKED, KeyringLocked, "is locked"), (Comeback.NEVER, KeyringError, "keyring failed")],
)
def test_a_keyring_that_comes_back_locked_or_not_at_all_is_an_error_with_a_remedy(
    tmp_path: Path, comeback: Comeback, error: type[KeyringError], words: str
) -> None:
    async def ask(keyring: KeyringDaemon) -> None:
        async with killed_at_a_call(keyring):
            await do(place(tmp_path, keyring.environment, seconds=DEADLINE), "save")

    with keyring_daemon(tmp_path / "home", comeback=comeback) as keyring:
        with pytest.raises(error, match=words) as caught:
            asyncio.run(ask(keyring))
        assert type(caught.value) is error
        assert "--keep session" in caught.value.remedy


@asynccontextmanager
async def killed_at_a_call(keyring: KeyringDaemon) -> AsyncIterator[None]:
    """Kill the keyring once it has been called, before it has answered."""

    async def kill() -> None:
        await asyncio.to_thread(next, overheard)
        os.kill(pid, signal.SIGKILL)

    pid = keyring.pid_at_present()
    os.kill(pid, signal.SIGSTOP)
    with keyring.overheard() as overheard:
        killing = asyncio.create_task(kill())
        yield
        await killing


@pytest.mark.parametrize("deed", ["open", "load"])
def test_without_a_desktop_there_is_no_keyring_and_a_remedy(tmp_path: Path, deed: str) -> None:
    with pytest.raises(NoKeyring) as caught:
        asyncio.run(do(place(tmp_path, NO_BUS), deed))
    assert "--keep session" in caught.value.remedy
    assert "--keep file" in caught.value.remedy


def test_no_setting_brings_in_a_keyring_that_is_not_trusted(tmp_path: Path) -> None:
    environment = {**NO_BUS, "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring"}
    with pytest.raises(NoKeyring):
        asyncio.run(do(place(tmp_path, environment), "save"))
    assert find_secret(SECRET, [tmp_path]) == []


async def do(keeping: Safekeeping[Credentials], deed: str) -> None:
    match deed:
        case "open":
            await keeping.open(Keep.KEYRING)
        case "load":
            await keeping.load(Keep.KEYRING)
        case "save":
            await keeping.save(ANNA, Keep.KEYRING)
        case "forget":
            await keeping.forget(Keep.KEYRING)


def commands_below() -> list[list[str]]:
    """The arguments of all processes that this one has started."""
    below = started_processes()
    return [Path(f"/proc/{process.pid}/cmdline").read_text().split("\0") for process in below]

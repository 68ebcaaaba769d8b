"""`login`, `logout` and `whoami` as a volunteer types them, with the real daemon and a Hub on loopback."""

import json
import os
import pty
import re
import signal
import subprocess
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from client.account.credentials import CredentialsFile
from client.api.commands import SignOut
from tests.command_line import COMMAND, idlebrush
from tests.desktops.keyring_daemon import NO_BUS
from tests.hub.hub_server import CLIENT_ID, HubServer, running_hub
from tests.secret_search import find_secret
from tests.volunteer import ROOT, VolunteerMachine, volunteer_at
from tests.waiting import wait_until


@dataclass
class AccountDesk:
    """A volunteer's terminal, the daemon behind it, and the Hub that both know."""

    volunteer: VolunteerMachine
    hub: HubServer

    @contextmanager
    def started(self, *verb: str, stdin: int = subprocess.PIPE) -> Iterator["subprocess.Popen[str]"]:
        """Start it in a session of its own, because the tests' terminal, if any, is not the volunteer's."""
        process = subprocess.Popen(
            [*COMMAND, *verb],
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            env={**os.environ, "IDLEBRUSH_HOME": str(self.volunteer.home), "PYTHONPATH": str(ROOT)},
        )
        with process:
            try:
                yield process
            finally:
                process.kill()

    def idlebrush(self, *verb: str, types: str = "") -> tuple[int, str, str]:
        """Exit status, standard output and standard error."""
        with self.started(*verb) as process:
            out, err = process.communicate(types, timeout=60)
            return process.returncode, out, err

    def here(self, *verb: str, types: str = "") -> tuple[int, str, str]:
        """Do the same without a process of its own."""
        environment = {**os.environ, "IDLEBRUSH_HOME": str(self.volunteer.home)}
        done = idlebrush(*verb, environment=environment, types=types)
        return done.returncode, done.stdout, done.stderr


@pytest.fixture(scope="module")
def signed_out(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AccountDesk]:
    """One daemon for all tests, and its Hub."""
    with running_hub() as hub:
        settings = {**NO_BUS, "HF_ENDPOINT": hub.address, "IDLEBRUSH_OAUTH_CLIENT_ID": CLIENT_ID}
        with volunteer_at(tmp_path_factory.mktemp("account") / "home", environment=settings) as volunteer:
            volunteer.start()
            yield AccountDesk(volunteer, hub)


@pytest.fixture
def desk(signed_out: AccountDesk) -> Iterator[AccountDesk]:
    yield signed_out
    if signed_out.volunteer.look().account is not None:
        signed_out.volunteer.ask(SignOut())


def test_a_token_from_standard_input_signs_in_and_logout_leaves_nothing(desk: AccountDesk) -> None:
    token = desk.hub.add_token("anna")
    status, out, err = desk.idlebrush("login", "--token-stdin", "--keep", "file", types=f"{token}\n")
    assert (status, err) == (0, "")
    assert out == "You are signed in as anna. The sign-in is kept in a file that only you can read.\n"

    assert desk.here("whoami") == (0, out, "")
    status, shown, _ = desk.here("whoami", "--json")
    assert json.loads(shown) == {
        "signed_in": True,
        "name": "anna",
        "kept": "in a file that only you can read",
    }
    file = CredentialsFile(desk.volunteer.paths.credentials)
    assert find_secret(token, [desk.volunteer.home], pids(desk)) == [str(file.path)]

    status, out, _ = desk.idlebrush("logout")
    assert status == 0
    assert "/settings/tokens" in out
    assert find_secret(token, [desk.volunteer.home], pids(desk)) == []
    assert token not in desk.volunteer.look().model_dump_json()
    status, out, _ = desk.here("whoami", "--json")
    assert (status, json.loads(out)) == (1, {"signed_in": False})


def test_a_code_is_printed_and_waited_for(desk: AccountDesk) -> None:
    with desk.started("login", "--keep", "session") as login:
        code = printed_code(login)
        desk.hub.approve(code, "anna")
        out, err = login.communicate(timeout=60)
    assert (login.returncode, err) == (0, "")
    assert "You are signed in as anna. The sign-in is kept until the client ends." in out
    view = desk.volunteer.look().account
    assert view is not None
    assert view.name == "anna"


def test_ctrl_c_cancels_a_sign_in(desk: AccountDesk) -> None:
    with desk.started("login", "--keep", "session") as login:
        printed_code(login)
        login.send_signal(signal.SIGINT)
        _, err = login.communicate(timeout=60)
    assert login.returncode == 2
    assert "was cancelled" in err
    wait_until(lambda: desk.volunteer.look().sign_in is None, "the daemon goes on waiting for the code")


# What the Hub says reaches the volunteer as the error that it was, as the account's own tests show.
@pytest.mark.exhaustive
def test_a_denial_in_the_browser_is_reported(desk: AccountDesk) -> None:
    with desk.started("login", "--keep", "session") as login:
        desk.hub.deny(printed_code(login))
        _, err = login.communicate(timeout=60)
    assert login.returncode == 2
    assert "declined" in err


def test_what_cannot_be_done_is_reported_with_a_remedy(desk: AccountDesk) -> None:
    for login, options, types, words in (
        (
            desk.here,
            ("--token-stdin", "--keep", "session"),
            "hf_not_a_good_one",
            "does not accept this token",
        ),
        (desk.here, ("--token-stdin",), "", "No token was given"),
        (desk.here, ("--token-stdin", "--token"), "", "one source only"),
        (desk.idlebrush, ("--token",), "", "no terminal"),  # the tests themselves may have one
        (desk.here, ("--token-stdin",), "hf_whatever", "--keep session"),  # as there is no keyring
    ):
        status, out, err = login("login", *options, types=f"{types}\n")
        assert (status, out) == (2, "")
        assert words in err
        assert "Traceback" not in err
        assert not types or types not in err


@pytest.mark.parametrize(
    ("piped", "locale"),
    [
        # Bytes that no locale reads as text are refused in the plainest one as well, and text in the other.
        pytest.param(b"hf_\xff\xfe\n", "C.UTF-8", marks=pytest.mark.exhaustive),
        (b"hf_\xff\xfe\n", "C"),
        pytest.param(b"\x7fELF\x02\x01\n", "C", marks=pytest.mark.exhaustive),
        ("hf_ключ\n".encode(), "C.UTF-8"),
    ],
)
def test_what_is_piped_and_no_token_is_refused_unseen(piped: bytes, locale: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [*COMMAND, "login", "--token-stdin"],
        input=piped,
        capture_output=True,
        check=False,
        timeout=60,
        env={**os.environ, "IDLEBRUSH_HOME": str(tmp_path), "LC_ALL": locale, "PYTHONCOERCECLOCALE": "0"},
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert len(done.stderr.splitlines()) == 2
    assert b"characters that tokens do not have" in done.stderr


def test_a_token_typed_at_a_terminal_is_not_shown(desk: AccountDesk) -> None:
    token = desk.hub.add_token("anna")
    ours, theirs = pty.openpty()
    try:
        with desk.started("login", "--token", "--keep", "session", stdin=theirs) as login:
            wait_until(
                lambda: not termios.tcgetattr(theirs)[3] & termios.ECHO, "what is typed would be shown"
            )
            os.write(ours, f"{token}\n".encode())
            out, err = login.communicate(timeout=60)
        assert "You are signed in as anna" in out
        assert token not in out + err
    finally:
        os.close(ours)
        os.close(theirs)


def printed_code(login: "subprocess.Popen[str]") -> str:
    assert login.stdout
    lines = [login.stdout.readline() for _ in range(2)]
    found = re.search(r"enter the code ([0-9A-F-]+) before", lines[1])
    assert found, lines
    return found[1]


def pids(desk: AccountDesk) -> list[int]:
    return [process.pid for process in desk.volunteer.family()]

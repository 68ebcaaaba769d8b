"""A volunteer's whole session, errors included: the token is where it was asked to be kept, and nowhere else.

What nobody is told cannot leak: the trainer, above all, is given no token, and inherits none.
"""

import json
import resource
import signal
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import pytest

from client import core_dumps
from client.api.snapshot import Activity
from tests.desktops.keyring_daemon import keyring_daemon
from tests.hub.hub_server import Canned, HubServer, running_hub
from tests.integration.front_end import begun, idlebrush, said
from tests.integration.stand_in_learner import learner_settings
from tests.processes.process_tree import command_line
from tests.secret_search import find_secrets
from tests.swarms.tiny_run import write_tiny_run
from tests.volunteer import VolunteerMachine, volunteer_at
from tests.waiting import COSTLY, wait_until

WHOAMI = "/api/whoami-v2"
OF_OTHER_PROGRAMS = {
    "HF_TOKEN": "hf_ofOtherPrograms",
    "HUGGING_FACE_HUB_TOKEN": "hf_ofOldPrograms",
    "HF_API_TOKEN": "hf_ofTutorials",
    "HUGGINGFACE_TOKEN": "hf_ofNotebooks",
}
"""Variables of the environment in which the volunteer starts the daemon."""


@dataclass
class Witness:
    """Sees all that the client leaves, says and starts."""

    person: VolunteerMachine
    hub: HubServer
    secrets: list[str] = field(default_factory=list)

    @property
    def folders(self) -> list[Path]:
        return [self.person.home.parent, Path(tempfile.gettempdir())]

    def token(self) -> str:
        self.secrets.append(self.hub.add_token("ada"))
        return self.secrets[-1]

    def say(self, *words: str, types: str = "") -> str:
        """Run the command line, in a process of its own where a token is typed.

        Its output is kept among the files that are searched.
        """
        done = idlebrush(self.person, *words, types=types) if types else said(self.person, *words)
        output = done.stdout + done.stderr
        with (self.person.home / "output").open("a") as file:
            file.write(output)
        return output

    def login(self, token: str, keep: str) -> str:
        return self.say("login", "--token-stdin", "--keep", keep, types=token)

    def task(self) -> psutil.Process:
        """The process that has the token now."""
        wait_until(lambda: any(map(_is_task, self.person.family())), "no task runs", every=COSTLY)
        return next(process for process in self.person.family() if _is_task(process))

    def sees_no_token(self) -> None:
        assert not self.found(*self.secrets)
        daemon = self.person.daemon
        assert daemon is not None
        started = [process.pid for process in psutil.Process(daemon.pid).children(recursive=True)]
        assert started
        assert not find_secrets(OF_OTHER_PROGRAMS.values(), self.folders, started)

    def found(self, *secrets: str) -> list[str]:
        """Return the places of any of them."""
        return sorted(find_secrets(secrets, self.folders, [process.pid for process in self.person.family()]))


def _is_task(process: psutil.Process) -> bool:
    words = command_line(process)
    return words[-1:] == ["client.task"] and "core.children.guard" not in words


@pytest.fixture(scope="module")
def manifest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_run(tmp_path_factory.mktemp("run"))


@pytest.fixture(scope="module")
def hub() -> Iterator[HubServer]:
    with running_hub() as hub:
        yield hub


@pytest.fixture(scope="module")
def person(
    tmp_path_factory: pytest.TempPathFactory, hub: HubServer, manifest: Path
) -> Iterator[VolunteerMachine]:
    """A volunteer who has a keyring and whose computer trains, from test to test."""
    folder = tmp_path_factory.mktemp("p")
    with keyring_daemon(folder / "keyring") as keyring:
        surroundings = {**keyring.environment, **OF_OTHER_PROGRAMS, "HF_ENDPOINT": hub.address}
        with volunteer_at(folder / "home", environment=surroundings, settings=learner_settings()) as person:
            person.prefer(run_mode="always")
            person.start()
            person.join(manifest)
            yield person


@pytest.fixture
def witness(person: VolunteerMachine, hub: HubServer) -> Witness:
    """A witness of what follows; nobody is signed in, and whatever was asked of the Hub before is forgotten."""
    if person.daemon is None or person.daemon.poll() is not None:
        person.start()
    person.wait_for(Activity.TRAINING)
    witness = Witness(person, hub)
    if person.look().account is not None:
        witness.say("logout")
    person.wait_until(lambda seen: seen.account is None, "a user stays signed in")
    hub.canned.clear()
    hub.asked.clear()
    return witness


@pytest.mark.parametrize("keep", ["keyring", "file", "session"])
def test_a_token_is_kept_where_it_was_asked_for_and_nowhere_else(witness: Witness, keep: str) -> None:
    token, file = witness.token(), witness.person.paths.credentials
    assert "You are signed in as ada" in witness.login(token, keep)
    assert json.loads(witness.say("whoami", "--json"))["name"] == "ada"
    assert witness.found(token) == ([str(file)] if keep == "file" else [])
    witness.person.quit()
    witness.person.start()
    knows = keep != "session"
    witness.person.wait_until(lambda seen: bool(seen.account) == knows, "it does not know who is signed in")
    assert witness.found(token) == ([str(file)] if keep == "file" else [])
    witness.say("logout")
    assert not witness.found(token)


def test_the_process_that_signs_in_shows_nothing_while_it_does_and_after_it_was_killed(
    witness: Witness,
) -> None:
    token = witness.token()
    for number in (signal.SIGABRT, signal.SIGSEGV):
        witness.hub.canned[WHOAMI] = Canned(drip_seconds=60)
        with begun(witness.person, "login", "--token-stdin", "--keep", "file") as login:
            assert login.stdin
            login.stdin.write(token)
            login.stdin.close()
            task = witness.task()
            witness.hub.wait_for(WHOAMI)
            witness.sees_no_token()
            task.send_signal(number)
            assert login.wait(60) == 2
            assert login.stderr
            assert token not in login.stderr.read()
        witness.hub.asked.clear()
        witness.sees_no_token()


def test_nothing_that_goes_wrong_tells_the_token(witness: Witness) -> None:
    person, token = witness.person, witness.token()
    wrong = "hf_thatNobodyKnows0123456789"
    witness.secrets.append(wrong)
    witness.hub.canned[WHOAMI] = Canned(503, b"<p>You sent: ", reflects=True)
    assert "503" in witness.login(token, "keyring")
    witness.hub.canned[WHOAMI] = Canned(200, b"You sent: ", reflects=True)
    assert "signed in as" not in witness.login(token, "keyring")
    del witness.hub.canned[WHOAMI]
    assert "signed in as" not in witness.login(wrong, "keyring")
    assert "signed in as ada" in witness.login(token, "keyring")
    for number in (signal.SIGABRT, signal.SIGSEGV):
        trainer = person.trainer
        trainer.send_signal(number)
        person.wait_until(
            lambda seen, pid=trainer.pid: bool(seen.trainer and seen.trainer.pid != pid),  # type: ignore[misc]
            "it is not started again",
        )
    for words in (("status", "--json"), ("doctor", "--json"), ("prefs", "show"), ("stats", "--json")):
        witness.say(*words)
    assert "ended unexpectedly" in person.logs()
    witness.sees_no_token()


def test_no_crash_leaves_the_memory_of_a_process_in_a_file(witness: Witness) -> None:
    assert witness.person.daemon is not None
    daemon = psutil.Process(witness.person.daemon.pid)
    for process in (daemon, *daemon.children(recursive=True)):
        assert 0 <= max(process.rlimit(resource.RLIMIT_CORE)) <= core_dumps.LEAST, "or infinite, which is -1"

"""The way through a run's gate in the first run: a real gate, a real daemon, and a Hub played on this machine."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from client.api.launch import DaemonProgram
from client.api.snapshot import Activity, Snapshot
from coordinator.gate.moderation import unban
from gui.first_run.steps import ANOTHER_RUN, FirstRunStep
from gui.first_run.wizard import FirstRun
from gui.link.daemon_access import DaemonAccess
from gui.link.daemon_link import DaemonLink
from gui.settings import AppSettings
from tests.desktops.keyring_daemon import NO_BUS
from tests.gate.served_gate import ServedGate, see, served_gate
from tests.gui.first_run.hands import button, focused, go_to, press, says
from tests.gui.first_run.stand_ins import browser
from tests.hub.hub_server import HubServer, running_hub
from tests.integration.stand_in_learner import learner_settings
from tests.volunteer import PATIENCE, VolunteerMachine, volunteer_at

_MILLISECONDS = int(1000 * PATIENCE)


@pytest.fixture
def hub() -> Iterator[HubServer]:
    with running_hub() as hub:
        hub.openid.echoes_device_nonce = True
        yield hub


@pytest.fixture
def gate(hub: HubServer, tmp_path: Path) -> Iterator[ServedGate]:
    with served_gate(tmp_path / "coordinator", hub, token_seconds=30) as gate:
        yield gate


@pytest.fixture
def anna(hub: HubServer, tmp_path: Path) -> Iterator[VolunteerMachine]:
    """A volunteer whose computer has no keyring; her daemon trains by a stand-in."""
    with volunteer_at(
        tmp_path / "anna", environment={**NO_BUS, "HF_ENDPOINT": hub.address}, settings=learner_settings()
    ) as person:
        person.prefer(run_mode="always")
        person.start()
        yield person


@pytest.fixture
def link(anna: VolunteerMachine, qtbot: QtBot) -> Iterator[DaemonLink]:
    link = DaemonLink(DaemonAccess.of(anna.paths, DaemonProgram()))
    link.start()
    qtbot.waitUntil(lambda: link.snapshot is not None, timeout=_MILLISECONDS)
    yield link
    link.stop()


@pytest.fixture
def choose(qtbot: QtBot, link: DaemonLink, tmp_path: Path) -> Callable[[str], FirstRun]:
    """Has a run be offered to whoever knows the app."""

    def offered(location: str) -> FirstRun:
        shown = FirstRun(link, AppSettings(tmp_path), route=ANOTHER_RUN)
        qtbot.addWidget(shown)
        shown.show()
        shown.offer(location)
        qtbot.waitUntil(lambda: says(shown, "Only members can train this run"), timeout=_MILLISECONDS)
        return shown

    return offered


def test_in_by_a_code_shut_out_and_in_again_by_the_browser(
    qtbot: QtBot, gate: ServedGate, link: DaemonLink, choose: Callable[[str], FirstRun]
) -> None:
    def wait(condition: Callable[[Snapshot], object]) -> None:
        qtbot.waitUntil(
            lambda: link.snapshot is not None and bool(condition(link.snapshot)), timeout=_MILLISECONDS
        )

    first = choose(gate.link())
    assert not button(first, "Next").isEnabled()
    press(first, "Use a code instead")
    qtbot.waitUntil(lambda: says(first, "keyring cannot store your membership"), timeout=_MILLISECONDS)
    press(first, "Only until Idlebrush quits")
    wait(lambda seen: seen.sign_in)
    assert link.snapshot is not None
    assert link.snapshot.sign_in is not None
    assert says(first, link.snapshot.sign_in.code)
    gate.hub.approve(link.snapshot.sign_in.code, "anna")
    qtbot.waitUntil(lambda: says(first, "You are admitted to this run."), timeout=_MILLISECONDS)
    qtbot.waitUntil(lambda: focused() is button(first, "Next"), timeout=_MILLISECONDS)
    press(first, "Next")
    qtbot.waitUntil(button(first, "Next").isEnabled, timeout=_MILLISECONDS)
    go_to(first, FirstRunStep.CONSENT)
    press(first, "I agree that this computer trains this run as described above.")
    press(first, "Start training")
    qtbot.waitUntil(lambda: says(first, "You have joined the run"), timeout=_MILLISECONDS)
    press(first, "Open Idlebrush")
    wait(lambda seen: seen.activity is Activity.TRAINING)

    gate.ban("anna", "They trained on noise.")
    wait(lambda seen: seen.problem is not None and seen.problem.code == "membership")
    with gate.context.database.session() as session:
        unban(session, "anna", actor="mia", now=gate.clock())
    assert link.snapshot.run is not None
    again = choose(str(Path(link.snapshot.run.folder) / "run.toml"))
    assert says(again, "This computer already trains this run.")
    with browser("http") as opened:
        press(again, "Sign in with the browser")
        qtbot.waitUntil(lambda: says(again, "keyring cannot store your membership"), timeout=_MILLISECONDS)
        press(again, "Only until Idlebrush quits")
        qtbot.waitUntil(lambda: bool(opened), timeout=_MILLISECONDS)
    assert see(gate.hub, opened[0], "anna").ok
    qtbot.waitUntil(lambda: says(again, "You are admitted to this run."), timeout=_MILLISECONDS)
    wait(lambda seen: seen.activity is Activity.TRAINING)

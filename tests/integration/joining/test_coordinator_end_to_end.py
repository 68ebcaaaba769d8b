"""A run from its making to a ban: organiser, three volunteers with a daemon each, and readers in a real browser."""

import re
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

import psutil
import pytest
from playwright.sync_api import Page, expect, sync_playwright

from client.api.snapshot import Activity
from client.joining.run_files import IDENTITY
from client.service.trainer.run import PEER
from core.admission.peer_key import PeerKey
from core.swarm.wire.identity import PeerIdentity
from tests.desktops.keyring_daemon import NO_BUS
from tests.gate.intruder import Intruder
from tests.hub.hub_server import HubServer, running_hub
from tests.integration.front_end import begun
from tests.integration.joining.organiser import Organiser
from tests.volunteer import VolunteerMachine, volunteer_at
from tests.waiting import wait_until

NAMES = ("ada", "bob", "cyd")
PATIENCE = 240.0
"""Time limit in seconds; on a busy machine nine processes that import torch take long to come up."""
FLAGS = ("--yes", "--no-measure", "--keep", "file")
FALLEN = 0.9
"""A fraction of the first observed loss."""
REFUSED_WITHIN = 60.0
"""Seconds, of which a busy machine takes most; the token would be good for ten minutes."""
LOOK_SECONDS = 1.0
"""Seconds between two looks at a page in a browser, or at what all methods of all peers answer."""
REFUSED = "excluded from the run"
METHODS = {"rpc_find", "rpc_store", "rpc_join_group", "rpc_aggregate_part", "rpc_download_state"}
"""Methods of the DHT, of averaging and of donating the state, which every peer has at least."""
_NEWEST = """Array.from(document.querySelectorAll("[data-epochs] tbody tr:has(th)"),
    row => Array.from(row.cells, cell => cell.textContent))"""
"""The texts in the table of the newest epochs; one that is hidden behind another tab has them too."""


@pytest.fixture
def organiser(tmp_path: Path) -> Organiser:
    return Organiser.begin(tmp_path, target_batch_size=256)


@pytest.fixture
def shadow(tmp_path: Path, organiser: Organiser) -> Iterator[Intruder]:
    """A program with the key of cyd's peer, forked while this process has no other threads."""
    identity = identity_file(VolunteerMachine(tmp_path / "cyd"), organiser)
    identity.parent.mkdir(parents=True)
    made = Intruder(PeerIdentity.load_or_create(identity))
    yield made
    made.close()


@pytest.fixture
def hub(shadow: Intruder) -> Iterator[HubServer]:
    with running_hub() as hub:
        hub.openid.echoes_device_nonce = True
        yield hub


@pytest.fixture
def volunteers(tmp_path: Path, hub: HubServer) -> Iterator[dict[str, VolunteerMachine]]:
    """Volunteers whose daemons run."""
    environment = {**NO_BUS, "HF_ENDPOINT": hub.address}
    with ExitStack() as stack:
        people = {
            name: stack.enter_context(volunteer_at(tmp_path / name, environment=dict(environment)))
            for name in NAMES
        }
        for person in people.values():
            person.prefer(run_mode="always")
            person.start()
        yield people


@pytest.fixture
def page(volunteers: dict[str, VolunteerMachine]) -> Iterator[Page]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        yield browser.new_context().new_page()
        browser.close()


@pytest.mark.timeout(900)
def test_volunteers_train_before_everybodys_eyes_until_one_is_banned(
    organiser: Organiser,
    shadow: Intruder,
    hub: HubServer,
    volunteers: dict[str, VolunteerMachine],
    page: Page,
) -> None:
    ada, bob, cyd = volunteers.values()
    organiser.edit_settings(hub.address)
    with organiser.serving() as serving:
        page.goto(f"{organiser.address}/dashboard")
        join_all(volunteers, organiser, hub, page.context.new_page())
        for person in volunteers.values():
            person.wait_for(Activity.TRAINING, seconds=PATIENCE)
        assert_loss_falls(page)
        expect(page.locator("[data-live=training]")).to_have_text("3", timeout=1000 * PATIENCE)
        board = page.context.new_page()
        wait_until(
            lambda: sorted(names_on(board, organiser)) == sorted(NAMES),
            "one lacks",
            PATIENCE,
            every=LOOK_SECONDS,
        )
        ranks = [int(text) for text in board.locator("tbody .rank").all_text_contents()]
        assert ranks[0] == 1
        assert ranks == sorted(ranks)

        organiser.ban("cyd", reason="They trained on noise.")
        seen = cyd.wait_for(Activity.ATTENTION, seconds=PATIENCE)
        assert "They trained on noise" in seen.headline
        token = organiser.token("cyd", identity_file(cyd, organiser))  # as good as one can be
        refused = partial(is_refused_by_all, organiser, shadow, (ada, bob), token)
        wait_until(refused, "a peer answers that is banned", REFUSED_WITHIN, every=LOOK_SECONDS)
        expect(page.locator("[data-live=training]")).to_have_text("2", timeout=1000 * PATIENCE)
        at_the_ban = newest_epoch(page)
        wait_until(
            lambda: newest_epoch(page) > at_the_ban + 1,
            "the others do not go on",
            PATIENCE,
            every=LOOK_SECONDS,
        )
        expect(page.locator("[data-epochs] tbody tr").first.locator("td").nth(2)).to_have_text(
            "2", timeout=1000 * PATIENCE
        )
        assert sorted(names_on(board, organiser)) == ["ada", "bob"]
        assert page.evaluate("performance.getEntriesByType('navigation').length") == 1

        for person in volunteers.values():
            person.quit()
        serving.process.send_signal(signal.SIGTERM)
        assert serving.end() == 0, serving.output
        assert not serving.alive()


# --- who joins ------------------------------------------------------------------------------------------------


def join_all(people: dict[str, VolunteerMachine], organiser: Organiser, hub: HubServer, tab: Page) -> None:
    """The first signs in in a browser, the others enter codes."""
    first, *others = people.values()
    with ExitStack() as stack:
        joining = [
            stack.enter_context(begun(person, "join", organiser.link, *FLAGS, "--no-browser"))
            for person in others
        ]
        for person, process in zip(others, joining, strict=True):
            assert process.stdout
            wanted = (re.search(r"enter the code (\S+) before", line) for line in process.stdout)
            hub.approve(next(code[1] for code in wanted if code), person.home.name)
        hub.openid.browser = first.home.name
        with opening(first) as address:
            process = stack.enter_context(begun(first, "join", organiser.link, *FLAGS, "--browser"))
            wait_until(address.exists, "no browser is opened", PATIENCE)
            tab.goto(address.read_text())
        for person, joins in zip((*others, first), (*joining, process), strict=True):
            output, errors = joins.communicate(timeout=PATIENCE)
            assert f"You are admitted as {person.home.name}" in output, output + errors
            assert joins.returncode == 0, output + errors


@contextmanager
def opening(person: VolunteerMachine) -> Iterator[Path]:
    """The file with the address that their browser was opened at."""
    opened, script = person.home / "opened", person.home / "browser.py"
    script.write_text(
        f"import os, sys; open('{opened}.new', 'w').write(sys.argv[1]); os.rename('{opened}.new', '{opened}')"
    )
    person.environment["BROWSER"] = f"{sys.executable} {script} %s"
    yield opened


# --- what readers see -----------------------------------------------------------------------------------------


def newest_epoch(page: Page) -> int:
    return max(losses(page), default=0)


def losses(page: Page) -> dict[int, float]:
    """Return the losses by epoch in the table of the newest epochs."""
    rows: list[list[str]] = page.evaluate(_NEWEST)
    return {int(epoch): float(loss) for epoch, loss, *_ in rows}


def assert_loss_falls(page: Page) -> None:
    """Wait until the page, without a reload, shows that the loss falls."""
    seen: dict[int, float] = {}

    def has_fallen() -> bool:
        seen.update(losses(page))
        return len(seen) > 4 and seen[max(seen)] < FALLEN * seen[min(seen)]

    wait_until(has_fallen, "the loss does not fall", PATIENCE, every=LOOK_SECONDS)


def names_on(board: Page, organiser: Organiser) -> list[str]:
    board.goto(f"{organiser.address}/leaderboard")
    return board.locator("tbody th").all_text_contents()


# --- who is banned --------------------------------------------------------------------------------------------


def identity_file(person: VolunteerMachine, organiser: Organiser) -> Path:
    return person.paths.run(organiser.manifest.training_digest) / PEER / IDENTITY


def is_refused_by_all(
    organiser: Organiser, shadow: Intruder, people: Sequence[VolunteerMachine], token: str
) -> bool:
    """Return true if every method of each of these volunteers' peers refuses the banned user."""
    answers: list[str] = []
    for person in people:
        answered = shadow.call_at(addresses_of(person, organiser), token, organiser.manifest.dht_prefix)
        assert answered.keys() >= METHODS
        answers += answered.values()
    return all(REFUSED in answer for answer in answers)


def addresses_of(person: VolunteerMachine, organiser: Organiser) -> list[str]:
    """Return the addresses at which this volunteer's peer listens."""
    peer = PeerKey.load_or_create(identity_file(person, organiser)).peer_id
    ports = {
        connection.laddr.port
        for process in person.family()
        if process.name() == "p2pd"
        for connection in process.net_connections("tcp4")
        if connection.status == psutil.CONN_LISTEN
    }
    return [f"/ip4/127.0.0.1/tcp/{port}/p2p/{peer}" for port in ports]

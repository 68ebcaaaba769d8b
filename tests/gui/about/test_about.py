"""The page About describes the installation, data that others see, licences, and the report of errors."""

from importlib.metadata import Distribution
from pathlib import Path

import pytest
from PySide6.QtGui import QAccessible, QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from client.api.snapshot import Snapshot
from gui.about.installation import (
    Component,
    InstalledVersions,
    installation,
    names_for_users,
    report,
    terms_of,
)
from gui.about.licences import licences, text_of
from gui.about.page import AboutPage
from gui.about.privacy import seen_by_others
from tests.client.snapshots import FULL, IDLE
from tests.gui.stand_in_link import StandInLink

HOME = Path("/home/somebody")
INSTALLED = InstalledVersions(
    "0.1.0", "3.11.7", "6.11", "Linux", (Component("torch", "2.13", "BSD-3-Clause"),)
)


@pytest.fixture
def opened() -> list[str]:
    """Addresses to which the browser was sent."""
    return []


@pytest.fixture
def page(qtbot: QtBot, link: StandInLink, opened: list[str]) -> AboutPage:
    def browse(address: str) -> bool:
        opened.append(address)
        return True

    page = AboutPage(link, home=HOME, browse=browse)
    qtbot.addWidget(page)
    page.resize(800, 900)
    page.show()
    page.shown()
    qtbot.waitUntil(page.header.copy.isEnabled)
    return page


def gated(has_gate: bool, coordinator: str | None) -> Snapshot:
    assert FULL.run is not None
    run = FULL.run.model_copy(update={"has_gate": has_gate, "coordinator": coordinator})
    return FULL.model_copy(update={"run": run})


def test_the_installation_is_known_without_importing_it() -> None:
    found = installation()
    assert found.version
    assert found.version_of("pydantic").startswith("2.")
    assert found.version_of("nothing-of-the-kind") == ""


def test_packages_of_the_trainer_are_named_and_those_of_developers_are_not() -> None:
    lines = (
        *("segno<2,>=1.6", 'jeepney<1; sys_platform == "linux"', 'torch<3; extra == "trainer"'),
        *("psycopg[binary]; extra == 'coordinator'", 'ruff; extra == "dev"'),
    )
    assert names_for_users(lines) == {"segno", "jeepney", "torch", "psycopg"}


@pytest.mark.parametrize(
    ("lines", "terms"),
    [
        ("License-Expression: MIT\nLicense: other", "MIT"),
        ("License: Apache 2.0", "Apache 2.0"),
        (f"License: {'Granted. ' * 20}\nClassifier: License :: OSI Approved :: MIT License", "MIT License"),
        ("Classifier: Topic :: Games", ""),
    ],
)  # fmt: skip
def test_terms_are_found_wherever_they_are_written(tmp_path: Path, lines: str, terms: str) -> None:
    (tmp_path / "METADATA").write_text(f"Metadata-Version: 2.4\nName: x\nVersion: 1\n{lines}\n")
    assert terms_of(Distribution.at(tmp_path)) == terms


def test_every_licence_can_be_read(qapp: QApplication) -> None:
    found = licences(INSTALLED.components)
    assert all(len(text_of(licence)) > 30 for licence in found[:-1])
    assert text_of(found[-1]) == "torch 2.13: BSD-3-Clause"
    assert "LGPL" in found[1].title


@pytest.mark.parametrize(
    ("snapshot", "who", "names"),
    [
        (None, 4, False),
        (IDLE, 4, False),
        (gated(True, "https://x"), 4, True),
        (gated(False, "https://x"), 4, False),
        (gated(False, None), 3, False),
    ],
)
def test_what_others_see_depends_on_the_run(
    qapp: QApplication, snapshot: Snapshot | None, who: int, names: bool
) -> None:
    seen = seen_by_others(snapshot)
    assert len(seen) == who
    assert ("user name" in seen[0].what) is names


def test_a_report_helps_and_names_nobody() -> None:
    assert FULL.trainer is not None
    trainer = FULL.trainer.model_copy(update={"plan": f"From {HOME}/x."})
    text = report(INSTALLED, FULL.model_copy(update={"trainer": trainer}), HOME)
    for part in ("Idlebrush 0.1.0", "torch 2.13", "throttled", "in_use", "emoji", "disk", "~/x"):
        assert part in text
    assert FULL.account is not None
    for secret in (str(HOME), FULL.account.name, str(trainer.peer_id), "ABCD-1234"):
        assert secret not in text


def test_a_report_can_be_made_without_a_daemon() -> None:
    assert "not connected" in report(INSTALLED, None, HOME)


def test_the_details_and_the_peer_id_are_copied(page: AboutPage) -> None:
    page.show_snapshot(FULL)
    page.header.copy.click()
    assert QGuiApplication.clipboard().text().startswith("Idlebrush")
    page.privacy.peer.copy.click()
    assert FULL.trainer is not None
    assert QGuiApplication.clipboard().text() == FULL.trainer.peer_id


def test_without_a_trainer_there_is_no_peer_id(page: AboutPage) -> None:
    page.show_snapshot(IDLE)
    assert not page.privacy.peer.isVisible()


def test_another_version_in_the_background_is_reported_and_restarted(
    page: AboutPage, link: StandInLink
) -> None:
    page.show_snapshot(FULL.model_copy(update={"version": "0.0.9"}))
    assert "0.0.9" in page.banner.accessibleDescription()
    page.banner.button.click()
    assert link.restarts == 1
    page.show_snapshot(FULL.model_copy(update={"version": installation().version}))
    assert not page.banner.isVisible()


def test_licences_are_chosen_and_read(qtbot: QtBot, page: AboutPage) -> None:
    qtbot.waitUntil(lambda: "Apache License" in page.licences.text.toPlainText())
    page.licences.choice.setCurrentIndex(1)
    qtbot.waitUntil(lambda: "Lesser General Public License" in page.licences.text.toPlainText())


@pytest.mark.parametrize(
    ("address", "is_offered"),
    [("https://run.example.org", True), (None, False), ("file:///etc/passwd", False)],
)
def test_the_website_of_the_run_is_offered_where_it_has_one(
    page: AboutPage, address: str | None, is_offered: bool
) -> None:
    page.show_snapshot(gated(False, address))
    assert page.header.website.isVisible() is is_offered
    assert page.header.handbook.isVisible() is is_offered


@pytest.mark.parametrize("address", ["https://run.example.org", "https://run.example.org/"])
def test_the_website_of_the_run_and_its_handbook_are_opened(
    page: AboutPage, opened: list[str], address: str
) -> None:
    page.show_snapshot(gated(False, address))
    page.header.website.click()
    page.header.handbook.click()
    assert opened == [address, "https://run.example.org/docs/"]


def test_versions_are_read_out_behind_their_names(page: AboutPage) -> None:
    page.show_snapshot(FULL)
    tree = QAccessible.queryAccessibleInterface(page.header)
    assert tree is not None
    parts = [tree.child(place) for place in range(tree.childCount())]
    names = [part.text(QAccessible.Text.Name) for part in parts if part is not None]
    assert names[names.index("Python") + 1] == installation().python

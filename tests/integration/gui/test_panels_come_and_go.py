"""Panels that come late, or go: the window can always be reached."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.desktops.tray_host import TrayDesk, TrayKind, desk
from tests.integration.front_end import begun
from tests.volunteer import PATIENCE, VolunteerMachine, volunteer_at
from tests.waiting import COSTLY, wait_until


@pytest.fixture(params=TrayKind, ids=lambda kind: kind.value)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[TrayDesk]:
    with desk(request.param, tmp_path) as made:
        yield made


@pytest.fixture
def volunteer(place: TrayDesk, tmp_path: Path) -> Iterator[VolunteerMachine]:
    """A volunteer who has completed the first run and joined no run."""
    environment = {**place.environment, "QT_QPA_PLATFORM": "xcb"}
    with volunteer_at(tmp_path / "home", environment=environment) as person:
        person.start()
        (person.paths.config / "app.ini").write_text("[General]\nfirst-run-done=yes\n")
        yield person


def test_the_window_comes_back_when_the_panel_goes_and_its_end_is_the_apps_end(
    place: TrayDesk, volunteer: VolunteerMachine
) -> None:
    with begun(volunteer) as app:
        wait_until(lambda: place.takes_keys("Idlebrush"), "no window comes up", every=COSTLY)
        with place.panel():
            place.wait_for_icon()
            place.close("Idlebrush")
            wait_until(lambda: "Idlebrush" not in place.windows(), "the window is not hidden", every=COSTLY)
            assert app.poll() is None, "it is in the tray"
        wait_until(lambda: "Idlebrush" in place.windows(), "the window cannot be reached", every=COSTLY)
        place.close("Idlebrush")
        assert app.wait(PATIENCE) == 0

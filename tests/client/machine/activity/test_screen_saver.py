"""Activity by screen saver services, played by python-dbusmock."""

import asyncio
from collections.abc import Iterator

import pytest

from client.api.errors import SourceLost
from client.machine.activity.polling import PolledSource
from client.machine.activity.screen_saver import SCREEN_SAVER, open_screen_saver
from client.machine.bus import Bus
from tests.desktops.desktop import MockService, mock_service


@pytest.fixture
def saver(session_bus: str) -> Iterator[MockService]:
    with mock_service(session_bus, *SCREEN_SAVER) as service:
        yield service


def opened(address: str) -> tuple[PolledSource, float]:
    async def body() -> tuple[PolledSource, float]:
        bus = Bus(address)
        source = await open_screen_saver(bus)
        idle = await source.idle_seconds()
        await bus.close()
        return source, idle

    return asyncio.run(body())


def test_kde_counts_milliseconds(session_bus: str, saver: MockService) -> None:
    saver.add_method("GetSessionIdleTime", "", "u", "ret = 61500")
    saver.add_method(
        "GoByAnotherName",
        "",
        "",
        "self.bus_name_kde = dbus.service.BusName('org.kde.screensaver', self.connection)",
    )
    saver.call("GoByAnotherName")
    source, idle = opened(session_bus)
    assert (source.name, idle) == ("KDE screen saver service", 61.5)


def test_others_count_seconds(session_bus: str, saver: MockService) -> None:
    saver.add_method("GetSessionIdleTime", "", "u", "ret = 61")
    source, idle = opened(session_bus)
    assert (source.name, idle) == ("screen saver service", 61)


def test_another_program_by_kdes_name_changes_no_unit(session_bus: str, saver: MockService) -> None:
    saver.add_method("GetSessionIdleTime", "", "u", "ret = 61")
    with mock_service(session_bus, "org.kde.screensaver", "/", "org.kde.screensaver"):
        assert opened(session_bus)[1] == 61


def test_a_screen_saver_that_does_not_know_is_no_source(session_bus: str, saver: MockService) -> None:
    with pytest.raises(SourceLost, match="GetSessionIdleTime"):
        opened(session_bus)


def test_without_a_screen_saver_nothing_opens(session_bus: str) -> None:
    with pytest.raises(SourceLost, match="ScreenSaver"):
        opened(session_bus)

"""Applications that keep the screen on are read from services played by python-dbusmock."""

import asyncio

from client.machine.bus import Bus
from client.machine.readings import Known, Reading, Unknown
from client.machine.sensors.inhibitors import Inhibitors
from tests.desktops.desktop import mock_service

GNOME = ("org.gnome.SessionManager", "/org/gnome/SessionManager", "org.gnome.SessionManager")
KDE = (
    "org.kde.Solid.PowerManagement.PolicyAgent",
    "/org/kde/Solid/PowerManagement/PolicyAgent",
    "org.kde.Solid.PowerManagement.PolicyAgent",
)
LOGIND = ("org.freedesktop.login1", "/org/freedesktop/login1", "org.freedesktop.login1.Manager")
INHIBITOR = "org.gnome.SessionManager.Inhibitor"


def read(system: str, session: str) -> Reading[tuple[str, ...]]:
    async def body() -> Reading[tuple[str, ...]]:
        buses = Bus(system), Bus(session)
        try:
            return await Inhibitors(*buses).read()
        finally:
            for bus in buses:
                await bus.close()

    return asyncio.run(body())


def test_logind_lists_who_blocks_idleness(system_bus: str, session_bus: str) -> None:
    listed = [
        ("idle", "Video player", "Playing", "block", 1000, 10),
        ("sleep:idle", "Presentation", "Showing slides", "block", 1000, 11),
        ("sleep", "Backup", "Copying", "block", 1000, 12),
        ("idle", "Patient", "Wants to know", "delay", 1000, 13),
        ("handle-lid-switch", "Shell", "Lid", "block", 1000, 14),
        ("idle", "me", "user session inhibited", "block", 1000, 15),
    ]
    with mock_service(system_bus, *LOGIND) as logind:
        logind.add_method("ListInhibitors", "", "a(ssssuu)", f"ret = {listed!r}")
        assert read(system_bus, session_bus) == Known(("Video player", "Presentation"), "logind")


def test_logind_of_the_template_has_inhibitors_of_its_own(system_bus: str, session_bus: str) -> None:
    with mock_service(system_bus, *LOGIND, template="logind"):
        assert read(system_bus, session_bus) == Known((), "logind")


def test_gnome_lists_applications_that_inhibit_idleness(system_bus: str, session_bus: str) -> None:
    with mock_service(session_bus, *GNOME) as gnome:
        inhibitors = {"Player": ("firefox", 8), "Nameless": ("", 12), "Writer": ("brasero", 4)}
        paths = [f"{GNOME[1]}/{name}" for name in inhibitors]
        gnome.add_method("GetInhibitors", "", "ao", f"ret = {[*paths, paths[0] + 'Gone']!r}")
        for path, (application, flags) in zip(paths, inhibitors.values(), strict=True):
            inhibitor = gnome.add_object(path, INHIBITOR)
            inhibitor.add_method("GetAppId", "", "s", f"ret = {application!r}")
            inhibitor.add_method("GetFlags", "", "u", f"ret = {flags}")
            inhibitor.add_method("GetReason", "", "s", "ret = 'Playing'")
        assert read(system_bus, session_bus) == Known(("firefox", "Playing"), "GNOME's session manager")


def test_kde_lists_applications_while_one_of_them_keeps_the_screen_on(
    system_bus: str, session_bus: str
) -> None:
    with mock_service(session_bus, *KDE) as kde:
        kde.add_method("HasInhibition", "u", "b", "ret = args[0] == 4")
        kde.add_method("ListInhibitions", "", "a(ss)", "ret = [('mpv', 'Playing'), ('', 'Showing')]")
        assert read(system_bus, session_bus) == Known(("mpv", "Showing"), "KDE's power management")
        kde.add_method("HasInhibition", "u", "b", "ret = False")
        assert read(system_bus, session_bus) == Known((), "KDE's power management")


def test_without_any_service_it_is_unknown(system_bus: str, session_bus: str) -> None:
    reading = read(system_bus, session_bus)
    assert isinstance(reading, Unknown)
    assert reading.why.startswith("It is not known which applications keep the screen on.")

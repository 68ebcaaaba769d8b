"""Makes `status.svg` and `doctor.svg`: a real daemon trains the embedded run on a desktop that is played.

    .venv/bin/python -m docs.pictures.make_terminal_pictures

Display, window manager and keyring are real (Xvfb, openbox, gnome-keyring); python-dbusmock plays power, login,
screen lock, clock and network, as on a desktop computer on the mains. It takes a minute on an idle core.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from datetime import datetime
from pathlib import Path

from rich.console import Console, RenderableType
from rich.terminal_theme import MONOKAI

from client.api.snapshot import Activity
from client.console.status_view import view
from client.doctor import CheckVerdict, Examination, Finding
from client.joining.embedded import MANIFESTS, EmbeddedSet, embedded_run
from client.verbs.doctor import page
from tests.desktops.desktop import mock_service, private_bus, running, virtual_display
from tests.desktops.keyring_daemon import keyring_daemon
from tests.volunteer import VolunteerMachine, volunteer_at

_FOLDER = Path(__file__).parent
_WIDTH = 92
_EPOCHS = 3
"""Epochs after which the picture is taken: rates have settled by then."""
_PATIENCE = 1800.0
"""Time limit in seconds: beside other work, a trainer at the lowest priority makes an epoch in minutes."""
_PLAYED = {
    "upower": ("org.freedesktop.UPower", "/org/freedesktop/UPower"),
    "networkmanager": ("org.freedesktop.NetworkManager", "/org/freedesktop/NetworkManager"),
    "logind": ("org.freedesktop.login1", "/org/freedesktop/login1"),
    "timedated": ("org.freedesktop.timedate1", "/org/freedesktop/timedate1"),
}
_SCREEN = ("org.gnome.ScreenSaver", "/org/gnome/ScreenSaver", "org.gnome.ScreenSaver")
_WEB_FONT = re.compile(r"@font-face \{.*?\}", re.DOTALL)


@contextmanager
def desktop(home: Path) -> Iterator[Mapping[str, str]]:
    """Start a desktop, and yield the environment of a program on it."""
    with ExitStack() as stack:
        display = stack.enter_context(virtual_display())
        stack.enter_context(running("openbox", environment={"DISPLAY": display}))
        session = stack.enter_context(keyring_daemon(home)).environment
        system = stack.enter_context(private_bus())
        for template, (name, path) in _PLAYED.items():
            service = stack.enter_context(mock_service(system, name, path, name, template=template))
            if template == "networkmanager":
                service.add_property("Metered", "<uint32 2>")
        saver = stack.enter_context(mock_service(session["DBUS_SESSION_BUS_ADDRESS"], *_SCREEN))
        saver.add_method("GetActive", "", "b", "ret = False")
        yield {**session, "DISPLAY": display, "DBUS_SYSTEM_BUS_ADDRESS": system}


def status(person: VolunteerMachine) -> RenderableType:
    """Return what `idlebrush status` shows while it trains."""
    person.wait_for(Activity.TRAINING, seconds=_PATIENCE)
    person.wait_until(
        lambda seen: seen.progress is not None and seen.progress.epoch >= _EPOCHS,
        "it does not train",
        _PATIENCE,
    )
    return view(person.look(), datetime.now().astimezone())


def doctor(person: VolunteerMachine) -> RenderableType:
    """Return what `idlebrush doctor` shows meanwhile."""
    environment = {**os.environ, **person.environment, "IDLEBRUSH_HOME": str(person.home)}
    command = [sys.executable, "-m", "client.cli", "doctor", "--json"]
    printed = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=False).stdout
    findings = (
        Finding(**{**item, "verdict": CheckVerdict(item["verdict"])})
        for item in json.loads(printed)["findings"]
    )
    return page(Examination(tuple(findings)))


def picture(name: str, shown: RenderableType) -> None:
    """Draw without fonts from the web: whatever the viewer has for terminals does."""
    with open(os.devnull, "w") as nowhere:  # noqa: PTH123 - a device
        console = Console(
            record=True, width=_WIDTH, highlight=False, file=nowhere, force_terminal=True, color_system="256"
        )
        console.print(shown)
    drawn = console.export_svg(title=f"idlebrush {name}", theme=MONOKAI, unique_id=f"idlebrush-{name}")
    (_FOLDER / f"{name}.svg").write_text(_WEB_FONT.sub("", drawn))


def _volunteer(home: Path, environment: Mapping[str, str]) -> AbstractContextManager[VolunteerMachine]:
    """Return a volunteer whose trainer is the real one: that of the tests computes for a fifth of the time."""
    return volunteer_at(home, environment=dict(environment), settings={"trainer": "client.trainer"})


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="volunteer-") as folder:
        home = Path(folder)
        with desktop(home / "desktop") as environment, _volunteer(home, environment) as person:
            person.prefer(idle_minutes="3s", other_cpu_load="off", ram_free="64 MiB")
            person.start()
            person.join(embedded_run() / MANIFESTS[EmbeddedSet.STARTER])
            picture("status", status(person))
            picture("doctor", doctor(person))
            person.quit()


if __name__ == "__main__":
    main()

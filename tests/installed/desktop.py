"""A user's desktop beside the tried system: display, window manager, panel with a tray, buses, and a keyring.

Its programs are this machine's own: the system needs none of them, and a library that a package forgets to name is
missed. ``python -m tests.installed.desktop FOLDER USER_ID`` runs it as that user, prints the environment of programs
on it as JSON, and ends when its standard input does. Its buses have sockets with paths: others belong to a network.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.desktops.desktop import first_line, running, x_server
from tests.desktops.tray_host import HEIGHT, WIDTH, TrayDesk, TrayKind

ROOT = Path(__file__).parents[2]
_PASSWORD = "correct horse"
_KEYRING = "exec gnome-keyring-daemon --foreground --components=secrets --unlock < {password}"
_BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <include>/usr/share/dbus-1/session.conf</include>
  <policy context="default"><allow user="root"/></policy>
</busconfig>
"""
"""A session's bus to which a screen reader of root's may connect, as to the bus of accessibility."""
_APP = {"QT_QPA_PLATFORM": "xcb", "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1", "GSETTINGS_BACKEND": "memory"}


@contextmanager
def desktop_of(user: int, folder: Path) -> Iterator[TrayDesk]:
    """Yield the desktop of the ``user`` with that id, whose sockets are in ``folder``; it ends with the context.

    Its environment is that of the user's programs.
    """
    folder.mkdir(parents=True, exist_ok=True)
    os.chown(folder, user, user)
    folder.chmod(0o700)
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.installed.desktop", str(folder), str(user)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        start_new_session=True,
    )
    try:
        environment: Mapping[str, str] = json.loads(first_line(process))
        yield TrayDesk(TrayKind.EMBEDDED, environment, folder)
    finally:
        assert process.stdin is not None
        process.stdin.close()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


def main(folder: Path, user: int) -> None:
    """Be the desktop until standard input ends."""
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
    runtime, home = folder / "run", folder / "home"
    for place in (runtime, home):
        place.mkdir(mode=0o700, exist_ok=True)
    own = {**dict.fromkeys(("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"), str(home)), "TMPDIR": str(folder)}
    with ExitStack() as kept:
        display, _ = kept.enter_context(x_server("-screen", "0", f"{WIDTH}x{HEIGHT}x24"))
        session = {"DISPLAY": display, "XDG_RUNTIME_DIR": str(runtime), **_APP}
        bus = kept.enter_context(_bus(folder, runtime, {**own, **session}))
        session["DBUS_SESSION_BUS_ADDRESS"] = bus
        services = {**own, **session}
        kept.enter_context(running("openbox", environment=services))
        kept.enter_context(
            running(*("trayer", "--edge", "top", "--align", "left"), *_PANEL, environment=services)
        )
        password = home / "password"
        password.write_text(_PASSWORD)
        unlocked = ("bash", "-c", _KEYRING.format(password=password))
        kept.enter_context(running(*unlocked, environment=services))
        print(json.dumps(session), flush=True)
        sys.stdin.read()


@contextmanager
def _bus(folder: Path, runtime: Path, environment: Mapping[str, str]) -> Iterator[str]:
    """Yield the address of a session's bus, which starts services in that environment."""
    settings = folder / "bus.conf"
    settings.write_text(_BUS)
    command = ("dbus-daemon", f"--config-file={settings}", "--nofork", "--nopidfile", "--print-address=1")
    with running(*command, f"--address=unix:dir={runtime}", environment=environment) as daemon:
        yield first_line(daemon).split(",guid")[0]


_PANEL = ("--widthtype", "request", "--height", "32")

if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))

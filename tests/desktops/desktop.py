"""Real parts of a desktop for tests: a display without a screen, private D-Buses, and services played on them."""

import contextlib
import os
import re
import select
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.waiting import COSTLY, DEADLINE, wait_until

LOGIND_PROGRAM = Path("/lib/systemd/systemd-logind")
Process = subprocess.Popen[str]


@contextlib.contextmanager
def running(*command: str, environment: Mapping[str, str] | None = None) -> Iterator[Process]:
    """Run that command, with a readable standard output, and end it when the context exits."""
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, **(environment or {})},
    )
    try:
        yield process
    finally:
        _end(process)
        assert process.stdout
        process.stdout.close()


@contextlib.contextmanager
def x_server(*options: str) -> Iterator[tuple[str, Process]]:
    """A display such as ``:5``, and the server's process; nobody has touched its keyboard or mouse."""
    command = (
        "Xvfb",
        "-displayfd",
        "1",
        "-screen",
        "0",
        "640x480x24",
        "-nolisten",
        "tcp",
        "-noreset",
        *options,
    )
    with running(*command) as server:
        yield f":{first_line(server)}", server


@contextlib.contextmanager
def virtual_display() -> Iterator[str]:
    """A display such as ``:5``."""
    with x_server() as (display, _):
        yield display


def press_key(display: str, key: str = "a") -> None:
    _drive(display, "key", key)


def move_mouse(display: str, x: int, y: int) -> None:
    _drive(display, "mousemove", str(x), str(y))


@contextlib.contextmanager
def wayland_compositor(folder: Path) -> Iterator[tuple[dict[str, str], Process]]:
    """KWin without a screen: the environment of its clients, and its process."""
    # The installed program may take a capability that containers lack, and a copy may not; KWin knows its name.
    program = folder / "kwin_wayland"
    shutil.copyfile(_found("kwin_wayland"), program)
    program.chmod(0o700)
    with private_bus() as bus:
        own = dict.fromkeys(("HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"), str(folder))
        settings = {
            "KWIN_COMPOSE": "Q",
            "KWIN_WAYLAND_NO_PERMISSION_CHECKS": "1",
            "DBUS_SESSION_BUS_ADDRESS": bus,
        }
        options = ("--virtual", "--socket", "wayland-test", "--no-lockscreen", "--no-global-shortcuts")
        with running(str(program), *options, environment={**own, **settings, "DISPLAY": ""}) as compositor:
            wait_until((folder / "wayland-test").exists, "KWin does not come up")
            yield {"XDG_RUNTIME_DIR": str(folder), "WAYLAND_DISPLAY": "wayland-test"}, compositor


@contextlib.contextmanager
def wlroots_compositor(folder: Path) -> Iterator[tuple[dict[str, str], Process]]:
    """Sway without a screen: the environment of its clients, and its process."""
    own = dict.fromkeys(("HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"), str(folder))
    settings = {"WLR_BACKENDS": "headless", "WLR_RENDERER": "pixman", "WLR_LIBINPUT_NO_DEVICES": "1"}
    configuration = folder / "sway.conf"
    configuration.write_text("xwayland disable\n")
    # Sway refuses to run as root, which a container's tests are: it is another user in a namespace of its own then.
    as_user = ("unshare", "--user", "--map-user=1000") if os.geteuid() == 0 else ()
    command = (*as_user, _found("sway"), "--config", str(configuration))
    with running(
        *command, environment={**own, **settings, "DISPLAY": "", "WAYLAND_DISPLAY": ""}
    ) as compositor:
        wait_until((folder / "wayland-1").exists, "Sway does not come up")
        yield {"XDG_RUNTIME_DIR": str(folder), "WAYLAND_DISPLAY": "wayland-1"}, compositor


@contextlib.contextmanager
def gnome_compositor(folder: Path, bus: str) -> Iterator[Process]:
    """GNOME's Mutter without a screen, on that session bus."""
    own = dict.fromkeys(("HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"), str(folder))
    settings = {
        "GSETTINGS_BACKEND": "memory",
        "DBUS_SESSION_BUS_ADDRESS": bus,
        "DISPLAY": "",
        "WAYLAND_DISPLAY": "",
    }
    options = ("--headless", "--wayland", "--no-x11", "--virtual-monitor", "640x480")
    monitor = MockService(bus, "org.gnome.Mutter.IdleMonitor", "/org/gnome/Mutter/IdleMonitor/Core", "")
    with running(_found("mutter"), *options, environment={**own, **settings}) as compositor:
        wait_until(monitor.is_there, "Mutter does not come up", every=COSTLY)
        yield compositor


@contextlib.contextmanager
def bus_daemon(
    address: str | None = None, environment: Mapping[str, str] | None = None
) -> Iterator[tuple[str, Process]]:
    """The address of a D-Bus of its own, to play the session's or the system's, and its process.

    The environment is that of the services that it starts when they are asked for.
    """
    # It does not remove its socket: that is to lie where the tests' own folder takes it away.
    at = address or f"unix:tmpdir={tempfile.gettempdir()}"
    options = ("--session", "--nofork", "--nopidfile", "--print-address=1", f"--address={at}")
    with running("dbus-daemon", *options, environment=environment) as daemon:
        yield first_line(daemon).split(",guid")[0], daemon


@contextlib.contextmanager
def private_bus(environment: Mapping[str, str] | None = None) -> Iterator[str]:
    """The address of a D-Bus of its own, to play the session's or the system's."""
    with bus_daemon(environment=environment) as (address, _):
        yield address


@contextlib.contextmanager
def mock_service(
    address: str, name: str, path: str, interface: str, *, template: str | None = None
) -> Iterator["MockService"]:
    """A service on that bus, played by python-dbusmock; empty, or as a template of it describes."""
    described = ["--template", template] if template else []
    # The address stands in for both buses: a template chooses one of them by itself.
    buses = {"DBUS_SESSION_BUS_ADDRESS": address, "DBUS_SYSTEM_BUS_ADDRESS": address}
    command = [
        "/usr/bin/python3",
        "-m",
        "dbusmock",
        *described,
        *([] if template else [name, path, interface]),
    ]
    with running(*command, environment=buses):
        service = MockService(address, name, path, interface)
        wait_until(service.is_there, f"{name} does not come up", every=COSTLY)
        yield service


@contextlib.contextmanager
def real_logind(address: str) -> Iterator["MockService"]:
    """systemd's own logind on that bus, as root: with folders of its own in place of the machine's."""
    own_folders = "mount -t tmpfs tmpfs /run && mkdir /run/systemd /run/udev"
    command = ("unshare", "--mount", "sh", "-c", f"{own_folders} && exec {LOGIND_PROGRAM}")
    with running(*command, environment={"DBUS_SYSTEM_BUS_ADDRESS": address}):
        service = MockService(
            address, "org.freedesktop.login1", "/org/freedesktop/login1", "org.freedesktop.login1.Manager"
        )
        wait_until(service.is_there, "logind does not come up", every=COSTLY)
        yield service


class MockService:
    """The control interface through which tests direct a mock service."""

    def __init__(self, address: str, name: str, path: str, interface: str) -> None:
        self._address = address
        self._name = name
        self._path = path
        self._interface = interface

    def is_there(self) -> bool:
        call = (
            f"--dest={self._name}",
            f"--object-path={self._path}",
            "--method=org.freedesktop.DBus.Peer.Ping",
        )
        return self._run("call", *call).returncode == 0

    def at(self, path: str, interface: str) -> "MockService":
        """Another object of the service, which is there."""
        return MockService(self._address, self._name, path, interface)

    def add_object(self, path: str, interface: str, methods: str = "[]") -> "MockService":
        """Another object of the service; ``methods`` such as ``[('Get', 's', 's', 'ret = args[0]')]``."""
        self.control("AddObject", path, interface, "{}", methods)
        return self.at(path, interface)

    def call(self, method: str, *arguments: str) -> str:
        """Call a method of its own; the answer as text."""
        answer = self._run("call", *self._at(f"{self._interface}.{method}"), *arguments)
        assert answer.returncode == 0, answer.stderr
        return answer.stdout

    def add_method(self, method: str, takes: str, gives: str, code: str) -> None:
        """``code``: Python that sets ``ret``; see python-dbusmock."""
        self.control("AddMethod", self._interface, method, takes, gives, code)

    def add_property(self, name: str, value: str) -> None:
        """The value in GVariant's text format, such as ``<true>`` or ``<uint32 3>``."""
        self.control("AddProperty", self._interface, name, value)

    def set_property(self, name: str, value: str) -> None:
        """Change it, and tell so by PropertiesChanged."""
        answer = self._run(
            "call", *self._at("org.freedesktop.DBus.Properties.Set"), self._interface, name, value
        )
        assert answer.returncode == 0, answer.stderr

    def emit(self, signal: str, signature: str, values: str) -> None:
        """The values as an array of variants in GVariant's text format, such as ``[<uint32 1>]``."""
        self.control("EmitSignal", self._interface, signal, signature, values)

    def calls(self, method: str) -> int:
        """Return the number of calls of the method."""
        return len(re.findall(r"\((?:uint64 )?\d+, (?:@av )?\[", self.control("GetMethodCalls", method)))

    def control(self, method: str, *arguments: str) -> str:
        """Call a method of python-dbusmock's own interface; its answer as text."""
        answer = self._run("call", *self._at(f"org.freedesktop.DBus.Mock.{method}"), *arguments)
        assert answer.returncode == 0, answer.stderr
        return answer.stdout

    def _at(self, method: str) -> tuple[str, ...]:
        return (f"--dest={self._name}", f"--object-path={self._path}", f"--method={method}")

    def _run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = ["gdbus", arguments[0], f"--address={self._address}", *arguments[1:]]
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=DEADLINE)


def first_line(process: subprocess.Popen[str]) -> str:
    assert process.stdout
    ready, _, _ = select.select([process.stdout], [], [], DEADLINE)
    line = process.stdout.readline().strip() if ready else ""
    assert line, f"{process.args!r} does not come up"
    return line


def _end(process: Process) -> None:
    """Asked to, an X server removes its lock and its socket."""
    process.send_signal(signal.SIGCONT)
    process.terminate()
    try:
        process.wait(DEADLINE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _found(program: str) -> str:
    path = shutil.which(program)
    assert path, f"{program} is not installed"
    return path


def _drive(display: str, *deed: str) -> None:
    subprocess.run(["xdotool", *deed], check=True, env={**os.environ, "DISPLAY": display}, timeout=DEADLINE)

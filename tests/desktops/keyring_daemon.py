"""A real gnome-keyring on a D-Bus of its own, unlocked or locked, with a home that is none of this user's."""

import contextlib
import subprocess
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from tempfile import TemporaryDirectory

from jeepney import MatchRule, Message, MessageType
from jeepney.bus_messages import Monitoring, message_bus
from jeepney.io.blocking import DBusConnection, Proxy, open_dbus_connection

from core.children import processes
from tests.desktops.desktop import first_line, running
from tests.processes.process_tree import MARK
from tests.waiting import COSTLY, DEADLINE, wait_until

_PASSWORD = "correct horse"
_NAME = "org.freedesktop.secrets"
NO_BUS = {"DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent/bus", "DISPLAY": "", "WAYLAND_DISPLAY": ""}
"""The environment of a login without a desktop."""


class Comeback(Enum):
    """What becomes of a keyring that has ended when a program asks for it."""

    LOCKED = ""
    """The bus starts it as it does on a desktop: it waits for its password."""
    UNLOCKED = "exec gnome-keyring-daemon --foreground --components=secrets --unlock < {password}"
    """The bus starts it, and it needs no password."""
    NEVER = "exit 1"


@dataclass(frozen=True)
class KeyringDaemon:
    environment: Mapping[str, str]
    """Variables of the environment of programs that use it."""
    pid: int
    mark: str

    @property
    def address(self) -> str:
        """The address of its bus."""
        return self.environment["DBUS_SESSION_BUS_ADDRESS"]

    @property
    def bus_pid(self) -> int:
        """The number of its bus's process."""
        named = {
            process.pid: Path(f"/proc/{process.pid}/comm") for process in processes.marked(MARK, self.mark)
        }
        return next(pid for pid, path in named.items() if _contents(path).strip() == "dbus-daemon")

    def pid_at_present(self) -> int:
        """Return its process's number, which changes when the bus starts it again."""
        with open_dbus_connection(self.address, auth_timeout=DEADLINE) as connection:
            (pid,) = Proxy(message_bus, connection).GetConnectionUnixProcessID(_NAME)
        return int(pid)

    @contextlib.contextmanager
    def overheard(self) -> Iterator[Iterator[Message]]:
        """Yield the calls to the keyring, of all programs; waiting for the next one has an end."""
        with open_dbus_connection(self.address, auth_timeout=DEADLINE) as connection:
            calls = MatchRule(type=MessageType.method_call).serialise()
            Proxy(Monitoring(), connection).BecomeMonitor([f"{calls},destination='{_NAME}'"])
            yield _calls_at(connection)

    def prompts(self) -> int:
        """Return the number of windows that ask for its password."""
        named = (Path(f"/proc/{process.pid}/comm") for process in processes.marked(MARK, self.mark))
        return sum(_contents(path).strip() == "gcr-prompter" for path in named)


def _calls_at(monitor: DBusConnection) -> Iterator[Message]:
    while True:
        message = monitor.receive(timeout=DEADLINE)
        # The bus also says that the monitor has lost its name.
        if message.header.message_type is MessageType.method_call:
            yield message


@contextlib.contextmanager
def keyring_daemon(
    home: Path, display: str = "", locked: bool = False, comeback: Comeback = Comeback.LOCKED
) -> Iterator[KeyringDaemon]:
    """Run a keyring that stores its data under `home`; if locked, it asks for its password on the display."""
    own = _environment(home, display)
    _prepare(home, comeback)
    # A socket's path may have 107 bytes, and a test's own folder is deep.
    with TemporaryDirectory(prefix="kr-") as runtime, _bus(own | {"XDG_RUNTIME_DIR": runtime}) as address:
        environment = {**own, "XDG_RUNTIME_DIR": runtime, "DBUS_SESSION_BUS_ADDRESS": address}
        with _daemon(environment, f"--unlock < {_password(home)}") as daemon:
            if not locked:
                yield KeyringDaemon(environment, daemon.pid, own[MARK])
                return
            daemon.terminate()
            daemon.wait(20)
            wait_until(lambda: not _has_service(environment), "gnome-keyring does not go", every=COSTLY)
        with _daemon(environment, "--start") as daemon:
            yield KeyringDaemon(environment, daemon.pid, own[MARK])


def _environment(home: Path, display: str) -> dict[str, str]:
    folders = {name: home / name for name in ("data", "config", "cache")}
    for folder in folders.values():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    variables = {f"XDG_{name.upper()}_HOME": str(folder) for name, folder in folders.items()}
    own = {"HOME": str(home), "DISPLAY": display, "WAYLAND_DISPLAY": "", MARK: uuid.uuid4().hex}
    return variables | own


@contextlib.contextmanager
def _bus(environment: Mapping[str, str]) -> Iterator[str]:
    """Run a bus; processes that it starts on demand, such as a prompt, end with it."""
    options = ("--session", "--nofork", "--nopidfile", "--print-address=1")
    with running("dbus-daemon", *options, environment=environment) as daemon:
        try:
            yield first_line(daemon).split(",guid")[0]
        finally:
            for process in processes.marked(MARK, environment[MARK]):
                if process.pid != daemon.pid:
                    processes.kill(process.pid)


def _prepare(home: Path, comeback: Comeback) -> None:
    """Write the password, and what the bus does to start the keyring, unless that is what the system says."""
    _password(home).write_text(_PASSWORD)
    if comeback is Comeback.LOCKED:
        return
    script, services = home / "start", home / "data" / "dbus-1" / "services"
    script.write_text(comeback.value.format(password=_password(home)))
    services.mkdir(parents=True)
    service = f"[D-BUS Service]\nName={_NAME}\nExec=/bin/sh {script}\n"
    (services / f"{_NAME}.service").write_text(service)


def _password(home: Path) -> Path:
    return home / "password"


@contextlib.contextmanager
def _daemon(environment: Mapping[str, str], how: str) -> Iterator[subprocess.Popen[str]]:
    command = f"exec gnome-keyring-daemon --foreground --components=secrets {how}"
    with running("bash", "-c", command, environment=environment) as daemon:
        wait_until(lambda: _has_service(environment), "gnome-keyring does not come up", every=COSTLY)
        yield daemon


def _has_service(environment: Mapping[str, str]) -> bool:
    call = ("--dest=org.freedesktop.DBus", "--object-path=/", "--method=org.freedesktop.DBus.NameHasOwner")
    address = f"--address={environment['DBUS_SESSION_BUS_ADDRESS']}"
    answer = subprocess.run(
        ["gdbus", "call", address, *call, _NAME],
        capture_output=True,
        text=True,
        check=False,
    )
    return "true" in answer.stdout


def _contents(path: Path) -> str:
    try:
        return path.read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""

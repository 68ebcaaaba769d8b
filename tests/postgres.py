"""A real PostgreSQL for tests: a server of their own on a Unix socket, started when first needed, gone at the end."""

import os
import pwd
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg

from tests.waiting import wait_until

_SETTINGS = {
    "listen_addresses": "",
    "fsync": "off",  # nobody cuts the power of a test
    "autovacuum": "off",
    "shared_buffers": "16MB",
    "max_connections": "60",
}


@dataclass
class PostgresServer:
    """A server; a database takes it a while and 7 MB, so tests that only want tables without rows empty one."""

    socket: Path
    _command: list[str]
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))
    _process: "subprocess.Popen[bytes] | None" = None

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        self._process = _run(self._command, str(self.socket))
        wait_until(self.is_up, "PostgreSQL did not come up")

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """End all connections and the server, as the system does before it is updated; it can start again.

        SIGQUIT has it end at once, without saving anything.
        """
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(30)

    def new_database(self) -> str:
        """SQLAlchemy's address of one without a table."""
        name = f"test_{next(self._numbers)}"
        with self._connect() as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE template0")
        return f"postgresql://postgres@/{name}?host={self.socket}"

    def end_connections(self) -> None:
        """End all clients' connections, as a restart does; clients notice at their next query."""
        with self._connect() as connection:
            others = "pid <> pg_backend_pid() AND backend_type = 'client backend'"
            connection.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}")

    def is_up(self) -> bool:
        try:
            self._connect().close()
        except psycopg.OperationalError:
            return False
        return True

    def _connect(self) -> "psycopg.Connection[tuple[object, ...]]":
        return psycopg.connect(f"host={self.socket} user=postgres dbname=postgres", autocommit=True)


@contextmanager
def postgres_server(**changed: str) -> Iterator[PostgresServer]:
    """A server that ends with the test session, even one that is killed; ``changed`` are settings of its."""
    # Below /tmp, since the tests' own folder is closed to the server's user and its path too long for a socket.
    with TemporaryDirectory(prefix="pg-", dir="/tmp") as folder:
        _give_away(Path(folder))
        data = Path(folder) / "data"
        how = ("--username=postgres", "--auth=trust", "--encoding=UTF8", "--no-locale", "--no-sync")
        _run([_program("initdb"), f"--pgdata={data}", *how], folder).wait()
        settings = [f"--{name}={value}" for name, value in {**_SETTINGS, **changed}.items()]
        # The kernel tells the server when this process dies, however that comes.
        command = ["setpriv", "--pdeathsig", "INT", _program("postgres"), "-D", str(data), "-k", folder]
        server = PostgresServer(Path(folder), [*command, *settings])
        try:
            server.start()
            yield server
        finally:
            server.stop(signal.SIGQUIT)  # what it holds is thrown away


def _give_away(folder: Path) -> None:
    """The server refuses to run as root."""
    if os.geteuid() == 0:
        user = pwd.getpwnam("postgres")
        os.chown(folder, user.pw_uid, user.pw_gid)


def _run(command: list[str], folder: str) -> "subprocess.Popen[bytes]":
    user = "postgres" if os.geteuid() == 0 else None
    with (Path(folder) / "log").open("ab") as log:
        return subprocess.Popen(
            command,
            user=user,
            group=user,
            extra_groups=[] if user else None,
            cwd=folder,
            stdout=log,
            stderr=log,
        )


def _program(name: str) -> str:
    """Debian keeps the server's programs out of the search path."""
    installed = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    found = str(installed[-1]) if installed else shutil.which(name)
    assert found, f"PostgreSQL's {name} is not installed"
    return found

"""The website's real processes under a coordinator, on PostgreSQL: they share a port, and the killed come back."""

import asyncio
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import httpx2
import psutil
import pytest

from coordinator.errors import SettingsError, WebError
from coordinator.home import Home
from coordinator.serving.coordinator import Coordinator
from coordinator.serving.foreground import serve
from coordinator.serving.programs import Modules, Programs, Secrets
from coordinator.serving.view import ServedProcess, ServingView, Stage
from coordinator.settings import Settings
from coordinator.web.listener import listening
from tests.coordinator.homes import free_port, loopback_settings, make_home
from tests.coordinator.stand_in_serve import STAND_INS
from tests.postgres import PostgresServer
from tests.waiting import eventually

_PROCESSES = 3
_READERS = 4
_WITH_REAL_WEBSITE = replace(STAND_INS, web=Modules().web)


def _settings(port: int) -> Settings:
    settings = loopback_settings()
    web = settings.web.model_copy(update={"processes": _PROCESSES, "port": port})
    return settings.model_copy(update={"web": web})


class WebsiteReaders:
    """Clients that read ten times a second at most, which is allowed, each on a new connection each time."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._over = threading.Event()
        self.answered, self.lost = 0, 0

    @contextmanager
    def reading(self) -> Iterator[None]:
        threads = [threading.Thread(target=self._read) for _ in range(_READERS)]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self._over.set()
            for thread in threads:
                thread.join()

    def _read(self) -> None:
        while not self._over.is_set():
            try:
                # a client that verifies reads the system's certificates, which takes more than the request
                answer = httpx2.get(f"{self._address}/api/pace", timeout=20, verify=False)
                assert answer.status_code == 200
                self.answered += 1
            except httpx2.TransportError:
                self.lost += 1
            self._over.wait(0.1)


# A port that is stated takes the same path, without that of the first process being told to the others.
@pytest.mark.parametrize(
    "port", [0, pytest.param(None, marks=pytest.mark.exhaustive)], ids=["any port", "a port"]
)
def test_a_process_that_is_killed_loses_its_own_requests_alone_and_comes_back(
    postgres: PostgresServer, tmp_path: Path, port: int | None
) -> None:
    settings = _settings(free_port() if port is None else port)
    home, address = make_home(tmp_path, settings), postgres.new_database()
    views: list[ServingView] = []

    def runs() -> bool:
        return views[-1].stage(ServedProcess.WEB) is Stage.RUNNING

    async def scenario() -> None:
        coordinator = Coordinator(
            Programs(home, settings, Secrets(address), _WITH_REAL_WEBSITE), views.append
        )
        coordinator.open_up()
        running = asyncio.ensure_future(coordinator.run())
        try:
            await eventually(lambda: bool(views) and runs(), "the website does not answer")
            victim, *others = _website()
            assert len(others) == _PROCESSES - 1
            readers = WebsiteReaders(str(views[-1].web))
            with readers.reading():
                await eventually(lambda: _counting(home) >= {victim, *others}, "one gets no requests")
                os.kill(victim, signal.SIGKILL)
                await eventually(lambda: not runs(), "its end is not noticed")
                before = readers.answered
                await eventually(lambda: readers.answered > before + 20, "the others do not answer")
                await eventually(runs, "it is not started again")
                await eventually(lambda: _counting(home) >= set(_website()), "the new one gets no requests")
            assert readers.lost <= _READERS
            assert set(others) < set(_website())
            assert "The website's process" in views[-1].notices[-1]
            assert f"of {_PROCESSES}" in views[-1].notices[-1]
        finally:
            coordinator.stop()
            await running

    asyncio.run(scenario())
    assert _website() == []


def _website() -> list[int]:
    """Process ids of the website's processes of this test."""
    found = []
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            command = process.cmdline()  # empty for one that has ended
            if command[-1:] == [Modules().web] and "core.children.guard" not in command:
                found.append(process.pid)
    return found


def _counting(home: Home) -> set[int]:
    """Process ids of those that have answered requests."""
    return {int(file.stem.rpartition("_")[2]) for file in home.counts.glob("counter_*.db")}


def test_several_processes_on_sqlite_are_refused_before_anything_is_started(tmp_path: Path) -> None:
    settings = _settings(free_port())
    home = make_home(tmp_path, settings)
    shown: list[ServingView] = []
    with pytest.raises(SettingsError, match=r"web\.processes is 3.* need PostgreSQL"):
        serve(home, {}, shown.append, STAND_INS)
    assert not shown


def test_a_port_that_several_processes_of_another_website_share_is_reported(
    postgres: PostgresServer, tmp_path: Path
) -> None:

    settings = _settings(free_port())
    home = make_home(tmp_path, settings)
    with (
        listening(settings.web.host, settings.web.port, shared=True),
        pytest.raises(WebError, match="choose another"),
    ):
        serve(home, {"DATABASE_URL": postgres.new_database()}, lambda _: None, STAND_INS)

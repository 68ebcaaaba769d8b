"""The website's process as the coordinator starts it: it serves, ends with its input, and says what hinders it."""

import socket
from pathlib import Path
from unittest.mock import Mock

import httpx2
import psutil
import pytest

from coordinator.messages import StartWeb, WebReady
from coordinator.settings import PackageSettings, Settings, Web
from coordinator.web.process import serve
from core.errors import CoreError
from core.messages.children import Failed, Heartbeat
from core.messages.lines import Channel
from tests.coordinator.packages.built import DEB, build
from tests.coordinator.web.sites import fill, site
from tests.coordinator.web.website_process import first_message, started


def test_it_serves_until_its_input_ends_and_answers_streams_to_their_end(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with site(home) as made:
        fill(made, epochs=2)
    with started(home) as process:
        ready = first_message(process, WebReady)
        assert isinstance(ready, WebReady)
        mapped = [file.path for file in psutil.Process(process.pid).memory_maps()]
        assert not any("libtorch" in path for path in mapped), (
            "it loads torch, which takes seconds and memory"
        )
        with httpx2.Client(base_url=ready.address, timeout=20) as client:
            page = client.get("/dashboard", headers={"Accept": "text/html"})
            assert page.status_code == 200
            assert "server" not in page.headers
            assert client.get("/healthz").json()["database"] == "ok"
            with client.stream("GET", "/api/events") as stream:
                lines = stream.iter_lines()
                assert "event: status" in (next(lines), next(lines))
                first_message(process, Heartbeat)
                process.stdin.close()  # type: ignore[union-attr]
                assert [line for line in lines if line.startswith("event")] == []
        assert process.wait(20) == 0


def test_a_port_that_is_taken_is_reported_in_words(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, site(tmp_path / "home"):
        port = taken.getsockname()[1]
        with started(tmp_path / "home", port) as process:
            failed = first_message(process, Failed)
    assert isinstance(failed, Failed)
    assert failed.code == "web"
    assert str(port) in failed.what


def test_a_home_without_its_key_is_reported_in_words(tmp_path: Path) -> None:
    with site(tmp_path / "home", settings=Settings(web=Web(port=0))):
        (tmp_path / "home" / "keys" / "gate.pem").unlink()
    with started(tmp_path / "home") as process:
        failed = first_message(process, Failed)
    assert isinstance(failed, Failed)
    assert "gate.pem" in failed.what


def refused(home: Path) -> CoreError:
    """What hinders a website, before it has told anything; its process reports such errors as those above."""
    channel = Mock(spec=Channel)
    start = StartWeb(home=home, port=0, database=f"sqlite:///{home / 'coordinator.sqlite'}")
    with pytest.raises(CoreError) as raised:
        serve(start, channel, Mock())
    assert not channel.method_calls
    return raised.value


@pytest.mark.parametrize("missing", ["coordinator.toml", "run/run.toml"])
def test_a_home_that_lacks_something_is_named(tmp_path: Path, missing: str) -> None:
    with site(tmp_path / "home", settings=Settings(web=Web(port=0))):
        (tmp_path / "home" / missing).unlink()
    assert missing.rpartition("/")[2] in refused(tmp_path / "home").what


def test_packages_that_are_missing_are_named(tmp_path: Path) -> None:
    build(tmp_path / "packages")
    (tmp_path / "packages" / DEB).unlink()
    settings = Settings(web=Web(port=0), packages=PackageSettings(folder="../packages"))
    with site(tmp_path / "home", settings=settings):
        error = refused(tmp_path / "home")
    assert error.code == "packages"
    assert DEB in error.what

"""The pages as files: they work on a server that has only files, follow the run, and hold nothing personal."""

import asyncio
import re
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import expect, sync_playwright
from sqlalchemy import delete

from coordinator.database.tables import Frame, SwarmNow
from coordinator.errors import DatabaseError, HomeError
from coordinator.web.static_site import PAGES, StaticSite, follow
from tests.coordinator.web.sites import PEOPLE, ServedSite, add_epochs, fill, say_now


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "pages"


@pytest.fixture
def written(changing: ServedSite, folder: Path) -> StaticSite:
    """The pages of a full site, written once."""
    fill(changing)
    made = StaticSite(changing.context, folder)
    assert asyncio.run(made.write()) > 30
    return made


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing of requests."""


@contextmanager
def file_server(folder: Path) -> Iterator[str]:
    """The address of a server that has nothing but the files of a folder."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def _pages(folder: Path) -> dict[str, str]:
    return {path: (folder / path.strip("/") / "index.html").read_text() for path in PAGES}


def test_every_link_and_file_of_a_page_is_there_or_leads_to_the_website(
    written: StaticSite, folder: Path, changing: ServedSite
) -> None:
    address = changing.context.settings.address
    for path, page in _pages(folder).items():
        links = re.findall(r'\s(?:href|src|action)="([^"]*)"', page)
        local = [link.partition("#")[0] for link in links if link.startswith("/")]
        assert local, path
        for link in local:
            place = folder / link.strip("/")
            assert place.is_file() or (place / "index.html").is_file(), (path, link)
        assert f"{address}/join" in links


def test_a_dashboard_on_a_server_of_files_shows_curves_and_follows_the_run(
    written: StaticSite, folder: Path, changing: ServedSite
) -> None:
    with file_server(folder) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        page = browser.new_page(base_url=address)
        page.goto("/dashboard")
        expect(page.locator(".live")).to_have_text("Live")
        expect(page.locator(".uplot canvas")).to_have_count(5)
        expect(page.locator("[data-live=epoch]")).to_have_text("40")
        add_epochs(changing, PEOPLE, range(41, 42))
        with ThreadPoolExecutor(1) as thread:  # the browser has a loop in this one
            assert thread.submit(asyncio.run, written.write()).result() > 0
        expect(page.locator("[data-live=epoch]")).to_have_text("41", timeout=40_000)
        browser.close()


def test_only_what_has_changed_is_written_and_what_is_gone_is_deleted(
    written: StaticSite, folder: Path, changing: ServedSite
) -> None:
    changing.clock.seconds += 10
    assert asyncio.run(written.write()) == 0
    pictures = set((folder / "frames").rglob("*/*/*"))
    assert len(pictures) == 4
    with changing.database.session() as session:
        session.execute(delete(Frame).where(Frame.epoch == 10))
    say_now(changing, 40, training=9)
    asyncio.run(asyncio.sleep(1.1))  # past the pages that are kept for a second
    assert 0 < asyncio.run(written.write()) < 10
    gone = pictures - set((folder / "frames").rglob("*/*/*"))
    assert [place.parent.name for place in gone] == ["10"]


def test_nothing_that_is_hidden_or_personal_is_written(written: StaticSite, folder: Path) -> None:
    for place in folder.rglob("*"):
        if place.is_file():
            content = place.read_bytes()
            assert b"shy-person" not in content, place
            assert b"idlebrush=" not in content, place
    assert not (folder / "me").exists()


def test_the_folder_keeps_the_last_pages_while_the_database_is_away(
    written: StaticSite, folder: Path, changing: ServedSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = _pages(folder)

    def away() -> None:
        raise DatabaseError("It is away.", "Wait.")

    asyncio.run(asyncio.sleep(1.1))  # past the pages that are kept for a second
    monkeypatch.setattr(changing.database, "reading", away)
    assert asyncio.run(written.write()) == 0
    assert _pages(folder) == before


def test_a_folder_with_files_of_others_is_refused(changing: ServedSite, folder: Path) -> None:
    folder.mkdir()
    (folder / "thesis.txt").write_text("years of work")
    with pytest.raises(HomeError, match="not these pages"):
        StaticSite(changing.context, folder)
    assert (folder / "thesis.txt").read_text() == "years of work"


def test_a_run_that_has_not_begun_has_pages_without_numbers(changing: ServedSite, folder: Path) -> None:
    with changing.database.session() as session:
        session.execute(delete(SwarmNow))
    asyncio.run(StaticSite(changing.context, folder).write())
    assert _pages(folder)
    assert not (folder / "api" / "status").exists()


def test_the_pages_are_written_again_and_again(changing: ServedSite, folder: Path) -> None:
    fill(changing, epochs=2)
    turns: list[float] = []

    async def pause(seconds: float) -> None:
        turns.append(seconds)
        if len(turns) == 3:
            raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(follow(StaticSite(changing.context, folder), 5.0, pause))
    assert turns == [5.0] * 3

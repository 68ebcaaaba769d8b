"""A real nginx in front of the website's process: a crowd costs few requests, and nobody gets what is another's."""

import re
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import httpx2
import pytest
from sqlalchemy import select

from coordinator.database.connect import Database
from coordinator.database.tables import User
from coordinator.gate.memberships import begin
from coordinator.gate.pages import give_code
from coordinator.messages import WebReady
from coordinator.settings import GateSettings, Settings, Web
from tests.coordinator.web.sites import ServedSite, fill, site
from tests.coordinator.web.website_process import first_message, started
from tests.nginx import caching_proxy

_BROWSERS = (
    {"Accept": "text/html,*/*;q=0.8", "Accept-Encoding": "gzip, deflate, br", "User-Agent": "one"},
    {"Accept": "text/html", "Accept-Encoding": "gzip, deflate, br, zstd", "User-Agent": "another"},
    {"Accept": "*/*", "Accept-Encoding": "identity", "User-Agent": "a program"},
)
_READERS = 600
_LONGEST_READING = 7.0
"""Seconds, in which what the proxy keeps becomes stale once."""
_FRESH_SECONDS = 5.0
_OWN_FORM = {"Sec-Fetch-Site": "same-origin"}


@dataclass(frozen=True)
class ProxiedSite:
    """A website behind a proxy, by the addresses of both."""

    website: str
    proxy: str
    database: Database

    @contextmanager
    def browser(self, headers: Mapping[str, str] = _BROWSERS[0]) -> Iterator[httpx2.Client]:
        with httpx2.Client(base_url=self.proxy, verify=False, headers=headers, timeout=20) as client:
            yield client

    def sign_in(self, browser: httpx2.Client, name: str) -> None:
        with self.database.session() as session:
            user = session.scalars(select(User).where(User.name == name)).one()
            code = give_code(session, user, datetime.now(UTC))
        entered = browser.post("/me/enter", data={"code": code}, headers=_OWN_FORM)
        assert (entered.status_code, entered.headers["location"]) == (303, "/me")

    def answered(self, route: str) -> int:
        """How often the website itself has answered a route."""
        text = httpx2.get(f"{self.website}/metrics").text
        counts = re.findall(rf'idlebrush_http_requests_total{{.*route="{re.escape(route)}".*}} (\S+)', text)
        return round(sum(map(float, counts)))


@contextmanager
def _site(folder: Path) -> Iterator[ServedSite]:
    gate = GateSettings(client_id="ours")
    settings = Settings(address="https://train.example.org", web=Web(port=0, behind_proxy=True), gate=gate)
    with site(folder / "home", settings=settings) as made:
        fill(made)
        yield made


@pytest.fixture(scope="module")
def proxied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ProxiedSite]:
    folder = tmp_path_factory.mktemp("proxied")
    with _site(folder) as made, started(folder / "home") as process:
        ready = first_message(process, WebReady)
        assert isinstance(ready, WebReady)
        with caching_proxy(ready.address) as proxy:
            yield ProxiedSite(ready.address, proxy, made.database)


@pytest.mark.parametrize("path", ["/dashboard", "/api/history?points=500"])
def test_a_crowd_of_readers_costs_the_coordinator_a_few_requests(proxied: ProxiedSite, path: str) -> None:
    began = time.monotonic()

    def read(number: int) -> tuple[int, str]:
        with proxied.browser(_BROWSERS[number % len(_BROWSERS)]) as browser:
            answers: list[httpx2.Response] = []
            while len(answers) < _READERS // 6 or time.monotonic() < began + _LONGEST_READING:
                answers.append(browser.get(path))
                time.sleep(_LONGEST_READING / (_READERS // 6) / 2)
            assert {answer.status_code for answer in answers} == {200}
            return len(answers), answers[0].text[:20]

    before = proxied.answered(path.partition("?")[0])
    with ThreadPoolExecutor(6) as readers:
        found = list(readers.map(read, range(6)))
    assert sum(count for count, _ in found) >= _READERS
    assert len({text for _, text in found}) == 1
    # each kind of browser has a copy of its own; those who come first all fetch it, and one reader each time later
    assert 0 < proxied.answered(path.partition("?")[0]) - before <= _READERS / 30


def test_a_page_that_is_somebodys_own_is_handed_to_nobody_else(proxied: ProxiedSite) -> None:
    with proxied.browser() as ada, proxied.browser() as grace, proxied.browser() as stranger:
        for path in ("/me", "/leaderboard", "/volunteers/shy-person"):
            stranger.get(path)  # so that the proxy could have kept what a stranger gets
        proxied.sign_in(ada, "shy-person")
        proxied.sign_in(grace, "grace")
        for _ in range(2):
            assert "shy-person" in ada.get("/me").text
            assert "shy-person" in ada.get("/leaderboard").text
            assert ada.get("/volunteers/shy-person").status_code == 200
        for other in (grace, stranger):
            assert "shy-person" not in other.get("/me").text
            assert "shy-person" not in other.get("/leaderboard").text
            assert other.get("/volunteers/shy-person").status_code == 404
        assert "grace" in grace.get("/me").text
        assert "Set-Cookie" not in stranger.get("/leaderboard").headers


def test_a_members_answer_of_the_api_is_handed_to_nobody_else(proxied: ProxiedSite) -> None:
    with proxied.database.session() as session:
        user = session.scalars(select(User).where(User.name == "shy-person")).one()
        secret = begin(session, user, 1.0, datetime.now(UTC))
    path = "/api/leaderboard?limit=5"
    with proxied.browser() as browser:
        assert browser.get(path).json()["own"] is None
        answer = browser.get(path, headers={"Authorization": f"Bearer {secret}"})
        assert answer.json()["own"]["name"] == "shy-person"
        assert answer.headers["cache-control"] == "no-store"
        assert browser.get(path).json()["own"] is None
        assert browser.get(path, headers={"Authorization": "Bearer of-nobody"}).status_code == 401


def test_a_stream_comes_through_as_it_is_sent(proxied: ProxiedSite) -> None:
    with proxied.browser() as browser, browser.stream("GET", "/api/events") as stream:
        assert "event: status" in (line for line in stream.iter_lines())


def test_readers_have_the_last_page_while_the_coordinator_is_away(tmp_path: Path) -> None:
    with _site(tmp_path), started(tmp_path / "home") as process:
        ready = first_message(process, WebReady)
        assert isinstance(ready, WebReady)
        with (
            caching_proxy(ready.address) as proxy,
            httpx2.Client(base_url=proxy, verify=False, headers=_BROWSERS[0]) as browser,
        ):
            page = browser.get("/dashboard")
            process.kill()
            process.wait()
            time.sleep(_FRESH_SECONDS + 1)
            later = browser.get("/dashboard")
            assert (later.status_code, later.text) == (200, page.text)
            assert browser.get("/me").status_code == 502

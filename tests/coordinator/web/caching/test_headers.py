"""Who may keep a response: proxies what is everybody's, and nobody what is somebody's own, signed or a refusal."""

import re
from collections.abc import Iterator, Sequence

import pytest
from starlette.routing import BaseRoute, Route
from starlette.testclient import TestClient

from coordinator.web.app import create_app
from coordinator.web.caching.headers import SHARED, varying
from tests.coordinator.web.sites import ServedSite

_EVERYBODYS = (
    "/",
    "/dashboard",
    "/gallery",
    "/leaderboard",
    "/leaderboard?by=time",
    "/volunteers/ada",
    "/method",
    "/checkpoints",
    "/api/status",
    "/api/history?points=500",
    "/api/leaderboard",
    "/api/frames",
    "/api/pace",
)
_NOBODYS = (
    "/me",
    "/me/enter?code=a",
    "/me/receipts.json",
    "/volunteers/ada/certificate",
    "/volunteers/ada/certificate.json",
    "/volunteers/nobody",
    "/nothing",
    "/api/receipts",
    "/api/moderation/members",
    "/leaderboard?by=nothing",
    "/metrics",
    "/healthz",
)
_PERSONS = ({"Cookie": "idlebrush=a"}, {"Cookie": "another=b"}, {"Authorization": "Bearer a"})
_FOR_ALL = re.compile(r"public, max-age=(86400|300|31536000(, s-maxage=60)?, immutable)|no-cache")


@pytest.mark.parametrize("path", _EVERYBODYS)
def test_a_proxy_may_keep_what_is_everybodys_for_seconds(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == SHARED
    assert answer.headers["etag"]
    assert {"Accept-Encoding", "Authorization", "Cookie"} == set(answer.headers["vary"].split(", "))
    again = client.get(path, headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.headers["cache-control"]) == (304, SHARED)


@pytest.mark.parametrize("path", _NOBODYS)
def test_no_cache_may_keep_what_is_somebodys_own_or_signed_or_a_refusal(
    client: TestClient, path: str
) -> None:
    assert client.get(path).headers.get_list("cache-control") == ["no-store"]


@pytest.mark.parametrize("headers", _PERSONS, ids=["cookie", "another cookie", "bearer"])
def test_no_cache_may_keep_any_answer_to_somebody_but_files_that_are_the_same_for_all(
    client: TestClient, full: ServedSite, headers: dict[str, str]
) -> None:
    paths = set(_read(create_app(full.context).routes))
    asked = [path for path in paths if "{" not in path and path != "/api/events"]
    assert len(asked) > 20
    for path in (*asked, "/volunteers/ada", "/static/0/site.css"):
        stated = client.get(path, headers=headers).headers["cache-control"]
        assert stated == "no-store" or _FOR_ALL.fullmatch(stated), path
        assert "s-maxage=5" not in stated


def _read(routes: Sequence[BaseRoute]) -> Iterator[str]:
    """The paths that are read, those of included routers too."""
    for route in routes:
        if inner := getattr(route, "original_router", None):
            yield from _read(inner.routes)
        elif isinstance(route, Route) and "GET" in (route.methods or ()):
            yield route.path


def test_a_picture_that_may_be_taken_down_is_kept_by_proxies_for_a_minute(client: TestClient) -> None:
    (address, *_) = re.findall(r"/frames/\d+/\d+/\w+", client.get("/gallery").text)
    assert "s-maxage=60," in client.get(address).headers["cache-control"]


def test_the_page_for_newcomers_is_kept_by_no_proxy_as_it_depends_on_the_system(client: TestClient) -> None:
    headers = client.get("/join").headers
    assert headers["cache-control"] == "no-cache"
    assert "User-Agent" in headers["vary"]


@pytest.mark.parametrize(
    ("given", "whole"),
    [
        (b"", b"Accept-Encoding, Authorization, Cookie"),
        (b"User-Agent", b"User-Agent, Accept-Encoding, Authorization, Cookie"),
        (b"cookie, Accept", b"cookie, Accept, Accept-Encoding, Authorization"),
    ],
)
def test_names_are_added_to_vary_once(given: bytes, whole: bytes) -> None:
    assert varying(given) == whole

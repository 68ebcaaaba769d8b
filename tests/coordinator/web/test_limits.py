"""The website limits the rate, size and duration of requests for each client, and tells clients apart."""

import asyncio
from collections.abc import Sequence

import pytest
from starlette.testclient import TestClient

from coordinator.web.app import create_app
from coordinator.web.limits import BoundedBodies, Rate, RateLimit, Rates, TokenBuckets, client_of
from core.evaluation.document import MOST_NEAR, MOST_PROMPTS
from tests.coordinator.web.asgi import ask, echo, scope
from tests.coordinator.web.sites import ServedSite, SiteClock


def test_a_bucket_gives_its_burst_and_then_its_rate() -> None:
    clock = SiteClock()
    buckets, rate = TokenBuckets(clock.monotonic), Rate(per_second=2, burst=3)
    assert [buckets.wait("ada", "reading", rate) for _ in range(4)] == [0, 0, 0, 0.5]
    clock.seconds = 0.5
    assert [buckets.wait("ada", "reading", rate) for _ in range(2)] == [0, 0.5]
    clock.seconds = 1e9
    assert [buckets.wait("ada", "reading", rate) for _ in range(4)] == [0, 0, 0, 0.5]


def test_clients_and_kinds_of_requests_have_buckets_of_their_own() -> None:
    buckets, rate = TokenBuckets(SiteClock().monotonic), Rate(per_second=1, burst=1)
    taken = [buckets.wait(client, kind, rate) for client in "ab" for kind in ("reading", "joining")]
    assert taken == [0, 0, 0, 0]
    assert buckets.wait("a", "joining", rate) == 1


def test_a_flood_of_addresses_takes_no_more_memory_than_is_set_aside() -> None:
    buckets = TokenBuckets(SiteClock().monotonic, most=100)
    for number in range(1000):
        buckets.wait(str(number), "reading", Rate(per_second=1, burst=1))
    assert len(buckets) == 100


def test_the_largest_evaluation_can_be_looked_at_at_once() -> None:
    buckets, (kind, rate) = TokenBuckets(SiteClock().monotonic), Rates().of("GET", "/evaluation/0.webp")
    pictures = MOST_PROMPTS * (1 + 2 * MOST_NEAR)
    assert not any(buckets.wait("ada", kind, rate) for _ in range(pictures))


@pytest.mark.parametrize(
    ("method", "path", "kind"),
    [
        ("GET", "/", "reading"),
        ("GET", "/api/status", "reading"),
        ("POST", "/api/challenges", "joining"),
        ("POST", "/api/members", "joining"),
        ("DELETE", "/api/members", "renewing"),
        ("POST", "/api/tokens", "renewing"),
        ("POST", "/me/enter", "joining"),
        ("GET", "/calculator", "calculating"),
        ("GET", "/calculator?model=gpt-3", "calculating"),
        ("GET", "/teams", "calculating"),
        ("GET", "/teams/3", "calculating"),
        ("GET", "/api/teams?around=blue", "calculating"),
        ("POST", "/api/teams", "renewing"),
        ("POST", "/me/team", "renewing"),
        ("GET", "/pictures/0/10/0123456789abcdef/3.png", "cutting"),
        ("GET", "/pictures/0/10/0123456789abcdef/3.png?again", "cutting"),
        ("GET", "/evaluation", "reading"),
        ("GET", "/evaluation/0123456789abcdef0123456789abcdef.webp", "showing"),
        ("GET", "/leaderboard?by=time", "searching"),
        ("GET", "/?past=the-cache", "searching"),
        ("GET", "/docs/_static/handbook.css?v=1234", "reading"),
    ],
)
def test_what_costs_more_or_is_guessed_at_has_a_stricter_rate(method: str, path: str, kind: str) -> None:
    path, _, query = path.partition("?")
    assert Rates().of(method, path, bool(query))[0] == kind


async def _statuses(limit: RateLimit, paths: Sequence[str]) -> list[int]:
    return [(await ask(limit, scope(path))).status for path in paths]


def test_who_asks_too_often_learns_when_to_come_back() -> None:
    rates = Rates(reading=Rate(per_second=0.25, burst=2))
    limit = RateLimit(echo, TokenBuckets(SiteClock().monotonic), rates, behind_proxy=False)
    assert asyncio.run(_statuses(limit, ["/"] * 2)) == [200, 200]
    answer = asyncio.run(ask(limit, scope("/")))
    assert answer.status == 429
    assert answer.headers["retry-after"] == "4"


def test_the_whole_site_holds_its_limits_and_says_so_in_its_own_dress(changing: ServedSite) -> None:
    rates = Rates(reading=Rate(per_second=1, burst=2))
    app = create_app(changing.context, rates, changing.clock.monotonic)
    with TestClient(app, headers={"Accept": "text/html"}) as client:
        assert [client.get("/robots.txt").status_code for _ in range(3)] == [200, 200, 429]
        refused = client.get("/")
        assert refused.status_code == 429
        assert "Wait a moment" in refused.text
        assert "content-security-policy" in refused.headers


PUBLIC, PROXY = "81.2.69.142", "10.0.0.2"


@pytest.mark.parametrize(
    ("direct", "forwarded", "behind_proxy", "client"),
    [
        (PUBLIC, None, False, PUBLIC),
        (PUBLIC, "198.51.100.7", False, PUBLIC),
        (PROXY, "198.51.100.7", False, PROXY),
        (PROXY, "198.51.100.7", True, "198.51.100.7"),
        (PROXY, "6.6.6.6, 198.51.100.7", True, "198.51.100.7"),
        (PUBLIC, "198.51.100.7", True, PUBLIC),
        (PROXY, "nonsense", True, PROXY),
        (PROXY, None, True, PROXY),
        ("2001:db8:1:2:3:4:5:6", None, False, "2001:db8:1:2::/64"),
        ("::ffff:81.2.69.142", None, False, PUBLIC),
        ("testclient", None, False, "unknown"),
    ],
)
def test_a_client_is_counted_by_what_our_own_proxy_says_and_nobody_else(
    direct: str, forwarded: str | None, behind_proxy: bool, client: str
) -> None:
    headers = {"X_Forwarded_For": forwarded} if forwarded else {}
    assert client_of(scope(client=direct, **headers), behind_proxy) == client


@pytest.mark.parametrize(
    ("parts", "headers", "status"),
    [
        ([b"x" * 100], {}, 200),
        ([b"x" * 60, b"x" * 40], {}, 200),
        ([b"x" * 101], {}, 413),
        ([b"x" * 60, b"x" * 41], {}, 413),
        ([b""], {"Content_Length": "101"}, 413),
        ([b""], {"Content_Length": "9" * 30}, 413),
        ([b""], {"Content_Length": "-1"}, 200),
    ],
)
def test_a_body_is_bounded_whether_it_says_its_length_or_not(
    parts: list[bytes], headers: dict[str, str], status: int
) -> None:
    answer = asyncio.run(ask(BoundedBodies(echo, most=100), scope("/", "POST", **headers), parts))
    assert answer.status == status
    if status == 200:
        assert answer.body == b"".join(parts)


def test_a_body_that_does_not_come_is_not_waited_for() -> None:
    app = BoundedBodies(echo, seconds=0.01)
    answer = asyncio.run(ask(app, scope("/", "POST"), [b"{"], ends=False))
    assert answer.status == 408

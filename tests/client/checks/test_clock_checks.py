"""Checks of the clock: what the system says of it, and how it compares with servers' clocks."""

import asyncio
import time
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path

import pytest
from hivemind.utils.timed_storage import MAX_DHT_TIME_DISCREPANCY_SECONDS

from client.account.tasks import ENDPOINT_VARIABLE
from client.checks.clock import TOLERATED, Skew, judge_skew, look_at_clock, look_at_coordinator, skew_from
from client.doctor import CheckVerdict
from tests.client.run_server import Deed, Handler, serving
from tests.desktops.desktop import mock_service, private_bus

TIMEDATE = ("org.freedesktop.timedate1", "/org/freedesktop/timedate1", "org.freedesktop.timedate1")
NOBODY = {ENDPOINT_VARIABLE: "http://127.0.0.1:1", "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere"}
DATE = datetime(2026, 5, 1, 12, 0, 0, tzinfo=UTC)


def telling(**headers: str) -> Deed:
    """Answers without the headers that the server adds by itself."""

    def answer(handler: Handler, _: bytes) -> None:
        handler.send_response_only(200)
        for name, value in {"Content-Length": "0", **headers}.items():
            handler.send_header(name, value)
        handler.end_headers()

    return answer


def test_a_swarm_tolerates_no_more() -> None:
    assert TOLERATED == MAX_DHT_TIME_DISCREPANCY_SECONDS


@pytest.mark.parametrize(
    ("synchronized", "verdict", "words"),
    [
        (True, CheckVerdict.OK, "keeps the clock right"),
        (False, CheckVerdict.WARNING, "does not keep the clock right"),
    ],
)
def test_the_system_says_whether_it_keeps_the_clock(
    synchronized: bool, verdict: CheckVerdict, words: str
) -> None:
    with private_bus() as address, mock_service(address, *TIMEDATE) as service:
        service.add_property("NTPSynchronized", f"<{str(synchronized).lower()}>")
        (finding,) = asyncio.run(look_at_clock({**NOBODY, "DBUS_SYSTEM_BUS_ADDRESS": address}))
    assert finding.verdict is verdict
    assert words in finding.found


def test_a_clock_that_nothing_was_compared_with_is_a_warning() -> None:
    (finding,) = asyncio.run(look_at_clock(NOBODY))
    assert finding.verdict is CheckVerdict.WARNING
    assert "does not report" in finding.found
    assert "Compare the clock" in (finding.remedy or "")


@pytest.mark.parametrize("platform", ["win32", "darwin"])
def test_other_systems_are_not_asked_by_dbus(platform: str) -> None:
    (finding,) = asyncio.run(look_at_clock(NOBODY, platform=platform))
    assert finding.verdict is CheckVerdict.WARNING
    assert "Only Linux's service for the time is asked." in finding.found


def test_a_system_that_says_nothing_of_a_clock_that_agrees_is_no_problem(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        environment = {**NOBODY, ENDPOINT_VARIABLE: server.address("")}
        findings = asyncio.run(look_at_clock(environment))
    assert [finding.verdict for finding in findings] == [CheckVerdict.OK, CheckVerdict.OK]
    assert "does not report" in findings[1].found


@pytest.mark.parametrize(
    ("off", "verdict", "words"),
    [
        (0.0, CheckVerdict.OK, "agrees"),
        (61.0, CheckVerdict.PROBLEM, "ahead of"),
        (-61.0, CheckVerdict.PROBLEM, "behind"),
    ],
)
def test_the_clock_is_compared_with_the_hubs(
    tmp_path: Path, off: float, verdict: CheckVerdict, words: str
) -> None:
    with serving(tmp_path) as server:
        environment = {**NOBODY, ENDPOINT_VARIABLE: server.address("")}
        finding, _ = asyncio.run(look_at_clock(environment, lambda: time.time() + off))
    assert finding.verdict is verdict
    assert words in finding.found


def test_the_clock_is_compared_with_the_coordinators(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        right = asyncio.run(look_at_coordinator(server.address("")))
        wrong = asyncio.run(look_at_coordinator(server.address(""), lambda: time.time() - 61))
    assert (right.verdict, wrong.verdict) == (CheckVerdict.OK, CheckVerdict.PROBLEM)
    assert server.address("") in right.found


def test_the_time_that_an_answer_took_and_its_age_in_a_cache_are_considered(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        server.instead("", telling(Date=format_datetime(DATE, usegmt=True), Age="100"))
        times = iter((DATE.timestamp() + 98.0, DATE.timestamp() + 103.0))
        assert skew_from(server.address(""), lambda: next(times)) == Skew(ahead=0.0, doubt=3.0)


@pytest.mark.parametrize("headers", [{}, {"Date": "yesterday"}])
def test_a_server_that_does_not_tell_the_time_is_no_problem(tmp_path: Path, headers: dict[str, str]) -> None:
    with serving(tmp_path) as server:
        server.instead("", telling(**headers))
        finding = asyncio.run(look_at_coordinator(server.address("")))
    assert finding.verdict is CheckVerdict.OK
    assert "does not report the time" in finding.found


def test_no_password_is_sent_to_the_address_that_a_manifest_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login me password secret\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    with serving(tmp_path) as server:
        asyncio.run(look_at_coordinator(server.address("")))
        assert server.secrets == [None]


def test_a_coordinator_that_is_gone_is_a_warning() -> None:
    assert asyncio.run(look_at_coordinator("http://127.0.0.1:1/")).verdict is CheckVerdict.WARNING


@pytest.mark.parametrize(
    ("skew", "verdict", "words"),
    [
        (Skew(0.0, 0.6), CheckVerdict.OK, "agrees"),
        (Skew(-2.4, 0.6), CheckVerdict.OK, "agrees"),
        (Skew(2.6, 0.6), CheckVerdict.WARNING, "3 seconds ahead of"),
        (Skew(-10.0, 8.0), CheckVerdict.WARNING, "8 seconds more or less"),
        (Skew(3.7, 0.6), CheckVerdict.PROBLEM, "4 seconds ahead of"),
        (Skew(-3600.0, 2.0), CheckVerdict.PROBLEM, "3600 seconds behind"),
    ],
)
def test_a_clock_is_judged_by_what_swarms_tolerate(skew: Skew, verdict: CheckVerdict, words: str) -> None:
    finding = judge_skew(skew, "https://example.org")
    assert finding.verdict is verdict
    assert words in finding.found

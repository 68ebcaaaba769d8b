"""The address to which a browser comes back: whoever else knocks there is turned away, and ends nothing."""

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
import requests

from client.admission.callback import Callback, listening

STATE = "the-state-of-this-sign-in"
ENDS_AT_THE_ANSWER = """
import os, sys
from client.admission.callback import listening
with listening(sys.argv[1]) as callback:
    print(callback.address, flush=True)
    callback.wait(10)
    os._exit(0)
"""


@pytest.fixture
def callback() -> Iterator[Callback]:
    with listening(STATE) as callback:
        yield callback


def come(callback: Callback, query: str, path: str = "") -> requests.Response:
    return requests.get(f"{callback.address}{path}?{query}", timeout=10)


def test_what_carries_the_state_is_the_answer_and_the_person_is_thanked(callback: Callback) -> None:
    answer = come(callback, f"code=abc&state={STATE}")
    assert answer.status_code == 200
    assert "You can close this page" in answer.text
    assert callback.wait(10) == {"code": "abc", "state": STATE}
    assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'")
    assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("code=evil", ""),
        ("code=evil&state=", ""),
        ("code=evil&state=another", ""),
        (f"code=evil&state={STATE}&state=another", ""),
        (f"code=evil&state={STATE}", "/elsewhere"),
        ("code=evil&state=%ff%00", ""),
        ("error=access_denied&state=another", ""),
    ],
)
def test_another_program_that_knocks_is_turned_away_and_the_sign_in_goes_on(
    callback: Callback, query: str, path: str
) -> None:
    answer = come(callback, query, path)
    assert answer.status_code == 400
    assert "evil" not in answer.text
    assert callback.wait(0) is None
    come(callback, f"code=good&state={STATE}")
    assert callback.wait(10) == {"code": "good", "state": STATE}


def test_the_page_is_whole_though_the_process_ends_at_the_answer() -> None:
    for _ in range(10):
        command = [sys.executable, "-c", ENDS_AT_THE_ANSWER, STATE]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as waiting:
            assert waiting.stdout is not None
            address = waiting.stdout.readline().strip()
            answer = requests.get(f"{address}?code=abc&state={STATE}", timeout=10)
            assert answer.text.endswith("</html>\n")


def test_the_first_answer_counts(callback: Callback) -> None:
    come(callback, f"code=first&state={STATE}")
    come(callback, f"code=second&state={STATE}")
    assert callback.wait(10) == {"code": "first", "state": STATE}


def test_who_connects_and_says_nothing_keeps_nobody_out(callback: Callback) -> None:
    port = int(callback.address.split(":")[2].split("/")[0])
    with ExitStack() as stack:
        for _ in range(10):
            stack.enter_context(socket.create_connection(("127.0.0.1", port)))
        come(callback, f"code=good&state={STATE}")
        assert callback.wait(10) == {"code": "good", "state": STATE}


def test_nobody_is_left_listening_afterwards() -> None:
    with listening(STATE) as callback:
        address = callback.address
        assert callback.wait(0.0) is None
    with pytest.raises(requests.ConnectionError):
        requests.get(address, timeout=10)

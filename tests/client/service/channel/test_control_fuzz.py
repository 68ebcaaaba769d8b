"""The control channel against whatever can be sent to it: it answers, stays, and neither grows nor tells a secret.

``python -m benchmarks.control_fuzz`` sends a million messages in the same way.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.control_fuzz import attack, daemon_of
from benchmarks.subjects.control_noise import SECRET, Noise
from client.api.answers import Refused
from client.api.commands import Quit
from client.api.protocol import Request
from client.paths import Paths
from client.service.channel.request_line import understand
from core.messages.lines import encode

MESSAGES = 20_000
GROWTH_MIB = 2.0
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[Paths]:
    with daemon_of("tests.client.stand_ins.daemon", tmp_path / "home") as paths:
        yield paths


def test_noise_does_no_harm_to_a_real_daemon(daemon: Paths) -> None:
    first, *_, last = attack(daemon, MESSAGES, seed=1, spared=(Quit,))
    assert last.messages == MESSAGES
    assert min(last.answers[kind] for kind in ("done", "refused", "snapshot")) > MESSAGES // 100
    assert last.rss_mib - first.rss_mib < GROWTH_MIB
    assert last.threads == first.threads
    assert last.files <= first.files + 1, "the connection that is being taken down may still be open"


@given(st.binary(max_size=300))
def test_any_bytes_are_understood_or_refused(line: bytes) -> None:
    assert isinstance(understand(line), Request | Refused)
    assert isinstance(understand(line + b"\n"), Request | Refused)


@settings(max_examples=50)
@given(st.dictionaries(st.sampled_from(["type", "id", "protocol", "token", "seconds", "keep"]), JSON))
def test_any_object_is_understood_or_refused_in_a_message_that_fits(fields: dict[str, object]) -> None:
    line = json.dumps({"type": "sign_in", **fields, "name": SECRET}).encode() + b"\n"
    answer = understand(line)
    assert isinstance(answer, Refused)
    assert SECRET.encode() not in encode(answer)


@pytest.mark.parametrize("seed", range(3))
def test_noise_is_the_same_for_the_same_seed_and_never_asks_to_quit(seed: int) -> None:
    one, other = Noise(seed), Noise(seed)
    lines = [one.line() for _ in range(2000)]
    assert lines == [other.line() for _ in range(2000)]
    parts = [part + b"\n" for line in lines for part in line.split(b"\n")]
    assert not any(isinstance(understand(part), Quit) for part in parts)
    assert any(isinstance(understand(part), Request) for part in parts)

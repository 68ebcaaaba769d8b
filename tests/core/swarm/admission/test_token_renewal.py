"""A training loop waits while its peer's admission has run out, tells so once, and goes on with a new token."""

import time
from dataclasses import dataclass, field

import pytest

from core.errors import AdmissionError
from core.swarm.admission.admission import Admission
from core.swarm.admission.token_renewal import TokenRenewal
from tests.core.swarm.builders import identity
from tests.gate.run_gate import RunGate

GATE, OWN = RunGate(), identity(0)


@dataclass
class Loop:
    """The training loop's calls and the time."""

    now: float = field(default_factory=time.time)
    calls: list[str] = field(default_factory=list)

    def stand_back(self) -> None:
        self.calls.append("stands back")

    def come_back(self) -> None:
        self.calls.append("comes back")

    def notify(self, text: str) -> None:
        self.calls.append(text)


def attended(loop: Loop) -> tuple[Admission, TokenRenewal]:
    admission = Admission(
        gate=GATE.key.public_key,
        run=GATE.run,
        peer=OWN.peer_id,
        token=GATE.token(OWN, seconds=60),
        clock=lambda: loop.now,
    )
    admission.note_known(admission.shown)
    return admission, TokenRenewal(admission, loop, loop.notify)


def test_an_open_run_is_never_waited_for() -> None:
    loop = Loop()
    assert TokenRenewal(None, loop, loop.notify).goes_on(None)
    assert not loop.calls


def test_it_waits_for_a_new_token_and_until_the_swarm_knows_it() -> None:
    loop = Loop()
    admission, renewal = attended(loop)
    assert renewal.goes_on(None)
    loop.now += 61
    assert not any(renewal.goes_on(None) for _ in range(3))
    assert [call for call in loop.calls if "has expired" not in call] == ["stands back"]
    assert len(loop.calls) == 2
    loop.calls.clear()
    token = GATE.token(OWN, seconds=600)
    assert not renewal.goes_on(token)
    assert not loop.calls
    admission.note_known(token)
    assert renewal.goes_on(token)
    assert loop.calls == ["comes back", "This peer has a new access token, and continues."]


def test_a_token_that_comes_in_time_is_not_waited_for() -> None:
    loop = Loop()
    admission, renewal = attended(loop)
    token = GATE.token(OWN, seconds=600)
    assert renewal.goes_on(token)
    assert admission.shown == token
    loop.now += 61
    assert renewal.goes_on(token)
    assert not loop.calls


def test_a_token_of_no_use_is_reported_once() -> None:
    loop = Loop()
    _, renewal = attended(loop)
    assert all(renewal.goes_on("garbage") for _ in range(3))
    assert len(loop.calls) == 1


def test_who_is_excluded_does_not_wait() -> None:
    loop = Loop()
    admission, renewal = attended(loop)
    admission.adopt(GATE.sign(GATE.revoke(serial=1, names=("ada",))))
    with pytest.raises(AdmissionError, match="excluded"):
        renewal.goes_on(None)

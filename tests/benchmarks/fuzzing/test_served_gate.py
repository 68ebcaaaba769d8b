"""A coordinator's real website under mutated requests lives, and lets honest volunteers in all the while."""

from pathlib import Path

from benchmarks.fuzzing.served_gate import GateRequest, MutatedRequests, attack_gate

MESSAGES = 400
GROWTH_MIB = 40.0
MOST_THREADS = 64
"""Threads of the website and of its pool, which are made as they are needed."""


def test_mutated_requests_do_no_harm_to_a_gate(tmp_path: Path) -> None:
    first, *_, last = attack_gate(tmp_path, MESSAGES, seed=1)
    assert last.outcomes.total() == last.messages == MESSAGES
    assert last.outcomes["refused"] > MESSAGES // 4
    assert last.outcomes["answered"] > 0
    assert last.outcomes["silent"] == 0
    assert last.holdings.rss_mib - first.holdings.rss_mib < GROWTH_MIB
    assert last.holdings.threads <= MOST_THREADS


def test_requests_are_mutated_in_every_place() -> None:
    valid = GateRequest("join", b'{"nonce": "nonce", "proof": "proof"}', "secret")
    requests = MutatedRequests([valid], seed=0)
    seen = [requests.next() for _ in range(200)]
    assert {request.kind for request in seen} == {"join"}
    assert any(request.bearer != "secret" for request in seen)
    assert any(b'"nonce": "nonce"' in request.body and request.body != valid.body for request in seen)
    assert any(b'"proof": "proof"' in request.body and request.body != valid.body for request in seen)

"""The REST API against its OpenAPI description: whatever is sent, it answers as described, never with a fault."""

from collections.abc import Callable
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import Case, GenerationMode
from schemathesis.core.result import Ok
from schemathesis.schemas import APIOperation
from sqlalchemy import select

from coordinator.database.tables import SwarmNow, User
from coordinator.gate.memberships import begin
from tests.gate.gate_life import GateOverHttp

Operation = APIOperation[Any, Any, Any, Any]
NOW = {
    "generation": 0,
    "epoch": 3,
    "total_epochs": 100,
    "loss": 4.5,
    "target": 64,
    "peers": {"cpu": {"training": 2}},
}


@pytest.fixture(scope="module", autouse=True)
def contributions(coordinator: GateOverHttp) -> None:
    now = coordinator.clock()
    with coordinator.database.session() as session:
        session.add(SwarmNow(time=now, content={**NOW, "time": now.isoformat()}))
        session.add(User(name="mia", created=now))


def operations(coordinator: GateOverHttp) -> list[Operation]:
    schema = schemathesis.openapi.from_asgi("/api/openapi.json", coordinator.http.app)
    ours = schema.include(path_regex="^/api/").exclude(path="/api/events")  # which has no end
    return [found.ok() for found in ours.get_all_operations() if isinstance(found, Ok)]


def probe(operation: Operation, headers: Callable[[], dict[str, str]], examples: int) -> None:
    """Send it so many examples of what fits its description, and of what does not."""
    fitting = operation.as_strategy(generation_mode=GenerationMode.POSITIVE)
    amiss = operation.as_strategy(generation_mode=GenerationMode.NEGATIVE)

    @settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=fitting | amiss)
    def sent(case: Case[Any]) -> None:
        case.call_and_validate(headers=headers())

    sent()


def a_moderator_s(coordinator: GateOverHttp) -> dict[str, str]:
    with coordinator.database.session() as session:
        user = session.scalars(select(User).where(User.name == "mia")).one()
        user.banned = None
        secret = begin(session, user, 1, coordinator.clock())
    return {"Authorization": f"Bearer {secret}"}


# The first examples are the plainest and the rarest kinds; more of them are what a search for faults needs.
EXAMPLES = [4, pytest.param(16, marks=pytest.mark.exhaustive)]


@pytest.mark.timeout(900)  # several hundred requests, beside other lanes
@pytest.mark.parametrize("examples", EXAMPLES)
def test_every_answer_to_a_stranger_is_as_described(coordinator: GateOverHttp, examples: int) -> None:
    for operation in operations(coordinator):
        probe(operation, dict, examples)


@pytest.mark.timeout(900)
@pytest.mark.parametrize("examples", EXAMPLES)
def test_every_answer_to_a_moderator_is_as_described(coordinator: GateOverHttp, examples: int) -> None:
    for operation in operations(coordinator):
        probe(operation, lambda: a_moderator_s(coordinator), examples)

"""Replicas that take the same steps are the same to the last bit, and a copied state makes another one of them."""

import pytest
import torch
from torch import nn

from core.errors import CheckpointError, SwarmError
from core.optim.learning_rate import linear_schedule
from core.run.optimizer_rules import AdamWRules, AnyOptimizerRules, LambRules
from core.run.rules import ScheduleRules
from core.swarm.state.pieces import outline_of
from core.swarm.state.replica import Place, Replica, place_of
from core.swarm.state.state import SwarmState
from tests.core.swarm.builders import digest_of

SCHEDULE = ScheduleRules(peak_lr=0.02, warmup_epochs=2, total_epochs=20)
OPTIMIZER = LambRules(min_8bit_size=256, block_size=64)
ADAMW = AdamWRules(kind="adamw", min_8bit_size=256, block_size=64)
GENESIS = digest_of("run")


def replica(*, seed: int = 0, width: int = 32, optimizer: AnyOptimizerRules = OPTIMIZER) -> Replica:
    torch.manual_seed(seed)
    model = nn.Sequential(nn.Linear(16, width), nn.Tanh(), nn.Linear(width, 4))
    return Replica(model, optimizer, SCHEDULE, genesis=GENESIS)


def gradients_for(found: Replica, seed: int) -> list[torch.Tensor]:
    draws = torch.Generator().manual_seed(seed)
    return [torch.randn(item.shape, generator=draws) for _, item in found.masters.named_parameters()]


def after(found: Replica, *epochs: int) -> Place:
    for epoch in epochs:
        found.step(gradients_for(found, epoch), epoch=epoch, head=digest_of(f"commit {epoch}"))
    return found.place


def test_it_begins_at_the_runs_own_digest() -> None:
    place = replica().place
    assert (place.epoch, place.head) == (0, GENESIS)
    assert len(place.digest) == 64
    assert place == replica().place
    assert place.digest != replica(seed=1).place.digest


def test_equal_steps_lead_to_equal_places() -> None:
    assert after(replica(), 0, 1, 2) == after(replica(), 0, 1, 2)
    assert after(replica(), 0, 1).digest != after(replica(), 0, 2).digest


def test_a_step_names_where_it_led() -> None:
    found = replica()
    before = found.place
    place = found.step(gradients_for(found, 5), epoch=5, head=digest_of("commit"))
    assert (place.epoch, place.head) == (6, digest_of("commit"))
    assert place == found.place
    assert place.digest != before.digest


def test_the_learning_rate_follows_the_epoch() -> None:
    """Steps of the same gradients from the same parameters differ by the schedule alone."""

    def moved(epoch: int) -> float:
        found = replica()
        before = torch.cat([item.detach().clone().flatten() for _, item in found.masters.named_parameters()])
        found.step(gradients_for(found, 0), epoch=epoch, head=GENESIS)
        now = torch.cat([item.detach().flatten() for _, item in found.masters.named_parameters()])
        return float((now - before).norm())

    def rate(epoch: int) -> float:
        return linear_schedule(epoch, peak=0.02, warmup=2, total=20)

    assert moved(1) / moved(2) == pytest.approx(rate(1) / rate(2), rel=1e-3)
    assert moved(0) == rate(0) == 0
    assert moved(11) / moved(2) == pytest.approx(rate(11) / rate(2), rel=1e-3)


@pytest.mark.parametrize("optimizer", [OPTIMIZER, ADAMW])
def test_a_copied_state_makes_the_same_replica(optimizer: AnyOptimizerRules) -> None:
    donor, late = replica(optimizer=optimizer), replica(seed=1, optimizer=optimizer)
    after(donor, 0, 1)
    assert late.take(donor.copied_state()) == donor.place
    assert after(late, 2, 3) == after(donor, 2, 3)
    assert outline_of(late.copied_state()) == outline_of(donor.copied_state())


def test_the_place_names_the_whole_state_by_the_root_of_its_pieces() -> None:
    """Equal parameters with other moments lead elsewhere."""
    found = replica()
    after(found, 0, 1)
    state = found.copied_state()
    assert found.place.state == outline_of(state).root == place_of(state).state
    moments = next(name for name in state.tensors if name.startswith("optimizer.0.weight"))
    state.tensors[moments].view(-1)[0] += 1
    assert (place_of(state).digest, place_of(state).state == found.place.state) == (found.place.digest, False)


def test_a_copied_state_stays_what_it_was() -> None:
    found = replica()
    after(found, 0)
    copied, live = found.copied_state(), found.state()
    outline = outline_of(copied)
    after(found, 1)
    assert outline_of(copied) == outline
    assert (copied.epoch, copied.head) == (1, digest_of("commit 0"))
    assert outline_of(live) != outline, "state() is a view of what the replica has"


def test_the_model_gets_the_masters_on_request() -> None:
    torch.manual_seed(0)
    model = nn.Linear(16, 4)
    found = Replica(model, OPTIMIZER, SCHEDULE, genesis=GENESIS)
    before = model.weight.detach().clone()
    after(found, 1)
    assert model.weight.equal(before)
    found.masters.copy_to_model()
    assert not model.weight.equal(before)
    assert model.weight.equal(found.parameters()["weight"])


def test_the_state_holds_parameters_and_8_bit_moments() -> None:
    found = replica()
    after(found, 0)
    state = found.copied_state().tensors
    assert state["parameters.0.weight"].dtype == torch.float32
    kinds = {item.dtype for name, item in state.items() if name.startswith("optimizer.0.weight")}
    assert torch.uint8 in kinds
    assert {name.split(".", 1)[0] for name in state} == {"parameters", "optimizer"}


@pytest.mark.parametrize("part", ["parameters.", "optimizer."])
def test_a_state_without_one_half_is_refused(part: str) -> None:
    found = replica()
    state = found.copied_state()
    half = {name: item for name, item in state.tensors.items() if not name.startswith(part)}
    with pytest.raises((CheckpointError, SwarmError)):
        found.take(SwarmState(3, GENESIS, half))


def test_a_state_of_another_model_is_refused() -> None:
    with pytest.raises(CheckpointError):
        replica().take(replica(width=24).copied_state())


@pytest.mark.parametrize("spoilt", ["parameters.0.weight", "optimizer.0.bias.step"])
def test_a_refused_state_changes_nothing(spoilt: str) -> None:
    found, donor = replica(), replica(seed=1)
    after(found, 0)
    after(donor, 0, 1)
    before, place = found.copied_state(), found.place
    state = donor.copied_state()
    state.tensors[spoilt] = torch.full((3,), float("nan"))
    with pytest.raises(CheckpointError):
        found.take(state)
    assert found.place == place
    assert outline_of(found.copied_state()) == outline_of(before)


def test_gradients_of_other_shapes_change_nothing() -> None:
    found = replica()
    before = found.place
    with pytest.raises(ValueError, match="gradients"):
        found.step(gradients_for(found, 0)[:-1], epoch=0, head=GENESIS)
    assert found.place == before

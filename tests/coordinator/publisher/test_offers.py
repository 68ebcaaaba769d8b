"""The publisher offers its newest checkpoint once, reads it on request, and offers no damaged one."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from coordinator.home import Home
from coordinator.publisher.offers import Offer, Offers
from core.swarm.state.beginning import Beginning
from core.swarm.state.pieces import outline_of
from core.swarm.state.replica import place_of
from tests.coordinator.publisher.states import RunStore, new_store, state_of, take_back_to
from tests.waiting import wait_until


@pytest.fixture
def store(tmp_path: Path, made_home: Home) -> Iterator[RunStore]:
    with new_store(tmp_path, made_home) as found:
        yield found


def test_the_newest_checkpoint_is_offered_once_and_read_on_request(store: RunStore) -> None:
    made = list[Offer]()
    with closing(Offers(store.archive(), made.append, Beginning.of(store.manifest))) as offers:
        offers.turn()
        assert not made  # none is kept
        for number, epoch in enumerate((10, 20)):
            store.keep(epoch)
            _turn_until(offers, made, number + 1)
            state = state_of(store.manifest, epoch)
            assert made[number].place == place_of(state)
            assert outline_of(made[number].read()) == outline_of(state)
        for _ in range(3):
            offers.turn()
    assert len(made) == 2


def test_where_a_generation_begins_is_offered_as_its_beginning(store: RunStore) -> None:
    store.keep(10)
    take_back_to(store, 10)
    made, beginning = list[Offer](), Beginning.of(store.manifest)
    with closing(Offers(store.archive(), made.append, beginning)) as offers:
        _turn_until(offers, made, 1)
    assert made[0].place.head == beginning.head
    assert beginning.refusal(made[0].read()) is None


def test_a_damaged_checkpoint_is_not_offered_and_the_next_one_is(store: RunStore) -> None:
    (damaged,) = store.keep(10)
    (store.archive().path(damaged) / "model.safetensors").write_bytes(b"damaged")
    made = list[Offer]()
    with closing(Offers(store.archive(), made.append, Beginning.of(store.manifest))) as offers:
        offers.turn()
        store.keep(20)
        _turn_until(offers, made, 1)
    assert [offer.place.epoch for offer in made] == [20]


def _turn_until(offers: Offers, made: list[Offer], number: int) -> None:
    def is_made() -> bool:
        offers.turn()
        return len(made) == number

    wait_until(is_made, f"there are {len(made)} offers, not {number}")

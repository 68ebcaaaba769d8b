"""The run's state in the DHT: only its organiser's is stored or believed, and the newest counts."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgpack
import pytest
from hivemind.dht import DHTID
from hivemind.dht.routing import DHTKey
from hivemind.dht.validation import DHTRecord

from core.run.manifest import RunManifest
from core.signing import SigningKey
from core.swarm.membership.run_state import RunStateValidator, SignedState, newest
from tests.swarms.tiny_run import write_tiny_run

KEY = SigningKey.generate()


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunManifest:
    drawn = RunManifest.load(write_tiny_run(tmp_path_factory.mktemp("run")))
    return RunManifest.create(drawn.training, drawn.contact, KEY)


def taken_back(run: RunManifest, epoch: int = 8) -> RunManifest:
    return run.roll_back(KEY, epoch, "ab" * 32, "cd" * 32)


def record(run: RunManifest, value: Any, subkey: Any, key: str | None = None) -> DHTRecord:
    place: DHTKey = key or run.state_key
    return DHTRecord(
        DHTID.generate(source=place).to_bytes(), msgpack.packb(subkey), msgpack.packb(value), 1e9
    )


def forged(run: RunManifest) -> dict[str, Any]:
    signed = SignedState.of(taken_back(run)).pack()
    return {**signed, "state": {**signed["state"], "epoch": 9}}


def of_another_organiser(run: RunManifest) -> dict[str, Any]:
    other = SigningKey.generate()
    return SignedState.of(RunManifest.create(run.training, run.contact, other).roll_back(other)).pack()


def test_what_the_organiser_signed_is_stored_at_any_peer_of_the_run(run: RunManifest) -> None:
    newer = taken_back(run)
    assert RunStateValidator(run).validate(record(run, SignedState.of(newer).pack(), newer.state.serial))
    assert RunStateValidator(newer).validate(record(run, SignedState.of(run).pack(), run.state.serial))


@pytest.mark.parametrize(
    "value",
    [forged, of_another_organiser, lambda run: {}, lambda run: 7, lambda run: "x" * 5000],
    ids=["forged", "another organiser's", "empty", "a number", "huge"],
)
def test_other_states_are_not_stored(run: RunManifest, value: Any) -> None:
    assert not RunStateValidator(run).validate(record(run, value(run), 1))


@pytest.mark.parametrize("subkey", [0, 2, "1", True, b"", None, [1]])
def test_a_state_lies_under_its_serial_alone(run: RunManifest, subkey: Any) -> None:
    assert not RunStateValidator(run).validate(record(run, SignedState.of(taken_back(run)).pack(), subkey))


def test_records_under_other_keys_are_none_of_its_business(run: RunManifest) -> None:
    assert RunStateValidator(run).validate(record(run, "anything", 1, key="another key"))


def looked_up(*found: object) -> SimpleNamespace:
    return SimpleNamespace(value={number: SimpleNamespace(value=item) for number, item in enumerate(found)})


def test_the_newest_state_of_a_later_generation_counts(run: RunManifest) -> None:
    second = taken_back(run)
    third = second.roll_back(KEY)
    packed = [SignedState.of(item).pack() for item in (third, run, second)]
    found = looked_up(*packed, forged(run), of_another_organiser(run), None)
    assert newest(found, run) == third.state
    assert newest(found, second) == third.state
    assert newest(found, third) is None


@pytest.mark.parametrize("found", [None, looked_up(), SimpleNamespace(value=b"garbage")])
def test_where_nothing_is_to_be_found_nothing_is_newer(run: RunManifest, found: Any) -> None:
    assert newest(found, run) is None


def test_the_generations_of_a_run_share_the_key_of_its_state_and_nothing_else(run: RunManifest) -> None:
    newer = taken_back(run)
    assert newer.state_key == run.state_key
    assert newer.dht_prefix != run.dht_prefix
    assert newer.genesis != run.genesis


def test_a_manifest_that_names_where_it_begins_survives_toml(run: RunManifest, tmp_path: Path) -> None:
    newer = taken_back(run)
    newer.save(tmp_path / "run.toml")
    assert RunManifest.load(tmp_path / "run.toml", seen=run) == newer

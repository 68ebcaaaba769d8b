"""A checkpoint becomes a model on a Hub that speaks the language of the real one, in one commit."""

import json
from collections.abc import Iterator
from pathlib import Path

import huggingface_hub
import pytest
import torch

from coordinator.errors import PublishError
from coordinator.gate.audit import entries
from coordinator.home import Home
from coordinator.publisher.orders import outcome, request_publication, waiting
from coordinator.publisher.release import HubRelease, Unavailable
from coordinator.publisher.releases import Releases
from core.families.causal_lm.model import CausalTransformer
from core.families.causal_lm.publishing import PUBLISHING
from core.published.model_folder import open_model
from core.run.manifest import RunManifest
from core.storage.checkpoint import TrainingState, save
from tests.coordinator.publisher.states import RunStore, enter, new_store, state_of
from tests.hub.writable_hub import HubFault, HubToken, WritableHub, writable_hub
from tests.swarms.text_run import MODEL, write_text_run
from tests.waiting import wait_until

REPO, SECRET = "ada/dalle-together", "hf_secret"


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[WritableHub]:
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_DISABLE_XET", True)
    with writable_hub() as found:
        found.tokens[SECRET] = HubToken("ada")
        yield found


@pytest.fixture
def store(tmp_path: Path, made_home: Home) -> Iterator[RunStore]:
    with new_store(tmp_path, made_home) as found:
        yield found


def release(store: RunStore, hub: WritableHub, token: str = SECRET) -> HubRelease:
    work = store.home.root / "publishing"
    return HubRelease.to_hub(store.manifest, store.home.manifest.parent, work, REPO, token, hub.address)


def files(hub: WritableHub, commit: str) -> dict[str, bytes]:
    return {path: blob.content for path, blob in hub.repositories[REPO].commits[commit].items()}


def download(hub: WritableHub, commit: str, folder: Path) -> Path:
    for name, content in files(hub, commit).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    (folder / ".gitattributes").unlink()
    return folder


def test_one_commit_has_the_whole_model_with_its_card(
    store: RunStore, hub: WritableHub, tmp_path: Path
) -> None:
    kept = store.keep(10)[0]
    commit = release(store, hub).publish(store.archive().path(kept))
    model = open_model(download(hub, commit, tmp_path / "model"))
    assert model.document.parameter_digest == kept.parameters
    assert b"epoch 10" in files(hub, commit)["README.md"]
    assert not (store.home.root / "publishing" / "model").exists()


def test_the_next_one_takes_its_place_and_sends_only_what_differs(store: RunStore, hub: WritableHub) -> None:
    first, second = store.keep(10, 20)
    publish = release(store, hub).publish
    publish(store.archive().path(first))
    before = len(hub.arrived)
    publish(store.archive().path(second))
    assert len(hub.arrived) == before + 1  # the weights; codec and tokenizer are there
    publish(store.archive().path(second))
    assert len(hub.arrived) == before + 1


def test_a_language_model_is_published_in_the_layout_of_others(hub: WritableHub, tmp_path: Path) -> None:
    manifest = RunManifest.load(write_text_run(tmp_path / "run"))
    model = CausalTransformer(MODEL, torch.Generator().manual_seed(0))
    state = TrainingState(manifest.training.name, manifest.training_digest, 4, dict(model.state_dict()), {})
    save(tmp_path / "checkpoint", state)
    sent = HubRelease.to_hub(manifest, tmp_path / "run", tmp_path / "work", REPO, SECRET, hub.address)
    folder = download(hub, sent.publish(tmp_path / "checkpoint"), tmp_path / "model")
    assert json.loads((folder / "config.json").read_text())["architectures"] == ["GPT2LMHeadModel"]
    assert PUBLISHING.verify(folder).description["origin"]["epoch"] == 4


@pytest.mark.parametrize(("place", "status"), [("whoami", 503), ("commit", 429)])
def test_a_hub_that_is_busy_is_tried_again(
    store: RunStore, hub: WritableHub, place: str, status: int
) -> None:
    kept = store.keep(10)[0]
    hub.faults.extend([HubFault(place, status)] * 8)
    with pytest.raises(Unavailable):
        release(store, hub).publish(store.archive().path(kept))
    hub.faults.clear()
    assert release(store, hub).publish(store.archive().path(kept))


@pytest.mark.parametrize(("token", "role"), [("another", "write"), (SECRET, "read")])
def test_a_token_that_may_not_write_is_reported_without_being_repeated(
    store: RunStore, hub: WritableHub, token: str, role: str
) -> None:
    hub.tokens[SECRET] = HubToken("ada", role)
    with pytest.raises(PublishError) as caught:
        release(store, hub, token).publish(store.archive().path(store.keep(10)[0]))
    assert not isinstance(caught.value, Unavailable)
    assert "HF_TOKEN" in str(caught.value)
    assert token not in str(caught.value)


def test_what_arrives_otherwise_than_it_was_sent_is_noticed(store: RunStore, hub: WritableHub) -> None:
    hub.spoiled.add("model.safetensors")
    with pytest.raises(PublishError, match="differs"):
        release(store, hub).publish(store.archive().path(store.keep(10)[0]))


class Hours:
    """A clock that a test sets."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def releases(store: RunStore, hub: WritableHub, clock: Hours, every: int = 2) -> Releases:
    return Releases(
        store.archive(),
        store.database,
        release(store, hub).publish,
        every=every,
        is_passing=lambda error: isinstance(error, Unavailable),
        clock=clock,
    )


def test_every_other_is_published_and_a_hub_that_comes_back_gets_it(
    store: RunStore, hub: WritableHub
) -> None:
    clock, newest = Hours(), store.keep(10, 20)[-1]
    found = releases(store, hub, clock)
    hub.faults.extend([HubFault("whoami", 503)] * 100)

    def is_published() -> bool:
        clock.now += 100
        found.turn()
        return store.archive().kept()[-1].published is not None

    def has_failed() -> bool:
        return is_published() or noted(store) == ["publishing failed"]

    wait_until(has_failed, "no failure is noted")
    hub.faults.clear()
    wait_until(is_published, "the checkpoint is not published")
    found.close()
    assert noted(store) == ["publish", "publishing failed"]
    kept = store.archive().kept()
    assert [item.published is not None for item in kept] == [False, True]
    assert newest.parameters.encode() in files(hub, kept[-1].published or "")["model.json"]


def noted(store: RunStore) -> list[str]:
    """What the audit log tells, the newest first."""
    with store.database.reading() as session:
        return [entry.action for entry in entries(session)]


def end(found: Releases, store: RunStore, number: int) -> None:
    """Wait until an order has ended, and close the releases."""

    def is_done() -> bool:
        found.turn()
        return outcome(store.database, number) is not None

    wait_until(is_done, "the order does not end")
    found.close()


def test_an_order_that_the_hub_refuses_ends_with_the_reason(store: RunStore, hub: WritableHub) -> None:
    store.keep(10)
    hub.tokens[SECRET] = HubToken("ada", "read")
    found = releases(store, hub, Hours(), every=100)
    number = request_publication(store.database, by="ada")
    with store.database.reading() as session:
        found.order(waiting(session)[0])
    end(found, store, number)
    ended = outcome(store.database, number)
    assert ended is not None
    assert "HF_TOKEN" in ended.text
    assert noted(store) == ["publishing failed"]
    assert store.archive().kept()[0].published is None


def test_an_order_is_carried_out_before_its_time(store: RunStore, hub: WritableHub) -> None:
    store.keep(10, 20)
    found = releases(store, hub, Hours(), every=100)
    number = request_publication(store.database, 10, by="ada")
    with store.database.reading() as session:
        found.order(waiting(session)[0])
    end(found, store, number)
    assert [item.published is not None for item in store.archive().kept()] == [True, False]


def test_an_order_that_nothing_can_be_done_for_ends_with_the_reason(store: RunStore) -> None:
    found = Releases(store.archive(), store.database, None, every=1, is_passing=lambda error: True)
    number = request_publication(store.database, by="ada")
    with store.database.reading() as session:
        found.order(waiting(session)[0])
    found.close()
    ended = outcome(store.database, number)
    assert ended is not None
    assert "HF_TOKEN" in ended.text


def test_a_checkpoint_of_another_epoch_does_not_stand_in(store: RunStore, hub: WritableHub) -> None:
    enter(store.archive(), state_of(store.manifest, 10))
    found = releases(store, hub, Hours())
    number = request_publication(store.database, 15, by="ada")
    with store.database.reading() as session:
        found.order(waiting(session)[0])
    found.close()
    ended = outcome(store.database, number)
    assert ended is not None
    assert ended.text == "There is no such checkpoint."

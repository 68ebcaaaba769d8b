"""A checkpoint becomes a model on a Hub that speaks the language of the real one, in one commit."""

from collections.abc import Iterator
from pathlib import Path

import huggingface_hub
import pytest
from pydantic import SecretStr

from coordinator.errors import PublishError
from coordinator.home import Home
from coordinator.publisher.orders import outcome, request_publication, waiting
from coordinator.publisher.release import HubRelease, Unavailable
from coordinator.publisher.releases import Releases
from core.data.pushing.hub_repository import MAIN, HubRepository, RepositoryKind, settle_library
from core.published.model_folder import open_model
from tests.coordinator.publisher.states import Books, enter, new_books, state_of
from tests.waiting import wait_until
from tests.writable_hub import Fault, Token, WritableHub, writable_hub

REPO, SECRET = "ada/dalle-together", "hf_secret"


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[WritableHub]:
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_DISABLE_XET", True)
    with writable_hub() as found:
        found.tokens[SECRET] = Token("ada")
        yield found


@pytest.fixture
def books(tmp_path: Path, made_home: Home) -> Iterator[Books]:
    with new_books(tmp_path, made_home) as found:
        yield found


def release(books: Books, hub: WritableHub, token: str = SECRET) -> HubRelease:
    settle_library()
    repository = HubRepository(REPO, MAIN, SecretStr(token), hub.address, kind=RepositoryKind.MODEL)
    base = books.home.manifest.parent
    return HubRelease(books.manifest, base, books.home.root / "publishing", repository)


def files(hub: WritableHub, commit: str) -> dict[str, bytes]:
    return {path: blob.content for path, blob in hub.repositories[REPO].commits[commit].items()}


def download(hub: WritableHub, commit: str, folder: Path) -> Path:
    for name, content in files(hub, commit).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    (folder / ".gitattributes").unlink()
    return folder


def test_one_commit_has_the_whole_model_with_its_card(books: Books, hub: WritableHub, tmp_path: Path) -> None:
    kept = books.keep(10)[0]
    commit = release(books, hub).publish(books.archive().path(kept))
    model = open_model(download(hub, commit, tmp_path / "model"))
    assert model.document.parameter_digest == kept.parameters
    assert b"epoch 10" in files(hub, commit)["README.md"]
    assert not (books.home.root / "publishing" / "model").exists()


def test_the_next_one_takes_its_place_and_sends_only_what_differs(books: Books, hub: WritableHub) -> None:
    first, second = books.keep(10, 20)
    publish = release(books, hub).publish
    publish(books.archive().path(first))
    before = len(hub.arrived)
    publish(books.archive().path(second))
    assert len(hub.arrived) == before + 1  # the weights; codec and tokenizer are there
    publish(books.archive().path(second))
    assert len(hub.arrived) == before + 1


@pytest.mark.parametrize(("place", "status"), [("whoami", 503), ("commit", 429)])
def test_a_hub_that_is_busy_is_tried_again(books: Books, hub: WritableHub, place: str, status: int) -> None:
    kept = books.keep(10)[0]
    hub.faults.extend([Fault(place, status)] * 8)
    with pytest.raises(Unavailable):
        release(books, hub).publish(books.archive().path(kept))
    hub.faults.clear()
    assert release(books, hub).publish(books.archive().path(kept))


@pytest.mark.parametrize(("token", "role"), [("another", "write"), (SECRET, "read")])
def test_a_token_that_may_not_write_is_told_without_being_repeated(
    books: Books, hub: WritableHub, token: str, role: str
) -> None:
    hub.tokens[SECRET] = Token("ada", role)
    with pytest.raises(PublishError) as told:
        release(books, hub, token).publish(books.archive().path(books.keep(10)[0]))
    assert not isinstance(told.value, Unavailable)
    assert "HF_TOKEN" in str(told.value)
    assert token not in str(told.value)


def test_what_arrives_otherwise_than_it_was_sent_is_noticed(books: Books, hub: WritableHub) -> None:
    hub.spoiled.add("model.safetensors")
    with pytest.raises(PublishError, match="differs"):
        release(books, hub).publish(books.archive().path(books.keep(10)[0]))


class Hours:
    """A clock that a test sets."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def releases(books: Books, hub: WritableHub, clock: Hours, every: int = 2) -> Releases:
    return Releases(
        books.archive(),
        books.database,
        release(books, hub).publish,
        every=every,
        is_passing=lambda error: isinstance(error, Unavailable),
        clock=clock,
    )


def test_every_other_is_published_and_a_hub_that_comes_back_gets_it(books: Books, hub: WritableHub) -> None:
    clock, newest = Hours(), books.keep(10, 20)[-1]
    found = releases(books, hub, clock)
    hub.faults.extend([Fault("whoami", 503)] * 8)

    def is_published() -> bool:
        clock.now += 100
        hub.faults.clear()
        found.turn()
        return books.archive().kept()[-1].published is not None

    found.turn()
    wait_until(is_published, "the checkpoint is not published")
    found.close()
    kept = books.archive().kept()
    assert [item.published is not None for item in kept] == [False, True]
    assert newest.parameters.encode() in files(hub, kept[-1].published or "")["model.json"]


def test_an_order_is_carried_out_before_its_time(books: Books, hub: WritableHub) -> None:
    books.keep(10, 20)
    found = releases(books, hub, Hours(), every=100)
    number = request_publication(books.database, 10, by="ada")
    with books.database.reading() as session:
        found.order(waiting(session)[0])

    def is_done() -> bool:
        found.turn()
        return outcome(books.database, number) is not None

    wait_until(is_done, "the order is not carried out")
    found.close()
    assert [item.published is not None for item in books.archive().kept()] == [True, False]


def test_an_order_that_nothing_can_be_done_for_ends_with_the_reason(books: Books) -> None:
    found = Releases(books.archive(), books.database, None, every=1, is_passing=lambda error: True)
    number = request_publication(books.database, by="ada")
    with books.database.reading() as session:
        found.order(waiting(session)[0])
    found.close()
    told = outcome(books.database, number)
    assert told is not None
    assert "HF_TOKEN" in told.text


def test_a_checkpoint_of_another_epoch_does_not_stand_in(books: Books, hub: WritableHub) -> None:
    enter(books.archive(), state_of(books.manifest, 10))
    found = releases(books, hub, Hours())
    number = request_publication(books.database, 15, by="ada")
    with books.database.reading() as session:
        found.order(waiting(session)[0])
    found.close()
    told = outcome(books.database, number)
    assert told is not None
    assert told.text == "There is no such checkpoint."

"""A coordinator's home for tests of its website: a run, and a database with epochs, volunteers and pictures."""

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

from PIL import Image

from coordinator.database.connect import Database
from coordinator.database.tables import Checkpoint, Frame, KnownPeer, SwarmNow, User
from coordinator.home import Home
from coordinator.ledger.credit import Claim, CommittedEpoch
from coordinator.ledger.ledger import Ledger
from coordinator.run_now import PeersOfClass, RunNow
from coordinator.settings import Settings
from coordinator.web.context import WebContext
from core.generation.frame_texts import texts_packet
from core.run.manifest import RunManifest
from core.signing import SigningKey
from core.storage.files import sha256_of
from core.swarm.wire.device_class import DeviceClass
from tests.coordinator.empty_database import empty_database
from tests.swarms.tiny_run import write_tiny_run

NOW = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)
HOSTILE = "<script>alert(1)</script>"
HOSTILE_NAME = '"><img src=x onerror=alert(1)>&amp;{{7*7}}'
PROMPTS = ("red heart", f'a "{HOSTILE}" & more', "ein Pinsel – кисть – 絵筆", "sunflower", "rocket")


@dataclass
class SiteClock:
    """A clock of the test's."""

    now: datetime = NOW
    seconds: float = 0.0

    def __call__(self) -> datetime:
        return self.now

    def monotonic(self) -> float:
        return self.seconds


@dataclass(frozen=True)
class ServedSite:
    """The website's context, which serves requests, and the clock, which tests change."""

    context: WebContext
    clock: SiteClock

    @property
    def database(self) -> Database:
        return self.context.database


@contextmanager
def site(
    folder: Path,
    *,
    settings: Settings = Settings(),  # noqa: B008 - frozen
    title: str = "A tiny run",
    prompts: Sequence[str] = PROMPTS,
    write_run: Callable[[Home], None] | None = None,
) -> Iterator[ServedSite]:
    """A home in ``folder`` with an empty database; of a tiny run, or of the one that ``write_run`` puts there."""
    home = Home(folder)
    if write_run is None:
        _write_run(home, title, tuple(prompts))
    else:
        write_run(home)
    settings.save(home.settings)
    home.gate_key.parent.mkdir(exist_ok=True)
    SigningKey.generate().save(home.gate_key)
    home.database.write_bytes(empty_database())
    opened = Database.open(f"sqlite:///{home.database}")
    clock = SiteClock()
    try:
        yield ServedSite(WebContext(home, settings, opened, SigningKey.load(home.gate_key), clock), clock)
    finally:
        opened.close()


def _write_run(home: Home, title: str, prompts: tuple[str, ...]) -> None:
    manifest = RunManifest.load(write_tiny_run(home.manifest.parent, prompts=prompts))
    key = SigningKey.generate()
    contact = manifest.contact.model_copy(update={"title": title, "description": f"Paints {HOSTILE}."})
    RunManifest.create(manifest.training, contact, key).save(home.manifest)


@dataclass(frozen=True)
class LedgerPerson:
    """A volunteer to enter into the ledger."""

    name: str
    share: float = 1.0
    """The factor for the samples of this person in relation to those of the others."""
    device: DeviceClass = DeviceClass.CPU
    hidden: bool = False
    peer: str = field(default="")


PEOPLE = (
    LedgerPerson("ada", 3.0, DeviceClass.GPU_24),
    LedgerPerson("grace", 2.0, DeviceClass.GPU_8),
    LedgerPerson("shy-person", 1.5, hidden=True),
    LedgerPerson(HOSTILE_NAME),
    LedgerPerson("кисть"),
)


def fill(site: ServedSite, people: Sequence[LedgerPerson] = PEOPLE, epochs: int = 40) -> None:
    """Epochs over the last days, with a falling loss; pictures, checkpoints, and the swarm as it is now."""
    add_people(site, people)
    add_epochs(site, people, range(1, epochs + 1))
    add_frames(site, (5, 10, 20, 40))
    add_checkpoint(site, 30)


def add_people(site: ServedSite, people: Sequence[LedgerPerson]) -> None:
    """Users with a peer each."""
    with site.database.session() as session:
        for number, person in enumerate(people):
            user = User(name=person.name, hidden=person.hidden, created=NOW - timedelta(days=30))
            session.add(user)
            session.flush()
            session.add(
                KnownPeer(
                    peer_id=_peer(number),
                    user_id=user.id,
                    device=person.device,
                    created=NOW - timedelta(days=30),
                )
            )


def add_epochs(
    site: ServedSite,
    people: Sequence[LedgerPerson],
    epochs: Sequence[int],
    apart: float = 6.0,
    seconds: float = 600.0,
    learning: float = 15.0,
) -> None:
    """Commit epochs, so many hours apart and the last of them just now; and say so.

    Each takes about ``seconds``; after ``learning`` epochs most of the loss has gone.
    """
    draws, paces = Random(4), Random(5)
    ledger = Ledger(site.database, operations=2e12)
    for epoch in epochs:
        shares = {_peer(number): person.share * draws.uniform(20, 30) for number, person in enumerate(people)}
        loss = 2.0 + 5.0 * math.exp(-epoch / learning) + draws.gauss(0, 0.03)
        committed = CommittedEpoch(
            generation=0,
            epoch=epoch,
            time=NOW - timedelta(hours=apart * (epochs[-1] - epoch)),
            seconds=seconds * paces.uniform(0.9, 1.2),
            samples=sum(shares.values()),
            root=f"{epoch:064x}",
            loss=loss,
            contributors=shares,
            claims={
                _peer(number): Claim(shares[_peer(number)] + 1, shares[_peer(number)] / 500, person.device)
                for number, person in enumerate(people)
            },
            traffic=4_000_000,
        )
        assert ledger.record(committed)
    say_now(site, epochs[-1], loss)


def say_now(site: ServedSite, epoch: int, loss: float = 2.5, training: int = 4, **changed: Any) -> None:
    """Write the recorder's report on the swarm to the database, with some fields ``changed``."""
    target = site.context.manifest.training.swarm.target_batch_size
    now = RunNow(
        time=site.clock.now,
        generation=0,
        epoch=epoch,
        total_epochs=site.context.manifest.training.schedule.total_epochs,
        loss=loss,
        samples_per_second=12.5,
        gathered=40,
        target=target,
        seconds_to_next=max(0, target - 40) / 12.5,
        peers={"gpu_24": PeersOfClass(training=training - 1), "cpu": PeersOfClass(training=1, paused=2)},
        reach={"direct": training - 1, "outgoing": 3},
        waiting={"no donor": 1},
        exchanged_bytes=160_000_000,
    ).model_copy(update=changed)
    with site.database.session() as session:
        session.merge(SwarmNow(id=1, time=site.clock.now, content=now.model_dump(mode="json")))


def add_frames(
    site: ServedSite, epochs: Sequence[int], picture: Image.Image | None = None, texts: Sequence[str] = ()
) -> None:
    """Add frames of those epochs, all with one ``picture`` if it is given, and with ``texts``."""
    folder = site.context.home.frames
    folder.mkdir(exist_ok=True)
    for epoch in epochs:
        file = folder / f"g0-epoch-{epoch:07d}.webp"
        shown = picture or Image.new("RGB", (96, 64), (epoch * 5 % 256, 90, 160))
        shown.save(file, "WEBP", xmp=texts_packet(texts))
        row = Frame(
            generation=0,
            epoch=epoch,
            sha256=sha256_of(file),
            size=file.stat().st_size,
            file=file.name,
            peer_id=_peer(0),
        )
        with site.database.session() as session:
            session.add(row)


def add_checkpoint(site: ServedSite, epoch: int) -> None:
    row = Checkpoint(
        generation=0,
        epoch=epoch,
        parameters="a" * 64,
        folder=f"epoch-{epoch}",
        loss=2.8,
        size=33_000_000,
        created=NOW,
        standing="kept",
        published="b" * 40,
    )
    with site.database.session() as session:
        session.add(row)


def _peer(number: int) -> str:
    return f"12D3KooW{number:044d}"

"""Entry point of the recorder's process: writes down what the swarm does and proves, and tells it who is refused.

It ends at the end of its input. A generation of a run is recorded by a process of its own: the keys of all that it
reads carry the generation's number.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from pydantic import TypeAdapter

from coordinator.database.connect import Database
from coordinator.errors import DatabaseError
from coordinator.home import Home
from coordinator.ledger.archive import archive_oldest
from coordinator.messages import FOR_RECORDER, PeerReady, RecorderOrder, StartRecorder
from coordinator.recorder.own_relays import OwnRelays
from coordinator.settings import Settings
from core.children import child
from core.generation.frame_texts import texts_in_frames
from core.messages.children import Admit
from core.messages.lines import Channel
from core.run.manifest import RunManifest
from core.signing import SigningKey
from core.tasks import end_tasks

if TYPE_CHECKING:
    import hivemind

    from coordinator.recorder.reader import SwarmReader
    from core.swarm.admission.admission import Admission

_log = logging.getLogger(__name__)

_FRAMES_SECONDS = 3.0
_REFUSALS_SECONDS = 1.0
_EVIDENCE_SECONDS = 3.0
_ARCHIVE_SECONDS = 3600.0
_PATIENCE_SECONDS = 2.0
"""Seconds between a failed attempt and the next."""

Turn = Callable[[], Awaitable[float]]
"""Does what is due, and returns the seconds until it is called again."""


def main() -> NoReturn:
    child.live(TypeAdapter(StartRecorder), record)


def record(start: StartRecorder, channel: Channel) -> None:
    """Record until the input ends; CoreError where that cannot be gone on with."""
    home = Home(start.home)
    manifest = RunManifest.load(home.manifest)  # at once, as imports take seconds
    with closing(Database.open(start.database)) as database:
        with child.importing():  # once the channel is ours, since importing prints
            from core.swarm.admission.admission import Admission
            from core.swarm.dht import Network, start_dht
            from core.swarm.membership.run_state import RunStateValidator
            from core.swarm.reach.contacts import OwnContact
            from core.swarm.wire.identity import PeerIdentity

        identity = PeerIdentity.load_or_create(home.recorder_identity)
        admission = Admission.of_run(manifest, identity.peer_id, start.admission)
        dht = start_dht(
            Network(
                initial_peers=start.initial_peers,
                client_mode=True,
                contact=OwnContact(published=False),
                check_identity=False,
            ),
            identity,
            prefix=manifest.dht_prefix,
            total_epochs=manifest.training.schedule.total_epochs,
            validators=[RunStateValidator(manifest)],
            admission=admission,
        )
        try:
            asyncio.run(_record(home, manifest, database, dht, channel, admission))
        finally:
            dht.shutdown()


async def _record(
    home: Home,
    manifest: RunManifest,
    database: Database,
    dht: "hivemind.DHT",
    channel: Channel,
    admission: "Admission | None",
) -> None:
    from coordinator.recorder.reader import SwarmReader

    relays = OwnRelays()
    end_of_input = asyncio.create_task(_until_end_of_input(channel, admission, relays))
    reader = await SwarmReader.open(dht, manifest, admission)
    turns = _turns(home, manifest, database, dht, reader, relays)
    channel.send(PeerReady(peer_id=str(dht.peer_id)))
    tasks = {end_of_input, *(asyncio.create_task(_regularly(turn)) for turn in turns)}
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()  # raises what ended it
    finally:
        await end_tasks(tasks)
        await reader.close()


def _turns(
    home: Home,
    manifest: RunManifest,
    database: Database,
    dht: "hivemind.DHT",
    reader: "SwarmReader",
    relays: OwnRelays,
) -> Sequence[Turn]:
    from coordinator.recorder.evidence import EvidenceUpdates
    from coordinator.recorder.gallery import Gallery
    from coordinator.recorder.recorder import Recorder
    from coordinator.recorder.revocations import RevocationUpdates

    recorder = Recorder(manifest, database, reader, used_up=relays.used_up)
    gallery = Gallery(home.frames, database, manifest.state.generation, texts_in_frames(manifest))

    async def collect() -> float:
        await gallery.collect(await reader.frames(), reader.frame, newest=recorder.newest)
        return _FRAMES_SECONDS

    keep_days = Settings.load(home.settings).ledger.keep_days
    turns: list[Turn] = [recorder.turn, collect]
    if keep_days:
        turns.append(partial(_archive, database, home.archive, keep_days))
    if manifest.contact.gate is None:
        return turns
    key = SigningKey.load(home.gate_key)
    refusals = RevocationUpdates(database, key, manifest, dht)
    evidence = EvidenceUpdates(database, key, manifest, dht)

    async def refuse() -> float:
        await refusals.publish()
        return _REFUSALS_SECONDS

    async def take_evidence() -> float:
        await evidence.turn()
        return _EVIDENCE_SECONDS

    return [*turns, refuse, take_evidence]


async def _archive(database: Database, folder: Path, keep_days: int) -> float:
    """Move one past day out of the database; return the seconds until the next one."""
    before = datetime.now(UTC).date() - timedelta(days=keep_days)
    done = await asyncio.to_thread(archive_oldest, database, folder, before)
    if done is None:
        return _ARCHIVE_SECONDS
    _log.info("%d credits and doubts of %s are in %s now.", done.rows, done.day, done.file)
    return 0.0


async def _regularly(turn: Turn) -> None:
    """Repeat a turn for ever; it waits for a database or a disk that is away."""
    while True:
        try:
            pause = await turn()
        except (DatabaseError, OSError) as error:
            _log.warning("%s", error)
            pause = _PATIENCE_SECONDS
        await asyncio.sleep(pause)


async def _until_end_of_input(channel: Channel, admission: "Admission | None", relays: OwnRelays) -> None:
    """Return at the end of the input; until then, show the access tokens that come, and hear of the relays."""
    from core.swarm.admission.token_renewal import show_renewal

    ended, loop = asyncio.Event(), asyncio.get_running_loop()

    def hear(order: RecorderOrder) -> None:
        if isinstance(order, Admit):
            show_renewal(admission, order)
        else:
            relays.hear(order)

    channel.listen(FOR_RECORDER, hear, lambda: loop.call_soon_threadsafe(ended.set))
    await ended.wait()


if __name__ == "__main__":
    main()

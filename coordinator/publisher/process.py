"""Entry point of the publisher's process: keeps and publishes checkpoints, and rolls the run back.

It ends at the end of its input. A generation of a run has a process of its own; one that has rolled the run back only
goes on telling the swarm of it.
"""

import logging
import os
import threading
from collections.abc import Mapping
from contextlib import closing
from typing import TYPE_CHECKING, NoReturn

import psutil
from pydantic import TypeAdapter

from coordinator.database.connect import Database
from coordinator.errors import DatabaseError
from coordinator.home import Home
from coordinator.messages import PeerReady, StartPublisher
from coordinator.rollback import settle
from coordinator.settings import Settings
from core.children import child
from core.errors import CheckpointError, SwarmError
from core.memory.units import format_size
from core.messages.lines import Channel
from core.run.manifest import RunManifest

if TYPE_CHECKING:
    from torch import Tensor

    from coordinator.peer_users import PeerUsers
    from coordinator.publisher.archive import Archive
    from coordinator.publisher.capture import OwnState
    from coordinator.publisher.peer import PublisherPeer
    from coordinator.publisher.publisher import Publisher
    from coordinator.publisher.releases import Publish
    from coordinator.publisher.reported_parameters import ReportedParameters
    from core.swarm.state.replica import Place
    from core.swarm.state.state import SwarmState
    from core.swarm.wire.records import ProgressRecord

_log = logging.getLogger(__name__)
_TURN_SECONDS = 0.5
_FOLLOWER_SECONDS = 60.0
"""Seconds for which a checkpoint that is due waits for the follower, before a trainer is asked for the state."""


def main() -> NoReturn:
    child.live(TypeAdapter(StartPublisher), publish)


def publish(start: StartPublisher, channel: Channel) -> None:
    """Publish until the input ends; CoreError where that cannot be gone on with."""
    home = Home(start.home)
    manifest = RunManifest.load(home.manifest)  # at once, as imports take seconds
    with closing(Database.open(start.database)) as database:
        settle(database, manifest)  # what a killed process has left undone

        with child.importing():  # once the channel is ours, since importing prints
            from coordinator.publisher.offers import Offers
            from coordinator.publisher.peer import PublisherPeer
            from core.swarm.admission.token_renewal import hear_renewals
            from core.swarm.dht import Network
            from core.swarm.reach.contacts import OwnContact
            from core.swarm.reach.relay_total import RelayTotal, tell_news
            from core.swarm.state.beginning import Beginning
            from core.swarm.wire.identity import PeerIdentity

        identity = PeerIdentity.load_or_create(home.publisher_identity)
        network = Network(
            listen=start.listen,
            initial_peers=start.initial_peers,
            contact=OwnContact() if start.relay is not None else None,
            relay=start.relay,
            check_identity=False,
        )
        follows = _may_follow(home, manifest)
        peer = PublisherPeer.start(manifest, network, identity, start.admission, follows=follows)
        relayed = RelayTotal.of(peer.dht, start.relay, home.publisher_identity)
        tell_news(
            relayed, channel
        )  # before it is ready, as its total may have been used up before it was started
        channel.send(PeerReady(peer_id=str(identity.peer_id)))
        ended = threading.Event()
        hear_renewals(channel, peer.admission, ended.set)
        archive = _archive(home, manifest, database)
        publisher = _publisher(start, home, manifest, database, archive, peer, follows)
        offers = Offers(archive, peer.offer, Beginning.of(manifest))
        while not ended.wait(_TURN_SECONDS):
            if peer.lost:
                raise SwarmError("The publisher's network process has died.", "Start it again.")
            try:
                publisher.turn(peer.others)
                if not peer.is_following:
                    offers.turn()
            except DatabaseError as error:
                _log.warning("%s", error)  # it is waited for
            peer.publish_state(publisher.successor)
            tell_news(relayed, channel)
        publisher.close()
        offers.close()
        peer.close()


def _may_follow(home: Home, manifest: RunManifest) -> bool:
    """Return true if the publisher is to hold a state that follows the swarm, and this machine has the memory."""
    from core.swarm.follower import bytes_to_follow

    instead = "Checkpoints are downloaded from trainers that accept connections."
    if not Settings.load(home.settings).swarm.follow:
        _log.info("swarm.follow is off. %s", instead)
        return False
    needed, free = bytes_to_follow(manifest), psutil.virtual_memory().available
    if needed > free:
        text = "Following the swarm takes %s of memory, and %s are free: swarm.follow is ignored. %s"
        _log.warning(text, format_size(needed), format_size(free), instead)
    return needed <= free


def _archive(home: Home, manifest: RunManifest, database: Database) -> "Archive":
    from coordinator.publisher.archive import Archive

    archive = Archive(home.checkpoints, database, manifest, Settings.load(home.settings).checkpoints.keep)
    archive.clear_up()
    return archive


def _publisher(
    start: StartPublisher,
    home: Home,
    manifest: RunManifest,
    database: Database,
    archive: "Archive",
    peer: "PublisherPeer",
    follows: bool,
) -> "Publisher":
    from coordinator.peer_users import PeerUsers
    from coordinator.publisher.capture import Capture, no_state
    from coordinator.publisher.held_out import HeldOut
    from coordinator.publisher.publisher import Publisher
    from coordinator.publisher.release import Unavailable
    from coordinator.publisher.releases import Releases
    from coordinator.publisher.reported_parameters import ReportedParameters
    from coordinator.publisher.second_donors import SecondDonors
    from core.swarm.state.beginning import Beginning

    settings = Settings.load(home.settings).checkpoints
    users = PeerUsers(None if manifest.contact.gate is None else database)
    reported = ReportedParameters(Beginning.of(manifest), users, manifest.training.swarm.sketch_tolerance)
    held_out = HeldOut.of_run(manifest.training, home.manifest.parent)
    own = _follow(home, manifest, archive, peer, users, reported) if follows else no_state
    second = SecondDonors(
        reported, users, lambda: peer.others, peer.ask_sums, manifest.training.swarm.sketch_tolerance
    )
    capture = Capture(
        archive, reported, peer.download, held_out, second, loss_bound=settings.loss_bound, own=own
    )
    releases = Releases(
        archive,
        database,
        _publish(start, home, manifest, settings.publish_to),
        every=settings.publish_every,
        is_passing=lambda error: isinstance(error, Unavailable),
    )
    return Publisher(home, manifest, database, settings, archive, reported, capture, releases)


def _follow(
    home: Home,
    manifest: RunManifest,
    archive: "Archive",
    peer: "PublisherPeer",
    users: "PeerUsers",
    reported: "ReportedParameters",
) -> "OwnState":
    """Begin to follow the swarm; return a function that waits for the follower's state of an epoch.

    The parameters of heads whose work is audited are kept for the auditor.
    """

    def others() -> "list[ProgressRecord]":
        return [*users.one_per_user(peer.others), *(item for item in peer.others if item.auxiliary)]

    from coordinator.auditing.handover import AuditFolder

    folder = AuditFolder(home.audits)

    def keep(place: "Place", parameters: "Mapping[str, Tensor]") -> None:
        folder.keep(place.epoch, place.head, {name: item.numpy() for name, item in parameters.items()})

    saved = _saved(manifest, archive)
    follower = peer.follow(manifest, home.manifest.parent, saved, others, reported.refusal, keep)
    return lambda epoch: follower.await_state(epoch, _FOLLOWER_SECONDS)


def _saved(manifest: RunManifest, archive: "Archive") -> "SwarmState | None":
    """Return the state of the newest checkpoint of this generation; None if there is none that can be read."""
    from coordinator.publisher.archive import as_beginning
    from core.swarm.state.beginning import Beginning

    beginning = Beginning.of(manifest)
    try:
        newest = archive.newest()
        state = archive.state(newest) if newest is not None else None
    except (CheckpointError, DatabaseError) as error:
        _log.warning("The newest checkpoint cannot be read: %s", error)
        return None
    return as_beginning(state, beginning) if state is not None and beginning.is_named(state) else state


def _publish(start: StartPublisher, home: Home, manifest: RunManifest, repo: str | None) -> "Publish | None":
    if repo is None or start.hub_token is None or manifest.training.unpublishable:
        return None
    from coordinator.publisher.release import HubRelease

    work = home.checkpoints.parent / "publishing"
    endpoint = os.environ.get("HF_ENDPOINT")
    return HubRelease.to_hub(manifest, home.manifest.parent, work, repo, start.hub_token, endpoint).publish


if __name__ == "__main__":
    main()

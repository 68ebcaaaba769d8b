"""Entry point of the bootstrap peer, the process by which trainers enter a swarm, at an address that stays.

It keeps the swarm's records, signs summaries of a large swarm, and computes no gradients; configured as an auxiliary
peer, it also reduces parts for the trainers' groups, and hands samples of what it is sent to the auditor of work. It
ends at the end of its input.
"""

import os
from multiprocessing.connection import wait
from typing import NoReturn

from pydantic import TypeAdapter

from core.children import child
from core.errors import SwarmError
from core.messages.children import BootstrapReady, StartBootstrap
from core.messages.lines import Channel
from core.run.manifest import RunManifest

_QUIET_SECONDS = 5.0


def main() -> NoReturn:
    child.live(TypeAdapter(StartBootstrap), serve)


def serve(start: StartBootstrap, channel: Channel) -> None:
    """Keep a DHT node of the run until the input ends; SwarmError if it cannot start or dies."""
    manifest = RunManifest.load(start.manifest)  # at once, as imports take seconds

    with child.importing():  # once the channel is ours, since importing prints
        from coordinator.auditing.handover import AuditFolder
        from coordinator.auditing.sampling import WorkSampling
        from core.admission.peer_key import PeerKey
        from core.swarm.admission.admission import Admission
        from core.swarm.admission.token_renewal import hear_renewals
        from core.swarm.auxiliary import TURN_SECONDS, AuxiliaryPeer
        from core.swarm.dht import Network, start_dht
        from core.swarm.membership.run_state import RunStateValidator, StateWatch
        from core.swarm.membership.summariser import Summariser
        from core.swarm.neighbours import meet_entrances
        from core.swarm.reach.contacts import OwnContact
        from core.swarm.reach.relay_total import RelayTotal, tell_news
        from core.swarm.wire.identity import PeerIdentity
        from core.swarm.wire.own_certificate import OwnCertificate

    identity = PeerIdentity.load_or_create(start.identity)
    admission = Admission.of_run(manifest, identity.peer_id, start.admission)
    dht = start_dht(
        Network(
            listen=start.listen,
            initial_peers=start.initial_peers,
            udp=True,
            contact=OwnContact() if start.relay is not None else None,
            relay=start.relay,
            checks_others=True,
        ),
        identity,
        prefix=manifest.dht_prefix,
        total_epochs=manifest.training.schedule.total_epochs,
        validators=[RunStateValidator(manifest)],
        admission=admission,
    )
    own = f"/p2p/{identity.peer_id}"
    meet_entrances(dht, [item for item in manifest.contact.initial_peers if not item.endswith(own)])
    # Homes use UDP only to learn how their routers work, and to meet each other.
    addresses = tuple(text for item in dht.get_visible_maddrs() if "/udp/" not in (text := str(item)))
    relayed = RelayTotal.of(dht, start.relay, start.identity)
    tell_news(
        relayed, channel
    )  # before it is ready, as its total may have been used up before it was started
    channel.send(BootstrapReady(peer_id=str(dht.peer_id), addresses=addresses))
    helper = AuxiliaryPeer.start(manifest, dht, identity, admission) if start.auxiliary else None
    sampling = None
    if helper is not None and start.audits is not None:
        key = PeerKey.load_or_create(start.identity)
        sampling = WorkSampling(manifest, helper, key, AuditFolder(start.audits))
    watch = StateWatch(dht, manifest)
    summariser = Summariser(dht, manifest.dht_prefix, identity, certificate=OwnCertificate(admission))
    summariser.start()
    end_of_input, on_end = os.pipe()
    hear_renewals(channel, admission, lambda: _signal(on_end))
    lifelines = [dht.sentinel, *([helper.sentinel] if helper else [])]
    while not (ended := wait([end_of_input, *lifelines], TURN_SECONDS if helper else _QUIET_SECONDS)):
        watch.publish()
        tell_news(relayed, channel)
        if helper:
            helper.turn()
        if sampling:
            sampling.turn()
    if end_of_input not in ended:
        raise SwarmError(
            "A process of the bootstrap peer's has died.", "Start it again; its log may say why."
        )
    summariser.stop()
    if helper:
        helper.close()
    dht.shutdown()


def _signal(descriptor: int) -> None:
    os.write(descriptor, b"\n")


if __name__ == "__main__":
    main()

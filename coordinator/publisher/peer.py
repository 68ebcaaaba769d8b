"""The publisher in the swarm: follows it or takes states from trainers, and gives its state to those that lack it."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import hivemind
import torch
from hivemind.p2p import PeerID
from hivemind.utils import get_dht_time

from coordinator.publisher.offers import MissingState, Offer
from core.errors import SwarmError
from core.run.manifest import RunManifest
from core.swarm.admission.admission import Admission
from core.swarm.averaging.averager import GradientAverager
from core.swarm.averaging.participant import RoundParticipant
from core.swarm.dht import Network, start_dht
from core.swarm.follower import OnPlace, StateFollower, outputs_of, record_of_follower
from core.swarm.membership.progress import ProgressTracker
from core.swarm.membership.run_state import RunStateValidator, StateWatch
from core.swarm.projections.asking import SUMS_SECONDS
from core.swarm.projections.sums import StateSums, SumsQuestion
from core.swarm.state.beginning import Beginning
from core.swarm.state.donors import StateUnavailable
from core.swarm.state.pieces import StateOutline
from core.swarm.state.replica import Place
from core.swarm.state.run_schema import parts_of_run, schema_of_run
from core.swarm.state.state import DonorFailed, SwarmState
from core.swarm.state.state_donor import MOST_READERS_OF_SERVER, StateDonor
from core.swarm.wire.identity import PeerIdentity
from core.swarm.wire.records import ProgressRecord

_NOTHING = b"\0" * 32
_SILENCE_SECONDS = 20.0
"""Seconds for which a donor may send nothing."""
_DOWNLOAD_SECONDS = 3600.0
_DESCRIPTION_SECONDS = 120.0
_SUMS_SECONDS = SUMS_SECONDS + 10.0


class PublisherPeer:
    """A peer that neither computes nor reduces. It seems paused while it gives its state: no peer waits for it."""

    def __init__(
        self,
        dht: "hivemind.DHT",
        averager: GradientAverager,
        tracker: ProgressTracker,
        beginning: Beginning,
        watch: StateWatch,
        admission: Admission | None,
    ) -> None:
        self.dht, self.admission = dht, admission
        self._averager, self._tracker, self._beginning, self._watch = averager, tracker, beginning, watch
        self._offer: Offer | None = None
        self._follower: StateFollower | None = None
        self._missing_state = MissingState()
        tracker.start(self.record)

    @classmethod
    def start(
        cls,
        manifest: RunManifest,
        network: Network,
        identity: PeerIdentity,
        token: str | None = None,
        *,
        follows: bool = False,
    ) -> Self:
        """Enter a run's swarm, ready to follow it if ``follows``; forks processes.

        SwarmError, or AdmissionError, if that cannot be.
        """
        training, prefix = manifest.training, manifest.dht_prefix
        admission = Admission.of_run(manifest, identity.peer_id, token)
        dht = start_dht(
            network,
            identity,
            prefix=prefix,
            total_epochs=training.schedule.total_epochs,
            validators=[RunStateValidator(manifest)],
            admission=admission,
        )
        beginning = Beginning.of(manifest)
        averager = GradientAverager(
            [torch.zeros(1)],
            RoundParticipant(
                parts_of_run(training),
                dht,
                identity,
                prefix,
                training.swarm,
                auxiliary=True,
                admission=admission,
                donor=StateDonor(most_readers=MOST_READERS_OF_SERVER),
            ),
            state_schema=schema_of_run(training),
            beginning=beginning,
            outputs=outputs_of(manifest) if follows else None,
        )
        tracker = ProgressTracker.of_run(
            dht, manifest, identity.owner, follows_commits=False, admission=admission
        )
        return cls(dht, averager, tracker, beginning, StateWatch(dht, manifest), admission)

    def follow(
        self,
        manifest: RunManifest,
        folder: Path,
        saved: SwarmState | None,
        others: Callable[[], Sequence[ProgressRecord]],
        refusal: Callable[[Place], str | None],
        on_place: OnPlace = lambda place, parameters: None,
    ) -> StateFollower:
        """Follow the run from ``saved`` on, as `StateFollower` does, and give that state to peers that want it.

        The ``folder`` has the files of the run in ``manifest``.
        """
        self._follower = StateFollower(
            manifest, folder, self._averager, others, saved, refusal=refusal, on_place=on_place
        )
        self._averager.serve_state(self._state, self._place)
        self._follower.start()
        return self._follower

    @property
    def others(self) -> Sequence[ProgressRecord]:
        """The last records of the other peers."""
        return self._tracker.view.others if self._tracker.view is not None else ()

    @property
    def lost(self) -> bool:
        """True if a process that speaks with the swarm has died."""
        return self._tracker.lost or not self._averager.is_alive()

    def publish_state(self, successor: RunManifest | None) -> None:
        """Publish the run's state to the swarm, and that of the manifest which the run was rolled back to."""
        self._watch.publish(successor)

    def offer(self, offer: Offer | None) -> None:
        """Give this state, and no other, to the peers that want it."""
        self._offer = offer
        if offer is not None:
            self._averager.serve_state(self._state, self._place)

    def download(self, donor: bytes, fixed: Callable[[StateOutline], None]) -> SwarmState:
        """Wait for a donor's whole state, of this generation and finite, and return it.

        ``fixed`` is called with the outline of the state once the donor has named it, before its pieces come; what it
        raises ends the download. Raise StateUnavailable or SwarmError if the donor does not give that state.
        """
        peer = PeerID(donor)
        try:
            named = self._averager.describe_state(peer, chunk_seconds=_SILENCE_SECONDS)
            outline = named.result(_DESCRIPTION_SECONDS)
            fixed(outline)
            asked = self._averager.download_state([peer], chunk_seconds=_SILENCE_SECONDS, only=outline.root)
            return self._averager.received_state(asked.result(_DOWNLOAD_SECONDS))
        except TimeoutError as error:
            raise StateUnavailable("A donor gave its state too slowly.") from error

    def ask_sums(self, peers: Sequence[bytes], question: SumsQuestion) -> Mapping[bytes, StateSums]:
        """Return the projections that ``peers`` (ids) give of their states; SwarmError if they cannot be asked."""
        asked = self._averager.ask_sums(peers, question)
        try:
            found: Mapping[bytes, StateSums] = asked.result(_SUMS_SECONDS)
        except (TimeoutError, OSError) as error:  # OSError: the averager has ended
            raise SwarmError("Other peers could not be asked.", "They are asked again.") from error
        return found

    def record(self) -> ProgressRecord:
        """Return the record for the other peers; the tracker's thread calls this method."""
        if (followed := self._followed) is not None:
            return record_of_follower(self._averager.peer_id.to_bytes(), followed)
        offer = self._offer
        if offer is not None and not self._missing_state.is_of(self.others, offer.place.epoch):
            offer = None
        if offer is None:
            fields: dict[str, Any] = {"epoch": self._beginning.epoch, "head": self._beginning.head}
            fields |= {"parameters": _NOTHING, "sketch": []}
        else:
            place = offer.place
            fields = {"epoch": place.epoch, "head": place.head, "state": place.state}
            fields |= {"parameters": bytes.fromhex(place.digest), "sketch": list(place.sketch)}
        return ProgressRecord(
            peer_id=self._averager.peer_id.to_bytes(),
            **fields,
            samples=0,
            samples_per_second=0.0,
            time=get_dht_time(),
            reducing=offer is not None,
            auxiliary=offer is None,
            synchronised=True,
            paused=True,
            donates=offer is not None,
        )

    @property
    def is_following(self) -> bool:
        """True if the peer holds a state of its own that is the swarm's."""
        return self._followed is not None

    @property
    def _followed(self) -> Place | None:
        """The place of the follower, unless an offered checkpoint is newer."""
        place = self._follower.place if self._follower is not None else None
        offer = self._offer
        return None if place is None or (offer is not None and offer.place.epoch > place.epoch) else place

    def _place(self) -> Place | None:
        """Return the place of the state that is given to others; None if there is none."""
        return self._followed or (self._offer.place if self._offer is not None else None)

    def _state(self) -> SwarmState:
        """Return the state that is given to others; a thread of the process calls this for each download."""
        if self._followed is not None and self._follower is not None:
            return self._follower.state()
        if self._offer is None:
            raise DonorFailed("This peer has no state to give yet.")
        return self._offer.read()

    def close(self) -> None:
        """Leave the swarm in order."""
        if self._follower is not None:
            self._follower.close()
        self._tracker.stop()
        self._averager.shutdown()
        self.dht.shutdown()

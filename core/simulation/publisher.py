"""A simulated publisher of the coordinator: it follows the run, and gives its state to peers that lack it."""

from collections.abc import Sequence
from concurrent.futures import Future

from hivemind.p2p import PeerID

from core.simulation.averaging import SharedWorld, SimulatedAverager
from core.simulation.board import SimulatedBoard
from core.simulation.line import SimulatedLine
from core.simulation.tracker import SimulatedTracker
from core.simulation.work import SimulatedReplica
from core.swarm.follower import FollowerStep, follower_step, record_of_follower
from core.swarm.membership.agreement import Verdict, in_order_of_asking
from core.swarm.quorum.electorate import electorate_of
from core.swarm.rounds.round import RoundFailed, RoundOutcome, RoundRequest
from core.swarm.state.beginning import Beginning
from core.swarm.state.donors import StateUnavailable
from core.swarm.state.replica import Place
from core.swarm.state.state import SwarmState
from core.swarm.state.state_donor import MOST_READERS_OF_SERVER
from core.swarm.wire.limits import Observations, derive
from core.swarm.wire.records import ProgressRecord

_LOOK_SECONDS = 1.0
_PATIENCE_SECONDS = 20.0
"""Seconds for which a committed epoch is looked for before a state is downloaded, as in `core.swarm.follower`."""
_MOST_DONORS = 4
"""Number of peers that are asked at once, as in `core.swarm.follower`."""


class SimulatedPublisher:
    """Follows the run by the decisions of a `core.swarm.follower.StateFollower`, and gives what it holds."""

    has_state = True
    can_be_asked = True

    def __init__(
        self,
        world: SharedWorld,
        board: SimulatedBoard,
        line: SimulatedLine,
        peer_id: bytes,
        place: Place,
        *,
        beginning: Beginning,
    ) -> None:
        """Start to follow the run.

        Args:
            world: what all peers have in common.
            board: the records of all.
            line: the line that its bytes pass: that of a bootstrap peer, as the coordinator runs both.
            peer_id: id of the peer.
            place: the place of the state with which it begins.
            beginning: the beginning of the run.
        """
        self.peer_id, self._world, self._beginning = peer_id, world, beginning
        self._rules = world.training.swarm
        self._limits = derive(self._rules, Observations())
        self._replica = SimulatedReplica(place)
        self._is_asking = False
        self._lacks_since: float | None = None
        self.averager = SimulatedAverager(
            world, peer_id, line, lambda: None, auxiliary=True, most_readers=MOST_READERS_OF_SERVER
        )
        self._tracker = SimulatedTracker(
            board, self._rules, line, line.delay, self._turn, follows_commits=False
        )
        self._tracker.start(self._record)
        world.peers[peer_id] = self
        self._tick()

    @property
    def place(self) -> Place:
        """The place of the state that is given."""
        return self._replica.place

    def _record(self) -> ProgressRecord:
        return record_of_follower(self.peer_id, self.place).model_copy(
            update={"time": self._world.queue.now()}
        )

    def _tick(self) -> None:
        self._turn()
        self._world.queue.after(_LOOK_SECONDS, self._tick)

    def _turn(self) -> None:
        """Take the next step, unless a peer is asked for something already."""
        view = self._tracker.view
        if self._is_asking or view is None:
            return
        step, verdict = follower_step(
            self.place,
            view.others,
            peer_id=self.peer_id,
            sketch_tolerance=self._rules.sketch_tolerance,
            beginning=self._beginning,
        )
        if step in (FollowerStep.STAY, FollowerStep.AGREE):
            self._lacks_since = None
        elif step == FollowerStep.DOWNLOAD:
            self._download(verdict)
        else:
            self._apply(view.others, verdict)

    def _apply(self, others: Sequence[ProgressRecord], verdict: Verdict) -> None:
        """Fetch the epoch that was committed after this place; a state if that has failed for too long."""
        place, limits = self.place, self._limits
        now = self._world.queue.now()
        since = self._lacks_since = now if self._lacks_since is None else self._lacks_since
        electorate = electorate_of(others, self._record())
        request = RoundRequest(
            place.epoch, place.head, 1, limits, limits.allreduce_seconds, now, electorate=electorate
        )
        able = in_order_of_asking([record for record in others if record.can_be_asked], self.peer_id)

        def take(found: "Future[RoundOutcome]") -> None:
            self._is_asking = False
            if isinstance(found.exception(), RoundFailed):
                if self._world.queue.now() - since > _PATIENCE_SECONDS:
                    self._download(verdict)
                return
            outcome = found.result()
            self._replica.step((), epoch=outcome.epoch, head=outcome.head)
            self._lacks_since = None
            self._turn()  # after a failure, it looks again with the next tick

        self._is_asking = True
        donors = [PeerID(record.peer_id) for record in able[:_MOST_DONORS]]
        self.averager.catch_up(request, donors).add_done_callback(take)

    def _download(self, verdict: Verdict) -> None:
        """Take a whole state from the donors of ``verdict``."""
        donors = [PeerID(donor) for donor in verdict.donors[:_MOST_DONORS]]
        if not donors:
            return

        def take(found: "Future[SwarmState]") -> None:
            self._is_asking = False
            if not isinstance(found.exception(), StateUnavailable):
                self._replica.take(found.result())
                self._lacks_since = None
                self._turn()

        self._is_asking = True
        asked = self.averager.download_state(donors, chunk_seconds=self._limits.allreduce_seconds / 3)
        asked.add_done_callback(take)

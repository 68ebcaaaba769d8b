"""Fetches from other peers the committed gradients or the state that this peer lacks, in attempts with pauses."""

import logging
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from hivemind.p2p import PeerID

from core.errors import SwarmError
from core.run.rules import SwarmRules
from core.swarm.averaging.averager import GradientAverager
from core.swarm.membership.agreement import Course, Verdict
from core.swarm.rounds.round import RoundFailed, RoundOutcome, RoundRequest
from core.swarm.state.donors import DonorsBusy
from core.swarm.state.stalls import DownloadBrokeOff
from core.swarm.state.state import SwarmState

_log = logging.getLogger(__name__)

_SET_ASIDE_SECONDS = 120.0
_FIRST_PAUSE_SECONDS, _LONGEST_PAUSE_SECONDS = 5.0, 60.0
"""Seconds after the first failed attempt before the next one, doubled at each; and their bound.

Without a pause the five attempts of most runs are over in seconds, as a line that is down refuses each at once. With
it the last one begins after 75 s.
"""
_PATIENCE = 60
"""Number of answers "wait" that count as one attempt, with a look at the swarm between them.

After a rollback many peers want the same state at once, and each peer that has it serves others in turn.
"""


class ClaimUnfounded(SwarmError):
    """A claim of the only user ahead, whose peers could not show their state; they are ignored for a while."""


class AttemptFailed(SwarmError):
    """An attempt failed, and the pause after it is over; the next goes on with the pieces that came."""


class NoneGave(SwarmError):
    """None of the peers that can be asked has the committed rounds, and no peer can be asked for a state."""


class Recovery:
    """One peer's attempts to catch up: committed gradients where those suffice, else a whole state.

    ``start`` asks, ``poll`` never waits. However many attempts fail, it goes on while others are ahead: to end would
    give every peer that claims to be ahead the means to end the trainers of others.
    """

    def __init__(
        self,
        averager: GradientAverager,
        rules: SwarmRules,
        set_aside: Callable[[tuple[bytes, ...], float], None],
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Prepare to catch up; `start` begins an attempt.

        Args:
            averager: fetches committed rounds and states.
            rules: the run's rules: the number of donors in an attempt, and of attempts after which it counts as
                stuck.
            set_aside: called by `poll` with the ids (bytes) of the donors of a user that did not give what they
                claimed, in a tuple, and the seconds for which to ignore that user's peers at first.
            clock: gives monotonic seconds.
        """
        self._averager, self._rules, self._set_aside, self._clock = averager, rules, set_aside, clock
        self._pending: Any = None
        self._failure: AttemptFailed | None = None
        self._pause_ends = 0.0
        self._verdict = Verdict(Course.FOLLOW)
        self._chunk_seconds, self._attempts, self._refused = 0.0, 0, 0

    def start(self, verdict: Verdict, request: RoundRequest) -> None:
        """Ask other peers for what the ``verdict`` calls for: a committed round or a whole state.

        ``request`` names the round, and its limits bound the silence of a donor.
        """
        self._attempts += 1
        self._verdict, self._chunk_seconds = verdict, request.limits.allreduce_seconds / 3
        if verdict.course == Course.CATCH_UP:
            keepers = [PeerID(keeper) for keeper in verdict.keepers]
            self._pending = self._averager.catch_up(request, [*self._donors(), *keepers])
        else:
            self._ask_for_state()

    def poll(self) -> RoundOutcome | SwarmState | None:
        """Return the fetched round or state; None while it is on its way, and during the pause after a failure.

        Raises:
            AttemptFailed: an attempt failed, and the pause after it is over. It does not count if pieces came.
            DonorsBusy: donors serve other peers first; this does not count as an attempt.
            NoneGave: no peer can be asked for a state, and none had the rounds; this does not count either.
            ClaimUnfounded: the only user ahead gave nothing, and is set aside for a while; it does not count.
        """
        if self._failure is not None:
            self._end_pause(self._failure)
            return None
        if not self._pending.done():
            return None
        pending, self._pending = self._pending, None
        try:
            found = pending.result()
            return found if isinstance(found, RoundOutcome) else self._averager.received_state(found)
        except SwarmError as error:
            self._handle(error)
            return None

    def _handle(self, error: SwarmError) -> None:
        """Ask for a state in place of a round that no peer gave, or begin a pause, or raise what `poll` raises."""
        if not self._verdict.donors:
            self._attempts -= 1
            raise NoneGave(error.what, "The others are asked again.") from error
        if isinstance(error, RoundFailed) and self._verdict.course == Course.CATCH_UP:
            self._verdict = replace(self._verdict, course=Course.DOWNLOAD)
            self._ask_for_state()
            return
        if isinstance(error, DonorsBusy):
            self._handle_busy(error)
        if isinstance(error, DownloadBrokeOff):
            self._attempts = 0
        elif self._verdict.claimants == 1:
            self._attempts -= 1
            self._set_aside(self._verdict.donors, _SET_ASIDE_SECONDS)
            raise ClaimUnfounded(error.what, "They are ignored for now.") from error
        self._begin_pause(error)

    def _handle_busy(self, error: DonorsBusy) -> None:
        """Raise ``error``, but for one time after many: that is a failed attempt."""
        if self._refused < _PATIENCE:
            self._refused, self._attempts = self._refused + 1, self._attempts - 1
            raise error
        self._refused = 0

    def _begin_pause(self, error: SwarmError) -> None:
        pause = min(_FIRST_PAUSE_SECONDS * 2 ** max(0, self._attempts - 1), _LONGEST_PAUSE_SECONDS)
        _log.warning(
            "This peer did not catch up (%d attempts failed): %s It looks at the swarm again in %.0f s.",
            self._attempts,
            error.what,
            pause,
        )
        self._failure = AttemptFailed(error.what, "The others are asked again.")
        self._pause_ends = self._clock() + pause

    def _end_pause(self, failure: AttemptFailed) -> None:
        """Raise ``failure`` once its pause is over."""
        if self._clock() >= self._pause_ends:
            self._failure = None
            raise failure

    @property
    def is_stuck(self) -> bool:
        """True if as many attempts failed as the run's rules allow before the volunteer is to know."""
        return self._attempts >= self._rules.state_download_attempts

    def agreed(self) -> None:
        """Forget past attempts: this peer stands where the swarm stands."""
        self._attempts = self._refused = 0

    def _ask_for_state(self) -> None:
        donors = self._donors()[: self._rules.state_download_attempts]
        self._pending = self._averager.download_state(
            donors,
            chunk_seconds=self._chunk_seconds,
            servers=self._verdict.servers,
            vouched=self._verdict.vouched,
            goes_on=True,
        )

    def _donors(self) -> list[PeerID]:
        return [PeerID(donor) for donor in self._verdict.donors]

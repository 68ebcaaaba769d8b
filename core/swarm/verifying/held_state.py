"""The check of a state that this peer was given: once it stands where the swarm stands, it asks several users.

The seed is drawn when the state is held, and each question names the place, so that nothing that was given before can
have been made to fit.
"""

import logging
import random
import secrets
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import replace

from core.failure_series import in_words
from core.messages.waiting import SwarmWait
from core.projection import SEED_BYTES, projected
from core.swarm.averaging.averager import GradientAverager
from core.swarm.membership.agreement import Course, Verdict
from core.swarm.projections.asking import SUMS_SECONDS
from core.swarm.projections.sums import StateSums, SumsQuestion
from core.swarm.state.replica import Place
from core.swarm.state.state import SwarmState, schema_of
from core.swarm.verifying.comparison import (
    StateAnswers,
    StateTrust,
    StateWitnesses,
    compared,
    witnesses_at,
)
from core.swarm.wire.records import ProgressRecord

_log = logging.getLogger(__name__)

_PATIENT_CHECKS, _MOST_CHECKS = 3, 24
"""Checks without an outcome for which a peer waits before it takes part, and after which it asks no more."""
_MARGIN_SECONDS = 8.0
NOWHERE = b"\0" * 32
"""The head of a peer whose state does not count: no commit has this root."""


class HeldState:
    """The trust in the state of one peer; `look` never waits."""

    def __init__(
        self,
        averager: GradientAverager,
        state: Callable[[], SwarmState],
        tolerance: float,
        *,
        worker: Executor | None = None,
    ) -> None:
        """Trust the present state: no other peer gave it.

        Args:
            averager: asks other peers, and sets aside those that gave a false state.
            state: gives a copy of the state, on the thread of ``worker``.
            tolerance: the run's `sketch_tolerance`.
            worker: projects the state and waits for the answers; None: a thread of its own.
        """
        self._averager, self._state, self._tolerance = averager, state, tolerance
        self._worker, self._draws = worker, random.SystemRandom()
        self.trust = StateTrust.OWN
        self._pending: Future[StateAnswers | None] | None = None
        self._place: Place | None = None
        """The place at which the last check began."""
        self._checks = 0

    def taken(self) -> None:
        """Trust the state no longer: another peer has given it just now."""
        self.trust, self._pending, self._place, self._checks = StateTrust.TAKEN, None, None, 0

    @property
    def holds_up(self) -> bool:
        """True while this peer is not to take part with the state: its check may still end soon."""
        return self.trust is StateTrust.TAKEN and (
            self._pending is not None or 0 < self._checks < _PATIENT_CHECKS
        )

    def look(self, place: Place, others: Sequence[ProgressRecord]) -> None:
        """Collect the outcome of a check, or begin one with the users among ``others`` that are at ``place``."""
        if self._pending is not None:
            self._collect()
        if self.trust is not StateTrust.TAKEN or self._pending is not None or self._checks >= _MOST_CHECKS:
            return
        is_new = self._place is None or (place.epoch, place.head) != (self._place.epoch, self._place.head)
        if not is_new and self._checks >= _PATIENT_CHECKS:
            return
        witnesses = witnesses_at(place, others, self._draws)
        if place.state is not None and (witnesses.agreeing or witnesses.asked):
            self._begin(place, witnesses)

    def close(self) -> None:
        """End the thread once what it waits for has come."""
        if isinstance(self._worker, ThreadPoolExecutor):
            self._worker.shutdown(wait=False, cancel_futures=True)

    def _begin(self, place: Place, witnesses: StateWitnesses) -> None:
        self._place, self._checks = place, self._checks + 1
        if len(witnesses.agreeing) >= len(witnesses.asked):
            self._judge(StateAnswers(witnesses.agreeing, silent=len(witnesses.asked)))
            return
        if self._worker is None:
            self._worker = ThreadPoolExecutor(1, thread_name_prefix="held-state")
        self._pending = self._worker.submit(self._check, place, witnesses)

    def _check(self, place: Place, witnesses: StateWitnesses) -> StateAnswers | None:
        """Return what the witnesses say; None if this peer has left the ``place``."""
        question = SumsQuestion(place.epoch, place.head, secrets.token_bytes(SEED_BYTES))
        state = self._state()
        if (state.epoch, state.head) != (place.epoch, place.head):
            return None
        schema = schema_of(state.tensors)
        own = StateSums(place.epoch, place.head, projected(state.tensors, question.seed))
        del state
        asked = self._averager.ask_sums(list(witnesses.asked), question, seconds=SUMS_SECONDS)
        answers = asked.result(SUMS_SECONDS + _MARGIN_SECONDS)
        return compared(own, answers, witnesses, schema, self._tolerance)

    def _collect(self) -> None:
        assert self._pending is not None
        if not self._pending.done():
            return
        pending, self._pending = self._pending, None
        try:
            answers = pending.result()
        except Exception as error:  # noqa: BLE001 - whatever it is, training goes on without an answer
            _log.warning("The state could not be checked: %s", in_words(error), exc_info=error)
            return
        if answers is not None and self.trust is StateTrust.TAKEN:
            self._judge(answers)

    def _judge(self, answers: StateAnswers) -> None:
        """Believe the ``answers``, and set aside those that gave or hold another state than most users do."""
        self.trust = answers.trust
        counts = len(answers.agreeing), len(answers.differing), answers.silent
        place = self._place
        assert place is not None
        if self.trust is StateTrust.REFUSED:
            _log.warning(
                "The state of epoch %d is not the swarm's: %d users hold the same, %d another, %d are silent; %s.",
                place.epoch,
                *counts,
                answers.why,
            )
            self._averager.distrust(answers.agreeing, givers=True)
            return
        _log.info(
            "The state of epoch %d is %s: %d users hold the same, %d another, %d are silent.",
            place.epoch,
            self.trust,
            *counts,
        )
        if 0 < len(answers.differing) < len(answers.agreeing):
            self._averager.distrust(answers.differing, givers=False)


def nowhere(own: ProgressRecord) -> ProgressRecord:
    """Return the record ``own`` for a peer whose state does not count: it is on no branch, and has no vote."""
    return own.model_copy(update={"head": NOWHERE, "synchronised": False})


def without_state(verdict: Verdict | None) -> Verdict | None:
    """Return the ``verdict`` of a peer whose state does not count: rounds lead it nowhere, only a state does."""
    if verdict is None or verdict.waiting is not None:
        return verdict
    if not verdict.donors:
        return replace(verdict, course=Course.AWAIT, waiting=SwarmWait.NO_DONOR)
    return replace(verdict, course=Course.DOWNLOAD)

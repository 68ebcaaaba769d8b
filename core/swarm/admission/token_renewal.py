"""Keeps a running peer admitted: the training loop waits after an expiry, and new tokens come from the parent."""

import logging
from collections.abc import Callable
from typing import Protocol

from pydantic import TypeAdapter

from core.errors import AdmissionError
from core.messages.children import Admit
from core.messages.lines import Channel
from core.swarm.admission.admission import Admission, AdmissionStatus

_ORDERS = TypeAdapter(Admit)
_log = logging.getLogger(__name__)


class Withdrawal(Protocol):
    """The part that withdraws from the swarm while the peer may not take part."""

    def stand_back(self) -> None:
        """Take part in no new round."""

    def come_back(self) -> None:
        """Take part again."""


class TokenRenewal:
    """The admission of one peer over time; with ``admission`` None, in an open run, it always holds."""

    def __init__(
        self, admission: Admission | None, optimizer: Withdrawal, notify: Callable[[str], None]
    ) -> None:
        """Watch ``admission``, and have ``optimizer`` stand back while it does not hold.

        ``notify`` is called by `goes_on` with a sentence for the volunteer: when the peer begins to wait, when it
        continues, and when a new token is not valid.
        """
        self._admission, self._optimizer, self._notify = admission, optimizer, notify
        self._token: str | None = None
        self._waits = False

    def goes_on(self, token: str | None) -> bool:
        """Return true if the peer may take part now; ``token`` is the newest one it was given.

        Raises AdmissionError once the swarm will not have it back.
        """
        if self._admission is None:
            return True
        if token is not None and token != self._token:
            self._token = token
            self._renew(self._admission, token)
        self._admission.require_welcome()
        is_admitted = self._admission.standing is AdmissionStatus.ADMITTED
        # after an expiry the swarm must be found again: until then it would look as if this peer were alone
        self._wait(not is_admitted or (self._waits and not self._admission.is_known))
        return not self._waits

    def _renew(self, admission: Admission, token: str) -> None:
        try:
            admission.renew(token)
        except AdmissionError as error:
            self._notify(str(error))

    def _wait(self, waits: bool) -> None:
        if waits == self._waits:
            return
        self._waits = waits
        if waits:
            self._optimizer.stand_back()
            self._notify("This peer's access token has expired; it waits until the coordinator renews it.")
        else:
            self._optimizer.come_back()
            self._notify("This peer has a new access token, and continues.")


def hear_renewals(channel: Channel, admission: Admission | None, on_end: Callable[[], object]) -> None:
    """Listen on a thread for tokens from ``channel``, and show each of them through ``admission``.

    ``on_end`` is called on that thread at the end of the input. With ``admission`` None, in an open run,
    tokens are ignored.
    """
    channel.listen(_ORDERS, lambda order: show_renewal(admission, order), on_end)


def show_renewal(admission: Admission | None, order: Admit) -> None:
    """Show the swarm the token of an ``order``; one that is not valid is logged.

    ``admission`` is that of this peer; None, in an open run: tokens are ignored.
    """
    try:
        if admission is not None:
            admission.renew(order.token)
    except AdmissionError as error:
        _log.error("A new access token is not shown: %s", error)

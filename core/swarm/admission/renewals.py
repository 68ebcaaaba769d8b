"""Hears, in a long-lived child process, the new access tokens that the parent process sends."""

import logging
import threading
from collections.abc import Callable

from pydantic import TypeAdapter

from core.errors import AdmissionError
from core.messages.children import Admit
from core.messages.lines import Channel, LineError
from core.swarm.admission.admission import Admission

_ORDERS = TypeAdapter(Admit)
_log = logging.getLogger(__name__)


def hear_renewals(channel: Channel, admission: Admission | None, on_end: Callable[[], None]) -> None:
    """Listen on a thread for tokens from ``channel``, and show each of them through ``admission``.

    ``on_end`` is called on that thread at the end of the input. With ``admission`` None, in an open run,
    tokens are ignored.
    """

    def listen() -> None:
        try:
            while order := channel.receive(_ORDERS):
                _renew(admission, order.token)
        except LineError as error:
            _log.error("%s", error)
        on_end()

    threading.Thread(target=listen, name="orders", daemon=True).start()


def _renew(admission: Admission | None, token: str) -> None:
    try:
        if admission is not None:
            admission.renew(token)
    except AdmissionError as error:
        _log.error("A new access token is not shown: %s", error)

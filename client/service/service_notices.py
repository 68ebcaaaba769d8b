"""Tells the service manager that started this daemon when it is ready and when it ends, as sd_notify(3) describes."""

import contextlib
import logging
import socket
from collections.abc import Mapping

VARIABLE = "NOTIFY_SOCKET"
"""Variable in which systemd, and container engines like it, name the socket that they listen on."""
READY = "READY=1"
STOPPING = "STOPPING=1"

_log = logging.getLogger(__name__)


def notify(environment: Mapping[str, str], notice: str) -> None:
    """Send a notice to the service manager; nothing happens where there is none.

    Args:
        environment: Variables of this process.
        notice: A line such as `READY`.
    """
    address = environment.get(VARIABLE, "")
    if not address.startswith(("/", "@")) or not hasattr(socket, "AF_UNIX"):
        return
    with contextlib.closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as sending:
        try:
            # a name that begins with @ is in Linux's abstract namespace
            sending.sendto(notice.encode(), "\0" + address[1:] if address[0] == "@" else address)
        except OSError as error:
            _log.warning("The service manager was not told %s: %s", notice, error)

"""Notices that this computer has left a network: its connections there are dead, without a sign of it."""

import errno
import socket
from collections.abc import Callable

from core.swarm.reach.own_places import own_addresses


def is_here(address: str) -> bool:
    """Return true if the IP ``address`` is one of this computer's at present."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.bind((address, 0))
    except OSError as error:
        return error.errno != errno.EADDRNOTAVAIL
    return True


class MoveWatch:
    """Watches the address from which this computer's packets leave it."""

    def __init__(
        self,
        addresses: Callable[[], tuple[str | None, str | None] | None] = own_addresses,
        is_here: Callable[[str], bool] = is_here,
    ) -> None:
        """Watch from now on.

        Args:
            addresses: returns the addresses of IPv4 and IPv6 from which packets leave; None without a network.
            is_here: returns true if an address is one of this computer's.
        """
        self._addresses, self._is_here = addresses, is_here
        self._own = self._now()

    def has_left(self) -> bool:
        """Return true, once, if the computer has another network than before, and its address there no more.

        A second network beside the first one ends no connection, nor does a network that comes back as it was.
        """
        now = self._now()
        if now is None or now == self._own:
            return False
        before, self._own = self._own, now
        return before is not None and not self._is_here(before)

    def _now(self) -> str | None:
        """Return the address of IPv4; systems change that of IPv6 now and then while its connections go on."""
        found = self._addresses()
        return (found[0] or found[1]) if found else None

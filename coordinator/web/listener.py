"""Opens the socket of the website, and says what is wrong where that fails."""

import socket

from coordinator.errors import WebError


def listening(host: str, port: int, backlog: int = 1, *, shared: bool = False) -> socket.socket:
    """Return a socket that listens at ``host`` and ``port``, by IPv4 or IPv6 as the host has it.

    Raise WebError if the socket cannot listen there.

    Args:
        backlog: number of connections that may wait.
        shared: whether other processes of this user may listen there, too; Linux then gives each new connection to
            one of them, and to none that has ended.
    """
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=backlog, reuse_port=shared)
    except PermissionError as error:
        raise WebError(
            f"The website may not listen on port {port}: ports below 1024 are for administrators.",
            "Choose another port under [web] in coordinator.toml and have a proxy or your router pass it on, "
            "or let the service bind it (systemd: AmbientCapabilities=CAP_NET_BIND_SERVICE).",
        ) from error
    except OSError as error:
        raise WebError(
            f"The website cannot listen on {host}, port {port}: {error.strerror or error}.",
            "End what listens there, or choose another host or port under [web] in coordinator.toml.",
        ) from error

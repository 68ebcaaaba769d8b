"""Constants and errors of the control channel's endpoints, which admit their owner alone."""

from pathlib import Path

from client.api.errors import ControlError, DaemonForeign, DaemonSilent, NoDaemon

BACKLOG = 64
"""Connections that may wait until the daemon accepts them."""
ONLY_OWNER = 0o600
"""Mode of the file at an endpoint's path."""
ENDED = "The daemon has ended, or accepts no more connections."


def no_connection(error: OSError, path: Path) -> ControlError:
    """Return the error for an attempt to connect to the endpoint at `path` that failed by `error`."""
    match error:
        case FileNotFoundError() | NotADirectoryError() | ConnectionRefusedError():
            return NoDaemon("The daemon is not running.")
        case ConnectionError():
            return NoDaemon(ENDED)
        case PermissionError():
            return DaemonForeign(
                f"The program that listens at {path} belongs to another user.",
                "Sign in as the user who started the daemon, or set IDLEBRUSH_HOME to a folder that you own.",
            )
        case TimeoutError() | BlockingIOError():  # the latter where too many connections wait
            return DaemonSilent()
    return ControlError(
        f"The daemon cannot be reached at {path}: {error.strerror or error}.",
        "Read the daemon's log, and start the daemon again.",
    )


def cannot_listen(error: OSError, path: Path) -> ControlError:
    """Return the error of a daemon that cannot open its endpoint at `path` because of `error`."""
    return ControlError(
        f"The daemon cannot listen at {path}: {error.strerror or error}.",
        "Set IDLEBRUSH_HOME to a folder that you own, with a short path, on a local disk.",
    )

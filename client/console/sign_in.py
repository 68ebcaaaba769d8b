"""A sign-in as a terminal sees it: the daemon does it, and meanwhile shows where the volunteer's browser is to go."""

import contextlib
import sys
import threading
import webbrowser
from collections.abc import Callable, Iterator, Mapping

from client.api.answers import Done, Status
from client.api.commands import CancelSignIn
from client.api.connection import Connection
from client.api.errors import ClientError, SignInError
from client.api.launch import ensure_daemon
from client.api.questions import GetStatus
from client.api.requests import AnyRequest
from client.api.snapshot import SignInView, Snapshot
from client.console.desktop import has_display
from client.paths import Paths

_SECONDS = 3700.0
"""A little more than the daemon waits for a code to be entered."""
_LOOK_SECONDS = 0.3

_Show = Callable[[SignInView], None]


def converse(paths: Paths, request: AnyRequest, again: str, show: _Show) -> str:
    """Carry out a request to sign in, which Ctrl-C cancels; ``again`` is the command that starts over."""
    with ensure_daemon(paths) as daemon, _shown(paths, show):
        try:
            return ask(daemon, request, _SECONDS)
        except KeyboardInterrupt:
            with contextlib.suppress(ClientError), Connection.open(paths.socket) as another:
                another.ask(CancelSignIn())
            raise SignInError("The sign-in was cancelled.", f"Sign in with `{again}` to try again.") from None


def ask(daemon: Connection, request: AnyRequest, seconds: float) -> str:
    done = daemon.ask(request, seconds)
    assert isinstance(done, Done)
    return done.text


def look(daemon: Connection) -> Snapshot:
    status = daemon.ask(GetStatus())
    assert isinstance(status, Status)
    return status.snapshot


def has_browser(environment: Mapping[str, str], platform: str = sys.platform) -> bool:
    """Return true if a browser that is opened here appears in front of the volunteer.

    Through SSH a window may appear there, but a sign-in page that leads back to this computer is of no use.
    """
    through_ssh = "SSH_CONNECTION" in environment or "SSH_TTY" in environment
    return not through_ssh and has_display(environment, platform)


def print_code(view: SignInView) -> None:
    print(
        f"Open {view.address}\nand enter the code {view.code} before "
        f"{view.expires.astimezone():%H:%M}. Idlebrush waits for that. Ctrl-C cancels.",
        flush=True,
    )


def open_browser(view: SignInView) -> None:
    """Open the page to sign in at, and print its address for browsers elsewhere on this computer."""
    print(
        "Your browser opens this page for the sign-in, which is valid until "
        f"{view.expires.astimezone():%H:%M}:\n{view.address}\nIdlebrush waits for that. Ctrl-C "
        "cancels.",
        flush=True,
    )
    webbrowser.open(view.address)


@contextlib.contextmanager
def _shown(paths: Paths, show: _Show) -> Iterator[None]:
    """Show, meanwhile, where to go: the connection that asked for it waits for its end."""
    ended = threading.Event()
    looking = threading.Thread(target=_look_for_it, args=(paths, ended, show, _waiting(paths)))
    looking.start()
    try:
        yield
    finally:
        ended.set()
        looking.join()


def _waiting(paths: Paths) -> SignInView | None:
    """Return the sign-in of an earlier attempt, which a new one is about to end."""
    with contextlib.suppress(ClientError), Connection.open(paths.socket) as daemon:
        return look(daemon).sign_in
    return None


def _look_for_it(paths: Paths, ended: threading.Event, show: _Show, shown: SignInView | None) -> None:
    with contextlib.suppress(ClientError), Connection.open(paths.socket) as daemon:  # `converse` tells of it
        while not ended.wait(_LOOK_SECONDS):
            view = look(daemon).sign_in
            if view and view != shown:
                show(view)
                shown = view

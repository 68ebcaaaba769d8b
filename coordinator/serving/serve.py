"""Serves a run from its home: what must hold is checked first, then the processes are kept until a signal comes."""

import asyncio
import signal
import socket
from collections.abc import Callable, Mapping

from coordinator.errors import WebError
from coordinator.home import Home
from coordinator.opened import opened
from coordinator.serving.coordinator import Coordinator
from coordinator.serving.programs import Modules, Programs, Secrets
from coordinator.serving.view import ServingView
from coordinator.settings import Settings, Web

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def serve(
    home: Home,
    environment: Mapping[str, str],
    show: Callable[[ServingView], None],
    modules: Modules = Modules(),  # noqa: B008 - frozen
) -> None:
    """Serve until SIGINT, SIGTERM or SIGHUP; returns once the last process has ended.

    Args:
        environment: where ``DATABASE_URL`` and ``HF_TOKEN`` are looked for.

    Raises:
        CoreError: it cannot begin, or the swarm cannot be entered.
    """
    settings = Settings.load(home.settings)
    with home.locked():
        require_free_port(settings.web)
        with opened(home, environment, to_serve=True):
            pass  # it is of this run and this version now, before several processes open it
        programs = Programs(home, settings, Secrets.of(home, environment), modules)
        asyncio.run(_serve(programs, show))


async def _serve(programs: Programs, show: Callable[[ServingView], None]) -> None:
    coordinator = Coordinator(programs, show)
    for number in _SIGNALS:
        asyncio.get_running_loop().add_signal_handler(number, coordinator.stop)
    coordinator.open_up()
    await coordinator.run()


def require_free_port(web: Web) -> None:
    """Say so at once if nobody could listen there: its process would try for ever."""
    try:
        with socket.create_server((web.host, web.port)):
            pass
    except OSError as error:
        raise WebError(
            f"The website cannot listen on {web.host}, port {web.port}: {error.strerror or error}.",
            "End what listens there, or choose another port under [web] in coordinator.toml.",
        ) from error

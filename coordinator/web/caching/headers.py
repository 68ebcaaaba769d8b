"""States who may keep a response: shared caches for some seconds what is everybody's, and nobody anything else."""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

SHARED = "public, max-age=0, s-maxage=5, stale-while-revalidate=10, stale-if-error=300"
"""Cache-Control of what all readers get alike: a proxy answers with it for 5 seconds (RFC 9111), for 10 more while
it fetches a newer one, and for 5 minutes if the coordinator does not answer (RFC 5861). Browsers ask each time."""
VARY = ("Accept-Encoding", "Authorization", "Cookie")
"""Headers on which such a response depends. Who sends one of the last two is answered in person."""
PERSONAL = "no-store"


class NotKeptUnlessStated:
    """Middleware that forbids every cache to keep a response without Cache-Control.

    So a page is kept by proxies only where something has stated that it is everybody's, and a new one is not.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def stated(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = message.get("headers", ())
                if not any(name.lower() == b"cache-control" for name, _ in headers):
                    message["headers"] = [*headers, (b"cache-control", PERSONAL.encode())]
            await send(message)

        await self._app(scope, receive, stated if scope["type"] == "http" else send)


def varying(given: bytes) -> bytes:
    """Return a Vary header with the names of ``given``, another one, and those of `VARY`."""
    names = [name.strip() for name in given.decode("latin-1").split(",") if name.strip()]
    known = {name.lower() for name in names}
    return ", ".join((*names, *(name for name in VARY if name.lower() not in known))).encode("latin-1")

"""What every answer tells the browser not to do: run inline scripts, be framed, guess types, tell where it was."""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
_ALWAYS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    # Not no-referrer, under which browsers hide where a form came from even from the site itself.
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_OVER_HTTPS = {"Strict-Transport-Security": "max-age=31536000; includeSubDomains"}


def security_headers(https: bool) -> dict[str, str]:
    """All of them, for a site that is reached by https or not."""
    return {**_ALWAYS, **(_OVER_HTTPS if https else {})}


class SecurityHeaders:
    """Middleware that adds them to whatever is answered."""

    def __init__(self, app: ASGIApp, https: bool) -> None:
        self._app = app
        self._headers = [
            (name.lower().encode(), value.encode()) for name, value in security_headers(https).items()
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *self._headers]
            await send(message)

        await self._app(scope, receive, with_headers if scope["type"] == "http" else send)

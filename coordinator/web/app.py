"""Puts the website together: the pages, the REST API, and what stands between them and the Internet."""

from fastapi import FastAPI

from coordinator.web.context import WebContext


def create_app(context: WebContext) -> FastAPI:
    """The whole of a run's website as an ASGI application; starts nothing before its lifespan does."""
    app = FastAPI(title="Idlebrush", docs_url=None, redoc_url=None, openapi_url="/api/openapi.json")
    app.state.context = context
    return app

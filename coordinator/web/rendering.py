"""Renders the site's pages from templates; all values from outside are escaped."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from coordinator.web.artwork import horizon, mosaic
from coordinator.web.assets import Assets
from coordinator.web.context import WebContext
from coordinator.web.wording import FILTERS
from core.errors import CoreError
from core.run.rules import ProductWords

TEMPLATES = Path(__file__).parent / "templates"
SOURCE = "/source.tar.gz"


@dataclass(frozen=True)
class Link:
    """A page in the site's menus."""

    address: str
    name: str


MENU = (
    Link("/dashboard", "Dashboard"),
    Link("/gallery", "Gallery"),
    Link("/leaderboard", "Volunteers"),
    Link("/method", "Method"),
    Link("/calculator", "Calculator"),
)
MORE = (
    Link("/security", "Security"),
    Link("/checkpoints", "Checkpoints"),
    Link("/recipe", "Start your own"),
    Link("/api", "API"),
)
JOIN = Link("/join", "Join")


_UNKNOWN = ProductWords("Samples", "", "", "samples")
"""Words of a run whose manifest cannot be read."""


@dataclass(frozen=True)
class Site:
    """Facts of the run that every page shows."""

    title: str
    address: str
    fingerprint: str
    product: ProductWords
    makes_pictures: bool = False
    writes_texts: bool = False
    has_evaluation: bool = False
    """True if the organiser published an evaluation."""


class Renderer:
    """The templates, and the values that they share."""

    def __init__(self, context: WebContext, assets: Assets) -> None:
        self._context = context
        self._environment = Environment(
            loader=FileSystemLoader(TEMPLATES),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.filters.update(FILTERS)
        self._environment.globals.update(
            asset=assets.address,
            menu=MENU,
            more=MORE,
            join=JOIN,
            source=SOURCE,
            has_handbook=context.handbook is not None,
            mosaic=mosaic(),
            horizon=horizon(),
        )

    def text(self, template: str, path: str, values: Mapping[str, Any]) -> str:
        """Return a page as text; ``path`` is the page's own path, for the menus."""
        found = self._environment.get_template(template)
        return found.render(site=self._site(), path=path, **values)

    def _site(self) -> Site:
        address = self._context.settings.address.rstrip("/")
        try:
            manifest = self._context.manifest
        except CoreError:  # a page that tells of trouble must not need what is in trouble
            return Site("Idlebrush", address, "", _UNKNOWN)
        training = manifest.training
        return Site(
            manifest.contact.title,
            address,
            manifest.fingerprint,
            training.product,
            training.makes_pictures,
            training.writes_texts,
            self._context.evaluation.read() is not None,
        )


def render(
    request: Request,
    template: str,
    values: Mapping[str, Any],
    status: int = 200,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Return a page as a response."""
    renderer: Renderer = request.app.state.renderer
    return HTMLResponse(renderer.text(template, request.url.path, values), status, headers)

"""What machines ask a site for: robots.txt, the sitemap, the icon, and the source of all of it."""

from fastapi import APIRouter
from markupsafe import escape
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from coordinator.web.assets import Assets
from coordinator.web.context import WebContext
from coordinator.web.rendering import JOIN, MENU, MORE
from coordinator.web.source import archive

_DAY = {"Cache-Control": "public, max-age=86400"}


def router(context: WebContext, assets: Assets) -> APIRouter:
    found = APIRouter(include_in_schema=False)
    address = context.settings.address.rstrip("/")

    @found.get("/robots.txt")
    async def robots() -> Response:
        lines = ("User-agent: *", "Disallow: /me", "Disallow: /api/", "Disallow: /files/")
        return PlainTextResponse("\n".join((*lines, f"Sitemap: {address}/sitemap.xml", "")), headers=_DAY)

    @found.get("/sitemap.xml")
    async def sitemap() -> Response:
        paths = ("/", *(link.address for link in (*MENU, *MORE, JOIN)))
        entries = "".join(f"<url><loc>{escape(address)}{path}</loc></url>" for path in paths)
        opening = '<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
        return Response(f"{opening}{entries}</urlset>", 200, _DAY, "application/xml")

    @found.get("/favicon.ico")
    async def icon() -> Response:
        return RedirectResponse(assets.address("logo.svg"), 302)

    @found.get("/source.tar.gz")
    def source() -> Response:
        headers = {**_DAY, "Content-Disposition": 'attachment; filename="idlebrush.tar.gz"'}
        return Response(archive(), 200, headers, "application/gzip")

    return found

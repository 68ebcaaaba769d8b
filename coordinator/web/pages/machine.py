"""What machines ask a site for: robots.txt, the sitemap, the icon, and the source of all of it."""

from fastapi import APIRouter
from markupsafe import escape
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from coordinator.web.given import Context, SiteAssets
from coordinator.web.rendering import JOIN, MENU, MORE
from coordinator.web.source import archive

router = APIRouter(include_in_schema=False)

_DAY = {"Cache-Control": "public, max-age=86400"}


@router.get("/robots.txt")
async def robots(context: Context) -> Response:
    address = context.settings.address.rstrip("/")
    lines = ("User-agent: *", "Disallow: /me", "Disallow: /api/", "Disallow: /files/")
    return PlainTextResponse("\n".join((*lines, f"Sitemap: {address}/sitemap.xml", "")), headers=_DAY)


@router.get("/sitemap.xml")
async def sitemap(context: Context) -> Response:
    address = context.settings.address.rstrip("/")
    paths = ("/", *(link.address for link in (*MENU, *MORE, JOIN)))
    entries = "".join(f"<url><loc>{escape(address)}{path}</loc></url>" for path in paths)
    opening = (
        '<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    )
    return Response(f"{opening}{entries}</urlset>", 200, _DAY, "application/xml")


@router.get("/favicon.ico")
async def icon(assets: SiteAssets) -> Response:
    return RedirectResponse(assets.address("logo.svg"), 302)


@router.get("/source.tar.gz")
def source() -> Response:
    headers = {**_DAY, "Content-Disposition": 'attachment; filename="idlebrush.tar.gz"'}
    return Response(archive(), 200, headers, "application/gzip")

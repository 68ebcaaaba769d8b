"""Serves what programs fetch: the run's manifest and files, packages, the source, the sitemap and the icon."""

import io
import sysconfig
import tarfile
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from fastapi import APIRouter, HTTPException
from markupsafe import escape
from starlette.responses import FileResponse, PlainTextResponse, RedirectResponse, Response

from coordinator.packages.folder import ADDRESS as PACKAGE_ADDRESS
from coordinator.web.given import GivenContext, SiteAssets
from coordinator.web.pages.notebooks import notebook_folder
from coordinator.web.rendering import JOIN, MENU, MORE
from core.packages_manifest import FILE_NAME as PACKAGE_LIST
from core.run.join_link import MANIFEST_PATH, RUN_FILE_SUFFIX, RUN_FILE_TYPE

router = APIRouter(tags=["run"])

_FOR_EVER = "public, max-age=31536000, immutable"
_DAY = {"Cache-Control": "public, max-age=86400"}
_ROOT = Path(__file__).resolve().parents[2]
_INSTALLED = Path(sysconfig.get_path("data")) / "share" / "idlebrush"
"""Folder in which pip installs the build files (``data-files`` in pyproject.toml)."""
_BUILD_FILES = ("pyproject.toml", "constraints.txt", "Makefile", "README.md", "LICENSE", "CHANGELOG.md")
_SHORTLY = "public, max-age=300"
_PACKAGE_TYPES = {
    ".deb": "application/vnd.debian.binary-package",
    ".rpm": "application/x-rpm",
    ".gz": "application/gzip",
    ".xz": "application/x-xz",
    ".exe": "application/vnd.microsoft.portable-executable",
    ".zip": "application/zip",
}
_PACKAGES = ("core", "client", "coordinator", "gui", "assets")
_REPOSITORY = ("docs", "notebooks", "tests", "benchmarks", "installer")
"""Folders of a checkout that are not installed, but that the README, Makefile and error messages refer to."""


@router.get(MANIFEST_PATH, include_in_schema=False)
@router.get("/run.toml", response_class=Response, responses={200: {"content": {RUN_FILE_TYPE: {}}}})
def manifest(context: GivenContext) -> Response:
    """Return the run's newest signed manifest; browsers save it under a name that opens it in the app."""
    run = context.manifest
    headers = {"Cache-Control": "no-cache", "ETag": f'"{run.contact.serial}"'}
    name = f"{run.training.name}{RUN_FILE_SUFFIX}"
    return FileResponse(context.home.manifest, media_type=RUN_FILE_TYPE, filename=name, headers=headers)


@router.get(
    "/files/{path:path}",
    response_class=FileResponse,
    responses={
        200: {"content": {"application/octet-stream": {}}},
        206: {"description": "The bytes that header Range asks for."},
        404: {"description": "The manifest names no such file."},
    },
)
def file(context: GivenContext, path: str) -> FileResponse:
    """Return a file that the manifest names by its path and digest."""
    manifest = context.manifest
    named = next((ref for ref in manifest.files if ref.path == path), None)
    if named is None:
        raise HTTPException(404)
    place = context.home.manifest.parent / named.path
    if not place.is_file() or place.stat().st_size != named.size:
        raise HTTPException(404)
    headers = {"Cache-Control": _FOR_EVER, "ETag": f'"{named.sha256}"'}
    return FileResponse(place, media_type="application/octet-stream", headers=headers)


@router.get("/runs.json", include_in_schema=False)
def run_list(context: GivenContext) -> FileResponse:
    """Return the list of runs that the organiser keeps; volunteers add it by this address."""
    if not context.home.run_list.is_file():
        raise HTTPException(404)
    return FileResponse(
        context.home.run_list, media_type="application/json", headers={"Cache-Control": _SHORTLY}
    )


@router.get(f"{PACKAGE_ADDRESS}{PACKAGE_LIST}", include_in_schema=False)
def package_list(context: GivenContext) -> Response:
    """Return the list of the offered packages, with sizes and digests."""
    if context.packages is None:
        raise HTTPException(404)
    headers = {"Cache-Control": _SHORTLY}
    return Response(context.packages.listed.model_dump_json(), 200, headers, "application/json")


@router.api_route(PACKAGE_ADDRESS + "{name}", methods=["GET", "HEAD"], include_in_schema=False)
def package(context: GivenContext, name: str) -> FileResponse:
    """Return a listed package, or the bytes of it that header Range asks for."""
    found = context.packages.file(name) if context.packages else None
    if found is None:
        raise HTTPException(404)
    path, listed = found
    kind = _PACKAGE_TYPES.get(path.suffix, "application/octet-stream")
    headers = {"Cache-Control": _SHORTLY, "ETag": f'"{listed.sha256}"'}
    return FileResponse(path, media_type=kind, filename=listed.file, headers=headers)


@router.get("/robots.txt", include_in_schema=False)
async def robots(context: GivenContext) -> Response:
    address = context.settings.address.rstrip("/")
    lines = (
        "User-agent: *",
        "Disallow: /me",
        "Disallow: /api/",
        "Disallow: /files/",
        f"Disallow: {PACKAGE_ADDRESS}",
    )
    return PlainTextResponse("\n".join((*lines, f"Sitemap: {address}/sitemap.xml", "")), headers=_DAY)


@router.get("/sitemap.xml", include_in_schema=False)
async def sitemap(context: GivenContext) -> Response:
    address = context.settings.address.rstrip("/")
    paths = ("/", *(link.address for link in (*MENU, *MORE, JOIN)))
    entries = "".join(f"<url><loc>{escape(address)}{path}</loc></url>" for path in paths)
    opening = (
        '<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    )
    return Response(f"{opening}{entries}</urlset>", 200, _DAY, "application/xml")


@router.get("/favicon.ico", include_in_schema=False)
async def icon(assets: SiteAssets) -> Response:
    return RedirectResponse(assets.address("logo.svg"), 302)


@router.get("/source.tar.gz", include_in_schema=False)
def source() -> Response:
    headers = {**_DAY, "Content-Disposition": 'attachment; filename="idlebrush.tar.gz"'}
    return Response(archive(), 200, headers, "application/gzip")


@lru_cache(maxsize=1)
def archive() -> bytes:
    """Pack a gzipped tar of all that ``make install`` needs; made once.

    A checkout also gives its documentation, tests and benchmarks; an installed copy has none.
    """
    packed = io.BytesIO()
    # The highest level takes nearly twice the time of the processor, and saves a five-hundredth of the size.
    with tarfile.open(fileobj=packed, mode="w:gz", compresslevel=6) as tar:
        for path in _parts():
            tar.add(path, f"idlebrush/{path.name}", filter=_kept)
    return packed.getvalue()


def _parts() -> Iterator[Path]:
    is_checkout = (_ROOT / "pyproject.toml").exists()
    folders = (*_PACKAGES, *_REPOSITORY) if is_checkout else _PACKAGES
    yield from ((_ROOT if is_checkout else _INSTALLED) / name for name in _BUILD_FILES)
    yield from (_ROOT / name for name in folders)
    if (notebooks := notebook_folder()).is_dir():
        yield notebooks


def _kept(member: tarfile.TarInfo) -> tarfile.TarInfo | None:
    """Leave out built and hidden files, and remove the owner's name."""
    name = Path(member.name).name
    if name == "__pycache__" or name.startswith(".") or name.endswith((".pyc", ".egg-info")):
        return None
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    return member if member.isfile() or member.isdir() else None

"""Serves the run's manifest and the files that it names, which volunteers fetch when they join."""

from fastapi import APIRouter, HTTPException
from starlette.responses import FileResponse, Response

from coordinator.web.given import Context
from core.join_link import MANIFEST_PATH

router = APIRouter(tags=["run"])

_FOR_EVER = "public, max-age=31536000, immutable"


@router.get(MANIFEST_PATH, include_in_schema=False)
@router.get("/run.toml", response_class=Response, responses={200: {"content": {"application/toml": {}}}})
def manifest(context: Context) -> Response:
    """The run's signed manifest, the newest."""
    headers = {"Cache-Control": "no-cache", "ETag": f'"{context.manifest.contact.serial}"'}
    return FileResponse(context.home.manifest, media_type="application/toml", headers=headers)


@router.get(
    "/files/{path:path}",
    response_class=FileResponse,
    responses={
        200: {"content": {"application/octet-stream": {}}},
        206: {"description": "The bytes that header Range asks for."},
        404: {"description": "The manifest names no such file."},
    },
)
def file(context: Context, path: str) -> FileResponse:
    """A file that the manifest names by its path and digest."""
    manifest = context.manifest
    named = next((ref for ref in manifest.files if ref.path == path), None)
    if named is None:
        raise HTTPException(404)
    place = context.home.manifest.parent / named.path
    if not place.is_file() or place.stat().st_size != named.size:
        raise HTTPException(404)
    headers = {"Cache-Control": _FOR_EVER, "ETag": f'"{named.sha256}"'}
    return FileResponse(place, media_type="application/octet-stream", headers=headers)

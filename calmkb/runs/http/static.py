"""The few files that the pages need, by name; nothing else is read from the disk."""

from fastapi import APIRouter
from fastapi.responses import FileResponse
from starlette.exceptions import HTTPException

from calmkb.templating import templates_dir

STATIC = APIRouter(include_in_schema=False)
ASSETS = {"runs.css": "text/css", "runs.js": "text/javascript", "calmkb.svg": "image/svg+xml"}


@STATIC.get("/static/{name}")
async def asset(name: str) -> FileResponse:
    """Return a style sheet, a script or a picture of our own."""
    if name not in ASSETS:
        raise HTTPException(404, "there is no such file")
    return FileResponse(
        templates_dir() / "runs" / "static" / name,
        media_type=ASSETS[name],
        headers={"cache-control": "no-cache"},
    )

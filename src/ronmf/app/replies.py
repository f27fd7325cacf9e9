"""How an answer goes out: pictures, JSON, and errors in one sentence."""

import sqlite3
from collections.abc import Callable
from typing import Any, TypeVar

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from ..displays import Thumbnail

__all__ = ["KEEP", "image", "or_404", "say_error", "taking_json"]

KEEP = {"Cache-Control": "private, max-age=86400"}  # addresses change with what they show
_T = TypeVar("_T")


def or_404(make: Callable[[], _T]) -> _T:
    """Return what is made of a picture: nothing is there if it was exchanged since, or damaged."""
    try:
        return make()
    except (OSError, ValueError, sqlite3.Error):
        raise HTTPException(404) from None


def image(picture: Thumbnail) -> Response:
    """Return a picture that the browser may keep."""
    return Response(bytes(picture), media_type=picture.media_type, headers=KEEP)


def taking_json(action: Callable[[dict[str, Any]], dict[str, Any]]) -> Any:
    """Return an endpoint that hands the JSON of a request to an action."""

    async def endpoint(request: Request) -> Response:
        try:
            values = await request.json()
        except (ValueError, RecursionError):  # no JSON, or nested beyond all measure
            values = None
        if not isinstance(values, dict):
            return JSONResponse({"error": "The request is no JSON object."}, 400)
        try:
            return JSONResponse(await run_in_threadpool(action, values))
        except ValueError as error:
            text = str(error)
            return JSONResponse({"error": text[:1].upper() + text[1:]}, 400)
        except sqlite3.Error as error:  # a full disk, or another program that holds the file
            return JSONResponse({"error": f"Nothing was kept: {error}. Try again."}, 503)

    return endpoint


def say_error(request: Request, error: Exception) -> Response:
    """Answer in one sentence, never with a traceback."""
    if isinstance(error, HTTPException):
        known = {404: "There is nothing here.", 405: "This cannot be asked for in this way."}
        return JSONResponse(
            {"error": known.get(error.status_code, str(error.detail))}, error.status_code
        )
    return JSONResponse({"error": f"{type(error).__name__}: this is a bug of ronmf."}, 500)

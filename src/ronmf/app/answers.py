"""What the page asks for, and what it is answered."""

import json
import secrets
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.templating import Jinja2Templates

from ..displays import Thumbnail, file_thumbnail
from ..system.plain_text import counted, shown_name
from .exporting import copy_into_folders, table
from .fits import Fits
from .page_data import result_data
from .project import Project, class_name
from .replies import KEEP, image, or_404, say_error, taking_json
from .thumbnails import opened_inside

__all__ = ["Answers"]

_HERE = Path(__file__).parent
_LARGE_SIDE = 1024  # pixels of a picture that is looked at alone
_MOST_CLUSTERS = 1000


class Answers:
    """The application behind the guard.

    Parameters
    ----------
    project : Project
        What is shown.
    fits : Fits
        What is under way.
    key : str
        What the page sends with every change.
    clusters : int or str
        How many clusters the user asked for when the program was started.
    """

    def __init__(self, project: Project, fits: Fits, key: str, clusters: int | str) -> None:
        self.project, self.fits, self.key, self.clusters = project, fits, key, clusters
        self._templates = Jinja2Templates(_HERE / "templates")
        self._encoded: tuple[int, bytes] = (-1, b"")
        self._run = secrets.token_hex(4)  # in addresses: pictures have other numbers next time

    def app(self) -> Starlette:
        """Return the ASGI application."""
        changing = [self.label, self.add_class, self.undo, self.redo]
        changing += [self.cluster, self.cancel, self.export]
        routes: list[BaseRoute] = [
            Route("/", self.page),
            Route("/api/pictures", self.pictures),
            Route("/api/result", self.result),
            Route("/api/labels", self.labels),
            Route("/api/status", self.status),
            Route("/export.csv", self.csv),
            Route("/thumbnail/{number:int}", self.thumbnail),
            Route("/picture/{number:int}", self.picture),
            Route("/made/{result:int}/{name}", self.made),
            Mount("/static", StaticFiles(directory=_HERE / "static")),
        ]
        for action in changing:
            path = f"/api/{action.__name__}"
            routes.append(Route(path, taking_json(action), methods=["POST"]))
        app = Starlette(
            routes=routes, exception_handlers={HTTPException: say_error, Exception: say_error}
        )
        app.router.redirect_slashes = False
        return app

    def page(self, request: Request) -> Response:
        """Answer with the page itself; everything in it comes later."""
        title = shown_name(self.project.root.name or self.project.root)
        values = {"title": title, "key": self.key, "run": self._run, "clusters": self.clusters}
        return self._templates.TemplateResponse(request, "page.html", values)

    def pictures(self, request: Request) -> Response:
        """Name all pictures, in the order of their numbers, and what is skipped or unreadable."""
        project = self.project
        version, unreadable = project.reading_version, dict(project.unreadable)
        return JSONResponse(
            {
                "version": version,
                "files": project.folder.files,
                "skipped": [[skip.file, skip.reason] for skip in project.folder.skipped],
                "unreadable": [[project.numbers[name], why] for name, why in unreadable.items()],
            }
        )

    def result(self, request: Request) -> Response:
        """Tell the last fit."""
        result = self.project.result
        if result is None:
            return JSONResponse(None)
        if self._encoded[0] != result.version:
            text = json.dumps(result_data(self.project, result), separators=(",", ":"))
            self._encoded = (result.version, text.encode())
        return Response(self._encoded[1], media_type="application/json")

    def labels(self, request: Request) -> Response:
        """Tell the labels of now."""
        return JSONResponse(self._labels())

    def status(self, request: Request) -> Response:
        """Tell by numbers whether anything is new, and how far the fit has come."""
        result = self.project.result
        return JSONResponse(
            {
                "pictures": self.project.reading_version,
                "labels": self.project.log.revision(),
                "result": 0 if result is None else result.version,
                "fit": self.fits.status(),
            }
        )

    def label(self, values: dict[str, Any]) -> dict[str, Any]:
        """Give pictures a label, or, with "", take it away."""
        numbers, label = values.get("pictures"), values.get("label")
        files = self.project.folder.files
        if not isinstance(numbers, list) or not numbers or not isinstance(label, str):
            raise ValueError("say which pictures, and their label.")
        if not all(type(i) is int and 0 <= i < len(files) for i in numbers):
            raise ValueError("there is no such picture.")
        label = class_name(label) if label else ""
        names = dict.fromkeys(files[i] for i in numbers)
        count = counted(len(names), "picture")
        self.project.log.do(dict.fromkeys(names, label), f"{count}: {label or 'no label'}")
        return self._labels()

    def add_class(self, values: dict[str, Any]) -> dict[str, Any]:
        """Name a class that no picture has yet."""
        if not isinstance(values.get("name"), str):
            raise ValueError("say the name of the class.")
        name = class_name(values["name"])
        self.project.log.add_class(name, f"class {name}")
        return self._labels()

    def undo(self, values: dict[str, Any]) -> dict[str, Any]:
        """Take the last action back."""
        return {"said": self.project.log.undo(), **self._labels()}

    def redo(self, values: dict[str, Any]) -> dict[str, Any]:
        """Do again what was undone."""
        return {"said": self.project.log.redo(), **self._labels()}

    def cluster(self, values: dict[str, Any]) -> dict[str, Any]:
        """Begin a fit."""
        clusters = values.get("clusters", "auto")
        number = type(clusters) is int and 1 <= clusters <= _MOST_CLUSTERS
        if not number and clusters not in ("auto", "classes"):
            raise ValueError(f"clusters must be auto, classes or a number up to {_MOST_CLUSTERS}.")
        self.fits.start(clusters)
        return {}

    def cancel(self, values: dict[str, Any]) -> dict[str, Any]:
        """Give the fit up."""
        self.fits.cancel()
        return {}

    def export(self, values: dict[str, Any]) -> dict[str, Any]:
        """Copy the pictures into folders."""
        folder, count = copy_into_folders(self.project)
        left_out = len(self.project.folder.files) - count
        return {"folder": shown_name(folder.resolve()), "count": count, "left_out": left_out}

    def csv(self, request: Request) -> Response:
        """Give the table of all pictures."""
        headers = {"Content-Disposition": 'attachment; filename="clusters.csv"'}
        return Response(table(self.project), media_type="text/csv", headers=headers)

    async def thumbnail(self, request: Request) -> Response:
        """Give a small picture."""
        name, path = self._file_of(request)
        # A screen full is asked for at once. What is there is given here and now, which takes less
        # time than to hand it to a thread.
        thumbnails = self.project.thumbnails
        picture = or_404(lambda: thumbnails.kept(name, path))
        if picture is None:
            picture = await run_in_threadpool(or_404, lambda: self._made_thumbnail(name, path))
        return image(picture)

    def _made_thumbnail(self, name: str, path: Path) -> Thumbnail:
        try:
            return self.project.thumbnails.of(name, path)
        except ValueError as error:
            # Once all pictures were read for the clustering, it is known which ones cannot be.
            if not self.project.features_read:
                self.project.unreadable[name] = str(error)
            raise

    def picture(self, request: Request) -> Response:
        """Give a large picture: decoded and encoded anew, never the file itself."""
        _, path = self._file_of(request)

        def make() -> Thumbnail:
            with opened_inside(path, self.project.root) as file:
                return file_thumbnail(file, _LARGE_SIDE)

        return image(or_404(make))

    def made(self, request: Request) -> Response:
        """Give a prototype or a part of the last fit."""
        result = self.project.result
        name = request.path_params["name"]
        if result is None or result.number != request.path_params["result"]:
            raise HTTPException(404)
        if name not in result.pictures:
            raise HTTPException(404)
        return Response(result.pictures[name], media_type="image/png", headers=KEEP)

    def _file_of(self, request: Request) -> tuple[str, Path]:
        folder, number = self.project.folder, request.path_params["number"]
        if number >= len(folder.files):
            raise HTTPException(404)
        return folder.files[number], folder.paths[number]

    def _labels(self) -> dict[str, Any]:
        labels, numbers = self.project.log.labels(), self.project.numbers
        # A picture that was removed since keeps its label in the log.
        here = {numbers[name]: label for name, label in labels.of.items() if name in numbers}
        return {
            "revision": labels.revision,
            "pictures": list(here),
            "labels": list(here.values()),
            "classes": labels.classes,
            "undo": labels.undo,
            "redo": labels.redo,
        }

"""The server: on this machine's own address, for as long as the command runs."""

import os
import socket
import threading
import webbrowser
from collections.abc import Callable
from contextlib import closing
from typing import Any

import uvicorn

from ..datasets import PictureFolder, list_pictures, read_label_table
from ..system.plain_text import counted
from .answers import Answers
from .fits import Fits, started_quietly
from .guard import Guard, Keys
from .project import THUMBNAILS, Project, open_project
from .thumbnails import make_all

__all__ = ["serve_folder"]

_ADDRESS = "127.0.0.1"  # never another: who may see the pictures sits at this machine


def serve_folder(
    path: str | os.PathLike,
    *,
    project: str | os.PathLike | None = None,
    port: int = 0,
    features: str = "auto",
    clusters: int | str = "auto",
    labels: str | None = None,
    seed: int = 0,
    browser: bool = True,
    say: Callable[[str], Any] = print,
) -> None:
    """Serve the page of a folder of pictures until a signal ends it.

    Parameters
    ----------
    path : str or path
        The folder.
    project : str or path, default=None
        Where labels and results are kept; None: in ``.ronmf`` inside the folder.
    port : int, default=0
        The port; 0 takes one that is free.
    features : {"auto", "pixels", "deep"}, default="auto"
        What the pictures are compared by.
    clusters : int or "auto", default="auto"
        How many clusters.
    labels : str, default=None
        A table of labels, or "folders" for the names of sub-folders; for pictures that have not
        been touched on the page.
    seed : int, default=0
        Seed of everything random.
    browser : bool, default=True
        Whether the browser is opened.
    say : callable
        Is called with the lines for the user, the address among them.
    """
    folder = list_pictures(path)
    if not folder.files:
        raise ValueError(f"there are no pictures in {folder.root}; give another folder.")
    # The sockets and files come first: what is wrong is said before any work.
    with closing(_listening(port)) as listener, open_project(folder, project) as kept:
        _take_labels(kept, labels, say)
        keys, number = Keys(), listener.getsockname()[1]
        fits = Fits(kept, features, seed)
        answers = Answers(kept, fits, keys.page, clusters)
        server = uvicorn.Server(
            uvicorn.Config(
                Guard(answers.app(), number, keys),
                log_level="critical",
                access_log=False,
                lifespan="off",
                ws="none",
                http="h11",
                server_header=False,
                proxy_headers=False,
                timeout_graceful_shutdown=1,
            )
        )
        maker = started_quietly(make_all, (kept.place / THUMBNAILS, folder))
        try:
            fits.start(clusters) if kept.result is None else fits.prepare()
            address = f"http://{_ADDRESS}:{number}/?token="
            count = counted(len(folder.files), "picture")
            say(f"{count}; labels are kept in {kept.place}")
            say(f"Open {address}{keys.token}")
            if browser:
                threading.Thread(target=webbrowser.open, args=(address + keys.once,)).start()
            server.run(sockets=[listener])
        finally:
            fits.close()
            maker.kill()
            maker.join()


def _listening(port: int) -> socket.socket:
    """Return a socket of this machine alone."""
    # Named as TCP: asyncio then sends small answers at once, where they would wait 40 ms otherwise.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":  # elsewhere this would let a second program share the port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((_ADDRESS, port))
        listener.listen()  # who comes before the server is up waits a moment
    except OSError as error:
        listener.close()
        raise ValueError(
            f"port {port} cannot be had ({error.strerror}): give another, or 0."
        ) from error
    return listener


def _take_labels(kept: Project, labels: str | None, say: Callable[[str], Any]) -> None:
    if labels is None:
        return
    folder: PictureFolder = kept.folder
    if labels == "folders":
        given = dict(zip(folder.files, folder.folder_labels(), strict=True))
        source = "sub-folders"
    else:
        table = read_label_table(labels, folder)
        given, source = table.labels, os.path.basename(labels)
        if table.unknown:
            rows = counted(len(table.unknown), "row")
            verb = "names" if len(table.unknown) == 1 else "name"
            say(f"{rows} of {labels} {verb} no picture of the folder.")
    count = kept.import_labels({name: label for name, label in given.items() if label}, source)
    say(f"{counted(count, 'label')} taken from {source}.")

"""The page of ``ronmf app`` as a real server in a process of its own, and pictures to show."""

import http.client
import json
import os
import re
import shutil
import subprocess
import sys
import time
from contextlib import contextmanager
from urllib.parse import urlsplit

from PIL import Image
from sklearn.datasets import load_digits

__all__ = ["Client", "Served", "chromium", "serving_app", "write_digits"]

START = "from ronmf.cli import main; main()"


def write_digits(folder, count):
    """Write digits as PNG files, whose names do not tell the class; return the classes by name."""
    X, truth = load_digits(return_X_y=True)
    folder.mkdir(parents=True, exist_ok=True)
    classes = {}
    for i in range(count):
        name = f"{i:04d}.png"
        Image.fromarray((X[i].reshape(8, 8) * 255 / 16).astype("uint8")).save(folder / name)
        classes[name] = str(truth[i])
    return classes


@contextmanager
def chromium():
    """Start the Chromium of ``RONMF_CHROMIUM``, or the one that is installed.

    ImportError without playwright, FileNotFoundError without Chromium.
    """
    from playwright.sync_api import sync_playwright

    found = os.environ.get("RONMF_CHROMIUM") or shutil.which("chromium")
    if found is None:
        raise FileNotFoundError("there is no chromium: install Debian's, or set RONMF_CHROMIUM")
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=found, args=["--no-sandbox"] * root)
        yield browser
        browser.close()


class Served:
    """A server that runs: its process, address, port and token."""

    def __init__(self, process):
        self.process = process
        self.lines = []
        for line in process.stdout:
            self.lines.append(line)
            if line.startswith("Open "):
                break
        else:
            raise AssertionError(process.stderr.read())
        self.url = self.lines[-1].split()[1]
        self.port = urlsplit(self.url).port
        self.token = self.url.partition("token=")[2]

    def kill(self):
        """End it as nothing can be ended more rudely."""
        self.process.kill()
        self.process.wait()


@contextmanager
def serving_app(folder, cache, *options):
    """Serve a folder of pictures."""
    environment = {
        **os.environ,
        "RONMF_CACHE": str(cache),
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    process = subprocess.Popen(
        [sys.executable, "-c", START, "app", str(folder), "--no-browser", *options],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment,
    )  # fmt: skip
    try:
        yield Served(process)
    finally:
        process.kill()
        process.wait()
        process.stdout.close()  # its own processes may hold the other end for a moment
        process.stderr.close()


class Client:
    """A browser without a screen: it enters with the token, and speaks as the page does."""

    def __init__(self, served):
        self.port = served.port
        answer, _ = self.ask("GET", f"/?token={served.token}")
        given = answer.getheader("set-cookie")
        self.cookie = given.partition(";")[0]
        self.place = re.search(r"[Pp]ath=(/[^/;]+)/", given)[1]
        _, page = self.ask("GET", f"{self.place}/", {"Cookie": self.cookie})
        self.key = re.search(rb'name="key" content="([^"]+)"', page)[1].decode()

    def ask(self, method, path, headers=None, body=None):
        """Send a request exactly as given; return the answer and its content."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            given = {"Host": f"127.0.0.1:{self.port}", **(headers or {})}
            if body is not None:
                given.setdefault("Content-Length", str(len(body)))
            for name, value in given.items():
                if value is not None:
                    connection.putheader(name, value)
            connection.endheaders(body)
            answer = connection.getresponse()
            return answer, answer.read()
        finally:
            connection.close()

    def headers(self, **changes):
        """Return the headers of the page's own changes, some of them changed; None leaves out."""
        plain = {
            "Host": f"127.0.0.1:{self.port}",
            "Cookie": self.cookie,
            "Origin": f"http://127.0.0.1:{self.port}",
            "X-Ronmf-Page": self.key,
            "Content-Type": "application/json",
        }
        return plain | {name.replace("_", "-"): value for name, value in changes.items()}

    def get(self, path, **changes):
        """Return the status and the content of an address."""
        answer, content = self.ask("GET", self.place + path, self.headers(**changes))
        return answer.status, content

    def post(self, path, asked, **changes):
        """Return the status and the JSON that a change is answered with."""
        answer, content = self.ask(
            "POST", self.place + path, self.headers(**changes), json.dumps(asked).encode()
        )
        return answer.status, json.loads(content)

    def json(self, path):
        """Return what an address tells."""
        status, content = self.get(path)
        assert status == 200, content
        return json.loads(content)

    def wait_for_fit(self, seconds=60):
        """Wait until nothing is under way; return the status."""
        for _ in range(int(seconds / 0.1)):
            status = self.json("/api/status")
            if not status["fit"]["working"]:
                return status
            time.sleep(0.1)
        raise AssertionError(status)

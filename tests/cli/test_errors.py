"""What a user sees of an error: one sentence, or with ``--traceback`` where it arose."""

import os
import re
import subprocess
import sys
import time

import pytest

from support.command_line import command

# A bug: the catalog is gone.
BUG = (
    "import sys, ronmf.datasets; from ronmf.cli import main\n"
    "ronmf.datasets.CATALOG = None\n"
    "sys.argv[0] = 'ronmf'; main()"
)

# An interrupt in the middle of an import, as compiled modules report it.
INTERRUPTED = """
import os, signal, sys
from ronmf.cli import main

class Typer:
    def find_spec(name, *rest):
        if name == "typer":
            try:
                os.kill(os.getpid(), signal.{signal})
            except BaseException as interrupt:
                raise ImportError("initialization failed") from interrupt

sys.meta_path.insert(0, Typer)
sys.argv[0] = "ronmf"
main()
"""

# One that comes while Python removes an object, when no exception can be raised.
IN_A_FINALISER = """
import os, signal, sys, time
from ronmf.cli import main

class Removed:
    def __del__(self):
        os.kill(os.getpid(), signal.{signal})

class Typer:
    def find_spec(name, *rest):
        if name == "typer":
            Removed()
            time.sleep(10)

sys.meta_path.insert(0, Typer)
sys.argv[0] = "ronmf"
main()
"""


def run(*arguments, code=None):
    start = ["-m", "ronmf"] if code is None else ["-c", code]
    environment = {k: v for k, v in os.environ.items() if not k.startswith("RONMF_")}
    return subprocess.run(
        [sys.executable, *start, *arguments], capture_output=True, text=True, env=environment
    )


def test_an_error_of_the_input_is_one_sentence():
    done = run("data", "info", "elephants")
    assert done.returncode == 2
    assert done.stderr.startswith("Error: name is 'elephants'")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["--traceback", "data", "info", "elephants"],
        ["data", "--traceback", "info", "elephants"],
        ["data", "info", "--traceback", "elephants"],
        ["data", "info", "elephants", "--traceback"],
    ],
)
def test_traceback_may_stand_anywhere(arguments):
    done = command(*arguments)
    assert done.code == 2  # as without it
    assert done.err.startswith("Traceback (most recent call last):\n")
    assert re.search(r'File ".*_catalog\.py", line \d+, in entry_of', done.err)
    assert done.err.splitlines()[-1].startswith("ValueError: name is 'elephants'")


def test_a_bug_is_one_sentence_that_asks_for_the_traceback():
    done = run("data", "list", code=BUG)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert re.match("Error: AttributeError: .* This is a bug of ronmf; .*--traceback", done.stderr)
    again = run("data", "list", "--traceback", code=BUG)
    assert again.returncode == 1
    assert "Traceback" in again.stderr
    assert again.stderr.splitlines()[-1].startswith("AttributeError: ")


def test_all_is_well_with_it():
    done = run("--traceback", "data", "list")
    assert done.returncode == 0
    assert done.stdout == run("data", "list", "--traceback").stdout
    assert done.stderr == ""


def test_the_part_that_is_asked_for_is_enough():
    """``data`` waits for no part of scikit-learn, whatever stands before it."""
    code = "import sys; from ronmf.cli import main\ntry: main()\nfinally: print(*sys.modules)"
    done = run("--traceback", "data", "list", code=code)
    assert "ronmf.cli.data" in done.stdout.split()
    assert not {"sklearn", "ronmf.cli.bench"} & set(done.stdout.split())


def test_a_wrong_command_is_told_what_it_may_mean():
    done = command("dat", "list")
    assert done.code == 2
    assert "No such command 'dat'" in done.err
    assert "Traceback" not in done.err


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no such signals")
@pytest.mark.parametrize(("signal", "code"), [("SIGINT", 130), ("SIGTERM", 143)])
@pytest.mark.parametrize("program", [INTERRUPTED, IN_A_FINALISER], ids=["import", "finaliser"])
def test_an_interrupt_that_python_or_a_library_swallows_is_an_interrupt(program, signal, code):
    start = time.monotonic()
    done = run("data", "list", code=program.format(signal=signal))
    assert done.returncode == code
    assert done.stderr == ("Stopped.\n" if signal == "SIGINT" else "")
    assert time.monotonic() - start < 9

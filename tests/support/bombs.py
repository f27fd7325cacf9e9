"""Model files in which one number is huge, or one array long: what do loading and predicting cost?

Run as a script, in a process of its own: ``python bombs.py FOLDER SECONDS SEVERAL``, FOLDER
holding ``NAME.ronmf`` and ``NAME.npy``, the samples to predict. With SEVERAL being 1 an attribute
that several models have is changed in each of them, to more numbers, and arrays are changed too.
The script prints one line of JSON for each case that was neither refused in one sentence nor
answered, and at last how many cases there were.
"""

import copy
import io
import json
import signal
import sys
import tempfile
import warnings
from dataclasses import fields, is_dataclass
from pathlib import Path

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils._param_validation import Interval, make_constraint

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent.parent))

from ronmf import load_model
from ronmf.saving._classes import CLASSES
from support.models import npy_bytes, read_members, write_members

SIZES = (10**4, 10**6, 10**6 + 1, 10**9)  # some numbers must be odd
MOST = 3 * 2**30  # bytes of address space
MORE = 2**28  # and so many beyond what the process had
LONG = 200_000  # numbers of an array, whose square takes 300 GB


def numbers(content, seen):
    """Yield name, type and place of every number of a description whose name is new."""
    for index, entry in enumerate(content["objects"]):
        name, state = entry["class"], entry["state"]
        places = [*_leaves(state), *(([key], int) for key in _parameters(CLASSES[name]))]
        for path, kind in places:
            label = ".".join([name, *map(str, path)])
            if path[0] in state and label not in seen:
                seen.add(label)
                yield label, kind, ["objects", index, "state", *path]


def bomb(content, path, kind, size):
    """Return a description with another number in one place."""
    changed = copy.deepcopy(content)
    place = changed
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = kind(size)
    return changed


def long_arrays(content, members, seen):
    """Yield the name of every array whose name is new, and files in which it has a long side."""
    for member in members:
        array = np.load(io.BytesIO(members[member]))
        number = int(Path(member).stem)
        label = " and ".join(sorted(set(_places(content["objects"], number))))
        if array.dtype.kind not in "fi" or not array.size or label in seen:
            continue
        seen.add(label)
        first, last = array.shape[0], array.shape[-1]
        shapes = [(LONG,), (LONG, 1), (1, LONG), (first, LONG // first), (LONG // last, last)]
        fill = np.ones if array.dtype.kind == "f" else np.zeros  # indices stay inside
        for shape in shapes:
            changed = npy_bytes(fill(shape, array.dtype))
            yield f"{label} {array.shape} {shape}", members | {member: changed}


def _places(value, number, path=()):
    """Yield the names of the attributes that hold an array."""
    if isinstance(value, dict):
        if number in (value.get("array"), value.get("transposed")):
            yield ".".join(path)
        if set(value) == {"class", "state"}:
            yield from _places(value["state"], number, (value["class"],))
        else:
            for key, inner in value.items():
                yield from _places(inner, number, (*path, key))
    elif isinstance(value, list):
        for inner in value:
            yield from _places(inner, number, path)


def _parameters(cls):
    """Return the parameters of a class that may be numbers, whatever they are by default."""
    if issubclass(cls, BaseEstimator) and hasattr(cls, "_limits"):
        return ["sigma", *cls._limits]
    constraints = getattr(cls, "_parameter_constraints", {})
    return [
        name
        for name, allowed in constraints.items()
        if allowed != "no_validation"
        and any(isinstance(make_constraint(each), Interval) for each in allowed)
    ] or [f.name for f in (fields(cls) if is_dataclass(cls) else ()) if f.type in (int, float)]


def _leaves(value, path=()):
    """Yield where numbers stand in the JSON of a value, but for those that pick arrays."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == "csr":
                yield from ((([*path, key, 3, i]), int) for i in (0, 1))
            elif key == "scalar":
                yield [*path, key, 1], type(inner[1])
            elif key not in ("array", "transposed", "object", "names"):
                yield from _leaves(inner, [*path, key])
    elif isinstance(value, list):
        for i, inner in enumerate(value[:3]):
            yield from _leaves(inner, [*path, i])
    elif type(value) in (int, float):
        yield [*path], type(value)


def outcome(path, X, seconds):
    """Load a model and predict; return what is wrong with how that went, or nothing."""
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        load_model(path).predict(X)
    except ValueError as error:
        said = str(error)
        return f"several lines: {said[:200]!r}" if "\n" in said.strip() else ""
    except IndexError:  # of arrays that do not fit together, which costs nothing
        return ""
    except BaseException as error:
        return f"{type(error).__name__}: {str(error)[:200]}"
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return ""


def _late(signum, frame):
    raise TimeoutError("too long")


def main(folder, seconds, several):
    """Try all cases of all files of a folder."""
    import resource

    signal.signal(signal.SIGALRM, _late)
    warnings.simplefilter("ignore")
    found = {path: np.load(path.with_suffix(".npy")) for path in sorted(folder.glob("*.ronmf"))}
    for path, X in found.items():  # whatever is imported on the way is no matter of a file
        load_model(path).predict(X)
    count, seen = 0, set()
    with tempfile.TemporaryDirectory() as scratch:
        changed = Path(scratch) / "model.ronmf"
        for path, X in found.items():
            pages = int(Path("/proc/self/statm").read_text().split()[0])
            limit = min(MOST, pages * resource.getpagesize() + MORE)
            resource.setrlimit(resource.RLIMIT_AS, (limit, MOST))
            for label, content, members in cases(*read_members(path), seen, several):
                write_members(changed, content, members)
                wrong = outcome(changed, X, seconds)
                count += 1
                if wrong:
                    print(json.dumps([path.stem, label, wrong]), flush=True)
    print(json.dumps(count))


def cases(content, members, seen, several):
    """Yield what is changed of a file, and its two parts."""
    for label, kind, place in numbers(content, set() if several else seen):
        for size in SIZES if several else SIZES[2:]:
            yield f"{label} {size}", bomb(content, place, kind, size), members
    if several:
        for label, changed in long_arrays(content, members, set()):
            yield label, content, changed


if __name__ == "__main__":
    with np.errstate(all="ignore"):
        main(Path(sys.argv[1]), float(sys.argv[2]), sys.argv[3] == "1")

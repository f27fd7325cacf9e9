"""The datasets with a name: their sizes, files, checksums, sources, and what is special about them.

No other module asks which dataset it has: it asks the entry.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from ..system.suggestions import did_you_mean
from ._prepare import Table, block_means, count_from_zero, first_of_each

__all__ = ["CATALOG", "Entry", "Source", "entry_of"]


@dataclass(frozen=True)
class Source:
    """An address to download from.

    Parameters
    ----------
    url : str
        Address of the file; for OpenML that of the description of the dataset.
    kind : {"copy", "mat", "openml", "numbered_pictures", "packed_photographs"}
        What is found there, see ``ronmf.datasets._convert``.
    digest : str
        ``"sha256:..."``, ``"sha1:..."`` or ``"md5:..."`` of the download; empty if unknown.
    """

    url: str
    kind: str
    digest: str = ""


@dataclass(frozen=True)
class Entry:
    """A dataset of the catalog.

    Parameters
    ----------
    name, title : str
        What it is called, and what it shows.
    n_samples, n_classes : int
        Sizes.
    image_shape : tuple (height, width)
        Size of the pictures; of photographs of many sizes, the one they get unless told otherwise.
    file : str
        Name of its file; empty if scikit-learn brings it.
    sha256 : str
        Of the reference copy of the file, on which the results of the documentation stand.
    content : str
        Of the pictures and classes in it, see ``ronmf.datasets._verification``:
        it tells whether a download that was converted here is the same dataset. Empty where the
        file holds photographs, which are as downloaded.
    mat_files : tuple of str
        Names of MATLAB files that serve as well.
    sources : tuple of Source
        Where it can be had, the best first.
    page : str
        Page with its description and terms.
    resizable : bool
        Whether the file is a zip file of photographs of many sizes, one folder per class, that can
        be loaded in any size.
    no_classes : tuple of str
        Folders of such photographs that are no class.
    prepare : callable, optional
        Makes the values and labels of the dataset from those of its table at OpenML.
    bundled : str
        Function of :mod:`sklearn.datasets` that loads it; empty if it is a file.
    """

    name: str
    title: str
    n_samples: int
    n_classes: int
    image_shape: tuple[int, int]
    file: str
    sha256: str
    mat_files: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()
    page: str = ""
    resizable: bool = False
    no_classes: tuple[str, ...] = ()
    prepare: Callable[..., Table] | None = None
    bundled: str = ""
    content: str = ""

    @property
    def n_features(self) -> int:
        """Pixels of a picture."""
        return self.image_shape[0] * self.image_shape[1]


_FEATURE = "https://raw.githubusercontent.com/jundongl/scikit-feature/master/skfeature/data"
_TSNMF = (
    "https://raw.githubusercontent.com/JinaLeejnl/TSNMF/bebb0155cc3c0aa9d1dd91e09215c57cfff3ce96"
)
_OPENML = "https://www.openml.org/api/v1/json/data"
_COLUMBIA = "https://www.cs.columbia.edu/CAVE"
_CALTECH = "https://data.caltech.edu/records/mzrjq-6wc02"

_ENTRIES = (
    Entry(
        "umist",
        "UMIST faces: 20 people from profile to front",
        575,
        20,
        (28, 23),
        "umist.npz",
        "89524f5cd8dcbec386548ab6c2adef6aa30f59dce875cad8178eb28ae8abd601",
        ("UMIST.mat",),
        (Source(f"{_TSNMF}/data/UMIST.mat", "mat"), Source(f"{_OPENML}/41084", "openml")),
        "https://www.openml.org/d/41084",
        prepare=partial(block_means, full=(112, 92), small=(28, 23)),
        content="60cf27018960787edcae0c2c5c0d3571378758b0a9e542d274a479f0132bab9f",
    ),
    Entry(
        "yale",
        "Yale faces: 15 people, 11 expressions and lights",
        165,
        15,
        (32, 32),
        "yale.npz",
        "5a0f818ff2cea5f91e6f6307dd4f235008fd83c25625961ccb9f4f85c5d04044",
        ("Yale.mat", "Yale_32x32.mat", "Yale32.mat"),
        (Source(f"{_FEATURE}/Yale.mat", "mat"),),
        "https://github.com/jundongl/scikit-feature",
        content="60a8237d865d37240273b859b291b36e73c14aa0197afb2902830a93c51dda85",
    ),
    Entry(
        "coil20",
        "COIL-20: 20 objects on a turntable, 72 angles",
        1440,
        20,
        (32, 32),
        "coil20.npz",
        "f2b91d0911aa205d3b4becacd24ff7beac78fb85917fdd3b973bce1fba49b175",
        ("COIL20.mat",),
        (Source(f"{_FEATURE}/COIL20.mat", "mat"),),
        f"{_COLUMBIA}/software/softlib/coil-20.php",
        content="ccb57a3f5a79f46865b89c4a622e1f303c3d6eeec931dc4be40c70ab14d17597",
    ),
    Entry(
        "coil100",
        "COIL-100: 100 objects on a turntable, 72 angles, gray",
        7200,
        100,
        (32, 32),
        "coil100.npz",
        "9a64a8cfe20b23f0d02ab349180fc02a56ac645da69b31123bb1c555bc221de4",
        ("COIL100.mat",),
        (
            Source(
                f"{_COLUMBIA}/databases/SLAM_coil-20_coil-100/coil-100/coil-100.zip",
                "numbered_pictures",
                "sha1:402d86b63cf3ace831f2af03bc9889e5e5c3dd1a",
            ),
        ),
        f"{_COLUMBIA}/software/softlib/coil-100.php",
        content="5c1faec2deeaa88a369c4d3a878d99b0a8ea7ae872befe1d236422d01f75f799",
    ),
    Entry(
        "usps",
        "USPS: handwritten digits of the US postal service",
        9298,
        10,
        (16, 16),
        "usps.npz",
        "80e0497d73295ff5d0afdc78830bb5f947740a10e2aee19070aacc5e98564bab",
        ("USPS.mat",),
        (Source(f"{_OPENML}/41082", "openml"),),
        "https://www.openml.org/d/41082",
        prepare=count_from_zero,
        content="290495945d62895a58784d26cf220c92b9ec77eb0a68c35a193fe85a886685ff",
    ),
    Entry(
        "mnist",
        "MNIST: handwritten digits, the first 2000 training pictures of each",
        20000,
        10,
        (28, 28),
        "mnist.npz",
        "d1850c9474da327c8623940dbec8d64ca48d886c043d2d623217a62ba1f54a0b",
        (),
        (Source(f"{_OPENML}/554", "openml"),),
        "https://www.openml.org/d/554",
        prepare=partial(first_of_each, rows=60000, n=2000),
        content="c5ffa6bab2baba156fae5155e389eb68e0c0dcf6c7aabbdf05a20eb01fc1ab8a",
    ),
    Entry(
        "orl10p",
        "ORL faces in full size: 10 people, 10 pictures each",
        100,
        10,
        (112, 92),
        "orl10p.npz",
        "b0e462fc9af7af4803fb4c41cc1606d949d993180c7081f71de3532079ecffcc",
        ("orlraws10P.mat",),
        (Source(f"{_FEATURE}/orlraws10P.mat", "mat"),),
        "https://github.com/jundongl/scikit-feature",
        content="3329e8ec5afb04c34ebae36e2531f66a6c96a45d7103ffcdf026aa41911b9bbc",
    ),
    Entry(
        "cal101",
        "Caltech 101: photographs of objects, gray, resized on loading",
        8677,
        101,
        (64, 64),
        "cal101.zip",
        "c9b5c36dbb02f10d2ff4e31fdc9d886ac28e8a51ffd4e92e4e1c959c12e32628",
        (),
        (
            Source(
                f"{_CALTECH}/files/caltech-101.zip",
                "packed_photographs",
                "md5:3138e1922a9193bfa496528edbbc45d0",
            ),
        ),
        _CALTECH,
        resizable=True,
        no_classes=("BACKGROUND_Google",),
    ),
    Entry(
        "digits",
        "scikit-learn's digits, part of every installation",
        1797,
        10,
        (8, 8),
        "",
        "",
        page="https://scikit-learn.org/stable/modules/generated/sklearn.datasets.load_digits.html",
        bundled="load_digits",
    ),
)

CATALOG: dict[str, Entry] = {entry.name: entry for entry in _ENTRIES}


def entry_of(name: str) -> Entry:
    """Return the entry called `name`; capital letters do not matter.

    Examples
    --------
    >>> entry_of("Yale").n_features
    1024
    """
    try:
        return CATALOG[name.lower()]
    except KeyError:
        raise ValueError(
            f"name is {name!r}, which is no dataset: choose one of {', '.join(CATALOG)}"
            f"{did_you_mean(name, CATALOG) or '.'}"
        ) from None

"""Whether changed copies of pictures are found, and different pictures are not called copies.

    python benchmarks/near_duplicates.py [--data DIR] [--sets digits usps coil20] [--ratio 0.33]
                                         [--most 2000]

At most 2000 pictures drawn at random, exact copies among them left out. Changed copies of sixty are
added, one kind at a time, and ``near_duplicates`` is asked, as a model asks it about pictures: how
many of the sixty are found, and how many other groups it names that have no added picture. The
column "none added" has the groups among the pictures as they are. Kinds: JPEG of quality 70, twice
the size and back (bicubic), normal noise of 1 % and 2 % of the range, 3 % brighter.

It needs ``pip install '.[images]'``.
"""

import argparse
import io

import numpy as np
from comparison import markdown
from PIL import Image
from protocol import available, data_directory, load_dataset, thin

from ronmf.numerics.duplicates import near_duplicates, same_light

SETS = ("digits", "usps", "mnist", "yale", "orl10p", "coil20")
MOST_SAMPLES, COPIES = 2000, 60


def as_image(picture: np.ndarray) -> Image.Image:
    return Image.fromarray(np.round(255 * picture).astype(np.uint8))


def compressed(picture: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    file = io.BytesIO()
    as_image(picture).save(file, "JPEG", quality=70)
    return np.asarray(Image.open(file)) / 255


def resized(picture: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    height, width = picture.shape
    twice = as_image(picture).resize((2 * width, 2 * height), Image.Resampling.BICUBIC)
    return np.asarray(twice.resize((width, height), Image.Resampling.BICUBIC)) / 255


def noisy(level: float):
    return lambda picture, rng: np.clip(picture + level * rng.normal(size=picture.shape), 0, 1)


KINDS = {
    "JPEG 70": compressed,
    "resized": resized,
    "noise 1 %": noisy(0.01),
    "noise 2 %": noisy(0.02),
    "brighter": lambda picture, rng: np.clip(1.03 * picture, 0, 1),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", help="folder of the real sets (default: $RONMF_DATA)")
    parser.add_argument("--sets", nargs="+", default=SETS, choices=SETS)
    parser.add_argument("--ratio", type=float, help="of near_duplicates (default: its own)")
    parser.add_argument("--most", type=int, default=MOST_SAMPLES, help="pictures of a set")
    options = parser.parse_args()
    folder, table = data_directory(options.data), []
    for name in options.sets:
        if not available(name, folder):
            print(f"{name} skipped: not in the data directory (--data or RONMF_DATA)\n")
            continue
        dataset = thin(load_dataset(name, folder), options.most, 0)
        pictures = np.unique(dataset.X, axis=0).reshape(-1, *dataset.image_shape)
        rng, n = np.random.default_rng(0), len(pictures)
        chosen = rng.choice(n, COPIES, replace=False)
        others, cells = 0, []
        for change in KINDS.values():
            added = np.stack([change(picture, rng) for picture in pictures[chosen]])
            X = np.concatenate([pictures, added]).reshape(n + COPIES, -1)
            groups = [
                set(group.tolist()) for group in near_duplicates(same_light(X), options.ratio)
            ]
            pairs = [{int(i), n + place} for place, i in enumerate(chosen)]
            cells.append(str(sum(any(pair <= group for group in groups) for pair in pairs)))
            others += sum(max(group) < n for group in groups)
        plain = len(near_duplicates(same_light(pictures.reshape(n, -1)), options.ratio))
        table.append([name, str(n), *cells, str(others), str(plain)])
    print(f"Found of {COPIES}\n")
    print(markdown(["set", "pictures", *KINDS, "other groups", "none added"], table))


if __name__ == "__main__":
    main()

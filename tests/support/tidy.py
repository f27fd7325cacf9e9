"""Invented tidy rows, one line a run, with every column and oddity the real ones have."""

import hashlib
import json

import numpy as np
import pandas as pd

# name: samples, features, classes, how hard (lowers every score)
DATASETS = {
    "yale": (165, 1024, 15, 0.30),
    "umist": (575, 1024, 20, 0.22),
    "coil20": (1440, 1024, 20, 0.12),
    "usps": (2000, 256, 10, 0.18),
    "orl10p": (100, 10304, 10, 0.08),
}
# name: score on an easy clean dataset, what noise at full strength takes away
METHODS = {
    "k-means": (0.70, 0.45),
    "NMF": (0.66, 0.50),
    "GNMF": (0.78, 0.40),
    "LpCNMF": (0.86, 0.35),
    "HarmonicLabelPropagation": (0.90, 0.30),
    "RONMF-M": (0.93, 0.18),
    "RONMF-E": (0.95, 0.15),
}
VARIANTS = {
    "": (0.0, {}),
    "without graph": (-0.12, {"graph_weight": 0.0}),
    "without labels": (-0.20, {"label_weight": 0.0}),
    "squared loss": (-0.06, {"penalty": "square"}),
}
NOISES = {
    "none": [0.0],
    "gaussian": [0.1, 0.3, 0.5, 0.7],
    "poisson": [4.0, 16.0],
    "salt_pepper": [0.1, 0.3],
    "occlusion": [0.2, 0.4],
    "label_flips": [0.1, 0.3],
}
SCORES = ("acc", "f1", "nmi", "purity", "ari")
N_SEEDS = 5


def row(experiment, dataset, method, seed, **changes):
    """One run; `changes` sets any column otherwise than a clean run at a label rate of 0.3."""
    n, d, c, _ = DATASETS.get(dataset, (120, 64, 6, 0.2))
    settings = {
        "experiment": experiment,
        "dataset": dataset,
        "method": method,
        "variant": "",
        "params": "{}",
        "n_classes": c,
        "label_rate": 0.3,
        "seed": seed,
        "noise": "none",
        "noise_level": 0.0,
        "leak": "none",
    }
    settings |= {name: value for name, value in changes.items() if name in settings}
    values = {
        **settings,
        "n_samples": n,
        "n_features": d,
        "n_labelled": round(n * settings["label_rate"]),
        "status": "ok",
        "reason": "",
        **{f"{score}_{scope}": 0.5 for score in SCORES for scope in ("unlabelled", "all")},
        "seconds": 1.0,
        "peak_mb": 50.0,
        "n_iter": 200,
        "converged": True,
        "ronmf": "0.1.0",
        "numpy": "2.3.0",
        "scipy": "1.17.1",
        "sklearn": "1.8.0",
        "python": "3.12.1",
    }
    text = json.dumps({k: v for k, v in settings.items() if k != "experiment"}, sort_keys=True)
    return {"key": hashlib.sha256(text.encode()).hexdigest()[:16], **values, **changes}


def _measured(experiment, dataset, method, seed, shift=0.0, **changes):
    """A run with invented scores: worse on hard data, under noise and with fewer labels."""
    plain = row(experiment, dataset, method, seed, **changes)
    base, lost = METHODS[method]
    noise, level, rate = plain["noise"], plain["noise_level"], plain["label_rate"]
    strength = 2.0 / level if noise == "poisson" else level  # few photons are strong noise
    rng = np.random.default_rng(int(plain["key"], 16))
    score = base + shift - DATASETS[dataset][3] - lost * strength
    if "NMF" in method and method not in ("NMF", "GNMF"):
        score += 0.25 * (rate - 0.3)
    score = score + rng.normal(0.0, 0.03)
    for name, offset in zip(SCORES, (0.0, -0.01, -0.03, 0.02, -0.12), strict=True):
        free = float(np.clip(score + offset + rng.normal(0.0, 0.005), 0.02, 0.995))
        plain[f"{name}_unlabelled"] = free
        plain[f"{name}_all"] = min(1.0, free + rate * (1.0 - free) * 0.6)
    plain["seconds"] = float(plain["n_samples"] ** 1.2 * 1e-4 * rng.uniform(0.8, 1.2) * (1 + base))
    plain["peak_mb"] = float(plain["n_samples"] * plain["n_features"] * 8 * 4 / 2**20)
    plain["n_iter"] = int(rng.integers(40, 201))
    plain["converged"] = plain["n_iter"] < 200
    return plain


def fail(plain, reason="the factor U lost a column"):
    """The same run as a failure."""
    scores = {name: float("nan") for name in plain if name.split("_")[0] in SCORES}
    return {**plain, **scores, "status": "failed", "reason": reason, "converged": False}


def example_rows(*, leak=False):
    """Five experiments on five invented datasets; `leak` adds a sixth, of leak "authors".

    "clean" (all methods, all datasets), "noise" (three methods, two datasets, all noises, with
    the clean level), "ablation" (variants of RONMF-E), "labels" (label rates) and "weights" (two
    graph and label weights as params). In "clean", RONMF-M fails on one seed of umist and NMF on
    all seeds of orl10p, and k-means on usps ran three seeds of five.
    """
    runs, seeds = [], range(N_SEEDS)
    for dataset in DATASETS:
        for method in METHODS:
            for seed in range(3) if (dataset, method) == ("usps", "k-means") else seeds:
                run = _measured("clean", dataset, method, seed)
                if (dataset, method) == ("orl10p", "NMF"):
                    run = fail(run, "NMF: the data hold a zero row")
                if (dataset, method, seed) == ("umist", "RONMF-M", 2):
                    run = fail(run)
                runs.append(run)
    for dataset in ("yale", "usps"):
        for method in ("k-means", "LpCNMF", "RONMF-E"):
            runs += [
                _measured("noise", dataset, method, seed, noise=noise, noise_level=level)
                for noise, levels in NOISES.items()
                for level in levels
                for seed in seeds
            ]
        for variant, (shift, params) in VARIANTS.items():
            settings = {"variant": variant, "params": json.dumps(params), "shift": shift}
            runs += [_measured("ablation", dataset, "RONMF-E", s, **settings) for s in seeds]
        for method in ("LpCNMF", "HarmonicLabelPropagation", "RONMF-E"):
            for rate in (0.1, 0.2, 0.3, 0.5):
                runs += [_measured("labels", dataset, method, s, label_rate=rate) for s in seeds]
        for graph in (0.1, 1.0, 10.0, 100.0):
            for label in (0.1, 1.0, 10.0):
                text = json.dumps({"graph_weight": graph, "label_weight": label})
                shift = -0.04 * abs(np.log10(graph) - 1.0) - 0.02 * abs(np.log10(label))
                settings = {"params": text, "shift": shift}
                runs += [_measured("weights", dataset, "RONMF-E", s, **settings) for s in seeds]
    if leak:
        runs += [
            _measured("leak", dataset, "RONMF-E", seed, leak="authors", shift=0.04)
            for dataset in ("yale", "umist")
            for seed in seeds
        ]
    return pd.DataFrame(runs)

"""Read the paper's LaTeX source: what it numbers, what it labels, and the cells of its tables."""

import re

_METHODS = [
    "k-means",
    "NMF",
    "GNMF",
    "RSNMF",
    "SNMFDSR",
    "CNMF",
    "LpNMF",
    "LpCNMF",
    "SNMFSP",
    "RONMF-M",
    "RONMF-S",
    "RONMF-E",
]
_SETS = "UMIST|YALE|COIL20|COIL100|USPS|MNIST|ORL10P|CAL101"
_CELL = re.compile(
    r"\\makecell\{\s*(?:\\(?:red|blue)\{)?\s*([\d.]+)\}?\s*\\\\"
    r"\s*\\scriptsize\s*(?:\\(?:red|blue)\{)?\s*\(\$\\pm\$([\d.]+)\)"
)


def labels(source):
    """Return the labels in the order of print, but for those of sections."""
    found = re.findall(r"\\label\{([^}]+)\}", source)
    return [label for label in found if not re.fullmatch(r"sec\d", label)]


def counts(source):
    """Return how many equations (with a number), tables, figures and algorithms there are."""
    equations = re.findall(r"\\begin\{equation\}.*?\\end\{equation\}", source, re.DOTALL)
    numbered = sum("\\nonumber" not in equation for equation in equations)
    floats = {
        kind: len(re.findall(rf"\\begin\{{{kind}\*?\}}", source))
        for kind in ("table", "figure", "algorithm")
    }
    return {"equation": numbered, **floats}


def cells(source):
    """Return {(table, noise, dataset, metric, method): (mean, std)}; averages are of "Average"."""
    found = {}
    for table in re.findall(r"\\begin\{table\*\}.*?\\end\{table\*\}", source, re.DOTALL):
        name, noise, dataset = re.search(r"\\label\{(\w+)\}", table)[1], "none", ""
        for line in table.splitlines():
            if "{Poisson}" in line or "{Salt pepper}" in line:
                noise = "poisson" if "{Poisson}" in line else "salt-pepper"
            if start := re.search(rf"\\multirow\{{4\}}.*?({_SETS})", line):
                dataset = start[1]
            metric = re.search(r"& (ACC|F1|NMI|PUR)\s*&", line)
            if metric is None and "{Average}" not in line:
                continue
            key = (dataset, metric[1]) if metric else ("Average", "")
            for method, cell in zip(_METHODS, _CELL.findall(line), strict=True):
                found[(name, noise, *key, method)] = tuple(map(float, cell))
    return found

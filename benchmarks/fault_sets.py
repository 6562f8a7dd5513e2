"""Data with known clusters, separated or not, and data of one population: what faults are put into.

Made sets are numbered by seeds: coefficients are learned from seeds below 9,000, and numbers that count come from
seeds above. Public sets are ``FOLDER/<family>/<set>.data.gz`` beside ``.labels0.gz``, in which 0 is noise.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path

import numpy as np
from scipy.spatial import cKDTree

warnings.filterwarnings("ignore")

SEPARATIONS = (2.5, 3, 4, 5, 6, 8)
MINE = 0.97  # share of the points of each cluster of a public set, most of whose neighbours are of their own


@dataclass(frozen=True)
class Truth:
    """A set with its true clusters; -1 is noise."""

    name: str
    family: str
    X: np.ndarray
    y: np.ndarray
    separated: bool
    seed: int = -1  # of made data

    @property
    def k(self) -> int:
        return len(np.unique(self.y[self.y >= 0]))


# --- generators ------------------------------------------------------------------------------------------


def covariance(rng, p, spread, condition):
    turn, _ = np.linalg.qr(rng.standard_normal((p, p)))
    values = np.exp(rng.uniform(-np.log(condition) / 2, np.log(condition) / 2, p))
    return (turn * values) @ turn.T * spread**2


def normal(rng, n, p):
    return rng.standard_normal((n, p))


def heavy(rng, n, p):
    return rng.standard_normal((n, p)) / np.sqrt(rng.chisquare(3, (n, 1)) / 3)


def skewed(rng, n, p):
    Z = np.exp(0.6 * rng.standard_normal((n, p)))
    return (Z - np.exp(0.18)) / np.sqrt((np.exp(0.36) - 1) * np.exp(0.36))


SHAPES = {"gauss": normal, "t3": heavy, "lognormal": skewed}


def blobs(rng, p, apart, k, shape="gauss", sizes=(50, 300), spread=(0.6, 1.6)):
    """Return clusters; the nearest neighbour of each is `apart` pooled s.d. away along the line of centres."""
    covariances = [covariance(rng, p, rng.uniform(*spread), 4.0) for _ in range(k)]

    def width(i, j, u):
        return (np.sqrt(u @ covariances[i] @ u) + np.sqrt(u @ covariances[j] @ u)) / 2

    def fits(j, centre, near):
        for other, place in enumerate(centres):
            away = centre - place
            length = np.linalg.norm(away)
            if other != near and length < apart * width(other, j, away / length):
                return False
        return True

    centres = [np.zeros(p)]
    for j in range(1, k):
        for attempt in range(2000):
            near = int(rng.integers(len(centres)))
            u = rng.standard_normal(p)
            u /= np.linalg.norm(u)
            centre = centres[near] + u * apart * width(near, j, u) * (1.0 if attempt < 1500 else 1.3)
            if fits(j, centre, near):
                break
        centres.append(centre)
    parts, y = [], []
    for j in range(k):
        n = int(np.exp(rng.uniform(*np.log(sizes))))
        parts.append(centres[j] + SHAPES[shape](rng, n, p) @ np.linalg.cholesky(covariances[j]).T)
        y += [j] * n
    return np.vstack(parts), np.array(y)


def blocks(rng, gap):
    """Rectangles on a grid, side 1, `gap` apart, of unequal density."""
    cells = [(0, 0), (1, 0), (0, 1), (1, 1)] if rng.random() < 0.5 else [(0, 0), (1, 0), (2, 0)]
    sizes = [int(rng.uniform(80, 250)) for _ in cells]
    parts = [rng.random((n, 2)) + np.array(cell) * (1 + gap) for n, cell in zip(sizes, cells, strict=True)]
    return np.vstack(parts), np.repeat(np.arange(len(cells)), sizes)


def moons(rng, noise, extra=0):
    n, m = (int(rng.uniform(100, 300)) for _ in range(2))
    t, s = rng.uniform(0, np.pi, n), rng.uniform(0, np.pi, m)
    X = np.vstack([np.c_[np.cos(t), np.sin(t)], np.c_[1 - np.cos(s), 0.5 - np.sin(s)]])
    X = np.c_[X, np.zeros((n + m, extra))]
    return X + noise * rng.standard_normal(X.shape), np.repeat([0, 1], [n, m])


def rings(rng, noise):
    radii = (0.3, 1.0, 1.8)[: rng.integers(2, 4)]
    parts = []
    for radius in radii:
        t = rng.uniform(0, 2 * np.pi, int(150 + 150 * radius))
        parts.append(np.c_[radius * np.cos(t), radius * np.sin(t)] + noise * rng.standard_normal((len(t), 2)))
    return np.vstack(parts), np.repeat(np.arange(len(radii)), [len(part) for part in parts])


def spirals(rng, noise):
    parts = []
    for arm in range(3):
        t = np.sqrt(rng.uniform(0.05, 1, 200)) * 3 * np.pi / 2 + 0.5
        angle = t + 2 * np.pi * arm / 3
        parts.append(np.c_[t * np.cos(angle), t * np.sin(angle)] + noise * rng.standard_normal((200, 2)))
    return np.vstack(parts), np.repeat(np.arange(3), 200)


def counts(rng, p, k, apart):
    """Poisson counts with rates that differ in some columns: rounded, skewed, unequal in spread."""
    rates = np.exp(rng.normal(1.0, 0.6, p)) * np.exp(rng.normal(0, apart / np.sqrt(p), (k, p)))
    sizes = [int(np.exp(rng.uniform(*np.log((40, 300))))) for _ in range(k)]
    y = np.repeat(np.arange(k), sizes)
    return np.sqrt(rng.poisson(rates[y]).astype(float)), y


def directions(rng, p, k, noise):
    """Unit vectors around k directions."""
    centres = rng.standard_normal((k, p))
    centres /= np.linalg.norm(centres, axis=1, keepdims=True)
    sizes = [int(np.exp(rng.uniform(*np.log((40, 300))))) for _ in range(k)]
    y = np.repeat(np.arange(k), sizes)
    Z = centres[y] + noise * rng.standard_normal((len(y), p))
    return Z / np.linalg.norm(Z, axis=1, keepdims=True), y


def with_noise(rng, X, y, share):
    m = int(share * len(X))
    low, high = X.min(axis=0), X.max(axis=0)
    width = high - low
    return np.vstack([X, rng.uniform(low - 0.1 * width, high + 0.1 * width, (m, X.shape[1]))]), np.r_[y, np.full(m, -1)]


def _numbered(sets: Callable[..., Iterator[Truth]]) -> Callable[..., Iterator[Truth]]:
    """Let sets know the seed that they were made from."""

    @wraps(sets)
    def numbered(seed: int, *rest: object) -> Iterator[Truth]:
        for truth in sets(seed, *rest):
            yield replace(truth, seed=seed)

    return numbered


@_numbered
def standard_sets(seed: int) -> Iterator[Truth]:  # noqa: C901 - one loop after the other
    """Yield 52 made sets: 28 families of seeds beginning at `seed`."""
    number = iter(range(seed + 1, seed + 1000))
    for p in (2, 5, 10, 30):
        for apart in SEPARATIONS:
            rng = np.random.default_rng(next(number))
            X, y = blobs(rng, p, apart, int(rng.integers(2, 7)))
            if p <= 10 and apart >= 4:
                X, y = with_noise(rng, X, y, (0, 0, 0.05, 0.1)[rng.integers(4)])
            yield Truth(f"gauss p{p} {apart} s.d.", f"gauss {apart}", X, y, apart >= 4)
    for shape in ("t3", "lognormal"):
        for p in (2, 5, 10):
            for apart in (5, 8):
                rng = np.random.default_rng(next(number))
                X, y = blobs(rng, p, apart, int(rng.integers(2, 6)), shape)
                yield Truth(f"{shape} p{p} {apart} s.d.", f"{shape} {apart}", X, y, apart >= 8 or shape == "lognormal")
    for gap in (0.0, 0.15, 0.3, 0.5):
        rng = np.random.default_rng(next(number))
        X, y = blocks(rng, gap)
        X, y = with_noise(rng, X, y, (0, 0.05)[rng.integers(2)] if gap >= 0.3 else 0)
        yield Truth(f"blocks, gap {gap}", "blocks" if gap else "touching", X, y, gap >= 0.15)
    for noise, extra in ((0.05, 0), (0.1, 0), (0.1, 3), (0.14, 0)):
        rng = np.random.default_rng(next(number))
        X, y = moons(rng, noise, extra)
        X, y = with_noise(rng, X, y, (0, 0.05)[rng.integers(2)] if extra == 0 and noise < 0.12 else 0)
        yield Truth(f"moons {noise} +{extra}", "shapes", X, y, noise < 0.12)
    for make, noises in ((rings, (0.05, 0.1)), (spirals, (0.15, 0.3))):
        for noise in noises:
            X, y = make(np.random.default_rng(next(number)), noise)
            yield Truth(f"{make.__name__} {noise}", "shapes", X, y, separated=True)


@_numbered
def wide_sets(seed: int) -> Iterator[Truth]:
    """Yield made sets beyond the standard ones: clusters of 20 to 3,000 points, up to 60 columns, counts, angles."""
    number = iter(range(seed + 1, seed + 1000))
    for p, sizes in (
        (2, (20, 60)),
        (10, (20, 60)),
        (20, (50, 400)),
        (60, (50, 400)),
        (3, (400, 3000)),
        (15, (400, 3000)),
    ):
        for apart in (2.5, 3, 4, 5, 7):
            rng = np.random.default_rng(next(number))
            shape = ("gauss", "gauss", "t3", "lognormal")[rng.integers(4)]
            least = {"gauss": 4, "lognormal": 5, "t3": 7}[shape]
            X, y = blobs(rng, p, apart, int(rng.integers(2, 6)), shape, sizes)
            yield Truth(f"{shape} p{p} {apart} s.d., {sizes[0]}+", f"wide {shape}", X, y, apart >= least)
    for p, apart in ((5, 1.5), (15, 1.5), (15, 2.5), (40, 2.0)):
        rng = np.random.default_rng(next(number))
        X, y = counts(rng, p, int(rng.integers(2, 6)), apart)
        yield Truth(f"counts p{p} {apart}", "counts", X, y, own_neighbours(X, y))
    for p, noise in ((5, 0.15), (20, 0.15), (20, 0.25), (50, 0.15)):
        rng = np.random.default_rng(next(number))
        X, y = directions(rng, p, int(rng.integers(2, 6)), noise)
        yield Truth(f"directions p{p} {noise}", "directions", X, y, own_neighbours(X, y))


def arc(rng, n, turn, noise):
    t = rng.uniform(0, turn, n)
    return np.c_[np.cos(t), np.sin(t)] + noise * rng.standard_normal((n, 2))


def ball(rng, n, p):
    Z = rng.standard_normal((n, p))
    return Z / np.linalg.norm(Z, axis=1, keepdims=True) * rng.random((n, 1)) ** (1 / p)


def one_direction(rng, n):
    Z = np.eye(20)[0] + 0.2 * rng.standard_normal((n, 20))
    return Z / np.linalg.norm(Z, axis=1, keepdims=True)


ONE_POPULATION: dict[str, Callable] = {
    "gauss2": lambda rng, n: normal(rng, n, 2),
    "gauss10": lambda rng, n: normal(rng, n, 10),
    "t3": lambda rng, n: heavy(rng, n, 3),
    "lognormal": lambda rng, n: np.exp(0.6 * rng.standard_normal((n, 3))),
    "uniform": lambda rng, n: rng.random((n, 2)),
    "ring": lambda rng, n: arc(rng, n, 2 * np.pi, 0.1),
    "arc": lambda rng, n: arc(rng, n, 1.2 * np.pi, 0.08),
    "corr20": lambda rng, n: normal(rng, n, 20) @ np.linalg.cholesky(covariance(rng, 20, 1, 30)).T,
}
MORE_POPULATIONS: dict[str, Callable] = {
    "gauss5": lambda rng, n: normal(rng, n, 5) * np.array([3, 2, 1, 1, 0.5]),
    "gauss60": lambda rng, n: normal(rng, n, 60) * np.linspace(3, 0.3, 60),
    "t3 10": lambda rng, n: heavy(rng, n, 10),
    "lognormal 10": lambda rng, n: skewed(rng, n, 10) @ np.linalg.cholesky(covariance(rng, 10, 1, 10)).T,
    "uniform 5": lambda rng, n: rng.random((n, 5)) * np.array([2, 1.5, 1, 1, 0.5]),
    "disc": lambda rng, n: ball(rng, n, 2),
    "exponential 4": lambda rng, n: rng.exponential(1, (n, 4)),
    "counts 15": lambda rng, n: np.sqrt(rng.poisson(np.exp(np.linspace(0, 2, 15)), (n, 15)).astype(float)),
    "direction": one_direction,
    "arc 3d": lambda rng, n: np.c_[arc(rng, n, np.pi, 0.1), 0.1 * rng.standard_normal(n)],
    "factors": lambda rng, n: heavy(rng, n, 3) @ rng.standard_normal((3, 20)) + 0.5 * normal(rng, n, 20),
}


@_numbered
def structureless_sets(seed: int, populations=None, sizes=(700, 300)) -> Iterator[Truth]:
    """Yield sets of one population each."""
    populations = populations or ONE_POPULATION
    for place, n in enumerate(sizes):
        for number, (name, make) in enumerate(populations.items(), 500 + 50 * place):
            X = make(np.random.default_rng(seed + number), n)
            yield Truth(f"{name} n{n}", name, X, np.zeros(len(X), dtype=int), separated=True)


def public_sets(folder: Path) -> Iterator[Truth]:
    """Yield the labelled sets of a folder, by name; 0 in their labels is noise."""
    for path in sorted(folder.glob("*/*.data.gz")):
        X = np.loadtxt(path, ndmin=2)
        y = np.loadtxt(path.with_name(path.name.replace(".data.", ".labels0."))).astype(int) - 1
        yield Truth(path.name.split(".")[0], "public", X, y, own_neighbours(X, y))


def shrunk(truth: Truth, most: int) -> Truth:
    """Return at most so many points of a set."""
    rows = np.sort(np.random.default_rng(0).permutation(len(truth.X))[:most])
    return replace(truth, X=truth.X[rows], y=truth.y[rows])


def tables(folder: Path, most: int = 10**9) -> Iterator[Truth]:
    """Yield real tables with their classes, at most so many rows of each."""
    for path in sorted(folder.glob("*.npz")):
        with np.load(path, allow_pickle=True) as data:
            X, y = np.asarray(data["X"], dtype=float), np.unique(data["y"], return_inverse=True)[1]
        rows = np.random.default_rng(0).permutation(len(X))[:most]
        yield Truth(path.stem, "table", X[rows], y[rows], separated=False)


def own_neighbours(X, y) -> bool:
    """Return whether in every cluster 97 % of the points have most of their 10 neighbours in it."""
    X, y = X[y >= 0], y[y >= 0]
    near = cKDTree(X).query(X, k=11)[1][:, 1:]
    own = (y[near] == y[:, None]).mean(axis=1) > 0.5
    return bool(min(own[y == cluster].mean() for cluster in np.unique(y)) >= MINE)

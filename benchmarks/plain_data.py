"""Data without clusters, of fifteen kinds, and two Gaussians, to try tests of structure on."""

from __future__ import annotations

import numpy as np

NUMBERS = (100, 200, 400, 800, 2000)
COLUMNS = (2, 3, 5, 10, 30, 100)


def turned(Z, p, rng, noise):
    """Return points of a curve or a surface in p columns, with noise."""
    if p > Z.shape[1]:
        Z = np.c_[Z, np.zeros((len(Z), p - Z.shape[1]))]
    X = Z @ np.linalg.qr(rng.normal(size=(Z.shape[1],) * 2))[0]
    return X + noise * rng.normal(size=X.shape) / np.sqrt(max(1, X.shape[1] / 3))


def correlated(n, p, rng):
    mixing = rng.normal(size=(p, p)) * np.geomspace(1, 0.1, p)
    return rng.normal(size=(n, p)) @ mixing


def low_rank(n, p, rng):
    rank = min(p, 3)
    return rng.normal(size=(n, rank)) @ rng.normal(size=(rank, p)) + 0.2 * rng.normal(size=(n, p))


def elliptical_t5(n, p, rng):
    return rng.normal(size=(n, p)) / np.sqrt(rng.chisquare(5, size=(n, 1)) / 5)


def ball(n, p, rng):
    Z = rng.normal(size=(n, p))
    return Z / np.linalg.norm(Z, axis=1)[:, None] * rng.uniform(size=(n, 1)) ** (1 / p)


def sphere(n, p, rng):
    p = max(p, 3)
    Z = rng.normal(size=(n, p))
    return Z / np.linalg.norm(Z, axis=1)[:, None] + rng.choice([0, 0.05, 0.1]) * rng.normal(size=(n, p))


def ring(n, p, rng):
    angle = 2 * np.pi * rng.uniform(size=n)
    return turned(np.c_[np.cos(angle), np.sin(angle)], p, rng, rng.choice([0.05, 0.1, 0.2]))


def arc(n, p, rng):
    angle = rng.uniform(0.5, 1.5) * np.pi * rng.uniform(size=n)
    return turned(np.c_[np.cos(angle), np.sin(angle)], p, rng, rng.choice([0.05, 0.1, 0.2]))


def sheet(n, p, rng):
    """Return points of a trough, a saddle, a gutter or a wave."""
    u, v = rng.uniform(-1, 1, (2, n))
    kind = rng.integers(4)
    if kind == 2:
        angle = np.pi * (u + 1) / 2 * rng.uniform(0.6, 1.5)
        Z = np.c_[np.cos(angle), np.sin(angle), v]
    else:
        Z = {0: np.c_[u, v, 1.5 * u**2], 1: np.c_[u, v, u**2 - v**2], 3: np.c_[2 * u, v, np.sin(3 * u)]}[int(kind)]
    return turned(Z, max(p, 3), rng, rng.choice([0.02, 0.05, 0.1]))


def codes(n, p, rng):
    return np.column_stack([rng.integers(0, most, n) for most in rng.integers(2, 7, p)]).astype(float)


NOTHING = {
    "gaussian": lambda n, p, rng: rng.normal(size=(n, p)),
    "correlated": correlated,
    "low rank": low_rank,
    "t3": lambda n, p, rng: rng.standard_t(3, size=(n, p)),
    "elliptical t5": elliptical_t5,
    "lognormal": lambda n, p, rng: np.exp(rng.normal(size=(n, p))),
    "exponential": lambda n, p, rng: rng.exponential(size=(n, p)),
    "box": lambda n, p, rng: rng.uniform(size=(n, p)),
    "ball": ball,
    "sphere": sphere,
    "ring": ring,
    "arc": arc,
    "sheet": sheet,
    "codes": codes,
    "poisson": lambda n, p, rng: rng.poisson(rng.uniform(0.5, 5, p), size=(n, p)).astype(float),
}


def nothing(kind, seed, most=2000):
    """Return data without clusters, of at most so many points; half of the sets have columns of variance 1."""
    rng = np.random.default_rng([5, list(NOTHING).index(kind), seed])
    n, p = int(rng.choice([n for n in NUMBERS if n <= most])), int(rng.choice(COLUMNS))
    X = NOTHING[kind](n, p, rng)
    if rng.random() < 0.5:
        spread = X.std(axis=0)
        X = (X - X.mean(axis=0)) / np.where(spread == 0, 1, spread)
    return X


def two(n, p, apart, seed):
    """Return two round Gaussians of as many points, so many standard deviations apart."""
    X = np.random.default_rng([6, seed]).normal(size=(n, p))
    X[n // 2 :, 0] += apart
    return X

"""Labelled data of thirteen kinds, convex and not, to try judges of clusterings on: made, so that none is ever used up.

A seed gives a data set; label 0 is noise, which is not asked for.
"""

from __future__ import annotations

import numpy as np

CONVEX = ("apart", "wide", "overlapping", "unequal", "densities", "touching", "many", "skewed")
CURVED = ("curves", "curves and blobs", "nested", "moons", "spirals")
KINDS = CONVEX + CURVED
SPACING = {  # of centres, in standard deviations, from and to
    "apart": (4, 8),
    "wide": (4, 8),
    "overlapping": (2.2, 3.6),
    "unequal": (3, 6),
    "densities": (4, 7),
    "skewed": (2.5, 5),
}


def made(seed: int):
    """Return points, labels and the kind of a data set."""
    rng = np.random.default_rng([2026, seed])
    kind = KINDS[seed % len(KINDS)]
    n = int(rng.choice([150, 250, 400, 700]))
    maker = {"touching": _touching, "many": _many, "nested": _nested, "moons": _moons, "spirals": _spirals}
    if kind in SPACING:
        parts = _gaussian(kind, n, rng)
    elif kind in maker:
        parts = maker[kind](n, rng)
    else:
        parts = _curves(kind, n, rng)
    X, labels = np.vstack(parts), np.repeat(np.arange(1, len(parts) + 1), [len(part) for part in parts])
    if X.shape[1] == 2 and rng.random() < 0.2:
        count = int(len(X) * rng.uniform(0.02, 0.1))
        X = np.vstack([X, rng.uniform(X.min(axis=0), X.max(axis=0), (count, 2))])
        labels = np.r_[labels, np.zeros(count, dtype=int)]
    return X, labels, kind


def _sizes(k: int, n: int, rng) -> np.ndarray:
    shares = np.ones(k) if rng.random() < 0.5 else rng.dirichlet(np.full(k, 1.5)) + 0.05
    return np.maximum((shares / shares.sum() * n).astype(int), 10)


def _turned(points, rng):
    return points @ np.linalg.qr(rng.normal(size=(points.shape[1],) * 2))[0]


def _gaussian(kind: str, n: int, rng) -> list:
    """Gaussian or heavy-tailed clusters: some unequal in size or density, some skewed with columns of noise."""
    k = int(rng.choice([2, 3, 4, 5, 6, 8]))
    p = int(rng.choice({"wide": [10, 20, 40], "skewed": [4, 8, 13]}.get(kind, [2, 3, 5])))
    spacing = rng.uniform(*SPACING[kind])
    sizes = _sizes(k, n, rng)
    if kind == "unequal":
        shares = np.r_[1, rng.uniform(0.05, 0.2, k - 1)]
        sizes = np.maximum((shares / shares.sum() * n).astype(int), 12)
    centres: list = []
    while len(centres) < k:
        for attempt in range(500):
            spread = spacing * (0.5 + 0.35 * k ** (1 / p) + 0.01 * attempt) / np.sqrt(max(p / 3, 1))
            centre = rng.normal(size=p) * spread
            if all(np.linalg.norm(centre - other) > spacing for other in centres):
                break
        centres.append(centre)
    noise = int(p // 2) if kind == "skewed" and rng.random() < 0.5 else 0
    parts = []
    for centre, size in zip(centres, sizes, strict=True):
        points = rng.normal(size=(size, p)) if rng.random() < 0.75 else rng.standard_t(5, size=(size, p))
        if kind == "skewed":
            points = points @ _turned(np.diag(rng.uniform(0.3, 1.3, p)), rng)
            points = np.abs(points) - 0.8 if rng.random() < 0.4 else points
        else:
            scale = rng.choice([0.2, 0.5, 1.0, 1.3]) if kind == "densities" else rng.uniform(0.6, 1.2, p)
            points = _turned(points * scale, rng)
        parts.append(np.c_[centre + points, rng.normal(size=(size, noise))])
    return parts


def _touching(n: int, rng) -> list:
    """Boxes and discs side by side, with hardly a gap between them."""
    gap, left, parts = rng.uniform(0, 0.12), 0.0, []
    for size in _sizes(int(rng.choice([2, 3, 4])), n, rng):
        width, height = rng.uniform(0.6, 1.4, 2)
        points = rng.uniform(size=(size, 2)) * [width, height]
        if rng.random() < 0.4:
            angle, radius = 2 * np.pi * rng.uniform(size=size), np.sqrt(rng.uniform(size=size)) * width / 2
            points = np.c_[radius * np.cos(angle) + width / 2, radius * np.sin(angle)]
        parts.append(points + np.array([left, rng.uniform(-0.2, 0.2)]))
        left += width + gap
    return parts


def _many(n: int, rng) -> list:
    """Round clusters on a grid."""
    k = int(rng.choice([9, 12, 16, 20]))
    side, width = int(np.ceil(k**0.5)), rng.uniform(0.1, 0.22)
    return [
        np.array(divmod(at, side)) + rng.normal(0, 0.08, 2) + rng.normal(size=(size, 2)) * width * rng.uniform(0.7, 1.2)
        for at, size in enumerate(_sizes(k, max(n, 400), rng))
    ]


def _curve(shape: str, size: int, rng):
    t, noise = rng.uniform(size=size), rng.normal(size=(size, 2)) * rng.uniform(0.02, 0.1)
    if shape in {"arc", "ring"}:
        angle = np.pi * t * (2 if shape == "ring" else rng.uniform(0.7, 1.4))
        return np.c_[np.cos(angle), np.sin(angle)] + noise
    if shape in {"line", "corner", "wave"}:
        x = 2 * t - 1
        height = {"line": 0 * x, "corner": np.abs(x), "wave": 0.5 * np.sin(np.pi * x)}[shape]
        return np.c_[1.5 * x if shape == "wave" else x, height + noise[:, 0]]
    if shape == "blob":
        return rng.normal(size=(size, 2)) * 0.3
    return rng.uniform(-0.7, 0.7, (size, 2)) * [1, rng.uniform(0.2, 1)]


def _curves(kind: str, n: int, rng) -> list:
    """Curves, and blobs and boxes among them, apart from each other wherever they fit."""
    shapes = ["arc", "ring", "line", "wave", "corner"] + (["blob", "box"] if kind == "curves and blobs" else [])
    sizes = _sizes(int(rng.choice([2, 3, 4, 5, 6])), n, rng)
    gap, parts = rng.uniform(0.12, 0.4), []
    for size in sizes:
        part = _turned(_curve(rng.choice(shapes), size, rng), rng) * rng.uniform(0.6, 1.4)
        for attempt in range(400):
            moved = part + rng.uniform(-1, 1, 2) * (0.8 + 0.7 * len(sizes) ** 0.5 + 0.01 * attempt)
            others = np.vstack(parts) if parts else np.full((1, 2), np.inf)
            if np.linalg.norm(others[:, None] - moved[:: max(1, size // 80)], axis=2).min() > gap:
                break
        parts.append(moved)
    return parts


def _nested(n: int, rng) -> list:
    """Rings or spheres around each other, often around a blob."""
    p, radius, width, parts = int(rng.choice([2, 2, 2, 3])), 0.0, rng.uniform(0.03, 0.1), []
    for at, size in enumerate(_sizes(int(rng.choice([2, 3])), n, rng)):
        points = rng.normal(size=(size, p))
        if at == 0 and rng.random() < 0.6:
            parts.append(points * 0.2)
            radius = 0.4
            continue
        radius += rng.uniform(0.5, 0.9)
        lengths = radius + width * rng.normal(size=(size, 1))
        parts.append(points / np.linalg.norm(points, axis=1, keepdims=True) * lengths)
    return parts


def _moons(n: int, rng) -> list:
    width = rng.uniform(0.04, 0.16)
    a, b = (np.pi * rng.uniform(size=size) for size in _sizes(2, n, rng))
    halves = np.c_[np.cos(a), np.sin(a)], np.c_[1 - np.cos(b), 0.5 - np.sin(b)]
    return [half + width * rng.normal(size=half.shape) for half in halves]


def _spirals(n: int, rng) -> list:
    k, width, turns = int(rng.choice([2, 3])), rng.uniform(0.01, 0.05), rng.uniform(1.2, 2.2)
    parts = []
    for arm in range(k):
        t = np.sqrt(rng.uniform(0.05, 1, n // k)) * turns * np.pi
        angle = t + 2 * np.pi * arm / k
        parts.append(np.c_[t * np.cos(angle), t * np.sin(angle)] / 6 + width * rng.normal(size=(len(t), 2)))
    return parts

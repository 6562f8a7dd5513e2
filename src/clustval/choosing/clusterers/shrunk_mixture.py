"""Gaussian mixtures with shrunk covariances, which need no more points than columns."""

from __future__ import annotations

import numpy as np

from clustval.arrays import Floats, Integers

ROUNDS = 100
SETTLED = 1e-3  # change of the mean log-density that ends the rounds; what scikit-learn has
LEAST = 1e-10  # points of a component, so that one that has lost all keeps a mean
REGULAR = 1e-6  # of the variance of each column, added to the variance within components


def shrunk_mixture(X: Floats, codes: Integers, *, rounds: int = ROUNDS) -> Integers:
    """Return the most likely component of each point, in a mixture that starts from the clusters `codes`, 0 ... k-1.

    Rounds are those of expectation and maximisation, but covariances are shrunk by as much as their own sampling
    errors ask for, after Ledoit and Wolf: first the correlations within components, pooled, towards 0; then the
    covariance of each component towards the pooled one. A component with few points has nearly the pooled covariance.
    Units of columns do not matter.
    """
    X = X[:, np.ptp(X, axis=0) > 0]
    if not X.shape[1]:
        return np.zeros(len(X), dtype=np.int64)
    X = X / np.abs(X).max(axis=0)  # so that no square overflows
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    shares = np.zeros((len(X), int(codes.max()) + 1))
    shares[np.arange(len(X)), codes] = 1.0
    densities, level = shares, -np.inf
    for _ in range(rounds):
        densities = log_densities(X, shares)
        largest = densities.max(axis=1, keepdims=True)
        shares = np.exp(densities - largest)
        sums = shares.sum(axis=1, keepdims=True)
        shares /= sums
        before, level = level, float((largest + np.log(sums)).mean())
        if abs(level - before) < SETTLED:
            break
    return np.asarray(densities.argmax(axis=1), dtype=np.int64)


def log_densities(X: Floats, shares: Floats) -> Floats:
    """Return the log-density of each point in each component, times the share of the component in all points.

    `shares` says how much of each point is in each component.
    """
    (n, p), k = X.shape, shares.shape[1]
    sizes = shares.sum(axis=0) + LEAST
    means = shares.T @ X / sizes[:, None]
    scales, root = pooled(X, shares, means)
    densities = np.empty((n, k))
    constant = -np.log(scales).sum() - np.log(np.diag(root)).sum() - p / 2 * np.log(2 * np.pi)
    inverse = np.linalg.inv(root).T / scales[:, None]  # takes the pooled covariance to the identity
    rows, centres = X @ inverse, means @ inverse
    for component in range(k):
        centred = rows - centres[component]
        own = np.linalg.cholesky(shrunk_to_identity(centred, shares[:, component], float(sizes[component])))
        squares = ((centred @ np.linalg.inv(own).T) ** 2).sum(axis=1)
        densities[:, component] = np.log(sizes[component] / n) + constant - np.log(np.diag(own)).sum() - squares / 2
    return densities


def pooled(X: Floats, shares: Floats, means: Floats) -> tuple[Floats, Floats]:
    """Return the standard deviations within components, and a triangular root of the correlations there, shrunk to 0.

    The correlations are (1 - a) R, with a the sampling errors of all correlations over their squares.
    """
    n, p = X.shape
    scatter, squares = np.zeros((p, p)), np.zeros((n, p))
    for component, mean in enumerate(means):
        centred = X - mean
        weighted = centred * shares[:, component, None]
        scatter += weighted.T @ centred
        squares += weighted * centred
    scales = np.sqrt(np.diag(scatter) / n + REGULAR)
    squares /= scales**2
    apart = ~np.eye(p, dtype=bool)
    correlations = np.where(apart, scatter / n / np.outer(scales, scales), 0.0)
    products = float((squares.sum(axis=1) ** 2 - (squares**2).sum(axis=1)).mean())
    signal = float((correlations**2).sum())
    share = intensity(products - signal, n, signal)
    return scales, np.asarray(np.linalg.cholesky((1 - share) * correlations + (1 + REGULAR) * np.eye(p)))


def shrunk_to_identity(centred: Floats, weights: Floats, size: float) -> Floats:
    """Return the covariance of weighted points around their mean, shrunk towards the identity.

    That is (1 - a) S + a I, with a the sampling errors of all entries of S over the squared distance of S from I. The
    sampling error is the mean squared distance of a point's own products from S, over the number of points.
    """
    identity = np.eye(centred.shape[1])
    covariance = (centred * weights[:, None]).T @ centred / size
    products = float(weights @ (centred**2).sum(axis=1) ** 2) / size
    distance = float(((covariance - identity) ** 2).sum())
    share = intensity(products - float((covariance**2).sum()), size, distance)
    return np.asarray((1 - share) * covariance + (share + REGULAR) * identity)


def intensity(spread: float, size: float, distance: float) -> float:
    """Return the share of the target, 0 to 1: the squared error, spread / size, over the squared distance from it."""
    return min(max(spread / size / distance, 0.0), 1.0) if distance > 0 else 1.0

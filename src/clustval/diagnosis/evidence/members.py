"""Evidence that a point belongs to another cluster: by its neighbours, by labels that flow downhill, by Gaussians."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clustval import kernels
from clustval.arrays import Flags, Floats, Integers
from clustval.diagnosis.evidence.surroundings import Surroundings
from clustval.lazy import cached_property

TRUST = 0.8  # a view that agrees with less than this share of a cluster is not asked about it
CORE = 0.5  # share of a cluster, the densest, whose labels flow
ROUNDS = 2  # of votes
REFITS = 3
TRIMMED = 0.05
FEWEST_TRIMMED = 20
FEWEST = 5  # points of a cluster from which on its refit is believed
CLIPPED = 6.0
HALF = 0.5
TINY = 1e-9
KNOWN = 0.3  # of the neighbours of a noise point that count at least, however few are in a cluster
INPUTS = (
    "vote",
    "flow",
    "gauss",
    "gauss asked",
    "flow asked",
    "flow says other",
    "flow alone",
    "tanh gauss",
    "vote alone",
    "rate",
    "both asked",
    "both agree",
    "far",
    "far if gauss asked",
    "far if both agree",
)
RATE = INPUTS.index("rate")  # known only when all points were seen
CLEAN = 0.98  # share of the undoubted points of a cluster within its reach
NEAREST, FARTHEST = -2.0, 3.0  # log of distance over reach


def votes(numbers: Integers, labels: Integers, k: int) -> Floats:
    """Return how many neighbours of each point are in each cluster (n, k); noise votes for none.

    >>> votes(np.array([[1, 2], [0, 2], [0, 1]]), np.array([0, 1, -1]), 2).tolist()
    [[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]
    """
    n = len(numbers)
    near = labels[numbers]
    places = np.where(near >= 0, near, k) + (k + 1) * np.arange(n)[:, None]
    return np.bincount(places.ravel(), minlength=n * (k + 1)).reshape(n, k + 1)[:, :k].astype(np.float64)


def voted(around: Surroundings, labels: Integers, k: int) -> Integers:
    """Return labels after two votes of neighbours: to see clusters through misplaced points, never to be returned."""
    rows = np.arange(around.n)
    for _ in range(ROUNDS):
        counts = votes(around.numbers, labels, k)
        own = np.where(labels >= 0, counts[rows, labels], 0)
        most = counts.max(axis=1)
        changed = (labels >= 0) & (most > own) & (most >= HALF * around.count)
        labels = np.where(changed, counts.argmax(axis=1), labels)
    return labels


def flowed(around: Surroundings, labels: Integers, k: int) -> Integers:
    """Return labels that flow from the dense half of each cluster to thinner points."""
    density = around.smooth_density
    out = np.full(around.n, -1)
    for cluster in range(k):
        members = np.flatnonzero(labels == cluster)
        if len(members):
            out[members[density[members] >= np.quantile(density[members], 1 - CORE)]] = cluster
    kernels.valleys.flow.flow(np.argsort(-density, kind="stable"), *around.union.lists, out, k)
    return out


@dataclass(frozen=True, eq=False)
class Gaussians:
    """A Gaussian for each cluster."""

    means: list[Floats]
    roots: list[Floats]  # inverse of the triangular root of each covariance
    offsets: list[float]

    def logs(self, X: Floats) -> Floats:
        """Return the log density of each point under each Gaussian, with its share of the points."""
        parts = zip(self.means, self.roots, self.offsets, strict=True)
        return np.stack(
            [offset - 0.5 * (((X - mean) @ root.T) ** 2).sum(axis=1) for mean, root, offset in parts], axis=1
        )

    def lengths(self, logs: Floats) -> Floats:
        """Return the distances behind log densities: of each point from each mean, in standard deviations."""
        return np.sqrt(np.maximum(2 * (np.array(self.offsets) - logs), 0.0))


def gaussians(X: Floats, labels: Integers, k: int) -> Gaussians:
    """Return a Gaussian for each cluster, fitted three times to its likely members.

    A cluster of n points in p dimensions has n / (n + 3 p) of its own covariance, the rest is pooled; covariances off
    the diagonal are shrunk to n / (n + p). A cluster of no points, which a sample may have, lies in the middle of all.
    """
    p = X.shape[1]
    current, logs = labels, None
    middle, spread_of_all = X.mean(axis=0), float(X.var(axis=0).max())
    for _ in range(REFITS):
        parts = [_likely(labels, current, cluster, logs) for cluster in range(k)]
        sizes = np.array([len(part) for part in parts])
        means = [X[part].mean(axis=0) if len(part) else middle for part in parts]
        centred = [X[part] - mean for part, mean in zip(parts, means, strict=True)]
        own = [Z.T @ Z / max(len(Z) - 1, 1) for Z in centred]
        pooled = sum(size * each for size, each in zip(sizes, own, strict=True)) / sizes.sum()
        least = 1e-9 * max(float(pooled.diagonal().max()), 1e-6 * spread_of_all, 1e-300)
        roots, offsets = [], []
        for size, each in zip(sizes.tolist(), own, strict=True):
            share, kept = size / (size + 3 * p), size / (size + p)
            mixed = share * each + (1 - share) * pooled
            spread = mixed.diagonal() + least
            mixed = kept * mixed
            np.fill_diagonal(mixed, spread)
            root = np.linalg.cholesky(mixed)
            roots.append(np.linalg.inv(root))
            offsets.append(float(np.log(max(size, HALF) / sizes.sum()) - np.log(root.diagonal()).sum()))
        fitted = Gaussians(means, roots, offsets)
        logs = fitted.logs(X)
        current = np.where(labels >= 0, logs.argmax(axis=1), -1)
    return fitted


def _likely(labels: Integers, current: Integers, cluster: int, logs: Floats | None) -> Integers:
    """Return the members of a cluster that its Gaussian is fitted to."""
    members = np.flatnonzero(current == cluster)
    if len(members) < FEWEST:
        members = np.flatnonzero(labels == cluster)
    if logs is not None and len(members) > FEWEST_TRIMMED:
        values = logs[members, cluster]
        members = members[values >= np.quantile(values, TRIMMED)]
    return members


@dataclass(frozen=True, eq=False)
class Crowd:
    """Labelled points among which others are seen: all points, or a sample of them."""

    around: Surroundings
    labels: Integers
    k: int

    @cached_property
    def flow(self) -> Integers:
        """The label that reaches each point from dense places."""
        return flowed(self.around, voted(self.around, self.labels, self.k), self.k)

    @cached_property
    def flow_fits(self) -> Floats:
        """Share of each cluster that the flow leaves where it is."""
        return self._fitting(self.flow)

    @cached_property
    def gaussians(self) -> Gaussians | None:
        """A Gaussian for each cluster; None where there are no coordinates."""
        return None if self.around.X is None else gaussians(self.around.X, self.labels, self.k)

    @cached_property
    def gauss_fits(self) -> Floats:
        """Share of each cluster that Gaussians leave where it is."""
        assert self.gaussians is not None
        assert self.around.X is not None
        return self._fitting(self.gaussians.logs(self.around.X).argmax(axis=1))

    @cached_property
    def reaches(self) -> Floats:
        """How far from its mean nearly all points of each cluster lie that no Gaussian would rather have elsewhere."""
        assert self.gaussians is not None
        assert self.around.X is not None
        logs = self.gaussians.logs(self.around.X)
        lengths, home = self.gaussians.lengths(logs), logs.argmax(axis=1)
        out = np.ones(self.k)
        for cluster in range(self.k):
            members = self.labels == cluster
            clean = members & (home == cluster)
            some = lengths[clean if clean.any() else members, cluster]
            if len(some):
                out[cluster] = max(float(np.quantile(some, CLEAN)), TINY)
        return out

    @cached_property
    def radii(self) -> Floats:
        """Median, and distance between quartiles, of the log radius in each cluster (k, 2)."""
        out = np.tile([0.0, 1.0], (self.k, 1))
        for cluster in range(self.k):
            members = self.labels == cluster
            if members.any():
                low, middle, high = np.quantile(self.around.log_radius[members], [0.25, 0.5, 0.75])
                out[cluster] = middle, max(high - low, 1e-9)
        return out

    def _fitting(self, seen: Integers) -> Floats:
        inside = self.labels >= 0
        sizes = np.bincount(self.labels[inside], minlength=self.k)
        right = np.bincount(self.labels[inside & (seen == self.labels)], minlength=self.k)
        return right / np.maximum(sizes, 1)


@dataclass(frozen=True, eq=False)
class Views:
    """What is seen of each point."""

    nearest: Integers  # (n,) the cluster that it would belong to if not to its own
    evidence: Floats  # (n, 15) for that it is in the wrong cluster
    thin: Floats  # (n, 3) for that it is in none
    purity: Floats  # (n,) share of its neighbours in its own cluster; of noise, of those in clusters in the nearest


def views(crowd: Crowd, numbers: Integers, log_radius: Floats, X: Floats | None, labels: Integers) -> Views:
    """Return the evidence of points by their neighbours in a crowd; the share of wrong points is put in later.

    A view that contradicts a fifth of a cluster is not asked about it.
    """
    n, rows = len(numbers), np.arange(len(numbers))
    own = np.maximum(labels, 0)
    by_vote, by_flow = votes(numbers, crowd.labels, crowd.k), votes(numbers, crowd.flow, crowd.k)
    total = by_vote + 2 * by_flow
    total[rows[labels >= 0], own[labels >= 0]] = -1
    other = total.argmax(axis=1)
    gauss, gauss_asked, far = np.zeros(n), np.zeros(n, dtype=bool), np.zeros(n)
    if X is not None and crowd.gaussians is not None:
        logs = crowd.gaussians.logs(X)
        rest = logs.copy()
        rest[rows, own] = -np.inf
        other = np.where(total.max(axis=1) > 0, other, rest.argmax(axis=1))
        gauss_asked = _both(crowd.gauss_fits, own, other)
        gauss = np.where(gauss_asked, np.clip(logs[rows, other] - logs[rows, own], -CLIPPED, CLIPPED), 0.0)
        lengths = crowd.gaussians.lengths(logs)[rows, own]
        far = np.clip(np.log(np.maximum(lengths, TINY) / crowd.reaches[own]), NEAREST, FARTHEST)

    def odds(counts: Floats) -> Floats:
        return np.asarray(np.log((counts[rows, other] + 0.5) / (counts[rows, own] + 0.5)))

    flow_asked = _both(crowd.flow_fits, own, other)
    vote_odds, flow_odds = odds(by_vote), odds(by_flow) * flow_asked
    says_other = (by_flow[rows, other] >= by_flow[rows, own]) & flow_asked
    both = gauss_asked & flow_asked
    agree = both * np.minimum(flow_odds, gauss / 2)
    columns = {
        "vote": vote_odds,
        "flow": flow_odds,
        "gauss": gauss,
        "gauss asked": gauss_asked,
        "flow asked": flow_asked,
        "flow says other": says_other,
        "flow alone": flow_odds * ~gauss_asked,
        "tanh gauss": np.tanh(gauss),
        "vote alone": vote_odds * ~flow_asked,
        "both asked": both,
        "both agree": agree,
        "far": far,
        "far if gauss asked": far * gauss_asked,
        "far if both agree": far * (agree > 0),
    }
    evidence = np.zeros((n, len(INPUTS)))
    for name, column in columns.items():
        evidence[:, INPUTS.index(name)] = column
    thin = log_radius - np.median(crowd.around.log_radius[numbers], axis=1)
    home = np.where(labels >= 0, own, other)
    inside = (log_radius - crowd.radii[home, 0]) / crowd.radii[home, 1]
    thinness = np.stack(
        [np.clip(inside, -3, 8), np.clip(thin * crowd.around.dimension, -3, 20), np.clip(thin, -1, 3)], axis=1
    )
    known = np.where(labels >= 0, numbers.shape[1], np.maximum(by_vote.sum(axis=1), KNOWN * numbers.shape[1]))
    return Views(other, evidence, thinness, by_vote[rows, home] / known)


def with_rates(seen: Views, labels: Integers, k: int) -> Views:
    """Put in the log of the share of each cluster that both votes call wrong."""
    inside = labels >= 0
    bad = (seen.evidence[:, 0] > 1) & (seen.evidence[:, 1] > 1) & inside
    sizes = np.bincount(labels[inside], minlength=k)
    rates = np.log((np.bincount(labels[bad], minlength=k) + 0.5) / (sizes + 1))
    seen.evidence[:, RATE] = rates[np.maximum(labels, 0)]
    return seen


def _both(fits: Floats, own: Integers, other: Integers) -> Flags:
    return np.minimum(fits[own], fits[other]) >= TRUST
